//! The state of one game, and every way in which it can change.
//!
//! [`Game::decide`] turns a [`Command`] into an [`Event`], or refuses it with a [`CommandError`]. [`Game::apply`] applies
//! an event and never fails. An event lists its [`Change`]s with the values before and after, so that
//! [`Game::undo_event`] can reverse it.
//!
//! The crate never reads files, the time or random numbers: times and dice are arguments. Seats are not part of
//! it: `tableside-table` decides which acts and which parts of a game are open to a seat.
//!
//! Start with [`Game`], then read `decide.rs` for commands, `change.rs` for changes, and `roll.rs` for checks.

mod amend;
mod apply;
mod arrivals;
mod bestiary;
mod call;
mod change;
mod change_words;
mod character;
mod clock;
mod clock_advance;
mod command;
mod condition_modifiers;
mod contest;
mod decide;
mod dice_on_table;
mod dice_words;
mod differences;
mod dying;
mod effect_commands;
mod effects;
mod entity;
mod error;
mod event;
mod field_followers;
mod file;
mod file_effects;
mod fill_fields;
mod filled;
mod forecast;
mod group;
mod harm_taken;
mod helper;
mod host_clocks;
mod host_request;
mod id;
mod initiative;
mod limits;
mod merge;
mod note;
mod origin;
mod part;
mod pending_effects;
mod pool;
mod random_table;
mod rebase;
mod roll;
mod scene;
mod session;
mod set_aside;
mod severity;
mod shared_list;
mod shared_pool;
mod sheet_lookup;
mod sheet_question;
mod stored_form;
mod summary;
mod tested;
mod turn_start;
mod turns;
mod undo;

pub use amend::{FAVOR, price_of, resolved};
pub use arrivals::{Arrivals, ArrivingClock, ArrivingLink, ArrivingPool};
pub use bestiary::{Bestiary, CreatureMatch, MOST_COPIES, TypedCreatures, plural_of_creature};
pub use call::Call;
pub use change::Change;
pub use change_words::describe_differences;
pub use character::{Allegiance, Character, Condition, ConditionEnd, DYING, Departed, is_noun};
pub use clock::{
    AttachedCheck, Clock, ClockKind, Every, Link, LinkEffect, MAX_TICKS, Segments, Visibility,
    WhenFull, filled_of,
};
pub use command::{
    AddCreaturesCommand, Blow, CallCommand, Command, CommandContext, Faces, FreeRoll,
    FreeRollCommand, InitiativeCommand, PrepareCommand, Rest, RollCommand,
};
pub use contest::UNNAMED_RACE;
pub use decide::numbered_name;
pub use decide::{ASPECTS, DESTINY};
pub use dice_on_table::same_faces;
pub use dice_words::{
    dice_in_words, die_in_words, free_dice_in_words, read_faces, thrown_in_words,
};
pub use differences::differences;
pub use entity::{Entity, NewClock};
pub use error::CommandError;
use error::{Result, refused};
pub use event::{Event, EventKind, InitiativeRoll, SetInitiative, Thrown};
pub use file::FileError;
pub use fill_fields::opponent_of;
pub use filled::{Filled, RecordedFields};
pub use forecast::{ClockForecast, Filler, NoForecast};
pub use group::{GroupKind, GroupPick};
pub use host_clocks::{FollowedTicks, TickedCopy, describe_host_tick};
pub use host_request::{GameActor, HostAction, HostRequest};
pub use id::{
    Author, CallId, CharacterId, ClockId, EntityKind, EntityRef, HostRequestId, NoteId, PoolId,
    PreparedId, SeatId, UnfinishedId,
};
pub use initiative::{Initiative, InitiativeError};
pub use note::{
    EditNoteCommand, LONGEST_HANDOUT, MOST_NOTES, NOTHING_FOLLOWS, Note, NoteCommand, Pin, Readers,
};
pub use origin::{Named, Origin};
pub use part::{EntityPart, Part};
pub use pending_effects::PendingEffects;
pub use pending_effects::hit_points;
pub use pool::{Gains, MOST_TOKENS, PoolKind, Reset, TokenPool, read_thresholds, write_thresholds};
pub use random_table::{
    RandomTable, RandomTables, TableError, TableRow, TableSource, table_file_name,
};
pub use roll::{Roll, Unfinished, UnpaidTokens};
pub use scene::{Prepared, Scene};
pub use session::EndedSession;
pub use set_aside::SetAside;
pub use shared_list::{SharedIter, SharedIterMut, SharedList};
pub use sheet_question::SheetQuestion;
pub use summary::{default_answers, describe_roll, sentence};
pub use tested::Tested;
pub use turns::SIDE_INITIATIVES;

use serde::{Deserialize, Serialize};

use tableside_rules::{HouseRules, PoolOwner, System};
use tableside_text::is_same_name;

/// The longest name of an entity, in characters.
pub const LONGEST_NAME: usize = 200;

/// The longest note on a character or a prepared scene, in characters.
pub const LONGEST_NOTE: usize = 4_000;

/// The maximum number of characters, clocks or pools in one game.
pub const MOST: usize = 500;

/// The state of a game. The fields have the order of the saved file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Game {
    pub system: System,
    /// The round of the present scene, 0 before the first.
    #[serde(default)]
    pub round: u32,
    /// The next ID for an entity.
    #[serde(default)]
    next_id: u32,
    /// The number of entries in the log, one for each event.
    #[serde(default)]
    pub entries: u64,
    /// The number of resolved checks in the log.
    #[serde(default)]
    pub rolls: u64,
    /// The entry of the host's log up to which the game has followed the host clocks.
    #[serde(default, skip_serializing_if = "tableside_rules::is_default")]
    pub followed: u64,
    /// The topics that players do not want to see in the game, and those that happen off screen. Every seat can read and
    /// change them.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub lines_and_veils: String,
    /// The house rules.
    #[serde(default, skip_serializing_if = "tableside_rules::is_default")]
    pub house: HouseRules,
    /// The attempts that characters may not repeat, sorted.
    #[serde(default, rename = "lock", skip_serializing_if = "Vec::is_empty")]
    pub locks: Vec<(CharacterId, String)>,
    /// The locks that only the GM can remove. A rest does not remove them.
    #[serde(default, rename = "gm-lock", skip_serializing_if = "Vec::is_empty")]
    pub gm_locks: Vec<(CharacterId, String)>,
    /// All scenes, the present one last. Never empty.
    #[serde(default, rename = "scene")]
    pub scenes: Vec<Scene>,
    /// All characters, in the order of the roster.
    #[serde(default, rename = "character")]
    pub roster: SharedList<Character>,
    #[serde(default, rename = "clock")]
    pub clocks: SharedList<Clock>,
    #[serde(default, rename = "pool")]
    pub pools: SharedList<TokenPool>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub prepared: Vec<Prepared>,
    /// The checks that characters are called to make, by ID.
    #[serde(default, rename = "call", skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<Call>,
    /// The rolls that wait for a decision or for dice, by ID.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unfinished: Vec<Unfinished>,
    /// Requests to the host that its log does not show as performed.
    #[serde(default, rename = "ask", skip_serializing_if = "Vec::is_empty")]
    pub host_requests: Vec<HostRequest>,
    /// The ended sessions, the first one first.
    #[serde(default, rename = "session", skip_serializing_if = "Vec::is_empty")]
    pub sessions: Vec<EndedSession>,
    /// Notes and handouts, the oldest first.
    #[serde(default, rename = "note", skip_serializing_if = "SharedList::is_empty")]
    pub notes: SharedList<Note>,
    /// Removed characters, whom the log still names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub departed: Vec<Departed>,
}

impl Game {
    /// Creates an empty game with the pools that the rules give to the table.
    pub fn new(system: System) -> Self {
        let table_pools = system
            .spec()
            .pools
            .iter()
            .filter(|pool| pool.purse == PoolOwner::Table);
        let pools: SharedList<TokenPool> = table_pools
            .zip(1..)
            .map(|(pool, id)| TokenPool {
                id: PoolId(id),
                ..TokenPool::from_rules(pool, None)
            })
            .collect();

        let next_id = pools.last().map_or(1, |pool| pool.id.0 + 1);
        Self {
            system,
            lines_and_veils: String::new(),
            sessions: Vec::new(),
            notes: SharedList::default(),
            house: HouseRules::default(),
            scenes: vec![Scene::default()],
            round: 0,
            roster: SharedList::default(),
            clocks: SharedList::default(),
            pools,
            prepared: Vec::new(),
            locks: Vec::new(),
            gm_locks: Vec::new(),
            calls: Vec::new(),
            unfinished: Vec::new(),
            followed: 0,
            host_requests: Vec::new(),
            departed: Vec::new(),
            entries: 0,
            rolls: 0,
            next_id,
        }
    }

    /// Returns the game without its characters, clocks and pools.
    pub fn emptied(&self) -> Self {
        Self {
            house: self.house.clone(),
            scenes: self.scenes.clone(),
            sessions: self.sessions.clone(),
            lines_and_veils: self.lines_and_veils.clone(),
            round: self.round,
            pools: SharedList::default(),
            entries: self.entries,
            rolls: self.rolls,
            next_id: self.next_id,
            ..Self::new(self.system)
        }
    }

    /// Returns the present scene.
    pub fn scene(&self) -> &Scene {
        self.scenes.last().expect("there is always a scene")
    }

    /// Returns the scene in which an event happened. Before the first scene it has no name.
    pub fn scene_of(&self, event: u64) -> &Scene {
        static NONE: Scene = Scene {
            name: String::new(),
            began: None,
            from: 0,
        };
        let mut newest_first = self.scenes.iter().rev();
        newest_first
            .find(|scene| scene.from <= event)
            .unwrap_or(&NONE)
    }

    pub fn character(&self, id: CharacterId) -> Option<&Character> {
        self.roster.find(&id, |character| character.id)
    }

    /// Returns the character of this name. An exact match comes before a name that only looks the same.
    pub fn character_named(&self, name: &str) -> Option<&Character> {
        let exact = self.roster.iter().find(|character| character.name == name);
        exact.or_else(|| {
            self.roster
                .iter()
                .find(|character| is_same_name(&character.name, name))
        })
    }

    pub fn clock(&self, id: ClockId) -> Option<&Clock> {
        self.clocks.find(&id, |clock| clock.id)
    }

    pub fn pool(&self, id: PoolId) -> Option<&TokenPool> {
        self.pools.find(&id, |pool| pool.id)
    }

    /// Returns the name of a character, or the words for the table.
    pub fn owner_name(&self, owner: Option<CharacterId>) -> &str {
        owner
            .and_then(|id| self.character(id))
            .map_or("The table", |character| character.name.as_str())
    }

    pub fn call(&self, id: CallId) -> Option<&Call> {
        self.calls.iter().find(|call| call.id == id)
    }

    pub fn unfinished(&self, id: UnfinishedId) -> Option<&Unfinished> {
        self.unfinished.iter().find(|waiting| waiting.id == id)
    }
}
