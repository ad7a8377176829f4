//! The beginning of a recap: the game, the time, the characters and the reader.

use chrono::{DateTime, Utc};

use super::list_names;
use crate::FormatTime;
use crate::log_export::escape_markdown;
use crate::recap::{CastMember, Recap, RecapReader};

impl Recap {
    /// The title, the time, the characters and the reader.
    pub(super) fn heading(&self, time: FormatTime<'_>) -> String {
        let mut text = format!("# {}\n", escape_markdown(&self.title()));
        let mut lead = self.when(time);
        let cast: Vec<String> = self.cast.iter().map(CastMember::describe).collect();
        if !cast.is_empty() {
            lead += &format!(". With {}", list_names(&cast));
        }
        if !lead.is_empty() {
            text += &format!("\n{}.\n", escape_markdown(&lead));
        }
        if let Some(reader) = &self.reader {
            text += &format!("\n*{}*\n", escape_markdown(&reader.describe()));
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

impl CastMember {
    /// `Mira (Ana)`
    fn describe(&self) -> String {
        if self.player.is_empty() {
            self.character.clone()
        } else {
            format!("{} ({})", self.character, self.player)
        }
    }
}

impl RecapReader {
    /// `For Ana, who plays Mira.`
    fn describe(&self) -> String {
        if self.name.is_empty() {
            return "For the players.".to_owned();
        }
        let name = &self.name;
        let is_character = self.plays.len() == 1 && self.plays.contains(name);
        if self.plays.is_empty() || is_character {
            format!("For {name}.")
        } else {
            format!("For {name}, who plays {}.", list_names(&self.plays))
        }
    }
}
