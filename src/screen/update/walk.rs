//! The arrows: from line to line, from panel to panel, from value to value.

use crate::screen::action::Action;
use crate::screen::layout;
use crate::screen::list::Cursor as _;
use crate::screen::rows;
use crate::screen::state::{Panel, ScreenState, Tab};
use crate::table::SeatView;

/// Where the arrows lead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// So many lines up or down.
    Lines(isize),
    /// So many pages up or down.
    Pages(isize),
    /// To the left or right.
    Across(isize),
    /// To the first.
    First,
    /// To the last.
    Last,
}

impl Step {
    fn of(action: Action) -> Option<Self> {
        match action {
            Action::Up => Some(Self::Lines(-1)),
            Action::Down => Some(Self::Lines(1)),
            Action::PageUp => Some(Self::Pages(-1)),
            Action::PageDown => Some(Self::Pages(1)),
            Action::Left => Some(Self::Across(-1)),
            Action::Right => Some(Self::Across(1)),
            Action::First => Some(Self::First),
            Action::Last => Some(Self::Last),
            _ => None,
        }
    }

    /// How far it leads in a list of which so many lines are in sight.
    fn distance(self, room: usize) -> isize {
        let page = isize::try_from(room.saturating_sub(1)).unwrap_or(1).max(1);
        match self {
            Self::Lines(by) | Self::Across(by) => by,
            Self::Pages(by) => by * page,
            Self::First => isize::MIN / 2,
            Self::Last => isize::MAX / 2,
        }
    }
}

impl ScreenState {
    /// Moves the cursor; answers whether the action was one that does.
    pub(super) fn walk(&mut self, action: Action, seen: &SeatView<'_>) -> bool {
        let Some(step) = Step::of(action) else {
            return false;
        };
        let Some(parts) = layout::parts(self.size) else {
            return true;
        };
        self.find(seen);
        if self.tab == Tab::Table {
            self.walk_decks(step);
            return true;
        }
        let room = layout::room(layout::panes(self.tab, parts.body, self.details).list);
        match (self.tab, step) {
            (Tab::Party, Step::Across(by)) => {
                let last = rows::values(seen.system()).len().saturating_sub(1);
                self.stat = self.stat.saturating_add_signed(by).min(last);
            }
            (Tab::Clocks, Step::Lines(by)) => {
                let count = self.clocks.len();
                let deck = layout::faces(parts.body, count, self.details);
                let in_row = deck.map_or(1, |deck| deck.in_row);
                self.step_in_hand(by * isize::try_from(in_row).unwrap_or(1));
            }
            (_, step) => {
                self.step_in_hand(step.distance(room));
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
    fn walk_decks(&mut self, step: Step) {
        let Some(parts) = layout::parts(self.size) else {
            return;
        };
        let decks = layout::decks(parts.body, self.counts, self.panel);
        let deck = decks.iter().find(|deck| deck.panel == self.panel);
        let (in_row, rows) = deck.map_or((1, 1), |deck| (deck.in_row, deck.rows()));
        let in_row = isize::try_from(in_row).unwrap_or(1);
        match step {
            Step::Across(by) => {
                if in_row == 1 || !self.step_in_hand(by) {
                    let panels = Panel::ALL.len();
                    self.panel = self.panel.after(if by > 0 { 1 } else { panels - 1 });
                }
            }
            Step::Lines(by) => {
                self.step_in_hand(by * in_row);
            }
            Step::Pages(_) | Step::First | Step::Last => {
                self.step_in_hand(step.distance(rows) * in_row.min(2));
            }
        }
    }
}
