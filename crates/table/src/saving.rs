//! Saving a game: creating a table without files, the first save, renaming, and the methods that the store calls.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use chrono::{DateTime, Utc};
use parking_lot::{Mutex, RwLock};

use super::journal_entry::WithText;
use super::own_rules;
use super::redact::RedactedGames;
use super::table::Revision;
use super::{Entry, History, Incomplete, Inner, Presence, Problem, Table, TableChange, TimeSource};
use tableside_dice::Dice;
use tableside_game::{Bestiary, EntityKind, Game};
use tableside_store::{
    By, GameLocation, GameStore, Name, NewEvent, Options, Reader, Saving, Storage, StoreClient,
    StoreError,
};

/// If everything is on disk within this time, screens do not show that the game is being saved.
const QUICK: Duration = Duration::from_millis(200);

/// Methods for games that may not be saved yet.
impl Table {
    /// Opens a game that is not saved yet. Its first change saves it in `storage`. Without a storage, the game is never
    /// saved.
    pub fn unsaved(
        name: &str,
        game: Game,
        entries: Vec<Entry>,
        storage: Option<Storage>,
        clock: TimeSource,
        dice: Box<dyn Dice + Send>,
    ) -> Arc<Self> {
        let mut history = History::default();
        for entry in entries {
            history.push(Arc::new(entry), game.system);
        }
        let mut table = Self::new(game, history, clock, dice);
        let inner = table.inner.get_mut();
        name.clone_into(&mut inner.name);
        inner.storage = storage;
        Arc::new(table)
    }

    pub(super) fn new(
        game: Game,
        history: History,
        clock: TimeSource,
        dice: Box<dyn Dice + Send>,
    ) -> Self {
        let creatures = Bestiary::new(game.system, Vec::new(), Vec::new());
        let inner = Inner {
            creatures: Arc::new(creatures),
            game,
            views: RedactedGames::default(),
            past_views: RedactedGames::default(),
            history,
            store: None,
            name: String::new(),
            storage: None,
            revision: Revision::default(),
            presence: Presence::default(),
            random_tables: Arc::default(),
            find_system: None,
            ipc: None,
            incomplete: None,
        };
        Self {
            inner: RwLock::new(inner),
            watchers: Mutex::default(),
            clock,
            dice: Mutex::new(dice),
            read_tables: Mutex::default(),
            read_creatures: Mutex::default(),
            host: Mutex::default(),
            turn: Mutex::default(),
            answering: Mutex::default(),
            is_counting: AtomicBool::new(false),
            request_handler: Mutex::new(None),
        }
    }

    /// Saves an unsaved game at once, and not only at its first change. Call this before other players join.
    pub fn keep_now(self: &Arc<Self>) -> Result<(), Problem> {
        Ok(self.keep(&mut self.inner(), (self.clock)())?)
    }

    /// Renames the game. A game that was not saved is saved under this name from now on.
    pub fn rename(self: &Arc<Self>, storage: &Storage, name: &Name) -> Result<(), Problem> {
        let mut inner = self.inner();
        if let Some(store) = &inner.store {
            store.rename(name)?;
        } else {
            self.keep_in(&mut inner, &storage.location(name), (self.clock)())?;
        }
        self.notify_change(inner, EntityKind::Game);
        Ok(())
    }

    /// Saves a game as `unsaved-…` before its first change, if it is not saved yet.
    pub(super) fn keep(
        self: &Arc<Self>,
        inner: &mut Inner,
        at: DateTime<Utc>,
    ) -> Result<(), StoreError> {
        if inner.store.is_some() {
            return Ok(());
        }
        let Some(storage) = &inner.storage else {
            return Ok(());
        };
        let place = storage.unsaved_location()?;
        self.keep_in(inner, &place, at)
    }

    fn keep_in(
        self: &Arc<Self>,
        inner: &mut Inner,
        place: &GameLocation,
        at: DateTime<Utc>,
    ) -> Result<(), StoreError> {
        let system = inner.game.system;
        let mut events = Vec::new();
        for entry in inner.history.iter() {
            events.push(NewEvent {
                at: entry.at,
                by: By {
                    name: &entry.by,
                    seat: entry.seat.0,
                },
                event: WithText::new(&entry.event, system),
            });
        }

        let options = Options {
            rules: own_rules::copies(system),
            ..Options::new(at)
        };
        let state = inner.game.to_toml();
        let opened = place.create(&options, &state, &events)?;
        self.use_store(inner, opened.store);
        Ok(())
    }

    /// Uses a store for all further changes.
    fn use_store(self: &Arc<Self>, inner: &mut Inner, store: Arc<dyn GameStore>) {
        store.attach(Arc::<Self>::downgrade(self));
        if !self.watchers.lock().is_empty() {
            Arc::clone(&store).listen();
        }
        inner.store = Some(store);
        self.open_ipc(inner);
    }
}

impl StoreClient for Table {
    fn snapshot(&self) -> (String, u64) {
        // Copy the game, and serialise the copy without the lock, so that no screen waits for this.
        let (game, last) = {
            let inner = self.look();
            (inner.game.clone(), inner.history.last())
        };
        (game.to_toml(), last)
    }

    fn saving_changed(&self, before: &Saving, now: &Saving) {
        if !is_quick(before) || !is_quick(now) {
            self.notify(&TableChange::Saving);
        }
    }

    fn changed_elsewhere(&self) {
        let Err(error) = self.catch_up() else {
            return;
        };
        // If this process cannot save either, the screens show that already.
        let store = self.look().store.clone();
        if store.is_some_and(|store| store.saving() == Saving::Quiet) {
            self.message_gm(error.to_string());
        }
    }

    fn receive_message(self: Arc<Self>, node: i64, message: &str) {
        self.handle_message(node, message);
    }

    fn tick(&self) {
        self.send_seats_and_suggestions();
    }
}

fn is_quick(saving: &Saving) -> bool {
    match saving {
        Saving::Quiet => true,
        Saving::Behind { since } => since.elapsed() < QUICK,
        Saving::Failing { .. } => false,
    }
}

/// Methods about the completeness of the journal.
impl Table {
    /// The reason why this read-only game is incomplete.
    pub fn incomplete(&self) -> Option<Incomplete> {
        self.look().incomplete.clone()
    }
}

impl Inner {
    /// Returns a reader of the journal, if the game is saved and the journal belongs to it.
    pub(super) fn reader(&self) -> Option<Reader> {
        if self.hides_journal() {
            return None;
        }
        self.store.as_ref().map(|store| store.reader())
    }

    /// True if the journal belongs to another history than the state.
    pub(super) fn hides_journal(&self) -> bool {
        matches!(self.incomplete, Some(Incomplete::Mismatched(_)))
    }

    /// Reads older events into memory until event `number` or the first event is in memory.
    pub(super) fn reach_back(&mut self, number: u64) -> Result<(), StoreError> {
        match self.reader() {
            Some(reader) => self.history.reach_back(&reader, number),
            None => Ok(()),
        }
    }
}
