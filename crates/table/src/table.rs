//! A game that is open for several seats. They read and change the game, and their screens wake after each change.

use std::mem;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Weak};
use std::time::Duration;

use chrono::{DateTime, Utc};
use parking_lot::{Mutex, RwLock, RwLockReadGuard, RwLockWriteGuard};

use super::host_clocks::HostTable;
use super::ipc::{IpcServer, RequestHandler};
use super::redact::RedactedGames;
use super::{History, Incomplete, Presence, Seat, SeatView};
use tableside_dice::Dice;
use tableside_game::{Bestiary, EntityKind, Game, RandomTables};
use tableside_rules::System;
use tableside_store::{GameLocation, GameStore, Storage, StoreError};

/// Returns the present time.
pub type TimeSource = fn() -> DateTime<Utc>;

/// A function that reads the random tables for the system with this id: the included tables, and those of the user that
/// opened the game.
pub type ReadTables = Box<dyn Fn(&str) -> Arc<RandomTables> + Send>;

/// A function that reads the templates of creatures for a system: those of its file, and those of the user that opened
/// the game.
pub type ReadCreatures = Box<dyn Fn(System) -> Arc<Bestiary> + Send>;

/// A function that finds a system by its name, or reads it from a file, for the process that opened the game.
pub type FindSystem = Arc<dyn Fn(&str) -> Result<System, String> + Send + Sync>;

/// A function that the table calls after every change and when the state of saving changes.
pub type Watcher = Box<dyn Fn(TableChange) + Send + Sync>;

/// An event that wakes screens.
#[derive(Clone, Debug, PartialEq)]
pub enum TableChange {
    /// The game changed, or the seats and messages around it.
    Changed,
    /// The state of saving changed.
    Saving,
}

/// Keeps a watcher subscribed until it is dropped.
#[must_use = "the watcher is unsubscribed when this is dropped"]
pub struct Watching {
    _watcher: Arc<Watcher>,
}

/// A game opened for several seats.
pub struct Table {
    /// Several screens may read at a time.
    pub(super) inner: RwLock<Inner>,
    pub(super) watchers: Mutex<Vec<Weak<Watcher>>>,
    pub(super) clock: TimeSource,
    pub(super) dice: Mutex<Box<dyn Dice + Send>>,
    pub(super) read_tables: Mutex<Option<ReadTables>>,
    pub(super) read_creatures: Mutex<Option<ReadCreatures>>,
    /// Held while an event is written or received, so that screens can read while the table waits for a database.
    pub(super) turn: Mutex<()>,
    /// Held while a suggestion is answered.
    pub(super) answering: Mutex<()>,
    /// True after counting the statistics has begun.
    pub(super) is_counting: AtomicBool,
    /// The host's own game, once this game has joined it.
    pub(super) host: Mutex<Option<Arc<dyn HostTable>>>,
    /// Runs the requests of other processes. `None` while they may not send any.
    pub(super) request_handler: Mutex<Option<RequestHandler>>,
}

/// The game and its surroundings, under one lock.
pub(super) struct Inner {
    pub(super) game: Game,
    /// Redacted copies of the game for each kind of seat, cached until the next change.
    pub(super) views: RedactedGames,
    /// The views before the last change. Freeing them takes time, so the table does it after it has woken the screens.
    pub(super) past_views: RedactedGames,
    pub(super) history: History,
    pub(super) store: Option<Arc<dyn GameStore>>,
    /// The name of a game that is not saved.
    pub(super) name: String,
    /// The storage in which the first change saves an unsaved game. `None` if the game is never saved.
    pub(super) storage: Option<Storage>,
    pub(super) revision: Revision,
    pub(super) presence: Presence,
    /// The random tables of the user that opened the game.
    pub(super) random_tables: Arc<RandomTables>,
    /// The templates of creatures: those of the system, and those of the user that opened the game.
    pub(super) creatures: Arc<Bestiary>,
    pub(super) find_system: Option<FindSystem>,
    /// Receives requests of other processes while the game has a folder.
    pub(super) ipc: Option<IpcServer>,
    /// The reason why the game is incomplete. Set only for a read-only game.
    pub(super) incomplete: Option<Incomplete>,
}

/// Changes are numbered from 1. These are the numbers of the last change, and of the last change of each kind. A screen
/// redraws only the panels that changed.
#[derive(Clone, Copy, Default)]
pub(super) struct Revision {
    pub(super) latest: u64,
    pub(super) clocks: u64,
    pub(super) pools: u64,
    pub(super) sheets: u64,
    /// The last change of another kind, which may have affected everything.
    pub(super) others: u64,
}

impl Revision {
    /// Counts a change. `Character` means the values on a sheet. Kinds other than clocks, pools and characters may
    /// affect everything.
    pub(super) fn count(&mut self, kind: EntityKind) {
        self.latest += 1;
        match kind {
            EntityKind::Clock => self.clocks = self.latest,
            EntityKind::Pool => self.pools = self.latest,
            EntityKind::Character => self.sheets = self.latest,
            _ => self.others = self.latest,
        }
    }
}

impl Inner {
    pub(super) fn game_name(&self) -> String {
        match &self.store {
            Some(store) => store.location().name(),
            None => self.name.clone(),
        }
    }

    /// The name for people. A sample that was saved as `unsaved-…` keeps the sample's name until the user names it.
    fn title(&self) -> String {
        let name = self.game_name();
        if is_made_up(&name) && !self.name.is_empty() {
            self.name.clone()
        } else {
            name
        }
    }
}

/// True if the program made up the name, because the user has not named the game yet.
fn is_made_up(name: &str) -> bool {
    name.starts_with("unsaved-")
}

/// Methods that lock the table.
impl Table {
    /// Locks the table for a change.
    ///
    /// A panic in one screen does not poison the lock. Events are appended before they are applied, and applying never
    /// fails, so the state is consistent whenever the lock is free.
    pub(super) fn inner(&self) -> RwLockWriteGuard<'_, Inner> {
        self.inner.write()
    }

    /// Locks the table for reading.
    pub(super) fn look(&self) -> RwLockReadGuard<'_, Inner> {
        self.inner.read()
    }
}

/// Methods that read and watch the game.
impl Table {
    /// Reads the game as a seat sees it.
    pub fn read<T>(&self, seat: &Seat, read: impl FnOnce(&SeatView<'_>) -> T) -> T {
        let inner = self.look();
        let special = inner.views.special(&inner.game, seat);
        read(&SeatView::new(&inner, special.as_deref(), seat))
    }

    /// Subscribes a watcher to every change and to the state of saving until the result is dropped. The watcher must return
    /// at once, because the next watcher waits for it.
    pub fn watch(&self, watcher: Watcher) -> Watching {
        let watcher = Arc::new(watcher);
        self.watchers.lock().push(Arc::downgrade(&watcher));
        let store = self.look().store.clone();
        if let Some(store) = store
            && store.is_shared()
        {
            store.listen();
            self.greet();
        }
        Watching { _watcher: watcher }
    }

    /// Counts a change that affects entities of a kind, unlocks the table and wakes every screen.
    pub(super) fn notify_change(&self, mut inner: RwLockWriteGuard<'_, Inner>, kind: EntityKind) {
        inner.revision.count(kind);
        let store = inner.store.clone();
        let past_views = mem::take(&mut inner.past_views);
        drop(inner);

        self.notify(&TableChange::Changed);
        if self.watchers.lock().len() > 1 {
            // Several screens need the public view. Create it while they wake, so that no screen waits for another one.
            let inner = self.look();
            inner.views.public(&inner.game);
        }
        if let Some(store) = store {
            store.save();
        }
        drop(past_views);
    }

    /// Calls every watcher, and forgets those that were dropped.
    pub(super) fn notify(&self, change: &TableChange) {
        self.watchers
            .lock()
            .retain(|watcher| match watcher.upgrade() {
                Some(watcher) => {
                    watcher(change.clone());
                    true
                }
                None => false,
            });
    }

    /// Returns a copy of the game.
    pub fn game(&self) -> Game {
        self.look().game.clone()
    }

    /// The number of changes since the game was opened.
    pub fn revision(&self) -> u64 {
        self.look().revision.latest
    }

    /// The number of the last event; 0 before the first.
    pub fn last_event(&self) -> u64 {
        self.look().history.last()
    }

    /// Reads older events into memory until event `number` or the first event is in memory.
    pub fn reach_back(&self, number: u64) -> Result<(), StoreError> {
        self.inner().reach_back(number)
    }

    /// The function that returns the present time.
    pub fn clock(&self) -> TimeSource {
        self.clock
    }

    /// The present time.
    pub fn now(&self) -> DateTime<Utc> {
        (self.clock)()
    }
}

/// Methods about the name and the location of the game.
impl Table {
    /// The name of the game.
    pub fn name(&self) -> String {
        self.look().game_name()
    }

    /// The name of the game for people. It differs from [`Table::name`] for a sample that was saved as `unsaved-…`.
    pub fn title(&self) -> String {
        self.look().title()
    }

    /// True if the user has not named the game yet: a sample, or a game that was saved as `unsaved-…`.
    pub fn is_unnamed(&self) -> bool {
        match self.place() {
            Some(place) => is_made_up(&place.name()),
            None => true,
        }
    }

    /// The location of the game, if it is saved.
    pub fn place(&self) -> Option<GameLocation> {
        let inner = self.look();
        inner.store.as_ref().map(|store| store.location())
    }

    /// The folder in which the game is saved. `None` for an unsaved game, and for a game in a database.
    pub fn folder(&self) -> Option<PathBuf> {
        self.place()?.folder().map(Path::to_path_buf)
    }

    /// True if the game is open read-only.
    pub fn is_view(&self) -> bool {
        let inner = self.look();
        inner.store.as_ref().is_some_and(|store| store.is_view())
    }

    /// Writes everything to disk and waits up to `limit`.
    pub fn flush(&self, limit: Duration) -> Result<(), StoreError> {
        // The store reads the state during the flush, so the lock must be free.
        let store = self.look().store.clone();
        match store {
            Some(store) => store.flush(limit),
            None => Ok(()),
        }
    }
}

/// Methods about requests of other processes, random tables and rule systems.
impl Table {
    /// Accepts requests of other processes of the same user from now on, even after the game moves to another folder. A
    /// game without a folder accepts no requests.
    pub fn accept_requests(self: &Arc<Self>, handler: RequestHandler) {
        *self.request_handler.lock() = Some(handler);
        let mut inner = self.inner();
        self.open_ipc(&mut inner);
    }

    pub(super) fn open_ipc(self: &Arc<Self>, inner: &mut Inner) {
        let handler = *self.request_handler.lock();
        if inner.ipc.is_none()
            && let Some(store) = &inner.store
            && let Some(handler) = handler
            && !store.is_view()
        {
            let table = Arc::downgrade(self);
            let server = IpcServer::start(table, Arc::clone(store), handler);
            // A game that accepts no requests can still be played.
            inner.ipc = server.ok();
        }
    }

    /// Stops accepting requests.
    pub fn retire(&self) {
        *self.request_handler.lock() = None;
        // Closing the server waits for requests that need the lock.
        let ipc = self.inner().ipc.take();
        drop(ipc);
    }

    /// Sets the function that reads the random tables, and calls it now and before every roll on a table.
    pub fn use_random_tables(&self, read: ReadTables) {
        *self.read_tables.lock() = Some(read);
        self.read_random_tables();
    }

    /// Sets the function that reads the templates of creatures, and calls it now and before every command in words.
    pub fn use_creatures(&self, read: ReadCreatures) {
        *self.read_creatures.lock() = Some(read);
        self.reload_creatures();
    }

    /// Reads the templates of creatures again, because their files may have been edited or the rules replaced.
    pub fn reload_creatures(&self) {
        let system = self.look().game.system;
        let creatures = match &*self.read_creatures.lock() {
            Some(read) => read(system),
            None => Arc::new(Bestiary::new(system, Vec::new(), Vec::new())),
        };
        self.inner().creatures = creatures;
    }

    /// Sets the function that finds rule systems.
    pub fn use_systems(&self, find: FindSystem) {
        self.inner().find_system = Some(find);
    }

    /// Reads the random tables again, because their files may have been edited.
    pub fn read_random_tables(&self) {
        let system = self.look().game.system.spec().id;
        let tables = match &*self.read_tables.lock() {
            Some(read) => read(system),
            None => return,
        };
        self.inner().random_tables = tables;
    }
}
