//! Gnosis.

use super::System;
use super::system::SystemSpec;

/// Gnosis, described.
pub static SYSTEM: SystemSpec = SystemSpec {
    system: System::Gnosis,
    id: "gnosis",
    name: "Gnosis",
    gm: "GM",
    checks: &[],
    stats: &[],
    pools: &[],
    clocks: &[],
    house: &[],
    derive: |_, _, _| None,
};
