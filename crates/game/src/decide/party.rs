//! Deciding commands about characters: validation, stats, conditions, and the possessions that come and go with
//! a character.

use crate::{
    Character, CharacterId, Clock, ClockId, ClockKind, CommandError, EntityRef, Event, Game,
    LONGEST_NAME, LONGEST_NOTE, MOST, Result, Segments, Unfinished, refused,
};
use tableside_rules::{Field, PoolOwner, RuleError, Value};
use tableside_text::{sanitise, sanitise_name, uncapitalise};

impl Game {
    /// Validates a character, and returns it in the form in which the game stores it.
    pub(super) fn validate_character(&self, mut character: Character) -> Result<Character> {
        let subject = EntityRef::Character(character.id);
        character.name = self.validate_name(subject, None, &character.name)?;
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

    /// Gives a character the pools and clocks that the rules give to every character. Existing ones stay.
    pub(super) fn give_possessions(&mut self, id: CharacterId) -> Result<()> {
        self.join_player_pools(id);

        let spec = self.system.spec();
        for pool in spec.pools {
            let is_missing = self.held_by(id, pool.id).is_none();
            if pool.purse == PoolOwner::Character && !pool.is_optional && is_missing {
                self.give_pool(pool, id);
            }
        }

        for clock in spec.clocks {
            let mut clocks = self.clocks.iter();
            if clocks.any(|own| own.is_given(clock.id, id)) {
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

    /// Updates everything that depends on an edited character: the pools of its player, the consequences of 0 hit
    /// points, and recent harm.
    pub(super) fn update_possessions(&mut self, before: &Character) {
        let now = self.character(before.id);
        if now.is_some_and(|now| now.player != before.player) {
            self.leave_player_pools(before);
            self.join_player_pools(before.id);
        }

        self.follow_start_stats(before);
        // The call can fail only for a roll that must pay tokens, and an edit is not a roll.
        self.settle_hit_points(before, None).ok();
        self.settle_new_conditions(before);
        self.count_recent_harm(before);
    }

    /// Removes a character with all its possessions: unfinished rolls, calls, locks, clocks and pools.
    ///
    /// A shared pool goes to another character of the player. A clock's check that this character always rolled can be
    /// rolled by any character.
    pub(super) fn remove_character(&mut self, id: CharacterId) {
        let waiting_rolls: Vec<Unfinished> = self
            .unfinished
            .extract_if(.., |waiting| waiting.roll.id == Some(id))
            .collect();
        for waiting in &waiting_rolls {
            self.return_set_aside(waiting);
        }

        self.calls.retain(|call| call.who != id);
        self.locks.retain(|(locked, _)| *locked != id);
        self.gm_locks.retain(|(locked, _)| *locked != id);
        self.remove_clocks(|clock| clock.owner == Some(id));
        let is_rolled_by = |clock: &Clock| {
            let roller = clock.check.as_ref().and_then(|check| check.who);
            roller == Some(id)
        };
        self.clocks.change_where(is_rolled_by, |clock| {
            if let Some(check) = &mut clock.check {
                check.who = None;
            }
        });

        let removed = self.character(id).cloned();
        self.roster.retain(|character| character.id != id);
        if let Some(character) = &removed {
            self.leave_player_pools(character);
        }
        self.pools.retain(|pool| pool.owner != Some(id));
    }

    /// Decides a change of one character.
    pub(super) fn change_character(
        &self,
        id: CharacterId,
        change: impl FnOnce(&mut Character) -> Result<(), RuleError>,
    ) -> Result<Event> {
        let mut edited = self.known_character(id)?.clone();
        change(&mut edited)?;
        self.decide_edit(&edited.into())
    }

    /// Moves a stat by steps: 1 for a number, one size for a die. The stat stops at its bound.
    pub(super) fn decide_step_stat(
        &self,
        id: CharacterId,
        stat: &str,
        steps: i32,
    ) -> Result<Event> {
        let character = self.known_character(id)?;
        let stat = character.sheet.stat(stat)?;
        if steps == 0 {
            return Err(CommandError::Unchanged);
        }

        let Some(next) = character.sheet.stepped(stat, steps) else {
            let wrong = RuleError::wrong(stat.label, stat.describe(), "a step up or down");
            return Err(wrong.into());
        };
        if character.sheet.value(stat.id) == Some(&next) {
            return Err(at_bound(character, stat, steps));
        }

        let decided = self.change_character(id, |edited| edited.sheet.set(stat.id, next));
        match decided {
            // The sheet refuses a die that would be larger than the die that bounds it.
            Err(CommandError::Rule(_)) => Err(at_bound(character, stat, steps)),
            decided => decided,
        }
    }
}

/// Refuses to move a stat beyond its bound: `Goblin has all 10 hit points`.
pub(super) fn at_bound(character: &Character, stat: &Field, steps: i32) -> CommandError {
    let name = &character.name;
    let value = character.sheet.value(stat.id);
    let value = value.map(Value::to_string).unwrap_or_default();

    let sentence = match character.sheet.most(stat) {
        Some(most) if steps > 0 => {
            let label = uncapitalise(stat.label);
            if character.sheet.number(stat.id) > Some(most) {
                format!("{name} has {value} {label}, more than the maximum of {most}")
            } else {
                format!("{name} has all {most} {label}")
            }
        }
        Some(_) if character.sheet.number(stat.id) == Some(0) => {
            let label = uncapitalise(stat.label);
            format!("{name} has no {label} left")
        }
        _ => {
            let bound = if steps > 0 { "maximum" } else { "minimum" };
            format!("{name}: {} is already {value}, the {bound}", stat.label)
        }
    };
    CommandError::AtEnd(sentence)
}
