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
    /// What the file is or is not, in words that follow its name.
    #[error("{0}")]
    Unfit(String),
    /// Its name breaks a rule, or what it holds cannot be written.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl BundleError {
    fn other() -> Self {
        Self::Unfit("it is no exported session".to_owned())
    }
}

impl From<io::Error> for BundleError {
    fn from(error: io::Error) -> Self {
        Self::Unfit(format!("it cannot be read: {error}"))
    }
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
    let first = lines.next()?.filter(|first| is_bundle(first));
    let header = first.and_then(|first| serde_json::from_slice::<Header>(&first).ok());
    let header = header.ok_or_else(BundleError::other)?;
    if header.format > BUNDLE_FORMAT {
        return Err(BundleError::Unfit(format!(
            "it has format {}; this version knows formats up to {BUNDLE_FORMAT}",
            header.format
        )));
    }
    let name = match name {
        Some(name) => name.clone(),
        None => Name::new(&header.name, reserved)?,
    };
    folder::make(&name.in_folder(data), |made| {
        unpack(&mut lines, made)?;
        check(made)
    })?;
    fs::File::open(data)
        .and_then(|data| data.sync_all())
        .unwrap_or_default();
    Ok(name)
}

/// Writes the files of a bundle into a folder, and sees that they are whole.
fn unpack(lines: &mut Lines<'_>, folder: &Path) -> Result<(), BundleError> {
    let mut files = 0;
    let mut has_state = false;
    loop {
        let before = lines.crc;
        let Some(line) = lines.next()? else {
            let line = lines.line;
            let what = format!("it ends too early, after line {line}");
            return Err(BundleError::Unfit(what));
        };
        if let Ok(end) = serde_json::from_slice::<End>(&line) {
            if end.crc32c != before || end.files != files {
                return Err(lines.damaged("the checksum does not hold"));
            }
            if !has_state {
                return Err(lines.damaged("there is no session.toml"));
            }
            if !lines.from.fill_buf()?.is_empty() {
                lines.line += 1;
                return Err(lines.damaged("something stands after the end"));
            }
            return Ok(());
        }
        let part = serde_json::from_slice::<Part>(&line);
        let part = part.map_err(|error| lines.damaged(&error.to_string()))?;
        let Some(path) = path_in(folder, &part.file) else {
            return Err(lines.damaged("it names a file that no session has"));
        };
        files += 1;
        if files > MOST_FILES {
            return Err(lines.damaged("it holds too many files"));
        }
        has_state |= part.file == snapshot::FILE;
        let written = disk::create_file(&path).and_then(|mut file| {
            file.write_all(part.text.as_bytes())?;
            file.sync_all()
        });
        written.map_err(|error| StoreError::io("write", &path, error))?;
    }
}

/// Where a file of a session belongs; none for any other.
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
    /// The next line; none where the file ends, be it within a line.
    fn next(&mut self) -> Result<Option<Vec<u8>>, BundleError> {
        let mut line = Vec::new();
        let read = (&mut *self.from)
            .take(LONGEST_LINE)
            .read_until(b'\n', &mut line)?;
        self.line += u64::from(read > 0);
        if read as u64 == LONGEST_LINE {
            return Err(self.damaged("it is too long"));
        }
        self.crc = crc32c::crc32c_append(self.crc, &line);
        Ok(Some(line).filter(|line| line.ends_with(b"\n")))
    }

    fn damaged(&self, what: &str) -> BundleError {
        let line = self.line;
        BundleError::Unfit(format!("it is damaged: line {line}: {what}"))
    }
}
