//! Opens a game, even if it was edited by hand or a file is damaged.

use std::path::PathBuf;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use thiserror::Error;

use super::journal_entry::read;
use super::own_rules::{self, load_kept_rules};
use super::{Entry, History, Inner, SeatId, Table, TimeSource};
use tableside_dice::Dice;
use tableside_game::{
    Author, Change, EntityKind, Event, EventKind, FileError, Game, describe_differences,
    differences,
};
use tableside_store::{
    Damage, GameLocation, Mismatch, OnMismatch, Opened, Options, Snapshot, StoreError,
};

/// The reason why a game could not be opened.
#[derive(Debug, Error)]
pub enum OpenError {
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The file is valid TOML, but not a game.
    #[error("{}: {source}", path.display())]
    File { path: PathBuf, source: FileError },
    /// The snapshot differs from the one that was saved.
    #[error("{} differs from the file that was saved: it was edited by hand, or it is damaged", path.display())]
    Edited { path: PathBuf, edited: Edited },
}

impl OpenError {
    /// True if a file is damaged, so that [`OnEdit::Restore`] may help.
    pub fn is_damage(&self) -> bool {
        match self {
            Self::Store(StoreError::Malformed { .. } | StoreError::Damaged(_))
            | Self::File { .. } => true,
            Self::Store(_) | Self::Edited { .. } => false,
        }
    }
}

/// A snapshot that differs from the one that was saved.
#[derive(Debug)]
pub struct Edited {
    /// Descriptions of the differences. Empty if the saved state is unknown.
    pub differences: Vec<String>,
    /// True if the saved state is known, so that it can be restored.
    pub can_restore: bool,
}

/// How to open a game whose snapshot was edited or is damaged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnEdit {
    /// Fail with a description of the differences.
    #[default]
    Ask,
    /// Keep the edit and record it as an event.
    Keep,
    /// Restore the saved state and keep the edited file under another name. If a file is damaged, continue from the last
    /// intact state and keep the damaged part. If the state and the journal do not belong together, continue with the
    /// journal from the previous state, if the two belong together. A database has no previous state, and its damaged
    /// journal cannot be restored.
    Restore,
    /// If the state and the journal do not belong together, continue with the state, even if it was edited. The files of
    /// the journal are kept under other names.
    KeepState,
}

/// The reason why a read-only game is incomplete.
#[derive(Clone, Debug, Error)]
pub enum Incomplete {
    /// The journal is damaged. The log ends before the damage.
    #[error("the journal is damaged: {0}. The log ends there")]
    Damaged(Damage),
    /// The state is newer than the journal.
    #[error("{0}")]
    Lost(String),
    /// The journal belongs to another history, so its events are not shown.
    #[error("{0}. Only the state is shown, without a log")]
    Mismatched(Mismatch),
}

/// The options for opening a game.
pub struct Opening {
    pub clock: TimeSource,
    pub dice: Box<dyn Dice + Send>,
    /// Opens the game read-only.
    pub view: bool,
    /// How to treat an edited snapshot.
    pub on_edit: OnEdit,
}

/// An opened store, and the repair that opening it needed.
struct OpenedStore {
    opened: Opened,
    /// The log's description of the repair. `None` if the files were intact.
    set_aside: Option<&'static str>,
}

/// An event to record because the snapshot was edited or a file was set aside.
struct Repair {
    how: String,
    changes: Vec<Change>,
}

impl Table {
    /// Opens a saved game. Also returns messages for the user.
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
        // The saved game names its rules, so the rules must be loaded first.
        load_kept_rules(&place);
        let OpenedStore {
            mut opened,
            set_aside,
        } = open_store(&place, &options, opening.on_edit)?;
        if opening.view && opened.mismatch.is_some() {
            opened.records.clear();
        }

        let entries: Vec<Arc<Entry>> = opened
            .records
            .iter()
            .filter_map(read)
            .map(Arc::new)
            .collect();
        let mut game = parse(&opened.snapshot)?;
        let mut repair = set_aside.map(|how| Repair {
            how: how.to_owned(),
            changes: Vec::new(),
        });
        if !opened.snapshot.is_sealed && !opening.view {
            let changes = accept_edit(&mut game, &opened, &entries, opening.on_edit)?;
            repair = Some(Repair {
                how: describe_repair(set_aside, opening.on_edit),
                changes,
            });
            opened.store.replace_edited();
        }
        apply_events(&mut game, &entries, opened.snapshot.last, u64::MAX);

        let mut incomplete = None;
        if opening.view {
            incomplete = find_incomplete(&opened);
        } else {
            opened.notices.extend(opened.loss.clone());
        }
        let history = read_history(&opened, entries, &game, incomplete.as_ref());
        if !opening.view {
            own_rules::write_copy(&place, game.system)?;
            let notice = own_rules::update_readable_copy(&place, game.system);
            opened.notices.extend(notice);
        }

        let table = Arc::new(Self::new(game, history, opening.clock, opening.dice));
        opened.store.attach(Arc::<Self>::downgrade(&table));
        let mut inner = table.inner();
        inner.store = Some(opened.store);
        inner.incomplete = incomplete;
        if let Some(repair) = repair {
            record_repair(&mut inner, at, repair, set_aside.is_some())?;
        }
        drop(inner);
        Ok((table, opened.notices))
    }
}

/// Returns the history with the events since the snapshot and some older rolls to show.
fn read_history(
    opened: &Opened,
    entries: Vec<Arc<Entry>>,
    game: &Game,
    incomplete: Option<&Incomplete>,
) -> History {
    let mut history = History::after(opened.store.last());
    for entry in entries {
        history.push(entry, game.system);
    }
    if !matches!(incomplete, Some(Incomplete::Mismatched(_))) {
        // If older events cannot be read, the log in memory begins with a later event.
        let _result = history.reach_rolls(&opened.store.reader());
    }
    history
}

fn describe_repair(set_aside: Option<&str>, on_edit: OnEdit) -> String {
    match (set_aside, on_edit) {
        (Some(set_aside), _) => set_aside.to_owned(),
        (None, OnEdit::Restore) => "an edit by hand was set aside".to_owned(),
        (None, OnEdit::Ask | OnEdit::Keep | OnEdit::KeepState) => "edited by hand".to_owned(),
    }
}

/// Records an edit of the snapshot, or that a file was set aside.
fn record_repair(
    inner: &mut parking_lot::RwLockWriteGuard<'_, Inner>,
    at: DateTime<Utc>,
    repair: Repair,
    was_set_aside: bool,
) -> Result<(), OpenError> {
    let edited = EventKind::Edited {
        kind: EntityKind::Game,
        name: "game.toml".to_owned(),
        how: repair.how,
    };
    let event = Event::new(edited, repair.changes);
    let author = Author::new("tableside", SeatId::HOST);
    Inner::write(inner, &author, at, event)?;

    if let Some(store) = &inner.store {
        store.save();
        if was_set_aside {
            // Until a new snapshot is saved, opening the game would ask the user again.
            store.snapshot_soon();
        }
    }
    Ok(())
}

/// Opens the files. If they are damaged or do not belong together, `on_edit` decides whether to continue from the last
/// intact state and set the rest aside.
fn open_store(
    place: &GameLocation,
    options: &Options,
    on_edit: OnEdit,
) -> Result<OpenedStore, OpenError> {
    let error = match place.open(options) {
        Ok(opened) => match find_refusal(&opened, options, on_edit) {
            Some(error) => error,
            None => {
                return Ok(OpenedStore {
                    opened,
                    set_aside: None,
                });
            }
        },
        Err(error) => error.into(),
    };

    let may_restore = on_edit == OnEdit::Restore && !options.view;
    let keeps_state = on_edit == OnEdit::KeepState && !options.view;
    let mut options = options.clone();
    options.cut_damage = true;
    let set_aside = match &error {
        OpenError::Store(StoreError::Mismatched(_) | StoreError::Damaged(_)) if keeps_state => {
            options.on_mismatch = OnMismatch::SetJournalAside;
            "the state was kept, and the journal, which did not belong to it, was set aside"
        }
        OpenError::Store(StoreError::Mismatched(mismatch))
            if may_restore && mismatch.before_belongs =>
        {
            options.from_before = true;
            "a state that did not belong to the journal was set aside"
        }
        error if may_restore && error.is_damage() => {
            let is_journal_damaged = matches!(error, OpenError::Store(StoreError::Damaged(_)));
            options.from_before = !is_journal_damaged;
            "a damaged file was set aside"
        }
        _ => return Err(error),
    };
    Ok(OpenedStore {
        opened: place.open(&options)?,
        set_aside: Some(set_aside),
    })
}

/// Returns the reason to open the files again in another way: the snapshot is not a game, or an edit was kept although
/// the journal belongs to another history.
fn find_refusal(opened: &Opened, options: &Options, on_edit: OnEdit) -> Option<OpenError> {
    if options.view {
        return None;
    }
    match (parse(&opened.snapshot), on_edit) {
        (Err(error), OnEdit::Restore) => Some(error),
        (Ok(_), OnEdit::Keep | OnEdit::KeepState) => {
            let mismatch = opened.mismatch.clone()?;
            Some(StoreError::Mismatched(Box::new(mismatch)).into())
        }
        // The caller reports a snapshot that is not a game.
        _ => None,
    }
}

/// Returns the reason why an opened game is incomplete.
fn find_incomplete(opened: &Opened) -> Option<Incomplete> {
    if let Some(mismatch) = &opened.mismatch {
        return Some(Incomplete::Mismatched(mismatch.clone()));
    }
    if let Some(damage) = &opened.damage {
        return Some(Incomplete::Damaged(damage.clone()));
    }
    opened.loss.clone().map(Incomplete::Lost)
}

/// Keeps the edit of a snapshot or restores the saved state. Returns the differences from the saved state.
fn accept_edit(
    game: &mut Game,
    opened: &Opened,
    entries: &[Arc<Entry>],
    on_edit: OnEdit,
) -> Result<Vec<Change>, OpenError> {
    let saved = last_saved(opened, entries);
    match (on_edit, saved) {
        (OnEdit::Keep | OnEdit::KeepState, None) => Ok(Vec::new()),
        (OnEdit::Keep | OnEdit::KeepState, Some(saved)) => {
            game.complete_edit(&saved);
            Ok(differences(&saved, game))
        }
        (OnEdit::Restore, Some(saved)) => {
            *game = saved;
            Ok(Vec::new())
        }
        (OnEdit::Ask | OnEdit::Restore, saved) => {
            let differences = match &saved {
                Some(saved) => describe_differences(game, &differences(saved, game)),
                None => Vec::new(),
            };
            Err(OpenError::Edited {
                path: opened.snapshot.path.clone(),
                edited: Edited {
                    can_restore: saved.is_some(),
                    differences,
                },
            })
        }
    }
}

/// The saved state before the snapshot was edited: the previous snapshot with the later events. `None` if either is
/// missing.
fn last_saved(opened: &Opened, entries: &[Arc<Entry>]) -> Option<Game> {
    let before = opened.store.read_previous_snapshot().ok()?;
    let mut game = parse(&before).ok()?;
    if let Some(first) = entries.first()
        && first.number > before.last + 1
    {
        return None;
    }
    let until = opened.snapshot.last.max(before.last);
    apply_events(&mut game, entries, before.last, until);
    Some(game)
}

fn parse(snapshot: &Snapshot) -> Result<Game, OpenError> {
    Game::from_toml(&snapshot.text).map_err(|source| OpenError::File {
        path: snapshot.path.clone(),
        source,
    })
}

/// Applies the events after `last`, up to and including `until`.
fn apply_events(game: &mut Game, entries: &[Arc<Entry>], last: u64, until: u64) {
    for entry in entries {
        if entry.number > last && entry.number <= until {
            game.apply(&entry.event);
        }
    }
}
