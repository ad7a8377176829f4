//! A seat at the table and its rights.

use serde::{Deserialize, Serialize};

use super::{Act, Entry};
pub use tableside_game::SeatId;
use tableside_game::{
    Author, Character, CharacterId, Command, CommandError, EntityRef, Game, Note, NoteId, Pin,
    Readers, Roll, RollCommand, Visibility,
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
    /// Plays characters. Sees everything that is not hidden, and rolls for its own characters.
    #[default]
    Player,
    /// Watches the game, and may make suggestions if this is allowed.
    Watcher,
}

/// The rights that players and watchers have in addition to those for their own characters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Allowed {
    /// Players may gain and spend tokens of the table's pools.
    pub table_pools: bool,
    /// Players may advance the clocks of the table that they see.
    pub table_clocks: bool,
    /// Watchers may make suggestions.
    pub watchers_suggest: bool,
    /// The number of acts that a seat may do in a second. `None` means no limit.
    pub acts_per_second: Option<u32>,
}

/// A seat at the table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seat {
    /// Identifies the author of acts.
    pub id: SeatId,
    /// The name, which events record as their author.
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

    /// The author of the acts of this seat.
    pub fn author(&self) -> Author {
        Author::new(&self.name, self.id)
    }

    /// The readers of a new note unless the author chooses others: the GM for a note of the GM, otherwise only the
    /// author.
    pub fn default_readers(&self) -> Readers {
        if self.sees_all() {
            Readers::Gm
        } else {
            Readers::Author
        }
    }

    /// True if the seat may read a note.
    pub fn reads_note(&self, note: &Note) -> bool {
        let is_author = note.seat == self.id && self.id != SeatId::NOBODY;
        is_author || self.is_among(&note.readers)
    }

    fn is_among(&self, readers: &Readers) -> bool {
        match readers {
            Readers::Author => false,
            Readers::Gm => self.sees_all(),
            Readers::Everybody => true,
            Readers::Characters(characters) => {
                let plays_reader = characters
                    .iter()
                    .any(|named| self.characters.contains(&named.id));
                self.sees_all() || plays_reader
            }
            Readers::Seat { seat, .. } => self.sees_all() || *seat == self.id,
        }
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

    /// True if this seat is the author of an entry. Only the ids are compared, because a seat can get the name of a
    /// removed seat. Entries in the log of a sample game belong to no seat.
    pub fn did(&self, entry: &Entry) -> bool {
        entry.seat == self.id && self.id != SeatId::NOBODY
    }

    /// Fails if the seat may not do an act.
    pub(super) fn check_right(
        &self,
        game: &Game,
        allowed: Allowed,
        act: &Act,
    ) -> Result<(), CommandError> {
        self.check_answer(game, act)?;

        let is_allowed = match act {
            Act::Do(command) => match self.role {
                _ if !self.may_touch_notes(game, command) => false,
                SeatRole::Gm => true,
                SeatRole::Player => self.may_command(game, allowed, command),
                SeatRole::Watcher => is_open_to_watchers(command),
            },
            // The history checks whether the seat is the author of the entry.
            Act::Undo | Act::UndoSeveral(_) | Act::Redo => self.role != SeatRole::Watcher,
            Act::Reroll { .. } => self.role != SeatRole::Watcher,
            Act::Strike { .. } | Act::Amend { .. } => self.sees_all(),
            Act::ForGame(_) | Act::FollowHost(_) => self.sees_all(),
        };
        if is_allowed {
            Ok(())
        } else {
            Err(self.refusal(game.system))
        }
    }

    /// Fails if a player answers a choice of the GM.
    fn check_answer(&self, game: &Game, act: &Act) -> Result<(), CommandError> {
        if self.role == SeatRole::Player
            && let Act::Do(command) = act
            && let Command::Answer { check, .. } = &**command
            && game.decider(*check) == Some(Side::Gm)
        {
            let gm = game.system.spec().gm;
            let why = format!("the {gm} makes this choice; the check waits for the {gm}");
            return Err(CommandError::NotAllowed(why));
        }
        Ok(())
    }

    /// Returns the refusal of an act that the seat may not do.
    pub fn refusal(&self, system: System) -> CommandError {
        let gm = system.spec().gm;
        CommandError::NotAllowed(match self.role {
            SeatRole::Gm | SeatRole::Player => {
                format!("you may not change this; suggest it to the {gm} instead")
            }
            SeatRole::Watcher => format!("watchers cannot act; ask the {gm} for a seat to play"),
        })
    }

    /// True if a check was rolled by one of the seat's characters and the seat may see it.
    pub(super) fn may_roll_again(&self, roll: &Roll) -> bool {
        let is_own = roll
            .id
            .is_some_and(|roller| self.characters.contains(&roller));
        let is_shown = !self.is_closed(&roll.hidden_from);
        self.role == SeatRole::Player && is_own && is_shown
    }

    /// True if a roll that is hidden from these players is hidden from this seat.
    pub(super) fn is_closed(&self, hidden_from: &[String]) -> bool {
        if self.sees_all() {
            return false;
        }
        hidden_from
            .iter()
            .any(|player| player == "*" || is_same_name(player, &self.name))
    }

    /// True if a character is not hidden from the seat.
    pub(super) fn knows(&self, character: &Character) -> bool {
        let is_own = self.characters.contains(&character.id);
        self.sees_all() || !character.hidden || is_own
    }

    /// True if a player's roll uses no helper and no clock that is hidden from the player.
    fn rolls_openly(&self, game: &Game, roll: &RollCommand) -> bool {
        let knows = |id: CharacterId| {
            let character = game.character(id);
            character.is_some_and(|character| self.knows(character))
        };
        let knows_helpers = roll.helpers.iter().all(|helper| knows(*helper));
        if !knows_helpers {
            return false;
        }

        let clock = roll.clock.and_then(|id| game.clock(id));
        let Some(clock) = clock else {
            return true;
        };
        let owner = clock.owner.and_then(|id| game.character(id));
        let knows_owner = owner.is_none_or(|owner| self.knows(owner));
        clock.visibility != Visibility::Hidden && knows_owner
    }

    /// True if a player's roll spends and gains only tokens of the player's own characters.
    fn pays_alone(&self, game: &Game, roll: &RollCommand) -> bool {
        let filled = &roll.filled;
        let spec = filled.fields.spec();
        let opponent = game.opponent(spec, &filled.sources);
        let has_own_opponent =
            opponent.is_none_or(|opponent| self.characters.contains(&opponent.id));
        if has_own_opponent {
            return true;
        }

        filled.fields.iter().all(|(field, value)| {
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
            Command::FreeRoll(throw) => match &throw.who {
                Some(roller) => is_own(roller),
                None => false,
            },
            Command::Answer { check, .. } | Command::TypeFaces { check, .. } => {
                let waiting = game.unfinished(*check);
                let roller = waiting.and_then(|waiting| waiting.roll.id);
                roller.is_some_and(|id| is_own(&id))
            }
            Command::StepStat { who, .. } | Command::SetStat { who, .. } => is_own(who),
            Command::Tokens { pool, by } => match game.pool(*pool) {
                Some(pool) => match pool.owner {
                    Some(owner) => is_own(&owner) && game.player_moves(pool).allow(*by),
                    None => allowed.table_pools,
                },
                None => false,
            },
            Command::EndTurn => {
                let on_turn = game.on_turn();
                on_turn.is_some_and(|character| is_own(&character.id))
            }
            Command::Tick { clock, .. } => {
                let Some(clock) = game.clock(*clock) else {
                    return false;
                };
                let may_tick = match &clock.owner {
                    Some(owner) => is_own(owner),
                    None => allowed.table_clocks,
                };
                may_tick && clock.visibility == Visibility::Visible
            }
            Command::Note(note) => {
                !note.handout && self.may_address(game, &note.readers, note.pinned_to)
            }
            Command::EditNote(edit) => self.may_address(game, &edit.readers, edit.pinned_to),
            Command::DeclineFollowUps(_)
            | Command::ReadHandout(_)
            | Command::SetLinesAndVeils { .. }
            | Command::Pause
            | Command::Remove(EntityRef::Note(_)) => true,
            Command::All(commands) => commands
                .iter()
                .all(|command| self.may_command(game, allowed, command)),
            _ => false,
        }
    }

    /// True if a command changes only notes that the seat may change: its own notes, and for the GM all notes that the
    /// GM may read.
    fn may_touch_notes(&self, game: &Game, command: &Command) -> bool {
        let may_change = |id: NoteId| {
            game.note(id).is_none_or(|note| {
                let is_own = note.seat == self.id;
                is_own || (self.sees_all() && self.reads_note(note))
            })
        };
        let may_read = |id: NoteId| {
            let note = game.note(id);
            note.is_none_or(|note| self.reads_note(note))
        };
        match command {
            Command::EditNote(edit) => may_change(edit.note),
            Command::Remove(EntityRef::Note(id)) => may_change(*id),
            Command::ReadHandout(id) => may_read(*id),
            Command::All(commands) => commands
                .iter()
                .all(|command| self.may_touch_notes(game, command)),
            _ => true,
        }
    }

    /// True if the seat knows the readers of a note and the entity to which it is pinned.
    fn may_address(&self, game: &Game, readers: &Readers, pin: Option<Pin>) -> bool {
        let knows = |id: CharacterId| {
            let character = game.character(id);
            character.is_some_and(|character| self.knows(character))
        };
        let knows_readers = match readers {
            Readers::Characters(characters) => {
                let mut ids = characters.iter().map(|named| named.id);
                ids.all(knows)
            }
            _ => true,
        };
        let knows_pin = match pin {
            Some(Pin::Character(id)) => knows(id),
            Some(Pin::Clock(id)) => {
                let clock = game.clock(id);
                clock.is_some_and(|clock| {
                    let owner_is_known = clock.owner.is_none_or(knows);
                    clock.visibility != Visibility::Hidden && owner_is_known
                })
            }
            Some(Pin::Scene(_)) | None => true,
        };
        knows_readers && knows_pin
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

fn is_open_to_watchers(command: &Command) -> bool {
    matches!(
        command,
        Command::ReadHandout(_) | Command::SetLinesAndVeils { .. } | Command::Pause
    )
}

/// True if a roll that answers a call keeps the fields that the GM set in the call.
fn rolls_as_called(game: &Game, roll: &RollCommand) -> bool {
    let fields = &roll.filled.fields;
    let spec = fields.spec();
    let call = roll.who.and_then(|roller| game.call_for(roller, spec.id));
    let Some(call) = call else {
        return true;
    };

    call.fields.iter().all(|(id, text)| {
        let Some(field) = spec.field(id) else {
            return true;
        };
        let mut called = roll.filled.clone();
        // A field that the roller cannot fill in is no restriction.
        match game.fill_in(&mut called, roll.who, field, text) {
            Ok(()) => called.fields.value(id) == fields.value(id),
            Err(_) => true,
        }
    })
}
