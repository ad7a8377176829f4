//! Snapshots: the state of a game as one TOML file.
//!
//! The first lines belong to this crate: the format, the number of the last event, a seal, and two checksums of the
//! journal. The state of the game follows. The seal is a checksum of everything else, so an edit by hand is detected.

use std::path::{Path, PathBuf};

use crate::error::{IoContext as _, Result, StoreError};
use crate::file::{self, Links};

/// The newest format of a snapshot that this version supports, and the one that it writes.
///
/// Format 1 differs only in the names of the files.
pub const FORMAT: u64 = 2;

/// The maximum size of a snapshot that is read, in bytes. A typical snapshot has ten kilobytes.
pub(crate) const LARGEST_SNAPSHOT: u64 = 16 << 20;

/// The name of the snapshot in the folder of a game.
pub const SNAPSHOT_FILE: &str = "game.toml";

/// The name of the previous snapshot.
pub(crate) const PREVIOUS_SNAPSHOT_FILE: &str = "game.toml.before";

/// The names of the newest and the previous snapshot in the first edition.
pub(crate) const FORMER_SNAPSHOT_FILE: &str = "session.toml";
pub(crate) const FORMER_PREVIOUS_SNAPSHOT_FILE: &str = "session.toml.before";

/// The two newest checksums of a journal. They identify the history that a snapshot belongs to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Checksums {
    /// The checksum of the last line.
    pub end: u32,
    /// The checksum of the line before the last one. It identifies a journal whose last line is incomplete.
    pub before: u32,
}

/// A snapshot in memory.
#[derive(Debug, Clone)]
pub struct Snapshot {
    /// The complete file.
    pub text: String,
    /// The number of the last event that the state contains.
    pub last: u64,
    /// The checksums of the journal at that event. `None` in files of older versions.
    pub checksums: Option<Checksums>,
    /// False if the file was edited by hand or is damaged.
    pub is_sealed: bool,
    /// The file that the snapshot was read from.
    pub path: PathBuf,
}

impl Snapshot {
    /// Reads a snapshot and its header. The state is not parsed.
    pub(crate) fn read(path: &Path) -> Result<Self> {
        let bytes = file::read(path, LARGEST_SNAPSHOT, Links::Refuse).io_context("read", path)?;
        Self::parse(path, bytes)
    }

    /// Parses the header of a snapshot. `path` is for messages.
    pub fn parse(path: &Path, bytes: Vec<u8>) -> Result<Self> {
        let malformed = |line: usize, description: &str| StoreError::Malformed {
            path: path.to_path_buf(),
            matter: format!("line {line}: {description}"),
        };

        let text = match String::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) => {
                let valid_length = error.utf8_error().valid_up_to();
                let valid = error.as_bytes().get(..valid_length).unwrap_or_default();
                let line = memchr::memchr_iter(b'\n', valid).count() + 1;
                return Err(malformed(line, "the line is not valid UTF-8"));
            }
        };

        let format = header_number(&text, "format");
        let last = header_number(&text, "last");
        match (format, last) {
            (Some(found), _) if found > FORMAT => Err(StoreError::Newer {
                path: path.to_path_buf(),
                found,
                known: FORMAT,
            }),
            (Some(1..), Some(last)) => Ok(Self {
                last,
                checksums: header_checksums(&text),
                is_sealed: has_valid_seal(&text),
                text,
                path: path.to_path_buf(),
            }),
            _ => Err(malformed(
                1,
                "the file must begin with `format = NUMBER` and `last = NUMBER`",
            )),
        }
    }
}

/// Returns the value of a key before the first table of the file.
fn header_value<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    let mut header = text.lines().take_while(|line| !line.starts_with('['));
    header.find_map(|line| {
        let after_key = line.strip_prefix(key)?;
        after_key.strip_prefix(" = ")
    })
}

fn header_number(text: &str, key: &str) -> Option<u64> {
    let value = header_value(text, key)?;
    value.parse().ok()
}

fn header_checksum(text: &str, key: &str) -> Option<u32> {
    let value = header_value(text, key)?;
    let after_quote = value.strip_prefix('"')?;
    let digits = after_quote.strip_suffix('"')?;
    u32::from_str_radix(digits, 16).ok()
}

fn header_checksums(text: &str) -> Option<Checksums> {
    let end = header_checksum(text, "checksum")?;
    let before = header_checksum(text, "checksum-before").unwrap_or_default();
    Some(Checksums { end, before })
}

/// Returns the line with the seal, which is the checksum of the lines above it and of everything below it.
fn seal_line(head: &str, body: &str) -> String {
    let head_crc = crc32c::crc32c(head.as_bytes());
    let crc = crc32c::crc32c_append(head_crc, body.as_bytes());
    format!("seal = \"{crc:08x}\"\n")
}

/// Returns true if the third line is the seal of all other lines.
fn has_valid_seal(text: &str) -> bool {
    let Some((head, sealed)) = split_after_lines(text, 2) else {
        return false;
    };
    let Some((seal, body)) = split_after_lines(sealed, 1) else {
        return false;
    };
    seal == seal_line(head, body)
}

/// Splits a text after its first `lines` lines. Returns `None` if it has fewer.
fn split_after_lines(text: &str, lines: usize) -> Option<(&str, &str)> {
    let mut newlines = memchr::memchr_iter(b'\n', text.as_bytes());
    let last_newline = newlines.nth(lines - 1)?;
    text.split_at_checked(last_newline + 1)
}

/// Returns the file for a state: the sealed header, followed by the state.
pub fn seal_snapshot(state: &str, last: u64, checksums: Option<Checksums>) -> String {
    let head = format!("format = {FORMAT}\nlast = {last}\n");

    let mut body = String::new();
    if let Some(Checksums { end, before }) = checksums {
        let lines = format!("checksum = \"{end:08x}\"\nchecksum-before = \"{before:08x}\"\n");
        body.push_str(&lines);
    }
    if state.starts_with('[') {
        body.push('\n');
    }
    body.push_str(state);

    let seal = seal_line(&head, &body);
    format!("{head}{seal}{body}")
}
