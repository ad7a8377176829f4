//! The recap of an evening, scene by scene, for the GM's notes or for the players.
//!
//! A recap is made from log entries as one seat reads them, so it contains only what the seat may read. Entries that were undone or replaced do not appear. [`Table::recap`] makes a [`Recap`], [`Recap::markdown`] writes it as a text, and its
//! serialised form is the JSON of `tableside recap --json`.

mod cast;
mod characters;
mod clocks;
mod collect;
mod dice;
mod loose_ends;
mod making;
mod markdown;
mod moments;
mod scope;
mod tokens;

use chrono::{DateTime, Utc};
use serde::Serialize;

use super::{Filter, Logged, Seat, SeatView, Table};
use tableside_game::ClockKind;
use tableside_store::StoreError;

pub use cast::{CastMember, RecapReader};
pub use dice::{RemarkableLuck, Roller};
pub use loose_ends::{LockedAttempt, LooseEnds, OpenClock, OpenList, OpenState, WaitingRoll};
pub use scope::{RecapRange, RecapScope};

/// The recap of a range of log entries, as one seat may read them.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Recap {
    /// The name of the game.
    pub game: String,
    /// The number of the session, if the recap covers exactly one.
    pub session: Option<usize>,
    /// The time of the first entry that the seat reads.
    pub began: Option<DateTime<Utc>>,
    /// The time of the last entry that the seat reads.
    pub ended: Option<DateTime<Utc>>,
    /// The name of the GM in [`ClockMove::by`].
    #[serde(skip)]
    gm: String,
    /// The word of the system for the GM: `Dungeon Master`.
    #[serde(skip)]
    gm_title: &'static str,
    /// The reader of a recap for players. `None` for the GM.
    pub reader: Option<RecapReader>,
    /// The characters of the party that took part.
    pub cast: Vec<CastMember>,
    /// The scenes, in order.
    pub scenes: Vec<RecapScene>,
    /// The tokens that each pool gained and lost.
    pub tokens: Vec<TokenMove>,
    /// The rolls of each roller.
    pub rollers: Vec<Roller>,
    /// The loose ends. `None` if the game went on after these entries.
    pub open: Option<LooseEnds>,
}

/// A scene of a recap.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct RecapScene {
    /// Empty for a scene that was not named.
    pub name: String,
    /// True if the scene began before the entries of the recap.
    pub is_continued: bool,
    /// How long the table played the scene, without long pauses.
    pub minutes: i64,
    /// The fights that had rounds.
    pub fights: u32,
    /// The rounds of all fights.
    pub rounds: u32,
    pub rolls: RollCount,
    /// Notable rolls, notes, and results of random tables, in order.
    pub moments: Vec<Moment>,
    pub clocks: Vec<ClockMove>,
    pub characters: Vec<ChangedCharacter>,
}

/// The resolved rolls of a scene.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct RollCount {
    /// The rollers, in the order of their first rolls.
    pub by: Vec<String>,
    pub count: usize,
    /// The number of rolls that succeeded or failed. Other rolls have neither result.
    pub decided: usize,
    pub succeeded: usize,
}

/// A roll, a note or a result that a recap mentions.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(
    tag = "kind",
    rename_all = "kebab-case",
    rename_all_fields = "kebab-case"
)]
pub enum Moment {
    Roll(Box<NotableRoll>),
    /// A note that is about no roll.
    Note {
        /// The name of the player. Empty if the GM wrote the note.
        by: String,
        text: String,
        /// The readers, if the note is a handout.
        handout_for: Option<String>,
    },
    /// A roll on a random table.
    Table {
        table: String,
        says: String,
    },
}

/// The reason why a roll is in a recap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum WhyNotable {
    /// The roll had the best outcome of its check.
    Great,
    /// The roll had the worst outcome of its check.
    Disaster,
    /// The roll succeeded or failed against long odds.
    LongOdds,
    /// The roll filled a clock.
    FilledClock,
    /// The roll took a character out.
    TakenOut,
    /// A note is about the roll.
    Noted,
    /// A player or the GM described the attempt.
    Attempted,
}

/// A notable roll.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct NotableRoll {
    pub why: WhyNotable,
    /// The name of the roller. Empty if the GM rolled for no character.
    pub who: String,
    pub check: String,
    /// The tested ability and the opponent: `Locks`, or `attacks Wren, Might`.
    pub tested: String,
    /// True if `tested` is a verb phrase, such as `attacks Wren, Might`.
    #[serde(skip)]
    pub is_deed: bool,
    /// The subject of the roll, in the players' words.
    pub about: String,
    pub outcome: String,
    /// `None` for outcomes that are neither a success nor a failure.
    pub success: Option<bool>,
    pub total: Option<i32>,
    pub target: Option<i32>,
    /// The chance of success, if it was a long shot or a near certainty.
    pub chance: Option<f64>,
    /// The clock that the roll was for.
    pub clock: Option<String>,
    /// The filled segments of that clock after the roll, if the roll moved it.
    pub clock_after: Option<u8>,
    /// The damage that the roll dealt.
    pub damage: Option<i32>,
    /// The notes about the roll.
    pub notes: Vec<String>,
}

/// The movement of a clock in a scene.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct ClockMove {
    pub clock: String,
    pub clock_kind: ClockKind,
    /// The names of a tug-of-war's ends, left and right.
    pub ends: Option<[String; 2]>,
    /// The character that the clock belongs to.
    pub owner: Option<String>,
    pub from: u8,
    pub to: u8,
    /// The present number of filled segments, if the seat sees the clock and it has moved in entries that the seat may
    /// not read.
    pub now: Option<u8>,
    pub segments: u8,
    /// The number of times that the full clock started again.
    pub turns: u64,
    /// The names of the characters and players that moved the clock. Empty if a rule or only the GM moved it.
    pub by: Vec<String>,
}

/// The changes of a character in a scene.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct ChangedCharacter {
    pub name: String,
    /// True for characters on the players' side.
    pub is_in_party: bool,
    pub changes: Vec<CharacterChange>,
}

/// A change of a character.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum CharacterChange {
    Number {
        /// The ID of the stat in the rules.
        stat: String,
        label: String,
        from: i64,
        to: i64,
        /// The smallest value during the scene.
        lowest: i64,
        /// The largest possible value, if the sheet limits it.
        most: Option<i64>,
    },
    /// A die, or a number that had no value before.
    Value {
        label: String,
        from: String,
        to: String,
    },
    /// A list, such as wounds, or a text whose parts are separated by commas.
    Entries {
        stat: String,
        label: String,
        gained: Vec<ListEntry>,
        lost: Vec<ListEntry>,
    },
    Condition {
        name: String,
        level: Option<i32>,
        course: ConditionCourse,
    },
    /// A clock of the rules, such as healing.
    Clock(ClockMove),
    /// The message of a threshold that a pool reached.
    Message { text: String },
}

/// An entry of a list on a sheet: `Gash across the ribs 12`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct ListEntry {
    pub name: String,
    pub rank: Option<i32>,
}

/// The course of a condition in a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ConditionCourse {
    Began,
    Ended,
    /// The condition began and ended in the scene.
    Passed,
}

/// The tokens that a pool gained and lost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct TokenMove {
    /// The character that the pool belongs to. `None` for a pool of the table.
    pub owner: Option<String>,
    pub pool: String,
    pub from: i64,
    pub to: i64,
    pub gained: i64,
    pub spent: i64,
}

impl Recap {
    /// Makes a recap of log entries, oldest first. `entries` are the entries of the scope as the seat of `view` reads them,
    /// including undone ones. `game` is the name of the game.
    pub fn new(game: &str, view: &SeatView<'_>, scope: &RecapScope, entries: &[Logged]) -> Self {
        Self {
            game: game.to_owned(),
            ..collect::collect(view, scope, entries)
        }
    }

    /// True if there is no scene and no change of tokens.
    pub fn is_empty(&self) -> bool {
        self.scenes.is_empty() && self.tokens.is_empty()
    }

    /// The recap as a JSON document, without invisible and control characters.
    pub fn json(&self) -> String {
        // The maps have text keys and the numbers are finite, so writing cannot fail.
        let json = serde_json::to_string_pretty(self).unwrap_or_default();
        tableside_text::escape_json(&json).into_owned()
    }
}

impl Table {
    /// Makes the recap of an evening as a seat may read it. Reads the journal if the evening is older than the entries
    /// in memory. The chances of rolls are computed without locking the table.
    pub fn recap(&self, seat: &Seat, scope: &RecapScope) -> Result<Recap, StoreError> {
        let system = self.look().game.system;
        let range = scope.range;
        let prepare = |logged: Logged| {
            if !range.contains(logged.entry.number) {
                return None;
            }
            moments::compute_chance(&logged, system);
            Some(logged)
        };

        let mut entries: Vec<Logged> = Vec::new();
        self.whole_log(seat, &Filter::default(), prepare, |logged| {
            entries.extend(logged);
            Ok::<(), StoreError>(())
        })?;
        let game = self.name();
        Ok(self.read(seat, |view| Recap::new(&game, view, scope, &entries)))
    }
}
