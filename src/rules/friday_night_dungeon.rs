//! Friday Night Dungeon.

use super::System;
use super::system::SystemSpec;

/// Friday Night Dungeon, described.
pub static SYSTEM: SystemSpec = SystemSpec {
    system: System::FridayNightDungeon,
    id: "friday-night-dungeon",
    name: "Friday Night Dungeon",
    gm: "Dungeon Master",
    checks: &[],
    stats: &[],
    pools: &[],
    clocks: &[],
    house: &[],
    derive: |_, _, _| None,
};
