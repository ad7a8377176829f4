//! One line of the journal: `{"n":…,"at":"…","by":"…","seat":…,"event":…,"crc":"…"}`. The line has no seat if the seat
//! is 0, which is the player at the terminal of the program.
//!
//! The checksum covers the line up to `,"crc"`. It continues the checksum of the previous line, so that a removed,
//! duplicated or moved line is detected as reliably as a changed line.

use std::borrow::Cow;

use chrono::{DateTime, SecondsFormat, Utc};
use memchr::memmem;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use thiserror::Error;

use crate::error::{Result, StoreError};
use crate::moment::clamp_to_seconds;

/// The maximum length of a line, in bytes.
const LONGEST_LINE: usize = 4 << 20;

/// The length of `,"crc":"1a2b3c4d"}`, the end of every line.
const SEAL_LENGTH: usize = 18;

/// The maximum number of digits of an event's number, and the comma after it.
const LONGEST_NUMBER: usize = 21;

/// A run of zero bytes that shows that a block of the file never reached the disk. Flipped bits cannot produce sixteen
/// zeros.
pub(crate) const HOLE: [u8; 16] = [0; 16];

/// The author of an event.
#[derive(Debug, Clone, Copy)]
pub struct By<'a> {
    pub name: &'a str,
    /// The number of the seat. 0 is the player at the terminal of the program.
    pub seat: u64,
}

impl<'a> From<&'a str> for By<'a> {
    fn from(name: &'a str) -> Self {
        Self { name, seat: 0 }
    }
}

/// An event in the journal.
#[derive(Debug, Clone)]
pub struct Record {
    /// The number of the event, from 1.
    pub n: u64,
    /// The time of the event, in whole seconds.
    pub at: DateTime<Utc>,
    /// The name of the author.
    pub by: String,
    /// The number of the author's seat. 0 is the player at the terminal of the program.
    pub seat: u64,
    /// The event as JSON.
    pub event: Box<RawValue>,
}

/// The position of an event in the chain of checksums.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ChainEnd {
    /// The number of the event.
    pub n: u64,
    /// The checksum of the line that stores the event.
    pub crc: u32,
}

/// The fault of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub(crate) enum Fault {
    #[error("the line is incomplete")]
    Torn,
    #[error("the line does not match its checksum")]
    Checksum,
    #[error("the line should be event {expected}, but it is event {found}")]
    Number { expected: u64, found: u64 },
    #[error("the line is not the record of an event")]
    Record,
}

/// A serialised event.
#[derive(Debug)]
pub struct EncodedLine {
    /// The line with its newline.
    pub bytes: Vec<u8>,
    /// Its position in the chain.
    pub end: ChainEnd,
}

/// Serialises the event that follows `previous`.
pub fn encode<E: Serialize + ?Sized>(
    previous: ChainEnd,
    at: DateTime<Utc>,
    by: By<'_>,
    event: &E,
) -> Result<EncodedLine> {
    let n = previous.n.saturating_add(1);
    let time = clamp_to_seconds(at).to_rfc3339_opts(SecondsFormat::Secs, true);
    let name = match serde_json::to_string(by.name) {
        Ok(name) => name,
        Err(error) => return Err(unwritable(&error)),
    };
    let seat = match by.seat {
        0 => String::new(),
        seat => format!(",\"seat\":{seat}"),
    };

    let head = format!("{{\"n\":{n},\"at\":\"{time}\",\"by\":{name}{seat},\"event\":");
    let mut bytes = Vec::with_capacity(512);
    bytes.extend_from_slice(head.as_bytes());
    if let Err(error) = serde_json::to_writer(&mut bytes, event) {
        return Err(unwritable(&error));
    }

    // Raw JSON may contain line breaks between its tokens. A space means the same.
    for byte in &mut bytes {
        if matches!(*byte, b'\n' | b'\r') {
            *byte = b' ';
        }
    }

    let crc = crc32c::crc32c_append(previous.crc, &bytes);
    let seal = format!(",\"crc\":\"{crc:08x}\"}}\n");
    bytes.extend_from_slice(seal.as_bytes());
    if bytes.len() > LONGEST_LINE {
        let length = bytes.len();
        return Err(unwritable(&format!(
            "it has {length} bytes, but a line of the journal may have at most {LONGEST_LINE}"
        )));
    }

    let end = ChainEnd { n, crc };
    Ok(EncodedLine { bytes, end })
}

/// Returns the error for an event that cannot be serialised.
pub(crate) fn unwritable(reason: &dyn std::fmt::Display) -> StoreError {
    StoreError::Unwritable {
        what: "an event",
        why: reason.to_string(),
    }
}

/// Checks a line (without its newline) that follows a line with the checksum `previous_crc`.
pub(crate) fn check(line: &[u8], previous_crc: u32) -> Result<ChainEnd, Fault> {
    let SealedLine { body, crc } = split_seal(line).ok_or(Fault::Torn)?;
    if crc32c::crc32c_append(previous_crc, body) != crc {
        return Err(Fault::Checksum);
    }

    let n = number(line).ok_or(Fault::Record)?;
    Ok(ChainEnd { n, crc })
}

/// Returns the checksum at the end of a line, without checking it.
pub fn stored_crc(line: &[u8]) -> Option<u32> {
    let sealed = split_seal(line)?;
    Some(sealed.crc)
}

/// Reads the number of the event from the beginning of a line.
pub fn number(line: &[u8]) -> Option<u64> {
    let after_key = line.strip_prefix(b"{\"n\":")?;
    let search_length = after_key.len().min(LONGEST_NUMBER);
    let searched = after_key.get(..search_length)?;
    let comma = memchr::memchr(b',', searched)?;
    let digits = str::from_utf8(searched.get(..comma)?).ok()?;
    digits.parse().ok()
}

/// Returns true if the line begins with a complete line whose newline was replaced by another byte.
pub(crate) fn begins_with_complete_line(line: &[u8], previous_crc: u32) -> bool {
    for next_start in memmem::find_iter(line, b"{\"n\":") {
        let Some(end) = next_start.checked_sub(1) else {
            continue;
        };
        let first_line = line.get(..end).unwrap_or_default();
        if check(first_line, previous_crc).is_ok() {
            return true;
        }
    }

    false
}

impl Record {
    /// Parses a line without its newline. Neither the checksum nor the event is checked.
    pub fn parse(line: &[u8]) -> Option<Self> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Fields<'a> {
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

        let fields: Fields<'_> = serde_json::from_slice(line).ok()?;
        Some(Self {
            n: fields.n,
            at: fields.at,
            by: fields.by.into_owned(),
            seat: fields.seat,
            event: fields.event.to_owned(),
        })
    }
}

struct SealedLine<'a> {
    body: &'a [u8],
    crc: u32,
}

/// Splits a line into its body and its checksum, which has exactly eight lower-case hexadecimal digits.
fn split_seal(line: &[u8]) -> Option<SealedLine<'_>> {
    let body_length = line.len().checked_sub(SEAL_LENGTH)?;
    let (body, seal) = line.split_at_checked(body_length)?;
    let after_key = seal.strip_prefix(b",\"crc\":\"")?;
    let digits = after_key.strip_suffix(b"\"}")?;

    let is_hexadecimal = |digit: &u8| matches!(digit, b'0'..=b'9' | b'a'..=b'f');
    if !digits.iter().all(is_hexadecimal) {
        return None;
    }

    let digits = str::from_utf8(digits).ok()?;
    let crc = u32::from_str_radix(digits, 16).ok()?;
    Some(SealedLine { body, crc })
}
