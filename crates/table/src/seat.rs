//! A person at the table, and what that person may do.

use serde::{Deserialize, Serialize};

use super::{Act, Entry};
use tableside_game::{
    Character, CharacterId, Clock, Command, CommandError, Game, Roll, RollCommand, Visibility,
};
use tableside_rules::{ChosenBy, Side, System, Whose};
use tableside_text::is_same_name;

/// What a person is at the table.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, strum::IntoStaticStr,
)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase", const_into_str)]
pub enum SeatRole {
    /// Runs the game: sees and may do everything.
    Gm,
    /// Plays characters: sees what is visible, rolls for the own characters.
    #[default]
    Player,
    /// Looks on.
    Watcher,
}

/// Which seat it is: the same whatever it is called, and never another's, also after it was taken away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SeatId(pub u64);

impl SeatId {
    /// The person at this machine: its screen and its commands.
    pub const HOST: Self = Self(0);
    /// No seat: an onlooker, and the people of a sample's story.
    pub const NOBODY: Self = Self(1);
}

/// What players and watchers may do beyond their own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Allowed {
    /// Players gain and spend tokens of the table's pools.
    pub table_pools: bool,
    /// Players tick the table's clocks, where they see them.
    pub table_clocks: bool,
    /// Watchers may suggest something.
    pub watchers_suggest: bool,
    /// How much a seat may do in a second; without bound where nothing is said.
    pub acts_per_second: Option<u32>,
}

/// A person at the table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seat {
    /// Which one it is: what decides whose something is.
    pub id: SeatId,
    /// The name, as events record it.
    pub name: String,
    /// What the person is.
    pub role: SeatRole,
    /// The characters that the person plays.
    pub characters: Vec<CharacterId>,
}

impl Seat {
    /// A seat without characters.
    pub fn new(id: SeatId, name: &str, role: SeatRole) -> Self {
        Self {
            id,
            name: name.to_owned(),
            role,
            characters: Vec::new(),
        }
    }

    /// The GM's seat.
    pub fn gm() -> Self {
        Self::new(SeatId::HOST, "gm", SeatRole::Gm)
    }

    /// What everybody may see, as when players look over the GM's shoulder.
    pub fn onlooker() -> Self {
        Self::new(SeatId::NOBODY, "watcher", SeatRole::Watcher)
    }

    /// Whether the seat sees everything.
    pub fn sees_all(&self) -> bool {
        self.role == SeatRole::Gm
    }

    /// Whether the seat may put what is not its own to do before the GM.
    pub fn may_suggest(&self, allowed: Allowed) -> bool {
        match self.role {
            SeatRole::Gm => false,
            SeatRole::Player => true,
            SeatRole::Watcher => allowed.watchers_suggest,
        }
    }

    /// Whether this seat did that. Names do not decide it: a later seat may have an earlier one's. An onlooker did
    /// nothing, also not what people of a sample's story did.
    pub fn did(&self, entry: &Entry) -> bool {
        entry.seat == self.id && self.id != SeatId::NOBODY
    }

    /// Refuses what the seat may not do.
    pub(super) fn may(&self, game: &Game, allowed: Allowed, act: &Act) -> Result<(), CommandError> {
        if let (SeatRole::Player, Act::Do(command)) = (self.role, act)
            && let Command::Answer { check, .. } = &**command
            && game.decider(*check) == Some(Side::Gm)
        {
            let gm = game.system.spec().gm;
            let why = format!("the {gm} decides this; the check waits for it");
            return Err(CommandError::NotAllowed(why));
        }
        let may = match (self.role, act) {
            // Whose roll is rolled again is asked where the entry is known.
            (SeatRole::Gm, _)
            | (
                SeatRole::Player,
                Act::Undo | Act::UndoSeveral(_) | Act::Redo | Act::Reroll { .. },
            ) => true,
            (SeatRole::Watcher, _)
            | (
                SeatRole::Player,
                Act::Strike { .. } | Act::Amend { .. } | Act::ForGame(_) | Act::FollowHost(_),
            ) => false,
            (SeatRole::Player, Act::Do(command)) => self.may_command(game, allowed, command),
        };
        may.then_some(()).ok_or_else(|| self.refusal(game.system))
    }

    /// What is not the seat's to do, in words.
    pub fn refusal(&self, system: System) -> CommandError {
        let gm = system.spec().gm;
        CommandError::NotAllowed(match self.role {
            SeatRole::Gm | SeatRole::Player => {
                format!("that is not yours to change; suggest it to the {gm} instead")
            }
            SeatRole::Watcher => format!("watchers look on; ask the {gm} for a seat to play"),
        })
    }

    /// Whether that check was one of the seat's own characters', and seen.
    pub(super) fn may_roll_again(&self, roll: &Roll) -> bool {
        let own = roll.id.is_some_and(|id| self.characters.contains(&id));
        self.role == SeatRole::Player && own && !self.is_closed(&roll.hidden_from)
    }

    /// Whether what is hidden from these is hidden from this seat.
    pub(super) fn is_closed(&self, hidden_from: &[String]) -> bool {
        let me = |name: &String| name == "*" || is_same_name(name, &self.name);
        !self.sees_all() && hidden_from.iter().any(me)
    }

    /// Whether the seat knows of that character.
    pub(super) fn knows(&self, character: &Character) -> bool {
        self.sees_all() || !character.hidden || self.characters.contains(&character.id)
    }

    /// Whether a player's roll touches nothing that is hidden from that player.
    fn rolls_openly(&self, game: &Game, roll: &RollCommand) -> bool {
        let known = |id: &CharacterId| game.character(*id).is_some_and(|one| self.knows(one));
        let seen = |clock: &Clock| {
            let owner = clock.owner.and_then(|id| game.character(id));
            clock.visibility != Visibility::Hidden && owner.is_none_or(|owner| self.knows(owner))
        };
        let clock = roll.clock.and_then(|id| game.clock(id));
        roll.helpers.iter().all(known) && clock.is_none_or(seen)
    }

    /// Whether a player's roll takes and gives no tokens but those of the own characters.
    fn pays_alone(&self, game: &Game, roll: &RollCommand) -> bool {
        let opponent = game.opponent(roll.filled.fields.spec(), &roll.filled.sources);
        let own = opponent.is_none_or(|one| self.characters.contains(&one.id));
        let mut fields = roll.filled.fields.iter();
        own || fields.all(|(field, value)| {
            let theirs = field.whose == Whose::Opponent && field.spends.or(field.gains).is_some();
            !theirs || value == field.start.as_ref()
        })
    }

    fn may_command(&self, game: &Game, allowed: Allowed, command: &Command) -> bool {
        let own = |id: &CharacterId| self.characters.contains(id);
        let own_check = |id| {
            let waiting = game.unfinished(id).and_then(|waiting| waiting.roll.id);
            waiting.is_some_and(|id| own(&id))
        };
        match command {
            Command::Roll(roll) => {
                // Answers are a player's own, for the GM's are none of them.
                let answers = roll.choose.is_empty() || roll.by == ChosenBy::Player;
                roll.who.as_ref().is_some_and(own)
                    && answers
                    && rolls_as_called(game, roll)
                    && self.rolls_openly(game, roll)
                    && self.pays_alone(game, roll)
            }
            Command::Throw(throw) => throw.who.as_ref().is_some_and(own),
            Command::Answer { check, .. } | Command::TypeFaces { check, .. } => own_check(*check),
            Command::StepStat { who, .. } | Command::SetStat { who, .. } => own(who),
            Command::Tokens { pool, by } => game.pool(*pool).is_some_and(|pool| {
                // What the rules book is the player's to spend, not to gain.
                let spends = |owner| own(&owner) && *by < 0;
                pool.owner.map_or(allowed.table_pools, spends)
            }),
            Command::Tick { clock, .. } => game.clock(*clock).is_some_and(|clock| {
                let owner = clock.owner.as_ref();
                let may = owner.map_or(allowed.table_clocks, own);
                may && clock.visibility == Visibility::Visible
            }),
            Command::Note { .. } => true,
            Command::All(all) => all
                .iter()
                .all(|command| self.may_command(game, allowed, command)),
            _ => false,
        }
    }
}

/// Whether a roll that answers a call keeps the fields that the GM gave in it.
fn rolls_as_called(game: &Game, roll: &RollCommand) -> bool {
    let fields = &roll.filled.fields;
    let spec = fields.spec();
    let call = roll.who.and_then(|who| game.call_for(who, spec.id));
    let mut given = call.iter().flat_map(|call| &call.fields);
    given.all(|(id, text)| {
        let mut called = roll.filled.clone();
        let fill = |field| game.fill_in(&mut called, roll.who, field, text);
        let filled = spec.field(id).map(fill);
        let is_filled = filled.is_some_and(|filled| filled.is_ok());
        !is_filled || called.fields.value(id) == fields.value(id)
    })
}
