//! The tokens of a pool in one line: as a sign for each token, or as a bar.

use ratatui::text::Line;

use crate::Role;
use crate::view::ViewContext;
use crate::widget;
use crate::widget::bar::BarLevel;
use tableside_game::TokenPool;
use tableside_table::SeatView;

/// The maximum number of columns for the signs of a pool.
pub(super) const PIPS: u16 = 10;

/// The size of a pool.
pub(super) struct PoolSize {
    /// The number of tokens, or of owed tokens.
    pub(super) tokens: u16,
    /// The number of tokens that the picture has room for, at least one.
    pub(super) places: u16,
}

impl PoolSize {
    pub(super) fn of(pool: &TokenPool, view: &SeatView<'_>) -> Self {
        let number = view.tokens_in(pool).unsigned_abs();
        let tokens = u16::try_from(number).unwrap_or(u16::MAX);
        let maximum = pool.cap.and_then(|cap| u16::try_from(cap).ok());
        let places = maximum.unwrap_or(tokens).max(tokens).max(1);
        Self { tokens, places }
    }
}

/// Returns true if the pool has tokens, or an empty place for one.
pub(super) fn has_picture(pool: &TokenPool, view: &SeatView<'_>) -> bool {
    let tokens = view.tokens_in(pool);
    let has_empty_place = tokens == 0 && pool.cap.is_some();
    tokens > 0 || has_empty_place
}

/// Returns a sign for each token and for each missing token, with spaces between them if they fit.
///
/// If there are too many, the line is a bar with the share of the maximum, or empty without a maximum.
pub(super) fn bar(pool: &TokenPool, width: u16, context: ViewContext<'_>) -> Line<'static> {
    if !has_picture(pool, context.view) {
        return pips(pool, PIPS, context);
    }

    let PoolSize { tokens, places } = PoolSize::of(pool, context.view);
    let (full_sign, empty_sign) = if places <= width.div_ceil(2) {
        ("● ", "○ ")
    } else if places <= width {
        ("●", "○")
    } else {
        return match pool.cap {
            Some(maximum) => {
                let level = BarLevel {
                    current: context.view.tokens_in(pool),
                    maximum,
                };
                widget::bar::bar(level, width, Role::Token, context.look)
            }
            None => Line::default(),
        };
    };

    let missing = places - tokens;
    Line::from(vec![
        context.span(full_sign.repeat(tokens.into()), Role::Token),
        context.span(empty_sign.repeat(missing.into()), Role::TokenEmpty),
    ])
}

/// Returns a sign for each token and for each missing token: `●●●○○`, or `▼▼` for a debt.
///
/// The line is empty if there are too many tokens. If only the missing tokens are too many, they get no signs.
pub(in crate::view) fn pips(
    pool: &TokenPool,
    width: u16,
    context: ViewContext<'_>,
) -> Line<'static> {
    let room = usize::from(width.min(PIPS));
    let number = context.view.tokens_in(pool);
    let tokens = usize::try_from(number.unsigned_abs()).unwrap_or(usize::MAX);
    if tokens > room {
        return Line::default();
    }

    if number < 0 {
        return context.line("▼".repeat(tokens), Role::TokenDebt);
    }

    let maximum = pool.cap.and_then(|cap| usize::try_from(cap).ok());
    let missing = match maximum {
        Some(maximum) if maximum <= room => maximum.saturating_sub(tokens),
        Some(_) | None => 0,
    };
    if tokens == 0 && missing == 0 {
        return context.line("–", Role::TokenEmpty);
    }

    Line::from(vec![
        context.span("●".repeat(tokens), Role::Token),
        context.span("○".repeat(missing), Role::TokenEmpty),
    ])
}
