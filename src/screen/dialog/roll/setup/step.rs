//! Stepping through what a check may be: who, which, what, for which clock, before whose eyes.

use super::{Closed, RowId, Setup, clocks};
use crate::rules::{CheckSpec, Kind, Source, Whose};
use crate::screen::dialog::entry::around;
use crate::screen::dialog::roll::value::{self, Given};
use crate::session::{Allegiance, Character, CharacterId, ClockId, GroupKind};
use crate::table::{Role as SeatRole, SeatView};

impl Setup {
    /// Moves the focus up or down.
    pub(in crate::screen::dialog::roll) fn walk(&mut self, by: i32, seen: &SeatView<'_>) {
        let rows = self.rows(seen);
        let at = rows.iter().position(|row| *row == self.focus).unwrap_or(0);
        if let Some(next) = rows.into_iter().nth(around(at, by, self.rows(seen).len())) {
            self.go(next);
        }
    }

    /// Moves the focus there. What was typed and understood is the value from now on.
    pub(in crate::screen::dialog::roll) fn go(&mut self, row: RowId) {
        if row != self.focus {
            self.jump.forget();
            let check = self.check;
            self.typed.retain(|(id, digits)| {
                let field = check.field(id);
                field.is_some_and(|field| value::read(field, digits.text()).is_err())
            });
            self.typed
                .iter_mut()
                .for_each(|(_, digits)| digits.freshen());
        }
        self.focus = row;
    }

    /// Whether what has the focus is turned on or off.
    pub(in crate::screen::dialog::roll) fn is_yes_or_no(&self) -> bool {
        match &self.focus {
            RowId::Field(id) => {
                let field = self.check.field(id);
                field.is_some_and(|field| matches!(field.kind, Kind::Flag))
            }
            RowId::Helpers | RowId::Helper(_) | RowId::Noticed | RowId::Player(_) => true,
            RowId::Who | RowId::Check | RowId::Answer(_) | RowId::Clock | RowId::Closed => false,
        }
    }

    /// Steps what has the focus.
    pub(in crate::screen::dialog::roll) fn step(&mut self, by: i32, seen: &SeatView<'_>) {
        match self.focus.clone() {
            RowId::Who => self.step_who(by, seen),
            RowId::Check => self.step_check(by, seen),
            RowId::Field(id) => self.step_field(id, by, seen),
            RowId::Helpers => {
                let mut rows = self.rows(seen).into_iter();
                let first = rows.find(|row| matches!(row, RowId::Helper(_)));
                self.focus = first.unwrap_or(RowId::Helpers);
            }
            RowId::Helper(id) => self.turn_helper(id, seen),
            RowId::Answer(place) => self.step_answer(place, by),
            RowId::Clock => {
                let known: Vec<Option<ClockId>> = std::iter::once(None)
                    .chain(clocks(seen).map(Some))
                    .collect();
                let at = known.iter().position(|id| *id == self.clock).unwrap_or(0);
                let next = known.get(around(at, by, known.len()));
                self.clock = next.copied().flatten();
            }
            RowId::Closed => self.step_closed(by, seen),
            RowId::Noticed => self.noticed = !self.noticed,
            RowId::Player(name) => {
                if let Closed::To(names) = &mut self.closed
                    && !names.remove(&name)
                {
                    names.insert(name);
                }
            }
        }
    }

    fn step_who(&mut self, by: i32, seen: &SeatView<'_>) {
        let known = makers(self.check, seen);
        let now = match &self.group {
            Some(group) => Maker::All(group.kind),
            None => self.who.map_or(Maker::Nobody, Maker::One),
        };
        let at = known.iter().position(|one| *one == now).unwrap_or(0);
        let next = known.get(around(at, by, known.len())).copied();
        if let Some(Maker::All(kind)) = next {
            self.gather(kind, seen);
            self.call = None;
            self.turn(seen);
            return;
        }
        self.group = None;
        self.who = match next {
            Some(Maker::One(id)) => Some(id),
            Some(Maker::Nobody | Maker::All(_)) | None => None,
        };
        // What was said of one character's sheet is not true of another's.
        let check = self.check;
        self.given.retain(|(id, _)| {
            let field = check.field(id);
            field.is_none_or(|field| matches!(field.source, Source::Table))
        });
        if let Some(who) = self.who {
            self.helpers.remove(&who);
        }
        self.turn(seen);
        self.take_up_call(seen);
    }

    /// Takes the next check, or the one before.
    pub(in crate::screen::dialog::roll) fn step_check(&mut self, by: i32, seen: &SeatView<'_>) {
        let checks = seen.system().spec().checks;
        let at = checks
            .iter()
            .position(|check| *check == self.check)
            .unwrap_or(0);
        if let Some(check) = checks.get(around(at, by, checks.len())) {
            self.check = check;
            if !check.has_success {
                self.group = None;
            }
            self.turn(seen);
        }
    }

    fn step_field(&mut self, id: &'static str, by: i32, seen: &SeatView<'_>) {
        let Some(field) = self.check.field(id) else {
            return;
        };
        self.typed.retain(|(known, _)| *known != id);
        if self.helpers_are_sent_away(field) {
            return self.fill(seen);
        }
        let step = |by| value::step(field, by, (&self.filled, self.is_given(id)), self.who, seen);
        // Nothing at all would be the helper's again: that step leads on to the next name.
        let nothing = field.preset_value().map(Given::Value);
        let is_lent = field.whose == Whose::Helper && !self.helpers.is_empty();
        let given = match step(by) {
            given if is_lent && given == nothing => step(2 * by),
            given => given,
        };
        if let Some(given) = given {
            self.give(id, given, seen);
        }
    }
}

/// Who makes a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Maker {
    /// This character.
    One(CharacterId),
    /// Nobody in particular.
    Nobody,
    /// One for all.
    All(GroupKind),
}

/// Who may make a check from this seat: the GM's everybody, nobody, and one for all; a player's own.
fn makers(check: &CheckSpec, seen: &SeatView<'_>) -> Vec<Maker> {
    let seat = seen.seat();
    let may = |id: &CharacterId| seat.role != SeatRole::Player || seat.characters.contains(id);
    let party = |one: &&Character| one.side == Allegiance::Party && one.is_here();
    let is_group = check.has_success && seen.roster().filter(party).count() > 1;
    let here = seen.roster().filter(|one| one.is_here());
    let mut known: Vec<Maker> = here.map(|one| one.id).filter(may).map(Maker::One).collect();
    if seat.role != SeatRole::Player || known.is_empty() {
        known.push(Maker::Nobody);
    }
    if seat.role != SeatRole::Player && is_group {
        known.extend([GroupKind::Worst, GroupKind::Best].map(Maker::All));
    }
    known
}
