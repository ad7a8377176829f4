//! A request to change the session, and the ways in which it is refused.

use chrono::{DateTime, Utc};
use thiserror::Error;

use super::{Character, CharacterId, Clock, ClockId, Condition, PoolId, TokenPool, UnfinishedId};
use crate::dice::Face;
use crate::rules::{
    ChosenBy, FieldError, Fields, HouseError, Refused, SheetError, UnknownName, Value, WalkError,
};

/// When and by whom: what a decision may know of the world outside.
#[derive(Clone, Debug)]
pub struct Moment {
    /// The time.
    pub at: DateTime<Utc>,
    /// The number that the event will have.
    pub number: u64,
}

/// Where the faces of a check come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Faces {
    /// Dice are rolled.
    Rolled,
    /// People roll real dice; these are all that the check asks for up to its end or its next choice.
    Typed(Vec<Face>),
}

/// Who makes a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    /// A character of the session.
    Character(CharacterId),
    /// Nobody in particular.
    Nobody,
}

/// A check to be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RollCommand {
    /// Who makes it.
    pub who: Who,
    /// The fields, complete.
    pub fields: Fields,
    /// Where fields came from, in words.
    pub sources: Vec<(String, String)>,
    /// Where the faces come from.
    pub faces: Faces,
    /// Answers given beforehand, in the order in which choices come up.
    pub choose: Vec<String>,
    /// Who gave those answers.
    pub by: ChosenBy,
    /// Whether a choice without an answer waits for somebody; else its default is taken.
    pub wait: bool,
    /// Who may not see it; `*` is every player.
    pub hidden_from: Vec<String>,
    /// The clock that it fills.
    pub clock: Option<ClockId>,
    /// Who helps: they share what goes wrong and have acted.
    pub helpers: Vec<CharacterId>,
}

/// A request to change the session.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Makes a check.
    Roll(Box<RollCommand>),
    /// Answers a waiting check's choice.
    Answer {
        /// The check.
        check: UnfinishedId,
        /// The option's name.
        chose: String,
        /// Who answers.
        by: ChosenBy,
        /// Where further faces come from.
        faces: Faces,
    },
    /// Types in the faces that a waiting check asks for.
    TypeFaces {
        /// The check.
        check: UnfinishedId,
        /// The faces.
        faces: Vec<Face>,
    },
    /// Gives a waiting check up.
    Abandon(UnfinishedId),

    /// Adds a character, with the pools and clocks that the rules give it.
    AddCharacter(Box<Character>),
    /// Makes a character as this one is; its number says which.
    EditCharacter(Box<Character>),
    /// Takes a character away, with its pools and clocks.
    RemoveCharacter(CharacterId),
    /// Adds another like it, with a numbered name.
    DuplicateCharacter(CharacterId),
    /// Steps a stat of a sheet up or down: a number by so much, a die along the ladder.
    StepStat {
        /// Whose.
        who: CharacterId,
        /// Which.
        stat: String,
        /// By how much.
        by: i32,
    },
    /// Gives a stat a value.
    SetStat {
        /// Whose.
        who: CharacterId,
        /// Which.
        stat: String,
        /// The value.
        value: Value,
    },
    /// Gives a character these conditions.
    SetConditions {
        /// Whose.
        who: CharacterId,
        /// The conditions.
        conditions: Vec<Condition>,
    },
    /// Marks that a character has acted this round, or has not.
    SetActed {
        /// Who.
        who: CharacterId,
        /// Whether it has.
        acted: bool,
    },
    /// Marks that a character is not here, or is.
    SetAbsent {
        /// Who.
        who: CharacterId,
        /// Whether it is away.
        absent: bool,
    },
    /// Hides a character from players, or shows it.
    SetHidden {
        /// Who.
        who: CharacterId,
        /// Whether it is hidden.
        hidden: bool,
    },
    /// Begins the next round: nobody has acted, conditions run down.
    NextRound,

    /// Adds a clock.
    AddClock(Box<Clock>),
    /// Makes a clock as this one is; its number says which.
    EditClock(Box<Clock>),
    /// Takes a clock away.
    RemoveClock(ClockId),
    /// Adds another like it, empty, with a numbered name.
    DuplicateClock(ClockId),
    /// Advances a clock, or sets it back.
    Tick {
        /// Which.
        clock: ClockId,
        /// By how many segments.
        by: i32,
    },

    /// Adds a pool.
    AddPool(Box<TokenPool>),
    /// Makes a pool as this one is; its number says which.
    EditPool(Box<TokenPool>),
    /// Takes a pool away.
    RemovePool(PoolId),
    /// Adds another like it, with a numbered name.
    DuplicatePool(PoolId),
    /// Gains tokens, or spends them.
    Tokens {
        /// Which pool.
        pool: PoolId,
        /// How many.
        by: i32,
    },
    /// Sets a pool to an amount.
    SetTokens {
        /// Which pool.
        pool: PoolId,
        /// How many.
        to: i32,
    },
    /// Moves tokens from one pool to another.
    MoveTokens {
        /// From which.
        from: PoolId,
        /// To which.
        to: PoolId,
        /// How many.
        amount: i32,
    },

    /// Lets a character try something again: inspiration, a clue, or rest.
    Unlock {
        /// Who.
        who: CharacterId,
        /// About what.
        about: String,
    },
    /// Ends the scene and begins the next, of that name.
    NextScene {
        /// The name; empty for one without.
        name: String,
    },
    /// Ends the session.
    EndSession,
    /// Decides a house rule.
    SetHouse {
        /// Which.
        rule: String,
        /// The value, as a person writes it.
        value: String,
    },
    /// Takes a note.
    Note {
        /// What it says.
        text: String,
        /// The entry that it is about.
        about: Option<u64>,
    },
    /// Several commands as one act: the second and later see what the first changed.
    All(Vec<Self>),
}

/// A rule said no; not an error of the program. Each says what is wrong and what would be right.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Refusal {
    /// A field cannot be so.
    #[error(transparent)]
    Field(#[from] FieldError),
    /// Faces or an answer do not fit the check.
    #[error(transparent)]
    Walk(#[from] WalkError),
    /// The rules forbid the check.
    #[error(transparent)]
    Rules(#[from] Refused),
    /// No system or check has that name.
    #[error(transparent)]
    Name(#[from] UnknownName),
    /// A house rule cannot be so.
    #[error(transparent)]
    House(#[from] HouseError),
    /// A stat cannot be so.
    #[error(transparent)]
    Sheet(#[from] SheetError),
    /// Not a number of segments.
    #[error("a clock has 2–128 segments, and {0} were given")]
    Segments(u8),
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
    Taken {
        /// What it is.
        kind: &'static str,
        /// The name.
        name: String,
    },
    /// There are too many already.
    #[error("a session holds at most 500 {0}s")]
    TooMany(&'static str),
    /// A clock is full, or empty, already.
    #[error("{clock} is {state} already ({filled} of {of})")]
    ClockAtEnd {
        /// Its name.
        clock: String,
        /// `full` or `empty`.
        state: &'static str,
        /// How many are filled.
        filled: u8,
        /// How many there are.
        of: u8,
    },
    /// A pool is at its cap or its floor already.
    #[error("{owner}: {pool} holds {tokens}, and {limit}")]
    PoolAtEnd {
        /// Whose.
        owner: String,
        /// Its name.
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
        /// Whose.
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
        /// Whose.
        who: String,
        /// Which.
        stat: String,
        /// Its value.
        value: String,
    },
    /// Something may not be tried again yet.
    #[error("{who} failed at this before ({about}); it takes inspiration, a clue or rest first")]
    Locked {
        /// Who.
        who: String,
        /// About what.
        about: String,
    },
    /// The scene's limit is reached and the table does not truncate (house rule `scene-cap`).
    #[error(
        "{owner} gained {gained} of at most {most} in {pool} this scene; {more} more is too much"
    )]
    SceneCap {
        /// Whose.
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
    /// Nothing is otherwise.
    #[error("nothing changed")]
    Unchanged,
    /// There is nothing to take back, or nothing to bring back.
    #[error("there is nothing to {0}")]
    NothingTo(&'static str),
    /// What an event changed was changed again since.
    #[error("#{event} cannot be taken back: {what} was changed again since{later}")]
    ChangedSince {
        /// The event.
        event: u64,
        /// What was changed.
        what: String,
        /// `, by #17`, where it is known.
        later: String,
    },
    /// This seat may not.
    #[error("{0}")]
    NotAllowed(String),
}
