//! Deciding to add copies of a creature, and the numbers behind their names.

use super::numbered_name;
use crate::{
    AddCreaturesCommand, Allegiance, Character, CharacterId, EntityKind, EntityRef, Event,
    EventKind, Game, MOST_COPIES, PoolKind, Reset, Result, TokenPool, refused,
};
use tableside_rules::{CreaturePool, PoolOwner, RestKind};
use tableside_text::fold;

impl Game {
    /// Adds copies of a creature as one act. Several copies are numbered from 1, beginning with the first free number.
    pub(super) fn decide_add_creatures(&self, command: &AddCreaturesCommand) -> Result<Event> {
        if !(1..=MOST_COPIES).contains(&command.count) {
            return Err(refused(format!(
                "one command adds from 1 to {MOST_COPIES} creatures"
            )));
        }

        let mut after = self.clone();
        let mut names = Vec::new();
        let renamed = after.rename_first(&command.character.name);
        for _ in 0..command.count {
            let name = after.name_of_copy(&command.character.name, command.count);
            let copy = Character {
                name: name.clone(),
                ..command.character.clone()
            };
            after.add_creature(copy, &command.pools)?;
            names.push(name);
        }

        let how = describe_renaming(&command.character.name, renamed);
        let act = EventKind::Added {
            kind: EntityKind::Character,
            name: list_copies(&names),
            how,
        };
        Ok(self.event(act, &after))
    }

    /// Adds a character with the pools of its template.
    pub(super) fn add_creature(
        &mut self,
        character: Character,
        pools: &[CreaturePool],
    ) -> Result<CharacterId> {
        let EntityRef::Character(id) = self.add(character.into())? else {
            return Err(refused("only characters are creatures"));
        };
        for pool in pools {
            self.give_creature_pool(pool, id)?;
        }
        Ok(id)
    }

    fn give_creature_pool(&mut self, pool: &CreaturePool, owner: CharacterId) -> Result<()> {
        let present = pool.rule.and_then(|rule| self.held_by(owner, rule));
        let mut given = match (present, pool.rule) {
            (Some(present), _) => present.clone(),
            (None, Some(rule)) => match self.system.spec().pool(rule) {
                Some(spec) => TokenPool::from_rules(spec, Some(owner)),
                // The rules may have changed since the creature was written.
                None => return Ok(()),
            },
            (None, None) => TokenPool {
                cap: Some(pool.start),
                ..TokenPool::new(&pool.name)
            },
        };
        given.start = pool.start;
        given.tokens = given.within(pool.start);
        if let Some(reset) = reset_of(pool) {
            given.reset = reset;
        }
        self.give_copy_of_pool(given, owner)
    }

    /// Adds a copy of a character, with the settings of its pools, under the next free number. A creature without a number
    /// becomes the first of them.
    pub(super) fn decide_duplicate_character(&self, mut copy: Character) -> Result<Event> {
        let original = copy.id;
        let mut after = self.clone();
        let renamed = match copy.side {
            Allegiance::Party => None,
            _ => after.rename_first(&copy.name),
        };

        let taken = after.roster.iter().map(|other| other.name.as_str());
        let name = numbered_name(&copy.name, taken);
        let how = describe_renaming(&copy.name, renamed);
        copy.name.clone_from(&name);

        let pools = self.own_pools_of(original);
        let EntityRef::Character(id) = after.add(copy.into())? else {
            return Err(refused("only characters are creatures"));
        };
        for pool in pools {
            let tokens = pool.start;
            after.give_copy_of_pool(TokenPool { tokens, ..pool }, id)?;
        }

        let act = EventKind::Added {
            kind: EntityKind::Character,
            name,
            how,
        };
        Ok(self.event(act, &after))
    }

    /// The pools of a character that are neither shared with others nor as the rules give them to everybody.
    pub(crate) fn own_pools_of(&self, owner: CharacterId) -> Vec<TokenPool> {
        let mut pools = Vec::new();
        for pool in &self.pools {
            if pool.owner != Some(owner) {
                continue;
            }
            let is_as_given = self.pool_spec(pool).is_some_and(|spec| {
                let given = TokenPool {
                    id: pool.id,
                    ..TokenPool::from_rules(spec, Some(owner))
                };
                spec.purse != PoolOwner::Character || given == *pool
            });
            if !is_as_given {
                pools.push(pool.clone());
            }
        }
        pools
    }

    /// Gives a character the tokens and settings of a pool. A pool that the rules gave it already takes them over.
    pub(super) fn give_copy_of_pool(&mut self, pool: TokenPool, owner: CharacterId) -> Result<()> {
        let present = match pool.kind {
            PoolKind::Rule(rule) => self.held_by(owner, rule).map(|present| present.id),
            PoolKind::Own => None,
        };
        let given = TokenPool {
            id: present.unwrap_or_default(),
            owner: Some(owner),
            ..pool
        };
        match present.and_then(|id| self.pool_mut(id)) {
            Some(present) => *present = given,
            None => {
                self.add(given.into())?;
            }
        }
        Ok(())
    }

    /// Gives a character without a number the number 1, because copies of it follow. Returns its new name.
    ///
    /// Characters of players keep their names, and so does a character if another one has the number 1 already.
    fn rename_first(&mut self, name: &str) -> Option<String> {
        let first = self.character_named(name)?;
        let new_name = format!("{} 1", first.name);
        let id = first.id;
        let is_taken = self.character_named(&new_name).is_some();
        let is_numbered = match name.rsplit_once(' ') {
            Some((_, number)) => number.parse::<u32>().is_ok(),
            None => false,
        };
        if !first.player.is_empty() || is_taken || is_numbered {
            return None;
        }

        self.character_mut(id)?.name.clone_from(&new_name);
        Some(new_name)
    }

    /// The name of the next copy: the name itself for a single copy if it is free, otherwise the first free number.
    fn name_of_copy(&self, name: &str, copies: u32) -> String {
        let taken: Vec<String> = self
            .roster
            .iter()
            .map(|character| fold(&character.name))
            .collect();
        let stem = fold(name);
        let is_numbered = |other: &String| {
            let number = other
                .strip_prefix(stem.as_str())
                .and_then(|rest| rest.strip_prefix(' '));
            number.is_some_and(|number| number.parse::<u32>().is_ok())
        };
        let has_others = taken.contains(&stem) || taken.iter().any(is_numbered);
        if copies == 1 && !has_others {
            return name.to_owned();
        }

        let mut number = 1;
        loop {
            let candidate = format!("{name} {number}");
            if !taken.contains(&fold(&candidate)) {
                return candidate;
            }
            number += 1;
        }
    }
}

/// The reset that a creature gives to its pool. `None` leaves that of the rules.
fn reset_of(pool: &CreaturePool) -> Option<Reset> {
    if let Some(recharge) = pool.recharge {
        return Some(Reset::Recharge(recharge));
    }
    if pool.resets_each_turn {
        return Some(Reset::Turn);
    }
    match pool.resets_after_rest {
        Some(RestKind::Short) => Some(Reset::ShortRest),
        Some(RestKind::Long) => Some(Reset::LongRest),
        None => None,
    }
}

fn describe_renaming(name: &str, renamed: Option<String>) -> String {
    match renamed {
        Some(new_name) => format!("{name} is now {new_name}"),
        None => String::new(),
    }
}

/// Lists the names of copies. Several copies with consecutive numbers are listed by the first and the last number:
/// `Goblin 1 to 4`.
fn list_copies(names: &[String]) -> String {
    let [first, .., last] = names else {
        return names.join(", ");
    };
    let last_number = match last.rsplit_once(' ') {
        Some((_, number)) => number.parse::<usize>().ok(),
        None => None,
    };
    let first_number = match first.rsplit_once(' ') {
        Some((_, number)) => number.parse::<usize>().ok(),
        None => None,
    };
    match (first_number, last_number) {
        (Some(from), Some(to)) if to + 1 == from + names.len() => format!("{first} to {to}"),
        _ => names.join(", "),
    }
}
