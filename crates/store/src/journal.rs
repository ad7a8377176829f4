//! The journal of a game: every event, as JSON lines in files `journal/000001.jsonl` and so on.
//!
//! Event numbers increase by one from line to line and from file to file, and the checksums are chained in the same
//! way. There is one exception: a file may skip numbers at its beginning. This happens if a damaged journal was cut and
//! the snapshot contains later events. The chained checksum proves that the writer skipped them on purpose.

use std::path::{Path, PathBuf};

use crate::error::Result;
use crate::folder::read_entries;

pub(crate) mod block;
pub(crate) mod line;
pub(crate) mod reader;

/// A new file begins after this many events.
pub const EVENTS_PER_FILE: u64 = 4096;

/// A new file also begins after this many bytes, so that a few very large events do not make a file unreadable.
pub(crate) const BYTES_PER_FILE: u64 = 16 << 20;

/// The longest file that is read. Files of this program are much shorter.
pub(crate) const LONGEST_FILE: u64 = 64 << 20;

/// Returns the folder of the journal in the folder of a game.
pub(crate) fn journal_folder(game: &Path) -> PathBuf {
    game.join("journal")
}

/// Returns the path of a file of the journal.
pub(crate) fn journal_file(journal: &Path, sequence: u64) -> PathBuf {
    journal.join(format!("{sequence:06}.jsonl"))
}

/// Returns the sequence number in the name of a file.
fn sequence_of(file_name: &str) -> Option<u64> {
    let digits = file_name.strip_suffix(".jsonl")?;
    digits.parse().ok()
}

/// Lists the sequence numbers of the files of a journal in ascending order. Returns an empty list if the folder is
/// missing.
pub(crate) fn list_files(journal: &Path) -> Result<Vec<u64>> {
    let mut sequences = Vec::new();
    for entry in read_entries(journal)? {
        let name = entry.file_name();
        let sequence = name.to_str().and_then(sequence_of);

        // Ignore names that this program would not write, such as `+1.jsonl` and `1.jsonl`.
        if let Some(sequence) = sequence
            && journal_file(journal, sequence) == entry.path()
        {
            sequences.push(sequence);
        }
    }

    sequences.sort_unstable();
    Ok(sequences)
}
