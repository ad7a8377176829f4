//! The storage of games, as the list of games sees it.

use std::fmt::{self, Debug};

use chrono::{DateTime, Utc};

use crate::Action;
use crate::view::GamePreview;
use tableside_rules::System;
use tableside_text::{join, pluralise};

/// A game in the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameEntry {
    pub name: String,
    pub about: AboutGame,
    pub played: DateTime<Utc>,
}

/// The facts that the list shows of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AboutGame {
    Facts {
        /// The name of the rule system.
        system: String,
        /// The number of characters in the party.
        characters: u64,
        /// The number of the current session, or of the next session.
        session: u64,
    },
    /// Another description, or the reason why the game cannot be opened.
    Text(String),
}

impl AboutGame {
    /// Returns the cells of the columns system, characters and session.
    pub(super) fn cells(&self) -> [String; 3] {
        match self {
            Self::Facts {
                system,
                characters,
                session,
            } => [
                system.clone(),
                pluralise(*characters, "character"),
                format!("session {session}"),
            ],
            Self::Text(text) => [text.clone(), String::new(), String::new()],
        }
    }
}

impl fmt::Display for AboutGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let filled_cells = self.cells().into_iter().filter(|cell| !cell.is_empty());
        f.write_str(&join(filled_cells, ", "))
    }
}

/// A game to be created.
#[derive(Clone, Debug)]
pub struct NewGame {
    pub name: String,
    pub system: System,
    /// True for the sample game of the system, and false for an empty game.
    pub sample: bool,
    /// The names of the first characters of the party.
    pub characters: Vec<String>,
}

/// The storage of games. Errors are sentences for the user.
pub trait Library: Debug + Send + Sync {
    /// The title of the list.
    fn title(&self) -> String {
        "Games".to_owned()
    }

    /// Returns true if the library supports the action.
    fn offers(&self, action: Action) -> bool {
        action != Action::Code
    }

    /// Lists the games or the archive, the last played first.
    fn games(&self, in_archive: bool) -> Vec<GameEntry>;

    /// Returns the party, the clocks and the last scene of a game.
    fn preview(&self, name: &str, in_archive: bool) -> GamePreview;

    /// Lists the systems: the name of each, and the system or the errors of its file.
    fn systems(&self) -> Vec<(String, Result<System, String>)>;

    fn create(&self, game: &NewGame) -> Result<(), String>;

    fn duplicate(&self, name: &str, to: &str) -> Result<(), String>;

    fn rename(&self, name: &str, to: &str) -> Result<(), String>;

    /// Moves a game into the archive. Returns its name there.
    fn archive(&self, name: &str) -> Result<String, String>;

    /// Moves a game out of the archive.
    fn restore(&self, name: &str) -> Result<(), String>;

    /// Claims the seat of an invitation code.
    fn redeem(&self, code: &str) -> Result<(), String>;
}
