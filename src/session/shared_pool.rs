//! A player's tokens: one pool for all the characters that the player has (HFRPG, Bonuses & Penalties).
//! One of them holds it, and the others share it.

use super::{Change, Character, CharacterId, PoolId, PoolKind, Session, TokenPool};
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

    /// Who goes on with a player's pool when its holder leaves it.
    pub(super) fn heir(&self, pool: &TokenPool) -> Option<CharacterId> {
        let mut everybody = self.roster.iter().map(|one| one.id);
        everybody.find(|id| self.shares(*id, pool))
    }

    /// What becomes of players' pools when a character goes to another player: what the old player's other
    /// characters share stays with them, and what the new player has takes in the rest.
    pub(super) fn purses_after(&self, before: &Character, player: &str) -> Vec<Change> {
        let mut changes = Vec::new();
        let mut next = self.next_id;
        let mut gone = Vec::new();
        for spec in self.purses() {
            let held = self.held_by(before.id, spec.kind);
            let theirs = self.purse_of(player, spec.kind, before.id);
            let heir = held.and_then(|pool| self.heir(pool));
            let place = |pool: &TokenPool| self.pools.iter().position(|one| one.id == pool.id);
            if let (Some(pool), Some(heir)) = (held, heir) {
                changes.push(Change::Pool {
                    at: place(pool).unwrap_or_default(),
                    from: Some(Box::new(pool.clone())),
                    to: Some(Box::new(pool.passed_to(heir))),
                });
            }
            match (held.filter(|_| heir.is_none()), theirs) {
                (Some(pool), Some(theirs)) => {
                    let to = theirs.within(theirs.tokens + pool.tokens);
                    if to != theirs.tokens {
                        changes.push(Change::Tokens {
                            pool: theirs.id,
                            from: theirs.tokens,
                            to,
                        });
                    }
                    gone.push(Change::Pool {
                        at: place(pool).unwrap_or_default(),
                        from: Some(Box::new(pool.clone())),
                        to: None,
                    });
                }
                (None, None) => {
                    let mut pool = TokenPool::from_rules(spec, Some(before.id));
                    pool.id = PoolId(next);
                    changes.push(Change::Pool {
                        at: self.pools.len() + usize::try_from(next - self.next_id).unwrap_or(0),
                        from: None,
                        to: Some(Box::new(pool)),
                    });
                    next += 1;
                }
                (Some(_), None) | (None, Some(_)) => {}
            }
        }
        // What goes, goes last: places before it stay what they are.
        changes.extend(gone);
        changes
    }
}
