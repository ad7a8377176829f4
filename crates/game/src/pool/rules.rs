//! The rules of the system for a pool of a game.

use crate::{CharacterId, Game, PoolId, Reset, TokenPool};
use tableside_rules::{AtEnd, PlayerMoves, RestKind};

impl Game {
    /// The pool of a character whose tokens the GM awards. `None` if the rules name none.
    pub fn award_pool(&self, who: CharacterId) -> Option<PoolId> {
        let mut pools = self.pools.iter();
        let pool = pools.find(|pool| {
            let spec = self.pool_spec(pool);
            pool.owner == Some(who) && spec.is_some_and(|spec| spec.is_award)
        })?;
        Some(pool.id)
    }

    /// The changes that players make themselves to a pool of their character.
    pub fn player_moves(&self, pool: &TokenPool) -> PlayerMoves {
        match self.pool_spec(pool) {
            Some(spec) => spec.players,
            None => PlayerMoves::default(),
        }
    }

    /// When a pool goes back to its start, by its own setting or by the rules.
    pub fn reset_of(&self, pool: &TokenPool) -> Reset {
        let spec = match self.pool_spec(pool) {
            Some(spec) if pool.reset == Reset::Never => spec,
            _ => return pool.reset,
        };
        if spec.resets_each_turn {
            return Reset::Turn;
        }
        if let Some(recharge) = spec.recharge {
            return Reset::Recharge(recharge);
        }
        match spec.resets_after_rest {
            Some(RestKind::Short) => Reset::ShortRest,
            Some(RestKind::Long) => Reset::LongRest,
            None if spec.at_scene_end == AtEnd::Reset => Reset::Scene,
            None => Reset::Never,
        }
    }
}
