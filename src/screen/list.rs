//! A cursor in a list that changes under it: it stays with the thing it is on, not with the place.

use super::widget::dialog::scroll_to;

/// Which line of a list keys act on, which lines are marked, and where the list is scrolled to.
///
/// A line without an id is a heading: the cursor walks past it.
#[derive(Clone, Debug, PartialEq, Hash)]
pub(super) struct List<Id> {
    /// The lines when they were found last.
    lines: Vec<Option<Id>>,
    at: usize,
    id: Option<Id>,
    top: usize,
    marked: Vec<Id>,
}

impl<Id> Default for List<Id> {
    fn default() -> Self {
        Self {
            lines: Vec::new(),
            at: 0,
            id: None,
            top: 0,
            marked: Vec::new(),
        }
    }
}

impl<Id: Copy + Eq> List<Id> {
    /// The lines when they were found last.
    pub(super) fn lines(&self) -> &[Option<Id>] {
        &self.lines
    }

    /// The first line in sight.
    pub(super) fn top(&self) -> usize {
        self.top
    }

    /// What the cursor is on.
    pub(super) fn id(&self) -> Option<Id> {
        self.id
    }

    /// What is marked, in the order in which it was.
    pub(super) fn marked(&self) -> &[Id] {
        &self.marked
    }

    /// What keys act on: what is marked, else what the cursor is on.
    pub(super) fn chosen(&self) -> Vec<Id> {
        if self.marked.is_empty() {
            self.id.into_iter().collect()
        } else {
            self.marked.clone()
        }
    }

    /// Puts the cursor on that.
    pub(super) fn select(&mut self, id: Id) {
        self.id = Some(id);
    }

    /// Takes in the lines as they are now, and finds the cursor's thing again; where it is gone, the cursor
    /// stays in its place.
    pub(super) fn find(&mut self, lines: Vec<Option<Id>>) {
        self.marked.retain(|marked| lines.contains(&Some(*marked)));
        let found = self
            .id
            .and_then(|id| lines.iter().position(|line| *line == Some(id)));
        self.at = found.unwrap_or_else(|| {
            let at = self.at.min(lines.len().saturating_sub(1));
            let is_thing = |at: &usize| lines.get(*at).copied().flatten().is_some();
            let mut near = (at..lines.len()).chain((0..at).rev());
            near.find(is_thing).unwrap_or(0)
        });
        self.id = lines.get(self.at).copied().flatten();
        self.lines = lines;
    }

    /// The same in a list that grows at its head: on the first line the cursor stays with what is first.
    pub(super) fn follow(&mut self, lines: Vec<Option<Id>>) {
        if self.at == 0 {
            self.id = lines.first().copied().flatten();
        }
        self.find(lines);
    }
}

/// What is the same for lists of whatever things.
pub(super) trait Cursor {
    /// How many lines there are.
    fn len(&self) -> usize;

    fn marked_count(&self) -> usize;

    /// Marks what the cursor is on, or takes the mark away.
    fn mark(&mut self);

    /// Takes all marks away; returns whether there were any.
    fn unmark(&mut self) -> bool;

    /// Scrolls as little as can be, so that the cursor is among `room` rows in sight, of so many things each, and
    /// the heading above it too.
    fn scroll(&mut self, in_row: usize, room: usize);

    /// Moves over so many things, as far as there are any; returns whether it moved.
    fn step(&mut self, by: isize) -> bool;
}

impl<Id: Copy + Eq> Cursor for List<Id> {
    fn len(&self) -> usize {
        self.lines.len()
    }

    fn marked_count(&self) -> usize {
        self.marked.len()
    }

    fn mark(&mut self) {
        let Some(id) = self.id else { return };
        let before = self.marked.len();
        self.marked.retain(|marked| *marked != id);
        if self.marked.len() == before {
            self.marked.push(id);
        }
    }

    fn unmark(&mut self) -> bool {
        !std::mem::take(&mut self.marked).is_empty()
    }

    fn scroll(&mut self, in_row: usize, room: usize) {
        let in_row = in_row.max(1);
        let above = self.at.checked_sub(1);
        let heading = above.filter(|above| self.lines.get(*above) == Some(&None));
        let from = heading.filter(|_| room > 1).unwrap_or(self.at);
        let count = self.lines.len().div_ceil(in_row);
        let top = self.top.min(count.saturating_sub(room));
        self.top = scroll_to(top, room.max(1), from / in_row, self.at / in_row);
    }

    fn step(&mut self, by: isize) -> bool {
        let lines = self.lines.iter().enumerate();
        let things: Vec<(usize, Id)> = lines.filter_map(|(at, id)| Some((at, (*id)?))).collect();
        let place = things.iter().position(|(at, _)| *at == self.at);
        let last = things.len().saturating_sub(1);
        let next = place.unwrap_or(0).saturating_add_signed(by).min(last);
        let Some((at, id)) = things.get(next) else {
            return false;
        };
        let moved = self.at != *at;
        (self.at, self.id) = (*at, Some(*id));
        moved
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINES: [Option<u8>; 6] = [None, Some(1), Some(2), None, Some(3), Some(4)];

    #[test]
    fn who_looks_at_the_newest_sees_what_comes() {
        let mut list = List::default();
        list.follow(vec![Some(2), Some(1)]);
        list.follow(vec![Some(3), Some(2), Some(1)]);
        assert_eq!(list.id(), Some(3));
        list.step(1);
        list.follow(vec![Some(4), Some(3), Some(2), Some(1)]);
        assert_eq!((list.id(), list.at), (Some(2), 2));
    }

    #[test]
    fn the_cursor_stays_with_its_thing() {
        let mut list = List::default();
        list.find(LINES.to_vec());
        assert_eq!(list.id(), Some(1));
        list.select(3);
        list.find(LINES.to_vec());
        assert_eq!(list.at, 4);
        list.find(vec![Some(9), Some(3)]);
        assert_eq!((list.at, list.id()), (1, Some(3)));
    }

    #[test]
    fn where_its_thing_is_gone_the_cursor_stays_in_its_place() {
        let mut list = List::default();
        list.select(2);
        list.find(LINES.to_vec());
        list.find(vec![None, Some(1), None, Some(3)]);
        assert_eq!(list.id(), Some(3));
        list.find(vec![None, Some(1)]);
        assert_eq!(list.id(), Some(1));
        list.find(vec![]);
        assert_eq!(list.id(), None);
    }

    #[test]
    fn headings_are_walked_past_and_kept_in_sight() {
        let mut list = List::default();
        list.find(LINES.to_vec());
        assert!(list.step(2));
        assert_eq!(list.id(), Some(3));
        list.scroll(1, 2);
        assert_eq!(list.top(), 3);
        assert!(list.step(-9));
        list.scroll(1, 2);
        assert_eq!((list.id(), list.top()), (Some(1), 0));
        assert!(!list.step(-1));
    }

    #[test]
    fn marks_go_with_what_they_mark() {
        let mut list = List::default();
        list.find(LINES.to_vec());
        list.mark();
        list.step(1);
        list.mark();
        assert_eq!(list.chosen(), [1, 2]);
        list.find(vec![Some(2)]);
        assert_eq!(list.chosen(), [2]);
        list.mark();
        assert_eq!(list.marked(), [0_u8; 0]);
        assert_eq!(list.chosen(), [2]);
    }
}
