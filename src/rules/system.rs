//! The names of the systems.

use serde::{Deserialize, Serialize};

/// A rule system.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum System {
    /// Heart Rush.
    #[default]
    HeartRush,
    /// HEARTS.
    Hearts,
    /// Friday Night Dungeon.
    FridayNightDungeon,
    /// HFRPG.
    Hfrpg,
    /// Gnosis.
    Gnosis,
}

impl System {
    /// Every system, in the order in which they are listed.
    pub const ALL: [Self; 5] = [
        Self::HeartRush,
        Self::Hearts,
        Self::FridayNightDungeon,
        Self::Hfrpg,
        Self::Gnosis,
    ];
}
