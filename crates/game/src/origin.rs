//! Sources of field values: a stat of a sheet, or helping characters.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Character, CharacterId};
use tableside_text::join;

/// A character and its name at the time of an event.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Named {
    pub id: CharacterId,
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

/// The source of a field's value: `Agility` for the roller's own sheet, `Ogre: Might` for another sheet, or `Ana, Bo`
/// for helpers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default)]
pub struct Origin {
    /// The characters of the sheets, empty for the roller's own sheet.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub of: Vec<Named>,
    /// The name of the stat, empty if the source is the characters themselves.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub what: String,
}

/// Names a stat of the roller's own sheet.
impl<T: Into<String>> From<T> for Origin {
    fn from(what: T) -> Self {
        Self {
            of: Vec::new(),
            what: what.into(),
        }
    }
}

impl Origin {
    /// A stat of a character's sheet.
    pub fn of(character: &Character, what: impl Into<String>) -> Self {
        Self {
            of: vec![character.into()],
            what: what.into(),
        }
    }

    /// Several characters.
    pub fn all_of(characters: &[&Character]) -> Self {
        Self {
            of: characters
                .iter()
                .map(|character| Named::from(*character))
                .collect(),
            what: String::new(),
        }
    }

    /// Returns the name of a stat on the roller's own sheet, `None` for another sheet.
    pub fn name(&self) -> Option<&str> {
        if self.of.is_empty() {
            Some(&self.what)
        } else {
            None
        }
    }

    /// Returns the character of another sheet.
    pub fn owner(&self) -> Option<CharacterId> {
        self.of.first().map(|named| named.id)
    }

    /// Returns the names of the characters of the sheets.
    pub fn owners(&self) -> String {
        join(self.of.iter().map(|named| &named.name), ", ")
    }

    /// True if the source is unknown.
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
