//! A table for tests.

use super::*;
use tableside_dice::SystemDice;

pub fn noon() -> DateTime<Utc> {
    "2026-11-20T12:00:00Z".parse().unwrap()
}

pub fn luck() -> Box<dyn Dice + Send> {
    Box::new(SystemDice::from_key([7; 32]))
}

/// A new game in memory.
pub fn new_table(name: &str, system: System) -> Arc<Table> {
    Table::unsaved(name, Game::new(system), Vec::new(), None, noon, luck())
}
