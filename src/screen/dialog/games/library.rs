//! Where the games are that can be picked, and what can be done with them.

use chrono::{DateTime, Utc};

use crate::rules::System;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    pub name: String,
    /// What stands beside it: the system, the scene, why it cannot be opened.
    pub about: String,
    pub played: Option<DateTime<Utc>>,
}

/// Where the games are. What cannot be done is told in a sentence.
pub trait Library {
    /// The games, the last played first.
    fn games(&mut self) -> Vec<Game>;

    /// Those put away.
    fn archived(&mut self) -> Vec<Game>;

    /// What there is to see of a game: its party, its clocks, its last scene, a line each.
    fn preview(&mut self, name: &str, in_archive: bool) -> Vec<String>;

    /// Makes a game, with its system's sample or empty.
    fn create(&mut self, name: &str, system: System, sample: bool) -> Result<(), String>;

    /// Makes another game like that one.
    fn duplicate(&mut self, name: &str, to: &str) -> Result<(), String>;

    fn rename(&mut self, name: &str, to: &str) -> Result<(), String>;

    fn archive(&mut self, name: &str) -> Result<(), String>;

    /// Takes a game out again.
    fn restore(&mut self, name: &str) -> Result<(), String>;
}
