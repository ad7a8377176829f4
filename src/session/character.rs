//! A character: whose, on which side, in what condition, and the sheet.

use serde::{Deserialize, Serialize};

use crate::rules::Sheet;

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
    /// Its name.
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

/// Harm that a scene brought, as far as First Aid did not remove it (Gnosis, First Aid).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fresh {
    /// The stat that counts it: `wounds`, `traumas`.
    pub stat: String,
    /// The scene, by its place among all.
    pub scene: usize,
    /// How much of it.
    pub amount: i32,
}

/// Somebody in the game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Character {
    /// The number that events know it by.
    pub id: CharacterId,
    /// The name.
    pub name: String,
    /// Who plays it; empty for the GM's own.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub player: String,
    /// Whose side it is on.
    #[serde(default)]
    pub side: Allegiance,
    /// Whether players may not know of it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hidden: bool,
    /// Whether it is not here today: dimmed and skipped.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub absent: bool,
    /// Whether it has acted this round.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub acted: bool,
    /// The GM's private notes.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub notes: String,
    /// Its conditions, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<Condition>,
    /// What scenes brought that First Aid may remove, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fresh: Vec<Fresh>,
    /// The system's own stats.
    #[serde(with = "sheet_with_system")]
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
            fresh: Vec::new(),
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
    /// Its number.
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

/// A sheet that says its system, so that an event is read without knowing the session.
mod sheet_with_system {
    use std::collections::BTreeMap;

    use serde::de::{Deserialize, Deserializer, Error};
    use serde::ser::{Serialize, Serializer};

    use crate::rules::{Sheet, System, Value};

    #[derive(serde::Serialize)]
    struct Out<'a> {
        system: System,
        stats: &'a Sheet,
    }

    #[derive(serde::Deserialize)]
    struct In {
        system: System,
        stats: BTreeMap<String, Value>,
    }

    pub(super) fn serialize<S: Serializer>(sheet: &Sheet, to: S) -> Result<S::Ok, S::Error> {
        let system = sheet.system();
        Out {
            system,
            stats: sheet,
        }
        .serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Sheet, D::Error> {
        let In { system, mut stats } = In::deserialize(from)?;
        Sheet::from_values(system, |stat| stats.remove(stat)).map_err(D::Error::custom)
    }
}
