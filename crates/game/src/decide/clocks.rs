//! What people do with clocks.

use super::entities::free;
use crate::change::tick_differences;
use crate::clock_advance::UNNAMED_RACE;
use crate::{
    Attached, Clock, ClockId, ClockKind, CommandError, EntityKind, Event, EventKind, Game,
    LONGEST_NAME, Link, MOST_TICKS, Result, Subject, Then, WhenFull, refused,
};
use tableside_text::{is_same_name, join, sanitise_name};

impl Game {
    /// The clock as it is fit to be kept, or what is wrong with it.
    pub(super) fn fit_clock(&self, mut clock: Clock) -> Result<Clock> {
        let clean = |text: &str| sanitise_name(text, LONGEST_NAME);
        let (id, owner) = (clock.id, clock.owner);
        clock.name = self.fit_name(Subject::Clock(id), owner, &clock.name)?;
        let before = self.clock(id);
        clock.follows = before.and_then(|before| before.follows);
        if let Some(before) = before.filter(|before| before.follows.is_some()) {
            let own = Clock {
                link: before.link,
                check: before.check.clone(),
                ..clock.clone()
            };
            if own != *before {
                return Err(of_house(&before.name));
            }
        }
        let begins = match before {
            Some(before) => clock.kind != before.kind && clock.filled == before.begins_at(),
            None => clock.filled == 0,
        };
        if begins {
            clock.filled = clock.begins_at();
        }
        clock.filled = clock.filled.min(clock.segments.count());
        // A character's clock goes with the character.
        clock.of_scene &= owner.is_none();
        clock.race = self.race_key(&clock, &clean(&clock.race));
        let ends = clock.ends.take().map(|ends| ends.map(|end| clean(&end)));
        clock.ends = ends.filter(|ends| ends.iter().any(|end| !end.is_empty()));
        let is_contest = matches!(clock.kind, ClockKind::Race | ClockKind::TugOfWar);
        if is_contest && clock.when_full != WhenFull::Stays {
            let (name, kind) = (&clock.name, clock.kind.into_str());
            return Err(refused(format!(
                "the clock {name}: a {kind} ends when it is full; an effort or a countdown may start again"
            )));
        }
        clock.every.retain(|_, by| *by != 0);
        for (every, by) in &clock.every {
            may_fill(&clock.name, every.into(), *by)?;
        }
        if let Some(link) = clock.link {
            self.may_link(&clock, link)?;
            if link.then == Then::Starts && clock.when_full != WhenFull::Stays {
                let name = &clock.name;
                return Err(refused(format!(
                    "the clock {name}: one that starts again cannot start another; link it so that it advances or reveals it"
                )));
            }
        }
        // A check stays as it was, also where whose sheet it was about has gone.
        let is_new = before.is_none_or(|before| before.check != clock.check);
        if let Some(attached) = clock.check.as_mut().filter(|_| is_new) {
            self.fit_check(&clock.name, attached)?;
        }
        Ok(clock)
    }

    /// Refuses links that lead back to the clock: they would never end.
    fn may_link(&self, clock: &Clock, Link { to, then }: Link) -> Result<()> {
        let name = &clock.name;
        if to == clock.id {
            return Err(refused(format!(
                "the clock {name}: it cannot be linked to itself"
            )));
        }
        let other = self.known_clock(to)?;
        if other.follows.is_some() && !matches!(then, Then::Advances | Then::Beside) {
            let then = then.into_str();
            return Err(refused(format!(
                "the clock {name}: {} is the house's, and no table {then} it; link it so that it advances it, or beside it",
                other.name
            )));
        }
        let next = |clock: &&Clock| self.clock(clock.link?.to);
        let mut further = std::iter::successors(Some(other), next).take(self.clocks.len() + 1);
        if further.any(|one| one.id == clock.id) {
            return Err(refused(format!(
                "the clock {name}: {} leads back to it already; links in a circle would never end",
                other.name
            )));
        }
        Ok(())
    }

    /// Tries a clock's check against the sheet of the one who rolls it.
    fn fit_check(&self, name: &str, attached: &mut Attached) -> Result<()> {
        let spec = self.system.check(&attached.check)?;
        if let Some(who) = attached.who {
            self.known_character(who)?;
        }
        attached.fields.sort();
        attached.ticks.sort();
        self.fill_attached(attached, attached.who)?;
        attached.named = self.named_in(spec, attached.who, &attached.fields);
        for (outcome, ticks) in &attached.ticks {
            if spec.outcome_named(outcome).is_none() {
                let known = spec.outcomes.iter().map(|outcome| outcome.id);
                return Err(CommandError::Unknown {
                    kind: "outcome",
                    given: outcome.chars().take(40).collect(),
                    known: format!("; {} has {}", spec.id, join(known, ", ")),
                });
            }
            may_fill(name, outcome, *ticks)?;
        }
        Ok(())
    }

    /// Returns the race that a person means by this name: a stored name, or the members' names as a race without
    /// a name of its own is shown.
    fn race_key(&self, clock: &Clock, name: &str) -> String {
        let others = self.clocks.iter().filter(|other| other.id != clock.id);
        for other in others.filter(|other| other.kind == ClockKind::Race) {
            let shown_name = self.race_name(other);
            if shown_name.is_some_and(|shown_name| is_same_name(&shown_name, name)) {
                return other.race.clone();
            }
        }
        name.to_owned()
    }

    /// Puts two clocks into one race. A new race gets a number for a name, never the names of its clocks: one of them
    /// may be hidden from players, now or later.
    pub(super) fn decide_race(&self, clock: ClockId, rival: ClockId) -> Result<Event> {
        if clock == rival {
            return Err(CommandError::Unchanged);
        }
        let (clock, rival) = (self.known_clock(clock)?, self.known_clock(rival)?);

        let racing = [rival, clock]
            .into_iter()
            .find(|one| one.kind == ClockKind::Race);
        let race = if let Some(racing) = racing {
            racing.race.clone()
        } else {
            let races = self.clocks.iter().map(|one| one.race.as_str());
            free(UNNAMED_RACE, races)
        };

        let mut after = self.clone();
        for one in [clock, rival] {
            let racing = Clock {
                kind: ClockKind::Race,
                race: race.clone(),
                ..one.clone()
            };
            let fit = after.fit_clock(racing)?;
            if let Some(kept) = after.clock_mut(one.id) {
                *kept = fit;
            }
        }

        let names = format!("{}, {}", clock.name, rival.name);
        let how = "race each other".to_owned();
        self.edited((EntityKind::Clock, &names), &[how], &after)
    }

    pub(super) fn decide_tick(&self, id: ClockId, by: i32) -> Result<Event> {
        let clock = self.known_clock(id)?;
        if by == 0 {
            return Err(CommandError::Unchanged);
        }
        let (to, of) = (clock.after(by), clock.segments.count());
        if to == clock.filled && clock.again(by).is_none() {
            let (name, state) = (&clock.name, if by > 0 { "full" } else { "empty" });
            let why = format!("{name} is {state} already ({to} of {of})");
            return Err(CommandError::AtEnd(why));
        }
        if let Some(stands) = self.why_it_cannot_advance(clock).filter(|_| by > 0) {
            return Err(stands);
        }
        let mut after = Self {
            next_id: self.next_id,
            clocks: self.clocks.clone(),
            asked: self.asked.clone(),
            ..Self::new(self.system)
        };
        if let Some(how) = after.ask_for_tick(clock, by) {
            let (kind, name) = (EntityKind::Clock, String::new());
            let what = EventKind::Edited { kind, name, how };
            return Ok(Event::new(what, tick_differences(self, &after)));
        }
        let advance = self.advance(&mut after, id, by);
        let then = advance.then.iter().map(|(_, words)| words);
        let what = EventKind::Ticked {
            clock: clock.name.clone(),
            by: match clock.again(by) {
                Some(_) => by,
                None => i32::from(to) - i32::from(clock.filled),
            },
            filled: to,
            of,
            then: join(then, "; "),
        };
        let mut event = Event::new(what, tick_differences(self, &after));
        event.changes.splice(0..0, self.touches(&advance.touched));
        event.begin_with(Subject::Clock(id));
        Ok(event)
    }
}

/// That a copy of a clock of the house is changed there.
pub(super) fn of_house(name: &str) -> CommandError {
    refused(format!(
        "{name} is the house's clock; change it with `tableside do --house`, and every table follows"
    ))
}

/// Refuses more segments than an outcome or the end of a round fills or empties at once.
fn may_fill(clock: &str, what: &str, by: i32) -> Result<()> {
    let why = format!(
        "the clock {clock}: {what} fills -{MOST_TICKS} to {MOST_TICKS} segments, and {by} were given"
    );
    let is_within = (-MOST_TICKS..=MOST_TICKS).contains(&by);
    is_within.then_some(()).ok_or_else(|| refused(why))
}
