//! The cursor in the log. The newest entry is the first line; older ones are asked for as one goes down.

use std::mem;

use crate::background::LogQuestion;
use crate::widget::dialog::scroll_to;
use tableside_game::EventKind;
use tableside_table::{Filter, LogChunk, SeatView};

/// So many lines below the last one in sight are asked for ahead.
const AHEAD: usize = 200;
/// No log has so many lines: who goes that far wants its end.
const END: usize = usize::MAX / 4;
/// So many of the newest entries are filtered within a key; the others beside the screen.
const AT_ONCE: u64 = 200;

/// Which entry keys act on, which entries the filter lets through, and what is in sight.
#[derive(Debug, Default)]
pub(crate) struct LogPlace {
    filter: String,
    parsed: Filter,
    /// The numbers of the entries shown, oldest first.
    rows: Vec<u64>,
    /// The entries looked at: from this one,
    from: u64,
    /// up to and with this one; 0 where none was.
    through: u64,
    /// What the seat could see of the game then.
    sight: u64,
    /// The cursor's line, counted from the newest.
    at: usize,
    top: usize,
    /// How often it was looked at anew.
    ticket: u64,
    /// What was asked for last and is not known yet: under which ticket, and what lies below which event.
    asked: Option<(u64, u64)>,
    /// The cursor goes to the oldest entry, as soon as that is known.
    to_end: bool,
}

impl LogPlace {
    /// What the log is filtered by, as it was typed.
    pub(crate) fn filter(&self) -> &str {
        &self.filter
    }

    /// What the log is filtered by.
    pub(crate) fn parsed(&self) -> &Filter {
        &self.parsed
    }

    /// Filters it.
    pub(crate) fn set_filter(&mut self, filter: String) {
        self.parsed = Filter::parse(&filter);
        self.filter = filter;
        self.look_again();
    }

    /// Looks at every entry anew, because another seat or another filter decides what is shown.
    pub(crate) fn look_again(&mut self) {
        self.through = 0;
        self.ticket += 1;
    }

    /// The cursor's line, counted from the newest.
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    /// The first line in sight.
    pub(crate) fn top(&self) -> usize {
        self.top
    }

    /// How many entries are shown.
    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    /// The entry on a line, counted from the newest.
    pub(crate) fn row(&self, line: usize) -> Option<u64> {
        let back = self.rows.len().checked_sub(line + 1)?;
        self.rows.get(back).copied()
    }

    /// The entry under the cursor.
    pub(crate) fn selected(&self) -> Option<u64> {
        self.row(self.at)
    }

    /// Puts the cursor on a line.
    pub(crate) fn go(&mut self, line: usize) {
        self.to_end = line >= END;
        self.at = line.min(self.rows.len().saturating_sub(1));
    }

    /// Puts the cursor on an entry; where it is not shown, on the newest.
    pub(crate) fn select(&mut self, number: u64) {
        let found = self.rows.binary_search(&number).ok();
        self.at = found.map_or(0, |index| self.rows.len() - 1 - index);
    }

    /// Takes in what the log holds by now. On the newest entry the cursor stays with what is newest;
    /// elsewhere it stays with its entry.
    pub(crate) fn find(&mut self, seen: &SeatView<'_>) {
        let (last, sight) = (seen.last_event(), seen.visibility_hash());
        let is_other = mem::replace(&mut self.sight, sight) != sight && self.through > 0;
        if is_other {
            self.look_again();
        }
        // The entries since the last look may have left memory already.
        let has_gap = self.through + 1 < seen.log_reaches_to();
        if self.through == 0 || self.through > last || has_gap {
            let mut first = seen.log_reaches_to();
            if !self.parsed.is_empty() {
                first = first.max((last + 1).saturating_sub(AT_ONCE));
            }
            let selected = self.selected();
            let (is_newest, row) = (self.at == 0, self.at.saturating_sub(self.top));
            self.rows.clear();
            (self.from, self.through) = (first, first.saturating_sub(1));
            self.take_newer(seen, last);
            self.select(selected.unwrap_or(u64::MAX));
            if let Some(number) = selected.filter(|_| is_other && !is_newest) {
                // Where it is not shown any more the next one is looked at, in the same place.
                let older = self.rows.partition_point(|shown| *shown < number);
                self.at = self.rows.len().saturating_sub(older + 1);
                self.top = self.at.saturating_sub(row);
            }
            return;
        }
        let before = self.rows.len();
        self.take_newer(seen, last);
        let newer = self.rows.len() - before;
        if self.at > 0 {
            self.at += newer;
        }
        // Who looks at the newest entries sees what comes.
        if self.top > 0 {
            self.top += newer;
        }
    }

    fn take_newer(&mut self, seen: &SeatView<'_>, last: u64) {
        let newer = seen.log_since(self.through + 1);
        // What was taken back says so itself; who looks for something finds both.
        let is_all = self.parsed.is_empty();
        let shown = newer.filter(|entry| match entry.event.what {
            EventKind::Undone { event, .. } if is_all => !seen.is_struck(event),
            _ => self.parsed.lets_through(entry, seen),
        });
        self.rows.extend(shown.map(|entry| entry.number));
        self.through = last;
    }

    /// Scrolls as little as can be, so that the cursor is in sight.
    pub(crate) fn scroll(&mut self, room: usize) {
        let top = self.top.min(self.rows.len().saturating_sub(room));
        self.top = scroll_to(top, room.max(1), self.at, self.at);
    }

    /// What is to be asked for beside the screen: everything before what is known, where something is
    /// looked for, or where the cursor comes near the end of what is known.
    pub(crate) fn ask(&mut self, room: usize) -> Option<LogQuestion> {
        let near = self.at + room + AHEAD >= self.rows.len();
        let wanted = self.from > 1 && (near || self.to_end || !self.parsed.is_empty());
        let asked = Some((self.ticket, self.from));
        // What somebody looks for already is asked for once.
        let is_new = wanted && mem::replace(&mut self.asked, asked) != asked;
        is_new.then(|| LogQuestion {
            filter: self.parsed.clone(),
            ticket: self.ticket,
            below: self.from,
        })
    }

    /// Takes in an answer, unless it comes late.
    pub(crate) fn take_found(&mut self, question: &LogQuestion, found: LogChunk) -> bool {
        if question.ticket != self.ticket || question.below != self.from || self.through == 0 {
            return false;
        }
        self.asked = None;
        let mut rows = found.hits;
        rows.append(&mut self.rows);
        self.rows = rows;
        self.from = found.from;
        if self.to_end {
            self.at = self.rows.len().saturating_sub(1);
        }
        true
    }

    /// Whether older entries are still looked for.
    pub(crate) fn is_searching(&self) -> bool {
        self.from > 1 && !self.parsed.is_empty()
    }

    /// The entries in sight that are not in memory.
    pub(crate) fn far(&self, seen: &SeatView<'_>, room: usize) -> Vec<u64> {
        let in_sight = (self.top..=self.top + room).map_while(|line| self.row(line));
        let wanted = in_sight.chain(self.selected());
        wanted.filter(|number| !seen.has(*number)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_looked_for_already_is_not_asked_for_again() {
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
        assert!(place.take_found(&question, found));
        assert_eq!(place.ask(20).unwrap().below, 300);
        assert_eq!(place.ask(20), None);
        place.look_again();
        assert!(place.ask(20).is_some());
    }
}
