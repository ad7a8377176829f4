//! A recap as Markdown, in the words of a GM's notes.

mod ending;
mod moments;
mod scene;

use chrono::{DateTime, Utc};

use super::Recap;
use crate::FormatTime;
use crate::log_export::escape_markdown;

impl Recap {
    /// The recap as Markdown. `time` formats times in the reader's time zone.
    pub fn markdown(&self, time: FormatTime<'_>) -> String {
        let mut text = format!("# {}\n", escape_markdown(&self.title()));
        let when = self.when(time);
        if !when.is_empty() {
            text += &format!("\n{when}\n");
        }
        if self.is_empty() {
            text += "\nNothing has happened yet.\n";
        }

        for scene in &self.scenes {
            text += &scene.markdown(self.scenes.len());
        }
        text += &ending::tokens(&self.tokens);
        if let Some(open) = &self.open {
            text += &ending::loose_ends(open);
        }
        text
    }

    /// The name of the game and the number of the session.
    pub fn title(&self) -> String {
        match self.session {
            Some(session) => format!("{}, session {session}", self.game),
            None => self.game.clone(),
        }
    }

    /// The day and the time of the evening: `13 November 2026, 19:04 to 22:30`.
    fn when(&self, time: FormatTime<'_>) -> String {
        let (Some(began), Some(ended)) = (self.began, self.ended) else {
            return String::new();
        };
        let day = |at: DateTime<Utc>| time(at, "%-d %B %Y");
        let hour = |at: DateTime<Utc>| time(at, "%H:%M");

        if day(began) == day(ended) {
            match (hour(began), hour(ended)) {
                (from, to) if from == to => format!("{}, {from}", day(began)),
                (from, to) => format!("{}, {from} to {to}", day(began)),
            }
        } else {
            let (from, to) = (hour(began), hour(ended));
            format!("{}, {from}, to {}, {to}", day(began), day(ended))
        }
    }
}

/// A label of the rules within a sentence: `Skill check` becomes `skill check`, and `ACS roll` stays.
pub(super) fn in_sentence(label: &str) -> String {
    let mut lowercased = Vec::new();
    for word in label.split(' ') {
        let mut later_letters = word.chars().skip(1);
        let is_acronym = later_letters.any(char::is_uppercase);
        lowercased.push(if is_acronym {
            word.to_owned()
        } else {
            word.to_lowercase()
        });
    }
    lowercased.join(" ")
}

/// A list item.
fn item(text: &str) -> String {
    format!("- {text}\n")
}

/// Names with a final "and": `Mira, Wren and 3 others`.
fn list_names(names: &[String]) -> String {
    const MOST: usize = 3;

    let mut listed: Vec<&str> = names.iter().map(String::as_str).collect();
    if names.len() <= MOST + 1 {
        return tableside_text::join_with_and(&listed);
    }

    let unlisted = format!("{} others", names.len() - MOST);
    listed.truncate(MOST);
    listed.push(&unlisted);
    tableside_text::join_with_and(&listed)
}

/// The possessive of a name.
fn possessive(name: &str) -> String {
    format!("{name}'s")
}
