//! Opening a session: from its folder, or a sample that has none yet.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, RwLock};

use thiserror::Error;

use super::history::read;
use super::{Clock, Entry, History, Inner, SeatId, Table};
use crate::dice::Dice;
use crate::rules::System;
use crate::session::{
    EntityKind, Event, EventKind, FileError, Session, describe_differences, differences,
};
use crate::store::{Opened, Options, Snapshot, Store, StoreError};

/// Why a session could not be opened.
#[derive(Debug, Error)]
pub enum OpenError {
    /// The files said no.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The file is TOML, and yet no session.
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
            Self::Store(error) => matches!(
                error,
                StoreError::NotToml { .. } | StoreError::Unfit { .. } | StoreError::Damaged(_)
            ),
            Self::File { .. } => true,
            Self::Edited { .. } => false,
        }
    }

    fn is_of_journal(&self) -> bool {
        matches!(self, Self::Store(StoreError::Damaged(_)))
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
    /// go on from the last good state; what is damaged is kept, too.
    Restore,
}

/// How a session is opened.
pub struct Opening {
    /// Reads the time.
    pub clock: Clock,
    /// Rolls the dice.
    pub dice: Box<dyn Dice + Send>,
    /// To look only.
    pub view: bool,
    /// What to do with an edited snapshot.
    pub on_edit: OnEdit,
}

impl Table {
    /// Opens the session in that folder; answers with what the user is to be told.
    pub fn open(folder: &Path, opening: Opening) -> Result<(Arc<Self>, Vec<String>), OpenError> {
        let at = (opening.clock)();
        let options = Options {
            view: opening.view,
            ..Options::new(at)
        };
        let (opened, went_back) = Self::open_store(folder, &options, opening.on_edit)?;
        let edited = !opened.snapshot.is_sealed;
        let entries: Vec<Arc<Entry>> = opened
            .records
            .iter()
            .filter_map(read)
            .map(Arc::new)
            .collect();
        let mut session = parse(&opened.snapshot)?;
        let mut mended = went_back.then(Vec::new);
        if edited && !opening.view {
            let before = opened.store.read_before().ok();
            let known = before.as_ref().and_then(|snapshot| {
                let covered = entries
                    .first()
                    .is_none_or(|entry| entry.number <= snapshot.last + 1);
                parse(snapshot)
                    .ok()
                    .filter(|_| covered)
                    .map(|session| (session, snapshot.last))
            });
            let known = known.map(|(mut session, last)| {
                play(&mut session, &entries, last, opened.snapshot.last.max(last));
                session
            });
            match opening.on_edit {
                OnEdit::Restore if known.is_none() => {
                    return Err(OpenError::Edited {
                        path: opened.snapshot.path().to_path_buf(),
                        edited: Edited {
                            differences: Vec::new(),
                            can_restore: false,
                        },
                    });
                }
                OnEdit::Ask => {
                    let found = known.as_ref().map(|known| differences(known, &session));
                    return Err(OpenError::Edited {
                        path: opened.snapshot.path().to_path_buf(),
                        edited: Edited {
                            can_restore: known.is_some(),
                            differences: describe_differences(&found.unwrap_or_default()),
                        },
                    });
                }
                OnEdit::Keep => {
                    let changes = known.map(|known| {
                        session.complete_edit(&known);
                        differences(&known, &session)
                    });
                    mended = Some(changes.unwrap_or_default());
                    opened.store.replace_edited();
                }
                OnEdit::Restore => {
                    session = known.unwrap_or(session);
                    mended = Some(Vec::new());
                    opened.store.replace_edited();
                }
            }
        }
        play(&mut session, &entries, opened.snapshot.last, u64::MAX);
        let history = remember(opened.store.last(), entries, session.system);
        let inner = Inner {
            session,
            views: super::Views::default(),
            history,
            store: None,
            name: String::new(),
            data: None,
            dice: Mutex::new(opening.dice),
            revision: 0,
            company: super::Presence::default(),
            door: None,
        };
        let table = Self::around(inner, opening.clock);
        let host: std::sync::Weak<Self> = Arc::downgrade(&table);
        opened.store.serve(host);
        let mut inner = table.inner();
        inner.store = Some(Arc::new(opened.store));
        if let Some(changes) = mended {
            let event = Event {
                what: EventKind::Edited {
                    kind: EntityKind::Session,
                    name: "session.toml".to_owned(),
                    how: match opening.on_edit {
                        OnEdit::Restore => "an edit by hand was set aside".to_owned(),
                        OnEdit::Ask | OnEdit::Keep => "edited by hand".to_owned(),
                    },
                },
                changes,
            };
            inner.write(("tableside", SeatId::HOST), at, event)?;
            inner.store.as_ref().inspect(|store| store.save());
        }
        drop(inner);
        Ok((table, opened.notices))
    }

    /// Opens the files; where they are damaged and one is to go back, from the last good state on, the
    /// damaged ones being kept beside it. Answers whether that was so.
    fn open_store(
        folder: &Path,
        options: &Options,
        on_edit: OnEdit,
    ) -> Result<(Opened, bool), OpenError> {
        let may_go_back = on_edit == OnEdit::Restore && !options.view;
        let goes_on = |opened: &Opened| parse(&opened.snapshot).map(|_session| ());
        let error = match Store::open(folder, options) {
            Ok(opened) => match goes_on(&opened) {
                Err(error) if may_go_back => error,
                // What cannot be read is told when it is read.
                _ => return Ok((opened, false)),
            },
            Err(error) => error.into(),
        };
        if !(may_go_back && error.is_damage()) {
            return Err(error);
        }
        let options = Options {
            cut_damage: true,
            from_before: !error.is_of_journal(),
            ..options.clone()
        };
        Ok((Store::open(folder, &options)?, true))
    }

    /// Opens a game that has no folder yet: it is kept in `data` from its first change; without `data`
    /// it lives in memory alone.
    pub fn unsaved(
        name: &str,
        session: Session,
        entries: Vec<Entry>,
        data: Option<PathBuf>,
        clock: Clock,
        dice: Box<dyn Dice + Send>,
    ) -> Arc<Self> {
        let mut history = History::default();
        for entry in entries {
            history.push(Arc::new(entry), session.system);
        }
        let inner = Inner {
            session,
            views: super::Views::default(),
            history,
            store: None,
            name: name.to_owned(),
            data,
            dice: Mutex::new(dice),
            revision: 0,
            company: super::Presence::default(),
            door: None,
        };
        Self::around(inner, clock)
    }

    fn around(inner: Inner, clock: Clock) -> Arc<Self> {
        Arc::new(Self {
            inner: RwLock::new(inner),
            watchers: super::watch::Watchers::default(),
            clock,
            is_counting: AtomicBool::new(false),
            is_attended: AtomicBool::new(false),
        })
    }
}

/// A history of these entries, the last event having that number.
fn remember(last: u64, entries: Vec<Arc<Entry>>, system: System) -> History {
    let mut history = History::after(last);
    for entry in entries {
        history.push(entry, system);
    }
    history
}

fn parse(snapshot: &Snapshot) -> Result<Session, OpenError> {
    Session::from_toml(&snapshot.text).map_err(|source| OpenError::File {
        path: snapshot.path().to_path_buf(),
        source,
    })
}

/// Folds in the events after `last`, up to and with `until`.
fn play(session: &mut Session, entries: &[Arc<Entry>], last: u64, until: u64) {
    let since = entries
        .iter()
        .filter(|entry| entry.number > last && entry.number <= until);
    for entry in since {
        session.apply(&entry.event);
    }
}
