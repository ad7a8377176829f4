//! Every event of a game, in files of append-only JSON lines: `journal/000001.jsonl` and so on.
//!
//! Numbers rise by one from line to line and from file to file, and checksums are chained the same way.
//! There is one lawful exception: a file may leave numbers out at its beginning, where a journal was cut
//! and the snapshot knew more than what was left; the checksum, which continues, vouches that the writer
//! knew of it.

use std::path::{Path, PathBuf};

use super::error::StoreError;
use super::folder::entries;

pub(super) mod line;
mod reader;
#[path = "folder/recover.rs"]
mod recover;

pub use line::{By, Record, number as number_of};
pub(super) use reader::ChainEnd;
pub use reader::{Block, Reader};
pub(super) use recover::{Found, recover};

/// A new file is begun after this many events.
pub const EVENTS_PER_FILE: u64 = 4096;
/// A new file is begun after this many bytes, too: a few giant events must not make a file unreadable.
pub(super) const BYTES_PER_FILE: u64 = 16 << 20;
/// The longest file that is read; no file that this program wrote comes near it.
pub(super) const LONGEST_FILE: u64 = 64 << 20;

/// The folder of the journal in a session folder.
pub(super) fn folder_in(session: &Path) -> PathBuf {
    session.join("journal")
}

/// The file with this sequence number.
pub(super) fn file_in(journal: &Path, sequence: u64) -> PathBuf {
    journal.join(format!("{sequence:06}.jsonl"))
}

/// The sequence numbers of the files that are there, ascending; none if the folder is missing.
pub(super) fn sequences(journal: &Path) -> Result<Vec<u64>, StoreError> {
    let mut found = Vec::new();
    for entry in entries(journal)? {
        let name = entry.file_name();
        let digits = name.to_str().and_then(|name| name.strip_suffix(".jsonl"));
        let sequence = digits.and_then(|digits| digits.parse::<u64>().ok());
        // Only names that this program would write: `+1.jsonl` and `1.jsonl` are somebody else's.
        found.extend(sequence.filter(|one| file_in(journal, *one) == entry.path()));
    }
    found.sort_unstable();
    Ok(found)
}
