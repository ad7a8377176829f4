//! What a screen brings along: who sits at it, how it looks, and which keys it knows.

use crate::app::attention::Notify;
use std::fmt::Debug;
use std::sync::Arc;

use chrono::{DateTime, Local, Utc};

use crate::app::keymap::Keymap;
use crate::terminal::color_depth::Depth;
use crate::theme::Theme;
use crate::widget::Appearance;
use tableside_store::Storage;
use tableside_table::Seat;

/// What a screen brings along.
#[derive(Clone, Debug)]
pub struct Setup {
    /// Who sits at it.
    pub seat: Seat,
    /// Its colours.
    pub theme: Theme,
    /// How many colours its terminal shows.
    pub depth: Depth,
    /// Whether it shows only ASCII.
    pub ascii: bool,
    /// Its keys.
    pub keymap: Arc<Keymap>,
    /// Whose time it shows.
    pub zone: Zone,
    /// Where games are kept, where this screen may name the game.
    pub storage: Option<Storage>,
    /// Names that no game may have, because the command line takes them for its own.
    pub reserved: &'static [&'static str],
    /// Whether others are at the table through this program, so that they leave with it.
    pub serves: bool,
    /// What the user is to be told at the start.
    pub notices: Vec<String>,
    /// How the person is told of being called on.
    pub notify: Notify,
    /// What outlives this screen; `None` for a person who has no place here to keep anything.
    pub memory: Option<Arc<dyn Memory>>,
}

/// What a person keeps from one evening to the next, wherever that is kept.
pub trait Memory: Debug + Send + Sync {
    /// The person's own themes by name, as they are at this moment, or what is wrong with one: file,
    /// line, and what would be right.
    fn themes(&self) -> Vec<(String, Result<Theme, String>)>;

    /// Remembers the theme of that name, to begin with it the next time; where that fails, says why.
    fn keep_theme(&self, name: &str) -> Result<(), String>;

    /// Writes the file of a random table. With `replace`, an existing file is replaced.
    fn save_table(&self, _name: &str, _text: &str, _replace: bool) -> Result<(), String> {
        Err("random tables are saved by the screen at the host alone".to_owned())
    }

    /// Deletes the file of a random table.
    fn delete_table(&self, _name: &str) -> Result<(), String> {
        Err("random tables are deleted by the screen at the host alone".to_owned())
    }

    /// Whether the person was told how to begin, now or on an earlier evening; asking is being told.
    fn note_greeted(&self) -> bool;
}

impl Setup {
    /// The GM's screen with everything as it comes.
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

    /// How it looks.
    pub fn look(&self) -> Appearance<'_> {
        Appearance {
            theme: &self.theme,
            depth: self.depth,
            ascii: self.ascii,
        }
    }
}

/// Whose time a screen shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Zone {
    /// This machine's.
    #[default]
    Local,
    /// Everybody's.
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

    /// Any other part of it.
    pub(crate) fn format(self, at: DateTime<Utc>, form: &str) -> String {
        match self {
            Self::Local => at.with_timezone(&Local).format(form).to_string(),
            Self::Utc => at.format(form).to_string(),
        }
    }
}
