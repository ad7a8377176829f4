//! Stepping through what a check may be: who, which, what, for which clock, before whose eyes.

use std::collections::BTreeSet;

use super::{Closed, RowId, Setup, clocks, players};
use crate::rules::Source;
use crate::screen::dialog::entry::around;
use crate::screen::dialog::roll::value;
use crate::session::{CharacterId, ClockId};
use crate::table::{Role as SeatRole, Seen};

impl Setup {
    /// Moves the focus up or down.
    pub(in crate::screen::dialog::roll) fn walk(&mut self, by: i32, seen: &Seen<'_>) {
        let rows = self.rows(seen);
        let at = rows.iter().position(|row| *row == self.focus).unwrap_or(0);
        if let Some(next) = rows.into_iter().nth(around(at, by, self.rows(seen).len())) {
            self.go(next);
        }
    }

    /// Moves the focus there. What was typed and understood is the value from now on.
    pub(in crate::screen::dialog::roll) fn go(&mut self, row: RowId) {
        if row != self.focus {
            self.jump.clear();
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

    /// Steps what has the focus.
    pub(in crate::screen::dialog::roll) fn step(&mut self, by: i32, seen: &Seen<'_>) {
        match self.focus.clone() {
            RowId::Who => self.step_who(by, seen),
            RowId::Check => self.step_check(by, seen),
            RowId::Field(id) => self.step_field(id, by, seen),
            RowId::Helper(id) => {
                if !self.helpers.remove(&id) {
                    self.helpers.insert(id);
                }
            }
            RowId::Clock => {
                let known: Vec<Option<ClockId>> = std::iter::once(None)
                    .chain(clocks(seen).map(Some))
                    .collect();
                let at = known.iter().position(|id| *id == self.clock).unwrap_or(0);
                let next = known.get(around(at, by, known.len()));
                self.clock = next.copied().flatten();
            }
            RowId::Closed => self.step_closed(by, seen),
            RowId::Player(name) => {
                if let Closed::To(names) = &mut self.closed
                    && !names.remove(&name)
                {
                    names.insert(name);
                }
            }
        }
    }

    fn step_who(&mut self, by: i32, seen: &Seen<'_>) {
        let known = makers(seen);
        let at = known.iter().position(|id| *id == self.who).unwrap_or(0);
        let next = known.get(around(at, by, known.len()));
        self.who = next.copied().flatten();
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
    }

    /// Takes the next check, or the one before.
    pub(in crate::screen::dialog::roll) fn step_check(&mut self, by: i32, seen: &Seen<'_>) {
        let checks = seen.system().spec().checks;
        let at = checks
            .iter()
            .position(|check| *check == self.check)
            .unwrap_or(0);
        if let Some(check) = checks.get(around(at, by, checks.len())) {
            self.check = check;
            self.turn(seen);
        }
    }

    fn step_field(&mut self, id: &'static str, by: i32, seen: &Seen<'_>) {
        let Some(field) = self.check.field(id) else {
            return;
        };
        self.typed.retain(|(known, _)| *known != id);
        if let Some(given) =
            value::step(field, by, (&self.filled, self.is_given(id)), self.who, seen)
        {
            self.give(id, given, seen);
        }
    }

    /// Steps through open, closed to all, and closed to some, where there are players to choose from.
    pub(in crate::screen::dialog::roll) fn step_closed(&mut self, by: i32, seen: &Seen<'_>) {
        let mut ways = vec![Closed::Open, Closed::All];
        if !players(seen).is_empty() {
            ways.push(Closed::To(BTreeSet::new()));
        }
        let count = ways.len();
        let same =
            |way: &Closed| std::mem::discriminant(way) == std::mem::discriminant(&self.closed);
        let at = ways.iter().position(same).unwrap_or(0);
        let next = ways.into_iter().nth(around(at, by, count));
        self.closed = next.unwrap_or(Closed::Open);
        if matches!(self.focus, RowId::Player(_)) {
            self.focus = RowId::Closed;
        }
    }
}

/// Who may make a check from this seat: the GM's everybody and nobody, a player's own.
fn makers(seen: &Seen<'_>) -> Vec<Option<CharacterId>> {
    let seat = seen.seat();
    let may = |id: &CharacterId| seat.role != SeatRole::Player || seat.characters.contains(id);
    let here = seen.roster().filter(|one| one.is_here()).map(|one| one.id);
    let mut known: Vec<Option<CharacterId>> = here.filter(may).map(Some).collect();
    if seat.role != SeatRole::Player || known.is_empty() {
        known.push(None);
    }
    known
}
