//! What reaches a person beside the picture: the title of the window, the bell, and the clipboard. All of it is sent
//! with a frame, and words of others come in no sequence before they are harmless.

use std::collections::HashSet;

use crate::terminal::display::in_ascii;
use base64ct::{Base64, Encoding as _};
use serde::Deserialize;
use tableside_table::{SeatRole, SeatView};
use tableside_text::{join_with_and, sanitise};

/// A title, or words of a notification, at most.
const LONGEST: usize = 100;

/// So many bytes a clipboard takes at most: terminals refuse much more.
const MOST_COPIED: usize = 48 * 1024;

/// How a person is told who is called on for a roll.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Notify {
    /// The terminal's bell.
    #[default]
    Bell,
    /// A notification of the desktop, by OSC 9 and OSC 777.
    Osc,
    /// Not at all.
    Off,
}

/// What is to be sent beside the next frame.
#[derive(Debug, Default)]
pub(crate) struct Attention {
    /// The title that the window has.
    title: String,
    waiting: Vec<u8>,
    /// The last suggestion that the GM heard of.
    suggested: u64,
}

impl Attention {
    /// Tells who is to roll in the title of the window; it shows no more than the seat sees, and that of a GM, who
    /// may share the window, no more than everybody.
    pub(crate) fn title(&mut self, game: &str, is_ascii: bool, view: &SeatView<'_>) {
        let all = view.seat().sees_all();
        let mut told = HashSet::new();
        let calls = view.calls().filter(|call| call.shown || !all);
        let called = calls.filter_map(|call| view.character(call.who));
        let names = called
            .filter(|one| !(all && one.hidden))
            .map(|one| &*one.name);
        let names: Vec<&str> = names.filter(|name| told.insert(*name)).collect();
        let title = if names.is_empty() {
            game.to_owned()
        } else {
            format!("{game}: {} to roll", join_with_and(&names))
        };
        let title = harmless(&title, is_ascii);
        if title != self.title {
            self.waiting.extend(format!("\x1b]2;{title}\x1b\\").bytes());
            self.title = title;
        }
    }

    /// The window has a title of its own again.
    pub(crate) fn forget(&mut self) {
        self.title.clear();
    }

    /// Whether a suggestion waits that the GM has not heard of, in words.
    pub(crate) fn suggestion(&mut self, view: &SeatView<'_>) -> Option<String> {
        let new = view.suggestions().last()?;
        let heard = std::mem::replace(&mut self.suggested, new.id);
        let is_meant = view.seat().role == SeatRole::Gm && new.id > heard;
        is_meant.then(|| format!("{} suggests: {}", new.by, new.words))
    }

    /// Rings once.
    pub(crate) fn ring(&mut self, how: Notify, game: &str, words: &str, is_ascii: bool) {
        let (game, words) = (harmless(game, is_ascii), harmless(words, is_ascii));
        match how {
            Notify::Bell => self.waiting.push(0x07),
            Notify::Osc => {
                let both =
                    format!("\x1b]9;{game}: {words}\x1b\\\x1b]777;notify;{game};{words}\x1b\\");
                self.waiting.extend(both.bytes());
            }
            Notify::Off => {}
        }
    }

    /// Puts a text on the clipboard of the person's terminal, also over SSH.
    pub(crate) fn copy(&mut self, text: &str) -> Result<(), String> {
        if text.len() > MOST_COPIED {
            return Err("that is too long for a clipboard; write it to a file".to_owned());
        }
        let copied = Base64::encode_string(text.as_bytes());
        self.waiting
            .extend(format!("\x1b]52;c;{copied}\x1b\\").bytes());
        Ok(())
    }

    /// What is to be sent, once.
    pub(crate) fn take(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.waiting)
    }
}

/// Words that may stand in a sequence: no signs that steer a terminal, and none that part a sequence.
fn harmless(words: &str, is_ascii: bool) -> String {
    let words = sanitise(words, LONGEST).replace(';', ",");
    let shown = words.chars().filter(|sign| !sign.is_control());
    if !is_ascii {
        return shown.collect();
    }
    let plain = shown.map(|sign| match sign {
        ' '..='~' => sign.to_string(),
        _ => in_ascii(&sign.to_string()).to_owned(),
    });
    plain.collect()
}
