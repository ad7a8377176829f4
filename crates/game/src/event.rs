//! Events record what happened in a game, with every change that it made. The log and the journal consist of events.

use serde::{Deserialize, Serialize};

use super::{
    Change, CharacterId, CommandError, EntityKind, EntityRef, GameActor, Initiative, Named,
    Readers, Roll,
};
use tableside_dice::notation::{Notation, RolledNotation};
use tableside_rules::System;

/// One entry of the log: what happened, and every change that it made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Event {
    pub what: EventKind,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<Change>,
    /// The entry of the check whose effects this event applied.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub follows: Option<u64>,
    /// The player and the game, if the act was done in another game of the host.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Box<GameActor>>,
}

impl Event {
    /// Creates an event that happened in this game and follows no check.
    pub const fn new(what: EventKind, changes: Vec<Change>) -> Self {
        Self {
            what,
            changes,
            follows: None,
            at: None,
        }
    }

    /// Returns the rules that this event puts into force, if it changes the rules.
    pub fn new_rules(&self) -> Option<System> {
        self.changes.iter().find_map(Change::new_rules)
    }

    /// Adds the luck of a roll: how its result ranks among all possible results. The method computes the odds of the
    /// roll.
    ///
    /// # Errors
    /// Returns an error if the roll does not follow the rules.
    pub fn with_luck(mut self, system: System) -> Result<Self, CommandError> {
        if let EventKind::Rolled(roll)
        | EventKind::Amended { roll, .. }
        | EventKind::Rerolled { roll, .. } = &mut self.what
        {
            roll.luck = roll.derive_luck(system)?;
        }
        Ok(self)
    }

    /// Moves the changes of an entity to the front. A seat that sees the first change reads the entry, even if other
    /// changes are hidden.
    pub fn begin_with(&mut self, entity: EntityRef) {
        self.changes.sort_by_key(|change| change.entity != entity);
    }
}

/// Free dice, or a roll on a random table. Such a roll is not a check and has no effects.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Thrown {
    /// The name of the rolling character, empty if no character rolled.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub who: String,
    /// The rolling character.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<CharacterId>,
    /// The typed dice expression: `2d6+1`.
    pub notation: String,
    /// The faces in rolled order.
    pub faces: Vec<i32>,
    pub total: i64,
    /// The title of the random table, empty for free dice.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub table: String,
    /// The text of the rolled row.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// The rolls that the row causes, in order: rolls on other tables, and rolls of dice in its text. Their own `then`
    /// is empty.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub then: Vec<Self>,
    /// The players that may not see the roll. `*` stands for all players.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hidden_from: Vec<String>,
    /// True if those players see that dice were rolled, without the result.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub noticed: bool,
}

impl Thrown {
    /// Parses the dice from the expression and the faces. `None` if they do not fit together.
    pub fn rolled(&self) -> Option<RolledNotation> {
        let notation: Notation = self.notation.parse().ok()?;
        if let Ok(rolled) = notation.read(&self.faces) {
            return Some(rolled);
        }

        // Older logs record d66 as one die with 66 sides.
        notation.with_d66_as_one_die().read(&self.faces).ok()
    }

    /// Returns this roll, then the rolls that it caused.
    pub fn all(&self) -> impl Iterator<Item = &Self> {
        std::iter::once(self).chain(&self.then)
    }
}

/// The initiative of a character, with the roll that it comes from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InitiativeRoll {
    /// The total of the roll. Decimals separate equal totals.
    pub initiative: Initiative,
    pub roll: Roll,
}

/// An initiative that was typed, or a character that left the order of turns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SetInitiative {
    pub who: Named,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<Initiative>,
}

/// The kind of an event, with its details. Names are those at the time of the event.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EventKind {
    /// A check was resolved.
    Rolled(Box<Roll>),
    /// A check was begun and waits for a decision or for dice.
    Incomplete(Box<Roll>),
    /// A waiting check was cancelled.
    Abandoned(Box<Roll>),
    /// A resolved check was amended: the same dice with other fields. The new entry replaces the old one.
    Amended {
        entry: u64,
        roll: Box<Roll>,
        /// The indices of the dice that were rolled for the amendment, in rolled order.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        fresh: Vec<usize>,
    },
    /// A resolved check was rolled again for a Favor. The new entry replaces the old one.
    Rerolled { entry: u64, roll: Box<Roll> },
    /// Free dice were rolled.
    Thrown(Box<Thrown>),
    /// A clock was ticked forward or back.
    Ticked {
        clock: String,
        by: i32,
        /// The number of filled segments after the tick.
        filled: u8,
        /// The number of segments.
        of: u8,
        /// The consequences in words: a race won, another clock advanced.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        then: String,
    },
    /// Tokens were gained or spent.
    Tokens {
        /// The name of the pool's owner.
        owner: String,
        pool: String,
        by: i32,
        /// The tokens in the pool after the change, before the effects of a threshold that it reached.
        now: i32,
        /// The reason, if a rule caused the change: an aspect, a threshold reached.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        note: String,
    },
    /// An entity was added.
    Added {
        kind: EntityKind,
        name: String,
        /// The totals of the dice that were rolled for its numbers, in words.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        how: String,
    },
    /// An entity was removed.
    Removed { kind: EntityKind, name: String },
    /// An entity was edited.
    Edited {
        kind: EntityKind,
        name: String,
        /// The changes in words.
        how: String,
    },
    /// A round of combat began.
    Round {
        round: u32,
        /// The conditions that ended and the clocks that ticked, in words.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        over: String,
    },
    /// The order of turns was rolled or typed.
    Initiative {
        /// The rolls, the highest first.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        rolls: Vec<InitiativeRoll>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        set: Vec<SetInitiative>,
        /// The conditions that ended and the clocks that ticked with the first round, in words.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        over: String,
    },
    /// A turn ended, and the next one began.
    Turn {
        /// The character whose turn it is now. `None` if no character can act.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        begins: Option<Named>,
        /// The round, if a new one began.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        round: Option<u32>,
        /// The conditions that ended, the clocks that ticked, and what is due in the turn, in words.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        over: String,
    },
    /// A fight ended: the order of turns was cleared.
    FightEnded {
        /// The rounds that the fight lasted, 0 if rounds were not counted.
        rounds: u32,
    },
    /// A scene began. Everything that the rules clear between scenes was cleared.
    Scene {
        name: String,
        /// The clocks and pools that ended, were reset or ticked, in words.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        then: String,
    },
    /// A session ended. Everything that the rules reset was reset.
    SessionEnded {
        /// The number of the session, from 1.
        session: usize,
        /// The clocks and pools that ended or were reset, in words.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        then: String,
    },
    /// A session ended, in the log of an older version, which did not count sessions.
    Ended,
    /// A seat wrote a note or a handout.
    Noted {
        text: String,
        /// The entry that the note is about.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        about: Option<u64>,
        /// The readers besides the author. `None` stands for the GM alone, as in older logs and in a note that a roll has
        /// no further effects.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        readers: Option<Readers>,
        #[serde(default, skip_serializing_if = "tableside_rules::is_default")]
        handout: bool,
    },
    /// A seat has read a handout. The log does not show it.
    HandoutRead,
    /// The lines and veils were changed.
    LinesAndVeils,
    /// A seat asked all players to pause (the X-card).
    Paused,
    /// An entry was undone together with the events that applied its effects.
    Struck {
        entry: u64,
        #[serde(default, skip_serializing_if = "String::is_empty")]
        reason: String,
    },
    /// The newest act of a player or of the game was undone.
    Undone {
        event: u64,
        /// The text of the undone event.
        text: String,
    },
    /// An undone event was redone.
    Redone {
        event: u64,
        /// The text of the redone event.
        text: String,
    },
}

impl EventKind {
    /// True if the event changed the game and can be undone, other than an undo or redo.
    pub const fn is_an_act(&self) -> bool {
        !matches!(
            self,
            Self::Undone { .. } | Self::Redone { .. } | Self::HandoutRead | Self::Paused
        )
    }

    /// True if the event ends a scene or the session.
    pub const fn ends_a_scene(&self) -> bool {
        matches!(
            self,
            Self::Scene { .. } | Self::SessionEnded { .. } | Self::Ended
        )
    }

    /// Returns the check that the event is about.
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

    /// Returns the players that may not see a check or dice, and whether they see that dice were rolled.
    pub fn hidden_from(&self) -> (&[String], bool) {
        match (self, self.roll()) {
            (_, Some(roll)) => (&roll.hidden_from, roll.noticed),
            (Self::Thrown(thrown), _) => (&thrown.hidden_from, thrown.noticed),
            (_, None) => (&[], false),
        }
    }

    /// Returns the name of the rolling character, and its id.
    pub fn roller(&self) -> Option<(&str, Option<CharacterId>)> {
        match (self, self.roll()) {
            (_, Some(roll)) => Some((&roll.who, roll.id)),
            (Self::Thrown(thrown), _) => Some((&thrown.who, thrown.id)),
            (_, None) => None,
        }
    }

    /// Returns the check if it is resolved.
    pub fn resolved(&self) -> Option<&Roll> {
        self.roll().filter(|roll| !roll.outcome.is_empty())
    }

    /// Returns the entry that this event replaces.
    pub const fn replaces(&self) -> Option<u64> {
        let (Self::Amended { entry, .. } | Self::Rerolled { entry, .. }) = self else {
            return None;
        };
        Some(*entry)
    }

    /// Returns the name of the kind in `log --json`.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Rolled(_) | Self::Amended { .. } | Self::Rerolled { .. } => "roll",
            // A check without an outcome does not count as a roll.
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
            Self::Initiative { .. } => "initiative",
            Self::Turn { .. } => "turn",
            Self::FightEnded { .. } => "fight-ended",
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
