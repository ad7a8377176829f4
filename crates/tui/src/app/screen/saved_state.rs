//! Restoring a closed screen, and following another screen of the same seat.

use crate::Screen;
use crate::Theme;
use crate::app::list::{List, ListId};
use crate::app::state::{Panel, ScreenState, Tab};
use crate::terminal::input::Parser;
use tableside_table::Seat;

/// The state of a closed screen.
pub struct SavedState {
    state: ScreenState,
    theme: Theme,
}

/// The tab, the cursors and the theme of a screen. It is small enough to be copied after each key.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CursorPosition {
    tab: Tab,
    panel: Panel,
    /// The entry under the cursor of each list.
    cursors: Vec<ListId>,
    theme: String,
}

impl Screen {
    /// Closes the screen. Returns its state for the next screen of the seat.
    ///
    /// `has_quit` is true if the user quit. Open dialogs are restored only after a lost connection.
    pub fn into_saved_state(mut self, has_quit: bool) -> SavedState {
        if has_quit {
            self.state.layers.clear();
        }
        self.state.notice = None;
        SavedState {
            state: self.state,
            theme: self.setup.theme,
        }
    }

    /// Restores the state of a closed screen of this seat.
    pub fn restore(&mut self, saved: SavedState) {
        let new_state = std::mem::replace(&mut self.state, saved.state);
        self.setup.theme = saved.theme;
        self.state.notice = new_state.notice;
        self.state.size = new_state.size;
        self.state.keymap = new_state.keymap;
        self.state.unsaved = new_state.unsaved;
        self.state.label = new_state.label;

        self.state.log.look_again();
        self.parser = Parser::default();
        self.revision = 0;
        self.refresh();
        self.queue_jobs();
        self.redraw_panels();
    }

    /// The position that another screen of the seat can move to.
    pub fn cursor_position(&self) -> CursorPosition {
        let state = &self.state;
        CursorPosition {
            tab: state.tab,
            panel: state.panel,
            cursors: state.lists.iter().filter_map(List::id).collect(),
            theme: self.setup.theme.name().to_owned(),
        }
    }

    /// Moves to the position of another screen of the seat.
    pub fn move_to(&mut self, position: &CursorPosition) {
        let state = &mut self.state;
        state.tab = position.tab;
        state.panel = position.panel;
        for id in &position.cursors {
            state.list_mut(Panel::of(*id)).select(*id);
        }
        if let Some(theme) = Theme::named(&position.theme) {
            self.setup.theme = theme;
        }
        self.redraw_panels();
    }

    /// Replaces the seat, after the game added a character to it or removed one.
    pub fn set_seat(&mut self, seat: Seat) {
        if self.setup.seat != seat {
            self.setup.seat = seat;
            self.state.log.look_again();
            self.with_view(ScreenState::select_acting);
            self.redraw_panels();
        }
    }

    /// Discards the cached panels, so that the next frame draws all of them.
    fn redraw_panels(&mut self) {
        self.frame_cache.forget();
        self.is_stale = true;
    }
}
