//! A player's tokens: one pool for all the characters that the player has (HFRPG, Bonuses & Penalties).
//! One of them holds it, and the others share it.

use super::{Character, CharacterId, Game, PoolId, PoolKind, TokenPool};
use tableside_rules::{Id, PoolOwner, PoolSpec};
use tableside_text::is_same_name;

/// Whether both names are one player's.
fn same(one: &str, other: &str) -> bool {
    !one.trim().is_empty() && is_same_name(one.trim(), other.trim())
}

impl Game {
    /// The pools that the rules give to players.
    fn purses(&self) -> Vec<&'static PoolSpec> {
        let pools = self.system.spec().pools.iter();
        pools
            .filter(|pool| pool.purse == PoolOwner::Player)
            .collect()
    }

    pub(super) fn held_by(&self, id: CharacterId, kind: Id) -> Option<&TokenPool> {
        let mut pools = self.pools.iter();
        pools.find(|pool| pool.owner == Some(id) && pool.kind == PoolKind::Rule(kind))
    }

    /// Whether a pool is that of the character's player, held by another of the player's characters. Who
    /// holds a pool of that kind shares no other.
    pub fn shares(&self, id: CharacterId, pool: &TokenPool) -> bool {
        let mut purses = self.purses().into_iter();
        let purse = purses.find(|purse| pool.kind == PoolKind::Rule(purse.id));
        let holder = pool.owner.and_then(|owner| self.character(owner));
        let (Some(purse), Some(holder), Some(one)) = (purse, holder, self.character(id)) else {
            return false;
        };
        holder.id != id && same(&holder.player, &one.player) && self.held_by(id, purse.id).is_none()
    }

    /// The pool of that kind that a player has already, held by somebody but this character.
    fn purse_of(&self, player: &str, kind: Id, but: CharacterId) -> Option<&TokenPool> {
        let others = self.roster.iter().filter(|other| other.id != but);
        let mut others = others.filter(|other| same(&other.player, player));
        others.find_map(|other| self.held_by(other.id, kind))
    }

    /// Gives a character a pool of the rules.
    pub(super) fn give_pool(&mut self, spec: &PoolSpec, owner: CharacterId) {
        let mut pool = TokenPool::from_rules(spec, Some(owner));
        pool.id = PoolId(self.take_id());
        self.pools.push(pool);
    }

    /// Has the other characters of a player go on with the pools that one holds who leaves the player.
    pub(super) fn leave_purses(&mut self, leaves: &Character) {
        for spec in self.purses() {
            let free = |other: &&Character| {
                let is_other = other.id != leaves.id && same(&other.player, &leaves.player);
                is_other && self.held_by(other.id, spec.id).is_none()
            };
            let heir = self.roster.iter().find(free).map(|one| one.id);
            let held = self.held_by(leaves.id, spec.id).map(|pool| pool.id);
            let held = held.filter(|_| heir.is_some());
            if let Some(pool) = held.and_then(|id| self.pool_mut(id)) {
                pool.owner = heir;
            }
        }
    }

    /// Has a character share the pools of the player whose it is now: they take in what it brings, and where
    /// there are none, the rules give them.
    pub(super) fn join_purses(&mut self, id: CharacterId) {
        let player = self.character(id).map(|one| one.player.clone());
        let player = player.unwrap_or_default();
        for spec in self.purses() {
            let held = self.held_by(id, spec.id).cloned();
            let theirs = self.purse_of(&player, spec.id, id).map(|pool| pool.id);
            match (held, theirs.and_then(|id| self.pool_mut(id))) {
                (Some(held), Some(theirs)) => {
                    theirs.tokens = theirs.within(theirs.tokens + held.tokens);
                    self.pools.retain(|pool| pool.id != held.id);
                }
                (None, None) => self.give_pool(spec, id),
                (Some(_), None) | (None, Some(_)) => {}
            }
        }
    }
}
