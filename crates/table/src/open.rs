//! Opening a game: from its place, or a sample that has none yet; where it is kept then, and what the store
//! asks of the table whose state it saves.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use chrono::{DateTime, Utc};
use parking_lot::{Mutex, RwLock};
use thiserror::Error;

use super::journal_entry::{WithText, read};
use super::own_rules::{self, rules_beside};
use super::{Entry, History, Inner, News, Problem, SeatId, Table, TimeSource};
use tableside_dice::Dice;
use tableside_game::{
    Change, EntityKind, Event, EventKind, FileError, Game, describe_differences, differences,
};
use tableside_store::{
    By, Damage, GameLocation, Mismatch, Name, NewEvent, OnMismatch, Opened, Options, Reader,
    Saving, Snapshot, Storage, Store, StoreClient, StoreError,
};

/// What is on the disk within this time is no news: screens speak of it only later.
const QUICK: Duration = Duration::from_millis(200);

/// Why a game could not be opened.
#[derive(Debug, Error)]
pub enum OpenError {
    /// The files said no.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The file is TOML, and yet no game.
    #[error("{}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: FileError,
    },
    /// The snapshot is not as it was written: somebody edited it, or it is damaged.
    #[error("{} is not as it was saved: it was edited by hand, or it is damaged", path.display())]
    Edited {
        /// The file.
        path: PathBuf,
        /// What differs.
        edited: Edited,
    },
}

impl OpenError {
    /// Whether [`OnEdit::Restore`] may help: a file is damaged.
    pub fn is_damage(&self) -> bool {
        match self {
            Self::Store(StoreError::Malformed { .. } | StoreError::Damaged(_))
            | Self::File { .. } => true,
            Self::Store(_) | Self::Edited { .. } => false,
        }
    }
}

/// A snapshot that is not as it was written.
#[derive(Debug)]
pub struct Edited {
    /// What differs from the state as it was saved, in words; empty where that state is not known.
    pub differences: Vec<String>,
    /// Whether the state as it was saved is known, so that one can go back to it.
    pub can_restore: bool,
}

/// What to do with a snapshot that is not as it was written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnEdit {
    /// Ask: opening fails with what differs.
    #[default]
    Ask,
    /// Keep the edit; it becomes an event.
    Keep,
    /// Go back to the state as it was saved; the edited file is kept beside it. Where a file is damaged,
    /// go on from the last good state; what is damaged is kept, too. Where the state and the journal do not belong
    /// together, go on with the journal, from the state before, if that one belongs to it.
    Restore,
    /// Where the state and the journal do not belong together, go on with the state alone, also if it was edited.
    /// The journal's files are kept beside it under other names.
    KeepState,
}

/// Why a game that is only looked at cannot be shown whole.
#[derive(Clone, Debug, Error)]
pub enum Incomplete {
    /// The journal is damaged, and the log ends before that.
    #[error("the journal is damaged: {0}. The log ends there")]
    Damaged(Damage),
    /// The state knows more than the journal.
    #[error("{0}")]
    Lost(String),
    /// The journal belongs to another history, and its events are not shown.
    #[error("{0}. Only the state is shown, without a log")]
    Mismatched(Mismatch),
}

/// How a game is opened.
pub struct Opening {
    /// Reads the time.
    pub clock: TimeSource,
    /// Rolls the dice.
    pub dice: Box<dyn Dice + Send>,
    /// To look only.
    pub view: bool,
    /// What to do with an edited snapshot.
    pub on_edit: OnEdit,
}

impl Table {
    /// Opens the game that is kept there; returns what the user is to be told, too.
    pub fn open(
        place: impl Into<GameLocation>,
        opening: Opening,
    ) -> Result<(Arc<Self>, Vec<String>), OpenError> {
        let place = place.into();
        let at = (opening.clock)();
        let options = Options {
            view: opening.view,
            ..Options::new(at)
        };
        // Before anything is read that names them.
        rules_beside(&place);
        let (mut opened, went_back) = Self::open_store(&place, &options, opening.on_edit)?;
        if opening.view && opened.mismatch.is_some() {
            opened.records.clear();
        }
        let entries = opened.records.iter().filter_map(read).map(Arc::new);
        let entries: Vec<Arc<Entry>> = entries.collect();
        let mut game = parse(&opened.snapshot)?;
        let mut mended = went_back.map(|_| Vec::new());
        if !opened.snapshot.is_sealed && !opening.view {
            let changes = accept_edit(&mut game, &opened, &entries, opening.on_edit)?;
            mended = Some(changes);
            opened.store.replace_edited();
        }
        play(&mut game, &entries, opened.snapshot.last, u64::MAX);
        let mut history = History::after(opened.store.last());
        for entry in entries {
            history.push(entry, game.system);
        }
        let incomplete = if opening.view {
            find_incomplete(&opened)
        } else {
            opened.notices.extend(opened.loss.clone());
            None
        };
        if !matches!(incomplete, Some(Incomplete::Mismatched(_))) {
            // Where what came before cannot be read, there is less to look back at.
            history.reach_rolls(&opened.store.reader()).ok();
        }
        if !opening.view {
            own_rules::keep(&place, game.system)?;
            let shown = own_rules::show(&place, game.system);
            opened.notices.extend(shown);
        }
        let table = Arc::new(Self::new(game, history, opening.clock, opening.dice));
        opened.store.attach(Arc::<Self>::downgrade(&table));
        let mut inner = table.inner();
        inner.store = Some(Arc::new(opened.store));
        inner.incomplete = incomplete;
        if let Some(changes) = mended {
            let event = Event::new(
                EventKind::Edited {
                    kind: EntityKind::Game,
                    name: "session.toml".to_owned(),
                    how: match (went_back, opening.on_edit) {
                        (Some(what), _) => what.to_owned(),
                        (None, OnEdit::Restore) => "an edit by hand was set aside".to_owned(),
                        (None, OnEdit::Ask | OnEdit::Keep | OnEdit::KeepState) => {
                            "edited by hand".to_owned()
                        }
                    },
                },
                changes,
            );
            Inner::write(&mut inner, ("tableside", SeatId::HOST), at, event)?;
            if let Some(store) = &inner.store {
                store.save();
                if went_back.is_some() {
                    // Until the state names an event of the journal that is left, opening asks again.
                    store.snapshot_soon();
                }
            }
        }
        drop(inner);
        Ok((table, opened.notices))
    }

    /// Opens the files; where they are damaged and one is to go back, from the last good state on, the
    /// damaged ones being kept beside it. Returns what was set aside, in words for the log.
    fn open_store(
        place: &GameLocation,
        options: &Options,
        on_edit: OnEdit,
    ) -> Result<(Opened, Option<&'static str>), OpenError> {
        let may_go_back = on_edit == OnEdit::Restore && !options.view;
        let keeps_state = on_edit == OnEdit::KeepState && !options.view;
        let error = match Store::open(place, options) {
            Ok(opened) => match parse(&opened.snapshot) {
                Err(error) if may_go_back => error,
                // The edit was kept, but the journal is the one of another history.
                Ok(_) if !options.view && on_edit != OnEdit::Ask => match &opened.mismatch {
                    Some(mismatch) if on_edit != OnEdit::Restore => {
                        StoreError::Mismatched(Box::new(mismatch.clone())).into()
                    }
                    _ => return Ok((opened, None)),
                },
                // What cannot be read is told when it is read.
                _ => return Ok((opened, None)),
            },
            Err(error) => error.into(),
        };

        let mut options = options.clone();
        options.cut_damage = true;
        let set_aside = match &error {
            OpenError::Store(StoreError::Mismatched(_) | StoreError::Damaged(_)) if keeps_state => {
                options.on_mismatch = OnMismatch::SetJournalAside;
                "kept, although the journal did not belong to it"
            }
            OpenError::Store(StoreError::Mismatched(mismatch))
                if may_go_back && mismatch.before_belongs =>
            {
                options.from_before = true;
                "a state that did not belong to the journal was set aside"
            }
            error if may_go_back && error.is_damage() => {
                options.from_before = !matches!(error, OpenError::Store(StoreError::Damaged(_)));
                "a damaged file was set aside"
            }
            _ => return Err(error),
        };
        Ok((Store::open(place, &options)?, Some(set_aside)))
    }

    /// Opens a game that is kept nowhere yet: it is kept in `storage` from its first change; without one it
    /// lives in memory alone.
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
        (inner.name, inner.storage) = (name.to_owned(), storage);
        Arc::new(table)
    }

    fn new(game: Game, history: History, clock: TimeSource, dice: Box<dyn Dice + Send>) -> Self {
        let inner = Inner {
            game,
            views: super::Views::default(),
            past: super::Views::default(),
            history,
            store: None,
            name: String::new(),
            storage: None,
            revision: super::Revision::default(),
            presence: super::Presence::default(),
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
            host: Mutex::default(),
            turn: Mutex::default(),
            answering: Mutex::default(),
            is_counting: AtomicBool::new(false),
            request_handler: Mutex::new(None),
        }
    }
}

impl StoreClient for Table {
    fn snapshot(&self) -> (String, u64) {
        // Written out after the lock is free: no key waits for it.
        let (game, last) = {
            let inner = self.look();
            (inner.game.clone(), inner.history.last())
        };
        (game.to_toml(), last)
    }

    fn saving_changed(&self, before: &Saving, now: &Saving) {
        let is_quick = |saving: &Saving| match saving {
            Saving::Quiet => true,
            Saving::Behind { since } => since.elapsed() < QUICK,
            Saving::Failing { .. } => false,
        };
        if !(is_quick(before) && is_quick(now)) {
            self.tell(&News::Saving);
        }
    }

    fn changed_elsewhere(&self) {
        let failed = self.catch_up().err();
        let store = self.look().store.clone();
        let is_here = || store.is_some_and(|store| store.saving() == Saving::Quiet);
        if let Some(error) = failed.filter(|_| is_here()) {
            self.tell_gm(error.to_string());
        }
    }

    fn receive_message(self: Arc<Self>, node: i64, says: &str) {
        self.hear(node, says);
    }

    fn tick(&self) {
        self.say_all();
    }
}

impl Table {
    /// Why this game, which is only looked at, cannot be shown whole.
    pub fn incomplete(&self) -> Option<Incomplete> {
        self.look().incomplete.clone()
    }

    /// Keeps a game that was kept nowhere before its first change, because others are to join it.
    pub fn keep_now(self: &Arc<Self>) -> Result<(), Problem> {
        Ok(self.keep(&mut self.inner(), (self.clock)())?)
    }

    /// Gives the game that name; a game that was kept nowhere is kept under it from now on.
    pub fn rename(self: &Arc<Self>, storage: &Storage, name: &Name) -> Result<(), Problem> {
        let place = storage.place(name);
        let mut inner = self.inner();
        if let Some(store) = &inner.store {
            store.rename(&place)?;
        } else {
            self.keep_in(&mut inner, &place, (self.clock)())?;
        }
        self.tell_change(inner, EntityKind::Game);
        Ok(())
    }

    /// Keeps a game as `unsaved-…` if it is kept nowhere yet: from its first change on.
    pub(super) fn keep(
        self: &Arc<Self>,
        inner: &mut Inner,
        at: DateTime<Utc>,
    ) -> Result<(), StoreError> {
        let Some(storage) = inner.storage.as_ref().filter(|_| inner.store.is_none()) else {
            return Ok(());
        };
        self.keep_in(inner, &storage.unsaved()?, at)
    }

    fn keep_in(
        self: &Arc<Self>,
        inner: &mut Inner,
        place: &GameLocation,
        at: DateTime<Utc>,
    ) -> Result<(), StoreError> {
        let system = inner.game.system;
        let entries = inner.history.iter().map(|entry| NewEvent {
            at: entry.at,
            by: By {
                name: &entry.by,
                seat: entry.seat.0,
            },
            event: WithText::new(&entry.event, system),
        });
        let entries: Vec<_> = entries.collect();
        let state = inner.game.to_toml();
        let options = Options {
            rules: own_rules::copies(system),
            ..Options::new(at)
        };
        let opened = Store::create(place, &options, &state, &entries)?;
        self.serve(inner, opened.store);
        Ok(())
    }

    /// Plays on in that store.
    fn serve(self: &Arc<Self>, inner: &mut Inner, store: Store) {
        store.attach(Arc::<Self>::downgrade(self));
        if !self.watchers.lock().is_empty() {
            store.listen();
        }
        inner.store = Some(Arc::new(store));
        self.open_ipc(inner);
    }
}

impl Inner {
    /// A reader of the log, where the game is kept. A journal of another history is not read.
    pub(super) fn reader(&self) -> Option<Reader> {
        if self.hides_journal() {
            return None;
        }
        self.store.as_ref().map(|store| store.reader())
    }

    /// Whether the journal belongs to another history than the state.
    pub(super) fn hides_journal(&self) -> bool {
        matches!(self.incomplete, Some(Incomplete::Mismatched(_)))
    }

    /// Reads older events into the history until it reaches back to that one, or to the first.
    pub(super) fn reach_back(&mut self, number: u64) -> Result<(), StoreError> {
        let reader = self.reader();
        reader.map_or(Ok(()), |reader| self.history.reach_back(&reader, number))
    }
}

/// Why the game cannot be shown whole.
fn find_incomplete(opened: &Opened) -> Option<Incomplete> {
    if let Some(mismatch) = &opened.mismatch {
        return Some(Incomplete::Mismatched(mismatch.clone()));
    }
    if let Some(damage) = &opened.damage {
        return Some(Incomplete::Damaged(damage.clone()));
    }
    opened.loss.clone().map(Incomplete::Lost)
}

/// Does with a game whose snapshot was edited what is wanted, and returns what differs from the state as it
/// was saved.
fn accept_edit(
    game: &mut Game,
    opened: &Opened,
    entries: &[Arc<Entry>],
    on_edit: OnEdit,
) -> Result<Vec<Change>, OpenError> {
    let known = last_saved(opened, entries);
    match (on_edit, known) {
        (OnEdit::Keep | OnEdit::KeepState, None) => Ok(Vec::new()),
        (OnEdit::Keep | OnEdit::KeepState, Some(known)) => {
            game.complete_edit(&known);
            Ok(differences(&known, game))
        }
        (OnEdit::Restore, Some(known)) => {
            *game = known;
            Ok(Vec::new())
        }
        (OnEdit::Ask | OnEdit::Restore, known) => {
            let found = known
                .as_ref()
                .map(|known| describe_differences(game, &differences(known, game)));
            Err(OpenError::Edited {
                path: opened.snapshot.path.clone(),
                edited: Edited {
                    can_restore: known.is_some(),
                    differences: found.unwrap_or_default(),
                },
            })
        }
    }
}

/// The state as it was saved before its snapshot was edited: that of the snapshot before, with the events since.
/// None where these are not known.
fn last_saved(opened: &Opened, entries: &[Arc<Entry>]) -> Option<Game> {
    let before = opened.store.read_before().ok()?;
    let mut game = parse(&before).ok()?;
    let first = entries.first().map_or(0, |entry| entry.number);
    if first > before.last + 1 {
        return None;
    }
    let until = opened.snapshot.last.max(before.last);
    play(&mut game, entries, before.last, until);
    Some(game)
}

fn parse(snapshot: &Snapshot) -> Result<Game, OpenError> {
    Game::from_toml(&snapshot.text).map_err(|source| OpenError::File {
        path: snapshot.path.clone(),
        source,
    })
}

/// Folds in the events after `last`, up to and with `until`.
fn play(game: &mut Game, entries: &[Arc<Entry>], last: u64, until: u64) {
    let since = entries
        .iter()
        .filter(|entry| entry.number > last && entry.number <= until);
    for entry in since {
        game.apply(&entry.event);
    }
}
