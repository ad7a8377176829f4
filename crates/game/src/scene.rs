//! Scenes of a game, and prepared scenes: characters and clocks that the GM brings into play later.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::{Character, Clock, Game, PreparedId, TokenPool};

/// A scene of the game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scene {
    /// Empty for a scene that has not been named.
    #[serde(default)]
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub began: Option<DateTime<Utc>>,
    /// The number of the event that began the scene; 0 for the first scene.
    #[serde(default)]
    pub from: u64,
}

/// A prepared scene, which the GM can bring into play more than once.
///
/// The ids of its characters and clocks are valid within the scene only. Characters and clocks get new ids when the
/// scene is brought into play.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Prepared {
    pub id: PreparedId,
    pub name: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub notes: String,
    /// The ids of all characters and clocks that were brought. Some may have been removed since.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub brought: Vec<u32>,
    #[serde(default, rename = "character", skip_serializing_if = "Vec::is_empty")]
    pub cast: Vec<Character>,
    #[serde(default, rename = "clock", skip_serializing_if = "Vec::is_empty")]
    pub clocks: Vec<Clock>,
    /// The pools of its characters that differ from those of the rules. The owners are the ids within the scene.
    #[serde(default, rename = "pool", skip_serializing_if = "Vec::is_empty")]
    pub pools: Vec<TokenPool>,
}

impl Prepared {
    /// Creates an empty scene. The scene gets its id when it is added to a game.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            ..Self::default()
        }
    }
}

impl Game {
    pub fn prepared(&self, id: PreparedId) -> Option<&Prepared> {
        self.prepared.iter().find(|scene| scene.id == id)
    }
}
