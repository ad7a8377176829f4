//! What people do with characters: their stats, their conditions, and what comes and goes with them.

use crate::{
    Character, CharacterId, Clock, ClockId, ClockKind, CommandError, Condition, DYING, Event,
    EventKind, Every, Game, LONGEST_NAME, LONGEST_NOTE, MOST, Result, Segments, Subject, refused,
};
use tableside_rules::{FirstAid, PoolOwner, RuleError, Value};
use tableside_text::{is_same_name, sanitise, sanitise_name};

impl Game {
    /// The character as it is fit to be kept, or what is wrong with it.
    pub(super) fn fit_character(&self, mut character: Character) -> Result<Character> {
        let of = Subject::Character(character.id);
        character.name = self.fit_name(of, None, &character.name)?;
        character.player = sanitise_name(&character.player, LONGEST_NAME);
        character.notes = sanitise(&character.notes, LONGEST_NOTE).into_owned();
        character.conditions.truncate(MOST);
        for condition in &mut character.conditions {
            condition.name = sanitise_name(&condition.name, LONGEST_NAME);
            if condition.name.is_empty() {
                return Err(refused("a condition needs a name"));
            }
        }
        Ok(character)
    }

    /// Gives a character all that the rules give to one, as far as it is not there.
    pub(super) fn give_all(&mut self, id: CharacterId) -> Result<()> {
        self.join_purses(id);
        let spec = self.system.spec();
        let own = spec.pools.iter();
        for pool in own.filter(|pool| pool.purse == PoolOwner::Character) {
            if self.held_by(id, pool.id).is_none() {
                self.give_pool(pool, id);
            }
        }
        for clock in spec.clocks {
            if self.clocks.iter().any(|one| one.is_given(clock.id, id)) {
                continue;
            }
            let segments = Segments::try_from(i32::from(clock.segments))?;
            let clock = Clock {
                id: ClockId(self.take_id()),
                kind: ClockKind::Countdown,
                owner: Some(id),
                rule: Some(clock.id),
                ..Clock::new(clock.name, segments)
            };
            self.clocks.push(clock);
        }
        Ok(())
    }

    /// What follows from the edit of a character.
    pub(super) fn follow_edit(&mut self, before: &Character) {
        let now = self.character(before.id);
        if now.is_some_and(|now| now.player != before.player) {
            self.leave_purses(before);
            self.join_purses(before.id);
        }
        // Nothing that comes to a number by an edit can be refused.
        self.settle_hit_points(before, None).ok();
        self.count_recent_harm(before);
    }

    /// Takes a character away with all that is its own: unfinished checks, calls, locks, clocks, and the pools that
    /// no other character of its player goes on with. A clock whose check it always made is anybody's to roll for.
    pub(super) fn remove_character(&mut self, id: CharacterId) {
        let waiting = self
            .unfinished
            .extract_if(.., |one| one.roll.id == Some(id))
            .collect::<Vec<_>>();
        for one in &waiting {
            self.return_set_aside(one);
        }
        self.calls.retain(|call| call.who != id);
        self.locks.retain(|(who, _)| *who != id);
        self.gm_locks.retain(|(who, _)| *who != id);
        self.remove_clocks(|clock| clock.owner == Some(id));
        let checks = self.clocks.iter_mut().flat_map(|clock| &mut clock.check);
        for check in checks.filter(|check| check.who == Some(id)) {
            check.who = None;
        }
        let going = self.roster.extract_if(.., |one| one.id == id);
        let going: Vec<Character> = going.collect();
        for one in &going {
            self.leave_purses(one);
        }
        self.pools.retain(|pool| pool.owner != Some(id));
    }

    /// A change of one character that needs no more than what it says.
    pub(super) fn change_one(
        &self,
        who: CharacterId,
        change: impl FnOnce(&mut Character) -> Result<(), RuleError>,
    ) -> Result<Event> {
        let mut edited = self.known_character(who)?.clone();
        change(&mut edited)?;
        self.decide_edit(&edited.into())
    }

    /// The event that moves a stat so many steps: 1 for a number, a die of the ladder for a die. It goes as far as
    /// the bounds, and is refused by a stat that is there already.
    pub(super) fn decide_step_stat(&self, who: CharacterId, stat: &str, by: i32) -> Result<Event> {
        let character = self.known_character(who)?;
        let stat = character.sheet.stat(stat)?;
        let now = character.sheet.value(stat.id).cloned();
        let now = now.unwrap_or_else(|| stat.at_first());
        if by == 0 {
            return Err(CommandError::Unchanged);
        }
        let wrong = || RuleError::wrong(stat.label, stat.describe(), "a step up or down");
        let next = stat.kind.stepped(&now, by).ok_or_else(wrong)?;
        let at_end = || {
            CommandError::AtEnd(format!(
                "{}: {} is {now} already, and goes no further",
                character.name, stat.label
            ))
        };
        if next == now {
            return Err(at_end());
        }
        match self.change_one(who, |one| one.sheet.set(stat.id, next)) {
            // A die that may not grow beyond another one is at its end, too.
            Err(CommandError::Rule(_)) => Err(at_end()),
            decided => decided,
        }
    }

    /// The event that begins the next round: nobody has acted in it, and the conditions that end with the last one
    /// are over.
    pub(super) fn decide_next_round(&self) -> Event {
        let mut after = self.clone();
        after.round += 1;
        let mut over = Vec::new();
        let ends_dying = self.system.spec().first_aid == FirstAid::EndsDying;
        for character in &mut after.roster {
            character.acted = false;
            let (name, sheet) = (&character.name, &mut character.sheet);
            character.conditions.retain_mut(|one| {
                // What was given before the first round lasts from that one on.
                let lasts = self.round == 0 || lasts_on(one);
                if !lasts && ends_dying && is_same_name(&one.name, DYING) {
                    over.push(format!("{name} dies, not aided in time"));
                    // Four wounds are death.
                    sheet.set("wounds", Value::Number(4)).unwrap_or_default();
                } else if !lasts {
                    over.push(format!("{name} is no longer {}", one.name));
                }
                lasts
            });
        }
        over.extend(after.tick_every(Every::Round));
        let (round, over) = (after.round, over.join(", "));
        self.event(EventKind::Round { round, over }, &after)
    }
}

/// Brings a condition one round further; returns whether it lasts: it is over with its last round, and when its
/// last level faded (Heart Rush, Conditions).
fn lasts_on(condition: &mut Condition) -> bool {
    let is_over = matches!(condition.rounds, Some(..=1));
    let has_faded = condition.fades && condition.value.is_none_or(|value| value <= 1);
    if let Some(value) = condition.value.as_mut().filter(|_| condition.fades) {
        *value -= 1;
    }
    let rounds = condition.rounds.iter_mut();
    rounds.for_each(|rounds| *rounds = rounds.saturating_sub(1));
    !is_over && !has_faded
}
