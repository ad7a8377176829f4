//! Deciding commands about clocks: validating an edited clock, races, and ticks.

use super::entities::free_name;
use crate::contest::UNNAMED_RACE;
use crate::differences::tick_differences;
use crate::{
    AttachedCheck, Clock, ClockId, ClockKind, CommandError, EntityKind, EntityRef, Event,
    EventKind, Game, LONGEST_NAME, Link, LinkEffect, MAX_TICKS, Result, WhenFull, refused,
};
use tableside_rules::Effect;
use tableside_text::{is_same_name, join, sanitise_name};

impl Game {
    /// Validates a clock, and returns it in the form in which the game stores it.
    pub(super) fn validate_clock(&self, mut clock: Clock) -> Result<Clock> {
        let subject = EntityRef::Clock(clock.id);
        clock.name = self.validate_name(subject, clock.owner, &clock.name)?;

        let before = self.clock(clock.id);
        clock.host_clock = before.and_then(|before| before.host_clock);
        if let Some(before) = before {
            refuse_edit_of_copy(before, &clock)?;
        }

        if moves_to_start(before, &clock) {
            clock.filled = clock.initial_fill();
        }
        clock.filled = clock.filled.min(clock.segments.count());
        if clock.owner.is_some() {
            // A character's clock stays with the character when the scene ends.
            clock.of_scene = false;
        }

        let race = sanitise_name(&clock.race, LONGEST_NAME);
        clock.race = self.find_race(&clock, &race);
        clock.ends = sanitise_ends(clock.ends);
        refuse_endless_contest(&clock)?;

        clock.every.retain(|_, segments| *segments != 0);
        for (every, segments) in &clock.every {
            let cause = format!("a {}", every.into_str());
            validate_ticks(&clock.name, &cause, *segments)?;
        }
        if let Some(link) = clock.link {
            self.validate_link(&clock, link)?;
        }

        // An unchanged check is not validated: the character whose sheet it refers to may be gone.
        let has_new_check = before.is_none_or(|before| before.check != clock.check);
        if let Some(attached) = clock.check.as_mut()
            && has_new_check
        {
            self.validate_attached_check(&clock.name, attached)?;
        }

        Ok(clock)
    }

    /// Refuses a link that does not fit the two clocks, or that leads back to the clock.
    fn validate_link(&self, clock: &Clock, link: Link) -> Result<()> {
        let name = &clock.name;
        if link.to == clock.id {
            return Err(refused(format!(
                "the clock {name} cannot be linked to itself"
            )));
        }

        let target = self.known_clock(link.to)?;
        let is_allowed_for_copies =
            matches!(link.effect, LinkEffect::Advances | LinkEffect::Beside);
        if target.host_clock.is_some() && !is_allowed_for_copies {
            let verb = if link.effect == LinkEffect::Starts {
                "start"
            } else {
                "reveal"
            };
            return Err(refused(format!(
                "the clock {name}: {} is a host clock, so a link can advance it or count rolls for both, but not {verb} it",
                target.name
            )));
        }

        if self.leads_to(target, clock.id) {
            return Err(refused(format!(
                "the clock {name} cannot be linked to {}, whose links already lead back to {name}",
                target.name
            )));
        }

        if link.effect == LinkEffect::Starts && clock.when_full != WhenFull::Stays {
            return Err(refused(format!(
                "the clock {name}: a clock that starts again cannot start another one; \
                 make it advance or reveal {}",
                target.name
            )));
        }
        Ok(())
    }

    /// True if the links from `start` lead to this clock.
    fn leads_to(&self, start: &Clock, clock: ClockId) -> bool {
        let mut current = start;
        // A chain of links with more steps than clocks runs in a circle, which an older file may contain.
        for _ in 0..=self.clocks.len() {
            if current.id == clock {
                return true;
            }
            let Some(link) = current.link else {
                return false;
            };
            let Some(target) = self.clock(link.to) else {
                return false;
            };
            current = target;
        }

        false
    }

    /// Fills in the check of a clock from the sheet of the rolling character, and refuses a check that cannot be rolled.
    fn validate_attached_check(&self, clock: &str, attached: &mut AttachedCheck) -> Result<()> {
        let spec = self.system.check(&attached.check)?;
        if let Some(roller) = attached.who {
            self.known_character(roller)?;
        }

        attached.fields.sort();
        attached.ticks.sort();
        self.fill_attached(attached, attached.who)?;
        attached.named = self.named_characters(spec, attached.who, &attached.fields);

        for (outcome, segments) in &attached.ticks {
            if spec.outcome_named(outcome).is_none() {
                let outcomes = spec.outcomes.iter().map(|outcome| outcome.id);
                let outcomes = join(outcomes, ", ");
                return Err(CommandError::Unknown {
                    kind: "outcome",
                    given: outcome.chars().take(40).collect(),
                    known: format!("; {} has {outcomes}", spec.id),
                });
            }
            let cause = format!("the outcome {outcome}");
            validate_ticks(clock, &cause, *segments)?;
        }
        Ok(())
    }

    /// Returns the stored name of the race that a player calls by this name.
    ///
    /// Players see an unnamed race under the names of its clocks, and type these names.
    fn find_race(&self, clock: &Clock, name: &str) -> String {
        for other in &self.clocks {
            if other.id == clock.id || other.kind != ClockKind::Race {
                continue;
            }
            let shown_name = self.race_name(other);
            if shown_name.is_some_and(|shown_name| is_same_name(&shown_name, name)) {
                return other.race.clone();
            }
        }

        name.to_owned()
    }

    /// Puts two clocks into one race.
    ///
    /// A new race is named by a number, never by its clocks: one of them may be hidden from players, now or later.
    pub(super) fn decide_race(&self, clock: ClockId, rival: ClockId) -> Result<Event> {
        if clock == rival {
            return Err(CommandError::Unchanged);
        }

        let clock = self.known_clock(clock)?;
        let rival = self.known_clock(rival)?;
        let race = if rival.kind == ClockKind::Race {
            rival.race.clone()
        } else if clock.kind == ClockKind::Race {
            clock.race.clone()
        } else {
            let races = self.clocks.iter().map(|clock| clock.race.as_str());
            free_name(UNNAMED_RACE, races)
        };

        let mut after = self.clone();
        for member in [clock, rival] {
            let racing = Clock {
                kind: ClockKind::Race,
                race: race.clone(),
                ..member.clone()
            };
            let valid = after.validate_clock(racing)?;
            if let Some(stored) = after.clock_mut(member.id) {
                *stored = valid;
            }
        }

        let names = format!("{}, {}", clock.name, rival.name);
        let how = "race each other".to_owned();
        self.edit_event(EntityKind::Clock, &names, how, &after)
    }

    pub(super) fn decide_tick(&self, id: ClockId, ticks: i32) -> Result<Event> {
        let clock = self.known_clock(id)?;
        if ticks == 0 {
            return Err(CommandError::Unchanged);
        }

        if let Some(event) = self.decide_tick_beyond_full(clock, ticks) {
            return event;
        }

        let filled = clock.filled_after(ticks);
        let segments = clock.segments.count();
        let starts_again = clock.restart_after(ticks).is_some();
        if filled == clock.filled && !starts_again {
            let name = &clock.name;
            let state = if ticks > 0 { "full" } else { "empty" };
            let reason = format!("{name} is {state} already ({filled} of {segments})");
            return Err(CommandError::AtEnd(reason));
        }
        if ticks > 0
            && let Some(refusal) = self.why_it_cannot_advance(clock)
        {
            return Err(refusal);
        }

        // Ticks are the most frequent act. A tick changes only these parts of the game, so the other parts are not
        // copied.
        let mut after = Self {
            next_id: self.next_id,
            clocks: self.clocks.clone(),
            host_requests: self.host_requests.clone(),
            ..Self::new(self.system)
        };
        if let Some(how) = after.request_host_tick(clock, ticks) {
            let act = EventKind::Edited {
                kind: EntityKind::Clock,
                name: String::new(),
                how,
            };
            return Ok(Event::new(act, tick_differences(self, &after)));
        }

        let chain = self.advance(&mut after, id, ticks);
        let steps = if starts_again {
            ticks
        } else {
            i32::from(filled) - i32::from(clock.filled)
        };
        let act = EventKind::Ticked {
            clock: clock.name.clone(),
            by: steps,
            filled,
            of: segments,
            then: join(chain.texts(), "; "),
        };

        let mut changes = self.touch_clocks(&chain.unchanged);
        changes.extend(tick_differences(self, &after));
        let mut event = Event::new(act, changes);
        event.begin_with(EntityRef::Clock(id));
        Ok(event)
    }
}

impl Game {
    /// Decides a tick that fills a character's clock beyond its last segment, if the rest counts as harm on the sheet:
    /// beyond a full clock of Blood each segment is a Wound (Gnosis, Consequences). `None` for any other tick.
    fn decide_tick_beyond_full(&self, clock: &Clock, ticks: i32) -> Option<Result<Event>> {
        let rule = clock.rule?;
        let spec = self.system.spec().clock(rule)?;
        let free = i32::from(clock.segments.count()) - i32::from(clock.filled);
        if spec.overflow.is_empty() || ticks <= free {
            return None;
        }

        let effect = Effect::Consequence {
            amount: ticks,
            of: rule,
        };
        Some(self.decide_receive(clock.owner?, &[effect]))
    }
}

/// Refuses to edit the copy of a host clock. Only its link and its check belong to this game.
fn refuse_edit_of_copy(before: &Clock, edited: &Clock) -> Result<()> {
    if before.host_clock.is_none() {
        return Ok(());
    }

    let with_own_parts = Clock {
        link: before.link,
        check: before.check.clone(),
        ..edited.clone()
    };
    if with_own_parts == *before {
        Ok(())
    } else {
        Err(refuse_host_clock(&before.name))
    }
}

/// Creates the refusal to change a host clock from one of the games that copy it.
pub(super) fn refuse_host_clock(name: &str) -> CommandError {
    refused(format!(
        "{name} is a host clock; change it with `tableside do --host`, and all games follow"
    ))
}

/// True if a clock moves to the start position of its kind: a new clock that is empty, or a clock whose kind changes
/// before its first tick.
fn moves_to_start(before: Option<&Clock>, clock: &Clock) -> bool {
    match before {
        Some(before) => clock.kind != before.kind && clock.filled == before.initial_fill(),
        None => clock.filled == 0,
    }
}

/// Returns the names of a tug-of-war's ends. `None` if both are empty.
fn sanitise_ends(ends: Option<[String; 2]>) -> Option<[String; 2]> {
    let ends = ends?.map(|end| sanitise_name(&end, LONGEST_NAME));
    if ends.iter().all(String::is_empty) {
        None
    } else {
        Some(ends)
    }
}

/// Refuses a race or a tug-of-war that starts again when it is full.
fn refuse_endless_contest(clock: &Clock) -> Result<()> {
    let is_contest = matches!(clock.kind, ClockKind::Race | ClockKind::TugOfWar);
    if !is_contest || clock.when_full == WhenFull::Stays {
        return Ok(());
    }

    let name = &clock.name;
    let kind = clock.kind.into_str();
    Err(refused(format!(
        "the clock {name}: a {kind} ends when it is full; only an effort or a countdown can start again"
    )))
}

/// Refuses more segments than an outcome, or the end of a round, scene or rest, may fill or empty at once.
fn validate_ticks(clock: &str, cause: &str, segments: i32) -> Result<()> {
    if (-MAX_TICKS..=MAX_TICKS).contains(&segments) {
        return Ok(());
    }
    Err(refused(format!(
        "the clock {clock}: {cause} can fill or empty at most {MAX_TICKS} segments, not {}",
        segments.unsigned_abs()
    )))
}
