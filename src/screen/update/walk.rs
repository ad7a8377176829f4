//! The arrows: from line to line, from panel to panel, from value to value.

use crate::screen::action::Action;
use crate::screen::layout;
use crate::screen::list::Cursor as _;
use crate::screen::rows;
use crate::screen::state::{Panel, ScreenState, Tab};
use crate::table::SeatView;

/// How far an action leads up or down a list of which so many lines are a page; `None` for other actions.
pub(super) fn distance(action: Action, page: usize) -> Option<isize> {
    let page = isize::try_from(page).unwrap_or(1).max(1);
    match action {
        Action::Up => Some(-1),
        Action::Down => Some(1),
        Action::PageUp => Some(-page),
        Action::PageDown => Some(page),
        Action::First | Action::LineStart => Some(isize::MIN / 2),
        Action::Last | Action::LineEnd => Some(isize::MAX / 2),
        _ => None,
    }
}

const fn across(action: Action) -> Option<isize> {
    match action {
        Action::Left => Some(-1),
        Action::Right => Some(1),
        _ => None,
    }
}

impl ScreenState {
    /// Moves the cursor; returns whether the action was one that does.
    pub(super) fn walk(&mut self, action: Action, seen: &SeatView<'_>) -> bool {
        if across(action).is_none() && distance(action, 1).is_none() {
            return false;
        }
        let Some(parts) = layout::parts(self.size) else {
            return true;
        };
        self.find(seen);
        if self.tab == Tab::Table {
            self.walk_decks(action);
            return true;
        }
        let is_a_line = matches!(action, Action::Up | Action::Down);
        match (self.tab, across(action)) {
            (Tab::Party, Some(by)) => {
                let last = rows::values(seen.system()).len().saturating_sub(1);
                self.stat = self.stat.saturating_add_signed(by).min(last);
            }
            (_, Some(by)) => {
                self.step_in_hand(by);
            }
            (tab, None) => {
                let room = layout::room(layout::panes(tab, parts.body, self.details).list);
                let by = distance(action, room.saturating_sub(1)).unwrap_or(0);
                let count = self.clocks.len();
                let faces = layout::faces(parts.body, count, self.details);
                let faces = faces.filter(|_| tab == Tab::Clocks && is_a_line);
                let in_row = faces.map_or(1, |deck| deck.in_row);
                self.step_in_hand(by * isize::try_from(in_row).unwrap_or(1));
            }
        }
        true
    }

    /// Moves the cursor of the list in hand; returns whether it moved.
    pub(super) fn step_in_hand(&mut self, by: isize) -> bool {
        if self.tab == Tab::Log {
            let before = self.log.at();
            self.log.go(before.saturating_add_signed(by));
            return before != self.log.at();
        }
        self.cursor(self.in_hand()).step(by)
    }

    /// On the table the arrows walk the cells of a panel, and sideways out of it into the next.
    fn walk_decks(&mut self, action: Action) {
        let Some(parts) = layout::parts(self.size) else {
            return;
        };
        let decks = layout::decks(parts.body, self.counts, self.panel);
        let deck = decks.iter().find(|deck| deck.panel == self.panel);
        let (in_row, rows) = deck.map_or((1, 1), |deck| (deck.in_row, deck.rows()));
        let in_row = isize::try_from(in_row).unwrap_or(1);
        if let Some(by) = across(action) {
            if in_row == 1 || !self.step_in_hand(by) {
                let panels = Panel::ALL.len();
                self.panel = self.panel.after(if by > 0 { 1 } else { panels - 1 });
            }
        } else if let Some(by) = distance(action, rows.saturating_sub(1)) {
            let is_a_line = matches!(action, Action::Up | Action::Down);
            let in_step = if is_a_line { in_row } else { in_row.min(2) };
            self.step_in_hand(by * in_step);
        }
    }
}
