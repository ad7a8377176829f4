//! The cursor in the log. The newest entry is the first line; older entries are requested as the cursor goes down.

use std::mem;

use crate::app::background::LogQuestion;
use crate::app::update::log_lines::{LogLine, LogLines, ShownLine};
use tableside_game::EventKind;
use tableside_table::{Entry, Filter, FoldKey, FoldedLog, LogChunk, ReadEntry, SeatView};

/// How many entries below the last visible line are requested ahead.
const AHEAD: usize = 200;
/// How many lines the cursor moves at most at a time. A longer way leads to the first or the last line.
const FARTHEST_STEP: usize = 1_000;
/// How many of the newest entries are filtered while a key is handled. The others are filtered in the background.
const FILTERED_AT_ONCE: u64 = 200;

/// The part of the log that is known, its filter, the cursor, and which lines are visible.
#[derive(Debug, Default)]
pub(crate) struct LogPlace {
    filter: String,
    parsed: Filter,
    /// The entries that the seat reads and the filter lets through. Without a filter they fold.
    lines: LogLines,
    /// The oldest event that was looked at.
    from: u64,
    /// The newest event that was looked at; 0 before the first look.
    through: u64,
    /// Hash of everything that the seat could see at the last look.
    sight: u64,
    cursor: LogLine,
    top: LogLine,
    /// Counts how often all entries were read again, so that a late answer is known as late.
    ticket: u64,
    /// The question that is not answered yet: its ticket, and the event before which entries were requested.
    asked: Option<(u64, u64)>,
    /// True if the cursor goes to the oldest entry as soon as that is known.
    to_end: bool,
    /// True if the fold of the selected entry is opened after the next look, because a filter had found the entry.
    reveals_selected: bool,
}

impl LogPlace {
    /// The text of the filter.
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

    /// Reads every entry again, because another seat or another filter decides which ones are shown.
    pub(crate) fn look_again(&mut self) {
        self.through = 0;
        self.ticket += 1;
    }

    /// How many entries are known, folded or not.
    pub(crate) fn len(&self) -> usize {
        self.lines.log.len()
    }

    /// The contents of the visible lines, at most `room` lines.
    pub(crate) fn in_sight(&self, room: usize) -> Vec<ShownLine> {
        self.lines.show_from(self.top, room)
    }

    /// True if lines are above the visible ones, and true if lines are below.
    pub(crate) fn has_more(&self, room: usize) -> (bool, bool) {
        let below_last = (0..room).try_fold(self.top, |line, _| self.lines.next(line));
        (self.top != LogLine::default(), below_last.is_some())
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
        self.to_end = is_far && by > 0;
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
            let is_member = true;
            self.cursor = self.lines.find(LogLine { place, is_member });
        }
    }

    /// Puts the cursor on the fold that an entry belongs to.
    pub(crate) fn select_fold(&mut self, number: u64) {
        if let Some(place) = self.lines.log.place_of(number) {
            let is_member = false;
            self.cursor = self.lines.find(LogLine { place, is_member });
        }
    }

    /// Opens the fold under the cursor. Returns false if there is no closed one.
    pub(crate) fn open_fold(&mut self) -> bool {
        self.lines.open(self.cursor)
    }

    /// Closes the fold under the cursor, whose line the cursor goes to. Returns false if there is no open one.
    pub(crate) fn close_fold(&mut self) -> bool {
        let is_closed = self.lines.close(self.cursor);
        self.cursor = self.lines.find(self.cursor);
        self.top = self.lines.find(self.top);
        is_closed
    }

    /// Opens or closes the fold whose line is under the cursor. Returns false if the line is no fold.
    pub(crate) fn toggle_fold(&mut self) -> bool {
        let fold = self.selected_line().and_then(ShownLine::fold);
        fold.is_some() && (self.open_fold() || self.close_fold())
    }

    /// Adds new entries of the log. On the first line the cursor stays with the newest entry; elsewhere it stays with its
    /// entry.
    pub(crate) fn find(&mut self, view: &SeatView<'_>) {
        let (last, sight) = (view.last_event(), view.visibility_hash());
        let sees_other_things = mem::replace(&mut self.sight, sight) != sight && self.through > 0;
        if sees_other_things {
            self.look_again();
        }

        // The entries since the last look may have left memory already.
        let has_gap = self.through + 1 < view.log_reaches_to();
        if self.through == 0 || self.through > last || has_gap {
            self.read_again(view, sees_other_things);
            return;
        }

        let before = self.len();
        let since = self.through + 1;
        self.read_newer(view);
        view.update_struck(&mut self.lines.log, since);
        let added = self.len() - before;
        self.cursor = self.shifted(self.cursor, added);
        self.top = self.shifted(self.top, added);
    }

    /// Returns a line after newer entries were added. The first line stays the first.
    fn shifted(&self, line: LogLine, added: usize) -> LogLine {
        if line == LogLine::default() {
            return line;
        }
        self.lines.find(LogLine {
            place: line.place + added,
            ..line
        })
    }

    /// Reads all entries in memory.
    fn read_again(&mut self, view: &SeatView<'_>, sees_other_things: bool) {
        let mut first = view.log_reaches_to();
        if !self.parsed.is_empty() {
            first = first.max((view.last_event() + 1).saturating_sub(FILTERED_AT_ONCE));
        }
        let selected = self.lines.log.number(self.cursor.place);
        let is_on_first = self.cursor == LogLine::default();
        let rows_above = self.rows_above_cursor();

        self.lines.log = FoldedLog::default();
        self.from = first;
        self.through = first.saturating_sub(1);
        self.read_newer(view);

        let is_revealed = mem::take(&mut self.reveals_selected) && self.parsed.is_empty();
        let place = selected.and_then(|number| self.lines.log.place_of(number));
        let line = LogLine {
            place: place.unwrap_or(0),
            is_member: is_revealed || self.cursor.is_member,
        };
        if is_revealed && place.is_some() {
            self.lines.open(line);
        }
        self.cursor = self.lines.find(line);
        if sees_other_things && is_on_first {
            self.cursor = LogLine::default();
        } else if sees_other_things && let Some(number) = selected {
            // If the entry is not shown any more, the cursor goes to the next newer entry in the same row.
            let not_older = self.lines.log.count_newer(number.saturating_sub(1));
            self.cursor = self.lines.find(LogLine {
                place: not_older.saturating_sub(1),
                ..self.cursor
            });
            self.top = self.lines.step(self.cursor, -rows_above);
        }
        self.top = self.lines.find(self.top);
    }

    /// How many visible lines are above the cursor.
    fn rows_above_cursor(&self) -> isize {
        let mut rows = 0;
        let mut line = self.top;
        while line < self.cursor
            && let Some(next) = self.lines.next(line)
        {
            line = next;
            rows += 1;
        }
        rows
    }

    /// Reads the entries since the last look.
    fn read_newer(&mut self, view: &SeatView<'_>) {
        let has_filter = !self.parsed.is_empty();
        for entry in view.log_since(self.through + 1) {
            if !has_filter {
                let read = view.read_entry(&entry);
                if !self.is_told_already(&entry, read, view) {
                    self.lines.log.push(read);
                }
            } else if self.parsed.lets_through(&entry, view) {
                self.lines.log.push(ReadEntry {
                    number: entry.number,
                    ..ReadEntry::default()
                });
            }
        }
        self.through = view.last_event();
    }

    /// True for an undo that the line of the undone entry mentions, unless the two fold.
    fn is_told_already(&self, entry: &Entry, read: ReadEntry, view: &SeatView<'_>) -> bool {
        let EventKind::Undone { event, .. } = entry.event.what else {
            return false;
        };
        let folds = match read.key {
            FoldKey::Undo { about } => self.lines.log.joins_run(about),
            FoldKey::Step(_) | FoldKey::Alone => false,
        };
        view.is_struck(event) && !folds
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

    /// Returns what to request in the background: everything before the known entries, if there is a filter, or if the
    /// cursor is near the end of the known entries.
    pub(crate) fn ask(&mut self, room: usize) -> Option<LogQuestion> {
        let rows = isize::try_from(room).unwrap_or(0);
        let bottom = self.lines.step(self.cursor, rows);
        let is_near = bottom.place + AHEAD >= self.len();
        let is_wanted = self.from > 1 && (is_near || self.to_end || !self.parsed.is_empty());
        let asked = Some((self.ticket, self.from));
        if !is_wanted || self.asked == asked {
            return None;
        }

        self.asked = asked;
        Some(LogQuestion {
            filter: self.parsed.clone(),
            ticket: self.ticket,
            below: self.from,
        })
    }

    /// Adds the answer to a question. Returns false if it comes too late.
    pub(crate) fn take_found(
        &mut self,
        question: &LogQuestion,
        found: &LogChunk,
        view: &SeatView<'_>,
    ) -> bool {
        if question.ticket != self.ticket || question.below != self.from || self.through == 0 {
            return false;
        }

        self.asked = None;
        let older = if self.parsed.is_empty() {
            view.fold_chunk(found)
        } else {
            FoldedLog::unfolded(found.numbers())
        };
        self.lines.log.prepend(older);
        self.from = found.from;
        self.cursor = if self.to_end {
            self.lines.last()
        } else {
            self.lines.find(self.cursor)
        };
        self.top = self.lines.find(self.top);
        true
    }

    /// True while older entries are being filtered.
    pub(crate) fn is_searching(&self) -> bool {
        self.from > 1 && !self.parsed.is_empty()
    }

    /// The entries on visible lines that are not in memory.
    pub(crate) fn far(&self, view: &SeatView<'_>, room: usize) -> Vec<u64> {
        let mut lines = self.in_sight(room + 1);
        lines.extend(self.selected_line());
        let mut needed: Vec<u64> = lines.into_iter().flat_map(ShownLine::needed).collect();
        needed.retain(|number| !view.has(*number));
        needed
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
            from: 500,
            through: 900,
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
