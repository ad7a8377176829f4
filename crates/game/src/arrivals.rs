//! What comes into a game from outside, whole: characters with their clocks and pools, from another game or from lines.
//!
//! It refers to characters and clocks by name, because the numbers of another game mean nothing here.

use serde::{Deserialize, Serialize};

use super::{
    Character, CharacterId, Clock, ClockId, Game, LinkEffect, PoolKind, Result, TokenPool, refused,
};
use tableside_text::is_same_name;

/// Characters, clocks and pools that come together. A clock or pool that is there already is changed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Arrivals {
    #[serde(default)]
    pub characters: Vec<Character>,
    #[serde(default)]
    pub clocks: Vec<ArrivingClock>,
    #[serde(default)]
    pub pools: Vec<ArrivingPool>,
}

/// A clock, with whom and what it refers to by name.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct ArrivingClock {
    /// Its owner and its link are not read.
    pub clock: Clock,
    #[serde(default)]
    pub owner: Option<String>,
    #[serde(default)]
    pub link: Option<ArrivingLink>,
    /// Who rolls the check that fills it.
    #[serde(default)]
    pub roller: Option<String>,
}

/// A link to a clock by name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct ArrivingLink {
    pub to: String,
    /// The owner of the other clock.
    #[serde(default)]
    pub owner: Option<String>,
    #[serde(rename = "then")]
    pub effect: LinkEffect,
}

/// A pool, with its owner by name. `None` is the table.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct ArrivingPool {
    pub pool: TokenPool,
    #[serde(default)]
    pub owner: Option<String>,
}

impl Game {
    /// The character whom something that arrives belongs to.
    pub(super) fn arriving_owner(
        &self,
        thing: &str,
        owner: Option<&str>,
    ) -> Result<Option<CharacterId>> {
        let Some(owner) = owner else {
            return Ok(None);
        };
        match self
            .roster
            .iter()
            .find(|one| is_same_name(&one.name, owner))
        {
            Some(known) => Ok(Some(known.id)),
            None => Err(refused(format!(
                "{thing} belongs to {owner}, and there is no character of that name here; add {owner} first"
            ))),
        }
    }

    /// The clock of that owner and name.
    pub(super) fn clock_named(&self, owner: Option<CharacterId>, name: &str) -> Option<&Clock> {
        let mut clocks = self.clocks.iter();
        clocks.find(|clock| clock.owner == owner && is_same_name(&clock.name, name))
    }

    /// The pool that is meant: the rules' own of that owner, or the one of that name.
    pub(super) fn pool_like(
        &self,
        owner: Option<CharacterId>,
        pool: &TokenPool,
    ) -> Option<&TokenPool> {
        let mut pools = self.pools.iter().filter(|known| known.owner == owner);
        match pool.kind {
            PoolKind::Rule(_) => pools.find(|known| known.kind == pool.kind),
            PoolKind::Own => pools.find(|known| is_same_name(&known.name, &pool.name)),
        }
    }

    /// The clock as it is to be kept here, but for its link: under the number of the one that it changes.
    pub(super) fn arriving_clock(&self, arriving: &ArrivingClock) -> Result<Clock> {
        let thing = format!("the clock {}", arriving.clock.name);
        let owner = self.arriving_owner(&thing, arriving.owner.as_deref())?;
        let before = self.clock_named(owner, &arriving.clock.name);
        let mut clock = Clock {
            id: before.map_or_else(ClockId::default, |before| before.id),
            owner,
            link: before.and_then(|before| before.link),
            host_clock: before.and_then(|before| before.host_clock),
            ..arriving.clock.clone()
        };
        if let Some(before) = before {
            clock.rule = before.rule;
            if clock.check.is_none() {
                clock.check.clone_from(&before.check);
            }
        }
        if let Some(check) = &mut clock.check
            && let Some(roller) = &arriving.roller
        {
            check.who = self.arriving_owner(&thing, Some(roller))?;
        }
        Ok(clock)
    }
}
