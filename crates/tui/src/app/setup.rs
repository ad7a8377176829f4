//! The setup of a screen: its seat, its looks, its keys, and access to the user's files.

use crate::app::attention::Notify;
use std::fmt::Debug;
use std::sync::Arc;

use chrono::{DateTime, Local, Utc};

use crate::app::keymap::Keymap;
use crate::terminal::color_depth::Depth;
use crate::theme::Theme;
use crate::widget::Appearance;
use tableside_rules::{Creature, System};
use tableside_store::Storage;
use tableside_table::Seat;

/// The setup of a screen, which does not change with the game.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The seat of the player or the GM.
    pub seat: Seat,
    pub theme: Theme,
    /// The number of colours that the terminal shows.
    pub depth: Depth,
    /// True if the terminal shows only ASCII.
    pub ascii: bool,
    pub keymap: Arc<Keymap>,
    /// The time zone for times of day.
    pub zone: Zone,
    /// The storage of games, on screens that may rename the game and write files.
    pub storage: Option<Storage>,
    /// Names that a game cannot have, because they are commands of the command line.
    pub reserved: &'static [&'static str],
    /// True if other players are connected through this process, so that they leave with it.
    pub serves: bool,
    /// Warnings that the first frame shows.
    pub notices: Vec<String>,
    /// How the screen rings.
    pub notify: Notify,
    /// The user's settings and files. `None` for a player over SSH.
    pub memory: Option<Arc<dyn Memory>>,
}

/// The settings and files of a user.
pub trait Memory: Debug + Send + Sync {
    /// The user's own themes by name, as their files are now, or the mistake in a file with its line and a suggestion.
    fn themes(&self) -> Vec<(String, Result<Theme, String>)>;

    /// Saves the choice of a theme. The error is a message for the user.
    fn keep_theme(&self, name: &str) -> Result<(), String>;

    /// Writes the file of a random table. With `replace`, an existing file is replaced.
    fn save_table(&self, _name: &str, _text: &str, _replace: bool) -> Result<(), String> {
        Err("random tables can only be saved at the host".to_owned())
    }

    /// Writes a template into the user's file of creatures for a system. A template of the same name is replaced.
    fn save_creature(&self, _system: System, _creature: &Creature) -> Result<(), String> {
        Err("templates are saved only on the screen of the host".to_owned())
    }

    /// Deletes the file of a random table.
    fn delete_table(&self, _name: &str) -> Result<(), String> {
        Err("random tables can only be deleted at the host".to_owned())
    }
}

impl Setup {
    /// Returns the default setup for the screen of the GM.
    pub fn gm() -> Self {
        Self {
            seat: Seat::gm(),
            theme: Theme::default(),
            depth: Depth::default(),
            ascii: false,
            keymap: Arc::default(),
            zone: Zone::Local,
            storage: None,
            reserved: &[],
            serves: false,
            notices: Vec::new(),
            notify: Notify::default(),
            memory: None,
        }
    }

    /// The theme and the abilities of the terminal.
    pub fn look(&self) -> Appearance<'_> {
        Appearance {
            theme: &self.theme,
            depth: self.depth,
            ascii: self.ascii,
        }
    }
}

/// The time zone of a screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Zone {
    /// The time zone of this machine.
    #[default]
    Local,
    /// Coordinated Universal Time, on screens of players elsewhere.
    Utc,
}

impl Zone {
    /// The time of day: `20:14`.
    pub fn time(self, at: DateTime<Utc>) -> String {
        self.format(at, "%H:%M")
    }

    /// The day and the time: `2026-11-20 20:14`.
    pub fn day_and_time(self, at: DateTime<Utc>) -> String {
        self.format(at, "%Y-%m-%d %H:%M")
    }

    /// Formats a time in a format of `chrono`.
    pub(crate) fn format(self, at: DateTime<Utc>, format: &str) -> String {
        match self {
            Self::Local => at.with_timezone(&Local).format(format).to_string(),
            Self::Utc => at.format(format).to_string(),
        }
    }
}
