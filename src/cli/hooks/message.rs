//! A message for a hook.

use std::sync::Arc;
use std::time::Instant;

use rand::RngExt as _;

use tableside_table::{CLOCK_FULL, HookEvent, SESSION_ENDED};
use tableside_text::{join, sanitise};

/// The longest text that an argument or a message holds, in characters.
pub(super) const LONGEST_TEXT: usize = 1900;

/// What may stand at `on`.
pub(super) const KINDS: [&str; 16] = [
    "roll",
    "dice",
    "scene",
    SESSION_ENDED,
    CLOCK_FULL,
    "clock",
    "tokens",
    "character",
    "initiative",
    "turn",
    "round",
    "fight-ended",
    "note",
    "undo",
    "pause",
    "lines-and-veils",
];

/// A text for an argument or a chat: safe, and at most [`LONGEST_TEXT`] long. A recap keeps its lines, and loses whole
/// lines at its end.
pub(super) fn shorten(text: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    let mut length = 0;
    for line in text.trim_end().lines() {
        let line = sanitise(line, LONGEST_TEXT).into_owned();
        length += line.chars().count() + 1;
        if length > LONGEST_TEXT && !lines.is_empty() {
            lines.push("…".to_owned());
            break;
        }
        lines.push(line);
    }
    join(lines, "\n")
}

/// An event, queued for one hook.
pub(super) struct Message {
    pub(super) news: Arc<HookEvent>,
    /// Unique for each message.
    pub(super) key: String,
    pub(super) queued: Instant,
}

impl Message {
    pub(super) fn new(news: &Arc<HookEvent>) -> Self {
        let mut luck: rand::rngs::StdRng = rand::make_rng();
        Self {
            news: Arc::clone(news),
            key: format!("{:032x}", luck.random::<u128>()),
            queued: Instant::now(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_recap_ends_with_a_whole_line() {
        let text = "a line of a recap\n".repeat(200);
        let short = shorten(&text);
        assert!(short.chars().count() <= LONGEST_TEXT + 1);
        assert!(short.ends_with("recap\n…"), "{short}");
        assert_eq!(shorten("one\u{1b}\ntwo\n"), "one\u{FFFD}\ntwo");
    }
}
