//! Writes a game into one file.

use std::io::{self, Write};
use std::path::Path;

use chrono::{DateTime, SecondsFormat, Utc};
use serde::Serialize;

use crate::bundle::{
    ACCESS_FILE, BUNDLE_FORMAT, Header, KIND, Part, SNAPSHOT_LINE, file_on_line, is_rules,
};
use crate::error::{Result, StoreError};
use crate::file::describe_io_error;
use crate::folder::NEWEST;
use crate::game_location::GameLocation;
use crate::journal::line::ChainEnd;
use crate::journal::reader::Reader;
use crate::sidecar::Sidecar;
use crate::snapshot::{SNAPSHOT_FILE, Snapshot};

/// The options for exporting a game.
#[derive(Debug, Clone, Copy)]
pub struct ExportOptions<'a> {
    /// The name of the game in the exported file.
    pub name: &'a str,
    /// Whether the list of seats is exported.
    pub with_seats: bool,
    pub at: DateTime<Utc>,
}

/// Writes a game to a file. If another process has the game open, the export contains all events up to the last
/// complete one.
pub fn export(
    game: &GameLocation,
    options: &ExportOptions<'_>,
    output: &mut dyn Write,
) -> Result<()> {
    // Read the snapshot before the journal. The journal gets every event before the snapshot does, so it then contains
    // all events of the snapshot.
    let snapshot_bytes = game.backend().read_snapshot()?;
    let snapshot_path = match game.folder() {
        Some(folder) => NEWEST.find(folder),
        None => SNAPSHOT_FILE.into(),
    };
    let snapshot = Snapshot::parse(&snapshot_path, snapshot_bytes)?;
    let last_event = game.backend().check_history(&snapshot)?;

    let reader = Reader::new(game);
    let journal_files = reader.files()?;
    let sidecars = exported_sidecars(game, options)?;

    let header = Header {
        tableside: KIND.to_owned(),
        format: BUNDLE_FORMAT,
        name: options.name.to_owned(),
        at: options.at.to_rfc3339_opts(SecondsFormat::Secs, true),
        files: 1 + journal_files.len() + sidecars.len(),
    };
    write_line(output, &header)?;
    write_part(output, SNAPSHOT_FILE.to_owned(), snapshot.text)?;

    let mut chain = ChainEnd::default();
    for (line, sequence) in (SNAPSHOT_LINE + 1..).zip(journal_files) {
        let mut block = reader.load_after(sequence, chain)?;

        // An incomplete last line is left out: a crash has cut it off, or another process is writing it. Damage before
        // the last event is an error.
        let first_damage = block
            .damage()
            .into_iter()
            .min_by_key(|damage| damage.last_good);
        if let Some(damage) = first_damage
            && damage.last_good < last_event
        {
            return Err(StoreError::Damaged(damage));
        }

        block.remove_from_damage();
        chain = block.end().unwrap_or(chain);
        let text = text_of(&game.display_path(), block.into_bytes())?;
        let file = file_on_line(line, BUNDLE_FORMAT);
        write_part(output, file, text)?;
    }

    for name in sidecars {
        // A file that was removed after it was listed is exported as an empty file.
        let sidecar = Sidecar::new(game, &name);
        let text = sidecar.read()?.unwrap_or_default();
        write_part(output, name, text)?;
    }
    Ok(())
}

fn exported_sidecars(game: &GameLocation, options: &ExportOptions<'_>) -> Result<Vec<String>> {
    let mut names = Sidecar::names(game)?;
    names.retain(|name| {
        let has_seats = name == ACCESS_FILE;
        is_rules(name) || (has_seats && options.with_seats)
    });
    names.sort_unstable();
    Ok(names)
}

fn text_of(path: &Path, bytes: Vec<u8>) -> Result<String> {
    String::from_utf8(bytes).map_err(|error| {
        let error = io::Error::new(io::ErrorKind::InvalidData, error);
        StoreError::io("read", path, error)
    })
}

fn write_part(output: &mut dyn Write, file: String, text: String) -> Result<()> {
    let crc32c = crc32c::crc32c(text.as_bytes());
    write_line(output, &Part { file, crc32c, text })
}

fn write_line(output: &mut dyn Write, document: &impl Serialize) -> Result<()> {
    let unwritable = |reason: String| StoreError::Unwritable {
        what: "the game as a file",
        why: reason,
    };

    let mut line = match serde_json::to_vec(document) {
        Ok(line) => line,
        Err(error) => return Err(unwritable(error.to_string())),
    };
    line.push(b'\n');
    output
        .write_all(&line)
        .map_err(|error| unwritable(describe_io_error(&error)))
}
