//! A clock that advances, and what that leads to: a race won, another clock advanced, shown or started.

use super::change::part;
use super::{
    Change, Clock, ClockId, ClockKind, CommandError, Link, Session, Subject, Then, Visibility,
};
use crate::rules::gnosis;

/// What an advance leads to.
#[derive(Debug, Default)]
pub(super) struct Advance {
    /// In words.
    pub(super) then: Vec<String>,
    /// The clock that may start now. It does not move, and is touched all the same: who may not know of it
    /// reads none of this.
    pub(super) started: Option<Change>,
}

impl Session {
    /// Advances a clock, or sets it back, and follows its links: what is left over when a clock is full
    /// rolls on into the next (Gnosis, Progress). Each clock is reached once, so that links in a circle
    /// end, too. What is asked is asked of the session as it was before.
    pub(super) fn advance(&self, after: &mut Self, id: ClockId, by: i32) -> Advance {
        let mut done = Advance::default();
        let mut reached = Vec::new();
        let (mut next, mut by) = (id, by);
        while let Some(clock) = self
            .clock(next)
            .filter(|clock| !reached.contains(&clock.id))
        {
            let is_first = reached.is_empty();
            reached.push(clock.id);
            let stands = match reached.len() {
                1 => self.stands(clock).is_some() && by > 0,
                // What starts it is full by now.
                _ => self.is_lost(clock),
            };
            if stands {
                break;
            }
            let to = clock.after(by);
            if to != clock.filled {
                if let Some(clock) = after.clock_mut(clock.id) {
                    clock.filled = to;
                }
                if !is_first {
                    let by = i32::from(to) - i32::from(clock.filled);
                    let of = clock.segments.count();
                    let full = if to == of { ", full" } else { "" };
                    let words = format!("{} advances by {by}: {to} of {of}{full}", clock.name);
                    done.then.push(words);
                }
            }
            let of = clock.segments.count();
            if by <= 0 || to < of {
                done.then.extend(lost_end(clock, to));
                break;
            }
            if !clock.is_full() {
                done.then.extend(self.won(clock));
            }
            let left = i32::from(clock.filled) + by - i32::from(of);
            let Some((link, other)) = clock
                .link
                .and_then(|link| Some((link, self.clock(link.to)?)))
            else {
                break;
            };
            by = if self.house.departs(&gnosis::SURPLUS) {
                0
            } else {
                left
            };
            if !clock.is_full() {
                match link.then {
                    // What is left over is the advance; each wedge is filled once (Gnosis, Effect Levels).
                    Then::Advances => by = by.max(1),
                    Then::Reveals if other.visibility != Visibility::Visible => {
                        if let Some(shown) = after.clock_mut(other.id) {
                            shown.visibility = Visibility::Visible;
                        }
                        done.then.push(format!("{} is revealed", other.name));
                    }
                    Then::Starts if other.filled == 0 => {
                        let (of, empty) = (Subject::Clock(other.id), (0.into(), 0.into()));
                        done.started = Some(Change::new(of, part::FILLED, empty));
                        done.then.push(format!("{} starts", other.name));
                    }
                    Then::Reveals | Then::Starts => {}
                }
            }
            if by == 0 {
                break;
            }
            next = other.id;
        }
        done
    }

    /// What filling its last segment means for a race or a tug-of-war.
    fn won(&self, clock: &Clock) -> Option<String> {
        match clock.kind {
            ClockKind::Race if self.rivals(clock).next().is_some() => {
                Some(if clock.race.is_empty() {
                    "it wins the race".to_owned()
                } else {
                    format!("it wins the race: {}", clock.race)
                })
            }
            ClockKind::TugOfWar => Some(format!("pulled to the end: {}", clock.end_names()[1])),
            ClockKind::Race | ClockKind::Effort | ClockKind::Countdown => None,
        }
    }

    /// The other clocks of its race.
    pub fn rivals<'a>(&'a self, clock: &'a Clock) -> impl Iterator<Item = &'a Clock> + 'a {
        let others = self.clocks.iter().filter(|other| other.id != clock.id);
        others.filter(|other| clock.races(other))
    }

    /// Whether another clock of its race was full first.
    pub fn is_lost(&self, clock: &Clock) -> bool {
        !clock.is_full() && self.rivals(clock).any(Clock::is_full)
    }

    /// The clock that has to be full before this one runs.
    pub fn waits_for(&self, clock: &Clock) -> Option<&Clock> {
        let starts = |other: &&Clock| {
            let link = other.link.filter(|link| link.then == Then::Starts);
            link.is_some_and(|link| link.to == clock.id)
        };
        let mut starters = self.clocks.iter().filter(starts);
        if clock.filled > 0 || starters.clone().any(Clock::is_full) {
            return None;
        }
        starters.next()
    }

    /// Why it cannot advance, if it cannot.
    pub(super) fn stands(&self, clock: &Clock) -> Option<CommandError> {
        let why = match self.rivals(clock).find(|rival| rival.is_full()) {
            Some(winner) if !clock.is_full() => {
                format!("the race is over, and {} came first", winner.name)
            }
            _ => {
                let before = self.waits_for(clock)?;
                format!("it starts when {} is full", before.name)
            }
        };
        Some(CommandError::AtEnd(format!(
            "{} cannot advance: {why}",
            clock.name
        )))
    }

    /// Takes clocks away, and unties the links of others to them.
    pub(super) fn remove_clocks(&mut self, goes: impl Fn(&Clock) -> bool) {
        let (going, mut staying): (Vec<Clock>, Vec<Clock>) =
            std::mem::take(&mut self.clocks).into_iter().partition(goes);
        for clock in &mut staying {
            let is_gone = |link: &Link| going.iter().any(|one| one.id == link.to);
            clock.link = clock.link.filter(|link| !is_gone(link));
        }
        self.clocks = staying;
    }
}

/// What emptying a tug-of-war means.
fn lost_end(clock: &Clock, to: u8) -> Option<String> {
    let is_tug = clock.kind == ClockKind::TugOfWar;
    let ended = is_tug && to == 0 && clock.filled > 0;
    ended.then(|| format!("pulled to the end: {}", clock.end_names()[0]))
}
