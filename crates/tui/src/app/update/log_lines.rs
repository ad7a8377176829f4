//! The lines of the log on the screen: single entries, folds, and the entries of open folds.

use std::collections::BTreeSet;

use tableside_table::{Fold, FoldKind, FoldedLog};

/// A line of the log. Lines are ordered from the top of the screen to its bottom.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct LogLine {
    /// The place of the entry, counted from the newest entry. For a fold it is the place of its newest entry.
    pub(crate) place: usize,
    /// True for an entry of an open fold. Its line is below the line of the fold.
    pub(crate) is_member: bool,
}

/// The contents of a line of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum ShownLine {
    /// A single entry.
    Entry(u64),
    /// An entry of an open fold.
    Member(u64),
    Fold(ShownFold),
}

/// A fold on the screen, with the numbers of its oldest and its newest entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ShownFold {
    pub(crate) kind: FoldKind,
    pub(crate) oldest: u64,
    pub(crate) newest: u64,
    pub(crate) count: usize,
    pub(crate) is_open: bool,
}

impl LogLine {
    /// The line of an entry of an open fold.
    pub(super) const fn member(place: usize) -> Self {
        Self {
            place,
            is_member: true,
        }
    }

    /// The line of a single entry, or of a fold.
    pub(super) const fn outer(place: usize) -> Self {
        Self {
            place,
            is_member: false,
        }
    }
}

impl ShownLine {
    /// The entry that keys act on.
    pub(crate) fn number(self) -> u64 {
        match self {
            Self::Entry(number) | Self::Member(number) => number,
            Self::Fold(fold) => match fold.kind {
                FoldKind::Steps => fold.newest,
                FoldKind::Undos { about, .. } => about,
            },
        }
    }

    /// The newest entry, whose number and time the line shows.
    pub(crate) fn newest(self) -> u64 {
        match self {
            Self::Entry(number) | Self::Member(number) => number,
            Self::Fold(fold) => fold.newest,
        }
    }

    pub(crate) fn fold(self) -> Option<ShownFold> {
        match self {
            Self::Fold(fold) => Some(fold),
            Self::Entry(_) | Self::Member(_) => None,
        }
    }

    /// The entries that must be in memory to draw the line.
    pub(super) fn needed(self) -> Vec<u64> {
        match self {
            Self::Entry(number) | Self::Member(number) => vec![number],
            Self::Fold(fold) => vec![fold.oldest, fold.newest, self.number()],
        }
    }
}

/// The entries of the log, and which of their folds are open.
#[derive(Debug, Default)]
pub(super) struct LogLines {
    pub(super) log: FoldedLog,
    /// The numbers of the oldest entries of open folds. They stay the same when a fold grows.
    open: BTreeSet<u64>,
}

impl LogLines {
    /// The line of the oldest entry.
    pub(super) fn last(&self) -> LogLine {
        self.last_line_at(self.log.len().saturating_sub(1))
    }

    /// The contents of a line.
    pub(super) fn show(&self, line: LogLine) -> Option<ShownLine> {
        let number = self.log.number(line.place)?;
        let Some(fold) = self.log.fold(line.place) else {
            return Some(ShownLine::Entry(number));
        };
        if line.is_member {
            return Some(ShownLine::Member(number));
        }

        Some(ShownLine::Fold(ShownFold {
            kind: fold.kind,
            oldest: self.log.number(fold.oldest)?,
            newest: self.log.number(fold.newest)?,
            count: fold.count(),
            is_open: self.is_open(fold),
        }))
    }

    /// Returns the contents of at most `room` lines, from `top` on.
    pub(super) fn show_from(&self, top: LogLine, room: usize) -> Vec<ShownLine> {
        let mut shown = Vec::new();
        let mut next = Some(top);
        while let Some(line) = next
            && shown.len() < room
        {
            shown.extend(self.show(line));
            next = self.next(line);
        }
        shown
    }

    /// Returns the line that now shows the entry that `line` showed before folds changed.
    pub(super) fn relocate(&self, line: LogLine) -> LogLine {
        let last_place = self.log.len().saturating_sub(1);
        let place = line.place.min(last_place);
        match self.log.fold(place) {
            None => LogLine::outer(place),
            Some(fold) if line.is_member && self.is_open(fold) => LogLine::member(place),
            Some(fold) => line_of(fold),
        }
    }

    /// Returns the line `by` lines below, or above if `by` is negative, but not beyond the first or the last line.
    pub(super) fn step(&self, from: LogLine, by: isize) -> LogLine {
        let mut line = from;
        for _ in 0..by.unsigned_abs() {
            let next = if by < 0 {
                self.previous(line)
            } else {
                self.next(line)
            };
            match next {
                Some(next) => line = next,
                None => break,
            }
        }
        line
    }

    /// The line below.
    pub(super) fn next(&self, line: LogLine) -> Option<LogLine> {
        let place = line.place;
        let next_place = match self.log.fold(place) {
            None => place + 1,
            Some(fold) if !self.is_open(fold) => fold.oldest + 1,
            Some(fold) => {
                let next_member = if line.is_member {
                    place + 1
                } else {
                    fold.newest
                };
                if next_member <= fold.oldest {
                    return Some(LogLine::member(next_member));
                }
                next_member
            }
        };
        if next_place < self.log.len() {
            Some(self.first_line_at(next_place))
        } else {
            None
        }
    }

    /// The line above.
    fn previous(&self, line: LogLine) -> Option<LogLine> {
        if line.is_member {
            let fold = self.log.fold(line.place)?;
            if line.place == fold.newest {
                return Some(line_of(fold));
            }
            return Some(LogLine::member(line.place - 1));
        }
        let above = line.place.checked_sub(1)?;
        Some(self.last_line_at(above))
    }

    /// Opens the fold that a line belongs to. Returns false if it has no closed fold.
    pub(super) fn open(&mut self, line: LogLine) -> bool {
        let key = self.key_of_fold(line);
        key.is_some_and(|key| self.open.insert(key))
    }

    /// Closes the fold that a line belongs to. Returns false if it has no open fold.
    pub(super) fn close(&mut self, line: LogLine) -> bool {
        let key = self.key_of_fold(line);
        key.is_some_and(|key| self.open.remove(&key))
    }

    fn key_of_fold(&self, line: LogLine) -> Option<u64> {
        let fold = self.log.fold(line.place)?;
        self.log.number(fold.oldest)
    }

    fn is_open(&self, fold: Fold) -> bool {
        let key = self.log.number(fold.oldest);
        key.is_some_and(|key| self.open.contains(&key))
    }

    /// The first line of the entry or the fold at a place.
    fn first_line_at(&self, place: usize) -> LogLine {
        match self.log.fold(place) {
            Some(fold) => line_of(fold),
            None => LogLine::outer(place),
        }
    }

    /// The last line of the entry or the fold at a place.
    fn last_line_at(&self, place: usize) -> LogLine {
        match self.log.fold(place) {
            Some(fold) if self.is_open(fold) => LogLine::member(fold.oldest),
            _ => self.first_line_at(place),
        }
    }
}

/// The line that stands for a fold.
fn line_of(fold: Fold) -> LogLine {
    LogLine::outer(fold.newest)
}
