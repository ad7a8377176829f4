//! A scene of the game.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

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

impl Scene {
    /// A scene without a name.
    pub const fn unnamed() -> Self {
        Self {
            name: String::new(),
            began: None,
            from: 0,
        }
    }
}
