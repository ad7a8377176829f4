//! The cursor of a list. When the list changes, the cursor follows the entry under it.

use std::ops::Range;

use ratatui::layout::Rect;

use crate::widget::dialog::scroll_to;
use tableside_commands::Target;
use tableside_game::{CharacterId, ClockId, PoolId};

/// The identity of an entry in a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, strum::EnumTryAs)]
pub(crate) enum ListId {
    Character(CharacterId),
    Clock(ClockId),
    Pool(PoolId),
    /// A roll, by the number of its entry in the log.
    Roll(u64),
}

impl ListId {
    /// The target for commands. Rolls have none.
    pub(crate) fn target(self) -> Option<Target> {
        match self {
            Self::Character(id) => Some(Target::Character(id)),
            Self::Clock(id) => Some(Target::Clock(id)),
            Self::Pool(id) => Some(Target::Pool(id)),
            Self::Roll(_) => None,
        }
    }
}

/// An entry that was just created, and the entry that was under the cursor before.
#[derive(Clone, Copy, Debug, PartialEq, Hash)]
struct NewEntry {
    id: ListId,
    previous: ListId,
}

/// The lines of a list, its cursor, its marks, and its scroll position.
///
/// A line without an id is a heading, which the cursor skips.
#[derive(Clone, Debug, Default, PartialEq, Hash)]
pub(crate) struct List {
    /// The lines at the last update.
    lines: Vec<Option<ListId>>,
    /// The index of the line under the cursor.
    at: usize,
    /// The entry under the cursor.
    id: Option<ListId>,
    new_entry: Option<NewEntry>,
    /// The number of rows above the visible ones.
    top: usize,
    marked: Vec<ListId>,
    /// The filter of the tab. Empty if there is none.
    pub(crate) filter: String,
}

impl List {
    /// The lines at the last update.
    pub(crate) fn lines(&self) -> &[Option<ListId>] {
        &self.lines
    }

    /// The number of rows above the visible ones.
    pub(crate) fn top(&self) -> usize {
        self.top
    }

    /// The entry under the cursor.
    pub(crate) fn id(&self) -> Option<ListId> {
        self.id
    }

    /// The marked entries in the order in which they were marked.
    pub(crate) fn marked(&self) -> &[ListId] {
        &self.marked
    }

    /// The entries that keys act on: all marked entries, or else the entry under the cursor.
    pub(crate) fn chosen(&self) -> Vec<ListId> {
        if self.marked.is_empty() {
            self.id.into_iter().collect()
        } else {
            self.marked.clone()
        }
    }

    /// Puts the cursor on a new entry. If that is undone, the cursor goes back to the previous entry.
    pub(crate) fn select_new(&mut self, id: ListId) {
        self.new_entry = self.id.map(|previous| NewEntry { id, previous });
        self.select(id);
    }

    pub(crate) fn select(&mut self, id: ListId) {
        self.id = Some(id);
    }

    /// Replaces the lines and moves the cursor to the line of its entry. If the entry is gone, the cursor stays at the
    /// same place of the list; after the creation of an entry was undone, it returns to the entry from before.
    pub(crate) fn set_lines(&mut self, lines: Vec<Option<ListId>>) {
        self.marked.retain(|marked| lines.contains(&Some(*marked)));

        let line_of = |id: ListId| lines.iter().position(|line| *line == Some(id));
        let own_line = self.id.and_then(line_of);
        let line = own_line.or_else(|| {
            let new_entry = self.new_entry?;
            if Some(new_entry.id) == self.id {
                line_of(new_entry.previous)
            } else {
                None
            }
        });

        self.at = match line {
            Some(line) => line,
            None => nearest_entry(&lines, self.at),
        };
        self.id = lines.get(self.at).copied().flatten();
        self.lines = lines;
    }

    /// Replaces the lines of a list whose newest entry is the first. A cursor on the first line stays on the first
    /// line.
    pub(crate) fn set_lines_newest_first(&mut self, lines: Vec<Option<ListId>>) {
        if self.at == 0 {
            self.id = lines.first().copied().flatten();
        }
        self.set_lines(lines);
    }

    /// Marks the entry under the cursor, or removes its mark.
    pub(crate) fn mark(&mut self) {
        let Some(id) = self.id else { return };

        if self.marked.contains(&id) {
            self.marked.retain(|marked| *marked != id);
        } else {
            self.marked.push(id);
        }
    }

    /// Removes all marks. Returns false if there were none.
    pub(crate) fn unmark(&mut self) -> bool {
        let had_marks = !self.marked.is_empty();
        self.marked.clear();
        had_marks
    }

    /// Scrolls as little as possible, so that the line under the cursor is visible, and with it a heading directly
    /// above.
    ///
    /// `rows` returns the rows of a line, and `room` is the number of visible rows. The first visible row is always the
    /// first row of a line.
    pub(crate) fn scroll(&mut self, room: usize, rows: impl Fn(usize) -> Range<usize>) {
        let Some(last) = self.lines.len().checked_sub(1) else {
            return;
        };

        let cursor_rows = rows(self.at);
        let first_row = match self.heading_above() {
            Some(heading) => {
                let heading_rows = rows(heading);
                let is_adjacent = heading_rows.end == cursor_rows.start;
                let fits = cursor_rows.end.saturating_sub(heading_rows.start) <= room;
                if is_adjacent && fits {
                    heading_rows.start
                } else {
                    cursor_rows.start
                }
            }
            None => cursor_rows.start,
        };

        let lowest_top = rows(last).end.saturating_sub(room);
        let top = self.top.min(lowest_top);
        let top = scroll_to(top, room.max(1), first_row, cursor_rows.end - 1);
        let first_whole_line = (0..=last)
            .map(|line| rows(line).start)
            .find(|start| *start >= top);
        self.top = first_whole_line.unwrap_or(first_row);
    }

    /// Returns the line of the last heading above the cursor.
    fn heading_above(&self) -> Option<usize> {
        (0..self.at).rfind(|line| self.lines[*line].is_none())
    }

    /// Moves the cursor by `by` entries, but not beyond the first or the last entry. Returns true if it moved.
    pub(crate) fn step(&mut self, by: isize) -> bool {
        let entries: Vec<usize> = (0..self.lines.len())
            .filter(|line| self.lines[*line].is_some())
            .collect();
        let Some(last) = entries.len().checked_sub(1) else {
            return false;
        };

        let place = entries.iter().position(|line| *line == self.at);
        let next_place = place.unwrap_or(0).saturating_add_signed(by).min(last);
        let next_line = entries[next_place];

        let has_moved = self.at != next_line;
        self.at = next_line;
        self.id = self.lines[next_line];
        has_moved
    }

    /// Moves the cursor by `by` rows of a grid, each time to the nearest entry of the row. `areas` are the areas of the
    /// lines.
    pub(crate) fn step_down(&mut self, areas: &[Rect], by: isize) {
        let steps = by.unsigned_abs().min(self.lines.len());
        for _ in 0..steps {
            let Some(nearest) = self.nearest_below(areas, by > 0) else {
                return;
            };
            self.at = nearest;
            self.id = self.lines[nearest];
        }
    }

    /// Returns the nearest entry in the next row below the cursor, or in the next row above.
    fn nearest_below(&self, areas: &[Rect], is_down: bool) -> Option<usize> {
        let cursor_area = areas.get(self.at)?;
        let is_beyond = |area: &Rect| {
            if is_down {
                area.y > cursor_area.y
            } else {
                area.y < cursor_area.y
            }
        };

        let lines = self.lines.len().min(areas.len());
        (0..lines)
            .filter(|line| self.lines[*line].is_some() && is_beyond(&areas[*line]))
            .min_by_key(|line| {
                let area = areas[*line];
                let rows = area.y.abs_diff(cursor_area.y);
                let columns = area.x.abs_diff(cursor_area.x);
                (rows, columns)
            })
    }
}

/// Returns the line of the first entry at `line` or below it, or else of the last entry above. Returns 0 if there are
/// no entries.
fn nearest_entry(lines: &[Option<ListId>], line: usize) -> usize {
    let line = line.min(lines.len().saturating_sub(1));
    let is_entry = |line: &usize| matches!(lines.get(*line), Some(Some(_)));

    let below = (line..lines.len()).find(is_entry);
    let above = || (0..line).rfind(is_entry);
    below.or_else(above).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINES: [u64; 6] = [0, 1, 2, 0, 3, 4];

    /// Lines with these rolls. 0 stands for a heading.
    fn lines(numbers: &[u64]) -> Vec<Option<ListId>> {
        let line = |number: &u64| (*number > 0).then_some(ListId::Roll(*number));
        numbers.iter().map(line).collect()
    }

    fn numbers(ids: &[ListId]) -> Vec<u64> {
        ids.iter().filter_map(|id| id.try_as_roll()).collect()
    }

    fn here(list: &List) -> Option<u64> {
        list.id().and_then(ListId::try_as_roll)
    }

    #[test]
    fn a_cursor_on_the_newest_entry_stays_on_the_newest() {
        let mut list = List::default();
        list.set_lines_newest_first(lines(&[2, 1]));
        list.set_lines_newest_first(lines(&[3, 2, 1]));
        assert_eq!(here(&list), Some(3));
        list.step(1);
        list.set_lines_newest_first(lines(&[4, 3, 2, 1]));
        assert_eq!((here(&list), list.at), (Some(2), 2));
    }

    #[test]
    fn the_cursor_follows_its_entry() {
        let mut list = List::default();
        list.set_lines(lines(&LINES));
        assert_eq!(here(&list), Some(1));
        list.select(ListId::Roll(3));
        list.set_lines(lines(&LINES));
        assert_eq!(list.at, 4);
        list.set_lines(lines(&[9, 3]));
        assert_eq!((list.at, here(&list)), (1, Some(3)));
    }

    #[test]
    fn a_cursor_whose_entry_is_gone_stays_at_its_place() {
        let mut list = List::default();
        list.select(ListId::Roll(2));
        list.set_lines(lines(&LINES));
        list.set_lines(lines(&[0, 1, 0, 3]));
        assert_eq!(here(&list), Some(3));
        list.set_lines(lines(&[0, 1]));
        assert_eq!(here(&list), Some(1));
        list.select_new(ListId::Roll(4));
        list.set_lines(lines(&[0, 1, 0, 3, 4]));
        list.set_lines(lines(&[0, 1, 0, 3]));
        assert_eq!(here(&list), Some(1), "the new entry is gone again");
        list.set_lines(lines(&[]));
        assert_eq!(here(&list), None);
    }

    #[test]
    fn the_cursor_skips_headings_and_keeps_them_visible() {
        let mut list = List::default();
        list.set_lines(lines(&LINES));
        assert!(list.step(2));
        assert_eq!(here(&list), Some(3));
        list.scroll(2, |at| at..at + 1);
        assert_eq!(list.top(), 3);
        assert!(list.step(-9));
        list.scroll(2, |at| at..at + 1);
        assert_eq!((here(&list), list.top()), (Some(1), 0));
        assert!(!list.step(-1));
    }

    #[test]
    fn a_list_scrolls_by_whole_lines_and_with_their_heading() {
        let mut list = List::default();
        list.set_lines(lines(&[1, 2, 0, 3, 4]));
        let rows = |at: usize| [0..2, 0..2, 2..3, 3..5, 3..5][at].clone();
        list.step(9);
        list.scroll(4, rows);
        assert_eq!((here(&list), list.top()), (Some(4), 2));
        list.step(-9);
        list.scroll(4, rows);
        assert_eq!(list.top(), 0);
    }

    #[test]
    fn down_and_up_lead_to_the_nearest_entry_in_the_next_row() {
        let mut list = List::default();
        list.set_lines(lines(&[1, 2, 3, 0, 4, 5]));
        // Two faces, a third one beneath, a heading, and two in a line of other columns.
        let areas = [(1, 0), (50, 0), (1, 9), (1, 18), (18, 19), (60, 19)];
        let areas = areas.map(|(x, y)| Rect::new(x, y, 10, 1));
        list.select(ListId::Roll(2));
        list.set_lines(lines(&[1, 2, 3, 0, 4, 5]));
        let mut visited = Vec::new();
        for by in [1, 1, 1, -1, -9] {
            list.step_down(&areas, by);
            visited.push(here(&list).unwrap());
        }
        assert_eq!(visited, [3, 4, 4, 3, 1]);
    }

    #[test]
    fn marks_follow_their_entries() {
        let mut list = List::default();
        list.set_lines(lines(&LINES));
        list.mark();
        list.step(1);
        list.mark();
        assert_eq!(numbers(&list.chosen()), [1, 2]);
        list.set_lines(lines(&[2]));
        assert_eq!(numbers(&list.chosen()), [2]);
        list.mark();
        assert!(list.marked().is_empty());
        assert_eq!(numbers(&list.chosen()), [2]);
    }
}
