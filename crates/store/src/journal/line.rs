//! One line of the journal: `{"n":…,"at":"…","by":"…","seat":…,"event":…,"crc":"…"}`; the seat is left out
//! where it is 0, the person who runs the program.
//!
//! The checksum covers the line up to `,"crc"` and is continued from the checksum of the line before,
//! so that a line that is removed, doubled or moved is noticed as surely as one that is changed.

use std::borrow::Cow;

use chrono::{DateTime, SecondsFormat, Utc};
use memchr::memmem;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use thiserror::Error;

use crate::error::StoreError;

/// The longest line that is written.
const LONGEST_LINE: usize = 4 << 20;
/// The length of `,"crc":"1a2b3c4d"}`, which ends every line.
const SEAL: usize = 18;
/// Enough zeros to be a block that never reached the disk, and not a single flipped byte.
pub(super) const HOLE: [u8; 16] = [0; 16];

/// Who did something.
#[derive(Debug, Clone, Copy)]
pub struct By<'a> {
    /// The name.
    pub name: &'a str,
    /// The number of the seat; 0 is the person who runs the program.
    pub seat: u64,
}

impl<'a> From<&'a str> for By<'a> {
    fn from(name: &'a str) -> Self {
        Self { name, seat: 0 }
    }
}

/// One event as the journal keeps it.
#[derive(Debug, Clone)]
pub struct Record {
    /// Its place in the history, from 1.
    pub n: u64,
    /// When it happened, to the second.
    pub at: DateTime<Utc>,
    /// Who did it.
    pub by: String,
    /// The number of the seat; 0 is the person who runs the program.
    pub seat: u64,
    /// The event, as JSON.
    pub event: Box<RawValue>,
}

/// What is wrong with a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub(super) enum Fault {
    #[error("the line is not whole")]
    Torn,
    #[error("the line does not match its checksum")]
    Checksum,
    #[error("event {expected} should stand here, but it is event {found}")]
    Number { expected: u64, found: u64 },
    #[error("the line is no record of an event")]
    Record,
}

/// Writes a record as a line with its newline, and returns the line's checksum too.
pub(crate) fn write<E: Serialize + ?Sized>(
    seed: u32,
    n: u64,
    at: DateTime<Utc>,
    by: By<'_>,
    event: &E,
) -> Result<(Vec<u8>, u32), StoreError> {
    let unwritable = |why: String| {
        let what = "an event";
        StoreError::Unwritable { what, why }
    };
    let json = |error: serde_json::Error| unwritable(error.to_string());
    let name = serde_json::to_string(by.name).map_err(json)?;
    let seat = match by.seat {
        0 => String::new(),
        seat => format!(",\"seat\":{seat}"),
    };
    let at = stamp(at);
    let head = format!("{{\"n\":{n},\"at\":\"{at}\",\"by\":{name}{seat},\"event\":");
    let mut line = Vec::with_capacity(512);
    line.extend_from_slice(head.as_bytes());
    serde_json::to_writer(&mut line, event).map_err(json)?;
    // Raw JSON may be laid out over several lines; a line break there means no more than a space.
    for byte in &mut line {
        if matches!(*byte, b'\n' | b'\r') {
            *byte = b' ';
        }
    }
    let crc = crc32c::crc32c_append(seed, &line);
    line.extend_from_slice(format!(",\"crc\":\"{crc:08x}\"}}\n").as_bytes());
    if line.len() > LONGEST_LINE {
        let length = line.len();
        return Err(unwritable(format!(
            "its {length} bytes do not fit into the journal; the most is {LONGEST_LINE}"
        )));
    }
    Ok((line, crc))
}

/// Checks a line (without its newline) that follows a line with the checksum `seed`; returns its number and its
/// own checksum.
pub(super) fn check(line: &[u8], seed: u32) -> Result<(u64, u32), Fault> {
    let (body, crc) = split(line).ok_or(Fault::Torn)?;
    if crc32c::crc32c_append(seed, body) != crc {
        return Err(Fault::Checksum);
    }
    Ok((number(line).ok_or(Fault::Record)?, crc))
}

/// The checksum that a line says it has.
pub(crate) fn stored_crc(line: &[u8]) -> Option<u32> {
    split(line).map(|(_, crc)| crc)
}

/// The event's number, read off the beginning of a line.
pub fn number(line: &[u8]) -> Option<u64> {
    let rest = line.strip_prefix(b"{\"n\":")?;
    let end = memchr::memchr(b',', rest.get(..rest.len().min(21))?)?;
    str::from_utf8(rest.get(..end)?).ok()?.parse().ok()
}

/// Whether a whole line stands at the beginning of this one, and one byte that should be its newline.
pub(super) fn begins_with_whole(line: &[u8], seed: u32) -> bool {
    memmem::find_iter(line, b"{\"n\":").any(|next| {
        let before = next.checked_sub(1).and_then(|end| line.get(..end));
        before.is_some_and(|before| check(before, seed).is_ok())
    })
}

impl Record {
    /// Reads a line of the journal, without its newline; its checksum is not looked at, nor is the event.
    pub fn parse(line: &[u8]) -> Option<Self> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Line<'a> {
            n: u64,
            at: DateTime<Utc>,
            #[serde(borrow)]
            by: Cow<'a, str>,
            #[serde(default)]
            seat: u64,
            #[serde(borrow)]
            event: &'a RawValue,
            #[serde(rename = "crc")]
            _crc: &'a str,
        }
        let line: Line<'_> = serde_json::from_slice(line).ok()?;
        Some(Self {
            n: line.n,
            at: line.at,
            by: line.by.into_owned(),
            seat: line.seat,
            event: line.event.to_owned(),
        })
    }
}

/// The line before its seal, and the sealed checksum: exactly eight small hexadecimal digits.
fn split(line: &[u8]) -> Option<(&[u8], u32)> {
    let (body, seal) = line.split_at_checked(line.len().checked_sub(SEAL)?)?;
    let digits = seal.strip_prefix(b",\"crc\":\"")?.strip_suffix(b"\"}")?;
    let is_small = |digit: &u8| matches!(digit, b'0'..=b'9' | b'a'..=b'f');
    let digits = std::str::from_utf8(digits).ok()?;
    let crc = u32::from_str_radix(digits, 16).ok()?;
    let is_sealed = digits.as_bytes().iter().all(is_small);
    is_sealed.then_some((body, crc))
}

/// A point in time to the second; a broken clock's years are held within four digits.
fn stamp(at: DateTime<Utc>) -> String {
    let seconds = at.timestamp().clamp(-62_167_219_200, 253_402_300_799);
    DateTime::from_timestamp(seconds, 0)
        .unwrap_or_default()
        .to_rfc3339_opts(SecondsFormat::Secs, true)
}
