//! The cursor in the log. The newest entry is the first line; older entries are requested as the cursor goes down.

mod reading;

use crate::app::background::LogQuestion;
use crate::app::update::log_lines::{LogLine, LogLines, ShownLine};
use crate::widget::MoreRows;
use tableside_table::{Filter, FoldedLog, LogChunk, SeatView};

/// The number of entries below the last visible line that are requested ahead.
const AHEAD: usize = 200;
/// The maximum number of lines that the cursor moves at once. A longer step goes to the first or the last line.
const FARTHEST_STEP: usize = 1_000;

/// The known part of the log, with its filter, its cursor and its first visible line.
#[derive(Debug, Default)]
pub(crate) struct LogPlace {
    filter: String,
    parsed: Filter,
    /// The entries that the seat may read and the filter matches. Without a filter they fold.
    lines: LogLines,
    /// The number of the oldest event that was read.
    oldest_read: u64,
    /// The number of the newest event that was read. 0 before the first reading.
    newest_read: u64,
    /// The hash of everything that the seat could see at the last reading.
    visibility_hash: u64,
    cursor: LogLine,
    /// The first visible line.
    top: LogLine,
    /// The number of times that all entries were read again. An answer to a question with an older ticket is dropped.
    ticket: u64,
    /// The question that is not answered yet.
    asked: Option<AskedQuestion>,
    /// True if the cursor must move to the oldest entry as soon as that entry is known.
    goes_to_end: bool,
    /// True if the next reading must open the fold of the selected entry, because a filter had found the entry.
    reveals_selected: bool,
}

/// A question that the background thread has not answered yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct AskedQuestion {
    ticket: u64,
    /// The event before which entries were requested.
    below: u64,
}

impl LogPlace {
    pub(crate) fn filter(&self) -> &str {
        &self.filter
    }

    pub(crate) fn parsed(&self) -> &Filter {
        &self.parsed
    }

    pub(crate) fn set_filter(&mut self, filter: String) {
        self.reveals_selected = !self.parsed.is_empty();
        self.parsed = Filter::parse(&filter);
        self.filter = filter;
        self.look_again();
    }

    /// Makes the next update read all entries again, because another seat or another filter selects them.
    pub(crate) fn look_again(&mut self) {
        self.newest_read = 0;
        self.ticket += 1;
    }

    /// The number of known entries, folded or not.
    pub(crate) fn len(&self) -> usize {
        self.lines.log.len()
    }

    /// The contents of the visible lines, at most `room` lines.
    pub(crate) fn visible_lines(&self, room: usize) -> Vec<ShownLine> {
        self.lines.show_from(self.top, room)
    }

    /// Returns whether lines are above and below the visible ones. `room` is the number of visible rows.
    pub(crate) fn more_rows(&self, room: usize) -> MoreRows {
        let below_last = (0..room).try_fold(self.top, |line, _| self.lines.next(line));
        MoreRows {
            above: self.top != LogLine::default(),
            below: below_last.is_some(),
        }
    }

    /// The contents of the line under the cursor.
    pub(crate) fn selected_line(&self) -> Option<ShownLine> {
        self.lines.show(self.cursor)
    }

    /// The entry that keys act on.
    pub(crate) fn selected(&self) -> Option<u64> {
        self.selected_line().map(ShownLine::number)
    }

    /// Moves the cursor. Returns true if it moved.
    pub(crate) fn step(&mut self, by: isize) -> bool {
        let before = self.cursor;
        let is_far = by.unsigned_abs() > FARTHEST_STEP;
        self.goes_to_end = is_far && by > 0;
        self.cursor = match (is_far, by > 0) {
            (false, _) => self.lines.step(self.cursor, by),
            (true, true) => self.lines.last(),
            (true, false) => LogLine::default(),
        };
        self.cursor != before
    }

    /// Puts the cursor on the line of an entry.
    pub(crate) fn select(&mut self, number: u64) {
        if let Some(place) = self.lines.log.place_of(number) {
            self.cursor = self.lines.relocate(LogLine::member(place));
        }
    }

    /// Puts the cursor on the fold that an entry belongs to.
    pub(crate) fn select_fold(&mut self, number: u64) {
        if let Some(place) = self.lines.log.place_of(number) {
            self.cursor = self.lines.relocate(LogLine::outer(place));
        }
    }

    /// Opens the fold under the cursor. Returns false if no closed fold is there.
    pub(crate) fn open_fold(&mut self) -> bool {
        self.lines.open(self.cursor)
    }

    /// Closes the fold under the cursor and moves the cursor to its line. Returns false if no open fold is there.
    pub(crate) fn close_fold(&mut self) -> bool {
        let is_closed = self.lines.close(self.cursor);
        self.cursor = self.lines.relocate(self.cursor);
        self.top = self.lines.relocate(self.top);
        is_closed
    }

    /// Opens or closes the fold whose line is under the cursor. Returns false if the line is no fold.
    pub(crate) fn toggle_fold(&mut self) -> bool {
        let fold = self.selected_line().and_then(ShownLine::fold);
        fold.is_some() && (self.open_fold() || self.close_fold())
    }

    /// Scrolls as little as possible, so that the cursor is visible.
    pub(crate) fn scroll(&mut self, room: usize) {
        let rows_above = isize::try_from(room.max(1) - 1).unwrap_or(0);
        let lowest_top = self.lines.step(self.lines.last(), -rows_above);
        let top_for_cursor = self.lines.step(self.cursor, -rows_above);
        self.top = self
            .top
            .min(lowest_top)
            .min(self.cursor)
            .max(top_for_cursor);
    }

    /// Returns a request for all entries before the known ones, if the log has a filter, or if the cursor is near the
    /// last known entry.
    pub(crate) fn ask(&mut self, room: usize) -> Option<LogQuestion> {
        let rows = isize::try_from(room).unwrap_or(0);
        let bottom = self.lines.step(self.cursor, rows);
        let is_near = bottom.place + AHEAD >= self.len();
        let has_filter = !self.parsed.is_empty();
        let has_older = self.oldest_read > 1;
        let is_wanted = has_older && (is_near || self.goes_to_end || has_filter);
        let asked = AskedQuestion {
            ticket: self.ticket,
            below: self.oldest_read,
        };
        if !is_wanted || self.asked == Some(asked) {
            return None;
        }

        self.asked = Some(asked);
        Some(LogQuestion {
            filter: self.parsed.clone(),
            ticket: self.ticket,
            below: self.oldest_read,
        })
    }

    /// Adds the entries of an answer. Returns false if the answer is too late.
    pub(crate) fn take_found(
        &mut self,
        question: &LogQuestion,
        found: &LogChunk,
        view: &SeatView<'_>,
    ) -> bool {
        let is_late = question.ticket != self.ticket || question.below != self.oldest_read;
        if is_late || self.newest_read == 0 {
            return false;
        }

        self.asked = None;
        let older = if self.parsed.is_empty() {
            view.fold_chunk(found)
        } else {
            FoldedLog::unfolded(found.numbers())
        };
        self.lines.log.prepend(older);
        self.oldest_read = found.from;
        self.cursor = if self.goes_to_end {
            self.lines.last()
        } else {
            self.lines.relocate(self.cursor)
        };
        self.top = self.lines.relocate(self.top);
        true
    }

    /// True while older entries are being filtered.
    pub(crate) fn is_searching(&self) -> bool {
        self.oldest_read > 1 && !self.parsed.is_empty()
    }

    /// Returns the entries of the visible lines that are not in memory.
    pub(crate) fn missing_entries(&self, view: &SeatView<'_>, room: usize) -> Vec<u64> {
        let mut lines = self.visible_lines(room + 1);
        lines.extend(self.selected_line());
        let needed = lines.into_iter().flat_map(ShownLine::needed);
        needed.filter(|number| !view.has(*number)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::new_table;
    use tableside_rules::System;
    use tableside_table::Seat;

    #[test]
    fn a_question_is_not_asked_again_before_it_is_answered() {
        let mut place = LogPlace {
            oldest_read: 500,
            newest_read: 900,
            ..LogPlace::default()
        };
        let question = place.ask(20).unwrap();
        assert_eq!(place.ask(20), None);

        let found = LogChunk {
            from: 300,
            ..LogChunk::default()
        };
        let table = new_table("log", System::HEART_RUSH);
        let is_taken = table.read(&Seat::gm(), |view| {
            place.take_found(&question, &found, view)
        });
        assert!(is_taken);
        assert_eq!(place.ask(20).unwrap().below, 300);
        assert_eq!(place.ask(20), None);
        place.look_again();
        assert!(place.ask(20).is_some());
    }
}
