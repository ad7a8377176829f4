//! Letters typed while a check is set up: they lead to a row, or pick a value by how it begins.

use crate::dialog::check_form::Texts;
use crate::dialog::form::{Form, RowId};
use crate::dialog::roll::RollDialog;
use tableside_game::CharacterId;
use tableside_rules::Asked;
use tableside_table::SeatView;

/// The letters of a word so far, and what stood in the fields before them: a word that goes on as something else
/// leaves nothing behind.
#[derive(Debug, Default)]
pub(super) struct Typed {
    word: String,
    before: Option<(Texts, Option<CharacterId>)>,
}

impl RollDialog {
    /// Takes a letter of a word. It picks a value of the row in focus that begins so; two letters pick one of any row
    /// that is changed each time; else they lead to a row whose label begins so.
    pub(super) fn type_letter(&mut self, letter: char, form: &mut Form, view: &SeatView<'_>) {
        let letter: String = letter.to_lowercase().collect();
        let longer = format!("{}{letter}", self.typed.word);
        let now = (self.fields.given.clone(), self.opponent);
        let before = self.typed.before.take().unwrap_or_else(|| now.clone());
        // A word of its own leaves what the word before it picked.
        for (word, kept) in [(longer, before), (letter.clone(), now)] {
            (self.fields.given, self.opponent) = kept.clone();
            if self.lead(&word, form, view) {
                let before = Some(kept);
                self.typed = Typed { word, before };
                return;
            }
        }
        // Two letters may lead where one alone does not.
        let (word, before) = (letter, None);
        self.typed = Typed { word, before };
    }

    /// Goes where these letters lead; returns whether they lead anywhere.
    fn lead(&mut self, word: &str, form: &mut Form, view: &SeatView<'_>) -> bool {
        let begins = |label: &str| label.trim_start().to_lowercase().starts_with(word);
        // Two letters find a later word, too: `re` leads to Mental Reason.
        let holds = |label: &str| label.split_whitespace().skip(1).any(begins);
        let is_first = word.chars().count() == 1;
        let fields = self.fields.check.fields.iter();
        let always = fields.filter(|field| field.asked == Asked::Always && !is_first);
        let others = always.map(|field| RowId::Field(field.id));
        // On a number a letter alone leads on: its names are not what one types there.
        let is_named = |id: &RowId| match id {
            RowId::Field(id) => {
                let field = self.fields.check.field(id);
                field.is_some_and(|field| !field.names.is_empty())
            }
            _ => false,
        };
        let focused = form.focused().filter(|id| !(is_first && is_named(id)));
        let sought: Vec<RowId> = focused.into_iter().chain(others).collect();
        let ways: [&dyn Fn(&str) -> bool; 2] = [&begins, &|label| !is_first && holds(label)];
        for (is_found, &id) in ways
            .iter()
            .flat_map(|way| sought.iter().map(move |id| (way, id)))
        {
            let (words, now) = self.words(id, view);
            // A letter alone goes on to the next that begins with it.
            let after = now.map_or(0, |now| now + usize::from(is_first));
            let mut order = (0..words.len()).map(|by| (after + by) % words.len());
            if let Some(to) = order.find(|to| is_found(&words[*to])) {
                form.focus_row(id);
                self.set(id, to, form, view);
                return true;
            }
        }
        let (at, count) = (form.focus + usize::from(is_first), form.rows.len());
        let mut order = (0..count).map(|by| (at + by) % count);
        let found = order.find(|place| begins(&form.rows[*place].label));
        found.map(|place| form.focus_index(place)).is_some()
    }

    /// What a row offers, in words, and which of it stands there.
    fn words(&self, id: RowId, view: &SeatView<'_>) -> (Vec<String>, Option<usize>) {
        match id {
            RowId::Row("against") => {
                let (known, at) = self.opponents(view);
                let name = |id: Option<_>| id.map_or("nobody", |id| view.owner_name(Some(id)));
                let names = known.into_iter().map(|id| name(id).to_owned());
                (names.collect(), Some(at))
            }
            RowId::Field(id) => self.fields.check.field(id).map_or_else(
                || (Vec::new(), None),
                |field| {
                    let (mut options, at) = self.fields.options(field, view);
                    for option in &mut options {
                        let number = option.parse().ok();
                        if let Some(name) = number.and_then(|number| field.name_of(number)) {
                            name.clone_into(option);
                        }
                    }
                    (options, at)
                },
            ),
            _ => (Vec::new(), None),
        }
    }

    /// Picks what stands at that place of a row.
    fn set(&mut self, id: RowId, to: usize, form: &mut Form, view: &SeatView<'_>) {
        match id {
            RowId::Field(id) => {
                let field = self.fields.check.field(id);
                let text =
                    field.and_then(|field| self.fields.options(field, view).0.into_iter().nth(to));
                if let Some((field, text)) = field.zip(text) {
                    self.fields.give(field, text, form);
                }
            }
            _ => self.face(self.opponents(view).0.get(to).copied().flatten()),
        }
    }
}
