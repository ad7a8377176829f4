//! Applying an event to the state of a game.

use super::change::group_by_entity;
use super::{Character, CharacterId, Clock, ClockId, Event, EventKind, Game, PoolId, TokenPool};

impl Game {
    /// Applies the changes of an event, without failing and without rolling dice. A change of an entity that the game
    /// does not have is skipped.
    pub fn apply(&mut self, event: &Event) {
        for group in group_by_entity(&event.changes) {
            let mut stored = self.stored(group.entity);
            let mut index = 0;

            for change in group.changes {
                if change.part.is_whole() {
                    index = change.index;
                } else if stored.is_null() {
                    continue;
                }
                change.part.set_in(&mut stored, change.to.clone());
            }

            // An old event may contain a value that the current rules refuse. The entity then stays unchanged.
            let _refused = self.restore(group.entity, index, &stored);
        }
        self.normalise();

        self.entries += 1;
        if matches!(event.what, EventKind::Rolled(_)) {
            self.rolls += 1;
        }
    }

    /// Locks an attempt, so that the character may not make it again. Keeps the locks sorted.
    pub(super) fn lock(&mut self, character: CharacterId, about: &str, by_gm: bool) {
        let lock = (character, about.to_owned());
        if by_gm {
            self.gm_locks.push(lock.clone());
            self.gm_locks.sort();
            self.gm_locks.dedup();
        }

        self.locks.push(lock);
        self.locks.sort();
        self.locks.dedup();
    }

    /// Sets the number of tokens in a pool. `counted_gain` is the part of a gain that counts towards the pool's limit
    /// for this scene.
    pub(super) fn set_tokens(&mut self, id: PoolId, tokens: i32, counted_gain: i32) {
        let Some(pool) = self.pool_mut(id) else {
            return;
        };
        pool.tokens = tokens;
        if let Some(gains) = &mut pool.gains {
            gains.this_scene += counted_gain;
        }
    }

    pub(super) fn character_mut(&mut self, id: CharacterId) -> Option<&mut Character> {
        self.roster.find_mut(&id, |character| character.id)
    }

    pub(super) fn clock_mut(&mut self, id: ClockId) -> Option<&mut Clock> {
        self.clocks.find_mut(&id, |clock| clock.id)
    }

    pub(super) fn pool_mut(&mut self, id: PoolId) -> Option<&mut TokenPool> {
        self.pools.find_mut(&id, |pool| pool.id)
    }
}
