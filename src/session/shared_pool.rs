//! A player's tokens: one pool for all the characters that the player has (HFRPG, Bonuses & Penalties).
//! One of them holds it, and the others share it.

use super::{Character, CharacterId, PoolId, PoolKind, Session, TokenPool};
use crate::rules::{PoolSpec, Purse, TokenKind};
use crate::text::is_same;

/// Whether both names are one player's.
fn same(one: &str, other: &str) -> bool {
    !one.trim().is_empty() && is_same(one.trim(), other.trim())
}

impl Session {
    /// The pools that the rules give to players.
    fn purses(&self) -> impl Iterator<Item = &'static PoolSpec> {
        let pools = self.system.spec().pools.iter();
        pools.filter(|pool| pool.purse == Purse::Player)
    }

    fn held_by(&self, id: CharacterId, kind: TokenKind) -> Option<&TokenPool> {
        let mut pools = self.pools.iter();
        pools.find(|pool| pool.owner == Some(id) && pool.kind == PoolKind::Rule(kind))
    }

    /// Whether a pool is that of the character's player, held by another of the player's characters. Who
    /// holds a pool of that kind shares no other.
    pub(crate) fn shares(&self, id: CharacterId, pool: &TokenPool) -> bool {
        let mut purses = self.purses();
        let purse = purses.find(|purse| pool.kind == PoolKind::Rule(purse.kind));
        let holder = pool.owner.and_then(|owner| self.character(owner));
        let (Some(purse), Some(holder), Some(one)) = (purse, holder, self.character(id)) else {
            return false;
        };
        holder.id != id
            && same(&holder.player, &one.player)
            && self.held_by(id, purse.kind).is_none()
    }

    /// The pool of that kind that a player has already, held by somebody but this character.
    pub(super) fn purse_of(
        &self,
        player: &str,
        kind: TokenKind,
        but: CharacterId,
    ) -> Option<&TokenPool> {
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

    /// Who goes on with a player's pool when its holder leaves it.
    pub(super) fn heir(&self, pool: &TokenPool) -> Option<CharacterId> {
        let mut everybody = self.roster.iter().map(|one| one.id);
        everybody.find(|id| self.shares(*id, pool))
    }

    /// Makes the players' pools follow a character to another player: what the old player's other characters
    /// share stays with them, and what the new player has takes in the rest.
    pub(super) fn hand_over_purses(&mut self, before: &Character, player: &str) {
        for spec in self.system.spec().pools {
            if spec.purse != Purse::Player {
                continue;
            }
            let held = self.held_by(before.id, spec.kind).cloned();
            let theirs = self.purse_of(player, spec.kind, before.id);
            let theirs = theirs.map(|pool| pool.id);
            let heir = held.as_ref().and_then(|pool| self.heir(pool));
            let passed = held.as_ref().filter(|_| heir.is_some());
            if let Some(pool) = passed.and_then(|held| self.pool_mut(held.id)) {
                pool.owner = heir;
            }
            match (held.filter(|_| heir.is_none()), theirs) {
                (Some(held), Some(theirs)) => {
                    if let Some(pool) = self.pool_mut(theirs) {
                        pool.tokens = pool.within(pool.tokens + held.tokens);
                    }
                    self.pools.retain(|pool| pool.id != held.id);
                }
                (None, None) => self.give_pool(spec, before.id),
                (Some(_), None) | (None, Some(_)) => {}
            }
        }
    }
}
