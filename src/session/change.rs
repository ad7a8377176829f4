//! One difference between two states of a session, with what was before and what is after.

use serde::{Deserialize, Serialize};

use super::{
    Attached, Call, CallId, Character, CharacterId, Clock, ClockId, Condition, Link, PoolId,
    Prepared, PreparedId, Scene, TokenPool, Unfinished, UnfinishedId, Visibility,
};
use crate::rules::Value;

/// A part of a character beside its sheet and its conditions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Part {
    /// The name, a text.
    Name,
    /// Who plays it, a text.
    Player,
    /// Whose side it is on, a word.
    Side,
    /// Whether players may not know of it, a flag.
    Hidden,
    /// Whether it is not here today, a flag.
    Absent,
    /// Whether it has acted this round, a flag.
    Acted,
    /// The GM's notes, a text.
    Notes,
}

/// One difference. Numbers are differences too: taking one back adds what it took away, whatever
/// happened since.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Change {
    /// A character came or went.
    Character {
        /// Its place in the roster.
        at: usize,
        /// What was; nothing if it came.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<Box<Character>>,
        /// What is; nothing if it went.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        to: Option<Box<Character>>,
    },
    /// A clock came, went, or has other terms.
    Clock {
        /// Its place among the clocks.
        at: usize,
        /// What was; nothing if it came.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<Box<Clock>>,
        /// What is; nothing if it went.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        to: Option<Box<Clock>>,
    },
    /// A pool came, went, or has other terms.
    Pool {
        /// Its place among the pools.
        at: usize,
        /// What was; nothing if it came.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<Box<TokenPool>>,
        /// What is; nothing if it went.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        to: Option<Box<TokenPool>>,
    },
    /// A prepared scene came, went, or has other terms.
    Prepared {
        /// Its place among the prepared scenes.
        at: usize,
        /// What was; nothing if it came.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<Box<Prepared>>,
        /// What is; nothing if it went.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        to: Option<Box<Prepared>>,
    },
    /// What a prepared scene brought, by the numbers of characters and clocks.
    Brought {
        /// Which scene.
        scene: PreparedId,
        /// What it had brought.
        from: Vec<u32>,
        /// What it has brought.
        to: Vec<u32>,
    },
    /// A stat of a sheet.
    Stat {
        /// Whose.
        who: CharacterId,
        /// Which.
        stat: String,
        /// What it was.
        from: Value,
        /// What it is.
        to: Value,
    },
    /// Something about a character beside its sheet.
    About {
        /// Whose.
        who: CharacterId,
        /// What.
        part: Part,
        /// What it was.
        from: Value,
        /// What it is.
        to: Value,
    },
    /// A character's conditions.
    Conditions {
        /// Whose.
        who: CharacterId,
        /// What they were.
        from: Vec<Condition>,
        /// What they are.
        to: Vec<Condition>,
    },
    /// What a scene brought that First Aid may remove.
    Fresh {
        /// To whom.
        who: CharacterId,
        /// The stat that counts it.
        stat: String,
        /// Which scene, by its place among all.
        scene: usize,
        /// How much it was.
        from: i32,
        /// How much it is.
        to: i32,
    },
    /// A clock's filled segments.
    Filled {
        /// Which clock.
        clock: ClockId,
        /// How many there were.
        from: u8,
        /// How many there are.
        to: u8,
    },
    /// Who may see a clock.
    Shown {
        /// Which clock.
        clock: ClockId,
        /// Who might.
        from: Visibility,
        /// Who may.
        to: Visibility,
    },
    /// What a full clock does to another.
    Link {
        /// Which clock.
        clock: ClockId,
        /// What it did.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<Link>,
        /// What it does.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        to: Option<Link>,
    },
    /// The check that fills a clock.
    Attached {
        /// Which clock.
        clock: ClockId,
        /// What it was.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<Box<Attached>>,
        /// What it is.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        to: Option<Box<Attached>>,
    },
    /// A pool's tokens.
    Tokens {
        /// Which pool.
        pool: PoolId,
        /// How many there were.
        from: i32,
        /// How many there are.
        to: i32,
    },
    /// What a pool gained in this scene under its limit.
    Gained {
        /// Which pool.
        pool: PoolId,
        /// How much it was.
        from: i32,
        /// How much it is.
        to: i32,
    },
    /// A scene began, or has another name.
    Scene {
        /// Its place among the scenes.
        at: usize,
        /// What was; nothing if it began.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<Scene>,
        /// What is; nothing if it is taken back.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        to: Option<Scene>,
    },
    /// The round.
    Round {
        /// What it was.
        from: u32,
        /// What it is.
        to: u32,
    },
    /// A house rule.
    House {
        /// Which.
        rule: String,
        /// What it was.
        from: Value,
        /// What it is.
        to: Value,
    },
    /// Whether something may not be tried again.
    Lock {
        /// By whom.
        who: CharacterId,
        /// About what.
        about: String,
        /// Whether it may not, now; before, it was the other way.
        on: bool,
    },
    /// A character was called on to roll, or is no longer.
    Called {
        /// Which call.
        id: CallId,
        /// What was called for.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<Box<Call>>,
        /// What is called for.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        to: Option<Box<Call>>,
    },
    /// A check waits, or waits no longer.
    Waiting {
        /// Which.
        id: UnfinishedId,
        /// What waited.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<Box<Unfinished>>,
        /// What waits.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        to: Option<Box<Unfinished>>,
    },
}
