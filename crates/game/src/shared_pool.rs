//! Pools of players: one pool of tokens for all characters of a player (HFRPG, Bonuses & Penalties).
//!
//! One of the characters holds the pool, and the others share it.

use super::{Character, CharacterId, Game, PoolId, PoolKind, TokenPool};
use tableside_rules::{Id, PoolOwner, PoolSpec};
use tableside_text::is_same_name;

/// True if both names are those of the same player.
fn is_same_player(name: &str, other: &str) -> bool {
    let is_named = !name.trim().is_empty();
    is_named && is_same_name(name.trim(), other.trim())
}

impl Game {
    /// The pools that the rules give to players.
    fn player_pools(&self) -> impl Iterator<Item = &'static PoolSpec> + use<> {
        let pools = self.system.spec().pools;
        pools.iter().filter(|pool| pool.purse == PoolOwner::Player)
    }

    /// The pool of this kind that a character holds.
    pub(super) fn held_by(&self, id: CharacterId, kind: Id) -> Option<&TokenPool> {
        let kind = PoolKind::Rule(kind);
        let mut pools = self.pools.iter();
        pools.find(|pool| pool.owner == Some(id) && pool.kind == kind)
    }

    /// The pools that a character shares, because another character of the same player holds them.
    ///
    /// A character that holds a pool of a kind shares no other pool of that kind.
    pub fn shared_pools(&self, id: CharacterId) -> Vec<PoolId> {
        let Some(character) = self.character(id) else {
            return Vec::new();
        };
        if character.player.trim().is_empty() {
            return Vec::new();
        }

        let missing_kinds: Vec<PoolKind> = self
            .player_pools()
            .filter(|spec| self.held_by(id, spec.id).is_none())
            .map(|spec| PoolKind::Rule(spec.id))
            .collect();
        if missing_kinds.is_empty() {
            return Vec::new();
        }

        let holders = self.other_characters_of_player(character);
        let mut shared_pools = Vec::new();
        for pool in &self.pools {
            if let Some(owner) = pool.owner
                && holders.contains(&owner)
                && missing_kinds.contains(&pool.kind)
            {
                shared_pools.push(pool.id);
            }
        }

        shared_pools
    }

    fn other_characters_of_player(&self, character: &Character) -> Vec<CharacterId> {
        self.roster
            .iter()
            .filter(|other| other.id != character.id)
            .filter(|other| is_same_player(&other.player, &character.player))
            .map(|other| other.id)
            .collect()
    }

    /// The pool of this kind that another character of the player holds.
    fn pool_of_player(&self, player: &str, kind: Id, except: CharacterId) -> Option<&TokenPool> {
        self.roster
            .iter()
            .filter(|other| other.id != except)
            .filter(|other| is_same_player(&other.player, player))
            .find_map(|other| self.held_by(other.id, kind))
    }

    /// Returns a new pool as the pool of the rules that has its name, if the rules have an optional one. Other pools stay
    /// as they are.
    pub(super) fn adopted_by_rules(&self, pool: TokenPool) -> TokenPool {
        let pools = self.system.spec().pools;
        let spec = pools
            .iter()
            .find(|spec| spec.is_optional && is_same_name(spec.name, &pool.name));
        let (Some(spec), Some(owner), PoolKind::Own) = (spec, pool.owner, pool.kind) else {
            return pool;
        };

        let given = TokenPool::from_rules(spec, Some(owner));
        let start = if spec.absorbs_damage {
            given.start
        } else {
            given.within(pool.start)
        };
        TokenPool {
            tokens: given.within(pool.tokens),
            start,
            thresholds: pool.thresholds,
            ..given
        }
    }

    /// Gives a character a pool of the rules.
    pub(super) fn give_pool(&mut self, spec: &PoolSpec, owner: CharacterId) {
        let mut pool = TokenPool::from_rules(spec, Some(owner));
        pool.id = PoolId(self.take_id());
        if let Some(start) = self.start_on_sheet(spec, owner) {
            pool.start = start;
            pool.tokens = start;
            pool.cap = pool.cap.map(|_| start);
        }
        self.pools.push(pool);
    }

    /// The start of a pool that a stat of its owner decides, within the bounds of the pool. `None` for other pools.
    fn start_on_sheet(&self, spec: &PoolSpec, owner: CharacterId) -> Option<i32> {
        let number = self.character(owner)?.sheet.number(spec.start_stat?)?;
        let at_most = number.min(spec.cap.unwrap_or(i32::MAX));
        Some(at_most.max(spec.floor.unwrap_or(i32::MIN)))
    }

    /// Adapts the pools of a character whose start is a stat that has changed, such as the level. The tokens and the
    /// maximum change by as much as the start.
    pub(super) fn follow_start_stats(&mut self, before: &Character) {
        for spec in self.system.spec().pools {
            let Some(stat) = spec.start_stat else {
                continue;
            };
            let Some(start) = self.start_on_sheet(spec, before.id) else {
                continue;
            };
            let was_start = before.sheet.number(stat);
            let is_now = self
                .character(before.id)
                .and_then(|now| now.sheet.number(stat));
            if was_start == is_now {
                continue;
            }

            let held = self.held_by(before.id, spec.id).map(|pool| pool.id);
            if let Some(pool) = held.and_then(|id| self.pool_mut(id)) {
                let tokens = pool.tokens + start - pool.start;
                pool.start = start;
                pool.cap = pool.cap.map(|_| start);
                pool.tokens = pool.within(tokens);
            }
        }
    }

    /// Hands the pools that a character holds for a player to another character of that player.
    pub(super) fn leave_player_pools(&mut self, leaving: &Character) {
        for spec in self.player_pools() {
            let candidates = self.other_characters_of_player(leaving);
            let heir = candidates
                .into_iter()
                .find(|other| self.held_by(*other, spec.id).is_none());
            let Some(heir) = heir else {
                continue;
            };

            let Some(held) = self.held_by(leaving.id, spec.id) else {
                continue;
            };
            let pool_id = held.id;
            if let Some(pool) = self.pool_mut(pool_id) {
                pool.owner = Some(heir);
            }
        }
    }

    /// Merges the pools that a character holds into those of the character's player. If the player has no pool yet, the
    /// rules give one.
    pub(super) fn join_player_pools(&mut self, id: CharacterId) {
        let player = match self.character(id) {
            Some(character) => character.player.clone(),
            None => String::new(),
        };

        for spec in self.player_pools() {
            let held = self.held_by(id, spec.id).cloned();
            let shared = self.pool_of_player(&player, spec.id, id);
            let shared_id = shared.map(|pool| pool.id);
            match (held, shared_id.and_then(|id| self.pool_mut(id))) {
                (Some(held), Some(shared)) => {
                    shared.tokens = shared.within(shared.tokens + held.tokens);
                    self.pools.retain(|pool| pool.id != held.id);
                }
                (None, None) => self.give_pool(spec, id),
                (Some(_), None) | (None, Some(_)) => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tableside_rules::{Sheet, System};

    fn character(id: u32, player: &str) -> Character {
        let mut character = Character::new(format!("Character {id}"), Sheet::new(System::HFRPG));
        character.id = CharacterId(id);
        character.player = player.to_owned();
        character
    }

    #[test]
    fn the_other_characters_of_a_player_share_the_pool_that_one_holds() {
        let mut game = Game::new(System::HFRPG);
        for (id, player) in [(1, "Ann"), (2, "ann"), (3, "Bo"), (4, "")] {
            game.roster.push(character(id, player));
        }
        let spec = game.player_pools().next().unwrap();
        game.give_pool(spec, CharacterId(1));

        let pool = game.held_by(CharacterId(1), spec.id).unwrap().id;
        assert_eq!(game.shared_pools(CharacterId(2)), [pool]);
        for id in [1, 3, 4, 5] {
            let shared = game.shared_pools(CharacterId(id));
            assert!(shared.is_empty(), "character {id}");
        }

        game.give_pool(spec, CharacterId(2));
        assert!(
            game.shared_pools(CharacterId(2)).is_empty(),
            "it has a pool"
        );
    }
}
