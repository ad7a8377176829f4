//! A game opened for several people: one way to change it, and one lens to see it through.
//!
//! Everything that a seat does goes through `submit_here`, which [`Table::submit`] calls: it asks whether the seat may,
//! lets the game decide, journals the event before anybody sees it, applies it, and tells every open screen. What a
//! disk refuses waits in memory, and is shown as not saved. Everything that is shown is read through [`SeatView`].

mod amendment;
mod brought_fields;
mod catch_up;
mod clock_lines;
mod decide;
mod entry;
mod entry_json;
mod explanation;
mod filter;
mod history;
mod hook_news;
mod host_clocks;
pub mod ipc;
mod journal_entry;
mod log_export;
mod marks;
mod nodes;
mod open;
mod own_rules;
mod pool_ledger;
mod presence;
mod redact;
mod request_error;
mod search;
mod seat;
mod seat_view;
mod statistics;
mod status;
mod token_bucket;
mod undo_index;
mod verify;
mod workers;

use std::mem;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};
use std::thread;
use std::time::Duration;

use chrono::{DateTime, Utc};
use parking_lot::{Mutex, RwLock, RwLockReadGuard, RwLockWriteGuard};
use thiserror::Error;

pub use amendment::{Amendment, Question};
pub use clock_lines::{read_clock_lines, write_clock_line};
pub use entry::Entry;
pub use entry_json::{EntryJson, FreeDiceJson, RollJson};
pub use explanation::{Headline, Part, read_again};
pub use filter::Filter;
pub use history::History;
pub use hook_news::{CLOCK_FULL, HookNews, HookNewsReader};
pub use host_clocks::{GameRequest, HostChanges, HostTable, HostUpdate};
pub use journal_entry::WithText;
pub use log_export::{EntryFormat, FormatTime, LogForm, LogWriter, Logged, RenderedEntry};
pub use open::{Edited, Incomplete, OnEdit, OpenError, Opening};
pub use own_rules::{keep_origin, rules_beside};
pub use presence::{
    Gatekeeper, Invited, ListedSeat, Presence, PresenceGuard, PublicPage, Suggestion,
};
pub use request_error::RequestError;
pub use search::LogChunk;
pub use seat::{Allowed, Seat, SeatId, SeatRole};
pub use seat_view::{ClockView, SeatView};
pub use statistics::{CheckFigures, DieFigures, Figures, LogTally, Luck, Statistics};
pub use status::{
    Told, about_clock, clock_json, clock_line, plain_status, pool_json, scene, side_name, status,
    status_lines,
};
pub use token_bucket::TokenBucket;
pub use verify::{Verified, verify};

use ipc::{IpcServer, RequestHandler};
use journal_entry::{kind_of, read_line};
use marks::Mark;
use redact::{Lens, Views};

use tableside_dice::Dice;
use tableside_game::{Command, CommandError, EntityKind, Faces, Game, RandomTables};
use tableside_rules::System;
use tableside_store::{Block, GameLocation, Storage, Store, StoreError};

/// What a person does to a game: a command, or something about what was done before.
#[derive(Clone, Debug, PartialEq)]
pub enum Act {
    /// A change.
    Do(Box<Command>),
    /// Takes back the newest event that this seat may take back.
    Undo,
    /// Takes back so many events, one after the other; at least one.
    UndoSeveral(u32),
    /// Brings back what this seat took back last, until it does something else.
    Redo,
    /// Strikes an entry and returns what followed from it.
    Strike {
        /// The entry.
        entry: u64,
        /// Why; may be empty.
        reason: String,
    },
    /// Reads the faces of a resolved check again under other fields; what followed is corrected, and
    /// both readings stay in the log.
    Amend {
        /// The entry.
        entry: u64,
        /// The fields that are otherwise, as a person writes them; under `choose` an answer to a choice.
        fields: Vec<(String, String)>,
        /// Where the faces of dice come from that are missing; none that fell is rolled again.
        faces: Faces,
    },
    /// Rolls a resolved check again for a Favor and accepts the second roll.
    Reroll {
        /// The entry.
        entry: u64,
        /// Where the faces come from.
        faces: Faces,
    },
    /// Performs a request of a game; only the table of the host's own game does.
    ForGame(Box<GameRequest>),
    /// Follows an update of the host; only the host's thread submits it.
    FollowHost(Box<HostUpdate>),
}

impl From<Command> for Act {
    fn from(command: Command) -> Self {
        Self::Do(Box::new(command))
    }
}

/// Why an act came to nothing.
#[derive(Debug, Error)]
pub enum Problem {
    /// A rule or the seat said no.
    #[error(transparent)]
    Refused(#[from] CommandError),
    /// The files said no.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The host is out of reach.
    #[error("{}", .0.what)]
    HostUnreachable(RequestError),
}

/// Reads the time; an argument, as luck is.
pub type TimeSource = fn() -> DateTime<Utc>;

/// Reads the random tables of the one who opened the game.
pub type ReadTables = Box<dyn Fn() -> RandomTables + Send>;

/// Finds a system by its name or in a file, as the one who opened the game knows them.
pub type FindSystem = Arc<dyn Fn(&str) -> Result<System, String> + Send + Sync>;

/// Told after every change, and when the saving has news.
pub type OnNews = Box<dyn Fn(News) + Send + Sync>;

/// What happened at the table.
#[derive(Clone, Debug, PartialEq)]
pub enum News {
    /// The game is another than before.
    Changed,
    /// The saving has news.
    Saving,
}

/// Somebody is told of every change for as long as this is kept.
#[must_use = "dropping it ends the watching at once"]
pub struct Watching {
    _watcher: Arc<OnNews>,
}

/// A game opened for several people.
pub struct Table {
    /// A lock for many readers, so that screens draw side by side.
    inner: RwLock<Inner>,
    watchers: Mutex<Vec<Weak<OnNews>>>,
    clock: TimeSource,
    dice: Mutex<Box<dyn Dice + Send>>,
    read_tables: Mutex<Option<ReadTables>>,
    /// Held by who writes or takes in an event: the journal may be waited for without keeping screens from looking.
    turn: Mutex<()>,
    /// Held by who answers a suggestion: two GMs who do so at once do it once.
    answering: Mutex<()>,
    /// Whether all events are being counted, or are.
    is_counting: AtomicBool,
    /// The host of this game, once the game has joined it.
    host: Mutex<Option<Arc<dyn HostTable>>>,
    /// Runs the requests of other processes; `None` while no other process may send any.
    request_handler: Mutex<Option<RequestHandler>>,
}

struct Inner {
    game: Game,
    /// The game as seats see it, since it last changed.
    views: Views,
    /// How they saw it before: let go of only when every screen is told, for that takes its time.
    past: Views,
    history: History,
    store: Option<Arc<Store>>,
    /// What the game is called while it is kept nowhere.
    name: String,
    /// Where a game that is kept nowhere yet is kept from its first change; nowhere if it may not change.
    storage: Option<Storage>,
    revision: Revision,
    /// Who sits at the table, and what they suggest.
    presence: Presence,
    /// The tables that the GM rolls on.
    random_tables: Arc<RandomTables>,
    /// How the one who opened the game finds rule systems.
    find_system: Option<FindSystem>,
    /// Where other processes hand in what they want done, while the game has a folder.
    ipc: Option<IpcServer>,
    /// Why the game cannot be shown whole; only if it is just looked at.
    incomplete: Option<Incomplete>,
}

/// How often the game changed, and when what is of one kind alone did: who only ticks a clock leaves the party
/// as it is drawn.
#[derive(Clone, Copy, Default)]
struct Revision {
    latest: u64,
    clocks: u64,
    pools: u64,
    sheets: u64,
    others: u64,
}

impl Revision {
    /// Counts a change to clocks, to pools, or to values on sheets; of any other kind, everything may have changed.
    fn count(&mut self, kind: EntityKind) {
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
    /// What the game is called.
    fn game_name(&self) -> String {
        let place = self.store.as_ref().map(|store| store.place());
        place.map_or_else(|| self.name.clone(), |place| place.name())
    }
}

impl Table {
    fn inner(&self) -> RwLockWriteGuard<'_, Inner> {
        // A panic in one screen ends that screen alone: events are appended before they are applied,
        // and applying is total, so the state is whole whenever the lock is free.
        self.inner.write()
    }

    /// The same, to look only.
    fn look(&self) -> RwLockReadGuard<'_, Inner> {
        self.inner.read()
    }

    /// Does what the seat asks: refuses, or journals, applies, and tells every open screen. Returns the
    /// entry as the seat reads it.
    pub fn submit(self: &Arc<Self>, seat: &Seat, act: &Act) -> Result<Arc<Entry>, Problem> {
        self.submit_by(seat, (&seat.name, seat.id), act, None)
    }

    /// The same, recorded as done by somebody, and with other dice than the table's where some are given. What belongs to
    /// the host is done there.
    pub fn submit_by(
        self: &Arc<Self>,
        seat: &Seat,
        by: (&str, SeatId),
        act: &Act,
        dice: Option<&mut dyn Dice>,
    ) -> Result<Arc<Entry>, Problem> {
        if let Act::UndoSeveral(count) = act {
            let undo = || self.submit_by(seat, by, &Act::Undo, None);
            let mut done = undo()?;
            for _ in 1..*count {
                match undo() {
                    // As many as can be taken back.
                    Err(Problem::Refused(_)) => break,
                    next => done = next?,
                }
            }
            return Ok(done);
        }
        if let Some(done) = self.submit_to_host(seat, by, act)? {
            return Ok(done);
        }
        let entry = self.submit_here(seat, by, act, dice)?;
        self.send_saved_requests();
        Ok(entry)
    }

    /// The same, of what is done at this table.
    fn submit_here(
        self: &Arc<Self>,
        seat: &Seat,
        by: (&str, SeatId),
        act: &Act,
        dice: Option<&mut dyn Dice>,
    ) -> Result<Arc<Entry>, Problem> {
        let _turn = self.turn.lock();
        let mut inner = self.inner();
        inner.presence.count_act(seat)?;
        let mut own = self.dice.lock();
        let dice = dice.unwrap_or(&mut **own);
        let before = inner.revision.latest;
        let mut decide_and_write = || {
            loop {
                let at = (self.clock)();
                let event = inner
                    .decide(seat, act, at, &mut *dice)
                    .map_err(|refusal| inner.told(seat, (act, at), refusal))?;
                self.keep(&mut inner, at)?;
                match Inner::write(&mut inner, by, at, event) {
                    // Another process was first: it is decided again, on what there is now.
                    Err(StoreError::Moved(path)) => {
                        let came = Inner::take_in(&mut inner)?;
                        // Nothing came: it was put away or removed there.
                        let gone = || StoreError::Missing(path);
                        came.last().ok_or_else(gone)?;
                    }
                    written => return Ok::<_, Problem>(written?),
                }
            }
        };
        let written = decide_and_write();
        if written.is_err() && inner.revision.latest != before {
            // What another process did meanwhile is seen, whatever came of this.
            drop(inner);
            self.tell(&News::Changed);
            return written;
        }
        let entry = written?;
        if let (Act::Do(command), Some(store)) = (act, &inner.store)
            && let Command::TakeRules { from, .. } = &**command
            && !from.is_empty()
        {
            // Where it cannot be remembered, the file is named again the next time.
            keep_origin(&store.place(), Path::new(from)).ok();
        }
        let told = Lens::new(&inner.game, seat).entry(&entry, &inner.history);
        if entry.event.what.ends_a_scene()
            && let Some(store) = &inner.store
        {
            store.snapshot_soon();
        }
        let kind = inner.touched_by(&entry);
        self.tell_change(inner, kind);
        Ok(told.unwrap_or_else(|| Arc::new(redact::unread(&entry))))
    }

    /// A copy of the game as it is now.
    pub fn game(&self) -> Game {
        self.look().game.clone()
    }

    /// Shows the game as that seat sees it.
    pub fn read<T>(&self, seat: &Seat, show: impl FnOnce(&SeatView<'_>) -> T) -> T {
        let inner = self.look();
        let own = inner.views.own(&inner.game, seat);
        show(&SeatView::new(&inner, own.as_deref(), seat))
    }

    /// Has somebody told of every change, and of news of the saving, until the result is dropped. A
    /// watcher must not linger: the next one waits.
    pub fn watch(&self, watcher: OnNews) -> Watching {
        let watcher = Arc::new(watcher);
        self.watchers.lock().push(Arc::downgrade(&watcher));
        let store = self.look().store.clone();
        if let Some(store) = store.filter(|store| store.is_shared()) {
            store.listen();
            self.greet();
        }
        Watching { _watcher: watcher }
    }

    /// Counts a change to what is of that kind, lets go of the table, and has every screen told.
    fn tell_change(&self, mut inner: RwLockWriteGuard<'_, Inner>, kind: EntityKind) {
        inner.revision.count(kind);
        let (store, past) = (inner.store.clone(), mem::take(&mut inner.past));
        drop(inner);
        self.tell(&News::Changed);
        if self.watchers.lock().len() > 1 {
            // While they wake: the first of them would make what all look at, and the others wait for it.
            let inner = self.look();
            inner.views.public(&inner.game);
        }
        store.inspect(|store| store.save());
        drop(past);
    }

    fn tell(&self, news: &News) {
        self.watchers.lock().retain(|watcher| {
            let watcher = watcher.upgrade();
            watcher.map(|watcher| watcher(news.clone())).is_some()
        });
    }

    /// How often the game changed since it was opened.
    pub fn revision(&self) -> u64 {
        self.look().revision.latest
    }

    /// What the game is called.
    pub fn name(&self) -> String {
        self.look().game_name()
    }

    /// Whether it has no name of its own yet: a sample, or a game kept as `unsaved-…`.
    pub fn is_unnamed(&self) -> bool {
        let place = self.place();
        place.is_none_or(|place| place.name().starts_with("unsaved-"))
    }

    /// Where it is kept, once it is.
    pub fn place(&self) -> Option<GameLocation> {
        let inner = self.look();
        inner.store.as_ref().map(|store| store.place())
    }

    /// The folder that it is kept in, where it is kept in one.
    pub fn folder(&self) -> Option<PathBuf> {
        self.place()?.folder().map(Path::to_path_buf)
    }

    /// What tells the table the time.
    pub fn clock(&self) -> TimeSource {
        self.clock
    }

    /// The number of the last event; 0 before the first.
    pub fn last_event(&self) -> u64 {
        self.look().history.last()
    }

    /// Reads the time as the table does.
    pub fn now(&self) -> DateTime<Utc> {
        (self.clock)()
    }

    /// Whether it may only be looked at.
    pub fn is_view(&self) -> bool {
        let inner = self.look();
        inner.store.as_ref().is_some_and(|store| store.is_view())
    }

    /// Lets other processes of the same person hand in what they want done, from now on and wherever the
    /// game lies. Where that cannot be, the game goes on without.
    pub fn accept_requests(self: &Arc<Self>, handler: RequestHandler) {
        *self.request_handler.lock() = Some(handler);
        let mut inner = self.inner();
        self.open_ipc(&mut inner);
    }

    fn open_ipc(self: &Arc<Self>, inner: &mut Inner) {
        let store = inner.store.as_ref().filter(|store| !store.is_view());
        let handler = *self.request_handler.lock();
        if let (Some(store), Some(handler), None) = (store, handler, &inner.ipc) {
            inner.ipc = IpcServer::start(Arc::downgrade(self), Arc::clone(store), handler).ok();
        }
    }

    /// Lets nobody hand in anything any more.
    pub fn retire(&self) {
        *self.request_handler.lock() = None;
        // Closing it calls at it: the lock must be free for those who stand there.
        let ipc = self.inner().ipc.take();
        drop(ipc);
    }

    /// Has random tables read in this way, now and whenever somebody is about to roll on one.
    pub fn use_random_tables(&self, read: ReadTables) {
        *self.read_tables.lock() = Some(read);
        self.read_random_tables();
    }

    /// Has rule systems found in this way.
    pub fn use_systems(&self, find: FindSystem) {
        self.inner().find_system = Some(find);
    }

    /// Reads the random tables again: their files may have been edited while the game is open.
    pub fn read_random_tables(&self) {
        let tables = self.read_tables.lock().as_ref().map(|read| read());
        if let Some(tables) = tables {
            self.inner().random_tables = Arc::new(tables);
        }
    }

    /// Brings everything to the disk and waits at most so long.
    pub fn flush(&self, limit: Duration) -> Result<(), StoreError> {
        // The store asks for the state meanwhile: the lock must be free.
        let store = self.look().store.clone();
        store.map_or(Ok(()), |store| store.flush(limit))
    }

    /// Reads older events into the history until it reaches back to that one, or to the first.
    pub fn reach_back(&self, number: u64) -> Result<(), StoreError> {
        self.inner().reach_back(number)
    }

    /// Has all events counted on a thread of its own, and every screen told when that is done. Once is
    /// enough: what happens from then on is counted as it happens.
    pub fn count_in_background(self: &Arc<Self>) {
        if self.is_counting.swap(true, Ordering::Relaxed) {
            return;
        }
        let table = Arc::clone(self);
        let counting = move || {
            // A journal that cannot be read leaves the figures partial, and they say from where on.
            if table.count_all().is_ok() {
                table.tell_change(table.inner(), EntityKind::Game);
            }
        };
        let started = thread::Builder::new()
            .name("count".to_owned())
            .spawn(counting);
        if started.is_err() {
            self.is_counting.store(false, Ordering::Relaxed);
        }
    }

    /// Counts all events for the statistics. It reads the whole journal on all cores, and the table can be used meanwhile.
    pub fn count_all(&self) -> Result<(), StoreError> {
        let system = self.look().game.system;
        let count_file = |block: &Block, first: u64| {
            let mut tally = LogTally::default();
            for (number, line) in block.lines() {
                if number < first
                    && may_be_counted(line)
                    && let Some(entry) = read_line(line)
                {
                    tally.count(number, &entry.event, system);
                }
            }
            tally
        };

        let mut tally = LogTally::default();
        let recent = self.map_older_files::<_, StoreError>(count_file, |counted| {
            tally.append(counted);
            Ok(())
        })?;
        for entry in &recent {
            tally.count(entry.number, &entry.event, system);
        }
        tally.apply_corrections();

        let through = recent.last().map_or(0, |entry| entry.number);
        self.inner().history.counted(tally, through, system);
        Ok(())
    }
}

/// False if the statistics do not depend on the event in a line of the journal.
fn may_be_counted(line: &[u8]) -> bool {
    let Some(kind) = kind_of(line) else {
        return true;
    };
    let is_roll = ["rolled", "incomplete", "thrown"].contains(&kind);
    is_roll || Mark::KINDS.contains(&kind)
}

#[cfg(test)]
pub mod tests;
