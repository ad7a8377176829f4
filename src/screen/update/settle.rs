//! What is settled before a frame is drawn: where each cursor is, and what is in sight.

use crate::screen::background::LogQuestion;
use crate::screen::keymap::Keymap;
use crate::screen::layout;
use crate::screen::rows;
use crate::screen::state::{Mode, Panel, ScreenState, Tab};
use crate::screen::view;
use crate::table::SeatView;

impl ScreenState {
    /// Finds the thing under each cursor again.
    pub(in crate::screen) fn find(&mut self, seen: &SeatView<'_>) {
        self.party.find(self.party_lines(seen));
        self.clocks.find(self.clock_lines(seen));
        self.tokens.find(self.token_lines(seen));
        match self.tab {
            Tab::Log => self.log.find(seen),
            Tab::Table => {
                self.rolls.follow(rows::rolls(seen));
                self.counts = Panel::ALL.map(|panel| self.cursor(panel).len());
            }
            Tab::Party | Tab::Clocks | Tab::Tokens => {}
        }
    }

    /// Settles cursors and scrolling for a frame. Returns the entries in sight that have to be brought into
    /// memory.
    pub(in crate::screen) fn settle(&mut self, seen: &SeatView<'_>) -> Vec<u64> {
        self.find(seen);
        let Some(parts) = layout::parts(self.size) else {
            return Vec::new();
        };
        let room = layout::room(layout::panes(self.tab, parts.body, self.details).list);
        match self.tab {
            Tab::Table => {
                for deck in layout::decks(parts.body, self.counts, self.panel) {
                    let (in_row, rows) = (usize::from(deck.in_row), deck.rows());
                    self.cursor(deck.panel).scroll(in_row, rows);
                }
            }
            Tab::Party | Tab::Clocks | Tab::Tokens => self.cursor(self.in_hand()).scroll(1, room),
            Tab::Log => {
                self.log.scroll(room);
                return self.log.far(seen, room);
            }
        }
        Vec::new()
    }

    /// What the log is to be asked for beside the screen, if anything.
    pub(in crate::screen) fn ask_log(&mut self, seen: &SeatView<'_>) -> Option<LogQuestion> {
        self.log.find(seen);
        let parts = layout::parts(self.size)?;
        let room = layout::room(layout::panes(Tab::Log, parts.body, self.details).list);
        self.log.ask(room)
    }

    /// The help is not scrolled beyond its end.
    pub(in crate::screen) fn settle_help(&mut self, keymap: &Keymap) {
        let Mode::Help { top, under } = &self.mode else {
            return;
        };
        let settled = (*top).min(view::rows_below(self, under, keymap));
        if let Mode::Help { top, .. } = &mut self.mode {
            *top = settled;
        }
    }
}
