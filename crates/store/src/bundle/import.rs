//! Creates a game from an exported file.

use std::io::{self, BufRead, Read as _};

use crate::bundle::{
    ACCESS_FILE, BUNDLE_FORMAT, Header, Part, SNAPSHOT_LINE, file_on_line, is_bundle, is_rules,
};
use crate::error::{Result, StoreError};
use crate::game_location::{GameLocation, PutFile};
use crate::game_name::Name;
use crate::snapshot::SNAPSHOT_FILE;

/// The maximum length of a line in bytes. It allows for a journal file in which every character is escaped.
const LONGEST_LINE: u64 = 256 << 20;

/// The options for importing a game.
#[derive(Debug, Clone, Copy)]
pub struct ImportOptions<'a> {
    /// The name of the new game. If it is `None`, the game gets the name in the file.
    pub name: Option<&'a Name>,
    /// Whether the list of seats is imported.
    pub with_seats: bool,
    /// Names that a game must not have, because they are commands.
    pub reserved: &'a [&'a str],
}

/// A game that was imported.
#[derive(Debug)]
pub struct Imported {
    pub name: Name,
    /// True if the file contains a list of seats, whether or not it was imported.
    pub has_seats: bool,
}

/// Creates a game from an exported file. `locate` returns the location for the name of the game.
pub(crate) fn import(
    input: &mut dyn BufRead,
    options: &ImportOptions<'_>,
    locate: impl FnOnce(&Name) -> GameLocation,
) -> Result<Imported> {
    let header = read_header(input)?;
    let name = match options.name {
        Some(name) => name.clone(),
        None => Name::new(&header.name, options.reserved)?,
    };

    let mut has_seats = false;
    locate(&name).backend().import(&mut |put| {
        has_seats = unpack_files(input, &header, options.with_seats, put)?;
        Ok(())
    })?;
    Ok(Imported { name, has_seats })
}

fn read_header(input: &mut dyn BufRead) -> Result<Header> {
    let header = match read_line(input, 1)? {
        Some(line) if is_bundle(&line) => serde_json::from_slice::<Header>(&line).ok(),
        _ => None,
    };
    let Some(header) = header else {
        return Err(StoreError::Unfit("it is not an exported game".to_owned()));
    };

    if header.format > BUNDLE_FORMAT {
        return Err(StoreError::Unfit(format!(
            "it has format {}; this version supports formats up to {BUNDLE_FORMAT}",
            header.format
        )));
    }
    Ok(header)
}

/// Passes all files to `put`, except the list of seats if `with_seats` is false. Returns true if there is a list of
/// seats.
fn unpack_files(
    input: &mut dyn BufRead,
    header: &Header,
    with_seats: bool,
    put: &mut PutFile<'_>,
) -> Result<bool> {
    let mut has_seats = false;
    let lines_end = header.files.saturating_add(SNAPSHOT_LINE);
    for line in SNAPSHOT_LINE..lines_end {
        let part = read_part(input, line, header.format)?;
        if part.file == ACCESS_FILE {
            has_seats = true;
            if !with_seats {
                continue;
            }
        }
        let name = if line == SNAPSHOT_LINE {
            SNAPSHOT_FILE
        } else {
            &part.file
        };
        put(name, &part.text)?;
    }

    let text_after_end = input.fill_buf().map_err(|error| unreadable(&error))?;
    if !text_after_end.is_empty() {
        return Err(damaged(lines_end, "there is more text after the last file"));
    }
    Ok(has_seats)
}

/// Reads the file on a line, and checks its name and checksum.
fn read_part(input: &mut dyn BufRead, line: usize, format: u64) -> Result<Part> {
    let Some(text) = read_line(input, line)? else {
        let last_line = line - 1;
        return Err(StoreError::Unfit(format!(
            "it is incomplete: it ends after line {last_line}"
        )));
    };
    let part: Part = match serde_json::from_slice(&text) {
        Ok(part) => part,
        Err(error) => return Err(damaged(line, &error.to_string())),
    };

    let is_sidecar = is_rules(&part.file) || part.file == ACCESS_FILE;
    let expected_file = file_on_line(line, format);
    let is_expected = part.file == expected_file || (is_sidecar && line > SNAPSHOT_LINE);
    if !is_expected {
        let reason = format!("this line must contain {expected_file}");
        return Err(damaged(line, &reason));
    }

    if crc32c::crc32c(part.text.as_bytes()) != part.crc32c {
        return Err(damaged(line, "the line does not match its checksum"));
    }
    Ok(part)
}

/// Reads the next line. Returns `None` if the file ends before a newline.
fn read_line(input: &mut dyn BufRead, number: usize) -> Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    let length = input
        .take(LONGEST_LINE)
        .read_until(b'\n', &mut line)
        .map_err(|error| unreadable(&error))?;

    if length as u64 == LONGEST_LINE {
        return Err(damaged(number, "the line is too long"));
    }
    if line.ends_with(b"\n") {
        Ok(Some(line))
    } else {
        Ok(None)
    }
}

fn damaged(line: usize, description: &str) -> StoreError {
    StoreError::Unfit(format!("it is damaged: line {line}: {description}"))
}

fn unreadable(error: &io::Error) -> StoreError {
    StoreError::Unfit(format!("it cannot be read: {error}"))
}
