//! Where the value of a field came from.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Character, CharacterId};
use tableside_text::join;

/// A character, and its name when something happened.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Named {
    /// Which character.
    pub id: CharacterId,
    /// Its name then.
    pub name: String,
}

impl From<&Character> for Named {
    fn from(character: &Character) -> Self {
        Self {
            id: character.id,
            name: character.name.clone(),
        }
    }
}

/// Where the value of a field came from: `Agility` of the own sheet, `Ogre: Might` of somebody else's, or
/// `Ana, Bo`, who help.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default)]
pub struct Origin {
    /// On whose sheets; nobody where it is the own one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub of: Vec<Named>,
    /// What it is called there; empty where the characters are all there is to say.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub what: String,
}

/// What is called so on the own sheet.
impl<T: Into<String>> From<T> for Origin {
    fn from(what: T) -> Self {
        Self {
            of: Vec::new(),
            what: what.into(),
        }
    }
}

impl Origin {
    /// What is called so on that character's sheet.
    pub fn of(character: &Character, what: impl Into<String>) -> Self {
        Self {
            of: vec![character.into()],
            what: what.into(),
        }
    }

    /// Several characters themselves.
    pub fn all_of(characters: &[&Character]) -> Self {
        Self {
            of: characters.iter().map(|one| Named::from(*one)).collect(),
            what: String::new(),
        }
    }

    /// What it is called on the own sheet; none if it is somebody else's.
    pub fn name(&self) -> Option<&str> {
        self.of.is_empty().then_some(self.what.as_str())
    }

    /// Whose sheet it is on, if not the own.
    pub fn owner(&self) -> Option<CharacterId> {
        self.of.first().map(|named| named.id)
    }

    /// The names of those on whose sheets it is.
    pub fn owners(&self) -> String {
        join(self.of.iter().map(|named| &named.name), ", ")
    }

    /// Whether there is nothing to say.
    pub fn is_empty(&self) -> bool {
        self.of.is_empty() && self.what.is_empty()
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let colon = if self.of.is_empty() || self.what.is_empty() {
            ""
        } else {
            ": "
        };
        write!(formatter, "{}{colon}{}", self.owners(), self.what)
    }
}
