//! What happened, in the past tense.

use serde::{Deserialize, Serialize};

use super::{Change, CharacterId, CommandError, EntityKind, EntityRef, GameActor, Readers, Roll};
use tableside_dice::notation::{Notation, RolledNotation};
use tableside_rules::System;

/// A fact: what happened, and every difference that it made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Event {
    pub what: EventKind,
    /// What it changed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<Change>,
    /// The entry of the check that it follows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub follows: Option<u64>,
    /// The person and the game, if it was done in another game of the host.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Box<GameActor>>,
}

impl Event {
    /// The rules that this event puts into force, if it changes the rules.
    pub fn new_rules(&self) -> Option<System> {
        self.changes.iter().find_map(Change::new_rules)
    }

    /// What happened, and what it changed.
    pub const fn new(what: EventKind, changes: Vec<Change>) -> Self {
        Self {
            what,
            changes,
            follows: None,
            at: None,
        }
    }

    /// The same with the luck of its roll among all results that there could have been: it takes as long as odds do.
    pub fn with_luck(mut self, system: System) -> Result<Self, CommandError> {
        if let EventKind::Rolled(roll)
        | EventKind::Amended { roll, .. }
        | EventKind::Rerolled { roll, .. } = &mut self.what
        {
            roll.luck = roll.derive_luck(system)?;
        }
        Ok(self)
    }

    /// Puts what was meant first among the changes: who may see it reads of it, whatever else is hidden.
    pub fn begin_with(&mut self, of: EntityRef) {
        self.changes.sort_by_key(|change| change.entity != of);
    }
}

/// Free dice that were rolled at the table, or a roll on a random table: no check, and nothing follows from them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Thrown {
    /// Who rolled; nobody's dice have no character.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub who: String,
    /// The character, if one rolled.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<CharacterId>,
    /// What was rolled, as it was written: `2d6+1`.
    pub notation: String,
    /// The faces as they fell, in rolled order.
    pub faces: Vec<i32>,
    /// What they add up to.
    pub total: i64,
    /// The table that was rolled on; none for free dice.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub table: String,
    /// What its row says.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// The rolls on the tables that the row leads to, and of dice in its text, in order. These have none of their own.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub then: Vec<Self>,
    /// Who may not see it; `*` is every player.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hidden_from: Vec<String>,
    /// Whether they see that something was rolled, though nothing of it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub noticed: bool,
}

impl Thrown {
    /// The dice, read again from what was rolled and the faces; none where the two do not fit.
    pub fn rolled(&self) -> Option<RolledNotation> {
        let notation: Notation = self.notation.parse().ok()?;
        if let Ok(rolled) = notation.read(&self.faces) {
            return Some(rolled);
        }

        // Older logs hold d66 as one die with 66 sides.
        notation.with_d66_as_one_die().read(&self.faces).ok()
    }

    /// This roll, and those on the tables that it leads to.
    pub fn all(&self) -> impl Iterator<Item = &Self> {
        std::iter::once(self).chain(&self.then)
    }
}

/// What happened. Names are as they were then.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EventKind {
    /// A check was resolved.
    Rolled(Box<Roll>),
    /// A check was begun and waits for somebody.
    Incomplete(Box<Roll>),
    /// A waiting check was given up.
    Abandoned(Box<Roll>),
    /// A resolved check was read again with other fields; the entry before it holds no longer.
    Amended {
        entry: u64,
        /// The check as it reads now.
        roll: Box<Roll>,
        /// Which of its dice fell for this reading, by their places among all in rolled order, from 0.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        fresh: Vec<usize>,
    },
    /// A resolved check was rolled again for a Favor; the entry before it holds no longer.
    Rerolled {
        entry: u64,
        /// The check as it fell now.
        roll: Box<Roll>,
    },
    /// Free dice were rolled.
    Thrown(Box<Thrown>),
    /// A clock was advanced or set back.
    Ticked {
        clock: String,
        by: i32,
        /// How many segments are filled.
        filled: u8,
        /// How many it has.
        of: u8,
        /// What that led to: a race won, another clock advanced.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        then: String,
    },
    /// Tokens were gained or spent.
    Tokens {
        /// Whose pool.
        owner: String,
        pool: String,
        /// How many more, or fewer.
        by: i32,
        /// How many there are.
        now: i32,
        /// Why, where it is a rule's doing: an aspect, a threshold reached.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        note: String,
    },
    /// Something came: a character, a clock, a pool.
    Added {
        kind: EntityKind,
        name: String,
        /// How its numbers fell, where dice were rolled for them.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        how: String,
    },
    /// Something went.
    Removed { kind: EntityKind, name: String },
    /// Something was edited.
    Edited {
        kind: EntityKind,
        name: String,
        /// What changed, in words.
        how: String,
    },
    /// A round began.
    Round {
        round: u32,
        /// The conditions that ran out with the one before, in words.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        over: String,
    },
    /// A scene began; what the rules clear between scenes was cleared.
    Scene {
        name: String,
        /// What clocks did that tick by themselves.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        then: String,
    },
    /// A session ended; what the rules reset was reset.
    SessionEnded {
        /// Its number, from 1.
        session: usize,
    },
    /// A session ended, in the logs of older versions, which did not count sessions.
    Ended,
    /// A note was taken.
    Noted {
        /// What it says.
        text: String,
        /// The entry that it is about.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        about: Option<u64>,
        /// Who may read it. `None` in older logs: the author and the GM.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        readers: Option<Readers>,
        #[serde(default, skip_serializing_if = "tableside_rules::is_default")]
        handout: bool,
    },
    /// A seat has read a handout. The log does not show it.
    HandoutRead,
    /// The lines and veils were changed.
    LinesAndVeils,
    /// Somebody asked everybody to pause (the X-card).
    Paused,
    /// An entry was struck, and what followed from it returned.
    Struck {
        entry: u64,
        /// Why.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        reason: String,
    },
    /// An event was taken back.
    Undone {
        event: u64,
        /// What it had said.
        text: String,
    },
    /// Taking an event back was taken back.
    Redone {
        /// The event that holds again.
        event: u64,
        /// What it says.
        text: String,
    },
}

impl EventKind {
    /// Whether a person did it to the game, so that a person may take it back.
    pub const fn is_an_act(&self) -> bool {
        !matches!(
            self,
            Self::Undone { .. } | Self::Redone { .. } | Self::HandoutRead | Self::Paused
        )
    }

    /// Whether a scene or the session ends with it.
    pub const fn ends_a_scene(&self) -> bool {
        matches!(
            self,
            Self::Scene { .. } | Self::SessionEnded { .. } | Self::Ended
        )
    }

    /// The check, where it is one.
    pub fn roll(&self) -> Option<&Roll> {
        match self {
            Self::Rolled(roll)
            | Self::Incomplete(roll)
            | Self::Abandoned(roll)
            | Self::Amended { roll, .. }
            | Self::Rerolled { roll, .. } => Some(roll),
            _ => None,
        }
    }

    /// From whom a check or dice are hidden, and whether they notice that something fell.
    pub fn hidden_from(&self) -> (&[String], bool) {
        match (self, self.roll()) {
            (_, Some(roll)) => (&roll.hidden_from, roll.noticed),
            (Self::Thrown(thrown), _) => (&thrown.hidden_from, thrown.noticed),
            (_, None) => (&[], false),
        }
    }

    /// Who rolled, where something was rolled; nobody's has no character.
    pub fn roller(&self) -> Option<(&str, Option<CharacterId>)> {
        match (self, self.roll()) {
            (_, Some(roll)) => Some((&roll.who, roll.id)),
            (Self::Thrown(thrown), _) => Some((&thrown.who, thrown.id)),
            (_, None) => None,
        }
    }

    /// The check, where it is a resolved one.
    pub fn resolved(&self) -> Option<&Roll> {
        self.roll().filter(|roll| !roll.outcome.is_empty())
    }

    /// The entry that holds no longer because of it.
    pub const fn replaces(&self) -> Option<u64> {
        let (Self::Amended { entry, .. } | Self::Rerolled { entry, .. }) = self else {
            return None;
        };
        Some(*entry)
    }

    /// Its name in `log --json`.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Rolled(_) | Self::Amended { .. } | Self::Rerolled { .. } => "roll",
            // What has no outcome yet, or never gets one, is no roll.
            Self::Incomplete(_) => "roll-begun",
            Self::Abandoned(_) => "roll-abandoned",
            Self::Thrown(_) => "dice",
            Self::Ticked { .. } => "clock",
            Self::Tokens { .. } => "tokens",
            Self::Added { kind, .. } | Self::Removed { kind, .. } | Self::Edited { kind, .. } => {
                match kind {
                    EntityKind::Character | EntityKind::Lock => "character",
                    EntityKind::Clock => "clock",
                    EntityKind::Pool => "tokens",
                    EntityKind::Prepared => "prepared",
                    EntityKind::Call => "call",
                    EntityKind::House => "house-rule",
                    EntityKind::Note => "note",
                    EntityKind::Game => "edit",
                }
            }
            Self::Round { .. } => "round",
            Self::Scene { .. } => "scene",
            Self::SessionEnded { .. } | Self::Ended => "scene",
            Self::Noted { .. } | Self::HandoutRead => "note",
            Self::LinesAndVeils => "lines-and-veils",
            Self::Paused => "pause",
            Self::Struck { .. } => "strike",
            Self::Undone { .. } | Self::Redone { .. } => "undo",
        }
    }
}

#[cfg(test)]
mod tests;
