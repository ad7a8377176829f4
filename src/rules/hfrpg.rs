//! HFRPG.

use super::System;
use super::system::SystemSpec;

/// HFRPG, described.
pub static SYSTEM: SystemSpec = SystemSpec {
    system: System::Hfrpg,
    id: "hfrpg",
    name: "HFRPG",
    gm: "GM",
    checks: &[],
    stats: &[],
    pools: &[],
    clocks: &[],
    house: &[],
    derive: |_, _, _| None,
};
