//! A scene as Markdown.

use super::moments::moments;
use super::{item, list_names, possessive};
use crate::log_export::escape_markdown;
use crate::recap::{CharacterNews, ClockMove, RecapScene, RollCount};
use tableside_game::sentence;
use tableside_text::{join, pluralise};

impl RecapScene {
    /// The scene with its heading. A recap with a single unnamed scene has no heading.
    pub(super) fn markdown(&self, scene_count: usize) -> String {
        let mut text = String::new();
        let title = self.title();
        if !title.is_empty() {
            text += &format!("\n## {}\n", escape_markdown(&title));
        } else if scene_count > 1 {
            text += "\n## Before the first scene\n";
        }

        let lead = self.lead();
        if !lead.is_empty() {
            text += &format!("\n{}\n", escape_markdown(&lead));
        }

        let mut items = String::new();
        for line in moments(&self.moments) {
            items += &item(&line);
        }
        for clock in &self.clocks {
            items += &item(&clock.markdown());
        }
        items += &characters(&self.characters);
        if !items.is_empty() {
            text += &format!("\n{items}");
        }
        text
    }

    fn title(&self) -> String {
        if self.is_continued && !self.name.is_empty() {
            format!("{}, continued", self.name)
        } else {
            self.name.clone()
        }
    }

    /// How long the scene took, and its rolls.
    fn lead(&self) -> String {
        let mut length = Vec::new();
        if self.minutes > 0 {
            length.push(duration(self.minutes));
        }
        if self.rounds > 0 {
            length.push(format!("{} of combat", pluralise(self.rounds, "round")));
        }
        let length = sentence(&length.join(", "));
        let rolls = self.rolls.describe();
        join([length, rolls].iter().filter(|part| !part.is_empty()), " ")
    }
}

/// A length of time: `36 minutes`, `1 hour 20 minutes`.
fn duration(minutes: i64) -> String {
    let hours = minutes / 60;
    let minutes = minutes % 60;
    match (hours, minutes) {
        (0, minutes) => pluralise(minutes, "minute"),
        (hours, 0) => pluralise(hours, "hour"),
        (hours, minutes) => {
            format!(
                "{} {}",
                pluralise(hours, "hour"),
                pluralise(minutes, "minute")
            )
        }
    }
}

impl RollCount {
    /// `Mira and Wren made 5 rolls; 3 succeeded.` Empty without rolls.
    fn describe(&self) -> String {
        let who = if self.by.is_empty() {
            "The GM".to_owned()
        } else {
            list_names(&self.by)
        };
        match self.count {
            0 => String::new(),
            1 => match (self.decided, self.succeeded) {
                (0, _) => format!("{who} rolled once."),
                (_, 0) => format!("{who} rolled once and failed."),
                (_, _) => format!("{who} rolled once and succeeded."),
            },
            count => format!("{who} made {count} rolls{}.", self.describe_successes()),
        }
    }

    fn describe_successes(&self) -> String {
        match self.succeeded {
            _ if self.decided == 0 => String::new(),
            succeeded if succeeded == self.count && succeeded == 2 => "; both succeeded".into(),
            succeeded if succeeded == self.count => "; all succeeded".into(),
            0 if self.count == 2 => "; neither succeeded".into(),
            0 => "; none succeeded".into(),
            succeeded => format!("; {succeeded} succeeded"),
        }
    }
}

impl ClockMove {
    /// `2 → 6 of 6, full`
    pub(in crate::recap) fn describe_steps(&self) -> String {
        let Self {
            from, to, segments, ..
        } = self;
        let mut text = format!("{from} → {to} of {segments}");
        if to == segments {
            text += ", full";
        }
        match self.turns {
            0 => {}
            1 => text += ", filled once in between",
            turns => text += &format!(", filled {turns} times in between"),
        }
        text
    }

    /// `**The alarm** went from 2 to 6 of 6 and is full; Ana filled it.`
    fn markdown(&self) -> String {
        let name = match &self.owner {
            Some(owner) => format!("{} {}", possessive(owner), self.clock),
            None => self.clock.clone(),
        };
        let Self {
            from, to, segments, ..
        } = self;
        let mut text = format!(
            "**{}**: {from} → {to} of {segments}",
            escape_markdown(&name)
        );
        if to == segments {
            text += ", full";
        }
        match self.turns {
            0 => {}
            1 => text += ", filled once in between",
            turns => text += &format!(", filled {turns} times in between"),
        }
        if !self.by.is_empty() {
            let verb = if self.to == self.segments {
                "filled"
            } else if self.from > self.to && self.turns == 0 {
                "set back"
            } else {
                "moved"
            };
            let names = escape_markdown(&list_names(&self.by));
            text += &format!(", {verb} by {names}");
        }
        text + "."
    }
}

/// A line for each character of the party, and one for all others.
fn characters(characters: &[CharacterNews]) -> String {
    let mut items = String::new();
    let mut outside_party = Vec::new();
    for character in characters {
        let name = escape_markdown(&character.name);
        let changes = escape_markdown(&character.changes.join(", "));
        if character.is_in_party {
            items += &item(&format!("**{name}**: {changes}."));
        } else {
            outside_party.push(format!("{name} {changes}"));
        }
    }
    if !outside_party.is_empty() {
        let changes = outside_party.join("; ");
        items += &item(&format!("Others: {changes}."));
    }
    items
}
