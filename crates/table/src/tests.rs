//! A table for tests.

use std::sync::Arc;

use chrono::{DateTime, Utc};

use super::Table;
use tableside_dice::{Dice, SystemDice};
use tableside_game::Game;
use tableside_rules::System;

pub fn noon() -> DateTime<Utc> {
    "2026-11-20T12:00:00Z".parse().unwrap()
}

pub fn luck() -> Box<dyn Dice + Send> {
    Box::new(SystemDice::from_key([7; 32]))
}

/// Returns a new game in memory.
pub fn new_table(name: &str, system: System) -> Arc<Table> {
    Table::unsaved(name, Game::new(system), Vec::new(), None, noon, luck())
}
