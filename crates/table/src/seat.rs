//! A seat at the table and its rights.

use serde::{Deserialize, Serialize};

use super::{Act, Entry};
use tableside_game::{
    Character, CharacterId, Command, CommandError, Game, Roll, RollCommand, Visibility,
};
use tableside_rules::{ChosenBy, Side, System, Whose};
use tableside_text::is_same_name;

/// The role of a seat.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, strum::IntoStaticStr,
)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase", const_into_str)]
pub enum SeatRole {
    /// Runs the game, sees everything and may do everything.
    Gm,
    /// Plays characters, sees everything visible and rolls for the own characters.
    #[default]
    Player,
    /// Only watches.
    Watcher,
}

/// The id of a seat. It stays the same if the seat is renamed and is never used again after the seat is removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SeatId(pub u64);

impl SeatId {
    /// The user of this computer, with a screen or on the command line.
    pub const HOST: Self = Self(0);
    /// No seat: an onlooker, and the authors of a sample's log.
    pub const NOBODY: Self = Self(1);
}

/// Rights of players and watchers beyond their own characters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Allowed {
    /// Players may gain and spend tokens of the table's pools.
    pub table_pools: bool,
    /// Players may advance the clocks of the table that they see.
    pub table_clocks: bool,
    /// Watchers may make suggestions.
    pub watchers_suggest: bool,
    /// The acts that a seat may do in a second. `None` is no limit.
    pub acts_per_second: Option<u32>,
}

/// A seat at the table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seat {
    /// Acts are attributed by it.
    pub id: SeatId,
    /// The name, which events record.
    pub name: String,
    pub role: SeatRole,
    /// The characters that the seat plays.
    pub characters: Vec<CharacterId>,
}

impl Seat {
    /// Returns a seat without characters.
    pub fn new(id: SeatId, name: &str, role: SeatRole) -> Self {
        Self {
            id,
            name: name.to_owned(),
            role,
            characters: Vec::new(),
        }
    }

    /// Returns the GM's seat.
    pub fn gm() -> Self {
        Self::new(SeatId::HOST, "gm", SeatRole::Gm)
    }

    /// Returns a seat that sees only what everyone may see.
    pub fn onlooker() -> Self {
        Self::new(SeatId::NOBODY, "watcher", SeatRole::Watcher)
    }

    /// True if the seat sees everything.
    pub fn sees_all(&self) -> bool {
        self.role == SeatRole::Gm
    }

    /// True if the seat may suggest acts to the GM.
    pub fn may_suggest(&self, allowed: Allowed) -> bool {
        match self.role {
            SeatRole::Gm => false,
            SeatRole::Player => true,
            SeatRole::Watcher => allowed.watchers_suggest,
        }
    }

    /// True if this seat did an entry. Names do not matter, because a seat can get the name of a removed one. Entries of a
    /// sample's log belong to no seat.
    pub fn did(&self, entry: &Entry) -> bool {
        entry.seat == self.id && self.id != SeatId::NOBODY
    }

    /// Refuses an act that the seat may not do.
    pub(super) fn may(&self, game: &Game, allowed: Allowed, act: &Act) -> Result<(), CommandError> {
        self.may_answer(game, act)?;

        let is_allowed = match (self.role, act) {
            (SeatRole::Gm, _) => true,
            (SeatRole::Watcher, _) => false,
            // The history checks whose entry it is.
            (
                SeatRole::Player,
                Act::Undo | Act::UndoSeveral(_) | Act::Redo | Act::Reroll { .. },
            ) => true,
            (
                SeatRole::Player,
                Act::Strike { .. } | Act::Amend { .. } | Act::ForGame(_) | Act::FollowHost(_),
            ) => false,
            (SeatRole::Player, Act::Do(command)) => self.may_command(game, allowed, command),
        };
        if is_allowed {
            Ok(())
        } else {
            Err(self.refusal(game.system))
        }
    }

    /// Refuses a player's answer to a choice of the GM.
    fn may_answer(&self, game: &Game, act: &Act) -> Result<(), CommandError> {
        if let (SeatRole::Player, Act::Do(command)) = (self.role, act)
            && let Command::Answer { check, .. } = &**command
            && game.decider(*check) == Some(Side::Gm)
        {
            let gm = game.system.spec().gm;
            let why = format!("the {gm} decides this; the check waits for it");
            return Err(CommandError::NotAllowed(why));
        }
        Ok(())
    }

    /// Returns the refusal of an act that the seat may not do.
    pub fn refusal(&self, system: System) -> CommandError {
        let gm = system.spec().gm;
        CommandError::NotAllowed(match self.role {
            SeatRole::Gm | SeatRole::Player => {
                format!("that is not yours to change; suggest it to the {gm} instead")
            }
            SeatRole::Watcher => format!("watchers look on; ask the {gm} for a seat to play"),
        })
    }

    /// True if a check was rolled by one of the seat's characters and the seat may see it.
    pub(super) fn may_roll_again(&self, roll: &Roll) -> bool {
        let own = roll.id.is_some_and(|id| self.characters.contains(&id));
        self.role == SeatRole::Player && own && !self.is_closed(&roll.hidden_from)
    }

    /// True if a roll that is hidden from these players is hidden from this seat.
    pub(super) fn is_closed(&self, hidden_from: &[String]) -> bool {
        let me = |name: &String| name == "*" || is_same_name(name, &self.name);
        !self.sees_all() && hidden_from.iter().any(me)
    }

    /// True if a character is not hidden from the seat.
    pub(super) fn knows(&self, character: &Character) -> bool {
        self.sees_all() || !character.hidden || self.characters.contains(&character.id)
    }

    /// True if a player's roll uses no helper and no clock that is hidden from the player.
    fn rolls_openly(&self, game: &Game, roll: &RollCommand) -> bool {
        let knows = |id: CharacterId| {
            let character = game.character(id);
            character.is_some_and(|character| self.knows(character))
        };
        if !roll.helpers.iter().all(|helper| knows(*helper)) {
            return false;
        }

        let Some(clock) = roll.clock.and_then(|id| game.clock(id)) else {
            return true;
        };
        let owner = clock.owner.and_then(|id| game.character(id));
        let knows_owner = owner.is_none_or(|owner| self.knows(owner));
        clock.visibility != Visibility::Hidden && knows_owner
    }

    /// True if a player's roll spends and gains only tokens of the player's own characters.
    fn pays_alone(&self, game: &Game, roll: &RollCommand) -> bool {
        let filled = &roll.filled;
        let opponent = game.opponent(filled.fields.spec(), &filled.sources);
        let has_own_opponent =
            opponent.is_none_or(|opponent| self.characters.contains(&opponent.id));
        has_own_opponent
            || filled.fields.iter().all(|(field, value)| {
                let moves_tokens = field.spends.or(field.gains).is_some();
                let is_opponents = field.whose == Whose::Opponent && moves_tokens;
                !is_opponents || value == field.start.as_ref()
            })
    }

    /// True if a player may do a command.
    fn may_command(&self, game: &Game, allowed: Allowed, command: &Command) -> bool {
        let is_own = |id: &CharacterId| self.characters.contains(id);
        match command {
            Command::Roll(roll) => self.may_roll(game, roll),
            Command::Throw(throw) => throw.who.as_ref().is_some_and(is_own),
            Command::Answer { check, .. } | Command::TypeFaces { check, .. } => {
                let waiting = game.unfinished(*check);
                let roller = waiting.and_then(|waiting| waiting.roll.id);
                roller.is_some_and(|id| is_own(&id))
            }
            Command::StepStat { who, .. } | Command::SetStat { who, .. } => is_own(who),
            Command::Tokens { pool, by } => match game.pool(*pool) {
                // Players spend tokens of their characters. Effects of rolls gain them.
                Some(pool) => match pool.owner {
                    Some(owner) => is_own(&owner) && *by < 0,
                    None => allowed.table_pools,
                },
                None => false,
            },
            Command::Tick { clock, .. } => game.clock(*clock).is_some_and(|clock| {
                let may_tick = match &clock.owner {
                    Some(owner) => is_own(owner),
                    None => allowed.table_clocks,
                };
                may_tick && clock.visibility == Visibility::Visible
            }),
            Command::Note { .. } => true,
            Command::All(commands) => commands
                .iter()
                .all(|command| self.may_command(game, allowed, command)),
            _ => false,
        }
    }

    /// True if a player may make a roll, with the answers that it contains.
    fn may_roll(&self, game: &Game, roll: &RollCommand) -> bool {
        let is_own = roll
            .who
            .is_some_and(|roller| self.characters.contains(&roller));
        let has_own_answers = roll.choose.is_empty() || roll.by == ChosenBy::Player;
        is_own
            && has_own_answers
            && rolls_as_called(game, roll)
            && self.rolls_openly(game, roll)
            && self.pays_alone(game, roll)
    }
}

/// True if a roll that answers a call keeps the fields that the GM set in the call.
fn rolls_as_called(game: &Game, roll: &RollCommand) -> bool {
    let fields = &roll.filled.fields;
    let spec = fields.spec();
    let Some(call) = roll.who.and_then(|who| game.call_for(who, spec.id)) else {
        return true;
    };

    call.fields.iter().all(|(id, text)| {
        let Some(field) = spec.field(id) else {
            return true;
        };
        let mut called = roll.filled.clone();
        // A field that the roller cannot fill in is no restriction.
        let is_filled = game.fill_in(&mut called, roll.who, field, text).is_ok();
        !is_filled || called.fields.value(id) == fields.value(id)
    })
}
