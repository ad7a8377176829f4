//! The rows of a clock's check: who rolls it, its fields as a person writes them, and what each outcome
//! is worth.

use crate::rules::{CheckSpec, Field, OutcomeSpec, Preset, Source, Whose};
use crate::screen::dialog::entry::Entry;
use crate::screen::dialog::form::{Form, Item};
use crate::screen::dialog::owner::Owners;
use crate::session::{Attached, CharacterId, MOST_TICKS};
use crate::table::Seen;

/// What a row of the check is for.
#[derive(Clone, Copy, Debug)]
enum RowOf {
    Who,
    Field(&'static Field),
    Outcome(&'static OutcomeSpec),
}

/// The rows of a clock's check. They stand behind all others, and have no names there: a field may be
/// called like a row of the clock.
#[derive(Clone, Debug)]
pub(super) struct CheckRows {
    rollers: Owners,
    /// What the clock had when the form opened.
    before: Attached,
    rows: Vec<RowOf>,
    /// Rows of other checks, with what was entered in them.
    spare: Vec<(RowOf, Item)>,
}

/// What a field takes has at most so many letters.
const LONGEST: usize = 200;

impl RowOf {
    /// A row by its name: a field of two checks keeps what was entered.
    const fn key(self) -> &'static str {
        match self {
            Self::Who => "",
            Self::Field(field) => field.id,
            Self::Outcome(outcome) => outcome.label,
        }
    }

    const fn is_who(self) -> bool {
        matches!(self, Self::Who)
    }
}

impl CheckRows {
    /// The rows of a clock with that check.
    pub(super) fn new(attached: Option<&Attached>, rollers: Owners) -> Self {
        Self {
            rollers,
            before: attached.cloned().unwrap_or_default(),
            rows: Vec::new(),
            spare: Vec::new(),
        }
    }

    /// Takes its rows off the end of the form's.
    pub(super) fn put_away(&mut self, items: &mut Vec<Item>) {
        let from = items.len() - self.rows.len().min(items.len());
        let own = items.split_off(from);
        self.spare.extend(self.rows.drain(..).zip(own));
    }

    /// Puts the rows of that check at the end of the form's.
    pub(super) fn lay_out(
        &mut self,
        spec: Option<&'static CheckSpec>,
        items: &mut Vec<Item>,
        seen: &Seen<'_>,
    ) {
        let Some(spec) = spec else { return };
        let fields = spec.fields.iter().filter(|field| !field.quiet);
        let fields = fields.filter(|field| !matches!(field.preset, Preset::House(..)));
        let outcomes = spec.outcomes.iter().map(RowOf::Outcome);
        let rows = [RowOf::Who].into_iter().chain(fields.map(RowOf::Field));
        self.rows = rows.chain(outcomes).collect();
        for row in &self.rows {
            let kept = self
                .spare
                .iter()
                .position(|(known, _)| known.key() == row.key());
            let mut item = self.item(*row, spec, seen);
            if let Some(at) = kept {
                item.entry = self.spare.remove(at).1.entry;
            }
            items.push(item);
        }
    }

    fn item(&self, row: RowOf, spec: &CheckSpec, seen: &Seen<'_>) -> Item {
        let is_same = self.before.check == spec.id;
        match row {
            RowOf::Who => Item::new(
                "",
                "Rolled by",
                self.rollers.entry(self.before.who),
                "Whose sheet the fields come from; without anybody they have to be given.",
            ),
            RowOf::Field(field) => {
                let fields = self.before.fields.iter().filter(|_| is_same);
                let given = fields.clone().find(|(known, _)| known == field.id);
                let given = given.map_or("", |(_, given)| given.as_str());
                let from_sheet = field.source != Source::Table && field.whose == Whose::Own;
                let hint = match field.preset {
                    _ if from_sheet => "from the sheet",
                    Preset::Required => "needed",
                    _ => "as usual",
                };
                let picks = seen.picks(self.before.who, field);
                let picks = match picks.as_slice() {
                    [] => String::new(),
                    picks => format!(" Also: {}.", picks.join(", ")),
                };
                let help = format!("{} ({}){picks}", field.help, field.describe());
                Item::new("", field.label, Entry::text(given, LONGEST), help).hint(hint)
            }
            RowOf::Outcome(outcome) => {
                let ticks = self.before.ticks.iter().filter(|_| is_same);
                let said = ticks.clone().find(|(known, _)| known == outcome.id);
                let help = "How many segments this outcome fills, or below 0 empties; left out, what the \
                            rules give.";
                Item::new(
                    "",
                    format!("{} fills", outcome.label),
                    Entry::number(said.map(|(_, ticks)| *ticks)),
                    help,
                )
                .within(-MOST_TICKS, MOST_TICKS)
                .hint("as the rules say")
            }
        }
    }

    fn own<'a>(&'a self, form: &'a Form) -> impl Iterator<Item = (RowOf, &'a Item)> + 'a {
        let from = form.items.len().saturating_sub(self.rows.len());
        self.rows.iter().copied().zip(&form.items[from..])
    }

    /// Whether something was entered in them.
    pub(super) fn is_changed(&self, form: &Form) -> bool {
        self.own(form).any(|(_, item)| item.is_changed())
    }

    fn who(&self, form: &Form) -> Option<CharacterId> {
        let mut own = self.own(form);
        let (_, item) = own.find(|(row, _)| row.is_who())?;
        match &item.entry {
            Entry::Word { at, .. } => self.rollers.at(*at),
            _ => None,
        }
    }

    /// Says what is wrong with what was entered.
    pub(super) fn check(&self, form: &mut Form, spec: Option<&'static CheckSpec>, seen: &Seen<'_>) {
        let Some(spec) = spec else { return };
        let who = self.who(form);
        let mut filled = seen.fill(spec, who);
        let problems: Vec<Option<String>> = self
            .own(form)
            .map(|(row, item)| match row {
                RowOf::Who => None,
                RowOf::Outcome(_) => item.maybe_number().err(),
                RowOf::Field(field) => {
                    let given = item.entry.words();
                    let given = given.trim();
                    if given.is_empty() {
                        return None;
                    }
                    let put = seen.fill_in(&mut filled, who, field, given);
                    put.err().map(|refusal| refusal.to_string())
                }
            })
            .collect();
        let from = form.items.len().saturating_sub(self.rows.len());
        for (item, problem) in form.items[from..].iter_mut().zip(problems) {
            item.problem = problem;
        }
    }

    /// The check as it was entered.
    pub(super) fn build(&self, form: &Form, spec: Option<&'static CheckSpec>) -> Option<Attached> {
        let mut attached = Attached::new(spec?.id);
        attached.who = self.who(form);
        for (row, item) in self.own(form) {
            let given = item.entry.words().trim().to_owned();
            match row {
                RowOf::Field(field) if !given.is_empty() => {
                    attached.fields.push((field.id.to_owned(), given));
                }
                RowOf::Outcome(outcome) => {
                    let ticks = item.maybe_number().ok().flatten();
                    let ticks = ticks.map(|ticks| (outcome.id.to_owned(), ticks));
                    attached.ticks.extend(ticks);
                }
                RowOf::Who | RowOf::Field(_) => {}
            }
        }
        Some(attached)
    }
}
