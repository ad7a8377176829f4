//! Values for unit tests.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use tableside_dice::SystemDice;
use tableside_game::Game;
use tableside_rules::System;
use tableside_table::Table;

pub(crate) fn noon() -> DateTime<Utc> {
    "2026-11-20T12:00:00Z".parse().unwrap()
}

/// A new game in memory, with a fixed seed.
pub(crate) fn new_table(name: &str, system: System) -> Arc<Table> {
    let dice = Box::new(SystemDice::from_key([7; 32]));
    Table::unsaved(name, Game::new(system), Vec::new(), None, noon, dice)
}
