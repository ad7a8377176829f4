//! A scene of the game, and scenes that are prepared: their adversaries and clocks, kept aside until they are
//! brought.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::{Character, Clock, Game, PreparedId};

/// A scene: its name, when it began, and the first event in it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scene {
    /// Its name; empty before it has one.
    #[serde(default)]
    pub name: String,
    /// When it began.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub began: Option<DateTime<Utc>>,
    /// The number of the event that began it; 0 for the first scene.
    #[serde(default)]
    pub from: u64,
}

/// A prepared scene. What it holds is a pattern: it may be brought more than once. The numbers of its
/// characters and clocks count among themselves alone.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Prepared {
    /// The number that events know it by.
    pub id: PreparedId,
    pub name: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub notes: String,
    /// The numbers of what it brought, characters and clocks; some may be gone again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub brought: Vec<u32>,
    /// Who is in it.
    #[serde(default, rename = "character", skip_serializing_if = "Vec::is_empty")]
    pub cast: Vec<Character>,
    /// What runs in it.
    #[serde(default, rename = "clock", skip_serializing_if = "Vec::is_empty")]
    pub clocks: Vec<Clock>,
}

impl Prepared {
    /// A scene with nothing in it yet; its number is given when it is kept.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            ..Self::default()
        }
    }
}

impl Game {
    /// A prepared scene.
    pub fn prepared(&self, id: PreparedId) -> Option<&Prepared> {
        self.prepared.iter().find(|scene| scene.id == id)
    }
}
