//! Contests between clocks: races, which the first full clock wins, and tugs-of-war between two ends.

use super::{Clock, ClockKind, Game};
use tableside_text::join;

/// The stored name of an unnamed race. The second unnamed race is `Race 2`.
pub const UNNAMED_RACE: &str = "Race";

impl Game {
    /// The other clocks of this clock's race.
    pub fn rivals<'a>(&'a self, clock: &'a Clock) -> impl Iterator<Item = &'a Clock> + 'a {
        self.clocks
            .iter()
            .filter(|other| other.id != clock.id)
            .filter(|other| clock.is_in_race_with(other))
    }

    /// The name of a clock's race: its own name, or the names of its clocks. `None` if the clock races no other clock.
    ///
    /// The name is composed for each reader from the clocks in this game, and is never stored.
    pub fn race_name(&self, clock: &Clock) -> Option<String> {
        self.rivals(clock).next()?;

        if !is_unnamed_race(&clock.race) {
            return Some(clock.race.clone());
        }

        let members = self
            .clocks
            .iter()
            .filter(|other| clock.shares_race_with(other))
            .map(|member| member.name.as_str());
        Some(join(members, " against "))
    }

    /// True if another clock of the same race was full first.
    pub fn has_lost_race(&self, clock: &Clock) -> bool {
        !clock.is_full() && self.rivals(clock).any(Clock::is_full)
    }

    /// Describes the result when a race or tug-of-war clock fills.
    pub(super) fn describe_win(&self, clock: &Clock) -> Option<String> {
        match clock.kind {
            ClockKind::Race => {
                let name = self.race_name(clock)?;
                Some(format!("it wins the race: {name}"))
            }
            ClockKind::TugOfWar => {
                let [_, right_end] = clock.end_names();
                Some(format!("pulled to the end: {right_end}"))
            }
            ClockKind::Effort | ClockKind::Countdown => None,
        }
    }

    /// Describes the end of a race or a tug-of-war that a clock reached by moving between these fills.
    ///
    /// Uses the present names of the clocks in this game, which may be the redacted copy of one reader.
    pub fn describe_clock_end(&self, clock: &Clock, from: u8, to: u8) -> Option<String> {
        let was_filled = to > from && to >= clock.segments.count();
        if was_filled {
            return self.describe_win(clock);
        }

        let clock_before = Clock {
            filled: from,
            ..clock.clone()
        };
        describe_lost_end(&clock_before, to)
    }
}

/// Describes a tug-of-war that was pulled to its left end.
pub(super) fn describe_lost_end(clock: &Clock, filled: u8) -> Option<String> {
    let was_emptied = filled == 0 && clock.filled > 0;
    if clock.kind != ClockKind::TugOfWar || !was_emptied {
        return None;
    }

    let [left_end, _] = clock.end_names();
    Some(format!("pulled to the end: {left_end}"))
}

/// True if a race is unnamed, so that it is called by the names of its clocks.
fn is_unnamed_race(race: &str) -> bool {
    let Some(suffix) = race.strip_prefix(UNNAMED_RACE) else {
        return race.is_empty();
    };
    let number = suffix.trim_start();
    number.chars().all(|digit| digit.is_ascii_digit())
}
