//! What a closed file of the journal comes to, kept beside it: the figures of its events, what they say
//! about entries before them, where each entry stands, and the words that a filter looks for. A log of a
//! million entries is searched, counted and leafed through without being read.

use super::filter::{OR, Part};
use super::history::{Mark, read};
use super::{Entry, SeatId, Tally, view};
use crate::rules::System;
use crate::store::{self, Block, PARTS, Reader, Spot, StoreError};

/// To be raised when a digest would come out otherwise: a label that is looked for has another name, a
/// figure counts something else.
const VERSION: u32 = 2;

/// The parts of a digest, as the store numbers them.
const TALLY: usize = 0;
const MARKS: usize = 1;
const PLACES: usize = 2;
const WORDS: usize = 3;

/// How many bytes tell where an entry stands: its number, its first byte, its length.
const PLACE: usize = 8 + 8 + 4;
/// Stands between the columns of a line of words.
const COLUMN: char = '\u{1f}';
/// The columns that hold what is looked for, after those that say whose the entry is.
const COLUMNS: [Part; 5] = [Part::Text, Part::Who, Part::Check, Part::Outcome, Part::Die];
/// How many columns come before them.
const BEFORE: usize = 5;

/// What a stretch of a log comes to.
#[derive(Debug, Default)]
pub(super) struct Digest {
    pub(super) tally: Tally,
    /// What its events say about entries before them, oldest first.
    pub(super) marks: Vec<(u64, Mark)>,
    /// Where each shown entry stands, oldest first.
    pub(super) places: Vec<(u64, Spot)>,
    /// A line for each shown entry.
    pub(super) words: Vec<u8>,
    /// The last event in it.
    pub(super) last: u64,
}

impl Digest {
    /// Goes through a file of the journal. Events that this program does not know are left out.
    pub(super) fn of(block: &Block, system: System) -> Self {
        let mut digest = Self::default();
        for record in block.records().filter_map(Result::ok) {
            digest.last = record.n;
            let Some(entry) = read(&record) else { continue };
            digest.tally.absorb(&entry.event, system);
            digest.take(&entry, system);
            if let Some(spot) = block.spot(record.n) {
                digest.places.push((record.n, spot));
            }
        }
        digest
    }

    /// Takes in the words of the next entry.
    pub(super) fn take(&mut self, entry: &Entry, system: System) {
        self.last = entry.number;
        if let Some(mark) = Mark::of(&entry.event.what) {
            self.marks.push((entry.number, mark));
        }
        write_line(&mut self.words, entry, system);
    }

    /// Keeps it beside the file that it was made from.
    pub(super) fn keep(&self, reader: &Reader, sequence: u64) {
        let (Ok(tally), Ok(marks)) = (
            serde_json::to_vec(&self.tally),
            serde_json::to_vec(&self.marks),
        ) else {
            return;
        };
        let mut places = Vec::with_capacity(self.places.len() * PLACE);
        for (number, spot) in &self.places {
            places.extend_from_slice(&number.to_le_bytes());
            places.extend_from_slice(&spot.start.to_le_bytes());
            places.extend_from_slice(&spot.length.to_le_bytes());
        }
        let mut parts: [&[u8]; PARTS] = [&[]; PARTS];
        parts[TALLY] = &tally;
        parts[MARKS] = &marks;
        parts[PLACES] = &places;
        parts[WORDS] = &self.words;
        // Where there is no room for it, it is worked out again the next time.
        reader
            .keep_digest(sequence, VERSION, parts)
            .unwrap_or_default();
    }
}

/// A digest on the disk.
#[derive(Debug)]
pub(super) struct Kept(store::Digest);

impl Kept {
    /// The one beside that file, if it holds for it.
    pub(super) fn of(reader: &Reader, sequence: u64) -> Option<Self> {
        reader.digest(sequence, VERSION).map(Self)
    }

    pub(super) fn tally(&self) -> Option<Tally> {
        serde_json::from_slice(&self.0.part(TALLY)?).ok()
    }

    pub(super) fn marks(&self) -> Option<Vec<(u64, Mark)>> {
        serde_json::from_slice(&self.0.part(MARKS)?).ok()
    }

    /// Reads the words into a buffer that is used again.
    pub(super) fn words_into(&self, words: &mut Vec<u8>) -> Option<()> {
        self.0.part_into(WORDS, words)
    }

    /// Where an entry stands.
    pub(super) fn place(&self, number: u64) -> Option<Spot> {
        let (mut low, mut high) = (0, self.0.length(PLACES) / PLACE as u64);
        while low < high {
            let middle = low.midpoint(high);
            let mut bytes = [0; PLACE];
            self.0.read_at(PLACES, middle * PLACE as u64, &mut bytes)?;
            let (found, spot) = bytes.split_at(8);
            let (start, length) = spot.split_at(8);
            let found = u64::from_le_bytes(found.try_into().ok()?);
            match found.cmp(&number) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
                std::cmp::Ordering::Equal => {
                    return Some(Spot {
                        start: u64::from_le_bytes(start.try_into().ok()?),
                        length: u32::from_le_bytes(length.try_into().ok()?),
                    });
                }
            }
        }
        None
    }
}

/// Makes the digest of a closed file, and keeps it unless the file is damaged.
pub(super) fn make(reader: &Reader, sequence: u64, system: System) -> Result<Digest, StoreError> {
    let block = reader.load(sequence)?;
    let digest = Digest::of(&block, system);
    if block.damage().is_empty() {
        digest.keep(reader, sequence);
    }
    Ok(digest)
}

/// What an entry is, as far as it decides who may read it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Roll,
    /// A roll of which also those hear that it was made who may not see it.
    Noticed,
    Scene,
    Other,
}

impl Kind {
    pub(super) fn of(entry: &Entry) -> Self {
        match entry.event.what.roller() {
            Some(_) if view::is_noticed(&entry.event.what) => Self::Noticed,
            Some(_) => Self::Roll,
            None if entry.event.what.kind() == "scene" => Self::Scene,
            None => Self::Other,
        }
    }

    const fn letter(self) -> &'static str {
        match self {
            Self::Roll => "r",
            Self::Noticed => "n",
            Self::Scene => "s",
            Self::Other => "o",
        }
    }
}

fn write_line(words: &mut Vec<u8>, entry: &Entry, system: System) {
    let what = &entry.event.what;
    let id = what.roller().and_then(|(_, id)| id);
    let hidden = what.hidden_from().0.join("\u{1e}");
    let mut column = |text: &str, end: char| {
        let harmless = text.chars().map(|letter| match letter {
            '\n' | COLUMN => ' ',
            letter => letter,
        });
        let mut bytes = [0; 4];
        for letter in harmless.chain([end]) {
            words.extend_from_slice(letter.encode_utf8(&mut bytes).as_bytes());
        }
    };
    column(&entry.number.to_string(), COLUMN);
    column(Kind::of(entry).letter(), COLUMN);
    column(&id.map_or_else(String::new, |id| id.0.to_string()), COLUMN);
    column(&hidden, COLUMN);
    column(&entry.seat.0.to_string(), COLUMN);
    let last = COLUMNS.len() - 1;
    for (index, part) in COLUMNS.iter().enumerate() {
        let end = if index == last { '\n' } else { COLUMN };
        column(&part.of(entry, system), end);
    }
}

/// A line of words.
#[derive(Debug)]
pub(super) struct Told<'a> {
    pub(super) number: u64,
    pub(super) kind: Kind,
    /// Whose roll it is.
    pub(super) id: Option<u32>,
    hidden_from: &'a str,
    pub(super) seat: SeatId,
    columns: [&'a str; COLUMNS.len()],
}

impl<'a> Told<'a> {
    /// Reads a line, its newline left out.
    pub(super) fn read(line: &'a [u8]) -> Option<Self> {
        let line = std::str::from_utf8(line).ok()?;
        let mut all = line.split(COLUMN);
        let mut before = [""; BEFORE];
        for column in &mut before {
            *column = all.next()?;
        }
        let mut columns = [""; COLUMNS.len()];
        for column in &mut columns {
            *column = all.next()?;
        }
        let [number, kind, id, hidden_from, seat] = before;
        Some(Self {
            number: number.parse().ok()?,
            kind: match kind {
                "r" => Kind::Roll,
                "n" => Kind::Noticed,
                "s" => Kind::Scene,
                _ => Kind::Other,
            },
            id: id.parse().ok(),
            hidden_from,
            seat: SeatId(seat.parse().ok()?),
            columns,
        })
    }

    /// The number alone, which is all that matters where nothing is looked for.
    pub(super) fn number_of(line: &[u8]) -> Option<u64> {
        let end = memchr::memchr(0x1f, line)?;
        let digits = line.get(..end)?;
        digits.iter().try_fold(0_u64, |number, digit| {
            let digit = digit.wrapping_sub(b'0');
            let larger = number.checked_mul(10)?.checked_add(u64::from(digit))?;
            (digit < 10).then_some(larger)
        })
    }

    /// From whom it is hidden.
    pub(super) fn hidden_from(&self) -> Vec<String> {
        let names = self.hidden_from.split(OR).filter(|name| !name.is_empty());
        names.map(str::to_owned).collect()
    }

    /// A part, in small letters.
    pub(super) fn part(&self, part: Part) -> &'a str {
        let at = COLUMNS.iter().position(|column| *column == part);
        at.and_then(|at| self.columns.get(at))
            .copied()
            .unwrap_or("")
    }
}
