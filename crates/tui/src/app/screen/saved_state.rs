//! What a seat finds again when it comes back: its tab, its cursors, what it was in the middle of.

use crate::Screen;
use crate::Theme;
use crate::app::list::{List, ListId};
use crate::app::state::{Panel, ScreenState, Tab};
use crate::terminal::input::Parser;
use tableside_table::Seat;

/// What a screen remembered when it was closed.
pub struct SavedState {
    state: ScreenState,
    theme: Theme,
}

/// Where a screen is: little enough to be noted after each key.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CursorPosition {
    tab: Tab,
    panel: Panel,
    /// What is under the cursor of each list.
    cursors: Vec<ListId>,
    theme: String,
}

impl Screen {
    /// Closes the screen; what it remembers is for the next one of its seat. Who left on purpose does not
    /// come back into the middle of a dialog.
    pub fn into_saved_state(mut self, on_purpose: bool) -> SavedState {
        if on_purpose {
            self.state.layers.clear();
        }
        self.state.notice = None;
        let (state, theme) = (self.state, self.setup.theme);
        SavedState { state, theme }
    }

    /// Goes on where another screen of the seat was closed.
    pub fn restore(&mut self, kept: SavedState) {
        let fresh = std::mem::replace(&mut self.state, kept.state);
        self.setup.theme = kept.theme;
        self.state.notice = fresh.notice;
        self.state.size = fresh.size;
        self.state.keymap = fresh.keymap;
        self.state.unsaved = fresh.unsaved;
        self.state.label = fresh.label;
        self.state.log.look_again();
        self.parser = Parser::default();
        self.revision = 0;
        self.refresh();
        self.queue_jobs();
        self.frame_cache.forget();
        self.is_stale = true;
    }

    /// Where it is.
    pub fn cursor_position(&self) -> CursorPosition {
        let state = &self.state;
        CursorPosition {
            tab: state.tab,
            panel: state.panel,
            cursors: state.lists.iter().filter_map(List::id).collect(),
            theme: self.setup.theme.name().to_owned(),
        }
    }

    /// Goes where another screen of the seat is.
    pub fn move_to(&mut self, place: &CursorPosition) {
        let state = &mut self.state;
        (state.tab, state.panel) = (place.tab, place.panel);
        for id in &place.cursors {
            state.list_mut(Panel::of(*id)).select(*id);
        }
        if let Some(theme) = Theme::named(&place.theme) {
            self.setup.theme = theme;
        }
        self.frame_cache.forget();
        self.is_stale = true;
    }

    /// The seat is another than before, because the game gave it a character or took one.
    pub fn set_seat(&mut self, seat: Seat) {
        if self.setup.seat != seat {
            self.setup.seat = seat;
            self.state.log.look_again();
            self.frame_cache.forget();
            self.is_stale = true;
        }
    }
}
