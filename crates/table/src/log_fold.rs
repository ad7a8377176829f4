//! The log with neighbouring entries that belong together folded into one row.
//!
//! Two kinds of neighbours fold: ticks of one clock in one scene, and undos and redos with the entries that they are
//! about. [`FoldedLog`] has the numbers of the entries that a seat reads and finds the folds among them. It is built from
//! redacted entries only, so a fold neither contains nor counts an entry that the seat does not read.
//!
//! Places are counted from the newest entry of the log, which has place 0.

use tableside_game::{ClockId, EntityRef, EventKind, Part};

use super::marks::PlacedMark;
use super::redact::HIDDEN_NUMBER;
use super::{Entry, LogChunk, SeatView};

#[cfg(test)]
mod tests;

/// The names in the journal of the kinds of events whose entries have a [`FoldKey`] other than [`FoldKey::Alone`].
pub(crate) const FOLDED_KINDS: [&str; 3] = ["ticked", "undone", "redone"];

/// What an entry folds with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FoldKey {
    /// The entry folds only with its own undo.
    #[default]
    Alone,
    /// A tick folds with the next tick of the same clock.
    Tick(TickKey),
    /// An undo or a redo folds with the entry that it is about.
    Undo { about: u64 },
}

/// Two neighbouring ticks with equal keys fold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TickKey {
    clock: ClockId,
    /// The number of the event that began the scene.
    scene: u64,
    /// True if the tick led to something else, for example to a tick of a linked clock. Such a tick is the last one of its
    /// fold, so that the row of the fold can say what it led to.
    has_consequence: bool,
}

impl TickKey {
    /// True if a later tick continues the fold of this tick.
    fn continues_with(self, later: Self) -> bool {
        !self.has_consequence && self.clock == later.clock && self.scene == later.scene
    }
}

impl FoldKey {
    fn continues_with(self, later: Self) -> bool {
        match (self, later) {
            (Self::Tick(tick), Self::Tick(later)) => tick.continues_with(later),
            _ => false,
        }
    }
}

/// An entry that the seat reads, as [`FoldedLog::push`] needs it.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReadEntry {
    pub number: u64,
    pub key: FoldKey,
    /// True if the entry no longer holds.
    pub is_struck: bool,
}

/// How an entry is related to the next older entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Relation {
    None,
    /// Both are ticks with equal keys.
    SameClock,
    /// Both are part of one run of undos and redos.
    SameRun,
}

/// An entry of the folded log.
#[derive(Clone, Copy, Debug)]
struct Row {
    number: u64,
    relation: Relation,
    is_undo: bool,
    is_struck: bool,
}

/// Neighbouring entries that one row stands for. There are at least two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fold {
    /// The places of the newest and the oldest entry.
    pub newest: usize,
    pub oldest: usize,
    pub kind: FoldKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FoldKind {
    /// Ticks of one clock.
    Ticks,
    /// Entries that were undone or redone, and their undos and redos.
    Undos {
        /// How many of the entries are neither an undo nor a redo.
        undone: usize,
    },
}

impl Fold {
    /// The number of entries.
    pub fn count(&self) -> usize {
        self.oldest - self.newest + 1
    }
}

/// The numbers of the entries that a seat reads, and the folds among them.
#[derive(Clone, Debug, Default)]
pub struct FoldedLog {
    /// Oldest first.
    rows: Vec<Row>,
    /// The keys of the oldest and the newest entry, which may fold with entries that are added later.
    oldest_key: FoldKey,
    newest_key: FoldKey,
}

impl FoldedLog {
    /// Returns a log in which no entry folds.
    pub fn unfolded(numbers: impl IntoIterator<Item = u64>) -> Self {
        let mut log = Self::default();
        for number in numbers {
            log.push(ReadEntry {
                number,
                ..ReadEntry::default()
            });
        }
        log
    }

    /// The number of entries, folded or not.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The number of the entry at a place.
    pub fn number(&self, place: usize) -> Option<u64> {
        let index = self.rows.len().checked_sub(place + 1)?;
        self.rows.get(index).map(|row| row.number)
    }

    /// The place of an entry.
    pub fn place_of(&self, number: u64) -> Option<usize> {
        let index = self.index_of(number)?;
        Some(self.rows.len() - 1 - index)
    }

    /// How many entries are newer than `number`.
    pub fn count_newer(&self, number: u64) -> usize {
        let older = self.rows.partition_point(|row| row.number <= number);
        self.rows.len() - older
    }

    /// The fold that the entry at a place is part of. `None` if the entry has a row of its own.
    pub fn fold(&self, place: usize) -> Option<Fold> {
        let index = self.rows.len().checked_sub(place + 1)?;

        let mut first = index;
        while self.is_joined(first) {
            first -= 1;
        }
        let mut last = index;
        while self.is_joined(last + 1) {
            last += 1;
        }
        if first == last {
            return None;
        }

        let kind = if self.is_in_run(first) {
            let members = self.rows.get(first..=last).unwrap_or_default();
            let undone = members.iter().filter(|row| !row.is_undo).count();
            FoldKind::Undos { undone }
        } else {
            FoldKind::Ticks
        };
        let newest_index = self.rows.len() - 1;
        Some(Fold {
            newest: newest_index - last,
            oldest: newest_index - first,
            kind,
        })
    }

    /// Adds the next newer entry.
    pub fn push(&mut self, entry: ReadEntry) {
        let relation = match entry.key {
            FoldKey::Undo { about } if self.joins_run(about) => {
                self.extend_run(about);
                Relation::SameRun
            }
            key if self.newest_key.continues_with(key) => Relation::SameClock,
            _ => Relation::None,
        };
        if self.rows.is_empty() {
            self.oldest_key = entry.key;
        }
        self.newest_key = entry.key;
        self.rows.push(Row {
            number: entry.number,
            relation,
            is_undo: matches!(entry.key, FoldKey::Undo { .. }),
            is_struck: entry.is_struck,
        });
    }

    /// Adds all entries of an older part of the log.
    pub fn prepend(&mut self, older: Self) {
        if older.is_empty() {
            return;
        }
        if let Some(oldest) = self.rows.first_mut()
            && older.newest_key.continues_with(self.oldest_key)
        {
            oldest.relation = Relation::SameClock;
        }

        if self.rows.is_empty() {
            self.newest_key = older.newest_key;
        }
        self.oldest_key = older.oldest_key;
        let newer = std::mem::replace(&mut self.rows, older.rows);
        self.rows.extend(newer);
    }

    /// Notes whether an entry still holds. A tick that was struck does not fold with other ticks.
    pub fn set_struck(&mut self, number: u64, is_struck: bool) {
        if let Some(index) = self.index_of(number) {
            self.rows[index].is_struck = is_struck;
        }
    }

    /// True if an undo of the entry `about` would fold, if it came next.
    pub fn joins_run(&self, about: u64) -> bool {
        if let FoldKey::Undo { about: newest } = self.newest_key
            && newest == about
        {
            return true;
        }

        let run_start = self.newest_run_start();
        match self.index_of(about) {
            Some(index) if index >= run_start => true,
            // The entry directly before the run, or the newest entry if there is no run.
            Some(index) => index + 1 == run_start && !self.is_run_without_entry(run_start),
            None => false,
        }
    }

    /// Makes the entry directly before the newest run part of the run, if the run's next undo is about that entry.
    fn extend_run(&mut self, about: u64) {
        let run_start = self.newest_run_start();
        let is_before_run = self
            .index_of(about)
            .is_some_and(|index| index + 1 == run_start);
        if is_before_run && let Some(first) = self.rows.get_mut(run_start) {
            first.relation = Relation::SameRun;
        }
    }

    /// The index at which the run of undos at the end of the log starts; the length of the log if no undo is at its end.
    fn newest_run_start(&self) -> usize {
        let mut start = self.rows.len();
        if !matches!(self.newest_key, FoldKey::Undo { .. }) {
            return start;
        }

        start = start.saturating_sub(1);
        while self.rows.get(start).map(|row| row.relation) == Some(Relation::SameRun) {
            start -= 1;
        }
        start
    }

    /// True if the run starts with an undo of an entry that is farther away.
    fn is_run_without_entry(&self, run_start: usize) -> bool {
        self.rows.get(run_start).is_some_and(|row| row.is_undo)
    }

    /// True if the entry is part of a run of undos.
    fn is_in_run(&self, index: usize) -> bool {
        let has_run_relation = |index: usize| {
            let row = self.rows.get(index);
            row.is_some_and(|row| row.relation == Relation::SameRun)
        };
        has_run_relation(index) || has_run_relation(index + 1)
    }

    /// True if the entry and the next older one are in one fold.
    fn is_joined(&self, index: usize) -> bool {
        let Some(before) = index.checked_sub(1) else {
            return false;
        };
        let (Some(row), Some(older)) = (self.rows.get(index), self.rows.get(before)) else {
            return false;
        };
        match row.relation {
            Relation::None => false,
            Relation::SameRun => true,
            Relation::SameClock => {
                let both_hold = !row.is_struck && !older.is_struck;
                both_hold && !self.is_in_run(index) && !self.is_in_run(before)
            }
        }
    }

    fn index_of(&self, number: u64) -> Option<usize> {
        self.rows
            .binary_search_by_key(&number, |row| row.number)
            .ok()
    }
}

/// Folds of the log as a seat reads it.
impl SeatView<'_> {
    /// What an entry folds with. `entry` is redacted for the seat.
    pub fn fold_key(&self, entry: &Entry) -> FoldKey {
        match &entry.event.what {
            EventKind::Ticked { then, .. } => match ticked_clock(entry) {
                Some(clock) => FoldKey::Tick(TickKey {
                    clock,
                    scene: self.scene_of(entry.number).from,
                    has_consequence: !then.is_empty(),
                }),
                None => FoldKey::Alone,
            },
            EventKind::Undone { .. } | EventKind::Redone { .. } => match self.undone_entry(entry) {
                Some(about) => FoldKey::Undo { about },
                None => FoldKey::Alone,
            },
            _ => FoldKey::Alone,
        }
    }

    /// An entry of the log as a [`FoldedLog`] needs it.
    pub fn read_entry(&self, entry: &Entry) -> ReadEntry {
        ReadEntry {
            number: entry.number,
            key: self.fold_key(entry),
            is_struck: self.is_struck(entry.number),
        }
    }

    /// Describes ticks of one clock in one line: "The alarm 2 → 6 of 8 · 4 ticks". `None` if an entry is not in memory.
    pub fn describe_ticks(&self, oldest: u64, newest: u64, count: usize) -> Option<String> {
        let oldest = self.entry(oldest)?;
        let newest = self.entry(newest)?;
        let EventKind::Ticked {
            clock,
            filled,
            of,
            then,
            ..
        } = &newest.event.what
        else {
            return None;
        };

        let from = match filled_before(&oldest) {
            Some(from) => format!("{from} → "),
            None => String::new(),
        };
        let mut text = format!("{clock} {from}{filled} of {of} · {count} ticks");
        if !then.is_empty() {
            text += &format!("; {then}");
        }
        Some(text)
    }

    /// Returns a part of the log that a search found, with its folds.
    pub fn fold_chunk(&self, chunk: &LogChunk) -> FoldedLog {
        let mut log = FoldedLog::default();
        for hit in &chunk.hits {
            log.push(ReadEntry {
                number: hit.number,
                key: hit.key,
                is_struck: self.is_struck(hit.number),
            });
        }
        log
    }

    /// Updates which entries no longer hold, after events from `since` on. The seat may read an entry without reading the
    /// event that struck it.
    pub fn update_struck(&self, log: &mut FoldedLog, since: u64) {
        for event in self.history().since(since) {
            let mut placed = PlacedMark::of(event.number, &event.event.what);
            while let Some(mark) = placed {
                log.set_struck(mark.entry, self.is_struck(mark.entry));
                // An undo of a strike changes the strike, and thereby the entry that was struck.
                let marked = self.history().entry(mark.entry);
                placed = marked
                    .and_then(|marked| PlacedMark::of(marked.number, &marked.event.what))
                    .filter(|next| next.entry < mark.entry);
            }
        }
    }

    /// The entry that an undo or a redo is about. `None` if the seat does not read that entry. `entry` is redacted, so for
    /// players it lacks the number.
    fn undone_entry(&self, entry: &Entry) -> Option<u64> {
        if let Some(about) = about(&entry.event.what).filter(|about| *about != HIDDEN_NUMBER) {
            return Some(about);
        }
        let whole = self.history().entry(entry.number)?;
        let about = about(&whole.event.what)?;
        self.entry(about).map(|readable| readable.number)
    }
}

/// The number of the entry that an undo or a redo is about.
fn about(kind: &EventKind) -> Option<u64> {
    match kind {
        EventKind::Undone { event, .. } | EventKind::Redone { event, .. } => Some(*event),
        _ => None,
    }
}

/// The clock that an entry advanced or set back. Its change comes before those of the clocks that followed.
fn ticked_clock(entry: &Entry) -> Option<ClockId> {
    entry
        .event
        .changes
        .iter()
        .find_map(|change| match change.entity {
            EntityRef::Clock(id) => Some(id),
            _ => None,
        })
}

/// How many segments of the ticked clock were filled before an entry.
fn filled_before(entry: &Entry) -> Option<u64> {
    let clock = EntityRef::Clock(ticked_clock(entry)?);
    let change = entry
        .event
        .changes
        .iter()
        .find(|change| change.is_of(clock, &Part::Filled))?;
    change.from.as_u64()
}
