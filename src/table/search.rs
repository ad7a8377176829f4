//! Going through a log that is longer than what is in memory: searched by its digests on a worker's thread,
//! a stretch at a time, and shown from single lines of the journal.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use memchr::memmem::Finder;
use memchr::{memchr, memrchr};

use super::digest::{self, Digest, Kept, Kind, Told};
use super::filter::{Filter, Part};
use super::history::read;
use super::{Entry, Seat, Table, Tally};
use crate::rules::System;
use crate::session::CharacterId;
use crate::store::{Reader, StoreError};

/// What a stretch of a search came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// The numbers of the entries that are let through, oldest first.
    pub rows: Vec<u64>,
    /// The event back to which everything was looked at; 1 at the end.
    pub from: u64,
    /// What could not be looked at, and why.
    pub unread: Option<String>,
}

/// What a table knows of its log without having it in memory.
#[derive(Debug, Default)]
pub(super) struct Catalog {
    /// The journal's files and the first event of each, oldest first; as of when the last of them was begun.
    files: Arc<Vec<(u64, u64)>>,
    /// The file that was written then.
    as_of: u64,
    /// What the file that is still written comes to, so far; 0 where there is none and all is in memory.
    open: (u64, Digest),
}

/// What one seat may find.
struct Lens<'a> {
    seat: &'a Seat,
    filter: &'a Filter,
    anchor: Option<Finder<'a>>,
    /// Characters that it does not know of.
    unknown: HashSet<CharacterId>,
    /// The scenes' names in small letters, each with its first event.
    scenes: Vec<(u64, String)>,
    below: u64,
}

/// What is decided about a line.
enum Verdict {
    Shown,
    Hidden,
    /// The words are not those that the seat reads.
    Reread,
}

impl Table {
    /// Looks for entries before `below` that the seat may read and the filter lets through, newest first,
    /// and stops after about so long. It may take longer where the log was never gone through before, so a
    /// worker should do it.
    pub fn search(&self, seat: &Seat, filter: &Filter, below: u64, patience: Duration) -> Found {
        let began = Instant::now();
        let (system, reader) = self.journal();
        let lens = self.lens(seat, filter, below);
        let mut stretches: Vec<Vec<u64>> = Vec::new();
        let mut found = Found {
            from: 1,
            ..Found::default()
        };
        let files = self.files(reader.as_ref());
        let open = files.last().copied().unwrap_or((0, 1));
        let mut words = Vec::new();
        for &(sequence, first) in files.iter().rev().chain(files.is_empty().then_some(&open)) {
            if first >= below {
                continue;
            }
            let mut rows = Vec::new();
            if sequence == open.0 {
                // A copy: who is asked about a line may look into the catalog, too.
                let catalog = self.open_digest(reader.as_ref(), open, system, below);
                words.clone_from(&catalog.open.1.words);
                drop(catalog);
                self.scan(&words, &lens, &mut rows);
            } else if let Some(reader) = &reader {
                match self.read_words(reader, sequence, system, &mut words) {
                    Ok(()) => self.scan(&words, &lens, &mut rows),
                    Err(error) => found.unread = Some(error.to_string()),
                }
            }
            stretches.push(rows);
            if first > 1 && began.elapsed() >= patience {
                found.from = first;
                break;
            }
        }
        found.rows = stretches.into_iter().rev().flatten().collect();
        if found.from == 1 {
            self.learn_marks(reader.as_ref(), &files, system);
        }
        found
    }

    /// Brings entries into memory, wherever in the log they are. What cannot be read is not brought.
    pub fn fetch(&self, numbers: &[u64]) {
        let (_, reader) = self.journal();
        let Some(reader) = reader else { return };
        let wanted: Vec<u64> = {
            let inner = self.inner();
            let missing = |number: &&u64| inner.history.entry(**number).is_none();
            numbers.iter().filter(missing).copied().collect()
        };
        if wanted.is_empty() {
            return;
        }
        let files = self.files(Some(&reader));
        let mut kept: HashMap<u64, Option<Kept>> = HashMap::new();
        let mut entries = Vec::new();
        for number in wanted {
            let at = files.partition_point(|(_, first)| *first <= number);
            let Some(&(sequence, _)) = at.checked_sub(1).and_then(|at| files.get(at)) else {
                continue;
            };
            let kept = kept
                .entry(sequence)
                .or_insert_with(|| Kept::of(&reader, sequence));
            let spot = match kept {
                Some(kept) => kept.place(number),
                None => self.open_place(sequence, number),
            };
            let record = match spot {
                Some(spot) => reader.line(sequence, spot).ok(),
                None => reader
                    .read(number..number + 1)
                    .ok()
                    .and_then(|mut records| records.pop()),
            };
            let found = record.filter(|record| record.n == number);
            entries.extend(found.as_ref().and_then(read).map(Arc::new));
        }
        self.inner().history.hold(entries.into_iter());
    }

    /// Has the files that were closed since the last time gone through, on a thread of its own, which does
    /// not keep the game open.
    pub(super) fn digest_beside(&self) {
        let (system, reader) = self.journal();
        let Some(reader) = reader else { return };
        let digesting = Arc::clone(&self.digesting);
        let closed_files = move || {
            let files = reader.files().unwrap_or_default();
            for &sequence in files.iter().rev().skip(1) {
                let _one = digesting.lock().unwrap_or_else(PoisonError::into_inner);
                if Kept::of(&reader, sequence).is_some()
                    || digest::make(&reader, sequence, system).is_err()
                {
                    return;
                }
            }
        };
        // Where no thread can be had, the file is gone through when somebody looks for something.
        let _started = thread::Builder::new()
            .name("digest".to_owned())
            .spawn(closed_files);
    }

    fn journal(&self) -> (System, Option<Reader>) {
        let inner = self.inner();
        let reader = inner.store.as_ref().map(|store| store.reader());
        (inner.session.system, reader)
    }

    fn lens<'a>(&self, seat: &'a Seat, filter: &'a Filter, below: u64) -> Lens<'a> {
        let inner = self.inner();
        let roster = inner.session.roster.iter();
        let unknown = roster.filter(|one| !seat.knows(one)).map(|one| one.id);
        let scenes = inner.session.scenes.iter();
        let scenes = scenes.map(|scene| (scene.from, scene.name.to_lowercase()));
        // What a seat reads instead of what is hidden from it stands in no file.
        let anchor = filter.anchor().filter(|_| seat.sees_all());
        Lens {
            seat,
            filter,
            anchor: anchor.map(|word| Finder::new(word.as_bytes())),
            unknown: unknown.collect(),
            scenes: scenes.collect(),
            below,
        }
    }

    fn catalog(&self) -> MutexGuard<'_, Catalog> {
        self.catalog.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn digesting(&self) -> MutexGuard<'_, ()> {
        self.digesting
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// The journal's files and the first event of each, oldest first; files without one are left out.
    pub(super) fn files(&self, reader: Option<&Reader>) -> Arc<Vec<(u64, u64)>> {
        let Some(reader) = reader else {
            return Arc::default();
        };
        let written = self.inner().store.as_ref().map_or(0, |one| one.sequence());
        let mut catalog = self.catalog();
        // Who only looks is not told when a file is begun.
        if written == 0 || catalog.as_of != written {
            let files = reader.files().unwrap_or_default().into_iter();
            let known = files.filter_map(|sequence| {
                let first = reader.first_of(sequence).ok().flatten()?;
                Some((sequence, first))
            });
            catalog.files = Arc::new(known.collect());
            let newest = catalog.files.last().map_or(0, |(sequence, _)| *sequence);
            // The file may be begun and its first line not be written yet.
            catalog.as_of = if newest == written { written } else { 0 };
        }
        Arc::clone(&catalog.files)
    }

    /// The words of a closed file, worked out if they are not there.
    fn read_words(
        &self,
        reader: &Reader,
        sequence: u64,
        system: System,
        words: &mut Vec<u8>,
    ) -> Result<(), StoreError> {
        let read = |words: &mut Vec<u8>| Kept::of(reader, sequence)?.words_into(words);
        if read(words).is_some() {
            return Ok(());
        }
        let _one = self.digesting();
        // Somebody else may have worked it out meanwhile.
        if read(words).is_none() {
            *words = digest::make(reader, sequence, system)?.words;
        }
        Ok(())
    }

    /// What the open file comes to, at least up to that event: from the file first, then from memory.
    fn open_digest(
        &self,
        reader: Option<&Reader>,
        (sequence, first): (u64, u64),
        system: System,
        below: u64,
    ) -> MutexGuard<'_, Catalog> {
        let mut catalog = self.catalog();
        if catalog.open.0 != sequence || catalog.open.1.last == 0 {
            catalog.open = (sequence, Digest::default());
        }
        if catalog.open.1.last + 1 >= below {
            return catalog;
        }
        let is_near = |from: u64| self.inner().history.first() <= from;
        if !is_near((catalog.open.1.last + 1).max(first))
            && let Some(block) = reader.and_then(|reader| reader.load(sequence).ok())
        {
            catalog.open.1 = Digest::of(&block, system);
        }
        let next = (catalog.open.1.last + 1).max(first);
        let newer: Vec<Arc<Entry>> = self.inner().history.since(next).cloned().collect();
        for entry in newer {
            catalog.open.1.take(&entry, system);
        }
        catalog
    }

    fn open_place(&self, sequence: u64, number: u64) -> Option<crate::store::Spot> {
        let catalog = self.catalog();
        let (of, digest) = &catalog.open;
        let found = digest.places.binary_search_by_key(&number, |(one, _)| *one);
        let place = digest.places.get(found.ok()?)?;
        (*of == sequence).then_some(place.1)
    }

    fn scan(&self, words: &[u8], lens: &Lens<'_>, rows: &mut Vec<u64>) {
        let mut start = 0;
        while let Some(rest) = words.get(start..).filter(|rest| !rest.is_empty()) {
            let (begin, from) = match &lens.anchor {
                None => (start, start),
                Some(anchor) => match anchor.find(rest) {
                    None => return,
                    Some(hit) => {
                        let hit = start + hit;
                        let before = words.get(..hit).unwrap_or_default();
                        (memrchr(b'\n', before).map_or(0, |end| end + 1), hit)
                    }
                },
            };
            let after = words.get(from..).unwrap_or_default();
            let end = memchr(b'\n', after).map_or(words.len(), |end| from + end);
            let line = words.get(begin..end).unwrap_or_default();
            rows.extend(self.judge(line, lens));
            start = end + 1;
        }
    }

    /// The number of the entry on a line, if it is one to be shown.
    fn judge(&self, line: &[u8], lens: &Lens<'_>) -> Option<u64> {
        if lens.filter.is_empty() && lens.seat.sees_all() {
            return Told::number_of(line).filter(|number| *number < lens.below);
        }
        let told = Told::read(line).filter(|told| told.number < lens.below)?;
        let shown = match lens.verdict(&told) {
            Verdict::Hidden => false,
            Verdict::Shown => lens.filter.meets(|part| match part {
                Part::Scene => lens.scene_of(told.number),
                part => told.part(part),
            }),
            Verdict::Reread => {
                self.fetch(&[told.number]);
                self.read(lens.seat, |seen| {
                    seen.entry(told.number)
                        .is_some_and(|entry| lens.filter.lets_through(&entry, seen))
                })
            }
        };
        shown.then_some(told.number)
    }

    /// Learns which of all entries do not hold any more, wherever in the log they are.
    pub(super) fn know_marks(&self) {
        let (system, reader) = self.journal();
        let files = self.files(reader.as_ref());
        self.learn_marks(reader.as_ref(), &files, system);
    }

    /// Learns which of all entries do not hold any more, once.
    fn learn_marks(&self, reader: Option<&Reader>, files: &[(u64, u64)], system: System) {
        if self.inner().history.knows_marks() {
            return;
        }
        let Some(reader) = reader else { return };
        let mut marks = Vec::new();
        let closed = files.iter().rev().skip(1).rev();
        for &(sequence, _) in closed {
            match Kept::of(reader, sequence).and_then(|kept| kept.marks()) {
                Some(more) => marks.extend(more),
                None => match digest::make(reader, sequence, system) {
                    Ok(digest) => marks.extend(digest.marks),
                    Err(_) => return,
                },
            }
        }
        if let Some(&open) = files.last() {
            let below = self.inner().history.first();
            let catalog = self.open_digest(Some(reader), open, system, below);
            marks.extend_from_slice(&catalog.open.1.marks);
        }
        self.inner().history.learn_marks(marks);
    }

    /// The figures of all events below that one.
    pub(super) fn tally_below(
        &self,
        reader: &Reader,
        system: System,
        below: u64,
    ) -> Result<Tally, StoreError> {
        let mut tally = Tally::default();
        let files = self.files(Some(reader));
        for (at, &(sequence, first)) in files.iter().enumerate() {
            let next = files.get(at + 1);
            if first >= below {
                break;
            }
            tally.merge(if next.is_some_and(|(_, first)| *first <= below) {
                let kept = Kept::of(reader, sequence).and_then(|kept| kept.tally());
                if let Some(kept) = kept {
                    kept
                } else {
                    let _one = self.digesting();
                    digest::make(reader, sequence, system)?.tally
                }
            } else {
                Tally::of_block(&reader.load(sequence)?, system, below)?
            });
        }
        Ok(tally)
    }
}

impl Lens<'_> {
    /// As [`SeatView`](super::Seen) decides it of an entry.
    fn verdict(&self, told: &Told<'_>) -> Verdict {
        if self.seat.sees_all() {
            return Verdict::Shown;
        }
        let is_known = |id: u32| !self.unknown.contains(&CharacterId(id));
        let open = !self.seat.is_closed(&told.hidden_from()) && told.id.is_none_or(is_known);
        let shown = match told.kind {
            Kind::Noticed if !open => return Verdict::Reread,
            Kind::Roll | Kind::Noticed => open,
            Kind::Scene => true,
            Kind::Other if told.seat == self.seat.id => return Verdict::Reread,
            Kind::Other => false,
        };
        if shown {
            Verdict::Shown
        } else {
            Verdict::Hidden
        }
    }

    fn scene_of(&self, number: u64) -> &str {
        let after = self.scenes.partition_point(|(from, _)| *from <= number);
        let begun = after.checked_sub(1).and_then(|at| self.scenes.get(at));
        // Before the first one there is the present one, as a session has it.
        let scene = begun.or_else(|| self.scenes.last());
        scene.map_or("", |(_, name)| name)
    }
}
