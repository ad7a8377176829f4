//! A game as one file, for backups and for moving games between machines.
//!
//! The file is text with one JSON document per line: a header, then each file of the game with its checksum. The first
//! two files are the snapshot and the first file of the journal. The rules and, if requested, the seats follow the
//! journal. The lock, the host key and similar files are never exported.

mod export;
mod import;

use serde::{Deserialize, Serialize};

use crate::snapshot::{FORMER_SNAPSHOT_FILE, SNAPSHOT_FILE};

pub use export::{ExportOptions, export};
pub(crate) use import::import;
pub use import::{ImportOptions, Imported};

/// The newest format of an exported game that this version supports, and the one that it writes.
///
/// Format 1 differs only in the name of the snapshot.
pub const BUNDLE_FORMAT: u64 = 2;

/// The file that lists the seats of a game.
pub const ACCESS_FILE: &str = "access.toml";

/// The line of the snapshot. The header is line 1, and the journal begins on the line after the snapshot.
const SNAPSHOT_LINE: usize = 2;

/// The kind of the file in its header. Every version first checks this word and then the format, so the word has not
/// changed since the first edition, in which a game was called a session.
const KIND: &str = "session";

/// The first line of an exported game.
#[derive(Debug, Serialize, Deserialize)]
struct Header {
    /// The kind of the file: always [`KIND`].
    tableside: String,
    format: u64,
    /// The name of the game.
    #[serde(default)]
    name: String,
    /// The time of the export.
    #[serde(default)]
    at: String,
    /// The number of files, each on one line.
    files: usize,
}

/// A file of the game, which is one line of the exported game.
#[derive(Debug, Serialize, Deserialize)]
struct Part {
    file: String,
    crc32c: u32,
    text: String,
}

/// Returns true if a file that begins with these bytes is an exported game.
pub fn is_bundle(beginning: &[u8]) -> bool {
    beginning.starts_with(b"{\"tableside\":\"session\",")
}

/// Returns true if this is the name of a copy of rules: `system.toml`, or `system-HASH.toml`, in which `HASH` is the
/// SHA-256 of the contents.
pub fn is_rules(name: &str) -> bool {
    if name == "system.toml" {
        return true;
    }

    let hash = name
        .strip_prefix("system-")
        .and_then(|rest| rest.strip_suffix(".toml"));
    match hash {
        Some(hash) => {
            let mut digits = hash.bytes();
            hash.len() == 64 && digits.all(|digit| digit.is_ascii_hexdigit())
        }
        None => false,
    }
}

/// Returns the name of the snapshot or the journal file that belongs on a line.
fn file_on_line(line: usize, format: u64) -> String {
    if line == SNAPSHOT_LINE {
        return snapshot_name(format).to_owned();
    }

    let sequence = line - SNAPSHOT_LINE;
    format!("journal/{sequence:06}.jsonl")
}

fn snapshot_name(format: u64) -> &'static str {
    if format == 1 {
        FORMER_SNAPSHOT_FILE
    } else {
        SNAPSHOT_FILE
    }
}
