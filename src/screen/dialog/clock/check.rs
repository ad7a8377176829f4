//! The rows of a clock's check: who rolls it, its fields as a person writes them, and what each outcome
//! is worth.

use crate::rules::{CheckSpec, Field, Kind, OutcomeSpec, Preset, Source, Whose};
use crate::screen::dialog::entry::Entry;
use crate::screen::dialog::form::{Form, Item};
use crate::screen::dialog::given;
use crate::screen::dialog::owner::Owners;
use crate::session::{Attached, CharacterId, MOST_TICKS};
use crate::table::SeatView;

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

/// What a field is while it is left open.
fn open(field: &Field) -> &'static str {
    match field.preset {
        _ if field.source != Source::Table && field.whose == Whose::Own => "from the sheet",
        Preset::Required => "needed",
        _ => "as usual",
    }
}

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

/// What is entered for a field: by a name from anybody's sheet, for whoever rolls may be anybody.
fn field_entry(field: &'static Field, given: Option<&str>, seen: &SeatView<'_>) -> Entry {
    let everybody: Vec<CharacterId> = seen.roster().map(|one| one.id).collect();
    let names = given::names(field, &everybody, seen);
    given::entry(field, names, given, open(field))
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
        seen: &SeatView<'_>,
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
                let (of, kept) = self.spare.remove(at);
                match (row, of) {
                    (RowOf::Field(field), RowOf::Field(before)) => {
                        let words = given::given(before, &kept, open(before));
                        item.entry = field_entry(field, words.as_deref(), seen);
                    }
                    _ => item.entry = kept.entry,
                }
            }
            items.push(item);
        }
    }

    /// A row as the clock had it.
    fn item(&self, row: RowOf, spec: &CheckSpec, seen: &SeatView<'_>) -> Item {
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
                let before = given.map(|(_, given)| given.as_str());
                let entry = field_entry(field, before, seen);
                let help = format!("{} ({})", field.help, field.describe());
                let item = Item::new("", field.label, entry, help).hint(open(field));
                match field.kind {
                    Kind::Number { min, max } => item.within(min, max),
                    Kind::Die | Kind::Flag | Kind::Word(_) | Kind::Text => item,
                }
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
    pub(super) fn check(
        &self,
        form: &mut Form,
        spec: Option<&'static CheckSpec>,
        seen: &SeatView<'_>,
    ) {
        let Some(spec) = spec else { return };
        let who = self.who(form);
        let mut filled = seen.fill(spec, who);
        let problems: Vec<Option<String>> = self
            .own(form)
            .map(|(row, item)| match row {
                RowOf::Who => None,
                RowOf::Outcome(_) => item.maybe_number().err(),
                RowOf::Field(field) => {
                    let given = given::given(field, item, open(field))?;
                    let put = seen.fill_in(&mut filled, who, field, &given);
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
            match row {
                RowOf::Field(field) => {
                    let given = given::given(field, item, open(field));
                    let given = given.map(|given| (field.id.to_owned(), given));
                    attached.fields.extend(given);
                }
                RowOf::Outcome(outcome) => {
                    let ticks = item.maybe_number().ok().flatten();
                    let ticks = ticks.map(|ticks| (outcome.id.to_owned(), ticks));
                    attached.ticks.extend(ticks);
                }
                RowOf::Who => {}
            }
        }
        Some(attached)
    }
}
