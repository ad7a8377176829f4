//! The errors of this crate, and hints for the user.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::file::describe_io_error;
use crate::mismatch::Mismatch;

/// The result of an operation on saved games.
pub type Result<T, E = StoreError> = std::result::Result<T, E>;

/// An error of opening, creating, saving or naming a game.
#[derive(Debug, Error)]
pub enum StoreError {
    #[error("there is no game at {}", .0.display())]
    Missing(PathBuf),

    #[error("{} exists already", .0.display())]
    Exists(PathBuf),

    #[error("\u{201c}{}\u{201d} cannot be a game's name: {rule}", name.escape_debug())]
    Name { name: String, rule: &'static str },

    /// Another process has the game open.
    #[error("{} is open elsewhere{by}", path.display())]
    Held {
        path: PathBuf,
        /// The contents of the lock file, such as ` (by process 17 on oak, since 2026-11-20 19:03 UTC)`. Empty if unknown.
        by: String,
    },

    /// The first lines of the snapshot cannot be read.
    #[error("{}, {matter}", path.display())]
    Malformed {
        path: PathBuf,
        /// The line number, and the error in that line.
        matter: String,
    },

    /// A newer version of the program wrote the snapshot.
    #[error("{} has format {found}; this version supports formats up to {known}", path.display())]
    Newer {
        path: PathBuf,
        found: u64,
        known: u64,
    },

    /// The journal is damaged before its end.
    #[error("the journal is damaged: {0}")]
    Damaged(Damage),

    /// The snapshot and the journal belong to different histories.
    #[error("{0}")]
    Mismatched(Box<Mismatch>),

    /// The last line of the journal is incomplete, and the snapshot contains events after the last complete line.
    #[error("the last line of the journal of {} is incomplete", .0.display())]
    Torn(PathBuf),

    #[error("{} is a symbolic link; the files of a game must not be links", .0.display())]
    Symlink(PathBuf),

    /// Another program edited the snapshot while the game was open.
    #[error("{} was edited by another program while the game was open", .0.display())]
    EditedOutside(PathBuf),

    /// The game was opened read-only.
    #[error("this game is open read-only; open it without --view to play")]
    ViewOnly,

    /// An event or a snapshot could not be serialised.
    #[error("cannot write {what}: {why}")]
    Unwritable { what: &'static str, why: String },

    /// The latest events are not on the disk yet.
    #[error("the last changes of {} are not saved: {reason}", path.display())]
    Unsaved { path: PathBuf, reason: String },

    /// The journal is complete on the disk, but a new snapshot could not be written.
    #[error("the state of {} could not be written: {reason}", path.display())]
    StateBehind { path: PathBuf, reason: String },

    /// Another process appended an event first. The caller must read that event and decide again.
    #[error("another process changed {} at the same time", .0.display())]
    Moved(PathBuf),

    /// A database refused a request or did not answer.
    #[error("{what}")]
    Database {
        what: String,
        hint: Option<&'static str>,
    },

    /// A file is not a valid exported game. Messages show the text after the name of the file.
    #[error("{0}")]
    Unfit(String),

    /// The operating system refused an operation on a file.
    #[error("cannot {doing} {}: {}", path.display(), describe_io_error(source))]
    Io {
        /// The operation as a verb, such as `read`.
        doing: &'static str,
        path: PathBuf,
        source: io::Error,
    },
}

impl StoreError {
    /// Wraps an error of the operating system. A refused symbolic link becomes [`StoreError::Symlink`].
    pub fn io(doing: &'static str, path: &Path, source: io::Error) -> Self {
        let is_refused_link = source.raw_os_error() == Some(libc::ELOOP);
        if is_refused_link {
            return Self::Symlink(path.to_path_buf());
        }

        Self::Io {
            doing,
            path: path.to_path_buf(),
            source,
        }
    }

    /// Suggests an action to the user, if there is one.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Missing(_) => {
                Some("`tableside games` lists all games; `tableside new` creates one".to_owned())
            }
            Self::Exists(_) => Some("choose another name".to_owned()),
            Self::Name { .. } => Some("use letters, digits, spaces, `-` and `_`".to_owned()),
            Self::Held { .. } => {
                Some("open it with --view, or close it in the other process first".to_owned())
            }
            Self::Malformed { path, .. } => Some(malformed_hint(path)),
            Self::Newer { .. } => Some("open it with a newer version of tableside".to_owned()),
            Self::Damaged(damage) => Some(format!(
                "no file was changed; open the game with --view to see it up to event {}",
                damage.last_good
            )),
            Self::Torn(_) => Some("open the game once to repair its journal".to_owned()),
            Self::Mismatched(mismatch) => Some(mismatch.hint()),
            Self::Symlink(_) => Some("replace the link with the file itself".to_owned()),
            Self::StateBehind { .. } => Some(
                "no event is lost: the journal contains every event, and the program reads it when it opens the game"
                    .to_owned(),
            ),
            Self::Unsaved { .. } => {
                Some("free some space or check the disk; older changes are saved".to_owned())
            }
            Self::Moved(_) => Some("try again".to_owned()),
            Self::Database { hint, .. } => hint.map(str::to_owned),
            Self::Io { source, .. } => io_hint(source.kind()).map(str::to_owned),
            Self::ViewOnly | Self::EditedOutside(_) | Self::Unwritable { .. } | Self::Unfit(_) => {
                None
            }
        }
    }
}

fn malformed_hint(path: &Path) -> String {
    let previous = path.with_extension("toml.before");
    if previous.exists() {
        return format!(
            "correct that line, or go back to the previous save in {}",
            previous.display()
        );
    }

    "correct that line in a text editor".to_owned()
}

fn io_hint(kind: io::ErrorKind) -> Option<&'static str> {
    match kind {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            Some("free some space on the disk")
        }
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => Some(
            "open it with --view, change its permissions, or choose another folder with --data",
        ),
        _ => None,
    }
}

/// Adds the operation and the path to an error of the operating system.
pub(crate) trait IoContext<T> {
    /// `doing` is the operation as a verb, such as `read`.
    fn io_context(self, doing: &'static str, path: &Path) -> Result<T>;
}

impl<T> IoContext<T> for io::Result<T> {
    fn io_context(self, doing: &'static str, path: &Path) -> Result<T> {
        self.map_err(|error| StoreError::io(doing, path, error))
    }
}

/// The first damaged line of a journal, or its first missing file.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{}{}: {what}; {}", file.display(), describe_line(*line), describe_last_good(*last_good))]
pub struct Damage {
    /// The journal file.
    pub file: PathBuf,
    /// The line in that file, counted from 1; 0 for the whole file.
    pub line: usize,
    /// A description of the fault.
    pub what: String,
    /// The number of the last undamaged event before the line; 0 if there is none.
    pub last_good: u64,
}

fn describe_line(line: usize) -> String {
    if line == 0 {
        String::new()
    } else {
        format!(", line {line}")
    }
}

fn describe_last_good(last_good: u64) -> String {
    if last_good == 0 {
        "no event before it is intact".to_owned()
    } else {
        format!("the last good event is {last_good}")
    }
}
