//! The state of a game as one TOML file, replaced whole or not at all.
//!
//! The replacing is done by hand rather than by a crate, in ten lines over the [`Disk`] seam: so that
//! tests can let each step fail, because the snapshot before is kept between the sync and the rename,
//! and because one fixed temporary name leaves nothing behind to pile up after crashes.

use std::io;
use std::path::{Path, PathBuf};

use super::disk::{self, Disk};
use super::error::StoreError;

/// The newest format of a snapshot that this version knows, and the one that it writes.
pub const FORMAT: u64 = 1;
/// The largest snapshot that is read; real ones are some ten kilobytes.
pub(super) const LARGEST: u64 = 16 << 20;

/// The name of the snapshot in a session folder.
pub(super) const FILE: &str = "session.toml";
/// The one before it.
pub(super) const BEFORE: &str = "session.toml.before";

/// The two newest checksums of a journal: they tell one history from another.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Checksums {
    /// The checksum of the last line.
    pub(super) end: u32,
    /// The checksum of the line before it. It shows that a journal whose last line is torn is the same history.
    pub(super) before: u32,
}

/// A snapshot as it was read.
#[derive(Debug, Clone)]
pub struct Snapshot {
    /// The whole file.
    pub text: String,
    /// The last event that it holds.
    pub last: u64,
    /// The checksums at the end of the journal that it was saved with; none in a file of an older version.
    pub(super) checksums: Option<Checksums>,
    /// Whether its seal holds; else somebody edited it since it was written, or it is damaged.
    pub is_sealed: bool,
    /// The file that it was read from.
    pub path: PathBuf,
}

impl Snapshot {
    /// Reads a snapshot and the head of it; the rest is read by those who know the state.
    pub(super) fn read(path: &Path) -> Result<Self, StoreError> {
        let bytes =
            disk::read_file(path, LARGEST).map_err(|error| StoreError::io("read", path, error))?;
        Self::parse(path, bytes)
    }

    /// The same of what stood there.
    pub(super) fn parse(path: &Path, bytes: Vec<u8>) -> Result<Self, StoreError> {
        let path = path.to_path_buf();
        let malformed = |line: usize, matter: &str| StoreError::Malformed {
            matter: format!("line {line}: {matter}"),
            path: path.clone(),
        };
        let text = String::from_utf8(bytes).map_err(|error| {
            let good = error.as_bytes().get(..error.utf8_error().valid_up_to());
            let lines = memchr::memchr_iter(b'\n', good.unwrap_or_default()).count();
            malformed(lines + 1, "a byte here is not UTF-8 text")
        })?;
        let value = |name: &str| -> Option<&str> {
            let mut head = text.lines().take_while(|line| !line.starts_with('['));
            head.find_map(|line| line.strip_prefix(name)?.strip_prefix(" = "))
        };
        let number = |name: &str| -> Option<u64> { value(name)?.parse().ok() };
        let checksum = |name: &str| -> Option<u32> {
            let digits = value(name)?.strip_prefix('"')?.strip_suffix('"')?;
            u32::from_str_radix(digits, 16).ok()
        };
        let checksums = checksum("checksum").map(|end| Checksums {
            end,
            before: checksum("checksum-before").unwrap_or_default(),
        });

        match (number("format"), number("last")) {
            (Some(found), _) if found > FORMAT => Err(StoreError::Newer {
                path,
                found,
                known: FORMAT,
            }),
            (Some(1..), Some(last)) => Ok(Self {
                is_sealed: holds(&text),
                checksums,
                text,
                last,
                path,
            }),
            _ => Err(malformed(
                1,
                "`format = 1` and `last = NUMBER` should stand here",
            )),
        }
    }
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
        let end = rest.find('\n');
        let state = end.and_then(|end| rest.split_at_checked(end + 1));
        state.is_some_and(|(line, state)| line == seal(head, state))
    })
}

/// Writes snapshots over one another and minds what others do to the file meanwhile.
#[derive(Debug)]
pub(super) struct SnapshotWriter {
    /// The checksum of what the file should hold.
    known: u32,
    /// What is there is somebody's edit; it may be replaced, and is kept under another name.
    pub(super) may_replace_edit: bool,
}

impl SnapshotWriter {
    pub(super) fn new(opened: &Snapshot) -> Self {
        Self {
            known: crc32c::crc32c(opened.text.as_bytes()),
            may_replace_edit: false,
        }
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
        let fresh = folder.join(".session.toml.new");
        let refused = |error| StoreError::io("write", &fresh, error);
        self.check(folder)?;
        disk::remove_leftover(&fresh).map_err(refused)?;
        let file = disk.create(&fresh).map_err(refused)?;
        disk::write_all(file.as_ref(), text.as_bytes()).map_err(refused)?;
        file.sync().map_err(refused)?;
        let refused = |error| StoreError::io("replace", &path, error);
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

/// Our header above the state. The seal stands third and covers the checksums too.
pub(super) fn sealed(state: &str, last: u64, checksums: Option<Checksums>) -> String {
    let head = format!("format = {FORMAT}\nlast = {last}\n");

    let mut body = String::new();
    if let Some(Checksums { end, before }) = checksums {
        let lines = format!("checksum = \"{end:08x}\"\nchecksum-before = \"{before:08x}\"\n");
        body += &lines;
    }
    if state.starts_with('[') {
        body.push('\n');
    }
    body += state;

    format!("{head}{}{body}", seal(&head, &body))
}
