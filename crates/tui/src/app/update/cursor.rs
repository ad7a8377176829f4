//! Where each cursor is, what is in sight, and how the arrows move it.

use ratatui::layout::Rect;

use crate::Action;
use crate::app::background::LogQuestion;
use crate::app::rows;
use crate::app::state::{Panel, ScreenState, Tab};
use crate::view::layout;
use tableside_table::SeatView;

impl ScreenState {
    /// Finds the thing under each cursor again.
    pub(crate) fn find(&mut self, view: &SeatView<'_>) {
        for panel in [Panel::Party, Panel::Clocks, Panel::Tokens] {
            let filter = (self.tab != Tab::Table).then(|| self.list(panel).filter.as_str());
            let lines = rows::lines(panel, filter, view);
            self.list_mut(panel).find(lines);
        }
        match self.tab {
            Tab::Log => self.log.find(view),
            Tab::Table => {
                let rolls = rows::lines(Panel::Rolls, None, view);
                self.list_mut(Panel::Rolls).follow(rolls);
            }
            Tab::Party | Tab::Clocks | Tab::Tokens => {}
        }
    }

    /// Settles cursors and scrolling for a frame. Returns the entries in sight that have to be brought into
    /// memory.
    pub(crate) fn settle(&mut self, view: &SeatView<'_>) -> Vec<u64> {
        self.find(view);
        let Some(parts) = layout::screen_layout(self.size) else {
            return Vec::new();
        };
        let room = layout::visible_rows(self.tab_layout(parts.body).list);
        match self.tab {
            Tab::Table => {
                for deck in layout::panel_layouts(parts.body, self.lines(), self.panel) {
                    let places = deck.places(self.list(deck.panel).lines());
                    let rows = |at: usize| places[at].y.into()..places[at].bottom().into();
                    self.list_mut(deck.panel)
                        .scroll(deck.inner.height.into(), rows);
                }
            }
            Tab::Party | Tab::Clocks | Tab::Tokens => {
                self.list_mut(self.active_panel())
                    .scroll(room, |at| at..at + 1);
            }
            Tab::Log => {
                self.log.scroll(room);
                return self.log.far(view, room);
            }
        }
        Vec::new()
    }

    /// What the log is to be asked for beside the screen, if anything.
    pub(crate) fn ask_log(&mut self, view: &SeatView<'_>) -> Option<LogQuestion> {
        self.log.find(view);
        let parts = layout::screen_layout(self.size)?;
        let room = layout::visible_rows(
            layout::tab_layout(Tab::Log, parts.body, self.are_details_toggled(Tab::Log), 0).list,
        );
        self.log.ask(room)
    }

    /// Moves the cursor; returns whether the action was one that does. On the table the arrows walk the cells
    /// of a panel, and out of it into the next.
    pub(super) fn walk(&mut self, action: Action, view: &SeatView<'_>) -> bool {
        let across = match action {
            Action::Left => -1,
            Action::Right => 1,
            _ if action.distance(1).is_none() => return false,
            _ => 0,
        };
        self.find(view);
        let is_fold_done = match action {
            Action::Left => self.tab == Tab::Log && self.log.close_fold(),
            Action::Right => self.tab == Tab::Log && self.log.open_fold(),
            _ => false,
        };
        if is_fold_done {
            return true;
        }
        let Some(body) = layout::screen_layout(self.size).map(|parts| parts.body) else {
            return true;
        };
        let is_table = self.tab == Tab::Table;
        let decks = is_table.then(|| layout::panel_layouts(body, self.lines(), self.panel));
        let deck = decks.map(|decks| decks[self.panel as usize]);
        if across != 0 {
            let is_column = deck.is_some_and(|deck| deck.in_row == 1);
            if self.tab == Tab::Party {
                let last = rows::values(view.system()).len().saturating_sub(1);
                self.party_column = self.party_column.saturating_add_signed(across).min(last);
            } else if is_column || (!self.step_active_list(across) && is_table) {
                self.step_panel(across);
            }
        } else {
            let room = layout::visible_rows(self.tab_layout(body).list);
            let page = deck.map_or(room, |deck| deck.rows()).saturating_sub(1);
            let is_end = matches!(action, Action::First | Action::Last);
            let places = match deck {
                _ if is_end => None,
                Some(deck) => Some(deck.places(self.list(self.panel).lines())),
                None => self.clock_places(view),
            };
            let by = action.distance(page).unwrap_or(0);
            if let Some(places) = places {
                let before = self.list(self.active_panel()).id();
                self.list_mut(self.active_panel()).step_down(&places, by);
                let is_at_end = is_table && self.list(self.active_panel()).id() == before;
                if is_at_end && self.step_panel(by.signum()) {
                    self.step_active_list(if by > 0 { isize::MIN } else { isize::MAX });
                }
            } else {
                self.step_active_list(by);
            }
        }
        true
    }

    /// Goes to the panel that is seen next, or before; returns whether there is one.
    fn step_panel(&mut self, by: isize) -> bool {
        let next = (self.panel as usize).checked_add_signed(by);
        let next = next.and_then(|next| Panel::ALL.get(next));
        self.panel = *next.unwrap_or(&self.panel);
        next.is_some()
    }

    /// Where each clock of the open tab stands, where they stand as pictures.
    pub(crate) fn clock_places(&self, view: &SeatView<'_>) -> Option<Vec<Rect>> {
        let body = layout::screen_layout(self.size)?.body;
        if self.tab != Tab::Clocks || self.are_details_toggled(Tab::Clocks) {
            return None;
        }
        let (own, given) = rows::clock_groups(self.list(Panel::Clocks).lines(), view);
        let is_asked = own + given.len() > 0;
        is_asked.then(|| layout::clock_places(body, own, &given))?
    }

    /// Moves the cursor of the list in hand; returns whether it moved.
    pub(super) fn step_active_list(&mut self, by: isize) -> bool {
        if self.tab == Tab::Log {
            return self.log.step(by);
        }
        self.list_mut(self.active_panel()).step(by)
    }
}
