//! Characters, clocks and pools that are imported from another game or from lines of text.
//!
//! They refer to characters and clocks by name, because IDs of another game are different.

use serde::{Deserialize, Serialize};

use super::{
    Character, CharacterId, Clock, ClockId, Game, LinkEffect, PoolKind, Result, TokenPool, refused,
};
use tableside_text::is_same_name;

/// Characters, clocks and pools that are imported together. A clock or pool that the game already has is changed.
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

/// An imported clock, with references by name.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct ArrivingClock {
    /// The clock. Its owner and link are ignored.
    pub clock: Clock,
    #[serde(default)]
    pub owner: Option<String>,
    #[serde(default)]
    pub link: Option<ArrivingLink>,
    /// The character that rolls the check of the clock.
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

/// An imported pool.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct ArrivingPool {
    pub pool: TokenPool,
    /// The owner's name, `None` for a pool of the table.
    #[serde(default)]
    pub owner: Option<String>,
}

impl Game {
    /// Finds the owner of an imported entity by name.
    ///
    /// # Errors
    /// If the game has no such character.
    pub(super) fn arriving_owner(
        &self,
        entity: &str,
        owner: Option<&str>,
    ) -> Result<Option<CharacterId>> {
        let Some(owner) = owner else {
            return Ok(None);
        };

        let mut characters = self.roster.iter();
        match characters.find(|character| is_same_name(&character.name, owner)) {
            Some(character) => Ok(Some(character.id)),
            None => Err(refused(format!(
                "{entity} belongs to {owner}, and there is no character of that name here; add {owner} first"
            ))),
        }
    }

    /// Returns the clock of an owner by name.
    pub(super) fn clock_named(&self, owner: Option<CharacterId>, name: &str) -> Option<&Clock> {
        let mut clocks = self.clocks.iter();
        clocks.find(|clock| clock.owner == owner && is_same_name(&clock.name, name))
    }

    /// Returns the pool that an imported pool changes: the pool of the same rule, or of the same name.
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

    /// Returns an imported clock as a clock of this game, without its link. A clock that the game already has keeps its
    /// ID.
    pub(super) fn arriving_clock(&self, arriving: &ArrivingClock) -> Result<Clock> {
        let entity = format!("the clock {}", arriving.clock.name);
        let owner = self.arriving_owner(&entity, arriving.owner.as_deref())?;
        let mut clock = Clock {
            id: ClockId::default(),
            owner,
            link: None,
            host_clock: None,
            ..arriving.clock.clone()
        };

        if let Some(present) = self.clock_named(owner, &arriving.clock.name) {
            clock.id = present.id;
            clock.link = present.link;
            clock.host_clock = present.host_clock;
            clock.rule = present.rule;
            if clock.check.is_none() {
                clock.check.clone_from(&present.check);
            }
        }

        if let Some(check) = &mut clock.check
            && let Some(roller) = &arriving.roller
        {
            check.who = self.arriving_owner(&entity, Some(roller))?;
        }
        Ok(clock)
    }
}
