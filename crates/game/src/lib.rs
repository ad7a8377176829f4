//! The state of a game: who is in it, what runs, what is held, and every way in which it can change.
//!
//! A [`Command`] asks; [`Game::decide`] answers with an [`Event`] or a [`CommandError`];
//! [`Game::apply`] folds the event in and never refuses. An event holds its differences with
//! `from` and `to`, so that it can be taken back. Nothing here knows files, clocks or screens.

mod amend;
mod apply;
mod arrivals;
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
mod shared_pool;
mod sheet_lookup;
mod stored_form;
mod summary;
mod tested;
mod undo;

pub use amend::{FAVOR, price_of, resolved};
pub use arrivals::{Arrivals, ArrivingClock, ArrivingLink, ArrivingPool};
pub use call::Call;
pub use change::Change;
pub use change_words::describe_differences;
pub use character::DYING;
pub use character::{Allegiance, Character, Condition, Departed};
pub use clock::{
    AttachedCheck, Clock, ClockKind, Every, Link, LinkEffect, MAX_TICKS, Segments, Visibility,
    WhenFull, filled_of,
};
pub use command::{
    Blow, CallCommand, Command, CommandContext, Faces, FreeRoll, FreeRollCommand, PrepareCommand,
    Rest, RollCommand,
};
pub use contest::UNNAMED_RACE;
pub use decide::numbered_name;
pub use decide::{ASPECTS, DESTINY};
pub use dice_on_table::same_faces;
pub use dice_words::{
    dice_in_words, die_in_words, free_dice_in_words, read_faces, thrown_in_words,
};
pub use differences::differences;
pub use entity::{Entity, RolledClock};
pub use error::CommandError;
use error::{Result, refused};
pub use event::{Event, EventKind, Thrown};
pub use file::FileError;
pub use fill_fields::opponent_of;
pub use filled::{Filled, RecordedFields};
pub use forecast::{Filler, Prospect, Unforeseen};
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
pub use summary::{default_answers, describe_roll, sentence};
pub use tested::Tested;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use tableside_rules::{HouseRules, PoolOwner, System};
use tableside_text::is_same_name;

/// The longest name of anything in a game, in characters.
pub const LONGEST_NAME: usize = 200;

/// The longest note on a character or a prepared scene, in characters.
pub const LONGEST_NOTE: usize = 4_000;

/// The most characters, clocks or pools that a game holds, each.
pub const MOST: usize = 500;

/// The state of a game, in the order in which `game.toml` holds it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Game {
    pub system: System,
    /// The round of the present scene, 0 before the first.
    #[serde(default)]
    pub round: u32,
    /// The next number for a character, clock, pool or unfinished check.
    #[serde(default)]
    next_id: u32,
    /// How many entries the log has: one an event.
    #[serde(default)]
    pub entries: u64,
    /// How many of them are resolved checks.
    #[serde(default)]
    pub rolls: u64,
    /// The number of the last entry of the host's log that this game has followed.
    #[serde(default, skip_serializing_if = "tableside_rules::is_default")]
    pub followed: u64,
    /// What nobody wants to see in the game, and what happens off screen; everybody may read and change it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub lines_and_veils: String,
    /// What this table decided otherwise.
    #[serde(default, skip_serializing_if = "tableside_rules::is_default")]
    pub house: HouseRules,
    /// What may not be tried again: who, and about what.
    #[serde(default, rename = "lock", skip_serializing_if = "Vec::is_empty")]
    pub locks: Vec<(CharacterId, String)>,
    /// Those locks that only the GM lifts, and no rest does.
    #[serde(default, rename = "gm-lock", skip_serializing_if = "Vec::is_empty")]
    pub gm_locks: Vec<(CharacterId, String)>,
    /// The scenes so far, the present one last; never empty.
    #[serde(default, rename = "scene")]
    pub scenes: Vec<Scene>,
    /// Everybody, in the order of the roster.
    #[serde(default, rename = "character")]
    pub roster: Vec<Character>,
    #[serde(default, rename = "clock")]
    pub clocks: Vec<Clock>,
    #[serde(default, rename = "pool")]
    pub pools: Vec<TokenPool>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub prepared: Vec<Prepared>,
    /// Who is still to make which check, by number.
    #[serde(default, rename = "call", skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<Call>,
    /// Checks that wait for somebody.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unfinished: Vec<Unfinished>,
    /// Requests to the host that its log does not show as performed.
    #[serde(default, rename = "ask", skip_serializing_if = "Vec::is_empty")]
    pub host_requests: Vec<HostRequest>,
    /// The sessions that have ended, the first one first.
    #[serde(default, rename = "session", skip_serializing_if = "Vec::is_empty")]
    pub sessions: Vec<EndedSession>,
    /// Notes and handouts, the oldest first. Copies of the game share them.
    #[serde(default, rename = "note", skip_serializing_if = "is_empty")]
    pub notes: Arc<Vec<Note>>,
    /// Who was taken away: the log tells of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub departed: Vec<Departed>,
}

fn is_empty(notes: &[Note]) -> bool {
    notes.is_empty()
}

impl Game {
    /// An empty game of that system, before its first scene has a name, with the pools that the rules give
    /// to the table.
    pub fn new(system: System) -> Self {
        let pools = system.spec().pools.iter();
        let shared = pools.filter(|pool| pool.purse == PoolOwner::Table);
        let pools: Vec<TokenPool> = shared
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
            notes: Arc::default(),
            house: HouseRules::default(),
            scenes: vec![Scene::default()],
            round: 0,
            roster: Vec::new(),
            clocks: Vec::new(),
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

    /// The same game without anybody and anything in it.
    pub fn emptied(&self) -> Self {
        Self {
            house: self.house.clone(),
            scenes: self.scenes.clone(),
            sessions: self.sessions.clone(),
            lines_and_veils: self.lines_and_veils.clone(),
            round: self.round,
            pools: Vec::new(),
            entries: self.entries,
            rolls: self.rolls,
            next_id: self.next_id,
            ..Self::new(self.system)
        }
    }

    /// The present scene.
    pub fn scene(&self) -> &Scene {
        self.scenes.last().expect("there is always a scene")
    }

    /// The scene in which the event of that number happened; one without a name before the first.
    pub fn scene_of(&self, event: u64) -> &Scene {
        static NONE: Scene = Scene {
            name: String::new(),
            began: None,
            from: 0,
        };
        let began_before = |scene: &&Scene| scene.from <= event;
        self.scenes.iter().rev().find(began_before).unwrap_or(&NONE)
    }

    /// A character.
    pub fn character(&self, id: CharacterId) -> Option<&Character> {
        self.roster.iter().find(|character| character.id == id)
    }

    /// The character of that name: spelled exactly so, else the same to a person who reads it.
    pub fn character_named(&self, name: &str) -> Option<&Character> {
        let is_exact = |character: &&Character| character.name == name;
        let is_same = |character: &&Character| is_same_name(&character.name, name);
        let mut roster = self.roster.iter();
        roster
            .clone()
            .find(is_exact)
            .or_else(|| roster.find(is_same))
    }

    /// A clock.
    pub fn clock(&self, id: ClockId) -> Option<&Clock> {
        self.clocks.iter().find(|clock| clock.id == id)
    }

    /// A pool of tokens.
    pub fn pool(&self, id: PoolId) -> Option<&TokenPool> {
        self.pools.iter().find(|pool| pool.id == id)
    }

    /// The name of a character, or of the table.
    pub fn owner_name(&self, owner: Option<CharacterId>) -> &str {
        owner
            .and_then(|id| self.character(id))
            .map_or("The table", |character| character.name.as_str())
    }

    /// A call for a roll.
    pub fn call(&self, id: CallId) -> Option<&Call> {
        self.calls.iter().find(|call| call.id == id)
    }

    /// A check that waits.
    pub fn unfinished(&self, id: UnfinishedId) -> Option<&Unfinished> {
        self.unfinished.iter().find(|waiting| waiting.id == id)
    }
}
