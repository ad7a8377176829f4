//! Characters, clocks and pools that are imported from another game or from lines of text.
//!
//! Imported entities refer to characters and clocks by name, because another game has other IDs.

use serde::{Deserialize, Serialize};

use super::{
    Character, CharacterId, Clock, ClockId, Game, LinkEffect, PoolKind, Result, TokenPool, refused,
};
use tableside_text::is_same_name;

/// Characters, clocks and pools that are imported together. A clock or pool that the game already has is updated.
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
    /// The clock itself. `owner` and `link` below replace the owner and the link in it.
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
    /// The name of the linked clock's owner.
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
    /// Finds a character to which an imported entity refers by name. `reference` is the beginning of the error, up to
    /// the name: `the clock Stress belongs to`.
    ///
    /// # Errors
    /// Returns an error if the game has no such character.
    pub(super) fn arriving_character(
        &self,
        reference: &str,
        name: Option<&str>,
    ) -> Result<Option<CharacterId>> {
        let Some(name) = name else {
            return Ok(None);
        };

        let mut characters = self.roster.iter();
        match characters.find(|character| is_same_name(&character.name, name)) {
            Some(character) => Ok(Some(character.id)),
            None => Err(refused(format!(
                "{reference} {name}, and this game has no character of that name; add {name} first"
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
        let name = &arriving.clock.name;
        let belongs_to = format!("the clock {name} belongs to");
        let owner = self.arriving_character(&belongs_to, arriving.owner.as_deref())?;
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
            let is_rolled_by = format!("the check of the clock {name} is always rolled by");
            check.who = self.arriving_character(&is_rolled_by, Some(roller))?;
        }
        Ok(clock)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AttachedCheck, Segments};
    use tableside_rules::System;

    #[test]
    fn an_import_names_the_reference_to_a_missing_character() {
        let game = Game::new(System::HEART_RUSH);
        let clock = Clock {
            check: Some(Box::new(AttachedCheck::new("skill"))),
            ..Clock::new("The door", Segments::default())
        };
        let owned = ArrivingClock {
            clock: clock.clone(),
            owner: Some("Mira".to_owned()),
            ..ArrivingClock::default()
        };
        let rolled = ArrivingClock {
            clock: clock.clone(),
            roller: Some("Mira".to_owned()),
            ..ArrivingClock::default()
        };

        let rest = "Mira, and this game has no character of that name; add Mira first";
        let error = game.arriving_clock(&owned).unwrap_err().to_string();
        assert_eq!(error, format!("the clock The door belongs to {rest}"));
        let error = game.arriving_clock(&rolled).unwrap_err().to_string();
        let subject = "the check of the clock The door is always rolled by";
        assert_eq!(error, format!("{subject} {rest}"));
    }
}
