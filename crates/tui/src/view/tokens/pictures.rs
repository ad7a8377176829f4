//! The Tokens tab with a coin for each token, or with a line of signs if coins would not fit.

use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::Widget as _;

use super::bar::{PoolSize, bar, has_picture};
use super::{amount, bold, compact_name, gains_text, limits, next_threshold, threshold_lines};
use crate::Role;
use crate::app::list::{List, ListId};
use crate::app::state::Panel;
use crate::app::update::mouse::Spot;
use crate::view::item_view::{self, ItemView as _};
use crate::view::{Painter, ViewContext};
use crate::widget::clock::Clock;
use crate::widget::{GUTTER, after, below, draw_marks, join, left, line_columns, top};
use tableside_game::TokenPool;
use tableside_table::SeatView;

/// The sizes of a coin in rows, the largest first. A single row has signs instead of coins.
const SIZES: [u16; 6] = [9, 8, 7, 6, 5, 1];

/// Draws the tab, with a picture for each pool if all pictures fit, and otherwise as a list.
pub(in crate::view) fn draw_tab(painter: &mut Painter<'_>, body: Rect) {
    let context = painter.context;
    let state = context.state;
    let list = state.list(Panel::Tokens);
    let has_details = state.are_details_toggled(state.tab);
    let wants_pictures = !has_details && !list.lines().is_empty();

    let key = (context.view.revision(), list.lines(), wants_pictures);
    let pictures = context.cached(1, key, || {
        if wants_pictures {
            place_pictures(context, list, body)
        } else {
            None
        }
    });
    painter.clear_if_changed(body, &*pictures);

    let Some(pictures) = &*pictures else {
        item_view::draw_tab::<&TokenPool>(painter, body);
        return;
    };
    for place in &pictures.places {
        if let Some(pool) = <&TokenPool>::find(context, place.id) {
            draw_pool(painter, pool, place, pictures.style);
        }
    }
}

/// The pictures of all pools on the tab.
#[derive(Hash)]
struct Pictures {
    style: PictureStyle,
    places: Vec<PoolPlace>,
}

/// The look of the pictures, which is the same for all pools.
#[derive(Clone, Copy, Hash)]
struct PictureStyle {
    /// True if the limits and thresholds are shown below the pictures.
    has_limits: bool,
    /// The number of rows of a coin, or 1 for a line of signs.
    size: u16,
    /// The number of blank rows between two pools.
    gap: u16,
}

/// The place of a pool on the tab.
#[derive(Hash)]
struct PoolPlace {
    id: ListId,
    area: Rect,
}

/// Returns the largest pictures that fit.
///
/// Limits are more important than large pictures, and large pictures are more important than blank rows.
fn place_pictures(context: ViewContext<'_>, list: &List, body: Rect) -> Option<Pictures> {
    for has_limits in [true, false] {
        for size in SIZES {
            for gap in [1, 0] {
                let style = PictureStyle {
                    has_limits,
                    size,
                    gap,
                };
                if let Some(places) = place_pools(context, list, body, style) {
                    return Some(Pictures { style, places });
                }
            }
        }
    }
    None
}

/// Returns the places of all pools, one below the other, or `None` if they do not fit.
fn place_pools(
    context: ViewContext<'_>,
    list: &List,
    body: Rect,
    style: PictureStyle,
) -> Option<Vec<PoolPlace>> {
    let width = picture_width(body);
    let mut free = body;
    let mut places = Vec::new();

    for id in list.lines().iter().flatten().copied() {
        let Some(pool) = <&TokenPool>::find(context, id) else {
            continue;
        };

        let height = pool_height(pool, style, width, context)?;
        if height > free.height {
            return None;
        }

        let area = top(free, height);
        places.push(PoolPlace { id, area });
        free = below(free, height + style.gap);
    }

    Some(places)
}

/// Returns the number of rows for a pool: its name, its picture, its limits and its thresholds. `None` if the coins do
/// not fit.
fn pool_height(
    pool: &TokenPool,
    style: PictureStyle,
    width: u16,
    context: ViewContext<'_>,
) -> Option<u16> {
    let limit_count = if style.has_limits {
        limit_lines(pool, context).len()
    } else {
        0
    };
    let limit_rows = u16::try_from(limit_count).unwrap_or(u16::MAX);

    let picture_rows = picture_height(pool, style.size, width, context.view)?;
    let rows_below_name = picture_rows.saturating_add(limit_rows);
    Some(rows_below_name.saturating_add(1))
}

/// Returns the number of columns between the marks and the right edge of the tab.
fn picture_width(area: Rect) -> u16 {
    area.width.saturating_sub(GUTTER + 2)
}

/// Draws a pool on the tab: its name, its picture, and its limits and thresholds.
fn draw_pool<'a>(
    painter: &mut Painter<'a>,
    pool: &'a TokenPool,
    place: &PoolPlace,
    style: PictureStyle,
) {
    let context = painter.context;
    let id = place.id;
    let list = context.state.list(Panel::Tokens);
    let marks = item_view::row_marks(list, id, true);
    let width = picture_width(place.area);

    let head_line = top(place.area, 1);
    painter.redraw_with_game(head_line, (id, marks), |painter| {
        painter.hits.push((head_line, Spot::Listed(id)));
        draw_marks(marks, context.look, head_line, painter.buffer);

        let inner = left(after(head_line, GUTTER), width);
        draw_heading(pool, !style.has_limits, painter, inner);
    });

    let picture_area = below(place.area, 1);
    painter.redraw_with_game(picture_area, id, |painter| {
        painter.hits.push((picture_area, Spot::Listed(id)));

        let inner = left(after(picture_area, GUTTER), width);
        let height = picture_height(pool, style.size, width, context.view);
        let rows = height.unwrap_or(style.size);
        draw_picture(pool, style.size, painter, top(inner, rows));

        if style.has_limits {
            let limit_area = below(inner, rows);
            let lines = limit_lines(pool, context);
            for (line, row) in lines.iter().zip(limit_area.rows()) {
                painter.draw_line(row, line);
            }
        }
    });
}

/// Draws the owner, the name and the amount. `has_next` adds the next threshold and the gains of the scene.
fn draw_heading<'a>(pool: &'a TokenPool, has_next: bool, painter: &mut Painter<'a>, area: Rect) {
    let context = painter.context;
    let tokens = amount(pool, context);
    let room = area.width.saturating_sub(line_columns(&tokens) + 2);
    let mut parts = vec![bold(compact_name(pool, room, true, context)), tokens];

    if has_next {
        if let Some(threshold) = next_threshold(pool) {
            parts.push(context.line(threshold, Role::Muted));
        }
        if let Some(gains) = gains_text(pool) {
            parts.push(context.line(format!("this scene {gains}"), Role::Muted));
        }
    }
    painter.draw_line(area, &join(parts, "  "));
}

/// Returns the number of rows of a pool's picture, or `None` if its coins do not fit.
fn picture_height(pool: &TokenPool, size: u16, width: u16, view: &SeatView<'_>) -> Option<u16> {
    if size == 1 || !has_picture(pool, view) {
        return Some(1);
    }

    let coins_in_row = width / coin_columns(size);
    if coins_in_row == 0 {
        return None;
    }
    let places = PoolSize::of(pool, view).places;
    let coin_rows = places.div_ceil(coins_in_row);
    Some(coin_rows.saturating_mul(size + 1) - 1)
}

/// Returns the number of columns of a coin and the space after it.
fn coin_columns(size: u16) -> u16 {
    size * 2 + 1
}

/// Draws a coin for each token and for each missing token, or a line of signs.
fn draw_picture(pool: &TokenPool, size: u16, painter: &mut Painter<'_>, area: Rect) {
    if size == 1 || !has_picture(pool, painter.view) {
        painter.draw_line(area, &bar(pool, area.width, painter.context));
        return;
    }

    let PoolSize { tokens, places } = PoolSize::of(pool, painter.view);
    let column_width = coin_columns(size);
    let coins_in_row = (area.width / column_width).max(1);
    for index in 0..places {
        let row = index / coins_in_row;
        let column = index % coins_in_row;
        let coin_row = below(area, row * (size + 1));
        let coin_column = after(coin_row, column * column_width);
        let coin_area = left(top(coin_column, size), size * 2);

        let is_full = index < tokens;
        draw_coin(is_full, painter, coin_area);
    }
}

/// Draws a coin as a clock with one segment.
fn draw_coin(is_full: bool, painter: &mut Painter<'_>, area: Rect) {
    let coin = Clock {
        filled: Some(u16::from(is_full)),
        fresh: 0,
        segments: 1,
        role: Role::Token,
        is_pulled: false,
        look: painter.look,
    };
    (&coin).render(area, painter.buffer);
}

/// Returns a line with the limits, and a line for each threshold.
fn limit_lines<'a>(pool: &'a TokenPool, context: ViewContext<'a>) -> Vec<Line<'a>> {
    let mut named_limits = Vec::new();
    for (name, value) in limits(pool, context) {
        let name = context.line(name.to_lowercase(), Role::Muted);
        named_limits.push(join([name, value], " "));
    }

    let mut lines = Vec::new();
    if !named_limits.is_empty() {
        lines.push(join(named_limits, "   "));
    }
    lines.extend(threshold_lines(pool, context));
    lines
}
