//! HEARTS.

use super::System;
use super::system::SystemSpec;

/// HEARTS, described.
pub static SYSTEM: SystemSpec = SystemSpec {
    system: System::Hearts,
    id: "hearts",
    name: "HEARTS",
    gm: "Player-Singer",
    checks: &[],
    stats: &[],
    pools: &[],
    clocks: &[],
    house: &[],
    derive: |_, _, _| None,
};
