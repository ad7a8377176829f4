//! Writes a scene as Markdown.

use super::moments::paragraph;
use super::rolls::RollLines;
use super::{item, list_names};
use crate::log_export::escape_markdown;
use crate::recap::{CastMember, ClockMove, Moment, NotableRoll, Recap, RecapScene};
use tableside_text::{capitalise, pluralise};

/// The recap mentions the length of a scene that took at least this many minutes.
const LONG_SCENE: i64 = 60;

/// The recap names the rollers of a scene with at least this many rolls, if they are at most half of the party.
const MANY_ROLLS: usize = 6;

impl RecapScene {
    /// The scene with its heading. A recap with a single unnamed scene has no heading.
    pub(super) fn markdown(&self, recap: &Recap) -> String {
        let mut text = String::new();
        let title = self.title();
        if !title.is_empty() {
            text += &format!("\n## {}\n", escape_markdown(&title));
        } else if recap.scenes.len() > 1 {
            text += "\n## Before the first scene\n";
        }

        let lead = self.lead(&recap.cast);
        if !lead.is_empty() {
            text += &format!("\n*{}.*\n", escape_markdown(&lead));
        }
        for moment in &self.moments {
            if let Some(paragraph) = paragraph(moment) {
                text += &format!("\n{paragraph}\n");
            }
        }

        let items = self.items(recap);
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

    /// The length of the scene, the rounds of combat, and the rollers, each only if it is notable.
    fn lead(&self, cast: &[CastMember]) -> String {
        let mut parts = Vec::new();
        if self.minutes >= LONG_SCENE {
            parts.push(duration(self.minutes));
        }
        if self.rounds > 0 {
            let rounds = pluralise(self.rounds, "round");
            parts.push(match self.fights {
                0 | 1 => format!("{rounds} of combat"),
                fights => format!("{fights} fights with {rounds} of combat"),
            });
        }

        let rolled: Vec<String> = cast
            .iter()
            .map(|member| member.character.clone())
            .filter(|character| self.rolls.by.contains(character))
            .collect();
        if rolled.len() == cast.len() && cast.len() > 2 && !parts.is_empty() {
            parts.push("everyone rolled".to_owned());
        } else if rolled.len() * 2 <= cast.len()
            && self.rolls.count >= MANY_ROLLS
            && !rolled.is_empty()
        {
            parts.push(format!("only {} rolled", list_names(&rolled)));
        }
        capitalise(&parts.join(", "))
    }

    /// The rolls, clocks and characters, as one list item each.
    fn items(&self, recap: &Recap) -> String {
        let mut rolls = RollLines::new(recap.gm_title);
        for roll in self.described_rolls() {
            rolls.add(roll, self.move_described_by(roll));
        }

        let mut items = String::new();
        for line in rolls.finish() {
            items += &item(&line);
        }
        for clock in &self.clocks {
            let is_described = self
                .described_rolls()
                .any(|roll| describes_move(roll, clock));
            if !is_described {
                items += &item(&clock.markdown(&recap.gm));
            }
        }
        for character in &self.characters {
            if let Some(line) = character.markdown() {
                items += &item(&line);
            }
        }
        items
    }

    fn described_rolls(&self) -> impl Iterator<Item = &NotableRoll> {
        self.moments.iter().filter_map(|moment| match moment {
            Moment::Roll(roll) => Some(&**roll),
            Moment::Note { .. } | Moment::Table { .. } => None,
        })
    }

    /// Returns the movement of a clock that the line about this roll describes as well.
    fn move_described_by(&self, roll: &NotableRoll) -> Option<&ClockMove> {
        self.clocks.iter().find(|clock| describes_move(roll, clock))
    }
}

/// True if a roll alone brought a clock to its last state in the scene.
fn describes_move(roll: &NotableRoll, clock: &ClockMove) -> bool {
    let is_last = roll.clock.as_ref() == Some(&clock.clock) && roll.clock_after == Some(clock.to);
    is_last && clock.by.len() <= 1 && clock.turns == 0 && clock.now.is_none()
}

/// A length of time: `1 hour 20 minutes`.
fn duration(minutes: i64) -> String {
    let hours = pluralise(minutes / 60, "hour");
    match minutes % 60 {
        0 => hours,
        minutes => format!("{hours} {}", pluralise(minutes, "minute")),
    }
}
