//! Cuts a journal at its first damage. Everything that is cut off is kept in other files.

use std::fs::{self, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use memchr::memmem;
use tableside_text::pluralise;

use crate::error::{Damage, IoContext as _, Result};
use crate::file::{self, Links};
use crate::folder::disk::{self, Disk as _, RealDisk};
use crate::folder::recover::tail::Tail;
use crate::journal::block::{Block, LineEntry};
use crate::journal::journal_file;
use crate::journal::line;

/// The position where a journal has to be cut.
pub(super) struct Cut {
    /// The sequence number of the last file that is kept.
    pub(super) sequence: u64,
    /// The first line of that file that is cut off. `None` if only later files are removed.
    pub(super) line: Option<LineEntry>,
    pub(super) damage: Damage,
    /// True if a crash has interrupted the last write. Then the journal counts as undamaged.
    pub(super) is_torn: bool,
}

/// The lines that were cut off.
struct TornLines {
    file: PathBuf,
    length: usize,
    /// The number of complete events among them.
    complete_events: usize,
}

impl Cut {
    /// Cuts the journal, and returns a notice for the user.
    pub(super) fn repair(self, journal: &Path, tail: &mut Tail) -> Result<String> {
        let torn_lines = self.cut_lines(journal, tail)?;
        if self.is_torn
            && let Some(torn_lines) = &torn_lines
        {
            return Ok(self.describe_torn_end(torn_lines));
        }

        let later_files = self.set_later_files_aside(journal, tail)?;
        let torn_file = torn_lines.map(|torn_lines| torn_lines.file);
        let moved_to: Vec<PathBuf> = torn_file.into_iter().chain(later_files).collect();
        Ok(self.describe_damage(&moved_to))
    }

    /// Cuts the lines off the last file that is kept.
    fn cut_lines(&self, journal: &Path, tail: &mut Tail) -> Result<Option<TornLines>> {
        let Some(line) = &self.line else {
            return Ok(None);
        };
        let mut blocks = tail.blocks.iter_mut();
        let tail_block = blocks.find(|block| block.sequence == self.sequence);
        let Some(tail_block) = tail_block else {
            return Ok(None);
        };

        let block = &mut tail_block.block;
        let complete_events = block
            .good_lines()
            .filter(|good| good.start > line.start)
            .count();
        let torn_bytes = block.cut(line);

        let path = journal_file(journal, self.sequence);
        let length = line.start as u64;
        let file = cut_file(journal, &path, length, &torn_bytes).io_context("rename", &path)?;
        Ok(Some(TornLines {
            file,
            length: torn_bytes.len(),
            complete_events,
        }))
    }

    /// Renames the later files, and returns their new paths. The newest file is first, so that a crash in between leaves
    /// no gap.
    fn set_later_files_aside(&self, journal: &Path, tail: &Tail) -> Result<Vec<PathBuf>> {
        let later_files = tail
            .files
            .iter()
            .rev()
            .copied()
            .filter(|sequence| *sequence > self.sequence);

        let mut torn_paths = Vec::new();
        for sequence in later_files {
            let path = journal_file(journal, sequence);
            let torn_path = disk::free_name(&path, "torn");
            fs::rename(&path, &torn_path).io_context("rename", &path)?;
            torn_paths.push(torn_path);
        }
        torn_paths.reverse();
        Ok(torn_paths)
    }

    fn describe_torn_end(&self, torn_lines: &TornLines) -> String {
        let events = match torn_lines.complete_events {
            0 => String::new(),
            1 => " (including 1 complete event after the incomplete part)".to_owned(),
            count => format!(" (including {count} complete events after the incomplete part)"),
        };
        format!(
            "The end of the journal was incomplete, as after a crash. The program moved its last {}{events} to {}. The game continues after event {}.",
            pluralise(torn_lines.length, "byte"),
            torn_lines.file.display(),
            self.damage.last_good
        )
    }

    fn describe_damage(&self, moved_to: &[PathBuf]) -> String {
        let damage = &self.damage;
        let last_good = damage.last_good;
        let message = format!(
            "The journal was damaged ({damage}). The game continues after event {last_good}."
        );

        match moved_to {
            [] => message,
            [file] => {
                let file = file.display();
                format!("{message} The rest of the journal was moved to {file}.")
            }
            [first, others @ ..] => {
                let first = first.display();
                let others = pluralise(others.len(), "later *.torn file");
                format!("{message} The rest of the journal was moved to {first} and {others}.")
            }
        }
    }
}

/// Writes the bytes after `length` to another file, then shortens the file. Returns the path of the other file.
fn cut_file(journal: &Path, path: &Path, length: u64, torn_bytes: &[u8]) -> io::Result<PathBuf> {
    let torn_path = disk::save_torn_bytes(path, torn_bytes)?;
    // The copy must be on the disk before the original changes.
    RealDisk.sync(journal)?;

    let mut options = OpenOptions::new();
    options.write(true);
    let file = file::open(path, &mut options, Links::Refuse)?;
    file.set_len(length)?;
    file.sync_all()?;
    Ok(torn_path)
}

/// Returns true if a crash or a power cut explains the bad line: the line is the incomplete end of the file, or a part
/// of the line never reached the disk and reads as zeros.
pub(super) fn is_torn_by_crash(block: &Block, line: &LineEntry) -> bool {
    let text = block.text(line);
    let has_hole = memmem::find(text, &line::HOLE).is_some();
    if has_hole {
        return true;
    }

    let is_last = line.start + text.len() == block.bytes.len();
    // A crash leaves an incomplete line. It never replaces the newline between two lines by another byte.
    let is_two_lines = match line.crc {
        Some(previous_crc) => line::begins_with_complete_line(text, previous_crc),
        None => false,
    };
    // A line with a checksum and a newline was written completely, and was changed later.
    let is_complete = match text.strip_suffix(b"\n") {
        Some(text) => line::stored_crc(text).is_some(),
        None => false,
    };
    is_last && !is_two_lines && !is_complete
}
