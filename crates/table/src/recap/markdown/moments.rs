//! Notes, handouts and results of random tables as paragraphs.

use crate::log_export::escape_markdown;
use crate::recap::Moment;
use tableside_game::sentence;
use tableside_text::join;

/// The paragraph of a moment. `None` for a roll.
pub(super) fn paragraph(moment: &Moment) -> Option<String> {
    match moment {
        Moment::Roll(_) => None,
        Moment::Note {
            text,
            handout_for: Some(readers),
            ..
        } => {
            let readers = escape_markdown(readers);
            Some(format!("*Handout for {readers}:* {}", one_line(text)))
        }
        Moment::Note { by, text, .. } if by.is_empty() => Some(one_line(text)),
        Moment::Note { by, text, .. } => {
            Some(format!("*{}:* {}", escape_markdown(by), one_line(text)))
        }
        Moment::Table { table, says } => {
            Some(format!("*{}:* {}", escape_markdown(table), one_line(says)))
        }
    }
}

/// A note as a paragraph in one line.
pub(super) fn one_line(text: &str) -> String {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    escape_markdown(&sentence(&join(lines, " ")))
}
