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
        let (party, clocks, tokens) = (
            self.party_lines(seen),
            self.clock_lines(seen),
            self.token_lines(seen),
        );
        self.party.find(&party);
        self.clocks.find(&clocks);
        self.tokens.find(&tokens);
        match self.tab {
            Tab::Log => self.log.find(seen),
            Tab::Table => {
                let rolls = rows::rolls(seen);
                self.rolls.follow(&rolls);
                self.counts = [party.len(), clocks.len(), tokens.len(), rolls.len()];
            }
            Tab::Party | Tab::Clocks | Tab::Tokens => {}
        }
    }

    /// Settles cursors and scrolling for a frame. Answers with the entries in sight that have to be brought
    /// into memory.
    pub(in crate::screen) fn settle(&mut self, seen: &SeatView<'_>) -> Vec<u64> {
        self.find(seen);
        let Some(parts) = layout::parts(self.size) else {
            return Vec::new();
        };
        let room = layout::room(layout::panes(self.tab, parts.body, self.details).list);
        match self.tab {
            Tab::Table => self.settle_decks(),
            Tab::Party => {
                let lines = self.party_lines(seen);
                self.party.scroll(&lines, room);
            }
            Tab::Clocks => {
                let lines = self.clock_lines(seen);
                self.clocks.scroll(&lines, room);
            }
            Tab::Tokens => {
                let lines = self.token_lines(seen);
                self.tokens.scroll(&lines, room);
            }
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

    fn settle_decks(&mut self) {
        let Some(parts) = layout::parts(self.size) else {
            return;
        };
        let counts = self.counts;
        for deck in layout::decks(parts.body, counts, self.panel) {
            let (in_row, rows) = (usize::from(deck.in_row), deck.rows());
            let [people, clocks, tokens, rolls] = counts;
            match deck.panel {
                Panel::Party => self.party.scroll_rows(people, in_row, rows),
                Panel::Clocks => self.clocks.scroll_rows(clocks, in_row, rows),
                Panel::Tokens => self.tokens.scroll_rows(tokens, in_row, rows),
                Panel::Rolls => self.rolls.scroll_rows(rolls, in_row, rows),
            }
        }
    }
}
