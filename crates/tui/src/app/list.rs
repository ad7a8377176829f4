//! A cursor in a list that changes under it: it stays with the thing it is on, not with the place.

use std::ops::Range;

use ratatui::layout::Rect;

use crate::widget::dialog::scroll_to;
use tableside_commands::Target;
use tableside_game::{CharacterId, ClockId, PoolId};

/// Something in a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, strum::EnumTryAs)]
pub(crate) enum ListId {
    Character(CharacterId),
    Clock(ClockId),
    Pool(PoolId),
    Roll(u64),
}

impl ListId {
    /// What commands are given on.
    pub(crate) fn thing(self) -> Option<Target> {
        match self {
            Self::Character(id) => Some(Target::Character(id)),
            Self::Clock(id) => Some(Target::Clock(id)),
            Self::Pool(id) => Some(Target::Pool(id)),
            Self::Roll(_) => None,
        }
    }
}

/// Which line of a list keys act on, which lines are marked, and where the list is scrolled to.
///
/// A line without an id is a heading: the cursor walks past it.
#[derive(Clone, Debug, Default, PartialEq, Hash)]
pub(crate) struct List {
    /// The lines when they were found last.
    lines: Vec<Option<ListId>>,
    at: usize,
    id: Option<ListId>,
    /// What came last, and what the cursor was on before.
    came: Option<(ListId, ListId)>,
    top: usize,
    marked: Vec<ListId>,
    /// What its tab is filtered by.
    pub(crate) filter: String,
}

impl List {
    /// The lines when they were found last.
    pub(crate) fn lines(&self) -> &[Option<ListId>] {
        &self.lines
    }

    /// How many rows are scrolled out of sight.
    pub(crate) fn top(&self) -> usize {
        self.top
    }

    /// What the cursor is on.
    pub(crate) fn id(&self) -> Option<ListId> {
        self.id
    }

    /// What is marked, in the order in which it was.
    pub(crate) fn marked(&self) -> &[ListId] {
        &self.marked
    }

    /// What keys act on: what is marked, else what the cursor is on.
    pub(crate) fn chosen(&self) -> Vec<ListId> {
        if self.marked.is_empty() {
            self.id.into_iter().collect()
        } else {
            self.marked.clone()
        }
    }

    /// Puts the cursor on what came; if that goes again, the cursor goes back.
    pub(crate) fn select_new(&mut self, id: ListId) {
        self.came = self.id.map(|before| (id, before));
        self.select(id);
    }

    /// Puts the cursor on that.
    pub(crate) fn select(&mut self, id: ListId) {
        self.id = Some(id);
    }

    /// Takes in the lines as they are now, and finds the cursor's thing again; where it is gone, the cursor
    /// stays in its place.
    pub(crate) fn find(&mut self, lines: Vec<Option<ListId>>) {
        self.marked.retain(|marked| lines.contains(&Some(*marked)));
        let find = |id| lines.iter().position(|line| *line == Some(id));
        let came = self.came.filter(|(new, _)| Some(*new) == self.id);
        let found = self.id.and_then(find);
        let found = found.or_else(|| find(came?.1));
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
    pub(crate) fn follow(&mut self, lines: Vec<Option<ListId>>) {
        if self.at == 0 {
            self.id = lines.first().copied().flatten();
        }
        self.find(lines);
    }

    /// Marks what the cursor is on, or takes the mark away.
    pub(crate) fn mark(&mut self) {
        let Some(id) = self.id else { return };
        let before = self.marked.len();
        self.marked.retain(|marked| *marked != id);
        self.marked
            .extend((self.marked.len() == before).then_some(id));
    }

    /// Takes all marks away; returns whether there were any.
    pub(crate) fn unmark(&mut self) -> bool {
        !std::mem::take(&mut self.marked).is_empty()
    }

    /// Scrolls as little as can be, so that the cursor is among `room` rows in sight, and the heading above it too,
    /// where each line stands in its rows. No line is cut at the top.
    pub(crate) fn scroll(&mut self, room: usize, rows: impl Fn(usize) -> Range<usize>) {
        let Some(last) = self.lines.len().checked_sub(1) else {
            return;
        };
        let here = rows(self.at);
        let above = (0..self.at).rfind(|at| self.lines[*at].is_none());
        let above = above.map(&rows).filter(|above| above.end == here.start);
        let above = above.filter(|above| here.end - above.start <= room);
        let from = above.map_or(here.start, |above| above.start);
        let top = self.top.min(rows(last).end.saturating_sub(room));
        let top = scroll_to(top, room.max(1), from, here.end - 1);
        let mut starts = (0..=last).map(|at| rows(at).start);
        self.top = starts.find(|start| *start >= top).unwrap_or(from);
    }

    /// Moves over so many things, as far as there are any; returns whether it moved.
    pub(crate) fn step(&mut self, by: isize) -> bool {
        let lines = self.lines.iter().enumerate();
        let things: Vec<(usize, ListId)> =
            lines.filter_map(|(at, id)| Some((at, (*id)?))).collect();
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

    /// Moves over so many rows of lines that stand in these places, to what is nearest in each.
    pub(crate) fn step_down(&mut self, places: &[Rect], by: isize) {
        for _ in 0..by.unsigned_abs().min(self.lines.len()) {
            let Some(here) = places.get(self.at) else {
                return;
            };
            let lines = self.lines.iter().zip(places).enumerate();
            let further =
                lines.filter(|(_, (id, place))| id.is_some() && place.y.cmp(&here.y) == by.cmp(&0));
            let near = |(_, (_, place)): &(_, (_, &Rect))| {
                (place.y.abs_diff(here.y), place.x.abs_diff(here.x))
            };
            let Some((at, (id, _))) = further.min_by_key(near) else {
                return;
            };
            (self.at, self.id) = (at, *id);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINES: [u64; 6] = [0, 1, 2, 0, 3, 4];

    /// Lines of these rolls; 0 is a heading.
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
    fn who_looks_at_the_newest_sees_what_comes() {
        let mut list = List::default();
        list.follow(lines(&[2, 1]));
        list.follow(lines(&[3, 2, 1]));
        assert_eq!(here(&list), Some(3));
        list.step(1);
        list.follow(lines(&[4, 3, 2, 1]));
        assert_eq!((here(&list), list.at), (Some(2), 2));
    }

    #[test]
    fn the_cursor_stays_with_its_thing() {
        let mut list = List::default();
        list.find(lines(&LINES));
        assert_eq!(here(&list), Some(1));
        list.select(ListId::Roll(3));
        list.find(lines(&LINES));
        assert_eq!(list.at, 4);
        list.find(lines(&[9, 3]));
        assert_eq!((list.at, here(&list)), (1, Some(3)));
    }

    #[test]
    fn where_its_thing_is_gone_the_cursor_stays_in_its_place() {
        let mut list = List::default();
        list.select(ListId::Roll(2));
        list.find(lines(&LINES));
        list.find(lines(&[0, 1, 0, 3]));
        assert_eq!(here(&list), Some(3));
        list.find(lines(&[0, 1]));
        assert_eq!(here(&list), Some(1));
        list.select_new(ListId::Roll(4));
        list.find(lines(&[0, 1, 0, 3, 4]));
        list.find(lines(&[0, 1, 0, 3]));
        assert_eq!(here(&list), Some(1), "what came went again");
        list.find(lines(&[]));
        assert_eq!(here(&list), None);
    }

    #[test]
    fn headings_are_walked_past_and_kept_in_sight() {
        let mut list = List::default();
        list.find(lines(&LINES));
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
    fn rows_of_cells_are_scrolled_whole_and_their_heading_with_them() {
        let mut list = List::default();
        list.find(lines(&[1, 2, 0, 3, 4]));
        let rows = |at: usize| [0..2, 0..2, 2..3, 3..5, 3..5][at].clone();
        list.step(9);
        list.scroll(4, rows);
        assert_eq!((here(&list), list.top()), (Some(4), 2));
        list.step(-9);
        list.scroll(4, rows);
        assert_eq!(list.top(), 0);
    }

    #[test]
    fn down_and_up_lead_to_what_is_nearest_in_the_next_row() {
        let mut list = List::default();
        list.find(lines(&[1, 2, 3, 0, 4, 5]));
        // Two faces, a third one beneath, a heading, and two in a line of other columns.
        let places = [(1, 0), (50, 0), (1, 9), (1, 18), (18, 19), (60, 19)];
        let places = places.map(|(x, y)| Rect::new(x, y, 10, 1));
        list.select(ListId::Roll(2));
        list.find(lines(&[1, 2, 3, 0, 4, 5]));
        let mut walked = Vec::new();
        for by in [1, 1, 1, -1, -9] {
            list.step_down(&places, by);
            walked.push(here(&list).unwrap());
        }
        assert_eq!(walked, [3, 4, 4, 3, 1]);
    }

    #[test]
    fn marks_go_with_what_they_mark() {
        let mut list = List::default();
        list.find(lines(&LINES));
        list.mark();
        list.step(1);
        list.mark();
        assert_eq!(numbers(&list.chosen()), [1, 2]);
        list.find(lines(&[2]));
        assert_eq!(numbers(&list.chosen()), [2]);
        list.mark();
        assert!(list.marked().is_empty());
        assert_eq!(numbers(&list.chosen()), [2]);
    }
}
