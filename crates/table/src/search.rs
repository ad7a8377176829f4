//! Searches the log: first the entries in memory, then the files of the journal, newest first.
//!
//! Each file is parsed, and its entries are redacted for the seat before the filter sees them, exactly as on a screen.
//! A search never finds a word that the seat may not read. There is no index: a search of a million entries takes seconds
//! in the background, and its newest hits are on the screen at once.

use std::sync::Arc;
use std::time::{Duration, Instant};

use memchr::memchr_iter;

use super::journal_entry::{changes_note, kind_of, read, read_line};
use super::log_fold::FOLDED_KINDS;
use super::marks::{Mark, PlacedMark};
use super::workers::run_all;
use super::{Entry, Filter, FoldKey, Seat, SeatView, Table};
use tableside_store::{Reader, StoreError, number_of};

/// The maximum number of files that a search reads at a time. The remaining cores serve other players.
const FILES_AT_A_TIME: usize = 4;

/// The number of entries that are filtered under one lock of the table.
const ENTRIES_PER_LOCK: usize = 64;

/// A searched part of the log.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LogChunk {
    /// The entries that the seat may read and the filter lets through, oldest first.
    pub hits: Vec<SearchHit>,
    /// The oldest event that was searched; 1 when the search is complete.
    pub from: u64,
    /// The reason why a part of the log could not be read.
    pub error: Option<String>,
}

/// An entry that was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchHit {
    pub number: u64,
    /// Decides with which neighbouring entries the entry shares a row.
    pub key: FoldKey,
}

impl SearchHit {
    /// Returns the hit for a redacted entry.
    fn new(entry: &Entry, view: &SeatView<'_>) -> Self {
        Self {
            number: entry.number,
            key: view.fold_key(entry),
        }
    }
}

impl LogChunk {
    /// The numbers of the entries that were found, oldest first.
    pub fn numbers(&self) -> impl Iterator<Item = u64> {
        self.hits.iter().map(|hit| hit.number)
    }
}

/// The seat and the filter of a search.
struct SearchQuery<'a> {
    seat: &'a Seat,
    filter: &'a Filter,
    /// Only entries before this number are searched.
    below: u64,
}

impl SearchQuery<'_> {
    /// True if every entry is a hit that the seat may read.
    fn matches_all(&self) -> bool {
        self.seat.sees_all() && self.filter.is_empty()
    }
}

/// The hits among the entries in memory, and the data that a search of the journal then needs.
struct RecentHits {
    /// Oldest first.
    hits: Vec<SearchHit>,
    /// The oldest event in memory.
    first: u64,
    /// From this event on, the [`Mark`]s of all events are known.
    known_from: u64,
    /// A reader of the journal, if the game is saved.
    reader: Option<Reader>,
}

impl RecentHits {
    fn find(view: &SeatView<'_>, filter: &Filter, below: u64) -> Self {
        let hits = view
            .log_since(0)
            .take_while(|entry| entry.number < below)
            .filter(|entry| filter.lets_through(entry, view))
            .map(|entry| SearchHit::new(&entry, view))
            .collect();
        Self {
            hits,
            first: view.log_reaches_to(),
            known_from: view.history().marked_from(),
            reader: view.reader(),
        }
    }
}

/// A searched file of the journal.
struct SearchedFile {
    /// The number of the file's first event.
    first: u64,
    hits: Vec<SearchHit>,
    marks: Vec<PlacedMark>,
}

impl Table {
    /// Searches the entries before `below`, newest first, and stops after about `patience`.
    pub fn search(&self, seat: &Seat, filter: &Filter, below: u64, patience: Duration) -> LogChunk {
        let started = Instant::now();
        let recent = self.read(seat, |view| RecentHits::find(view, filter, below));
        let query = SearchQuery {
            seat,
            filter,
            below: below.min(recent.first),
        };
        let mut chunk = LogChunk {
            from: 1,
            ..LogChunk::default()
        };
        let mut hits_by_file = vec![recent.hits];
        // If the search begins before the events whose marks are known, there is a gap between the known marks and the
        // marks that the search finds.
        let mut marks = NewMarks::before(recent.known_from);
        marks.is_gapless = query.below >= recent.known_from;

        let files = recent
            .reader
            .iter()
            .flat_map(|reader| reader.back_from(query.below));
        let mut jobs = files.map(|read| {
            let query = &query;
            move || {
                let file = read()?;
                Some(file.map(|(first, bytes)| self.search_file(first, &bytes, query)))
            }
        });
        loop {
            let batch: Vec<_> = jobs.by_ref().take(FILES_AT_A_TIME).collect();
            if batch.is_empty() {
                break;
            }

            let mut oldest = None;
            for result in run_all(batch).into_iter().flatten() {
                match result {
                    Ok(file) => {
                        marks.add_file(file.first, file.marks);
                        hits_by_file.push(file.hits);
                        oldest = Some(file.first);
                    }
                    Err(error) => {
                        marks.is_gapless = false;
                        chunk.error = Some(error.to_string());
                    }
                }
            }
            if let Some(oldest) = oldest
                && started.elapsed() >= patience
            {
                chunk.from = oldest;
                break;
            }
        }

        drop(jobs);
        self.learn_marks(marks);
        chunk.hits = hits_by_file.into_iter().rev().flatten().collect();
        chunk
    }

    /// Searches one file of the journal.
    fn search_file(&self, first: u64, bytes: &[u8], query: &SearchQuery<'_>) -> SearchedFile {
        let lines: Vec<(u64, &[u8])> = lines_of(bytes)
            .filter_map(|line| Some((number_of(line)?, line)))
            .filter(|(number, _)| *number < query.below)
            .collect();

        let mut hits = Vec::new();
        if query.matches_all() {
            hits = self.all_hits(&lines, query);
        } else {
            for chunk in lines.chunks(ENTRIES_PER_LOCK) {
                let entries: Vec<Arc<Entry>> = chunk
                    .iter()
                    .filter_map(|(_, line)| read_line(line))
                    .map(Arc::new)
                    .collect();
                self.find_hits(&entries, query, &mut hits);
            }
        }

        SearchedFile {
            first,
            hits,
            marks: marks_in(bytes),
        }
    }

    /// Returns every line that the seat may read as a hit. Only entries that may fold or be hidden are parsed.
    fn all_hits(&self, lines: &[(u64, &[u8])], query: &SearchQuery<'_>) -> Vec<SearchHit> {
        let mut hits = Vec::with_capacity(lines.len());
        for chunk in lines.chunks(ENTRIES_PER_LOCK) {
            let entries: Vec<Option<Arc<Entry>>> = chunk
                .iter()
                .map(|(_, line)| {
                    if may_fold(line) || changes_note(line) {
                        read_line(line).map(Arc::new)
                    } else {
                        None
                    }
                })
                .collect();

            self.read(query.seat, |view| {
                for ((number, _), entry) in chunk.iter().zip(&entries) {
                    match entry {
                        None => hits.push(SearchHit {
                            number: *number,
                            key: FoldKey::default(),
                        }),
                        Some(entry) => {
                            if let Some(readable) = view.redact_entry(entry) {
                                hits.push(SearchHit::new(&readable, view));
                            }
                        }
                    }
                }
            });
        }
        hits
    }

    /// Adds the entries that the seat may read and the filter lets through.
    fn find_hits(
        &self,
        entries: &[Arc<Entry>],
        query: &SearchQuery<'_>,
        hits: &mut Vec<SearchHit>,
    ) {
        self.read(query.seat, |view| {
            for entry in entries {
                if let Some(readable) = view.redact_entry(entry)
                    && query.filter.lets_through(&readable, view)
                {
                    hits.push(SearchHit::new(&readable, view));
                }
            }
        });
    }

    fn learn_marks(&self, marks: NewMarks) {
        if !marks.placed.is_empty() || marks.from < marks.known_from {
            let mut inner = self.inner();
            inner
                .history
                .learn_marks(marks.from, marks.known_from, marks.placed);
        }
    }

    /// Reads entries of any age into memory. Unreadable entries are left out.
    pub fn fetch(&self, numbers: &[u64]) {
        let (reader, mut missing) = {
            let inner = self.look();
            let mut missing = numbers.to_vec();
            missing.retain(|number| inner.history.entry(*number).is_none());
            (inner.reader(), missing)
        };
        let Some(reader) = reader else {
            return;
        };

        missing.sort_unstable();
        let mut entries = Vec::new();
        for run in missing.chunk_by(|number, next| number + 1 == *next) {
            let records = match run {
                [first, .., last] => reader.read(*first..last + 1),
                [number] => reader.event(*number).map(Vec::from_iter),
                [] => continue,
            };
            // An unreadable entry stays an empty line on the screen.
            let readable_records = records.unwrap_or_default();
            for entry in readable_records.iter().filter_map(read) {
                entries.push(Arc::new(entry));
            }
        }
        self.inner().history.hold(entries);
    }

    /// Reads the marks of all events, so that the history knows for every entry whether it was undone or replaced.
    pub(super) fn know_marks(&self) -> Result<(), StoreError> {
        let (reader, known_from) = {
            let inner = self.look();
            (inner.reader(), inner.history.marked_from())
        };

        let mut marks = NewMarks::before(known_from);
        let files = reader
            .iter()
            .flat_map(|reader| reader.back_from(known_from));
        let mut jobs = files.map(|read| {
            move || {
                let file = read()?;
                Some(file.map(|(first, bytes)| (first, marks_in(&bytes))))
            }
        });
        loop {
            let batch: Vec<_> = jobs.by_ref().take(FILES_AT_A_TIME).collect();
            if batch.is_empty() {
                break;
            }
            for result in run_all(batch).into_iter().flatten() {
                let (first, placed) = result?;
                marks.add_file(first, placed);
            }
        }

        drop(jobs);
        marks.from = 1;
        self.learn_marks(marks);
        Ok(())
    }
}

/// Marks from files of the journal, newest file first.
struct NewMarks {
    /// From this event on, all marks were known before the search.
    known_from: u64,
    /// From this event on, all marks are known now.
    from: u64,
    placed: Vec<PlacedMark>,
    /// False after a file that could not be read.
    is_gapless: bool,
}

impl NewMarks {
    fn before(known_from: u64) -> Self {
        Self {
            known_from,
            from: known_from,
            placed: Vec::new(),
            is_gapless: true,
        }
    }

    fn add_file(&mut self, first: u64, placed: Vec<PlacedMark>) {
        if self.is_gapless {
            self.from = self.from.min(first);
            self.placed.extend(placed);
        }
    }
}

/// The marks that the events of a file set.
fn marks_in(bytes: &[u8]) -> Vec<PlacedMark> {
    let mut marks = Vec::new();
    for line in lines_of(bytes) {
        if may_mark(line)
            && let Some(entry) = read_line(line)
        {
            let kind = &entry.event.what;
            marks.extend(PlacedMark::of(entry.number, kind));
        }
    }
    marks
}

/// True if the event of a line of the journal may set a mark.
fn may_mark(line: &[u8]) -> bool {
    match kind_of(line) {
        Some(kind) => Mark::KINDS.contains(&kind),
        None => true,
    }
}

/// True if the event of a line of the journal may fold with others.
fn may_fold(line: &[u8]) -> bool {
    match kind_of(line) {
        Some(kind) => FOLDED_KINDS.contains(&kind),
        None => false,
    }
}

/// The lines of a file without their newlines.
fn lines_of(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut start = 0;
    let ends = memchr_iter(b'\n', bytes).chain([bytes.len()]);
    ends.map(move |end| {
        let line = bytes.get(start..end).unwrap_or_default();
        start = end + 1;
        line
    })
}
