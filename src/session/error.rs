//! The ways in which a request is refused.

use thiserror::Error;

use super::Subject;
use crate::dice::notation::NotationError;

use crate::rules::{Refused, RuleError};

/// A rule said no; not an error of the program. Each says what is wrong and what would be right.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CommandError {
    /// A value, a name, faces or an answer cannot be so.
    #[error(transparent)]
    Rule(#[from] RuleError),
    /// What is to be rolled is no dice.
    #[error(transparent)]
    Notation(#[from] NotationError),
    /// The rules forbid the check.
    #[error(transparent)]
    Rules(#[from] Refused),
    /// Somebody does more in a second than a table of people could.
    #[error("that was too much at once, and this was not done; wait a second, then go on")]
    TooFast,
    /// Not a number of segments.
    #[error("a clock has 2–128 segments, and {0} were given")]
    Segments(i32),
    /// The thing is not there any more.
    #[error("that {0} is not there any more")]
    Gone(&'static str),
    /// There is nobody or nothing of that name.
    #[error("there is no {kind} {given:?}{known}")]
    Unknown {
        /// What was looked for.
        kind: &'static str,
        /// The name given.
        given: String,
        /// What there is, as the rest of the sentence.
        known: String,
    },
    /// A name is empty.
    #[error("a {0} needs a name")]
    NoName(&'static str),
    /// Another has that name.
    #[error("there is a {kind} named {name} already; names must differ")]
    Taken { kind: &'static str, name: String },
    /// A scene with nothing in it.
    #[error("a prepared scene needs a character or a clock; mark them with m first")]
    EmptyScene,
    /// Nothing that a prepared scene brought is hidden.
    #[error("nothing that {0} brought is hidden")]
    NothingHidden(String),
    /// There are too many already.
    #[error("a session holds at most 500 {0}s")]
    TooMany(&'static str),
    /// A clock is full, or empty, already.
    #[error("{clock} is {state} already ({filled} of {of})")]
    ClockAtEnd {
        clock: String,
        /// `full` or `empty`.
        state: &'static str,
        /// How many are filled.
        filled: u8,
        /// How many there are.
        of: u8,
    },
    /// A clock stands still: its race is over, or another clock has to be full first.
    #[error("{clock} cannot advance: {why}")]
    ClockStands {
        clock: String,
        /// Why, as the rest of the sentence.
        why: String,
    },
    /// A clock cannot be so.
    #[error("the clock {clock}: {problem}")]
    Clock {
        clock: String,
        /// What is wrong and what would be right.
        problem: String,
    },
    /// An outcome is worth too many segments.
    #[error("{outcome} fills −9 to 9 segments, and {ticks} were given")]
    Ticks {
        /// The outcome.
        outcome: String,
        /// What it would be worth.
        ticks: i32,
    },
    /// A pool is at its cap or its floor already.
    #[error("{owner}: {pool} holds {tokens}, and {limit}")]
    PoolAtEnd {
        owner: String,
        pool: String,
        /// How many there are.
        tokens: i32,
        /// `10 is the most`, `0 is the least`.
        limit: String,
    },
    /// Not enough tokens to spend.
    #[error(
        "{owner} has {has} in {pool}, and {needs} would be spent; spend fewer or gain some first"
    )]
    NotEnough {
        owner: String,
        /// The pool's name.
        pool: String,
        /// How many there are.
        has: i32,
        /// How many would be spent.
        needs: i32,
    },
    /// A stat is at its end already.
    #[error("{who}: {stat} is {value} already, and goes no further")]
    StatAtEnd {
        who: String,
        stat: String,
        /// Its value.
        value: String,
    },
    /// An aspect gives no more than its rank.
    #[error("{aspect} has rank {rank}, and {given} would be spent on it; spend at most {rank}")]
    AspectRank {
        aspect: String,
        /// Its rank.
        rank: i32,
        /// How many points would be spent.
        given: i32,
    },
    /// Something may not be tried again yet.
    #[error("{who} failed at this before{about}; it takes inspiration, a clue or rest first")]
    Locked {
        who: String,
        /// ` (the door)`, where it has a name.
        about: String,
    },
    /// An entry does not hold, so that it cannot be read or rolled again.
    #[error("#{entry} {state}")]
    NotHolding {
        entry: u64,
        /// `was struck or taken back`, `was amended as #9; amend that one`.
        state: String,
    },
    /// The scene's limit is reached and the table does not truncate (house rule `scene-cap`).
    #[error(
        "{owner} gained {gained} of at most {most} in {pool} this scene; {more} more is too much"
    )]
    SceneCap {
        owner: String,
        /// The pool.
        pool: String,
        /// What the scene gave.
        gained: i32,
        /// The most it gives.
        most: i32,
        /// What would be gained.
        more: i32,
    },
    /// What a scene gives is not the table's to say.
    #[error(
        "the rules say what a scene gives in {0}; only a pool of your own has a limit of its own"
    )]
    RulesLimit(String),
    /// Two checks in one act.
    #[error("two checks are two acts; make one after the other")]
    TwoChecks,
    /// Nothing is otherwise.
    #[error("nothing changed")]
    Unchanged,
    /// There is nothing to take back, or nothing to bring back.
    #[error("there is nothing to {0}")]
    NothingTo(&'static str),
    /// What an event changed was changed again since.
    #[error("#{event} cannot be taken back: {what} was changed again since{later}")]
    ChangedSince {
        event: u64,
        /// What was changed, in words.
        what: String,
        /// The same as changes know it: the thing, and the part of it.
        about: Box<(Subject, String)>,
        /// `, by #17`, where it is known.
        later: String,
    },
    /// This seat may not.
    #[error("{0}")]
    NotAllowed(String),
}
