//! Reading the log: all entries in memory, or the entries since the last reading.

use std::mem;

use super::LogPlace;
use crate::app::update::log_lines::LogLine;
use tableside_game::EventKind;
use tableside_table::{Entry, FoldKey, FoldedLog, ReadEntry, SeatView};

/// The number of the newest entries that are filtered while a key is handled. The others are filtered in the
/// background.
const FILTERED_AT_ONCE: u64 = 200;

/// The cursor before all entries are read again.
struct CursorBefore {
    /// The number of the selected entry.
    selected: Option<u64>,
    is_on_first: bool,
    rows_above: isize,
}

impl LogPlace {
    /// Adds new entries of the log. On the first line the cursor stays with the newest entry; elsewhere it stays with
    /// its entry.
    pub(crate) fn update(&mut self, view: &SeatView<'_>) {
        let visibility_changed = self.update_visibility(view);
        if visibility_changed {
            self.look_again();
        }

        // The entries since the last reading may have left memory already.
        let has_gap = self.newest_read + 1 < view.log_reaches_to();
        let is_read = self.newest_read > 0;
        if !is_read || self.newest_read > view.last_event() || has_gap {
            self.read_again(view, visibility_changed);
            return;
        }

        let count_before = self.len();
        let first_new = self.newest_read + 1;
        self.read_newer(view);
        view.update_struck(&mut self.lines.log, first_new);
        let added = self.len() - count_before;
        self.cursor = self.shifted(self.cursor, added);
        self.top = self.shifted(self.top, added);
    }

    /// Stores the hash of everything that the seat can see. Returns true if it changed since the last reading.
    fn update_visibility(&mut self, view: &SeatView<'_>) -> bool {
        let hash = view.visibility_hash();
        let hash_before = mem::replace(&mut self.visibility_hash, hash);
        let is_read = self.newest_read > 0;
        is_read && hash_before != hash
    }

    /// Returns the place of a line after newer entries were added. The first line stays the first.
    fn shifted(&self, line: LogLine, added: usize) -> LogLine {
        if line == LogLine::default() {
            return line;
        }
        self.lines.relocate(LogLine {
            place: line.place + added,
            ..line
        })
    }

    /// Reads all entries in memory.
    fn read_again(&mut self, view: &SeatView<'_>, visibility_changed: bool) {
        let before = CursorBefore {
            selected: self.lines.log.number(self.cursor.place),
            is_on_first: self.cursor == LogLine::default(),
            rows_above: self.rows_above_cursor(),
        };

        self.oldest_read = self.first_to_read(view);
        self.newest_read = self.oldest_read.saturating_sub(1);
        self.lines.log = FoldedLog::default();
        self.read_newer(view);

        self.restore_cursor(&before);
        if visibility_changed {
            self.keep_row_of_cursor(&before);
        }
        self.top = self.lines.relocate(self.top);
    }

    /// Returns the oldest event in memory, or the oldest one that is filtered while a key is handled.
    fn first_to_read(&self, view: &SeatView<'_>) -> u64 {
        let oldest_in_memory = view.log_reaches_to();
        if self.parsed.is_empty() {
            return oldest_in_memory;
        }
        let first_filtered = (view.last_event() + 1).saturating_sub(FILTERED_AT_ONCE);
        oldest_in_memory.max(first_filtered)
    }

    /// Puts the cursor back on the selected entry, or on the first line if the entry is not shown any more.
    fn restore_cursor(&mut self, before: &CursorBefore) {
        let reveals_selected = mem::take(&mut self.reveals_selected);
        let is_revealed = reveals_selected && self.parsed.is_empty();
        let place = match before.selected {
            Some(number) => self.lines.log.place_of(number),
            None => None,
        };
        let line = LogLine {
            place: place.unwrap_or(0),
            is_member: is_revealed || self.cursor.is_member,
        };
        if is_revealed && place.is_some() {
            self.lines.open(line);
        }
        self.cursor = self.lines.relocate(line);
    }

    /// Keeps the cursor in its row of the screen. If the selected entry is not shown any more, the cursor goes to the
    /// next newer entry.
    fn keep_row_of_cursor(&mut self, before: &CursorBefore) {
        if before.is_on_first {
            self.cursor = LogLine::default();
            return;
        }
        let Some(number) = before.selected else {
            return;
        };
        let not_older = self.lines.log.count_newer(number.saturating_sub(1));
        self.cursor = self.lines.relocate(LogLine {
            place: not_older.saturating_sub(1),
            ..self.cursor
        });
        self.top = self.lines.step(self.cursor, -before.rows_above);
    }

    /// Counts the visible lines above the cursor.
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

    /// Reads the entries since the last reading.
    fn read_newer(&mut self, view: &SeatView<'_>) {
        let has_filter = !self.parsed.is_empty();
        for entry in view.log_since(self.newest_read + 1) {
            if !has_filter {
                let read = view.read_entry(&entry);
                if !self.is_mentioned_already(&entry, read, view) {
                    self.lines.log.push(read);
                }
            } else if self.parsed.lets_through(&entry, view) {
                self.lines.log.push(ReadEntry {
                    number: entry.number,
                    ..ReadEntry::default()
                });
            }
        }
        self.newest_read = view.last_event();
    }

    /// True for an undo that the line of the undone entry mentions, unless the two fold.
    fn is_mentioned_already(&self, entry: &Entry, read: ReadEntry, view: &SeatView<'_>) -> bool {
        let EventKind::Undone { event, .. } = entry.event.what else {
            return false;
        };
        let folds = match read.key {
            FoldKey::Undo { about } => self.lines.log.joins_run(about),
            FoldKey::Step(_) | FoldKey::Alone => false,
        };
        view.is_struck(event) && !folds
    }
}
