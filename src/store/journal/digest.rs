//! What was worked out from a closed file of the journal, kept beside it: `journal/000001.digest`.
//!
//! A digest is never needed: it holds nothing that its file does not say, and where it is missing, damaged,
//! or of another state of the file, it is worked out again. So it is neither synced nor kept when it is in
//! doubt. What stands in it is its maker's affair; here it is a few parts, each with its checksum.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::PathBuf;

use super::line;
use super::{Reader, Record, file_in};
use crate::file::{self, Links};
use crate::store::disk::{self, FILE_MODE};
use crate::store::error::StoreError;

/// How many parts a digest has.
pub const PARTS: usize = 4;
/// The first bytes of every digest.
const MAGIC: &[u8; 8] = b"TABLEDIG";
/// Magic, version, the file's length and last checksum, lengths and checksums of the parts, and a checksum
/// of all that.
const HEAD: usize = 8 + 4 + 8 + 4 + PARTS * 8 + 4;
/// The largest part that is read; a digest is a fraction of its file.
const LARGEST: u32 = 64 << 20;
/// The length of the end of a line, its newline included.
const SEAL: usize = 19;

/// Where a line stands in its file, without its newline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spot {
    /// Its first byte.
    pub start: u64,
    /// How many bytes it has.
    pub length: u32,
}

/// A digest that matches its file.
#[derive(Debug)]
pub struct Digest {
    file: File,
    parts: [(u32, u32); PARTS],
}

impl Digest {
    /// Reads a part and checks it; nothing where it is damaged.
    pub fn part(&self, part: usize) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        self.part_into(part, &mut bytes)?;
        Some(bytes)
    }

    /// Reads a part into a buffer that is used again, which costs less than a new one.
    pub fn part_into(&self, part: usize, bytes: &mut Vec<u8>) -> Option<()> {
        let &(length, crc) = self.parts.get(part)?;
        bytes.resize(usize::try_from(length).ok()?, 0);
        self.file.read_exact_at(bytes, self.start_of(part)).ok()?;
        (crc32c::crc32c(bytes) == crc).then_some(())
    }

    /// Reads a few bytes of a part, unchecked: what they lead to has a checksum of its own.
    pub fn read_at(&self, part: usize, offset: u64, bytes: &mut [u8]) -> Option<()> {
        let &(length, _) = self.parts.get(part)?;
        let end = offset.checked_add(bytes.len() as u64)?;
        if end > u64::from(length) {
            return None;
        }
        let start = self.start_of(part) + offset;
        self.file.read_exact_at(bytes, start).ok()
    }

    /// How many bytes a part has.
    pub fn length(&self, part: usize) -> u64 {
        self.parts
            .get(part)
            .map_or(0, |(length, _)| u64::from(*length))
    }

    fn start_of(&self, part: usize) -> u64 {
        let before = self.parts.iter().take(part);
        HEAD as u64 + before.map(|(length, _)| u64::from(*length)).sum::<u64>()
    }
}

impl Reader {
    /// What was worked out from a closed file, if it is there, of this version, and of the file as it is.
    pub fn digest(&self, sequence: u64, version: u32) -> Option<Digest> {
        let file = disk::open_file(&self.digest_path(sequence)).ok()?;
        let mut head = [0; HEAD];
        file.read_exact_at(&mut head, 0).ok()?;
        let (length, crc) = self.state_of(sequence).ok()??;
        let (said, seal) = head.split_at(HEAD - 4);
        let is_ours = said.starts_with(&beginning(version, length, crc))
            && seal == crc32c::crc32c(said).to_le_bytes().as_slice();
        if !is_ours {
            return None;
        }
        let mut parts = [(0, 0); PARTS];
        let pairs = said.get(24..)?.chunks_exact(8);
        for (part, pair) in parts.iter_mut().zip(pairs) {
            let (length, crc) = pair.split_at(4);
            let length = u32::from_le_bytes(length.try_into().ok()?);
            if length > LARGEST {
                return None;
            }
            *part = (length, u32::from_le_bytes(crc.try_into().ok()?));
        }
        Some(Digest { file, parts })
    }

    /// Keeps what was worked out from a file that does not grow any more. Where that fails, it is worked
    /// out again another time. One thread at a time should do it.
    pub fn keep_digest(
        &self,
        sequence: u64,
        version: u32,
        parts: [&[u8]; PARTS],
    ) -> io::Result<()> {
        if !self.may_keep {
            return Ok(());
        }
        let Some((length, crc)) = self.state_of(sequence)? else {
            return Ok(());
        };
        let mut bytes = beginning(version, length, crc);
        for part in parts {
            let length = u32::try_from(part.len()).map_err(io::Error::other)?;
            bytes.extend_from_slice(&length.to_le_bytes());
            bytes.extend_from_slice(&crc32c::crc32c(part).to_le_bytes());
        }
        bytes.extend_from_slice(&crc32c::crc32c(&bytes).to_le_bytes());
        for part in parts {
            bytes.extend_from_slice(part);
        }
        let path = self.digest_path(sequence);
        let fresh = path.with_extension("digest.part");
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(true);
        let mut file = file::open(&fresh, options.mode(FILE_MODE), Links::Refuse)?;
        file.write_all(&bytes)?;
        fs::rename(&fresh, &path)
    }

    /// One line of a file, by its place: it must continue the line before it.
    pub fn line(&self, sequence: u64, spot: Spot) -> Result<Record, StoreError> {
        let path = file_in(&self.journal, sequence);
        let refused = |error| StoreError::io("read", &path, error);
        let file = disk::open_file(&path).map_err(refused)?;
        let before = spot.start.min(SEAL as u64);
        let length = usize::try_from(u64::from(spot.length) + before).unwrap_or(0);
        let mut bytes = vec![0; length];
        file.read_exact_at(&mut bytes, spot.start - before)
            .map_err(refused)?;
        let before = usize::try_from(before).unwrap_or(0);
        let (end, text) = bytes.split_at(before);
        let seed = if before == 0 {
            self.seed(sequence)?.map(|seed| seed.crc)
        } else {
            line::seal(end)
        };
        let whole = seed.is_some_and(|seed| line::check(text, seed).is_ok());
        let record = if whole { line::parse(text).ok() } else { None };
        record.ok_or_else(|| {
            refused(io::Error::new(
                io::ErrorKind::InvalidData,
                "a line of it does not match its checksum",
            ))
        })
    }

    fn digest_path(&self, sequence: u64) -> PathBuf {
        file_in(&self.journal, sequence).with_extension("digest")
    }

    /// The length of a file and the checksum at its end, which vouches for all that is before; nothing
    /// where it does not end in a whole line.
    fn state_of(&self, sequence: u64) -> io::Result<Option<(u64, u32)>> {
        let file = disk::open_file(&file_in(&self.journal, sequence))?;
        let length = file.metadata()?.len();
        let Some(start) = length.checked_sub(SEAL as u64) else {
            return Ok(None);
        };
        let mut end = [0; SEAL];
        file.read_exact_at(&mut end, start)?;
        Ok(line::seal(&end).map(|crc| (length, crc)))
    }
}

fn beginning(version: u32, length: u64, crc: u32) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(HEAD);
    bytes.extend_from_slice(MAGIC);
    bytes.extend_from_slice(&version.to_le_bytes());
    bytes.extend_from_slice(&length.to_le_bytes());
    bytes.extend_from_slice(&crc.to_le_bytes());
    bytes
}
