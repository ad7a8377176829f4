//! The title of the window, the bell, notifications of the desktop, and the clipboard.
//!
//! Their escape sequences are sent with a frame. Text from other players is sanitised before it becomes part of a
//! sequence.

use crate::terminal::display::in_ascii;
use base64ct::{Base64, Encoding as _};
use serde::Deserialize;
use tableside_table::{SeatRole, SeatView};
use tableside_text::{join_with_and, sanitise};

/// The maximum length of a title and of the text of a notification, in characters.
const MAX_LENGTH: usize = 100;

/// The maximum length of a text for the clipboard, in bytes. Terminals refuse much longer texts.
const MAX_COPIED: usize = 48 * 1024;

/// How a screen rings for a call for a roll, a new handout, a request to pause, or a suggestion to the GM.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Notify {
    /// The bell of the terminal.
    #[default]
    Bell,
    /// A notification of the desktop, by OSC 9 and OSC 777.
    Osc,
    Off,
}

/// The escape sequences that wait for the next frame.
#[derive(Debug, Default)]
pub(crate) struct Attention {
    /// The title of the window.
    title: String,
    waiting: Vec<u8>,
    /// The id of the newest suggestion at the last look.
    last_suggestion: u64,
}

impl Attention {
    /// Sets the title of the window: the name of the game, and the characters who are called on for a roll.
    pub(crate) fn title(&mut self, game: &str, is_ascii: bool, view: &SeatView<'_>) {
        let called = called_names(view);
        let title = if called.is_empty() {
            game.to_owned()
        } else {
            format!("{game}: {} to roll", join_with_and(&called))
        };

        let title = sanitise_text(&title, is_ascii);
        if title != self.title {
            self.send(&format!("\x1b]2;{title}\x1b\\"));
            self.title = title;
        }
    }

    /// Sends the title again with the next frame, because another program may have changed it.
    pub(crate) fn forget(&mut self) {
        self.title.clear();
    }

    /// Describes the newest suggestion, if it is new and the seat is the GM's.
    pub(crate) fn suggestion(&mut self, view: &SeatView<'_>) -> Option<String> {
        let newest = view.suggestions().last()?;
        let last_suggestion = std::mem::replace(&mut self.last_suggestion, newest.id);
        if view.seat().role == SeatRole::Gm && newest.id > last_suggestion {
            Some(format!("{} suggests: {}", newest.by, newest.words))
        } else {
            None
        }
    }

    /// Rings the bell, or sends a notification with the name of the game and a text.
    pub(crate) fn ring(&mut self, how: Notify, game: &str, text: &str, is_ascii: bool) {
        let game = sanitise_text(game, is_ascii);
        let text = sanitise_text(text, is_ascii);
        match how {
            Notify::Bell => self.send("\x07"),
            Notify::Osc => {
                self.send(&format!("\x1b]9;{game}: {text}\x1b\\"));
                self.send(&format!("\x1b]777;notify;{game};{text}\x1b\\"));
            }
            Notify::Off => {}
        }
    }

    /// Puts a text on the clipboard of the user's terminal. This also works over SSH.
    pub(crate) fn copy(&mut self, text: &str) -> Result<(), String> {
        if text.len() > MAX_COPIED {
            return Err("the text is too long for the clipboard; write it to a file".to_owned());
        }
        let encoded = Base64::encode_string(text.as_bytes());
        self.send(&format!("\x1b]52;c;{encoded}\x1b\\"));
        Ok(())
    }

    /// Removes and returns the waiting bytes.
    pub(crate) fn take(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.waiting)
    }

    fn send(&mut self, sequence: &str) {
        self.waiting.extend(sequence.bytes());
    }
}

/// The names of the characters who are called on for a roll, each once.
///
/// A GM may share the window with the players, so names that players may not see are left out.
fn called_names<'a>(view: &'a SeatView<'_>) -> Vec<&'a str> {
    let is_gm = view.seat().sees_all();
    let mut names: Vec<&str> = Vec::new();
    for call in view.calls() {
        let Some(character) = view.character(call.who) else {
            continue;
        };
        let is_hidden_from_players = !call.shown || character.hidden;
        if is_gm && is_hidden_from_players {
            continue;
        }
        let name = character.name.as_str();
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// Removes characters that control a terminal or end an escape sequence. An ASCII terminal gets only ASCII.
fn sanitise_text(text: &str, is_ascii: bool) -> String {
    let text = sanitise(text, MAX_LENGTH).replace(';', ",");
    let mut sanitised = String::new();
    for letter in text.chars().filter(|letter| !letter.is_control()) {
        if is_ascii && !matches!(letter, ' '..='~') {
            sanitised.push_str(in_ascii(&letter.to_string()));
        } else {
            sanitised.push(letter);
        }
    }
    sanitised
}
