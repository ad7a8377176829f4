//! Names of games.

use std::path::{Path, PathBuf};

use tableside_text::{REPLACEMENT, sanitise, sanitise_name};

use crate::error::{Result, StoreError};

/// The maximum length of a name, in characters.
pub const LONGEST_GAME_NAME: usize = 100;

/// The maximum length of a name in bytes. File systems allow 255, which leaves room for a suffix.
const LONGEST_NAME_BYTES: usize = 240;

/// The name of a game. It is a single component of a path, and cannot be confused with an option or a command.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, derive_more::Display)]
pub struct Name(String);

/// The name of the host's own game.
const HOST_GAME: &str = ".host";

/// The name of the host's own game in the first edition.
pub const FORMER_HOST_GAME: &str = ".house";

impl Name {
    /// Returns the name for a new game: normalised (NFC), and trimmed of blanks and invisible characters. `commands` are
    /// the words that the command line reserves.
    pub fn new(name: &str, commands: &[&str]) -> Result<Self> {
        let sanitised = sanitise_name(name, usize::MAX);
        Self::checked(name, sanitised, commands)
    }

    /// Returns the name of an existing game, in its exact spelling.
    pub fn of_game(name: &str) -> Result<Self> {
        Self::checked(name, name.to_owned(), &[])
    }

    /// Checks a sanitised name. `given` is the name before it was sanitised.
    fn checked(given: &str, name: String, commands: &[&str]) -> Result<Self> {
        match broken_rule(given, &name, commands) {
            None => Ok(Self(name)),
            Some(rule) => Err(StoreError::Name {
                name: given.to_owned(),
                rule,
            }),
        }
    }

    /// Returns the name of the host's own game, whose clocks appear in all games of a data folder. No other game can
    /// have this name.
    pub fn host_game() -> Self {
        Self(HOST_GAME.to_owned())
    }

    /// Returns the folder of this game in a data folder.
    pub fn in_folder(&self, data: &Path) -> PathBuf {
        data.join(&self.0)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Returns the first rule that a name breaks, as words for a message. `given` is the name before it was sanitised.
fn broken_rule(given: &str, name: &str, commands: &[&str]) -> Option<&'static str> {
    if name.trim().is_empty() {
        Some("it is empty")
    } else if name.contains('/') {
        Some("it contains `/`")
    } else if given.trim().chars().any(char::is_control) {
        Some("it contains a control character")
    } else if has_unprintable(given) {
        Some("it contains characters that reverse the text or are not printable")
    } else if name.starts_with('.') {
        Some("it begins with `.`")
    } else if name.starts_with('-') {
        Some("it begins with `-`")
    } else if name.chars().count() > LONGEST_GAME_NAME {
        Some("it is longer than 100 characters")
    } else if name.len() > LONGEST_NAME_BYTES {
        Some("it is too long for the name of a folder")
    } else if commands.contains(&name) {
        Some("it is a command of this program")
    } else {
        None
    }
}

/// Returns true if sanitising the text replaces a character.
fn has_unprintable(text: &str) -> bool {
    let sanitised = sanitise(text, usize::MAX);
    sanitised.matches(REPLACEMENT).count() > text.matches(REPLACEMENT).count()
}
