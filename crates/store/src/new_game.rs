//! The files of a new game.

use serde::Serialize;

use crate::error::Result;
use crate::game_location::PutFile;
use crate::game_store::NewEvent;
use crate::journal::line::{self, ChainEnd};
use crate::journal::{BYTES_PER_FILE, EVENTS_PER_FILE};
use crate::snapshot::{Checksums, PREVIOUS_SNAPSHOT_FILE, SNAPSHOT_FILE, seal_snapshot};

/// The contents of a new game.
pub(crate) struct NewGame<'a, E> {
    pub(crate) state: &'a str,
    /// The events that led to the state.
    pub(crate) events: &'a [NewEvent<'a, E>],
    /// Copies of the rules, as pairs of file name and text.
    pub(crate) rules: &'a [(String, &'static str)],
}

impl<E: Serialize> NewGame<'_, E> {
    /// Writes the files: the journal, two copies of the snapshot, and the rules.
    pub(crate) fn write_files(&self, put: &mut PutFile<'_>) -> Result<()> {
        let end = self.write_journal(put)?;

        // The previous snapshot is the same. If the snapshot is damaged before the first save, the game can still be
        // restored from this copy and the journal.
        let snapshot = seal_snapshot(self.state, end.number, Some(end.checksums));
        put(SNAPSHOT_FILE, &snapshot)?;
        put(PREVIOUS_SNAPSHOT_FILE, &snapshot)?;

        for (name, text) in self.rules {
            put(name, text)?;
        }
        Ok(())
    }

    fn write_journal(&self, put: &mut PutFile<'_>) -> Result<NewJournalEnd> {
        let mut file = NewJournalFile::new(1);
        let mut end = ChainEnd::default();
        let mut checksums = Checksums::default();

        for new in self.events {
            if file.is_full() {
                put(&file.name(), &file.lines)?;
                file = NewJournalFile::new(file.sequence + 1);
            }

            let line = line::encode(end, new.at, new.by, &new.event)?;
            file.lines.push_str(&String::from_utf8_lossy(&line.bytes));
            file.events += 1;

            checksums = Checksums {
                end: line.end.crc,
                before: end.crc,
            };
            end = line.end;
        }
        put(&file.name(), &file.lines)?;

        Ok(NewJournalEnd {
            number: end.n,
            checksums,
        })
    }
}

struct NewJournalEnd {
    /// The number of the last event.
    number: u64,
    checksums: Checksums,
}

struct NewJournalFile {
    sequence: u64,
    events: u64,
    lines: String,
}

impl NewJournalFile {
    fn new(sequence: u64) -> Self {
        Self {
            sequence,
            events: 0,
            lines: String::new(),
        }
    }

    fn name(&self) -> String {
        format!("journal/{:06}.jsonl", self.sequence)
    }

    fn is_full(&self) -> bool {
        self.events >= EVENTS_PER_FILE || self.lines.len() as u64 >= BYTES_PER_FILE
    }
}
