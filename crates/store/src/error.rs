//! What can go wrong with a game on disk: what happened, in which file, and what next.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::disk::plain_words;

/// A game could not be opened, made, saved or named.
#[derive(Debug, Error)]
pub enum StoreError {
    /// There is no game in this folder.
    #[error("there is no game at {}", .0.display())]
    Missing(PathBuf),
    /// Something of that name is in the way.
    #[error("{} exists already", .0.display())]
    Exists(PathBuf),
    /// The name breaks a rule.
    #[error("\u{201c}{}\u{201d} cannot be a game's name: {rule}", name.escape_debug())]
    Name { name: String, rule: &'static str },
    /// Somebody has the game open.
    #[error("{} is open elsewhere{by}", path.display())]
    Held {
        path: PathBuf,
        /// ` (by process 17 on oak, since 2026-11-20 19:03 UTC)`, as far as it is known.
        by: String,
    },
    /// The head of the snapshot cannot be read.
    #[error("{}, {matter}", path.display())]
    Malformed {
        path: PathBuf,
        /// The line, and what is missing or wrong there.
        matter: String,
    },
    /// The snapshot was written by a newer version of the program.
    #[error("{} has format {found}; this version knows formats up to {known}", path.display())]
    Newer {
        path: PathBuf,
        found: u64,
        known: u64,
    },
    /// The journal is damaged before its end.
    #[error("the journal is damaged: {0}")]
    Damaged(Damage),
    /// The state and the journal belong to different histories.
    #[error("{0}")]
    Mismatched(Box<Mismatch>),
    /// The journal's last line is torn, and the state has more than is left of it.
    #[error("the end of the journal of {} is torn", .0.display())]
    Torn(PathBuf),
    /// A game file is a symbolic link.
    #[error("{} is a symbolic link; a game's own files must be real files", .0.display())]
    Symlink(PathBuf),
    /// Somebody edited the snapshot while the game was open.
    #[error("{} was edited by somebody else while the game was open", .0.display())]
    EditedOutside(PathBuf),
    /// The game was opened only to be looked at.
    #[error("this game is open for looking only; open it without --view to play")]
    ViewOnly,
    /// An event or snapshot could not be put into words.
    #[error("cannot write down {what}: {why}")]
    Unwritable { what: &'static str, why: String },
    /// What was played is not on disk yet.
    #[error("the last changes of {} are not saved: {reason}", path.display())]
    Unsaved { path: PathBuf, reason: String },
    /// The journal has everything, but the state beside it could not be brought up to it.
    #[error("the state of {} could not be written: {reason}", path.display())]
    StateBehind { path: PathBuf, reason: String },
    /// Another process wrote an event first; what was decided must be decided again.
    #[error("{} was changed elsewhere at the same moment", .0.display())]
    Moved(PathBuf),
    /// A database said no, or nothing.
    #[error("{what}")]
    Database {
        what: String,
        /// What a person can do about it.
        hint: Option<&'static str>,
    },
    /// A file is no game that was exported, in words that follow its name.
    #[error("{0}")]
    Unfit(String),
    /// The system refused.
    #[error("cannot {doing} {}: {}", path.display(), plain_words(source))]
    Io {
        /// What was tried.
        doing: &'static str,
        path: PathBuf,
        source: io::Error,
    },
}

impl StoreError {
    /// Names the file and the deed; a symbolic link gets its own words.
    pub(super) fn io(doing: &'static str, path: &Path, source: io::Error) -> Self {
        let path = path.to_path_buf();
        if source.raw_os_error() == Some(libc::ELOOP) {
            return Self::Symlink(path);
        }
        Self::Io {
            doing,
            path,
            source,
        }
    }

    /// What a person can do about it.
    pub fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::Missing(_) => {
                "`tableside games` lists the games there are; `tableside new` makes one"
            }
            Self::Exists(_) => "choose another name",
            Self::Name { .. } => "letters, digits, spaces, `-` and `_` are always right",
            Self::Held { .. } => "look at it with --view, or close it there first",
            Self::Malformed { path, .. } => {
                let before = path.with_extension("toml.before");
                if before.exists() {
                    let before = before.display();
                    let hint = "mend that line; the state before the last save is kept as";
                    return Some(format!("{hint} {before}"));
                }
                "mend that line with any text editor"
            }
            Self::Newer { .. } => "open it with a newer version of tableside",
            Self::Damaged(Damage { last_good, .. }) => {
                let hint = "nothing was changed; look at it with --view, which shows the game";
                return Some(format!("{hint} up to event {last_good}"));
            }
            Self::Torn(_) => "open the game once, which mends it",
            Self::Mismatched(mismatch) => return Some(mismatch.hint()),
            Self::Symlink(_) => "put the file itself in the link's place",
            Self::StateBehind { .. } => {
                "nothing is lost: every event is in the journal, and the next start reads it"
            }
            Self::Unsaved { .. } => {
                "make room or see to the disk; what was saved before them opens as ever"
            }
            Self::Moved(_) => "try it again",
            Self::Database { hint, .. } => return hint.map(str::to_owned),
            Self::ViewOnly | Self::EditedOutside(_) | Self::Unwritable { .. } | Self::Unfit(_) => {
                return None;
            }
            Self::Io { source, .. } => match source.kind() {
                io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                    "make room on the disk"
                }
                io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                    "look at it with --view, give yourself the right to it, or use another folder with --data"
                }
                _ => return None,
            },
        };
        Some(hint.to_owned())
    }
}

/// Where a journal stops making sense, although it goes on.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{}, line {line}: {what}; the last good event is {last_good}", file.display())]
pub struct Damage {
    /// The journal file.
    pub file: PathBuf,
    /// The line in that file, counted from 1; 0 where the whole file is meant.
    pub line: usize,
    /// What is wrong with it.
    pub what: String,
    /// The number of the last event before it that is whole; 0 if there is none.
    pub last_good: u64,
}

/// A state whose newest event is not in the journal beside it: the two belong to different histories, or the
/// journal has lost its end.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "{} and {} do not belong together: the state was saved after event {reached}, and the journal {finding}",
    state.display(),
    journal.display()
)]
pub struct Mismatch {
    /// The file of the state.
    pub state: PathBuf,
    /// The journal file in which the event should be.
    pub journal: PathBuf,
    /// The number of the newest event that the state contains.
    pub reached: u64,
    /// What the journal has instead.
    pub finding: MismatchFinding,
    /// Whether the state before the last save belongs to the journal, so that the game can go on from it.
    pub before_belongs: bool,
}

/// What a journal has instead of the newest event of the state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum MismatchFinding {
    /// An event of that number with another checksum.
    #[error("has a different event {0}")]
    OtherEvent(u64),
    /// Events before and after it, but none of that number that the state knows.
    #[error("lacks that event")]
    Gap,
    /// Only older events.
    #[error("ends with event {0}")]
    EndsBefore(u64),
    /// No events.
    #[error("is empty or missing")]
    Empty,
}

impl MismatchFinding {
    /// Of a journal whose newest event up to the wanted one, and whose last one, have these numbers; 0 for none.
    pub(super) fn of(newest: u64, last: u64, wanted: u64) -> Self {
        if last == 0 {
            Self::Empty
        } else if last < wanted {
            Self::EndsBefore(last)
        } else if newest < wanted {
            Self::Gap
        } else {
            Self::OtherEvent(wanted)
        }
    }
}

impl Mismatch {
    fn hint(&self) -> String {
        let what = "nothing was changed; put back the file that belongs to the other one, or open the game on a terminal";
        let choice = if self.before_belongs {
            "to go on with one of the two"
        } else {
            "to go on with the state alone"
        };
        format!("{what} {choice}")
    }
}
