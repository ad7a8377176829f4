//! What of a screen is painted anew, and what goes to the terminal.

use std::mem;

use ratatui::buffer::Buffer;

use super::{Screen, covered};
use crate::screen::state::ScreenState;
use crate::screen::view;

impl Screen {
    /// Whether the lists are what they were in the last frame: the cursors stand where they stood.
    fn has_same_things(&self) -> bool {
        let basis = self.basis.as_ref();
        basis.is_some_and(|basis| {
            self.table
                .read(&self.setup.seat, |seen| basis.has_same_things(seen))
        })
    }

    /// What is to be written to the terminal, in one go; nothing where nothing is otherwise.
    pub fn frame(&mut self) -> Vec<u8> {
        if !mem::take(&mut self.is_stale) {
            return Vec::new();
        }
        if mem::take(&mut self.was_touched) || !self.has_same_things() {
            let far = self.look(ScreenState::settle);
            if !far.is_empty() {
                // What cannot be read is not shown, and its line stays empty.
                self.table.fetch(&far);
            }
            self.state.settle_help(&self.setup.keymap);
        }
        let Self {
            table,
            setup,
            onlooker,
            state,
            display,
            spots,
            basis,
            ..
        } = self;
        let frame = table.read(&setup.seat, |seen| {
            let seen = &covered(seen, state, onlooker);
            let before = mem::replace(basis, view::Basis::of(seen, state));
            let both = basis.as_ref().zip(before.as_ref());
            let damage = both.and_then(|(now, before)| now.since(before, seen, state));
            let damage = damage.filter(|_| !display.is_blank());
            let paint = |paper: &mut Buffer| {
                view::draw(seen, state, setup, damage.as_ref(), (paper, spots))
            };
            let frame = match &damage {
                Some(damage) => display.retouch(&damage.areas(), paint),
                None => display.frame(paint),
            };
            #[cfg(debug_assertions)]
            super::whole::hold_against_whole((seen, state, setup), display, spots);
            frame
        });
        #[cfg(debug_assertions)]
        crate::screen::run::panic_if_told("draw");
        frame
    }
}
