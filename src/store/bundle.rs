//! A whole session as one file: its state and its journal, to be carried elsewhere or kept.
//!
//! The file is text, one JSON document a line: a header, then each file of the session as it is, then an
//! end with the checksum of all that stands before it. What a session has beside its game (the lock, who
//! may join, the host's key) stays at home.

use std::fs;
use std::io::{self, BufRead, Read as _, Write};
use std::path::{Path, PathBuf};

use chrono::{DateTime, SecondsFormat, Utc};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::error::StoreError;
use super::folder::{self, Name};
use super::{disk, journal, snapshot};

/// The newest format of a bundle that this version knows, and the one that it writes.
pub const BUNDLE_FORMAT: u64 = 1;

/// The longest line: a journal file as a JSON string, with everything in it escaped.
const LONGEST_LINE: u64 = 256 << 20;

/// The most files of a bundle: some four hundred million events.
const MOST_FILES: u64 = 100_000;

/// How the name of a folder begins in which a session is being made of its file.
const PREFIX: &str = ".import-";

/// The first line.
#[derive(Debug, Serialize, Deserialize)]
struct Header {
    /// What the file is: always `session`.
    tableside: String,
    format: u64,
    /// What the session was called.
    #[serde(default)]
    name: String,
    /// When it was exported.
    #[serde(default)]
    at: String,
}

/// A file of the session.
#[derive(Debug, Serialize, Deserialize)]
struct Part {
    file: String,
    text: String,
}

/// The last line.
#[derive(Debug, Serialize, Deserialize)]
struct End {
    files: u64,
    crc32c: u32,
}

/// Why a bundle could not be read.
#[derive(Debug, Error)]
pub enum BundleError {
    /// It is something else.
    #[error("it is no exported session")]
    Other,
    /// A newer version of the program wrote it.
    #[error("it has format {found}; this version knows formats up to {BUNDLE_FORMAT}")]
    Newer {
        /// The format it names.
        found: u64,
    },
    /// It is not as it was written.
    #[error("it is damaged: line {line}: {what}")]
    Damaged {
        /// The line, from 1.
        line: u64,
        /// What is wrong.
        what: String,
    },
    /// Something is missing at its end.
    #[error("it ends too early, after line {line}")]
    Short {
        /// The last line, from 1.
        line: u64,
    },
    /// Its name breaks a rule, or what it holds cannot be written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// It cannot be read.
    #[error("it cannot be read: {0}")]
    Read(#[from] io::Error),
}

/// Whether a file's beginning is that of a bundle.
pub fn is_bundle(beginning: &[u8]) -> bool {
    beginning.starts_with(b"{\"tableside\":\"session\",")
}

/// Writes the session in that folder as a bundle; also while it is open elsewhere, up to its last whole
/// event.
pub fn export(
    session: &Path,
    name: &str,
    at: DateTime<Utc>,
    to: &mut dyn Write,
) -> Result<(), StoreError> {
    let path = session.join(snapshot::FILE);
    if fs::symlink_metadata(&path).is_err() {
        return Err(StoreError::Missing {
            path: session.to_path_buf(),
        });
    }
    let mut out = Summed { to, crc: 0 };
    let header = Header {
        tableside: "session".to_owned(),
        format: BUNDLE_FORMAT,
        name: name.to_owned(),
        at: at.to_rfc3339_opts(SecondsFormat::Secs, true),
    };
    out.line(&header)?;
    // The state first: what it holds was journaled before, so the journal read after it reaches as far.
    out.part(snapshot::FILE, read_text(&path)?)?;
    let folder = journal::folder_in(session);
    let mut files = 1;
    for sequence in journal::sequences(&folder)? {
        let path = journal::file_in(&folder, sequence);
        let mut text = read_text(&path)?;
        // A line that is being written is not whole yet.
        text.truncate(text.rfind('\n').map_or(0, |end| end + 1));
        out.part(&format!("journal/{sequence:06}.jsonl"), text)?;
        files += 1;
    }
    let end = End {
        files,
        crc32c: out.crc,
    };
    out.line(&end)
}

fn read_text(path: &Path) -> Result<String, StoreError> {
    let refused = |error| StoreError::io("read", path, error);
    let bytes = disk::read_file(path, journal::LONGEST_FILE).map_err(refused)?;
    String::from_utf8(bytes)
        .map_err(|error| refused(io::Error::new(io::ErrorKind::InvalidData, error)))
}

/// What is written, and its checksum.
struct Summed<'a> {
    to: &'a mut dyn Write,
    crc: u32,
}

impl Summed<'_> {
    fn part(&mut self, file: &str, text: String) -> Result<(), StoreError> {
        let file = file.to_owned();
        self.line(&Part { file, text })
    }

    fn line(&mut self, what: &impl Serialize) -> Result<(), StoreError> {
        let unwritable = |why: String| StoreError::Unwritable {
            what: "the session as a file",
            why,
        };
        let mut line = serde_json::to_vec(what).map_err(|error| unwritable(error.to_string()))?;
        line.push(b'\n');
        self.crc = crc32c::crc32c_append(self.crc, &line);
        let written = self.to.write_all(&line);
        written.map_err(|error| unwritable(disk::plain_words(&error)))
    }
}

/// Makes a session of a bundle below the data folder, under that name or its own; refuses to overwrite.
/// Nothing is left behind where it fails.
pub fn import(
    from: &mut dyn BufRead,
    data: &Path,
    name: Option<&Name>,
    reserved: &[&str],
) -> Result<Name, BundleError> {
    let mut lines = Lines {
        from,
        crc: 0,
        line: 0,
    };
    let header = lines.next()?;
    if !is_bundle(&header) {
        return Err(BundleError::Other);
    }
    let header: Header = serde_json::from_slice(&header).map_err(|_other| BundleError::Other)?;
    if header.format > BUNDLE_FORMAT {
        return Err(BundleError::Newer {
            found: header.format,
        });
    }
    let name = match name {
        Some(name) => name.clone(),
        None => Name::new(&header.name, reserved)?,
    };
    let folder = name.in_folder(data);
    if fs::symlink_metadata(&folder).is_ok() {
        return Err(StoreError::Exists { path: folder }.into());
    }
    folder::make_data(data)?;
    remove_leftovers(data);
    let refused = |error| StoreError::writing("make", data, &folder, error);
    let made = tempfile::Builder::new()
        .prefix(PREFIX)
        .tempdir_in(data)
        .map_err(refused)?;
    let held = fs::File::open(made.path()).map_err(refused)?;
    held.lock().map_err(refused)?;
    folder::keep_private(made.path()).map_err(refused)?;
    folder::make_private(&journal::folder_in(made.path())).map_err(refused)?;
    unpack(&mut lines, made.path())?;
    check(made.path())?;
    folder::rename(made.path(), &folder)?;
    let _left = made.keep();
    fs::File::open(data)
        .and_then(|data| data.sync_all())
        .unwrap_or_default();
    Ok(name)
}

/// Removes what imports left behind that were ended; a folder that one is writing is locked.
fn remove_leftovers(data: &Path) {
    for entry in fs::read_dir(data).into_iter().flatten().flatten() {
        let is_left = entry.file_name().to_string_lossy().starts_with(PREFIX)
            && entry.file_type().is_ok_and(|kind| kind.is_dir())
            && fs::File::open(entry.path()).is_ok_and(|folder| folder.try_lock().is_ok());
        if is_left {
            // What cannot be removed is in nobody's way.
            fs::remove_dir_all(entry.path()).unwrap_or_default();
        }
    }
}

/// Writes the files of a bundle into a folder, once it has seen that they are whole.
fn unpack(lines: &mut Lines<'_>, folder: &Path) -> Result<(), BundleError> {
    let mut files = 0;
    let mut has_state = false;
    loop {
        let before = lines.crc;
        let line = lines.next()?;
        let damaged = |what: &str| BundleError::Damaged {
            line: lines.line,
            what: what.to_owned(),
        };
        if let Ok(end) = serde_json::from_slice::<End>(&line) {
            if end.crc32c != before || end.files != files {
                return Err(damaged("the checksum does not hold"));
            }
            if !has_state {
                return Err(damaged("there is no session.toml"));
            }
            return match lines.next() {
                Err(BundleError::Short { .. }) => Ok(()),
                Ok(_) => Err(BundleError::Damaged {
                    line: lines.line,
                    what: "something stands after the end".to_owned(),
                }),
                Err(error) => Err(error),
            };
        }
        let part: Part =
            serde_json::from_slice(&line).map_err(|error| damaged(&error.to_string()))?;
        let Some(path) = path_in(folder, &part.file) else {
            return Err(damaged("it names a file that no session has"));
        };
        files += 1;
        if files > MOST_FILES {
            return Err(damaged("it holds too many files"));
        }
        has_state |= part.file == snapshot::FILE;
        let refused = |error| StoreError::io("write", &path, error);
        let mut file = disk::create_file(&path).map_err(refused)?;
        file.write_all(part.text.as_bytes()).map_err(refused)?;
        file.sync_all().map_err(refused)?;
    }
}

/// Where a file of a session belongs; nothing for any other.
fn path_in(folder: &Path, file: &str) -> Option<PathBuf> {
    if file == snapshot::FILE {
        return Some(folder.join(file));
    }
    let digits = file.strip_prefix("journal/")?.strip_suffix(".jsonl")?;
    let sequence: u64 = digits.parse().ok()?;
    let path = journal::file_in(&journal::folder_in(folder), sequence);
    (folder.join(file) == path).then_some(path)
}

/// Reads what was made as opening it would.
fn check(folder: &Path) -> Result<(), BundleError> {
    let snapshot = snapshot::Snapshot::read(&folder.join(snapshot::FILE))?;
    let wanted = journal::Wanted {
        after: snapshot.last,
        tail: 1,
        view: true,
        cut_damage: false,
    };
    let found = journal::recover(folder, wanted)?;
    match found.damage {
        Some(damage) => Err(StoreError::Damaged(damage).into()),
        None => Ok(()),
    }
}

/// The lines of a bundle, and the checksum of those read.
struct Lines<'a> {
    from: &'a mut dyn BufRead,
    crc: u32,
    line: u64,
}

impl Lines<'_> {
    fn next(&mut self) -> Result<Vec<u8>, BundleError> {
        let mut line = Vec::new();
        let mut bounded = (&mut *self.from).take(LONGEST_LINE);
        let read = bounded.read_until(b'\n', &mut line)?;
        if read == 0 {
            return Err(BundleError::Short { line: self.line });
        }
        self.line += 1;
        if !line.ends_with(b"\n") {
            return Err(if read as u64 == LONGEST_LINE {
                BundleError::Damaged {
                    line: self.line,
                    what: "it is too long".to_owned(),
                }
            } else if self.line == 1 {
                BundleError::Other
            } else {
                BundleError::Short { line: self.line }
            });
        }
        self.crc = crc32c::crc32c_append(self.crc, &line);
        Ok(line)
    }
}
