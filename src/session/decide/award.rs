//! Tokens without a roll: what an aspect that complicates life gains, and what people give.

use crate::rules::{TokenKind, heart_rush};
use crate::session::fill::ranked;
use crate::session::{CharacterId, CommandError, Event, LONGEST_NAME, PoolId, Session, TokenPool};
use crate::text::sanitise;

/// The lists of a sheet that hold aspects; wounds are aspects too (Heart Rush, Wounds).
const ASPECTS: [&str; 2] = ["aspects", "wounds"];

impl Session {
    /// A negative invocation by a complication gains the aspect's rank, within the scene's limit (Heart
    /// Rush, Negative Invocation; house rule `scene-cap`).
    pub(super) fn decide_complicate(
        &self,
        who: CharacterId,
        aspect: &str,
    ) -> Result<Event, CommandError> {
        let character = self.known_character(who)?;
        let mut lists = ASPECTS.into_iter().map(|list| character.sheet.ranks(list));
        let found = lists.clone().find_map(|ranks| ranked(ranks, aspect.trim()));
        let pool = self.pool_of(TokenKind::Destiny, Some(who));
        let (Some((rank, name)), Some(pool)) = (found, pool) else {
            let names: Vec<&str> = lists
                .by_ref()
                .flatten()
                .map(|(name, _)| name.as_str())
                .collect();
            return Err(CommandError::Unknown {
                kind: "aspect",
                given: aspect.chars().take(40).collect(),
                known: match names.as_slice() {
                    [] => String::new(),
                    names => format!("; {} has {}", character.name, names.join(", ")),
                },
            });
        };
        let rank = match rank {
            crate::rules::Value::Number(rank) => rank,
            _ => 0,
        };
        let gain = pool.gain(rank);
        let cut = rank > gain.scene && self.house.departs(&heart_rush::SCENE_CAP);
        if let Some(gains) = pool.gains.filter(|_| cut || gain.scene == 0) {
            return Err(CommandError::SceneCap {
                owner: character.name.clone(),
                pool: pool.name.clone(),
                gained: gains.this_scene,
                most: gains.most,
                more: rank,
            });
        }
        let why = [Some(format!("{name} complicates life")), gain.kept_back];
        let why: Vec<String> = why.into_iter().flatten().collect();
        self.gained(pool, gain.scene, gain.booked, &why.join("; "))
    }

    /// A plain award, which no scene's limit counts.
    pub(super) fn decide_award(
        &self,
        pool: PoolId,
        amount: i32,
        why: &str,
    ) -> Result<Event, CommandError> {
        let pool = self.known_pool(pool)?;
        if amount < 1 {
            return Err(CommandError::Unchanged);
        }
        self.gained(pool, amount, 0, &sanitise(why.trim(), LONGEST_NAME))
    }

    /// So many tokens more; `counts` of them count toward what a scene gives at most.
    fn gained(
        &self,
        pool: &TokenPool,
        amount: i32,
        counts: i32,
        why: &str,
    ) -> Result<Event, CommandError> {
        let to = pool.within(pool.tokens.saturating_add(amount));
        if to == pool.tokens {
            return Err(self.at_end(pool, amount));
        }
        Ok(self.counted(pool, to, counts, why))
    }
}
