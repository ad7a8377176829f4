//! A request to change the game.

use std::sync::Arc;

use chrono::{DateTime, Utc};

use super::{
    Arrivals, CharacterId, ClockId, Condition, Entity, Filled, PoolId, PreparedId, RandomTables,
    Subject, UnfinishedId,
};
use tableside_dice::Face;
use tableside_rules::{ChosenBy, Effect, Id, System, Value};

/// When and by whom: what a decision may know of the world outside.
#[derive(Clone, Debug)]
pub struct CommandContext {
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

/// A check to be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RollCommand {
    /// Who makes it; it may be nobody in particular.
    pub who: Option<CharacterId>,
    /// The fields, complete.
    pub filled: Filled,
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
    /// Whether they see that something was rolled, though nothing of it.
    pub noticed: bool,
    /// The clock that it fills.
    pub clock: Option<ClockId>,
    /// Who helps: they share what goes wrong and have acted.
    pub helpers: Vec<CharacterId>,
    /// Whether it is made for everybody; a call may say so, too.
    pub group: bool,
}

/// What is rolled without a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Throw {
    /// Free dice.
    Dice {
        /// As they are written: `2d6+1`.
        notation: String,
        /// The faces of dice rolled by hand; otherwise they are rolled here.
        faces: Option<Vec<i32>>,
    },
    /// A random table.
    Table {
        /// The tables as they are now: a row may roll on another.
        tables: Arc<RandomTables>,
        /// The name of the table's file.
        name: String,
    },
}

/// Free dice, or a random table, to be rolled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThrowCommand {
    /// Who rolls; it may be nobody in particular.
    pub who: Option<CharacterId>,
    /// What is rolled.
    pub what: Throw,
    /// Who may not see it; `*` is every player.
    pub hidden_from: Vec<String>,
    /// Whether they see that something was rolled, though nothing of it.
    pub noticed: bool,
}

/// A scene to be prepared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrepareCommand {
    pub name: String,
    pub notes: String,
    /// Who is in it.
    pub characters: Vec<CharacterId>,
    /// What runs in it; the own clocks of those who are in it come anyway.
    pub clocks: Vec<ClockId>,
    /// Whether those are then taken off the table.
    pub put_away: bool,
}

/// A call for a roll.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallCommand {
    /// Who is to roll.
    pub who: Vec<CharacterId>,
    pub check: String,
    /// Fields as a person writes them; the rest is each one's own affair.
    pub fields: Vec<(String, String)>,
    /// Who helps: the others of a group check.
    pub helpers: Vec<CharacterId>,
    /// Whether it is made for everybody.
    pub group: bool,
    /// Whether all players see it, not only those who are to roll.
    pub shown: bool,
}

/// How damage hits, where the rules tell it apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Blow {
    /// As any other.
    #[default]
    Ordinary,
    /// A critical hit: at 0 hit points it counts twice.
    Critical,
    /// A melee attack that leaves 1 hit point where there would be 0.
    KnockOut,
}

/// How somebody rests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rest {
    /// Ten minutes.
    Short,
    /// A night in bed and shelter, or with luck.
    Long,
    /// A night without sleep worth the name.
    LongFailed,
}

impl Command {
    /// Adds a thing.
    pub fn add(entity: impl Into<Entity>) -> Self {
        Self::Add(entity.into())
    }

    /// Makes a thing as this one is.
    pub fn edit(entity: impl Into<Entity>) -> Self {
        Self::Edit(entity.into())
    }

    /// Several commands as one act; one alone stays as it is.
    pub fn together(mut commands: Vec<Self>) -> Self {
        match (commands.pop(), commands.is_empty()) {
            (Some(only), true) => only,
            (last, _) => {
                commands.extend(last);
                Self::All(commands)
            }
        }
    }
}

/// A request to change the game.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Makes a check.
    Roll(Box<RollCommand>),
    /// Rolls free dice.
    Throw(Box<ThrowCommand>),
    /// Answers a waiting check's choice.
    Answer {
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
        check: UnfinishedId,
        faces: Vec<Face>,
    },
    /// Gives a waiting check up.
    Abandon(UnfinishedId),

    /// Adds a thing: a character with the pools and clocks that the rules give it.
    Add(Entity),
    /// Adds characters, clocks and pools from outside, and changes those that are there already.
    TakeIn(Box<Arrivals>),
    /// Makes a thing as this one is; its number says which.
    Edit(Entity),
    /// Takes a thing away, or a call back: a character with its pools and clocks. What a prepared scene brought
    /// stays.
    Remove(Subject),
    /// Adds another like it as it was at first, with a numbered name.
    Duplicate(Subject),
    /// Steps a stat of a sheet up or down: a number by so much, a die along the ladder.
    StepStat {
        who: CharacterId,
        stat: String,
        by: i32,
    },
    /// Gives a stat a value.
    SetStat {
        who: CharacterId,
        stat: String,
        value: Value,
    },
    /// Gives a character these conditions.
    SetConditions {
        who: CharacterId,
        conditions: Vec<Condition>,
    },
    /// Begins the next round: nobody has acted, conditions run down.
    NextRound,

    /// Advances a clock, or sets it back.
    Tick {
        clock: ClockId,
        /// By how many segments.
        by: i32,
    },

    /// Puts two clocks into one race: the race of the second clock, else that of the first, else a new one.
    Race { clock: ClockId, rival: ClockId },

    /// Keeps copies of characters and clocks as a scene to be brought later.
    PrepareScene(PrepareCommand),
    /// Adds what a prepared scene holds, hidden.
    BringScene(PreparedId),
    /// Shows everything that a prepared scene brought.
    RevealScene(PreparedId),

    /// Gains tokens, or spends them.
    Tokens { pool: PoolId, by: i32 },
    /// Sets a pool to an amount.
    SetTokens { pool: PoolId, to: i32 },
    /// Moves tokens from one pool to another.
    MoveTokens {
        from: PoolId,
        to: PoolId,
        amount: i32,
    },

    /// An aspect that complicates life without a roll gains Destiny Points by its rank, as many as the
    /// scene's limit leaves.
    Complicate {
        who: CharacterId,
        /// The aspect, or the wound: wounds are aspects too.
        aspect: String,
    },
    /// Gives tokens that no limit of a scene counts.
    Award {
        pool: PoolId,
        amount: i32,
        /// What for; may be empty.
        why: String,
    },

    /// Calls on characters to make a check.
    Call(CallCommand),

    /// Takes damage: hit points down, and a wound where the rules mark one.
    Damage {
        /// Who takes it.
        who: CharacterId,
        /// How much, before it is shrugged off.
        amount: i32,
        /// Whether half of it is shrugged off, for a step of the heart die.
        shrug_off: bool,
        /// How it hits.
        blow: Blow,
    },
    /// Applies effects of a roll to a character that the roll did not name.
    Receive {
        who: CharacterId,
        effects: Vec<Effect>,
    },
    /// Gets hit points back, as many as there is room for.
    Heal { who: CharacterId, amount: i32 },
    /// Rests, and gets back what the rules give.
    Rest { who: CharacterId, rest: Rest },
    /// Treats wounds: a medicine check's total comes off each one's rank.
    TreatWounds {
        who: CharacterId,
        /// The total of the check.
        total: i32,
    },
    /// First Aid: each effect level removes a Wound or a Trauma.
    FirstAid {
        /// To whom.
        who: CharacterId,
        /// The clock whose overflow is removed: Traumas are Stress, Wounds are Blood.
        of: Id,
        /// The effect levels of the roll.
        levels: i32,
    },

    /// Lets a character try something again: inspiration, a clue, or rest.
    Unlock {
        who: CharacterId,
        /// About what.
        about: String,
        /// Why: inspiration, a clue, rest; may be empty.
        why: String,
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
        rule: String,
        /// The value, as a person writes it.
        value: String,
    },
    /// Plays on by other rules.
    TakeRules {
        system: System,
        /// The file that they come from, where one was named.
        from: String,
    },
    /// Takes a note.
    Note {
        /// What it says.
        text: String,
        /// The entry that it is about.
        about: Option<u64>,
    },
    /// Does what follows the check of that entry.
    Follow { entry: u64, then: Box<Self> },
    /// Several commands as one act: the second and later see what the first changed.
    All(Vec<Self>),
}
