//! A character: whose, on which side, in what condition, and the sheet.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::roll::pairs;
use crate::rules::{Sheet, System, Value};

/// The number of a character within its session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CharacterId(pub u32);

/// Whose side a character is on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Allegiance {
    /// A player's character.
    #[default]
    Party,
    /// With them.
    Ally,
    /// Against them.
    Adversary,
    /// Neither.
    Apathetic,
}

impl Allegiance {
    /// All sides, in order.
    pub const ALL: [Self; 4] = [Self::Party, Self::Ally, Self::Adversary, Self::Apathetic];

    /// Its name in files and on the screen.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Party => "party",
            Self::Ally => "ally",
            Self::Adversary => "adversary",
            Self::Apathetic => "apathetic",
        }
    }
}

/// Something that a character suffers or enjoys for a while.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Condition {
    pub name: String,
    /// How much of it, where it has levels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<i32>,
    /// How many rounds it lasts, where it ends by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rounds: Option<u32>,
    /// Whether it loses a level with every round, and ends with the last.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub fades: bool,
}

/// Somebody in the game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(into = "Written", try_from = "Written")]
pub struct Character {
    /// The number that events know it by.
    pub id: CharacterId,
    pub name: String,
    /// Who plays it; empty for the GM's own.
    pub player: String,
    pub side: Allegiance,
    /// Whether players may not know of it.
    pub hidden: bool,
    /// Whether it is not here today: dimmed and skipped.
    pub absent: bool,
    /// Whether it has acted this round.
    pub acted: bool,
    /// The GM's private notes.
    pub notes: String,
    /// Its conditions, oldest first.
    pub conditions: Vec<Condition>,
    /// Harm that scenes brought, as far as First Aid did not remove it (Gnosis, First Aid): how much, by the
    /// place of the scene among all and the stat that counts it, `3 wounds`.
    pub fresh: BTreeMap<String, i32>,
    pub sheet: Sheet,
}

impl Character {
    /// A new member of the party with the system's defaults; its number is given when it joins.
    pub fn new(name: impl Into<String>, sheet: Sheet) -> Self {
        Self {
            id: CharacterId(0),
            name: name.into(),
            player: String::new(),
            side: Allegiance::Party,
            hidden: false,
            absent: false,
            acted: false,
            notes: String::new(),
            conditions: Vec::new(),
            fresh: BTreeMap::new(),
            sheet,
        }
    }

    /// Whether it takes part today.
    pub fn is_here(&self) -> bool {
        !self.absent
    }
}

/// A character that was taken away, as far as the log still needs it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Departed {
    pub id: CharacterId,
    /// Its name when it went.
    pub name: String,
    /// Whether it was hidden from players then; it stays so.
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

/// A character as files and events hold it. The sheet says its system, so that it is read by itself.
#[derive(Serialize, Deserialize)]
struct Written {
    id: CharacterId,
    name: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    player: String,
    #[serde(default)]
    side: Allegiance,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    hidden: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    absent: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    acted: bool,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    notes: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    conditions: Vec<Condition>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    fresh: BTreeMap<String, i32>,
    #[serde(with = "pairs")]
    sheet: Vec<(String, Value)>,
}

const SYSTEM: &str = "system";

impl From<Character> for Written {
    fn from(character: Character) -> Self {
        let system = (SYSTEM.to_owned(), character.sheet.system().spec().id.into());
        let stats = character.sheet.iter();
        let stats = stats.map(|(stat, value)| (stat.id.to_owned(), value.clone()));
        Self {
            id: character.id,
            name: character.name,
            player: character.player,
            side: character.side,
            hidden: character.hidden,
            absent: character.absent,
            acted: character.acted,
            notes: character.notes,
            conditions: character.conditions,
            fresh: character.fresh,
            sheet: std::iter::once(system).chain(stats).collect(),
        }
    }
}

impl TryFrom<Written> for Character {
    type Error = String;

    fn try_from(written: Written) -> Result<Self, String> {
        let wrong = |why: String| format!("the character {}: {why}", written.name);
        let value = |name: &str| {
            let mut values = written.sheet.iter();
            let found = values.find(|(known, _)| known == name);
            found.map(|(_, value)| value.clone())
        };
        let system = value(SYSTEM).unwrap_or_else(|| "".into()).to_string();
        let system: System = system.parse().map_err(|error| wrong(format!("{error}")))?;
        let sheet = Sheet::from_values(system, value).map_err(|error| wrong(error.to_string()))?;
        Ok(Self {
            id: written.id,
            name: written.name,
            player: written.player,
            side: written.side,
            hidden: written.hidden,
            absent: written.absent,
            acted: written.acted,
            notes: written.notes,
            conditions: written.conditions,
            fresh: written.fresh,
            sheet,
        })
    }
}
