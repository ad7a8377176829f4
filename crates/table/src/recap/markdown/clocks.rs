//! The clocks of a scene as Markdown.

use super::{bold, list_names, possessive};
use crate::log_export::escape_markdown;
use crate::recap::ClockMove;
use tableside_game::ClockKind;

impl ClockMove {
    /// The name of the clock after the name of its owner, if it has one.
    fn full_name(&self) -> String {
        match &self.owner {
            Some(owner) => format!("{} {}", possessive(owner), self.clock),
            None => self.clock.clone(),
        }
    }

    fn is_full(&self) -> bool {
        self.to == self.segments
    }

    /// The names of the characters and players that moved the clock, without the GM.
    fn movers(&self, gm: &str) -> Vec<String> {
        let movers = self.by.iter().filter(|name| *name != gm);
        movers.cloned().collect()
    }

    /// `**The alarm**: 3 of 6, up from 2, because of Wren.`
    ///
    /// If the GM moved the clock as well, or if the seat did not read every step, the movers brought it there `partly`.
    pub(super) fn markdown(&self, gm: &str) -> String {
        let present = Self {
            to: self.now.unwrap_or(self.to),
            ..self.clone()
        };
        let mut text = format!("{}{}", bold(&present.full_name()), present.state());

        let movers = self.movers(gm);
        if !movers.is_empty() {
            let names = escape_markdown(&list_names(&movers));
            let is_part = present.to != self.to || self.by.iter().any(|name| name == gm);
            let went_back = present.to < self.from && self.turns == 0;
            text += &match self.clock_kind {
                ClockKind::Countdown if is_part && !went_back => {
                    format!(", partly because of {names}")
                }
                ClockKind::Countdown if self.is_full() => format!("; {names} brought it there"),
                ClockKind::Countdown if !went_back => format!(", because of {names}"),
                _ if is_part => format!(", partly thanks to {names}"),
                _ => format!(", thanks to {names}"),
            };
        }
        text + "."
    }

    /// The state, which follows the name: `: 3 of 6, up from 2`; ` is full (4 of 4)`.
    pub(super) fn state(&self) -> String {
        let Self {
            from, to, segments, ..
        } = self;
        let turns = match self.turns {
            0 => String::new(),
            1 => ", filled once and begun again".to_owned(),
            turns => format!(", filled {turns} times and begun again"),
        };
        if self.clock_kind == ClockKind::TugOfWar {
            return self.tug_of_war_state();
        }
        if to == segments {
            return match self.clock_kind {
                ClockKind::Effort => format!(" is done ({to} of {segments}{turns})"),
                _ => format!(" is full ({to} of {segments}{turns})"),
            };
        }

        let change = if self.turns > 0 {
            turns
        } else if from > to {
            format!(", back from {from}")
        } else if *from > 0 {
            format!(", up from {from}")
        } else {
            String::new()
        };
        format!(": {to} of {segments}{change}")
    }

    /// The state, which follows the name within a sentence: ` is at 3 of 6, up from 2`.
    pub(super) fn state_in_sentence(&self) -> String {
        let state = self.state();
        match state.strip_prefix(": ") {
            Some(state) => format!(" is at {state}"),
            None => state,
        }
    }

    /// The state of a tug-of-war: `: 5 of 8, from 3, towards: the crown`.
    fn tug_of_war_state(&self) -> String {
        let Self {
            from, to, segments, ..
        } = self;
        let [left, right] = match &self.ends {
            Some([left, right]) => [left.as_str(), right.as_str()],
            None => ["", ""],
        };
        let left = if left.is_empty() { "left" } else { left };
        let right = if right.is_empty() { "right" } else { right };

        let end = escape_markdown(if to > from { right } else { left });
        if *to == 0 || to == segments {
            format!(" has reached its end: {end}")
        } else {
            format!(": {to} of {segments}, from {from}, towards: {end}")
        }
    }
}
