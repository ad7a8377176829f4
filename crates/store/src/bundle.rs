//! A whole session as one file: its state and its journal, to be carried elsewhere or kept.
//!
//! The file is text, one JSON document a line: a header, then each file of the session as it is, with its
//! checksum. Who may join goes with it where that is asked for; the lock, the host's key and the like stay at home.

use std::fs;
use std::io::{self, BufRead, Read as _, Write};
use std::path::Path;

use chrono::{DateTime, SecondsFormat, Utc};
use serde::{Deserialize, Serialize};

use super::folder::{self, Name};
use super::game_location::GameLocation;
use super::journal::ChainEnd;
use super::snapshot::Snapshot;
use super::{Options, Reader, Sidecar, Store, StoreError, database_game, disk, journal, snapshot};

/// The newest format of a bundle that this version knows, and the one that it writes.
pub const BUNDLE_FORMAT: u64 = 1;

/// The file that says who may join.
pub const ACCESS_FILE: &str = "access.toml";

/// The longest line: a journal file as a JSON string, with everything in it escaped.
const LONGEST_LINE: u64 = 256 << 20;

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
    /// So many files follow, each on a line.
    files: usize,
}

/// A file of the session.
#[derive(Debug, Serialize, Deserialize)]
struct Part {
    file: String,
    crc32c: u32,
    text: String,
}

fn damaged(line: usize, what: &str) -> StoreError {
    StoreError::Unfit(format!("it is damaged: line {line}: {what}"))
}

fn unreadable(error: &io::Error) -> StoreError {
    StoreError::Unfit(format!("it cannot be read: {error}"))
}

/// Whether a file's beginning is that of a bundle.
pub fn is_bundle(beginning: &[u8]) -> bool {
    beginning.starts_with(b"{\"tableside\":\"session\",")
}

/// Writes the session at that place as a bundle; also while it is open elsewhere, up to its last whole
/// event. With its seats it also says who may join.
pub fn export(
    place: &GameLocation,
    (name, with_seats): (&str, bool),
    at: DateTime<Utc>,
    to: &mut dyn Write,
) -> Result<(), StoreError> {
    // The state first: what it holds was journaled before, so the journal read after it reaches as far.
    let state = match place {
        GameLocation::Database(row) => row.state()?,
        GameLocation::Folder(session) => {
            let path = session.join(snapshot::FILE);
            if fs::symlink_metadata(&path).is_err() {
                return Err(StoreError::Missing(session.clone()));
            }
            read_text(&path)?
        }
    };
    let snapshot = match place {
        GameLocation::Database(_) => snapshot::FILE.into(),
        GameLocation::Folder(session) => session.join(snapshot::FILE),
    };
    let last = check_history(place, &Snapshot::parse(&snapshot, state.clone().into())?)?;
    let journal = Reader::new(place);
    let sequences = journal.files()?;
    let mut beside = Sidecar::names(place)?;
    beside.retain(|name| is_rules(name) || with_seats && name == ACCESS_FILE);
    beside.sort_unstable();
    let header = Header {
        tableside: "session".to_owned(),
        format: BUNDLE_FORMAT,
        name: name.to_owned(),
        at: at.to_rfc3339_opts(SecondsFormat::Secs, true),
        files: 1 + sequences.len() + beside.len(),
    };
    write_line(to, &header)?;
    write_part(to, name_of(2), state)?;
    let mut chain = ChainEnd::default();
    for (line, sequence) in (3..).zip(sequences) {
        let mut block = journal.load_after(sequence, chain)?;
        // The end may be torn by a crash, or a line is being written; damage before it would be carried along.
        let damage = block.damage().into_iter();
        let damage = damage.min_by_key(|damage| damage.last_good);
        if let Some(damage) = damage.filter(|damage| damage.last_good < last) {
            return Err(StoreError::Damaged(damage));
        }
        block.forget_from_damage();
        chain = block.end().unwrap_or(chain);
        let text = text_of(&place.display_path(), block.into_bytes())?;
        write_part(to, name_of(line), text)?;
    }
    for file in beside {
        // One that went away meanwhile is empty.
        let text = Sidecar::new(place, &file).read()?.unwrap_or_default();
        write_part(to, file, text)?;
    }
    Ok(())
}

/// Fails if the end of the journal is damaged, or does not belong to the state; else returns its last event.
fn check_history(place: &GameLocation, state: &Snapshot) -> Result<u64, StoreError> {
    let options = Options {
        view: true,
        tail: 0,
        ..Options::new(DateTime::UNIX_EPOCH)
    };
    let found = match place {
        GameLocation::Folder(session) => journal::recover(session, state, &options)?,
        GameLocation::Database(row) => return database_game::check(row, state),
    };
    if let Some(mismatch) = found.mismatch {
        return Err(StoreError::Mismatched(Box::new(mismatch)));
    }
    if let Some(damage) = found.damage {
        return Err(StoreError::Damaged(damage));
    }
    if found.state_is_stale {
        return Err(StoreError::Torn(place.display_path()));
    }
    Ok(found.last)
}

/// Whether a file of that name is a copy of the rules that a session keeps: `system.toml`, or `system-` and the
/// SHA-256 of what is in it.
pub fn is_rules(name: &str) -> bool {
    let hash = name.strip_prefix("system-");
    let hash = hash.and_then(|name| name.strip_suffix(".toml"));
    let is_hash = |hash: &str| hash.len() == 64 && hash.bytes().all(|one| one.is_ascii_hexdigit());
    name == "system.toml" || hash.is_some_and(is_hash)
}

fn read_text(path: &Path) -> Result<String, StoreError> {
    let refused = |error| StoreError::io("read", path, error);
    let bytes = disk::read_file(path, journal::LONGEST_FILE).map_err(refused)?;
    text_of(path, bytes)
}

fn text_of(path: &Path, bytes: Vec<u8>) -> Result<String, StoreError> {
    let refused = |error| StoreError::io("read", path, error);
    String::from_utf8(bytes)
        .map_err(|error| refused(io::Error::new(io::ErrorKind::InvalidData, error)))
}

fn write_part(to: &mut dyn Write, file: String, text: String) -> Result<(), StoreError> {
    let crc32c = crc32c::crc32c(text.as_bytes());
    write_line(to, &Part { file, crc32c, text })
}

fn write_line(to: &mut dyn Write, what: &impl Serialize) -> Result<(), StoreError> {
    let unwritable = |why: String| StoreError::Unwritable {
        what: "the session as a file",
        why,
    };
    let mut line = serde_json::to_vec(what).map_err(|error| unwritable(error.to_string()))?;
    line.push(b'\n');
    let written = to.write_all(&line);
    written.map_err(|error| unwritable(disk::plain_words(&error)))
}

/// Makes a session of a bundle, at the place of that name or its own; refuses to overwrite. Nothing is left behind
/// where it fails. Returns its name, and whether the bundle says who may join, which is left out but with its seats.
pub(super) fn import(
    from: &mut dyn BufRead,
    place: &dyn Fn(&Name) -> GameLocation,
    (name, with_seats): (Option<&Name>, bool),
    reserved: &[&str],
) -> Result<(Name, bool), StoreError> {
    let first = read_line(from, 1)?.filter(|first| is_bundle(first));
    let header = first.and_then(|first| serde_json::from_slice::<Header>(&first).ok());
    let Some(header) = header else {
        return Err(StoreError::Unfit("it is no exported session".to_owned()));
    };
    if header.format > BUNDLE_FORMAT {
        return Err(StoreError::Unfit(format!(
            "it has format {}; this version knows formats up to {BUNDLE_FORMAT}",
            header.format
        )));
    }
    let name = match name {
        Some(name) => name.clone(),
        None => Name::new(&header.name, reserved)?,
    };
    let mut has_seats = false;
    let mut unpack_all = |put: &mut Put<'_>| {
        for line in 2..header.files.saturating_add(2) {
            let (name, text) = unpack(from, line)?;
            has_seats |= name == ACCESS_FILE;
            if with_seats || name != ACCESS_FILE {
                put(&name, &text)?;
            }
        }
        if !from
            .fill_buf()
            .map_err(|error| unreadable(&error))?
            .is_empty()
        {
            let what = "something stands after the end";
            return Err(damaged(header.files + 2, what));
        }
        Ok(())
    };
    match place(&name) {
        GameLocation::Database(row) => database_game::make(&row, |made| {
            unpack_all(&mut |name, text| made.put(name, text))
        })?,
        GameLocation::Folder(folder) => {
            folder::make(&folder, |made| {
                unpack_all(&mut |name, text| {
                    let path = made.join(name);
                    let written = disk::write_file(&path, text.as_bytes());
                    written.map_err(|error| StoreError::io("write", &path, error))
                })?;
                check(made)
            })?;
            let data = folder.parent().unwrap_or(&folder);
            fs::File::open(data)
                .and_then(|data| data.sync_all())
                .unwrap_or_default();
        }
    }
    Ok((name, has_seats))
}

/// Takes a file of a session, by its name and text.
type Put<'a> = dyn FnMut(&str, &str) -> Result<(), StoreError> + 'a;

/// The file that stands on that line: its name and text.
fn unpack(from: &mut dyn BufRead, line: usize) -> Result<(String, String), StoreError> {
    let Some(text) = read_line(from, line)? else {
        let before = line - 1;
        let what = format!("it ends too early, after line {before}");
        return Err(StoreError::Unfit(what));
    };
    let part: Part =
        serde_json::from_slice(&text).map_err(|error| damaged(line, &error.to_string()))?;
    let mut name = name_of(line);
    if line > 2 && (is_rules(&part.file) || part.file == ACCESS_FILE) {
        name.clone_from(&part.file);
    }
    if part.file != name {
        return Err(damaged(line, &format!("{name} should stand here")));
    }
    let holds = crc32c::crc32c(part.text.as_bytes()) == part.crc32c;
    let broken = || damaged(line, "the checksum does not hold");
    holds.then_some((name, part.text)).ok_or_else(broken)
}

/// What the file is called that stands on that line: first the state, then the journal.
fn name_of(line: usize) -> String {
    match line {
        2 => snapshot::FILE.to_owned(),
        _ => format!("journal/{:06}.jsonl", line - 2),
    }
}

/// Reads what was made as opening it would.
fn check(folder: &Path) -> Result<(), StoreError> {
    let options = Options {
        view: true,
        ..Options::new(DateTime::UNIX_EPOCH)
    };
    let opened = Store::open(folder, &options)?;
    let has_checksum = opened.snapshot.checksums.is_some();
    // The files are in a folder of another name, which is gone when this is told.
    let name_in_folder = |path: &Path| path.strip_prefix(folder).unwrap_or(path).to_path_buf();
    // Files of older versions can lack events that the game went on without. Opening the game asks about them.
    if let Some(mut mismatch) = opened.mismatch.filter(|_| has_checksum) {
        mismatch.state = name_in_folder(&mismatch.state);
        mismatch.journal = name_in_folder(&mismatch.journal);
        return Err(StoreError::Mismatched(Box::new(mismatch)));
    }

    let mut damages = opened.damage.into_iter().collect::<Vec<_>>();
    for block in Reader::new(folder).iter_all()? {
        damages.extend(block?.damage());
    }
    match damages.into_iter().next() {
        None => Ok(()),
        Some(mut damage) => {
            damage.file = name_in_folder(&damage.file);
            Err(StoreError::Damaged(damage))
        }
    }
}

/// The next line; none where the file ends, be it within a line.
fn read_line(from: &mut dyn BufRead, number: usize) -> Result<Option<Vec<u8>>, StoreError> {
    let mut line = Vec::new();
    let read = from.take(LONGEST_LINE).read_until(b'\n', &mut line);
    if read.map_err(|error| unreadable(&error))? as u64 == LONGEST_LINE {
        return Err(damaged(number, "it is too long"));
    }
    Ok(Some(line).filter(|line| line.ends_with(b"\n")))
}
