//! The log as a seat reads it.

use std::sync::Arc;

use super::SeatView;
use crate::{Entry, LogTally, SeatRole, Statistics};
use tableside_game::{EndedSession, EventKind, UnfinishedId};

/// Methods about entries.
impl<'a> SeatView<'a> {
    /// Returns an entry as the seat reads it. `None` if the seat does not read it.
    pub(crate) fn redact_entry(&self, entry: &Arc<Entry>) -> Option<Arc<Entry>> {
        self.redactor().redact_entry(entry, self.history())
    }

    /// The entries in memory that the seat reads, newest first.
    pub fn log(&self) -> impl DoubleEndedIterator<Item = Arc<Entry>> {
        let entries = self.inner.history.iter().rev();
        entries.filter_map(move |entry| self.redact_entry(entry))
    }

    /// The entries in memory from `number` on that the seat reads, oldest first.
    pub fn log_since(&self, number: u64) -> impl DoubleEndedIterator<Item = Arc<Entry>> {
        let entries = self.inner.history.since(number);
        entries.filter_map(move |entry| self.redact_entry(entry))
    }

    /// The session that ended last, if the seat has read no entry since then.
    pub fn last_session(&self) -> Option<&'a EndedSession> {
        let last = self.game().sessions.last()?;
        let has_news = self.log_since(last.last_entry + 1).next().is_some();
        if has_news { None } else { Some(last) }
    }

    /// The numbers of the resolved checks and free dice in the log, newest first.
    pub fn rolled(&self) -> impl Iterator<Item = u64> {
        self.readable_rolls()
            .filter(|entry| match &entry.event.what {
                EventKind::Thrown(_) => true,
                kind => kind.resolved().is_some(),
            })
            .map(|entry| entry.number)
    }

    /// The rolls in memory that the seat may see with their results, newest first.
    fn readable_rolls(&self) -> impl Iterator<Item = &'a Arc<Entry>> {
        let redactor = self.redactor();
        self.inner.history.rolls().filter(move |entry| {
            let kind = &entry.event.what;
            let (hidden_from, _) = kind.hidden_from();
            match kind.roller() {
                Some((_, who)) => redactor.sees_rolls_of(who, hidden_from),
                None => false,
            }
        })
    }

    /// An entry of the log.
    pub fn entry(&self, number: u64) -> Option<Arc<Entry>> {
        let entry = self.inner.history.entry(number)?;
        self.redact_entry(&entry)
    }

    /// True if the event is in memory.
    pub fn has(&self, number: u64) -> bool {
        self.inner.history.entry(number).is_some()
    }

    /// The number of the oldest event in memory; 1 if the whole log is in memory.
    pub fn log_reaches_to(&self) -> u64 {
        self.inner.history.first()
    }

    /// The number of the last event.
    pub fn last_event(&self) -> u64 {
        self.inner.history.last()
    }

    /// True if the seat may undo an act, or might be able to undo one that is not in memory.
    pub fn has_undo(&self) -> bool {
        if self.seat.role == SeatRole::Watcher {
            return false;
        }
        let history = &self.inner.history;
        history.first() > 1 || history.to_undo(self.seat).is_some()
    }

    /// The amended or rerolled entry that this entry replaces.
    pub fn replaces(&self, number: u64) -> Option<u64> {
        self.inner.history.entry(number)?.event.what.replaces()
    }

    /// True if an entry was undone, amended or rolled again.
    pub fn is_struck(&self, number: u64) -> bool {
        self.inner.history.is_struck(number)
    }

    /// The entry that replaces an amended or rerolled entry.
    pub fn replaced_by(&self, number: u64) -> Option<u64> {
        let entry = self.entry(number)?;
        entry.roll()?;
        self.inner.history.replaced_by(entry.number)
    }
}

/// Methods that count entries and rolls.
impl SeatView<'_> {
    /// The number of entries of the log; for players the number of readable entries in memory.
    pub fn log_length(&self) -> u64 {
        if self.seat.sees_all() {
            self.game.entries
        } else {
            self.log().count() as u64
        }
    }

    /// True if the journal could not be read completely, so that the log lacks entries.
    pub fn is_incomplete(&self) -> bool {
        self.inner.incomplete.is_some()
    }

    /// True if the log has no entry for this seat.
    pub fn is_log_empty(&self) -> bool {
        if self.seat.sees_all() {
            return self.game.entries == 0;
        }
        let mut candidates = self.inner.history.candidates(self.seat);
        !candidates.any(|entry| self.redact_entry(entry).is_some())
    }

    /// The number of resolved checks, counted as [`log_length`](Self::log_length) counts entries.
    pub fn rolls(&self) -> u64 {
        if self.seat.sees_all() {
            return self.game.rolls;
        }
        let checks = self.readable_rolls().filter(|entry| entry.roll().is_some());
        checks.count() as u64
    }

    /// The statistics of the rolls that the seat may see. They cover the rolls in memory, and all rolls after
    /// [`Table::count_all`](crate::Table::count_all).
    pub fn statistics(&self) -> Statistics {
        let (from, tally) = self.inner.history.tally(self.system());
        self.statistics_of(from, &tally)
    }

    /// The statistics of the rolls in a tally that the seat may see. `from` is the first event that was counted.
    pub(crate) fn statistics_of(&self, from: u64, tally: &LogTally) -> Statistics {
        let redactor = self.redactor();
        let (all, mut each) = tally.figures(self.system(), |who, hidden_from| {
            redactor.sees_rolls_of(who, hidden_from)
        });

        if !self.seat.sees_all() {
            // The tally names each roller as at the time of the roll. If the character was hidden then, that name may be secret.
            for figures in &mut each {
                if let Some(id) = figures.id
                    && let Some(name) = redactor.name(id)
                {
                    name.clone_into(&mut figures.who);
                }
            }
        }

        // Rolls without a character are last, after those of removed characters.
        each.sort_by_key(|figures| {
            let place = figures.id.map_or(0, |id| {
                let mut roster = self.game.roster.iter();
                let place = roster.position(|character| character.id == id);
                place.unwrap_or(usize::MAX)
            });
            (figures.id.is_none(), place)
        });
        Statistics { from, all, each }
    }
}

/// Methods about the entry numbers that the seat may read.
impl SeatView<'_> {
    /// The number of an entry for the screen. Empty for players, because a gap between two numbers would reveal hidden
    /// entries.
    pub fn tag(&self, number: u64) -> String {
        if self.seat.sees_all() {
            format!("#{number}")
        } else {
            String::new()
        }
    }

    /// The number of a waiting roll, for the screen. For the GM it is the number of the entry that left the roll
    /// waiting; for players it is the position among the waiting rolls that they see.
    pub fn waiting_tag(&self, id: UnfinishedId) -> String {
        if self.seat.sees_all() {
            let mut entries = self.log();
            if let Some(entry) = entries.find(|entry| entry.waits() == Some(id)) {
                return self.tag(entry.number);
            }
        }

        let mut waiting_rolls = self.unfinished();
        match waiting_rolls.position(|waiting| waiting.id == id) {
            Some(index) => format!("#{}", index + 1),
            None => String::new(),
        }
    }

    /// The waiting roll with this number.
    pub fn waiting_numbered(&self, number: u64) -> Option<UnfinishedId> {
        if self.seat.sees_all()
            && let Some(entry) = self.entry(number)
            && let Some(id) = entry.waits()
            && self.unfinished().any(|waiting| waiting.id == id)
        {
            return Some(id);
        }

        let tag = format!("#{number}");
        self.unfinished()
            .find(|waiting| self.waiting_tag(waiting.id) == tag)
            .map(|waiting| waiting.id)
    }
}
