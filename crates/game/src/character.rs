//! Characters: players' characters, allies and adversaries.

mod condition;
mod recent_harm;
mod sheet_form;

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use strum::IntoStaticStr;

use super::{CharacterId, Initiative};
use tableside_rules::Sheet;
use tableside_text::is_same_name;

pub use condition::{Condition, ConditionEnd, DYING, is_noun};

/// The side that a character is on.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, IntoStaticStr,
)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case", const_into_str)]
pub enum Allegiance {
    /// A player's character.
    #[default]
    Party,
    Ally,
    Adversary,
    // Saved games have the former word.
    #[serde(rename = "apathetic")]
    Neutral,
    /// The sheet of a group that the party shares: a crew, a ship, a base. It takes no turns and is no opponent.
    Crew,
}

impl Allegiance {
    pub const ALL: [Self; 5] = [
        Self::Party,
        Self::Ally,
        Self::Adversary,
        Self::Neutral,
        Self::Crew,
    ];

    /// True if the two sides fight together.
    pub fn is_with(self, other: Self) -> bool {
        let is_friendly = |side| matches!(side, Self::Party | Self::Ally | Self::Crew);
        self == other || (is_friendly(self) && is_friendly(other))
    }
}

/// A character of the game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Character {
    pub id: CharacterId,
    pub name: String,
    /// The name of the player, empty for a character of the GM.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub player: String,
    #[serde(default)]
    pub side: Allegiance,
    /// True if players do not see the character.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hidden: bool,
    /// True if the character is not in play today.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub absent: bool,
    /// True if the character has acted this round.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub acted: bool,
    /// The number in the turn order; the highest acts first. `None` if the character takes no turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub initiative: Option<Initiative>,
    /// The GM's private notes.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub notes: String,
    /// The conditions, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<Condition>,
    /// Harm from recent scenes that First Aid has not removed (Gnosis, First Aid), by a key of the scene's index and
    /// the stat that counts the harm: `3 wounds`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub fresh: BTreeMap<String, i32>,
    #[serde(with = "sheet_form")]
    pub sheet: Sheet,
    /// A word for the state of a character whose sheet is redacted, such as `hurt`. Empty if the rules count no harm.
    /// `None` if the sheet is not redacted.
    #[serde(skip)]
    pub health: Option<&'static str>,
}

impl Character {
    /// Creates a present member of the party. The character gets its ID when it is added to a game.
    pub fn new(name: impl Into<String>, sheet: Sheet) -> Self {
        Self {
            id: CharacterId(0),
            name: name.into(),
            player: String::new(),
            side: Allegiance::Party,
            hidden: false,
            absent: false,
            acted: false,
            initiative: None,
            notes: String::new(),
            conditions: Vec::new(),
            fresh: BTreeMap::new(),
            sheet,
            health: None,
        }
    }

    /// True if the character has a condition of this name.
    pub fn suffers(&self, name: &str) -> bool {
        let mut conditions = self.conditions.iter();
        conditions.any(|condition| is_same_name(&condition.name, name))
    }

    /// The sort key of the turn order: characters with an initiative, the highest first, then the others.
    pub fn place_in_turn(&self) -> (bool, Reverse<Initiative>) {
        match self.initiative {
            Some(initiative) if self.is_combatant() => (false, Reverse(initiative)),
            _ => (true, Reverse(Initiative::default())),
        }
    }

    /// True if the character belongs to the party and is present.
    pub fn is_in_party(&self) -> bool {
        self.side == Allegiance::Party && self.is_here()
    }

    /// True if the character is in play today and takes part in fights.
    pub fn is_combatant(&self) -> bool {
        self.is_here() && self.side != Allegiance::Crew
    }

    /// True if the character is in play today.
    pub fn is_here(&self) -> bool {
        !self.absent
    }
}

/// The parts of a removed character that the log still needs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Departed {
    pub id: CharacterId,
    /// The name at the time of the removal.
    pub name: String,
    /// True if the character was hidden at the time of the removal. A hidden character stays hidden in the log.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hidden: bool,
}

impl From<&Character> for Departed {
    fn from(character: &Character) -> Self {
        Self {
            id: character.id,
            name: character.name.clone(),
            hidden: character.hidden,
        }
    }
}
