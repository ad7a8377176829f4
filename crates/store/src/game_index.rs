//! Summaries of games in a file of the data folder. With them, a list of games can be shown without opening every game.
//!
//! An entry is valid as long as the stamp of its game is the same. The index serves lists only: no decision about a
//! game depends on it. An index that is missing, damaged or of another version is built again. If several processes
//! write the index at once, the last one replaces the entries of the others, which are then computed again.

use std::collections::{HashMap, HashSet};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use chrono::{DateTime, Utc};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::file::{self, Links};
use crate::folder::NEWEST;
use crate::journal::{journal_file, journal_folder, list_files};
use crate::moment::date_of;
use crate::sidecar::FileStamp;
use crate::storage::{SavedGame, Storage};

/// The version of the file format. An index of another version is ignored.
const INDEX_FORMAT: u64 = 1;

/// The largest index that is read.
const LARGEST_INDEX: u64 = 256 << 20;

/// Files that changed so recently are not put into the index. Within the resolution of the file system's clock, they could
/// change again without getting another stamp.
const SETTLE_SECONDS: i64 = 2;

/// A version of a file or of a game.
pub trait Stamp: PartialEq {
    /// Returns the time of the newest change, in seconds since 1970.
    fn newest_change(&self) -> i64;
}

impl Stamp for FileStamp {
    fn newest_change(&self) -> i64 {
        self.changed
    }
}

/// Identifies a version of all files that describe a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameStamp {
    /// The folder of the game. Its stamp changes when a file, such as a copy of the rules, is added or replaced.
    folder: FileStamp,
    snapshot: FileStamp,
    /// The folder of the journal. Its stamp changes when a file is added, renamed or removed.
    journal: FileStamp,
    newest_file: JournalFileStamp,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct JournalFileStamp {
    sequence: u64,
    stamp: FileStamp,
}

impl GameStamp {
    /// Returns the stamp of the game in a folder. Returns `None` if files are missing.
    pub(crate) fn read(game: &Path) -> Option<Self> {
        let journal = journal_folder(game);
        let journal_stamp = FileStamp::read(&journal)?;
        let sequence = list_files(&journal).ok()?.pop()?;
        Some(Self {
            folder: FileStamp::read(game)?,
            snapshot: FileStamp::read(&NEWEST.find(game))?,
            journal: journal_stamp,
            newest_file: JournalFileStamp {
                sequence,
                stamp: FileStamp::read(&journal_file(&journal, sequence))?,
            },
        })
    }

    /// Returns true if the game in a folder still has this stamp. The folder of the journal is not listed: as long as its
    /// own stamp is the same, it contains the same files.
    pub(crate) fn is_current(&self, game: &Path) -> bool {
        let journal = journal_folder(game);
        let newest_file = journal_file(&journal, self.newest_file.sequence);
        FileStamp::read(game) == Some(self.folder)
            && FileStamp::read(&NEWEST.find(game)) == Some(self.snapshot)
            && FileStamp::read(&journal) == Some(self.journal)
            && FileStamp::read(&newest_file) == Some(self.newest_file.stamp)
    }
}

impl Stamp for GameStamp {
    fn newest_change(&self) -> i64 {
        let stamps = [
            self.folder,
            self.snapshot,
            self.journal,
            self.newest_file.stamp,
        ];
        stamps
            .iter()
            .map(|stamp| stamp.changed)
            .fold(i64::MIN, i64::max)
    }
}

/// Summaries of the games in a data folder. A database has no index, so its entries are never written.
#[derive(Debug)]
pub struct GameIndex<K, S> {
    /// The kind of the summaries. It is a part of the file name.
    kind: &'static str,
    path: Option<PathBuf>,
    entries: HashMap<String, IndexEntry<K, S>>,
    has_changed: bool,
}

/// The summary of one game.
#[derive(Debug, Serialize, Deserialize)]
pub struct IndexEntry<K, S> {
    /// The version of the game that the summary describes.
    pub stamp: K,
    pub summary: S,
}

/// The first line of an index. The second line is a JSON object with the entries.
#[derive(Serialize, Deserialize)]
struct IndexHeader {
    index: String,
    format: u64,
    program: String,
    /// The checksum of the second line.
    crc32c: u32,
}

impl<K, S> GameIndex<K, S>
where
    K: Stamp + Serialize + DeserializeOwned,
    S: Serialize + DeserializeOwned,
{
    /// Returns an index without entries, which replaces the one in the data folder when it is written. `kind` is a part of
    /// the file name.
    pub fn empty(storage: &Storage, kind: &'static str) -> Self {
        let path = storage
            .folder()
            .map(|folder| folder.join(format!(".{kind}.index")));
        Self {
            kind,
            path,
            entries: HashMap::new(),
            has_changed: false,
        }
    }

    /// Reads an index from the data folder. An index that cannot be read is empty.
    pub fn read(storage: &Storage, kind: &'static str) -> Self {
        let mut index = Self::empty(storage, kind);
        if let Some(path) = &index.path
            && let Some(entries) = read_entries(path, kind)
        {
            index.entries = entries;
        }
        index
    }

    pub fn get(&self, game: &str) -> Option<&IndexEntry<K, S>> {
        self.entries.get(game)
    }

    /// Adds an entry. `stamp` must have been read before the files that the summary is computed from. A game that
    /// changed within the last two seconds gets no entry.
    pub fn insert(&mut self, game: &str, stamp: K, summary: S, now: DateTime<Utc>) {
        if stamp.newest_change() > now.timestamp() - SETTLE_SECONDS {
            return;
        }
        let entry = IndexEntry { stamp, summary };
        self.entries.insert(game.to_owned(), entry);
        self.has_changed = true;
    }

    /// Removes the entries of games for which `is_kept` returns false.
    pub fn retain(&mut self, is_kept: impl Fn(&str) -> bool) {
        let length_before = self.entries.len();
        self.entries.retain(|game, _| is_kept(game));
        if self.entries.len() != length_before {
            self.has_changed = true;
        }
    }

    /// Writes the index if it has changed. An index that cannot be written, for example into a folder of another user, is
    /// computed again next time.
    pub fn write(&mut self) {
        if let Some(path) = &self.path
            && self.has_changed
        {
            let _written = write_entries(path, self.kind, &self.entries);
            self.has_changed = false;
        }
    }
}

fn read_entries<E: DeserializeOwned>(path: &Path, kind: &str) -> Option<HashMap<String, E>> {
    let bytes = file::read(path, LARGEST_INDEX, Links::Refuse).ok()?;
    let header_end = memchr::memchr(b'\n', &bytes)?;
    let header_line = bytes.get(..header_end)?;
    let header: IndexHeader = serde_json::from_slice(header_line).ok()?;
    let body = bytes.get(header_end + 1..)?;

    let is_valid = header.index == kind
        && header.format == INDEX_FORMAT
        && header.program == env!("CARGO_PKG_VERSION")
        && header.crc32c == crc32c::crc32c(body);
    if !is_valid {
        return None;
    }
    serde_json::from_slice(body).ok()
}

fn write_entries<E: Serialize>(
    path: &Path,
    kind: &str,
    entries: &HashMap<String, E>,
) -> io::Result<()> {
    let body = serde_json::to_vec(entries)?;
    let header = IndexHeader {
        index: kind.to_owned(),
        format: INDEX_FORMAT,
        program: env!("CARGO_PKG_VERSION").to_owned(),
        crc32c: crc32c::crc32c(&body),
    };
    let mut contents = serde_json::to_vec(&header)?;
    contents.push(b'\n');
    contents.extend_from_slice(&body);

    // The file is not synced: after a power cut, the checksum reveals an incomplete index.
    let folder = path.parent().unwrap_or(path);
    let mut temporary = tempfile::Builder::new()
        .prefix(".tableside-")
        .tempfile_in(folder)?;
    temporary.write_all(&contents)?;
    temporary.persist(path)?;
    Ok(())
}

impl Storage {
    /// Returns a summary of each game, in the same order. `summarise` is called only for games without a current entry
    /// in the index. Errors of `summarise` are returned, but not stored in the index.
    pub fn summaries<S, E>(
        &self,
        games: &[SavedGame],
        summarise: impl FnMut(&SavedGame) -> Result<S, E>,
    ) -> Vec<Result<S, E>>
    where
        S: Clone + Serialize + DeserializeOwned,
    {
        self.summaries_at(games, date_of(SystemTime::now()), summarise)
    }

    /// Does the work of [`summaries`](Self::summaries). `now` is the present time, which tests choose.
    fn summaries_at<S, E>(
        &self,
        games: &[SavedGame],
        now: DateTime<Utc>,
        mut summarise: impl FnMut(&SavedGame) -> Result<S, E>,
    ) -> Vec<Result<S, E>>
    where
        S: Clone + Serialize + DeserializeOwned,
    {
        let mut index: GameIndex<GameStamp, S> = GameIndex::read(self, "games");
        let mut summaries = Vec::with_capacity(games.len());

        for game in games {
            if let Some(entry) = index.get(&game.name)
                && game.location.has_stamp(&entry.stamp)
            {
                summaries.push(Ok(entry.summary.clone()));
                continue;
            }

            let stamp = game.location.stamp();
            let summary = summarise(game);
            if let Ok(summary) = &summary
                && let Some(stamp) = stamp
            {
                index.insert(&game.name, stamp, summary.clone(), now);
            }
            summaries.push(summary);
        }

        let names: HashSet<&str> = games.iter().map(|game| game.name.as_str()).collect();
        index.retain(|name| names.contains(name));
        index.write();
        summaries
    }
}

#[cfg(test)]
mod tests;
