//! What happened, in the past tense.

use serde::{Deserialize, Serialize};

use super::{Change, Roll};

/// A fact: what happened, and every difference that it made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Event {
    /// What happened.
    pub what: What,
    /// What it changed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<Change>,
}

/// What happened. Names are as they were then.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum What {
    /// A check was resolved.
    Rolled(Box<Roll>),
    /// A check was begun and waits for somebody.
    Begun(Box<Roll>),
    /// A waiting check was given up.
    Abandoned(Box<Roll>),
    /// A resolved check was read again with other fields; the entry before it holds no longer.
    Amended {
        /// The entry.
        entry: u64,
        /// The check as it reads now.
        roll: Box<Roll>,
        /// Which of its dice fell for this reading, by their places among all in rolled order, from 0.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        fresh: Vec<usize>,
    },
    /// A resolved check was rolled again for a Favor; the entry before it holds no longer.
    Rerolled {
        /// The entry.
        entry: u64,
        /// The check as it fell now.
        roll: Box<Roll>,
    },
    /// A clock was advanced or set back.
    Ticked {
        /// Its name.
        clock: String,
        /// By how much.
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
        /// Its name.
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
        /// What it is.
        kind: Thing,
        /// Its name.
        name: String,
    },
    /// Something went.
    Removed {
        /// What it was.
        kind: Thing,
        /// Its name.
        name: String,
    },
    /// Something is otherwise than before.
    Edited {
        /// What it is.
        kind: Thing,
        /// Its name.
        name: String,
        /// What is otherwise, in words.
        how: String,
    },
    /// A round began.
    Round {
        /// Which.
        round: u32,
        /// The conditions that ran out with the one before, in words.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        over: String,
    },
    /// A scene began; what the rules clear between scenes was cleared.
    Scene {
        /// Its name.
        name: String,
    },
    /// The session ended; what the rules reset was reset.
    Ended,
    /// A note was taken.
    Noted {
        /// What it says.
        text: String,
        /// The entry that it is about.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        about: Option<u64>,
    },
    /// An entry was struck, and what followed from it returned.
    Struck {
        /// The entry.
        entry: u64,
        /// Why.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        reason: String,
    },
    /// An event was taken back.
    Undone {
        /// Which.
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

/// What can come, go and change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Thing {
    /// A character.
    Character,
    /// A clock.
    Clock,
    /// A pool.
    Pool,
    /// A house rule.
    House,
    /// A prepared scene.
    Prepared,
    /// What may not be tried again.
    Lock,
    /// A call for a roll.
    Call,
    /// The session itself: an edit by hand.
    Session,
}

impl Thing {
    /// What it is called.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Character => "character",
            Self::Clock => "clock",
            Self::Pool => "pool",
            Self::House => "house rule",
            Self::Prepared => "prepared scene",
            Self::Lock => "lock",
            Self::Call => "call for a roll",
            Self::Session => "session",
        }
    }
}

impl What {
    /// Whether a person did it to the game, so that a person may take it back.
    pub const fn is_an_act(&self) -> bool {
        match self {
            Self::Undone { .. } | Self::Redone { .. } => false,
            Self::Rolled(_)
            | Self::Begun(_)
            | Self::Abandoned(_)
            | Self::Amended { .. }
            | Self::Rerolled { .. }
            | Self::Ticked { .. }
            | Self::Tokens { .. }
            | Self::Added { .. }
            | Self::Removed { .. }
            | Self::Edited { .. }
            | Self::Round { .. }
            | Self::Scene { .. }
            | Self::Ended
            | Self::Noted { .. }
            | Self::Struck { .. } => true,
        }
    }

    /// Whether a scene or the session ends with it.
    pub const fn ends_a_scene(&self) -> bool {
        matches!(self, Self::Scene { .. } | Self::Ended)
    }

    /// The check, where it is one.
    pub fn roll(&self) -> Option<&Roll> {
        match self {
            Self::Rolled(roll)
            | Self::Begun(roll)
            | Self::Abandoned(roll)
            | Self::Amended { roll, .. }
            | Self::Rerolled { roll, .. } => Some(roll),
            Self::Ticked { .. }
            | Self::Tokens { .. }
            | Self::Added { .. }
            | Self::Removed { .. }
            | Self::Edited { .. }
            | Self::Round { .. }
            | Self::Scene { .. }
            | Self::Ended
            | Self::Noted { .. }
            | Self::Struck { .. }
            | Self::Undone { .. }
            | Self::Redone { .. } => None,
        }
    }

    /// The check, where it is a resolved one.
    pub fn resolved(&self) -> Option<&Roll> {
        self.roll().filter(|roll| !roll.outcome.is_empty())
    }

    /// The entry that holds no longer because of it.
    pub const fn replaces(&self) -> Option<u64> {
        match self {
            Self::Amended { entry, .. } | Self::Rerolled { entry, .. } => Some(*entry),
            Self::Rolled(_)
            | Self::Begun(_)
            | Self::Abandoned(_)
            | Self::Ticked { .. }
            | Self::Tokens { .. }
            | Self::Added { .. }
            | Self::Removed { .. }
            | Self::Edited { .. }
            | Self::Round { .. }
            | Self::Scene { .. }
            | Self::Ended
            | Self::Noted { .. }
            | Self::Struck { .. }
            | Self::Undone { .. }
            | Self::Redone { .. } => None,
        }
    }

    /// Its name in `log --json`.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Rolled(_)
            | Self::Begun(_)
            | Self::Abandoned(_)
            | Self::Amended { .. }
            | Self::Rerolled { .. } => "roll",
            Self::Ticked { .. } => "clock",
            Self::Tokens { .. } => "tokens",
            Self::Added { kind, .. } | Self::Removed { kind, .. } | Self::Edited { kind, .. } => {
                match kind {
                    Thing::Character | Thing::Lock => "character",
                    Thing::Clock => "clock",
                    Thing::Pool => "tokens",
                    Thing::Prepared => "prepared",
                    Thing::Call => "call",
                    Thing::House => "house-rule",
                    Thing::Session => "edit",
                }
            }
            Self::Round { .. } => "round",
            Self::Scene { .. } | Self::Ended => "scene",
            Self::Noted { .. } => "note",
            Self::Struck { .. } => "strike",
            Self::Undone { .. } | Self::Redone { .. } => "undo",
        }
    }
}

#[cfg(test)]
mod tests;
