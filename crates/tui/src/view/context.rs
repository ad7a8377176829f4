//! The data that views are drawn from.

use std::any::Any;
use std::borrow::Cow;
use std::hash::Hash;
use std::sync::Arc;

use ratatui::text::{Line, Span};

use crate::app::setup::Setup;
use crate::app::state::ScreenState;
use crate::terminal::input::KeyCode;
use crate::view::frame_cache::ValueCache;
use crate::widget::Appearance;
use crate::{Action, Context, Role};
use tableside_game::EntityKind;
use tableside_table::{Entry, SeatView};

/// The maximum number of rolls that [`ViewContext::recent_rolls`] returns.
const MAX_RECENT_ROLLS: usize = 200;

/// The game, the state of the screen, and the settings, all read-only.
#[derive(Clone, Copy)]
pub(super) struct ViewContext<'a> {
    /// The game, redacted for the seat of this screen.
    pub(super) view: &'a SeatView<'a>,
    pub(super) state: &'a ScreenState,
    /// The settings: key bindings, time zone, theme.
    pub(super) setup: &'a Setup,
    pub(super) look: Appearance<'a>,
    /// Values that earlier frames computed.
    pub(super) values: &'a ValueCache,
}

impl ViewContext<'_> {
    /// Returns the value that an earlier frame computed for an equal key, or computes it.
    ///
    /// The cache keeps at most `limit` values of this type.
    pub(super) fn cached<T: Any + Send + Sync>(
        &self,
        limit: usize,
        key: impl Hash,
        compute: impl FnOnce() -> T,
    ) -> Arc<T> {
        self.values.get_or_compute(limit, key, compute)
    }

    /// Returns the newest rolls that this seat may read, the newest one first.
    pub(super) fn recent_rolls(&self) -> Arc<Vec<Arc<Entry>>> {
        let revision = self.view.revision_of(EntityKind::Game);
        self.cached(1, revision, || {
            self.view
                .rolled()
                .take(MAX_RECENT_ROLLS)
                .filter_map(|number| self.view.entry(number))
                .collect()
        })
    }

    pub(super) fn span<'t>(&self, text: impl Into<Cow<'t, str>>, role: Role) -> Span<'t> {
        self.look.span(text, role)
    }

    pub(super) fn line<'t>(&self, text: impl Into<Cow<'t, str>>, role: Role) -> Line<'t> {
        self.look.line(text, role)
    }

    /// Returns the key of an action in the open tab, or an empty string if the action has no key there.
    pub(super) fn key(&self, action: Action) -> String {
        self.key_in(self.state.tab_contexts(), action)
    }

    /// Returns the key of an action in these contexts, or an empty string if the action has no key there.
    pub(super) fn key_in(&self, contexts: &[Context], action: Action) -> String {
        let keys = self.setup.keymap.keys_for(action, contexts);
        // Escape is the best known of several keys that close a dialog.
        let escape = keys.iter().find(|key| key.code == KeyCode::Esc);

        match escape.or_else(|| keys.first()) {
            Some(key) => key.label(self.look.ascii),
            None => String::new(),
        }
    }
}
