//! The row of a card with the name and the state.

use ratatui::layout::Rect;
use ratatui::text::Line;

use crate::view::card::flow::STATE_GAP;
use crate::view::card::places::{CardPlaces, LEAST_NAME, LEAST_STATE, MOST_NAME};
use crate::widget::line_columns;

/// The least columns of a name beside a condition in which the character cannot act.
const LEAST_NAME_BESIDE_STATE: u16 = 5;

/// The places in the row of a name, counted from the corner of the card.
pub(super) struct NameRow {
    pub(super) name: Rect,
    pub(super) state: Rect,
    /// The place of a list, if the character has no state. It is empty after a long name, so that lists begin in the
    /// same column on all cards.
    pub(super) free: Rect,
}

/// The columns that the state takes beside a name.
#[derive(Clone, Copy)]
pub(super) struct StateColumns {
    /// The columns of the whole state in one row.
    whole: u16,
    /// The columns that even a long name leaves free, for a condition in which the character cannot act.
    least: u16,
}

impl StateColumns {
    pub(super) fn new(state: &[Line<'_>], is_grave: bool) -> Self {
        let mut whole = 0_u16;
        for part in state {
            let gap = if whole > 0 { STATE_GAP } else { 0 };
            whole = whole.saturating_add(gap + line_columns(part));
        }
        let least = match state.first() {
            Some(gravest) if is_grave => line_columns(gravest),
            _ => 0,
        };
        Self { whole, least }
    }
}

impl NameRow {
    /// Divides the row of the name. The name may use columns that the state does not need, and the state may use
    /// columns that the name does not need. A name is cut before a grave state is.
    pub(super) fn new(card: &CardPlaces, name_columns: u16, state: StateColumns) -> Self {
        let row = |x: u16, end: u16| Rect::new(x, 0, end.saturating_sub(x), 1);
        if !card.has_state_beside_name() {
            let is_empty = state.whole == 0;
            return Self {
                name: card.name,
                state: card.state,
                free: if is_empty { card.state } else { Rect::ZERO },
            };
        }

        let end = card.state.right();
        if state.whole == 0 {
            return Self {
                name: row(card.name.x, end),
                state: Rect::ZERO,
                free: if name_columns < card.state.x {
                    row(card.state.x, end)
                } else {
                    Rect::ZERO
                },
            };
        }

        let least_name = LEAST_NAME_BESIDE_STATE.min(card.name.width);
        let name_beside_gravest = end.saturating_sub(state.least + 1).max(least_name);
        let name_beside_whole = end.saturating_sub(state.whole + 1).max(card.name.width);
        let name_end = name_columns.min(name_beside_whole).min(name_beside_gravest);

        let x_of_whole = end.saturating_sub(state.whole);
        let state_x = x_of_whole.min(card.state.x).max(name_end + 1);
        Self {
            name: row(card.name.x, name_end),
            state: row(state_x, end),
            free: Rect::ZERO,
        }
    }
}

/// Splits the start of a row into the name and the conditions.
pub(super) fn split_name(width: u16) -> (Rect, Rect) {
    let name_width = if width < LEAST_NAME + 1 + LEAST_STATE {
        width.saturating_sub(1)
    } else {
        (width * 2 / 5).clamp(LEAST_NAME, MOST_NAME)
    };
    let state_x = (name_width + 1).min(width);
    let state_width = width.saturating_sub(state_x + 1);

    let name = Rect::new(0, 0, name_width, 1);
    let state = Rect::new(state_x, 0, state_width, 1);
    (name, state)
}
