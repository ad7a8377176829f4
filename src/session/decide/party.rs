//! What people do with characters.

use std::collections::BTreeMap;

use super::conditions::cleaned;
use super::{named, numbered};
use crate::dice::Die;
use crate::rules::{Kind, Purse, Refused, RuleError, Value};
use crate::session::entity::replace;
use crate::session::event::EntityKind;
use crate::session::{
    Character, CharacterId, Clock, ClockId, ClockKind, CommandError, Event, LONGEST_NAME,
    LONGEST_NOTE, MOST, PoolId, Segments, Session, TokenPool, Visibility, edits,
};
use crate::text::sanitise;

impl Session {
    /// Makes a character fit to be kept, or says what is wrong with it.
    fn settle_character(&self, character: &mut Character) -> Result<(), CommandError> {
        let others = self.roster.iter().filter(|other| other.id != character.id);
        let names = others.map(|other| other.name.as_str());
        character.name = named("character", &character.name, names)?;
        character.player = sanitise(&character.player, LONGEST_NAME).into_owned();
        character.notes = sanitise(&character.notes, LONGEST_NOTE).into_owned();
        character.conditions = cleaned(&character.conditions)?;
        Ok(())
    }

    /// Adds a character with all that the rules give to it.
    pub(super) fn add_character(
        &mut self,
        character: &Character,
    ) -> Result<CharacterId, CommandError> {
        if self.roster.len() >= MOST {
            return Err(CommandError::TooMany("character"));
        }
        let mut character = character.clone();
        let id = CharacterId(self.take_id());
        character.id = id;
        self.settle_character(&mut character)?;
        let spec = self.system.spec();
        for pool in spec.pools {
            let is_own = match pool.purse {
                Purse::Character => true,
                Purse::Player => self.purse_of(&character.player, pool.kind, id).is_none(),
                Purse::Table => false,
            };
            if is_own {
                let mut pool = TokenPool::from_rules(pool, Some(id));
                pool.id = PoolId(self.take_id());
                self.pools.push(pool);
            }
        }
        for clock in spec.clocks {
            let segments = Segments::try_from(clock.segments)?;
            let clock = Clock {
                id: ClockId(self.take_id()),
                kind: ClockKind::Countdown,
                visibility: Visibility::Visible,
                owner: Some(id),
                rule: Some(clock.id.to_owned()),
                ..Clock::new(clock.name, segments)
            };
            self.clocks.push(clock);
        }
        self.roster.push(character);
        Ok(id)
    }

    pub(super) fn decide_add_character(
        &self,
        character: &Character,
    ) -> Result<Event, CommandError> {
        self.added(EntityKind::Character, |after| {
            let id = after.add_character(character)?;
            Ok(after.owner_name(Some(id)).to_owned())
        })
    }

    pub(super) fn decide_duplicate_character(
        &self,
        id: CharacterId,
    ) -> Result<Event, CommandError> {
        let original = self.known_character(id)?;
        let names = self.roster.iter().map(|other| other.name.as_str());
        let copy = Character {
            name: numbered(&original.name, names),
            acted: false,
            conditions: Vec::new(),
            fresh: BTreeMap::new(),
            ..original.clone()
        };
        self.decide_add_character(&copy)
    }

    pub(super) fn decide_edit_character(
        &self,
        character: &Character,
    ) -> Result<Event, CommandError> {
        let before = self.known_character(character.id)?;
        let mut edited = character.clone();
        self.settle_character(&mut edited)?;
        let mut after = self.clone();
        if before.player != edited.player {
            after.hand_over_purses(before, &edited.player);
        }
        self.put_character(edited, after)
    }

    /// A change of one character that needs no more than what it says.
    pub(super) fn change_one(
        &self,
        who: CharacterId,
        change: impl FnOnce(&mut Character),
    ) -> Result<Event, CommandError> {
        let mut edited = self.known_character(who)?.clone();
        change(&mut edited);
        self.put_character(edited, self.clone())
    }

    fn put_character(&self, edited: Character, mut after: Self) -> Result<Event, CommandError> {
        let before = self.known_character(edited.id)?;
        let how = edits::of_character(before, &edited);
        replace(&mut after.roster, edited);
        self.told_of(before, &how, after)
    }

    /// A change of a character in words of its own; harm that follows is counted for First Aid.
    pub(super) fn told_of(
        &self,
        character: &Character,
        how: &[String],
        mut after: Self,
    ) -> Result<Event, CommandError> {
        after.count_recent_harm(self, character.id);
        self.edited((EntityKind::Character, &character.name), how, &after)
    }

    pub(super) fn decide_remove_character(&self, id: CharacterId) -> Result<Event, CommandError> {
        let name = &self.known_character(id)?.name;
        Ok(self.removed(EntityKind::Character, name, |after| {
            after.unfinished.retain(|one| one.roll.id != Some(id));
            after.calls.retain(|call| call.who != id);
            after.locks.retain(|(who, _)| *who != id);
            after.remove_clocks(|clock| clock.owner == Some(id));
            for clock in &mut after.clocks {
                if let Some(check) = clock.check.as_mut().filter(|one| one.who == Some(id)) {
                    check.who = None;
                }
            }
            // The other characters of its player go on with its pools.
            after.pools.retain_mut(|pool| {
                let is_own = pool.owner == Some(id);
                let heir = self.heir(pool).filter(|_| is_own);
                pool.owner = heir.or(pool.owner);
                !is_own || heir.is_some()
            });
            after.roster.retain(|one| one.id != id);
        }))
    }

    pub(super) fn decide_step_stat(
        &self,
        who: CharacterId,
        stat: &str,
        by: i32,
    ) -> Result<Event, CommandError> {
        let character = self.known_character(who)?;
        let known = character.sheet.stat(stat)?;
        let now = character.sheet.value(stat).cloned();
        let now = now.unwrap_or_else(|| known.preset());
        let at_end = || CommandError::StatAtEnd {
            who: character.name.clone(),
            stat: known.label.to_owned(),
            value: now.to_string(),
        };
        if by == 0 {
            return Err(CommandError::Unchanged);
        }
        let next = match (known.kind, &now) {
            (Kind::Number { min, max }, Value::Number(number)) => {
                Value::Number(number.saturating_add(by).clamp(min, max))
            }
            (Kind::Die, Value::Die(die)) => {
                let step = |die: Die| if by > 0 { die.up() } else { die.down() };
                let first = step(*die).ok_or_else(at_end)?;
                let mut others = 1..by.unsigned_abs();
                let last = others.try_fold(first, |die, _| step(die));
                Value::Die(last.ok_or_else(|| {
                    Refused(format!(
                        "{}: {} is {die}, and cannot go {} steps",
                        character.name,
                        known.label,
                        by.unsigned_abs()
                    ))
                })?)
            }
            _ => {
                let given = "a step up or down";
                return Err(RuleError::wrong(known.id, known.describe(), given).into());
            }
        };
        if next == now {
            return Err(at_end());
        }
        match self.decide_set_stat(who, stat, &next) {
            // A die that may not grow beyond another one is at its end, too.
            Err(CommandError::Rule(_)) => Err(at_end()),
            decided => decided,
        }
    }

    pub(super) fn decide_set_stat(
        &self,
        who: CharacterId,
        stat: &str,
        value: &Value,
    ) -> Result<Event, CommandError> {
        let mut edited = self.known_character(who)?.clone();
        edited.sheet.set(stat, value.clone())?;
        self.put_character(edited, self.clone())
    }
}
