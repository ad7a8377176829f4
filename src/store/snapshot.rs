//! The state of a game as one TOML file, replaced whole or not at all.
//!
//! The replacing is done by hand rather than by a crate, in ten lines over the [`Disk`] seam: so that
//! tests can let each step fail, because the snapshot before is kept between the sync and the rename,
//! and because one fixed temporary name leaves nothing behind to pile up after crashes.

use std::io;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::DeserializeOwned;
use toml::{Table, Value};

use super::disk::{self, Disk};
use super::error::StoreError;

/// The newest format of a snapshot that this version knows, and the one that it writes.
pub const FORMAT: u64 = 1;
/// The largest snapshot that is read; real ones are some ten kilobytes.
const LARGEST: u64 = 16 << 20;

/// The name of the snapshot in a session folder.
pub(super) const FILE: &str = "session.toml";
/// The one before it.
pub(super) const BEFORE: &str = "session.toml.before";

/// A snapshot as it was read.
#[derive(Debug, Clone)]
pub struct Snapshot {
    /// The whole file.
    pub text: String,
    /// The last event that it holds.
    pub last: u64,
    /// Whether its seal holds; else somebody edited it since it was written, or it is damaged.
    pub is_sealed: bool,
    path: PathBuf,
}

#[derive(Deserialize)]
struct Header {
    format: u64,
    last: u64,
}

impl Snapshot {
    /// Reads a snapshot and the head of it; the rest is [`parse`](Self::parse)d by who knows it.
    pub(super) fn read(path: &Path) -> Result<Self, StoreError> {
        let bytes =
            disk::read_file(path, LARGEST).map_err(|error| StoreError::io("read", path, error))?;
        let text = String::from_utf8(bytes).map_err(|error| {
            let good = error.utf8_error().valid_up_to();
            let (line, column) = place(error.as_bytes(), good);
            StoreError::Malformed {
                path: path.to_path_buf(),
                line,
                column,
                matter: "not TOML: a byte here is not UTF-8 text".to_owned(),
            }
        })?;
        let mut snapshot = Self {
            is_sealed: holds(&text),
            text,
            last: 0,
            path: path.to_path_buf(),
        };
        let header = match quick_header(&snapshot.text) {
            Some(header) => header,
            None => snapshot.parse::<Header>()?,
        };
        if header.format > FORMAT {
            return Err(StoreError::Newer {
                path: snapshot.path,
                found: header.format,
                known: FORMAT,
            });
        }
        if header.format == 0 {
            return Err(StoreError::Malformed {
                path: snapshot.path,
                line: 1,
                column: 1,
                matter: "there is no format 0; `format = 1` is right".to_owned(),
            });
        }
        snapshot.last = header.last;
        Ok(snapshot)
    }

    /// Reads the state itself; an error names the file, the line, the column and the matter.
    pub fn parse<T: DeserializeOwned>(&self) -> Result<T, StoreError> {
        toml::from_str(&self.text).map_err(|error| {
            let start = error.span().map_or(0, |span| span.start);
            let (line, column) = place(self.text.as_bytes(), start);
            let what = match self.text.parse::<Table>() {
                Ok(_) => "",
                Err(_) => "not TOML: ",
            };
            StoreError::Malformed {
                path: self.path.clone(),
                line,
                column,
                matter: what.to_owned() + &error.message().trim().replace('\n', ", "),
            }
        })
    }

    /// The file that it was read from.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// The header where this program puts it, found without parsing the file: what is wrong below it is named by
/// those who know the state.
fn quick_header(text: &str) -> Option<Header> {
    let mut lines = text.lines();
    let format = lines.next()?.strip_prefix("format = ")?.parse().ok()?;
    let last = lines.next()?.strip_prefix("last = ")?.parse().ok()?;
    Some(Header { format, last })
}

/// The seal: the checksum of the head above it and of everything below it.
fn seal(head: &str, state: &str) -> String {
    let crc = crc32c::crc32c_append(crc32c::crc32c(head.as_bytes()), state.as_bytes());
    format!("seal = \"{crc:08x}\"\n")
}

/// Whether the file's third line is the seal of all others.
fn holds(text: &str) -> bool {
    let mut ends = memchr::memchr_iter(b'\n', text.as_bytes()).map(|newline| newline + 1);
    let head = ends.nth(1).and_then(|end| text.split_at_checked(end));
    head.is_some_and(|(head, rest)| {
        let state = rest
            .find('\n')
            .and_then(|end| rest.split_at_checked(end + 1));
        state.is_some_and(|(line, state)| line == seal(head, state))
    })
}

/// Line and column of a byte, both from 1; the column counts characters.
fn place(bytes: &[u8], at: usize) -> (usize, usize) {
    let before = bytes.get(..at.min(bytes.len())).unwrap_or_default();
    let line_start = memchr::memrchr(b'\n', before).map_or(0, |newline| newline + 1);
    let line = memchr::memchr_iter(b'\n', before).count() + 1;
    let in_line = String::from_utf8_lossy(before.get(line_start..).unwrap_or_default());
    (line, in_line.chars().count() + 1)
}

/// Writes snapshots over one another and minds what others do to the file meanwhile.
#[derive(Debug)]
pub(super) struct SnapshotWriter {
    /// The checksum of what the file should hold.
    known: u32,
    /// The file as it was opened, until its unknown keys were looked for.
    opened: Option<String>,
    /// The same with all its keys, and with those alone that this version knows.
    keys: Option<(Table, Table)>,
    /// What is there is somebody's edit; it may be replaced, and is kept under another name.
    may_replace_edit: bool,
}

impl SnapshotWriter {
    pub(super) fn new(opened: &Snapshot) -> Self {
        Self {
            known: crc32c::crc32c(opened.text.as_bytes()),
            opened: Some(opened.text.clone()),
            keys: None,
            may_replace_edit: false,
        }
    }

    pub(super) fn allow_replacing_edit(&mut self) {
        self.may_replace_edit = true;
    }

    /// The file as it was opened, if its unknown keys were not looked for yet.
    pub(super) fn unread(&mut self) -> Option<String> {
        self.opened.take()
    }

    /// Learns the unknown keys: what `opened` has and its rewriting `understood` has not. So a key that this
    /// version knows and has since dropped does not come back from the dead.
    pub(super) fn learn(&mut self, opened: &str, understood: &str) {
        if let (Ok(mut opened), Ok(understood)) = (opened.parse::<Table>(), understood.parse()) {
            // The header is ours, though no reader of the state knows it.
            opened.retain(|key, _| !matches!(key, "format" | "last" | "seal"));
            self.keys = Some((opened, understood));
        }
    }

    /// Makes the text of the file: our header, the state, and the keys that only others know.
    pub(super) fn compose(&self, text: &str, last: u64) -> Result<String, StoreError> {
        compose(text, last, self.keys.as_ref())
    }

    /// Fails if the file does not hold what was last written, unless it may be replaced.
    fn check(&self, folder: &Path) -> Result<(), StoreError> {
        let path = folder.join(FILE);
        // The bytes are compared, not their date: an edit within one tick of the clock counts too, and
        // ten kilobytes every half minute cost nothing.
        match disk::read_file(&path, LARGEST) {
            Ok(bytes) if self.may_replace_edit || self.known == crc32c::crc32c(&bytes) => Ok(()),
            Ok(_) => Err(StoreError::EditedOutside(path)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(StoreError::io("read", &path, error)),
        }
    }

    /// Replaces the file. The one before is kept, and so is an edit, if replacing it is allowed.
    pub(super) fn write(
        &mut self,
        disk: &dyn Disk,
        folder: &Path,
        text: &str,
    ) -> Result<(), StoreError> {
        let path = folder.join(FILE);
        let refused = |error| StoreError::writing("write", folder, &path, error);
        self.check(folder)?;
        let fresh = folder.join(".session.toml.new");
        disk::remove_leftover(&fresh).map_err(refused)?;
        let file = disk.create(&fresh).map_err(refused)?;
        disk::write_all(file.as_ref(), text.as_bytes()).map_err(refused)?;
        file.sync().map_err(refused)?;
        // Looked at again, as late as can be: an edit is found even if it was made a moment ago.
        self.check(folder)?;
        if path.exists() {
            // What somebody edited, also before it was opened, is no state that this program knew: it must
            // not take the place of the one before, and must outlast the next save.
            if self.may_replace_edit {
                disk.keep(&path, &disk::free_name(&path, "edited"))
                    .map_err(refused)?;
            } else {
                let before = folder.join(".session.toml.before.new");
                disk::remove_leftover(&before).map_err(refused)?;
                disk.keep(&path, &before).map_err(refused)?;
                disk.rename(&before, &folder.join(BEFORE))
                    .map_err(refused)?;
            }
        }
        disk.rename(&fresh, &path).map_err(refused)?;
        // From here on the new file is the one that is there, whether or not it survives a power cut.
        self.known = crc32c::crc32c(text.as_bytes());
        self.may_replace_edit = false;
        disk.sync(folder).map_err(refused)
    }
}

/// The text of a file with that state and the keys beyond it.
pub(super) fn compose(
    text: &str,
    last: u64,
    keys: Option<&(Table, Table)>,
) -> Result<String, StoreError> {
    let unwritable = |why: String| {
        let what = "the state of the game";
        StoreError::Unwritable { what, why }
    };
    // Parsed in any case: what is no TOML must never replace a good file.
    let state: Table = toml::from_str(text).map_err(|error| unwritable(error.to_string()))?;
    let mut whole = state.clone();
    if let Some((opened, understood)) = keys {
        put_back(opened, understood, &mut whole);
    }
    if whole == state {
        return Ok(sealed(text, last));
    }
    let text = toml::to_string(&whole).map_err(|error| unwritable(error.to_string()))?;
    Ok(sealed(&text, last))
}

/// Our header above the state.
fn sealed(state: &str, last: u64) -> String {
    let gap = if state.starts_with('[') { "\n" } else { "" };
    let head = format!("format = {FORMAT}\nlast = {last}\n");
    let state = gap.to_owned() + state;
    format!("{head}{}{state}", seal(&head, &state))
}

/// Puts the keys that `opened` has and `understood` has not back into a table, where the tables that they
/// stood in still are; those of an array are told apart by their `id`.
fn put_back(opened: &Table, understood: &Table, table: &mut Table) {
    for (name, value) in opened {
        match (value, understood.get(name), table.get_mut(name)) {
            (value, None, None) => {
                table.insert(name.clone(), value.clone());
            }
            (Value::Table(opened), Some(Value::Table(understood)), Some(Value::Table(table))) => {
                put_back(opened, understood, table);
            }
            (Value::Array(opened), Some(Value::Array(understood)), Some(Value::Array(array))) => {
                for table in array.iter_mut().filter_map(Value::as_table_mut) {
                    let id = table.get("id").cloned();
                    if let (Some(opened), Some(understood)) = (
                        with_id(opened, id.as_ref()),
                        with_id(understood, id.as_ref()),
                    ) {
                        put_back(opened, understood, table);
                    }
                }
            }
            _ => {}
        }
    }
}

/// The table of an array that has that `id`.
fn with_id<'a>(array: &'a [Value], id: Option<&Value>) -> Option<&'a Table> {
    let mut tables = array.iter().filter_map(Value::as_table);
    tables.find(|table| id.is_some() && table.get("id") == id)
}
