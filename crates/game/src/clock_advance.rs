//! Advancing a clock, and the chain of clocks that it triggers.
//!
//! A full clock can advance, reveal or start one other clock. Ticks that do not fit into the full clock carry over
//! (Gnosis, Progress). `before` is the game before the act, and most conditions are read from it. Changes go into
//! `after`.

use super::Part;
use super::clock::Restart;
use super::contest::describe_lost_end;
use super::{
    Change, Clock, ClockId, CommandError, EntityRef, Every, Game, LinkEffect, Visibility, WhenFull,
    filled_of,
};

/// The consequences of advancing a clock, for the log and for redaction.
#[derive(Debug, Default)]
pub(super) struct ClockChain {
    pub(super) messages: Vec<ClockMessage>,
    /// Clocks that were triggered but have the same fill as before: a clock that starts now, or one that went all the
    /// way around.
    pub(super) unchanged: Vec<ClockId>,
}

/// A sentence of the log about a clock. The sentence is redacted for readers that cannot see the clock.
#[derive(Debug)]
pub(super) struct ClockMessage {
    pub(super) clock: ClockId,
    pub(super) text: String,
}

/// One step along the chain: a clock and the number of segments to add.
#[derive(Clone, Copy)]
struct Tick {
    clock: ClockId,
    segments: i32,
}

impl ClockChain {
    fn report(&mut self, clock: ClockId, text: String) {
        self.messages.push(ClockMessage { clock, text });
    }

    /// The messages without the clocks that they are about.
    pub(super) fn texts(&self) -> impl Iterator<Item = &str> {
        self.messages.iter().map(|message| &*message.text)
    }

    /// Advances one clock in `after` and returns the next tick of the chain.
    fn advance_clock(
        &mut self,
        before: &Game,
        after: &mut Game,
        clock: &Clock,
        ticks: i32,
    ) -> Option<Tick> {
        let filled = clock.filled_after(ticks);
        let restart = clock.restart_after(ticks);
        after.set_fill(clock, filled, restart);

        match restart {
            Some(Restart { segments, filled }) => {
                if filled == clock.filled {
                    self.unchanged.push(clock.id);
                }

                let name = &clock.name;
                let count = segments.count();
                self.report(
                    clock.id,
                    format!("{name} starts again: {filled} of {count}"),
                );
            }
            None => self.report_lost_end(clock, filled),
        }

        let is_filled = ticks > 0 && filled == clock.segments.count();
        if is_filled {
            self.follow_link(before, after, clock, ticks)
        } else {
            None
        }
    }

    /// Reports the movement of a clock that another clock triggered. The log entry itself describes the first clock.
    fn report_movement(&mut self, clock: &Clock, ticks: i32) {
        let filled = clock.filled_after(ticks);
        if filled != clock.filled {
            self.report(clock.id, describe_movement(clock, filled));
        }
    }

    /// Reports a tug-of-war that was pulled to its left end.
    fn report_lost_end(&mut self, clock: &Clock, filled: u8) {
        if let Some(text) = describe_lost_end(clock, filled) {
            self.report(clock.id, text);
        }
    }

    /// Applies the link of a clock that is full after adding `ticks`, and returns the next tick of the chain.
    fn follow_link(
        &mut self,
        before: &Game,
        after: &mut Game,
        clock: &Clock,
        ticks: i32,
    ) -> Option<Tick> {
        let just_filled = !clock.is_full();

        if just_filled && let Some(text) = before.describe_win(clock) {
            self.report(clock.id, text);
        }

        let link = clock.link?;
        let target = before.clock(link.to)?;
        let overflow = overflow_passed_on(before, clock, ticks);

        let segments = match link.effect {
            LinkEffect::Advances if just_filled => advance_of_linked_clock(before, clock, overflow),
            LinkEffect::Reveals if just_filled && target.visibility != Visibility::Visible => {
                if let Some(revealed) = after.clock_mut(target.id) {
                    revealed.visibility = Visibility::Visible;
                }
                self.report(target.id, format!("{} is revealed", target.name));
                overflow
            }
            LinkEffect::Starts if just_filled && is_at_start(target) => {
                self.unchanged.push(target.id);
                self.report(target.id, format!("{} starts", target.name));
                overflow
            }
            LinkEffect::Advances | LinkEffect::Reveals | LinkEffect::Starts => overflow,
            LinkEffect::Beside => 0,
        };

        if segments > 0 {
            Some(Tick {
                clock: target.id,
                segments,
            })
        } else {
            None
        }
    }
}

impl Game {
    /// Advances a clock, or sets it back, and follows its links.
    ///
    /// The chain visits each clock at most once, so it also ends if the links form a circle.
    pub(super) fn advance(&self, after: &mut Self, first: ClockId, ticks: i32) -> ClockChain {
        let mut chain = ClockChain::default();
        let mut reached = Vec::new();
        let mut next_tick = Some(Tick {
            clock: first,
            segments: ticks,
        });

        while let Some(tick) = next_tick {
            let Some(clock) = self.clock(tick.clock) else {
                break;
            };
            if reached.contains(&clock.id) {
                break;
            }
            reached.push(clock.id);

            if clock.host_clock.is_some() {
                // Players must not read about a hidden clock, not even that a tick was requested.
                let message = after.request_host_tick(clock, tick.segments);
                if let Some(text) = message
                    && clock.visibility == Visibility::Visible
                {
                    chain.report(clock.id, text);
                }
                break;
            }

            let is_first = clock.id == first;
            let is_blocked = if is_first {
                tick.segments > 0 && self.why_it_cannot_advance(clock).is_some()
            } else {
                // This chain may have filled the clock that this one waits for, so the condition is read from `after`.
                self.has_lost_race(clock) || after.waits_for(clock).is_some()
            };
            if is_blocked {
                break;
            }

            if !is_first {
                chain.report_movement(clock, tick.segments);
            }
            next_tick = chain.advance_clock(self, after, clock, tick.segments);
        }

        chain
    }

    /// Sets the fill of a clock. A clock that was full and starts again has a `restart`.
    fn set_fill(&mut self, before: &Clock, filled: u8, restart: Option<Restart>) {
        let Some(clock) = self.clock_mut(before.id) else {
            return;
        };

        match restart {
            Some(restart) => {
                clock.segments = restart.segments;
                clock.filled = restart.filled;
                clock.turns = clock.turns.saturating_add(1);
            }
            None => clock.filled = filled,
        }
    }

    /// Returns a change for each of these clocks, from its present fill to the same fill.
    ///
    /// These changes record that the clocks were involved. A reader that cannot see such a clock does not get the log
    /// entry.
    pub fn touch_clocks(&self, clocks: &[ClockId]) -> Vec<Change> {
        let mut changes = Vec::new();
        for id in clocks {
            let Some(clock) = self.clock(*id) else {
                continue;
            };
            let entity = EntityRef::Clock(*id);
            changes.push(Change::new(
                entity,
                Part::Filled,
                clock.filled,
                clock.filled,
            ));
        }

        changes
    }

    /// True if a clock ticks automatically at the end of each such period.
    pub(super) fn ticks_every(&self, every: Every) -> bool {
        self.clocks
            .iter()
            .any(|clock| clock.every.contains_key(&every))
    }

    /// Ticks the clocks that tick automatically at the end of such a period, and returns the log messages.
    pub(super) fn tick_every(&mut self, every: Every) -> Vec<String> {
        let mut ticks = Vec::new();
        for clock in &self.clocks {
            if let Some(segments) = clock.every.get(&every) {
                ticks.push(Tick {
                    clock: clock.id,
                    segments: *segments,
                });
            }
        }

        let mut texts = Vec::new();
        for tick in ticks {
            for message in self.advance_and_describe(tick.clock, tick.segments) {
                texts.push(message.text);
            }
        }

        texts
    }

    /// Advances a clock because of a rule or a roll, and returns the log messages, the first about the clock itself.
    pub(super) fn advance_and_describe(&mut self, id: ClockId, ticks: i32) -> Vec<ClockMessage> {
        let before = self.clone();
        let Some(clock) = before.clock(id) else {
            return Vec::new();
        };

        let mut messages = before.advance(self, id, ticks).messages;
        let has_moved = self.clock(id) != Some(clock);
        if has_moved {
            let text = describe_movement(clock, clock.filled_after(ticks));
            messages.insert(0, ClockMessage { clock: id, text });
        }

        messages
    }

    /// The clock that must be full before `clock` can advance.
    pub fn waits_for(&self, clock: &Clock) -> Option<&Clock> {
        if !is_at_start(clock) {
            return None;
        }

        let mut first_starter = None;
        for other in &self.clocks {
            let starts_it = other
                .link
                .is_some_and(|link| link.effect == LinkEffect::Starts && link.to == clock.id);
            if !starts_it {
                continue;
            }
            if other.is_full() {
                return None;
            }
            first_starter = first_starter.or(Some(other));
        }

        first_starter
    }

    /// Explains why a clock cannot advance. `None` if it can.
    pub(super) fn why_it_cannot_advance(&self, clock: &Clock) -> Option<CommandError> {
        let winner = self.rivals(clock).find(|rival| rival.is_full());
        let reason = if let Some(winner) = winner
            && !clock.is_full()
        {
            format!("the race is over, and {} came first", winner.name)
        } else {
            let starter = self.waits_for(clock)?;
            format!("it starts when {} is full", starter.name)
        };

        Some(CommandError::AtEnd(format!(
            "{} cannot advance: {reason}",
            clock.name
        )))
    }

    /// Removes clocks, and the links of other clocks to them.
    pub(super) fn remove_clocks(&mut self, is_removed: impl Fn(&Clock) -> bool) {
        self.clocks.retain(|clock| !is_removed(clock));

        let remaining: Vec<ClockId> = self.clocks.iter().map(|clock| clock.id).collect();
        let links_to_removed =
            |clock: &Clock| clock.link.is_some_and(|link| !remaining.contains(&link.to));
        self.clocks
            .change_where(links_to_removed, |clock| clock.link = None);
    }
}

/// Describes the movement of a clock: `Alarm advances by 2: 3 of 6`.
pub(super) fn describe_movement(clock: &Clock, filled: u8) -> String {
    let name = &clock.name;
    let segments = i32::from(filled) - i32::from(clock.filled);
    let verb = if segments < 0 {
        "goes back"
    } else {
        "advances"
    };
    let fill = filled_of(filled, clock.segments.count());

    format!("{name} {verb} by {}: {fill}", segments.abs())
}

/// True if the clock has not moved yet.
fn is_at_start(clock: &Clock) -> bool {
    clock.filled == 0 || clock.filled == clock.initial_fill()
}

/// Returns the ticks beyond the last segment that a linked clock receives.
///
/// A clock that restarts when full keeps its overflow, and the house rule `surplus = "lost"` discards it.
fn overflow_passed_on(game: &Game, clock: &Clock, ticks: i32) -> i32 {
    let keeps_overflow = clock.when_full != WhenFull::Stays;
    if keeps_overflow || surplus_rule(game).as_deref() == Some("lost") {
        return 0;
    }

    let filled = i32::from(clock.filled) + ticks;
    filled - i32::from(clock.segments.count())
}

/// Returns the number of segments that a newly filled clock adds to its linked clock.
///
/// A linked clock advances by the overflow, and by at least one segment. Under the house rule `surplus = "carry"` it
/// advances by the overflow only: each effect level fills one segment (Gnosis, Effect Levels).
fn advance_of_linked_clock(game: &Game, clock: &Clock, overflow: i32) -> i32 {
    let keeps_overflow = clock.when_full != WhenFull::Stays;
    if !keeps_overflow && surplus_rule(game).as_deref() == Some("carry") {
        overflow
    } else {
        overflow.max(1)
    }
}

/// The value of the house rule `surplus`, if the system has that rule.
fn surplus_rule(game: &Game) -> Option<String> {
    let mut house_rules = game.system.spec().house.iter();
    let rule = house_rules.find(|rule| rule.id == "surplus")?;

    let value = game.house.value(rule);
    value.text().map(str::to_owned)
}
