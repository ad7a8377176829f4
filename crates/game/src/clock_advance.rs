//! A clock that advances, and what that leads to: a race won, another clock advanced, shown or started.

use super::change::part;
use super::{
    Change, Clock, ClockId, ClockKind, CommandError, Every, Game, Subject, Then, Visibility,
    WhenFull, filled_of,
};
use tableside_rules::Value;
use tableside_text::join;

/// The name of a race that people did not name. Further ones have a number behind it.
pub const UNNAMED_RACE: &str = "Race";

/// Whether a race has no name of its own, so that it is called by its clocks.
fn is_unnamed_race(race: &str) -> bool {
    let Some(number) = race.strip_prefix(UNNAMED_RACE) else {
        return race.is_empty();
    };
    let number = number.trim_start();
    number.chars().all(|digit| digit.is_ascii_digit())
}

/// What an advance leads to.
#[derive(Debug, Default)]
pub(super) struct Advance {
    /// In words, with the clock that they tell of.
    pub(super) then: Vec<(ClockId, String)>,
    /// The clocks that stand as they stood: one that may start now, one that went round as a whole.
    pub(super) touched: Vec<ClockId>,
}

impl Game {
    /// Advances a clock, or sets it back, and follows its links: what is left over when a clock is full
    /// rolls on into the next (Gnosis, Progress). Each clock is reached once, so that links in a circle
    /// end, too. What is asked is asked of the game as it was before.
    pub(super) fn advance(&self, after: &mut Self, id: ClockId, by: i32) -> Advance {
        let mut done = Advance::default();
        let mut reached = Vec::new();
        let mut next = Some((id, by));
        while let Some((id, by)) = next.take() {
            let Some(clock) = self.clock(id).filter(|clock| !reached.contains(&clock.id)) else {
                break;
            };
            reached.push(id);
            if clock.follows.is_some() {
                // Players read what else followed, and nothing of a clock that is hidden from them.
                let is_read = clock.visibility == Visibility::Visible;
                let asked = after.ask_for_tick(clock, by).filter(|_| is_read);
                done.then.extend(asked.map(|words| (id, words)));
                break;
            }
            let is_first = reached.len() == 1;
            // What starts a further one may be full only by now.
            let stands = if is_first {
                by > 0 && self.why_it_cannot_advance(clock).is_some()
            } else {
                self.is_lost(clock) || after.waits_for(clock).is_some()
            };
            if stands {
                break;
            }
            let (to, of) = (clock.after(by), clock.segments.count());
            let again = clock.again(by);
            if let Some(clock) = after.clock_mut(id) {
                (clock.segments, clock.filled) = again.unwrap_or((clock.segments, to));
                clock.turns = clock.turns.saturating_add(again.is_some().into());
            }
            let is_round = again.is_some_and(|(_, filled)| filled == clock.filled);
            done.touched.extend(is_round.then_some(id));
            let is_moved = !is_first && to != clock.filled;
            done.then
                .extend(is_moved.then(|| (id, moves_to(clock, to))));
            if let Some((segments, filled)) = again {
                let (name, of) = (&clock.name, segments.count());
                let words = format!("{name} starts again: {filled} of {of}");
                done.then.push((id, words));
            }
            if by > 0 && to == of {
                next = self.overflow(after, clock, by, &mut done);
            } else {
                done.then
                    .extend(lost_end(clock, to).map(|words| (id, words)));
            }
        }
        done
    }

    /// What a full clock leads to; returns the clock that it is linked to, and by how much that one advances.
    fn overflow(
        &self,
        after: &mut Self,
        clock: &Clock,
        by: i32,
        done: &mut Advance,
    ) -> Option<(ClockId, i32)> {
        let is_new = !clock.is_full();
        if is_new {
            done.then
                .extend(self.won(clock).map(|words| (clock.id, words)));
        }
        let link = clock.link?;
        let other = self.clock(link.to)?;
        let left = i32::from(clock.filled) - i32::from(clock.segments.count()) + by;
        // What starts again keeps what is left over.
        let keeps = clock.when_full != WhenFull::Stays;
        let house_rules = self.system.spec().house;
        let surplus_rule = house_rules.iter().find(|rule| rule.id == "surplus");
        let surplus_value = surplus_rule.map(|rule| self.house.value(rule));
        let surplus = surplus_value.as_ref().and_then(Value::text);
        let left = if keeps || surplus == Some("lost") {
            0
        } else {
            left
        };
        let by = match link.then {
            // Each effect level fills one wedge, so a clock that is filled exactly leaves none for the next (Gnosis,
            // Effect Levels).
            Then::Advances if is_new && !keeps && surplus == Some("carry") => left,
            Then::Advances if is_new => left.max(1),
            Then::Reveals if is_new && other.visibility != Visibility::Visible => {
                let shown = after.clock_mut(other.id).into_iter();
                shown.for_each(|shown| shown.visibility = Visibility::Visible);
                let words = format!("{} is revealed", other.name);
                done.then.push((other.id, words));
                left
            }
            Then::Starts if is_new && [0, other.begins_at()].contains(&other.filled) => {
                done.touched.push(other.id);
                let words = format!("{} starts", other.name);
                done.then.push((other.id, words));
                left
            }
            Then::Beside => 0,
            Then::Advances | Then::Reveals | Then::Starts => left,
        };
        (by > 0).then_some((other.id, by))
    }

    /// That something happened to these clocks, which stand as they stood: who may not know of one reads none of it.
    pub fn touches(&self, clocks: &[ClockId]) -> Vec<Change> {
        let stands = |id: &ClockId| {
            let (of, filled) = (Subject::Clock(*id), self.clock(*id)?.filled);
            Some(Change::new(
                of,
                part::FILLED,
                (filled.into(), filled.into()),
            ))
        };
        clocks.iter().filter_map(stands).collect()
    }

    /// What filling its last segment means for a race or a tug-of-war.
    fn won(&self, clock: &Clock) -> Option<String> {
        match clock.kind {
            ClockKind::Race => {
                let name = self.race_name(clock)?;
                Some(format!("it wins the race: {name}"))
            }
            ClockKind::TugOfWar => Some(format!("pulled to the end: {}", clock.end_names()[1])),
            ClockKind::Effort | ClockKind::Countdown => None,
        }
    }

    /// Whether some clock ticks by itself then.
    pub(super) fn ticks_every(&self, every: Every) -> bool {
        let mut clocks = self.clocks.iter();
        clocks.any(|clock| clock.every.contains_key(&every))
    }

    /// Ticks the clocks that tick by themselves then; returns what came of it, in words.
    pub(super) fn tick_every(&mut self, every: Every) -> Vec<String> {
        let due = self.clocks.iter();
        let due = due.filter_map(|clock| Some((clock.id, *clock.every.get(&every)?)));
        let due: Vec<(ClockId, i32)> = due.collect();
        let due = due.into_iter();
        let came = due.flat_map(|(id, by)| self.advance_unasked(id, by));
        came.map(|(_, words)| words).collect()
    }

    /// Advances a clock that nobody ticked; returns what came of it, in words, with the clocks that they tell of.
    pub(super) fn advance_unasked(&mut self, id: ClockId, by: i32) -> Vec<(ClockId, String)> {
        let before = self.clone();
        let Some(clock) = before.clock(id) else {
            return Vec::new();
        };
        let led = before.advance(self, id, by).then;
        let has_moved = self.clock(id) != Some(clock);
        let own = has_moved.then(|| (id, moves_to(clock, clock.after(by))));
        own.into_iter().chain(led).collect()
    }

    /// The other clocks of its race.
    pub fn rivals<'a>(&'a self, clock: &'a Clock) -> impl Iterator<Item = &'a Clock> + 'a {
        let others = self.clocks.iter().filter(|other| other.id != clock.id);
        others.filter(|other| clock.races(other))
    }

    /// What people call the race of a clock: its own name, else the names of its clocks. `None` if the clock races no
    /// other. It is composed for each reader from the clocks in this game, and is never stored.
    pub fn race_name(&self, clock: &Clock) -> Option<String> {
        self.rivals(clock).next()?;

        if !is_unnamed_race(&clock.race) {
            return Some(clock.race.clone());
        }

        let members = self
            .clocks
            .iter()
            .filter(|other| other.id == clock.id || clock.races(other))
            .map(|member| member.name.as_str());
        Some(join(members, " against "))
    }

    /// What a clock came to that is told beside its segments: a race won, the end of a tug-of-war. For a reader who
    /// sees this game, in the names that the clocks have now.
    pub fn clock_ended(&self, clock: &Clock, from: u8, to: u8) -> Option<String> {
        let is_full = to > from && to >= clock.segments.count();
        if is_full {
            self.won(clock)
        } else {
            let before = Clock {
                filled: from,
                ..clock.clone()
            };
            lost_end(&before, to)
        }
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
        if ![0, clock.begins_at()].contains(&clock.filled) || starters.clone().any(Clock::is_full) {
            return None;
        }
        starters.next()
    }

    /// Why it cannot advance, if it cannot.
    pub(super) fn why_it_cannot_advance(&self, clock: &Clock) -> Option<CommandError> {
        let winner = self.rivals(clock).find(|rival| rival.is_full());
        let why = match winner.filter(|_| !clock.is_full()) {
            Some(winner) => format!("the race is over, and {} came first", winner.name),
            None => format!("it starts when {} is full", self.waits_for(clock)?.name),
        };
        Some(CommandError::AtEnd(format!(
            "{} cannot advance: {why}",
            clock.name
        )))
    }

    /// Takes clocks away, and unties the links of others to them.
    pub(super) fn remove_clocks(&mut self, goes: impl Fn(&Clock) -> bool) {
        self.clocks.retain(|clock| !goes(clock));
        let stays: Vec<ClockId> = self.clocks.iter().map(|clock| clock.id).collect();
        for clock in &mut self.clocks {
            clock.link = clock.link.filter(|link| stays.contains(&link.to));
        }
    }
}

/// That a clock moves to so many segments.
pub(super) fn moves_to(clock: &Clock, to: u8) -> String {
    let (name, now) = (&clock.name, filled_of(to, clock.segments.count()));
    let by = i32::from(to) - i32::from(clock.filled);
    let how = if by < 0 { "goes back" } else { "advances" };
    format!("{name} {how} by {}: {now}", by.abs())
}

/// What emptying a tug-of-war means.
fn lost_end(clock: &Clock, to: u8) -> Option<String> {
    let is_tug = clock.kind == ClockKind::TugOfWar;
    let ended = is_tug && to == 0 && clock.filled > 0;
    ended.then(|| format!("pulled to the end: {}", clock.end_names()[0]))
}
