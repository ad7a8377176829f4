//! What can go wrong with a game on disk: what happened, in which file, and what next.

use std::io;
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};
use thiserror::Error;

use super::disk::plain_words;

/// A game could not be opened, made, saved or named.
#[derive(Debug, Error)]
pub enum StoreError {
    /// No session has this name.
    #[error("there is no session at {}", path.display())]
    Missing {
        /// The folder that was looked for.
        path: PathBuf,
    },
    /// The name is taken.
    #[error("{} exists already", path.display())]
    Exists {
        /// The folder in the way.
        path: PathBuf,
    },
    /// The name breaks a rule.
    #[error("\u{201c}{}\u{201d} cannot be a session's name: {rule}", name.escape_debug())]
    Name {
        /// The name that was asked for.
        name: String,
        /// What is wrong with it.
        rule: &'static str,
    },
    /// Somebody has the session open.
    #[error("{} is open elsewhere{}", path.display(), holder_words(*pid, host.as_deref(), *since))]
    Held {
        /// The session folder.
        path: PathBuf,
        /// The process that holds it, if it said so.
        pid: Option<u32>,
        /// The machine it runs on.
        host: Option<String>,
        /// Since when.
        since: Option<DateTime<Utc>>,
    },
    /// The snapshot is not TOML.
    #[error("{}, line {line}, column {column}: not TOML: {matter}", path.display())]
    NotToml {
        /// The file.
        path: PathBuf,
        /// Counted from 1.
        line: usize,
        /// Counted from 1.
        column: usize,
        /// What the reader stumbled over.
        matter: String,
    },
    /// The snapshot is TOML, but not the state of a game.
    #[error("{}, line {line}, column {column}: {matter}", path.display())]
    Unfit {
        /// The file.
        path: PathBuf,
        /// Counted from 1.
        line: usize,
        /// Counted from 1.
        column: usize,
        /// What is missing or wrong.
        matter: String,
    },
    /// The snapshot was written by a newer version of the program.
    #[error("{} has format {found}; this version knows formats up to {known}", path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// The format it names.
        found: u64,
        /// The newest format known here.
        known: u64,
    },
    /// The journal is damaged before its end.
    #[error("the journal is damaged: {0}")]
    Damaged(Damage),
    /// The folder or disk does not let itself be written.
    #[error("{} cannot be written: {why}", path.display())]
    ReadOnly {
        /// The session folder.
        path: PathBuf,
        /// In plain words.
        why: String,
    },
    /// A game file is a symbolic link.
    #[error("{} is a symbolic link; a game's own files must be real files", path.display())]
    Symlink {
        /// The link.
        path: PathBuf,
    },
    /// Somebody edited the snapshot while the game was open.
    #[error("{} was edited by somebody else while the game was open", path.display())]
    EditedOutside {
        /// The snapshot.
        path: PathBuf,
    },
    /// The session was opened only to be looked at.
    #[error("{} is open for looking only", path.display())]
    ViewOnly {
        /// The session folder.
        path: PathBuf,
    },
    /// An event is too long for a line of the journal.
    #[error("an event of {length} bytes does not fit into the journal; the most is {limit}")]
    TooLong {
        /// Its length as JSON.
        length: usize,
        /// The most.
        limit: usize,
    },
    /// An event or snapshot could not be put into words.
    #[error("cannot write down {what}: {why}")]
    Unwritable {
        /// Which thing.
        what: &'static str,
        /// What is wrong with it.
        why: String,
    },
    /// What was played is not on disk yet.
    #[error("the last changes of {} are not saved: {reason}", path.display())]
    Unsaved {
        /// The session folder.
        path: PathBuf,
        /// In plain words.
        reason: String,
    },
    /// The journal has everything, but the state beside it could not be brought up to it.
    #[error("the state of {} could not be written: {reason}", path.display())]
    StateBehind {
        /// The session folder.
        path: PathBuf,
        /// In plain words.
        reason: String,
    },
    /// The system refused.
    #[error("cannot {doing} {}: {}", path.display(), plain_words(source))]
    Io {
        /// What was tried.
        doing: &'static str,
        /// With which file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl StoreError {
    /// Names the file and the deed; a symbolic link and a missing right get their own words.
    pub(super) fn io(doing: &'static str, path: &Path, source: io::Error) -> Self {
        let path = path.to_path_buf();
        if source.raw_os_error() == Some(libc::ELOOP) {
            return Self::Symlink { path };
        }
        Self::Io {
            doing,
            path,
            source,
        }
    }

    /// As [`Self::io`], where a missing right means that the session folder is read-only.
    pub(super) fn writing(
        doing: &'static str,
        folder: &Path,
        path: &Path,
        source: io::Error,
    ) -> Self {
        match source.kind() {
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => Self::ReadOnly {
                path: folder.to_path_buf(),
                why: plain_words(&source),
            },
            _ => Self::io(doing, path, source),
        }
    }

    /// What a person can do about it.
    pub fn hint(&self) -> Option<String> {
        Some(match self {
            Self::Missing { .. } => {
                "`tableside sessions` lists the sessions there are; `tableside new` makes one"
                    .to_owned()
            }
            Self::Exists { .. } => "choose another name".to_owned(),
            Self::Name { .. } => "letters, digits, spaces, `-` and `_` are always right".to_owned(),
            Self::Held { .. } => "look at it with --view, or close it there first".to_owned(),
            Self::NotToml { path, .. } | Self::Unfit { path, .. } => {
                let mut before = path.clone().into_os_string();
                before.push(".before");
                let before = PathBuf::from(before);
                if before.exists() {
                    let before = before.display();
                    format!("mend that line; the state before the last save is kept as {before}")
                } else {
                    "mend that line with any text editor".to_owned()
                }
            }
            Self::Newer { .. } => "open it with a newer version of tableside".to_owned(),
            Self::Damaged(damage) => format!(
                "nothing was changed; look at it with --view, which shows the game up to event {}",
                damage.last_good
            ),
            Self::ReadOnly { .. } => {
                "look at it with --view, or give yourself the right to write there".to_owned()
            }
            Self::Symlink { .. } => "put the file itself in the link's place".to_owned(),
            Self::EditedOutside { .. } => {
                "keep the edit or replace it; nothing was overwritten".to_owned()
            }
            Self::ViewOnly { .. } => "open it without --view to play".to_owned(),
            Self::StateBehind { .. } => {
                "nothing is lost: every event is in the journal, and the next start reads it"
                    .to_owned()
            }
            Self::Unsaved { .. } => {
                "make room or see to the disk; what was saved before them opens as ever".to_owned()
            }
            Self::TooLong { .. } | Self::Unwritable { .. } => return None,
            Self::Io { path, source, .. } => match source.kind() {
                io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                    "make room on the disk".to_owned()
                }
                io::ErrorKind::NotFound if path.ends_with("session.toml") => {
                    format!(
                        "the state before the last save may be in {}.before",
                        path.display()
                    )
                }
                io::ErrorKind::PermissionDenied => {
                    "ask the owner of the file, or use another folder with --data".to_owned()
                }
                _ => return None,
            },
        })
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

/// "(process 17 on oak, since 2026-11-20 19:03 UTC)", as much of it as is known.
fn holder_words(pid: Option<u32>, host: Option<&str>, since: Option<DateTime<Utc>>) -> String {
    let mut words = Vec::new();
    match (pid, host) {
        (Some(pid), Some(host)) => words.push(format!("by process {pid} on {host}")),
        (Some(pid), None) => words.push(format!("by process {pid}")),
        (None, Some(host)) => words.push(format!("on {host}")),
        (None, None) => {}
    }
    if let Some(since) = since {
        words.push(format!("since {} UTC", since.format("%Y-%m-%d %H:%M")));
    }
    if words.is_empty() {
        String::new()
    } else {
        format!(" ({})", words.join(", "))
    }
}
