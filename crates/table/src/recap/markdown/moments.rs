//! Writes notes, handouts and results of random tables as paragraphs.

use crate::log_export::escape_markdown;
use crate::recap::Moment;
use tableside_game::{LONGEST_HANDOUT, sentence};
use tableside_text::{join, sanitise};

/// The paragraph of a moment. `None` for a roll.
pub(super) fn paragraph(moment: &Moment) -> Option<String> {
    match moment {
        Moment::Roll(_) => None,
        Moment::Note {
            text,
            handout_for: Some(readers),
            ..
        } => {
            let lead = format!("*Handout for {}:*", escape_markdown(readers));
            let has_several_lines = text.trim().lines().nth(1).is_some();
            Some(if has_several_lines {
                format!("{lead}\n\n{}", quote(text))
            } else {
                format!("{lead} {}", one_line(text))
            })
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

/// A handout as a block quote. Its Markdown stays, without HTML.
fn quote(text: &str) -> String {
    let mut quoted = String::new();
    for line in text.trim().lines() {
        let line = sanitise(line.trim_end(), LONGEST_HANDOUT).replace('<', "\\<");
        if !quoted.is_empty() {
            quoted.push('\n');
        }
        quoted.push('>');
        if !line.is_empty() {
            quoted.push(' ');
            quoted += &line;
        }
    }
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    fn handout(text: &str) -> String {
        let moment = Moment::Note {
            by: String::new(),
            text: text.to_owned(),
            handout_for: Some("everybody".to_owned()),
        };
        paragraph(&moment).unwrap()
    }

    #[test]
    fn a_handout_of_one_line_is_a_paragraph() {
        assert_eq!(
            handout("You smell *smoke*"),
            "*Handout for everybody:* You smell \\*smoke\\*."
        );
    }

    #[test]
    fn a_longer_handout_keeps_its_markdown_but_no_html() {
        assert_eq!(
            handout("# The bridge\n\nOld and *rotten*. <b>\n"),
            "*Handout for everybody:*\n\n> # The bridge\n>\n> Old and *rotten*. \\<b>"
        );
    }
}
