//! Folds neighbouring entries of the log that belong together into one row.
//!
//! Two kinds of neighbours fold: steps of one number in one scene, and undos and redos with the entries that they undo
//! or redo. [`FoldedLog`] has the numbers of the entries that a seat reads and finds the folds among them. It is built
//! from redacted entries only, so a fold neither contains nor counts an entry that the seat does not read.
//!
//! Places are counted from the newest entry of the log, which has place 0.

mod seat_folds;

use tableside_game::{CharacterId, ClockId, PoolId};

#[cfg(test)]
mod tests;

/// The names in the journal of the kinds of events whose entries have a [`FoldKey`] other than [`FoldKey::Alone`].
pub(crate) const FOLDED_KINDS: [&str; 5] = ["ticked", "tokens", "edited", "undone", "redone"];

/// Determines with which neighbours an entry folds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FoldKey {
    /// The entry folds only with its own undo.
    #[default]
    Alone,
    /// A step folds with the next step of the same number.
    Step(StepKey),
    /// An undo or a redo folds with the entry that it is about.
    Undo { about: u64 },
}

/// The key of a step. Neighbouring steps of the same number in the same scene fold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepKey {
    number: SteppedNumber,
    /// The number of the event that began the scene.
    scene: u64,
    /// True if the step led to something else, for example to a tick of a linked clock. Such a step is the last one of its
    /// fold, so that the row of the fold can name the consequence.
    has_consequence: bool,
}

/// A number that keys count up and down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SteppedNumber {
    /// The filled segments of a clock.
    Clock(ClockId),
    /// The tokens of a pool.
    Pool(PoolId),
    /// A stat of a sheet, by its id.
    Stat(CharacterId, &'static str),
}

impl StepKey {
    /// True if a later step continues the fold of this step.
    fn continues_with(self, later: Self) -> bool {
        !self.has_consequence && self.number == later.number && self.scene == later.scene
    }
}

impl FoldKey {
    fn continues_with(self, later: Self) -> bool {
        match (self, later) {
            (Self::Step(step), Self::Step(later)) => step.continues_with(later),
            _ => false,
        }
    }

    /// The entry that an undo or a redo is about.
    fn about(self) -> Option<u64> {
        match self {
            Self::Undo { about } => Some(about),
            Self::Alone | Self::Step(_) => None,
        }
    }
}

/// The data of an entry that [`FoldedLog::push`] needs. The seat may read the entry.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReadEntry {
    pub number: u64,
    pub key: FoldKey,
    /// True if the entry was undone or replaced.
    pub is_struck: bool,
}

/// How an entry is related to the next older entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Relation {
    None,
    /// Both are steps with equal keys.
    SameNumber,
    /// Both are part of one run of undos and redos.
    SameRun,
}

/// An entry of the folded log.
#[derive(Clone, Copy, Debug)]
struct Row {
    number: u64,
    relation: Relation,
    /// The entry that an undo or a redo is about. `None` for other entries.
    about: Option<u64>,
    is_struck: bool,
}

/// Two or more neighbouring entries in one row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fold {
    /// The places of the newest and the oldest entry.
    pub newest: usize,
    pub oldest: usize,
    pub kind: FoldKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FoldKind {
    /// Steps of one number.
    Steps,
    /// Entries that were undone or redone, and their undos and redos.
    Undos {
        /// The entry that the newest undo or redo is about.
        about: u64,
        /// The number of entries that are neither an undo nor a redo.
        acts: usize,
        /// How many of these entries are undone now.
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

    /// The number of entries that are newer than `number`.
    pub fn count_newer(&self, number: u64) -> usize {
        let older = self.rows.partition_point(|row| row.number <= number);
        self.rows.len() - older
    }

    /// The fold that the entry at a place is part of. `None` if the entry does not fold.
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
            self.kind_of_run(first, last)?
        } else {
            FoldKind::Steps
        };
        let newest_index = self.rows.len() - 1;
        Some(Fold {
            newest: newest_index - last,
            oldest: newest_index - first,
            kind,
        })
    }

    /// The kind of a run of undos and redos between two indices. `None` if the newest entry is neither.
    fn kind_of_run(&self, first: usize, last: usize) -> Option<FoldKind> {
        let about = self.rows.get(last)?.about?;
        let mut acts = 0;
        let mut undone = 0;
        for row in self.rows.get(first..=last).unwrap_or_default() {
            if row.about.is_none() {
                acts += 1;
                undone += usize::from(row.is_struck);
            }
        }
        Some(FoldKind::Undos {
            about,
            acts,
            undone,
        })
    }

    /// Adds the next newer entry.
    pub fn push(&mut self, entry: ReadEntry) {
        let relation = match entry.key {
            FoldKey::Undo { about } if self.joins_run(about) => {
                self.extend_run(about);
                Relation::SameRun
            }
            key if self.newest_key.continues_with(key) => Relation::SameNumber,
            _ => Relation::None,
        };
        if self.rows.is_empty() {
            self.oldest_key = entry.key;
        }
        self.newest_key = entry.key;
        self.rows.push(Row {
            number: entry.number,
            relation,
            about: entry.key.about(),
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
            oldest.relation = Relation::SameNumber;
        }

        if self.rows.is_empty() {
            self.newest_key = older.newest_key;
        }
        self.oldest_key = older.oldest_key;
        let newer = std::mem::replace(&mut self.rows, older.rows);
        self.rows.extend(newer);
    }

    /// Records whether an entry was undone or replaced. Such a step does not fold with other steps.
    pub fn set_struck(&mut self, number: u64, is_struck: bool) {
        if let Some(index) = self.index_of(number) {
            self.rows[index].is_struck = is_struck;
        }
    }

    /// True if an undo of the entry `about` would fold if it were added next.
    pub fn joins_run(&self, about: u64) -> bool {
        if let FoldKey::Undo { about: newest } = self.newest_key
            && newest == about
        {
            return true;
        }

        let run_start = self.newest_run_start();
        match self.index_of(about) {
            Some(index) if index >= run_start => true,
            // The entry must be directly before the run. If there is no run, it must be the newest entry.
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

    /// True if the run starts with an undo of an entry that is not directly before the run.
    fn is_run_without_entry(&self, run_start: usize) -> bool {
        self.rows
            .get(run_start)
            .is_some_and(|row| row.about.is_some())
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
            Relation::SameNumber => {
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
