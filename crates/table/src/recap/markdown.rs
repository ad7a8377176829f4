//! Writes a recap as Markdown, in the style of a GM's notes.

mod characters;
mod clocks;
mod ending;
mod heading;
mod moments;
mod rolls;
mod scene;

use super::Recap;
use crate::FormatTime;
use crate::log_export::escape_markdown;

impl Recap {
    /// The recap as Markdown. `time` formats times in the reader's time zone.
    pub fn markdown(&self, time: FormatTime<'_>) -> String {
        let mut text = self.heading(time);
        if self.is_empty() {
            text += "\nNothing has happened yet.\n";
        }

        for scene in &self.scenes {
            text += &scene.markdown(self);
        }
        if let Some(open) = &self.open {
            text += &ending::loose_ends(open, self.gm_title);
        }
        text += &ending::tokens(&self.tokens);
        text += &self.dice();
        text
    }
}

/// A label of the rules for use within a sentence: `Skill check` becomes `skill check`, but `ACS roll` stays the same.
pub(super) fn in_sentence(label: &str) -> String {
    let mut words = Vec::new();
    for word in label.split(' ') {
        let is_acronym = word.chars().skip(1).any(char::is_uppercase);
        words.push(if is_acronym {
            word.to_owned()
        } else {
            word.to_lowercase()
        });
    }
    words.join(" ")
}

/// A list item.
fn item(text: &str) -> String {
    format!("- {text}\n")
}

/// A name in bold. The name must not contain line breaks.
fn bold(name: &str) -> String {
    format!("**{}**", escape_markdown(name))
}

/// A list of names with "and" before the last name.
fn list_names(names: &[String]) -> String {
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    tableside_text::join_with_and(&names)
}

/// The possessive of a name.
fn possessive(name: &str) -> String {
    format!("{name}'s")
}

/// A number with a typographic minus sign.
fn signed(number: i64) -> String {
    if number < 0 {
        format!("−{}", number.unsigned_abs())
    } else {
        number.to_string()
    }
}
