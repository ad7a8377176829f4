//! Commands: requests to change the game.

use std::sync::Arc;

use chrono::{DateTime, Utc};

use super::{
    Arrivals, Author, Character, CharacterId, ClockId, Condition, EditNoteCommand, Entity,
    EntityRef, Filled, Initiative, NewClock, NoteCommand, NoteId, PoolId, PreparedId, RandomTables,
    UnfinishedId,
};
use tableside_dice::Face;
use tableside_rules::{ChosenBy, CreaturePool, Effect, Id, System, Value};

/// The facts from outside the game that a decision may use.
#[derive(Clone, Debug)]
pub struct CommandContext {
    pub at: DateTime<Utc>,
    /// The number of the event that the command leads to.
    pub number: u64,
    pub author: Author,
}

/// The source of the faces of a check's dice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Faces {
    /// The program rolls the dice.
    Rolled,
    /// The players roll real dice. The list has all faces up to the next choice, or to the end of the check.
    Typed(Vec<Face>),
}

/// Makes a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RollCommand {
    /// The roller. `None` if the GM rolls for no character.
    pub who: Option<CharacterId>,
    /// The fields of the check. The command is refused if a required field has no value.
    pub filled: Filled,
    pub faces: Faces,
    /// Answers to the choices of the check, in order.
    pub choose: Vec<String>,
    /// The origin of these answers, for the log.
    pub by: ChosenBy,
    /// True if the roll waits at a choice without an answer, false if it takes the default.
    pub wait: bool,
    /// The players that do not see the roll; `*` stands for all players.
    pub hidden_from: Vec<String>,
    /// True if the players that do not see the roll still see that dice were rolled.
    pub noticed: bool,
    /// The clock that the roll fills.
    pub clock: Option<ClockId>,
    /// The helping characters. Helpers share the consequences, and helping may take their action.
    pub helpers: Vec<CharacterId>,
    /// True if the whole party succeeds or fails with this roll. A call can require this as well.
    pub group: bool,
}

impl RollCommand {
    /// A check with rolled dice that takes the default at each choice, which all players see.
    pub fn new(who: Option<CharacterId>, filled: Filled) -> Self {
        Self {
            who,
            filled,
            faces: Faces::Rolled,
            choose: Vec::new(),
            by: ChosenBy::Default,
            wait: false,
            hidden_from: Vec::new(),
            noticed: false,
            clock: None,
            helpers: Vec::new(),
            group: false,
        }
    }
}

/// The dice of a roll without a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FreeRoll {
    /// Dice in dice notation.
    Dice {
        /// For example `2d6+1`.
        notation: String,
        /// The faces of real dice. `None` if the program rolls.
        faces: Option<Vec<i32>>,
    },
    /// A random table.
    Table {
        /// All tables, because a row may roll on another table.
        tables: Arc<RandomTables>,
        /// The name of the file of the table.
        name: String,
    },
}

/// Rolls dice without a check, or on a random table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FreeRollCommand {
    /// The roller. `None` if the GM rolls for no character.
    pub who: Option<CharacterId>,
    pub what: FreeRoll,
    /// The players that do not see the roll; `*` stands for all players.
    pub hidden_from: Vec<String>,
    /// True if those players see that dice were rolled.
    pub noticed: bool,
}

/// Sets the order of turns: rolls for some characters, and takes typed numbers for others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InitiativeCommand {
    /// The characters whose initiative is rolled, by the check that the system names.
    pub rolls: Vec<CharacterId>,
    /// Typed numbers. `None` takes a character out of the order.
    pub set: Vec<(CharacterId, Option<Initiative>)>,
}

/// Stores characters and clocks as a prepared scene.
#[derive(Clone, Debug, PartialEq)]
pub struct PrepareCommand {
    pub name: String,
    pub notes: String,
    pub characters: Vec<CharacterId>,
    /// Further clocks. The clocks of the characters are always included.
    pub clocks: Vec<ClockId>,
    /// Creatures that the scene gets besides those in the game.
    pub creatures: Vec<AddCreaturesCommand>,
    /// True if the characters and clocks are then removed from the game.
    pub put_away: bool,
}

impl PrepareCommand {
    /// A prepared scene without contents.
    pub fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            notes: String::new(),
            characters: Vec::new(),
            clocks: Vec::new(),
            creatures: Vec::new(),
            put_away: false,
        }
    }
}

/// Adds copies of a creature.
#[derive(Clone, Debug, PartialEq)]
pub struct AddCreaturesCommand {
    /// The creature under the name that all copies share. Several copies are numbered.
    pub character: Character,
    /// The pools of each copy that differ from those of the rules.
    pub pools: Vec<CreaturePool>,
    pub count: u32,
}

/// Calls on characters to make a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallCommand {
    /// The characters that have to roll.
    pub who: Vec<CharacterId>,
    pub check: String,
    /// Fields with their values in the form of typed input. The others are filled in from each character's sheet.
    pub fields: Vec<(String, String)>,
    /// The other characters of a group roll.
    pub helpers: Vec<CharacterId>,
    /// True if the whole party succeeds or fails with this roll.
    pub group: bool,
    /// True if all players see the call, false if only the called players do.
    pub shown: bool,
}

/// The kind of a blow, for systems in which it matters at 0 hit points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Blow {
    #[default]
    Ordinary,
    /// A critical hit counts as two failed death saves.
    Critical,
    /// A melee attack that leaves 1 hit point instead of 0.
    KnockOut,
}

/// The kind of a rest (Heart Rush, Rests).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rest {
    /// A rest of ten minutes.
    Short,
    /// A night in a shelter, or with a successful roll.
    Long,
    /// A night outdoors after a failed roll.
    LongFailed,
}

impl Command {
    /// Creates the command that adds an entity.
    pub fn add(entity: impl Into<Entity>) -> Self {
        Self::Add(entity.into())
    }

    /// Creates the command that replaces the entity with the same id.
    pub fn edit(entity: impl Into<Entity>) -> Self {
        Self::Edit(entity.into())
    }

    /// True if the log must not name the author.
    pub fn is_anonymous(&self) -> bool {
        match self {
            Self::Pause | Self::SetLinesAndVeils { .. } => true,
            Self::All(commands) => commands.iter().any(Self::is_anonymous),
            _ => false,
        }
    }

    /// Combines several commands in one act. A single command is returned unchanged.
    pub fn together(mut commands: Vec<Self>) -> Self {
        if commands.len() == 1
            && let Some(only) = commands.pop()
        {
            return only;
        }
        Self::All(commands)
    }
}

/// A request to change the game.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    Roll(Box<RollCommand>),
    FreeRoll(Box<FreeRollCommand>),
    /// Answers a choice of a waiting check.
    Answer {
        check: UnfinishedId,
        /// The name of the chosen option.
        chose: String,
        by: ChosenBy,
        /// The source of the dice after the choice.
        faces: Faces,
    },
    /// Enters the faces that a waiting check asks for.
    TypeFaces {
        check: UnfinishedId,
        faces: Vec<Face>,
    },
    /// Cancels a waiting check.
    Abandon(UnfinishedId),

    /// Adds an entity. A character comes with the pools and clocks of the rules.
    Add(Entity),
    /// Adds copies of a creature as one act.
    AddCreatures(Box<AddCreaturesCommand>),
    /// Adds a clock. Numbers that were typed as dice are rolled.
    AddClock(NewClock),
    /// Imports characters, clocks and pools, and updates clocks and pools that the game already has.
    TakeIn(Box<Arrivals>),
    /// Replaces the entity that has the same id.
    Edit(Entity),
    /// Removes an entity or a call. The pools and clocks of a character are removed with the character; the entities that
    /// a prepared scene brought stay.
    Remove(EntityRef),
    /// Adds a copy of an entity without its traces of play, under a numbered name.
    Duplicate(EntityRef),
    /// Moves a stat by steps: 1 for a number, one size for a die.
    StepStat {
        who: CharacterId,
        stat: String,
        by: i32,
    },
    SetStat {
        who: CharacterId,
        stat: String,
        value: Value,
    },
    /// Replaces the conditions of a character.
    SetConditions {
        who: CharacterId,
        conditions: Vec<Condition>,
    },
    /// Begins the next round: all characters can act again, and conditions lose one round.
    NextRound,
    /// Sets the order of turns. The first order also begins the first round.
    Initiative(InitiativeCommand),
    /// Ends the current turn and begins the next one. After the last turn a new round begins.
    EndTurn,
    /// Ends the fight: clears the order of turns and the round.
    EndFight,

    /// Advances a clock, or sets it back.
    Tick {
        clock: ClockId,
        /// The number of segments.
        by: i32,
    },

    /// Puts two clocks into one race: the race of the second clock, else that of the first, else a new one.
    Race {
        clock: ClockId,
        rival: ClockId,
    },

    PrepareScene(PrepareCommand),
    /// Adds the characters and clocks of a prepared scene. The new characters and clocks are hidden at first.
    BringScene(PreparedId),
    /// Shows players all characters and clocks that a prepared scene brought.
    RevealScene(PreparedId),

    /// Gains tokens, or spends them.
    Tokens {
        pool: PoolId,
        by: i32,
    },
    /// Sets the tokens of a pool.
    SetTokens {
        pool: PoolId,
        to: i32,
    },
    /// Moves tokens from one pool to another.
    MoveTokens {
        from: PoolId,
        to: PoolId,
        amount: i32,
    },

    /// Gains Destiny Points for an aspect that complicates life without a roll: its rank, within the limit of the scene.
    Complicate {
        who: CharacterId,
        /// The name of an aspect or a wound. Wounds count as aspects.
        aspect: String,
    },
    /// Gives tokens that do not count towards the limit of the scene.
    Award {
        pool: PoolId,
        amount: i32,
        /// The reason. May be empty.
        why: String,
    },

    Call(CallCommand),

    /// Deals damage: it lowers hit points, and may cause a wound.
    Damage {
        who: CharacterId,
        /// The damage before it is shrugged off.
        amount: i32,
        /// True if the character shrugs off half of the damage, at the cost of a step of the heart die.
        shrug_off: bool,
        blow: Blow,
    },
    /// Applies effects of a roll to a character that the roll did not name.
    Receive {
        who: CharacterId,
        effects: Vec<Effect>,
    },
    /// Restores hit points up to the maximum.
    Heal {
        who: CharacterId,
        amount: i32,
    },
    /// Ends the state in which the rules see a character, such as death, by changing the values behind it.
    EndStanding {
        who: CharacterId,
        /// The word for the state. Refused if the character is not in it.
        word: String,
    },
    Rest {
        who: CharacterId,
        rest: Rest,
    },
    /// Treats wounds: the total of a medicine check is subtracted from the rank of each wound.
    TreatWounds {
        who: CharacterId,
        total: i32,
    },
    /// First Aid: each effect level removes a Wound or a Trauma.
    FirstAid {
        who: CharacterId,
        /// The clock whose overflow is removed: Stress for Traumas, Blood for Wounds.
        of: Id,
        /// The effect levels of the roll.
        levels: i32,
    },

    /// Unlocks an attempt that failed before.
    Unlock {
        who: CharacterId,
        /// The name of the attempt.
        about: String,
        /// The reason, such as a clue or a rest. May be empty.
        why: String,
    },
    /// Ends the scene and begins the next.
    NextScene {
        /// The name of the new scene. If it is empty, the scene gets a numbered name.
        name: String,
    },
    EndSession,
    /// Sets a house rule.
    SetHouse {
        rule: String,
        /// The value in the form of typed input.
        value: String,
    },
    /// Replaces the rules under which the game continues.
    TakeRules {
        system: System,
        /// The path of the file of the rules. Empty if the command named no file.
        from: String,
    },
    /// Writes a note or a handout.
    Note(NoteCommand),
    /// Writes in the log that the roll in this entry has no further effects.
    DeclineFollowUps(u64),
    EditNote(EditNoteCommand),
    /// Marks a handout as read by the seat that acts.
    ReadHandout(NoteId),
    /// Replaces the lines and veils. The author is not recorded.
    SetLinesAndVeils {
        /// The text that the author read. The command is refused if the text has changed since. `None` replaces any
        /// text.
        was: Option<String>,
        text: String,
    },
    /// Asks all players to pause (the X-card). The author is not recorded.
    Pause,
    /// Applies an effect of the roll in this log entry.
    Follow {
        entry: u64,
        then: Box<Self>,
    },
    /// Runs several commands as one act. Each command sees the changes of the commands before it.
    All(Vec<Self>),
}
