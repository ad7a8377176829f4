//! Before whose eyes a check is made: open, closed to all, or closed to players by name.

use std::collections::BTreeSet;

use super::{Closed, LONGEST_TEXT, Line, RowId, Setup};
use crate::screen::dialog::entry::around;
use crate::table::{Role as SeatRole, SeatView};

/// The row in which players are named who are not among those that are known.
pub(in crate::screen::dialog::roll) const OTHERS: &str = "closed-to-others";

impl Setup {
    /// Steps through open, closed to all, and closed to some.
    pub(in crate::screen::dialog::roll) fn step_closed(&mut self, by: i32, seen: &SeatView<'_>) {
        let mut ways = vec![Closed::Open, Closed::All, Closed::To(BTreeSet::new())];
        let count = ways.len();
        let same =
            |way: &Closed| std::mem::discriminant(way) == std::mem::discriminant(&self.closed);
        let at = ways.iter().position(same).unwrap_or(0);
        self.closed = ways.swap_remove(around(at, by, count));
        self.name_others(seen);
        let rows = self.rows(seen);
        if !rows.contains(&self.focus) {
            self.focus = RowId::Closed;
        }
    }

    /// The same by its key: the focus goes to where players are picked.
    pub(in crate::screen::dialog::roll) fn turn_closed(&mut self, seen: &SeatView<'_>) {
        self.step_closed(1, seen);
        if matches!(self.closed, Closed::To(_)) {
            let rows = self.rows(seen);
            let at = rows.iter().position(|row| *row == RowId::Closed);
            let first = at.and_then(|at| rows.into_iter().nth(at + 1));
            self.go(first.unwrap_or(RowId::Closed));
        }
    }

    /// The line for players who play no character here.
    pub(super) fn name_others(&mut self, seen: &SeatView<'_>) {
        self.lines.retain(|(id, _)| *id != OTHERS);
        if let Closed::To(names) = &mut self.closed {
            let known = players(seen);
            let others: Vec<String> = names
                .iter()
                .filter(|name| !known.contains(name))
                .cloned()
                .collect();
            names.retain(|name| known.contains(name));
            self.lines
                .push((OTHERS, Line::new(&others.join(", "), LONGEST_TEXT)));
        }
    }

    /// From whom it is hidden.
    pub(in crate::screen::dialog::roll) fn hidden_from(&self) -> Vec<String> {
        match &self.closed {
            Closed::Open => Vec::new(),
            Closed::All => vec!["*".to_owned()],
            Closed::To(names) => {
                let typed = self.line(OTHERS).map_or("", |line| line.value());
                let typed = typed
                    .split(',')
                    .map(str::trim)
                    .filter(|name| !name.is_empty());
                let all = names.iter().map(String::as_str).chain(typed);
                let all: BTreeSet<&str> = all.collect();
                all.into_iter().map(str::to_owned).collect()
            }
        }
    }
}

/// Everybody who plays a character, and who sits here.
pub(super) fn players(seen: &SeatView<'_>) -> Vec<String> {
    let playing = seen.roster().map(|one| one.player.as_str());
    let here = seen.seat();
    let here = (here.role == SeatRole::Player).then_some(here.name.as_str());
    let names: BTreeSet<&str> = playing
        .chain(here)
        .filter(|name| !name.is_empty())
        .collect();
    names.into_iter().map(str::to_owned).collect()
}
