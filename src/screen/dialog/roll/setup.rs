//! A check being set up: who makes it, which, with what values, for which clock, before whose eyes.

mod amending;
mod called;
mod closed;
mod command;
mod fill;
mod group;
mod help;
mod ready;
mod step;
mod typing;

use std::collections::BTreeSet;

pub(super) use self::amending::{Again, MISSING};
pub(super) use self::closed::OTHERS;
use self::closed::players;
pub(super) use self::group::Group;
use super::value::{self, Given};
use crate::rules::{CheckSpec, Field, Fields, Kind, Preset, Value, Whose};
use crate::screen::dialog::entry::Digits;
use crate::screen::dialog::typeahead::Jump;
use crate::screen::widget::field::Field as Line;
use crate::session::{CallId, CharacterId, ClockId, Filled, PoolKind, Roll};
use crate::table::{Role as SeatRole, SeatView};

/// A row of the set-up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum RowId {
    /// Who makes the check.
    Who,
    /// Which check.
    Check,
    /// A field of it.
    Field(&'static str),
    /// Who helps.
    Helpers,
    /// Whether that character helps.
    Helper(CharacterId),
    /// How that choice of it is answered, when it is read again.
    Answer(usize),
    /// The clock that it fills.
    Clock,
    /// Who may see it.
    Closed,
    /// Whether that player may see it.
    Player(String),
    /// Whether those who may not see it notice it.
    Noticed,
}

/// Who may not see a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Closed {
    /// Nobody: it is open.
    Open,
    /// No player sees it.
    All,
    /// These players do not.
    To(BTreeSet<String>),
}

/// A check being set up.
#[derive(Clone, Debug)]
pub(super) struct Setup {
    /// Who makes it; for a group the one who was found.
    pub(super) who: Option<CharacterId>,
    pub(super) check: &'static CheckSpec,
    /// The values as they would be rolled.
    pub(super) filled: Filled,
    /// What a person decided, kept while checks are looked through.
    given: Vec<(&'static str, Given)>,
    /// What open fields began with; it does not change under anybody's fingers.
    starts: Vec<(&'static str, Value)>,
    /// What the character picked from the own sheet the last time.
    usual: Vec<(&'static Field, String)>,
    /// What is typed over a value; kept while it is not understood.
    typed: Vec<(&'static str, Digits)>,
    /// Lines of text.
    lines: Vec<(&'static str, Line)>,
    /// Who rolls for all, where one does.
    pub(super) group: Option<Group>,
    pub(super) helpers: BTreeSet<CharacterId>,
    pub(super) clock: Option<ClockId>,
    pub(super) closed: Closed,
    /// Whether those who do not see it see that something was rolled.
    pub(super) noticed: bool,
    /// The roll that is read again.
    pub(super) again: Option<Again>,
    /// The call that it answers.
    pub(super) call: Option<CallId>,
    pub(super) focus: RowId,
    /// The letters that led to the focus.
    jump: Jump,
    /// What is wrong with the check as it stands.
    problem: Option<String>,
    /// Why the table refused it, until something is done about it.
    pub(super) refused: Option<String>,
}

/// A line of text has at most so many letters.
const LONGEST_TEXT: usize = 200;

impl Setup {
    /// The first check of the system, or that one, by that character.
    pub(super) fn new(
        who: Option<CharacterId>,
        check: &'static CheckSpec,
        seen: &SeatView<'_>,
    ) -> Self {
        let mut setup = Self {
            who,
            check,
            filled: seen.fill(check, who),
            given: Vec::new(),
            starts: Vec::new(),
            usual: Vec::new(),
            typed: Vec::new(),
            lines: Vec::new(),
            group: None,
            helpers: BTreeSet::new(),
            clock: None,
            closed: Closed::Open,
            noticed: false,
            again: None,
            call: None,
            focus: RowId::Who,
            jump: Jump::default(),
            problem: None,
            refused: None,
        };
        setup.focus = setup.first_open(seen);
        setup.turn(seen);
        setup
    }

    /// The same check as that one was.
    pub(super) fn again(roll: &Roll, seen: &SeatView<'_>) -> Option<Self> {
        let check = roll.spec(seen.system()).ok()?;
        let who = roll.id.filter(|id| seen.character(*id).is_some());
        let mut setup = Self::new(who, check, seen);
        for (id, value) in &roll.fields {
            let Some(field) = check.field(id) else {
                continue;
            };
            if let (Kind::Text, Value::Text(text)) = (field.kind, value) {
                if let Some((_, line)) = setup.lines.iter_mut().find(|(known, _)| known == id) {
                    line.set(text);
                }
                continue;
            }
            let source = roll.sources.iter().find(|(known, _)| known == id);
            if !roll.helpers.is_empty() && help::is_raised_by_help(field) {
                continue;
            }
            let given = match source {
                // What came from the sheet comes from it as it is today.
                Some((_, source)) if seen.picks(who, field).contains(&source.to_string()) => {
                    Given::Pick(source.to_string())
                }
                Some(_) if setup.filled.source(id).is_some() => continue,
                _ => Given::Value(value.clone()),
            };
            setup.given.push((field.id, given));
        }
        setup.clock = roll.clock.filter(|id| seen.clock(*id).is_some());
        setup.closed = match roll.hidden_from.as_slice() {
            [] => Closed::Open,
            names if names.iter().any(|name| name == "*") => Closed::All,
            names => Closed::To(names.iter().cloned().collect()),
        };
        setup.noticed = roll.noticed;
        setup.name_others(seen);
        let helpers = roll.helpers.iter();
        let helpers = helpers.filter_map(|helper| seen.character(helper.id));
        setup.helpers = helpers.map(|helper| helper.id).collect();
        setup.fill(seen);
        Some(setup)
    }

    /// Where a person begins: the first field that no sheet knows, else the first that is picked by
    /// name.
    fn first_open(&self, seen: &SeatView<'_>) -> RowId {
        let offered = seen.fill(self.check, self.who);
        let mut open = self.check.fields.iter().filter(|field| {
            offered.fields.value(field.id).is_none()
                && !matches!(field.preset, Preset::House(..))
                && !self.is_given(field.id)
        });
        let mut picked = self.check.fields.iter().filter(|field| {
            field.whose == Whose::Own
                && !seen.picks(self.who, field).is_empty()
                && !self.is_given(field.id)
        });
        let begin = open.next().or_else(|| picked.next());
        begin.map_or(RowId::Check, |field| RowId::Field(field.id))
    }

    /// Takes up the check anew: another one, or another character's.
    fn turn(&mut self, seen: &SeatView<'_>) {
        self.typed.clear();
        self.starts = value::starts(self.check, self.who, seen);
        self.usual = value::usual_picks(self.check, self.who, seen);
        let texts = self.check.fields.iter();
        let texts = texts.filter(|field| matches!(field.kind, Kind::Text));
        self.lines = texts
            .map(|field| {
                let known = self.lines.iter().find(|(id, _)| *id == field.id);
                let line =
                    known.map_or_else(|| Line::new("", LONGEST_TEXT), |(_, line)| line.clone());
                (field.id, line)
            })
            .collect();
        self.fill(seen);
        self.fit_starts(seen);
        if !self.rows(seen).contains(&self.focus) {
            self.focus = self.first_open(seen);
        }
    }

    /// The rows, from the first.
    pub(super) fn rows(&self, seen: &SeatView<'_>) -> Vec<RowId> {
        if let Some(again) = &self.again {
            return again.rows(self.check);
        }
        let mut rows = vec![RowId::Who, RowId::Check];
        for field in self.check.fields {
            rows.push(RowId::Field(field.id));
            if help::opens(self.check) == Some(field.id) {
                rows.extend(self.helper_rows(seen));
            }
        }
        if help::opens(self.check).is_none() {
            rows.extend(self.helper_rows(seen));
        }
        if clocks(seen).next().is_some() {
            rows.push(RowId::Clock);
        }
        if seen.seat().role == SeatRole::Gm {
            rows.push(RowId::Closed);
            if matches!(self.closed, Closed::To(_)) {
                rows.extend(players(seen).into_iter().map(RowId::Player));
                rows.push(RowId::Field(OTHERS));
            }
            if self.closed != Closed::Open {
                rows.push(RowId::Noticed);
            }
        }
        rows
    }

    fn give(&mut self, id: &'static str, given: Given, seen: &SeatView<'_>) {
        self.given.retain(|(known, _)| *known != id);
        let other = self.check.field(id).and_then(|field| field.excludes);
        let optional = other.and_then(|other| self.check.field(other));
        if let Some(other) = optional.filter(|other| other.preset_value().is_none()) {
            self.given.retain(|(known, _)| *known != other.id);
            self.typed.retain(|(known, _)| *known != other.id);
            self.filled.fields.clear(other.id);
        }
        // A value that the sheet gives anyway is the sheet's again, and says so.
        self.fill(seen);
        let own = self.filled.fields.value(id).cloned().map(Given::Value);
        if own.as_ref() != Some(&given) || self.filled.source(id).is_none() {
            self.given.push((id, given));
            self.fill(seen);
        }
    }

    /// What stands against the check: what the table said, else what the rules say.
    pub(super) fn problem(&self) -> Option<&str> {
        self.refused.as_deref().or(self.problem.as_deref())
    }

    /// The line of text that has the focus.
    pub(super) fn line_mut(&mut self) -> Option<&mut Line> {
        let RowId::Field(id) = self.focus else {
            return None;
        };
        let found = self.lines.iter_mut().find(|(known, _)| *known == id);
        found.map(|(_, line)| line)
    }

    /// The line of text of that field.
    pub(super) fn line(&self, id: &str) -> Option<&Line> {
        let found = self.lines.iter().find(|(known, _)| *known == id);
        found.map(|(_, line)| line)
    }

    /// What is typed over that field's value.
    pub(super) fn typed(&self, id: &str) -> Option<&Digits> {
        let found = self.typed.iter().find(|(known, _)| *known == id);
        found.map(|(_, digits)| digits)
    }

    /// Whether a person decided that field.
    pub(super) fn is_given(&self, id: &str) -> bool {
        self.given.iter().any(|(known, _)| *known == id)
    }

    /// What is wrong with a field: with what is typed there, or with what it would spend.
    pub(super) fn field_problem(&self, id: &str, seen: &SeatView<'_>) -> Option<String> {
        let field = self.check.field(id)?;
        if let Some(digits) = self.typed(id) {
            let begun =
                self.focus == RowId::Field(field.id) && value::begins_a_die(field, digits.text());
            if let Err(problem) = value::read(field, digits.text())
                && !begun
            {
                return Some(problem);
            }
        }
        if self.again.is_some() {
            // What it spent is returned first.
            return None;
        }
        let (kind, needs) = (field.spends?, self.filled.fields.maybe_number(id)?);
        let pool = value::pool(kind, self.who?, seen)?;
        let has = pool.tokens.max(0);
        let who = seen.character(self.who?)?;
        (needs > has && pool.kind == PoolKind::Rule(kind))
            .then(|| format!("{} has {}", who.name, kind.words(has)))
    }

    /// The values as they stand.
    pub(super) fn fields(&self) -> &Fields {
        &self.filled.fields
    }
}

/// The clocks that a check may be for.
fn clocks<'a>(seen: &'a SeatView<'_>) -> impl Iterator<Item = ClockId> + 'a {
    let own = seen.clocks().filter(|seen| seen.clock.rule.is_none());
    own.map(|seen| seen.clock.id)
}
