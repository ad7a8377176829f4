//! The token pools: as lines or cards on the table, and with their limits on the Tokens tab.

use ratatui::layout::Rect;
use ratatui::style::Modifier;
use ratatui::text::Line;
use ratatui::widgets::Widget as _;

use crate::Role;
use crate::app::list::{List, ListId};
use crate::app::state::Panel;
use crate::app::update::mouse::Spot;
use crate::view::item_view::{self, ItemView};
use crate::view::layout::PanelLayout;
use crate::view::sheets::{Fact, FactGroup};
use crate::view::{Painter, ViewContext};
use crate::widget::clock::Clock;
use crate::widget::{
    Column, GUTTER, GridColumns, after, below, columns, draw_marks, join, left, line_columns, top,
};
use tableside_game::{MOST_TOKENS, PoolKind, Reset, TokenPool};

/// The columns for the tokens of a pool.
const PIPS: u16 = 10;
/// The columns of a token in the bar of a pool without a maximum.
const LOOSE: u16 = 6;
/// The least and the greatest number of rows of a coin. Smaller pictures are bars.
const COINS: (u16, u16) = (5, 16);

impl<'a> ItemView<'a> for &'a TokenPool {
    fn find(context: ViewContext<'a>, id: ListId) -> Option<Self> {
        context.view.game().pool(id.try_as_pool()?)
    }

    fn columns(context: ViewContext<'a>, width: u16) -> GridColumns<'a, Self> {
        let muted = move |text: Option<String>| context.line(text.unwrap_or_default(), Role::Muted);
        let mut all = GridColumns::default();

        let name_room = (width * 2 / 5).max(width.saturating_sub(40).min(40));
        let name_column = Column::new("Pool", (16, 40)).grows();
        all.add(name_column, move |pool: &Self| {
            compact_name(pool, name_room, width >= 60, context)
        });
        let tokens_column = Column::fixed("Tokens", PIPS).priority(1);
        all.add(tokens_column, move |pool| pips(pool, PIPS, context));
        let amount_column = Column::fixed("", 6).right();
        all.add(amount_column, move |pool| amount(pool, context));

        let minimum_column = Column::fixed("Minimum", 7).right().priority(6);
        all.add(minimum_column, move |pool| {
            let has_minimum = pool.floor > -MOST_TOKENS;
            muted(has_minimum.then(|| number(pool.floor)))
        });
        let maximum_column = Column::fixed("Maximum", 7).right().priority(5);
        all.add(maximum_column, move |pool| muted(pool.cap.map(number)));
        let gains_column = Column::fixed("This scene", 10).priority(3);
        all.add(gains_column, move |pool| muted(gains_text(pool)));
        let reset_column = Column::fixed("Goes back", 19).priority(7);
        all.add(reset_column, move |pool| muted(reset_text(pool)));
        let next_column = Column::new("Next", (4, 44)).priority(8);
        all.add(next_column, move |pool| muted(next_threshold(pool)));
        all
    }

    fn panel_columns(
        context: ViewContext<'a>,
        panel: &PanelLayout,
    ) -> Option<GridColumns<'a, Self>> {
        if panel.cell.height > 1 {
            return None;
        }

        let width = panel.cell.width;
        let pips_width = if width >= 34 { PIPS } else { PIPS / 2 };
        let amount_width = context
            .view
            .pools()
            .map(|pool| line_columns(&amount(pool, context)))
            .max()
            .unwrap_or(0)
            .clamp(4, 7);
        // The marker, and a blank before each of the other columns.
        let name_room = width.saturating_sub(pips_width + amount_width + 4);

        let mut all = GridColumns::default();
        all.add(Column::new("", (6, 6)).grows(), move |pool: &Self| {
            compact_name(pool, name_room, width >= 50, context)
        });
        all.add(Column::fixed("", pips_width), move |pool| {
            pips(pool, pips_width, context)
        });
        all.add(Column::fixed("", amount_width).right(), move |pool| {
            amount(pool, context)
        });
        Some(all)
    }

    /// Draws the name, the tokens, a bar, and the next threshold.
    fn draw_card(&self, painter: &mut Painter<'a>, area: Rect) {
        let context = painter.context;
        let area = left(area, area.width.saturating_sub(1));
        draw_head(self, false, painter, area);
        painter.draw_line(below(area, 1), &bar(self, area.width, context));
        let next = next_threshold(self).unwrap_or_default();
        painter.draw_line(below(area, 2), &context.line(next, Role::Muted));
    }

    fn title(&self, context: ViewContext<'a>) -> (&'a str, &'a str) {
        (&self.name, context.view.owner_name(self.owner))
    }

    /// Returns the tokens, the limits and the thresholds.
    fn fact_groups(&self, context: ViewContext<'a>) -> Vec<FactGroup<'a>> {
        let tokens = join([pips(self, PIPS, context), amount(self, context)], "  ");
        let mut facts = vec![Fact::new("Tokens", tokens)];
        for (name, text) in limits(self, context) {
            facts.push(Fact::new(name, text));
        }
        for line in threshold_lines(self, context) {
            facts.push(Fact::unnamed(line));
        }
        vec![FactGroup::new("", facts)]
    }
}

/// Draws the tab, with a picture for each pool if all pictures fit.
pub(super) fn draw_tab(painter: &mut Painter<'_>, body: Rect) {
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
    painter.redraw_if_changed(body, &*pictures, |_| {});

    let Some(pictures) = &*pictures else {
        return item_view::draw_tab::<&TokenPool>(painter, body);
    };
    for (id, area) in pictures.places.iter().copied() {
        if let Some(pool) = <&TokenPool>::find(context, id) {
            draw_pool(painter, pool, id, area, pictures);
        }
    }
}

/// Draws a pool on the tab: its name, its picture, and its limits and thresholds.
fn draw_pool<'a>(
    painter: &mut Painter<'a>,
    pool: &'a TokenPool,
    id: ListId,
    area: Rect,
    pictures: &Pictures,
) {
    let context = painter.context;
    let list = context.state.list(Panel::Tokens);
    let marks = item_view::row_marks(list, id, true);
    let head_line = top(area, 1);
    let picture_area = below(area, 1);
    let width = area.width.saturating_sub(GUTTER + 2);

    painter.redraw_with_game(head_line, (id, marks), |painter| {
        painter.hits.push((head_line, Spot::Listed(id)));
        draw_marks(marks, context.look, head_line, painter.buffer);
        let inner = left(after(head_line, GUTTER), width);
        draw_head(pool, !pictures.has_limits, painter, inner);
    });
    painter.redraw_with_game(picture_area, id, |painter| {
        painter.hits.push((picture_area, Spot::Listed(id)));
        let inner = left(after(picture_area, GUTTER), width);
        let rows = picture_rows(pool, pictures.size, inner.width).unwrap_or(pictures.size);
        draw_picture(pool, pictures.size, painter, top(inner, rows));

        if pictures.has_limits {
            let lines = limit_lines(pool, context);
            for (line, row) in lines.iter().zip(below(inner, rows).rows()) {
                painter.draw_line(row, line);
            }
        }
    });
}

/// The pictures of all pools on the tab.
#[derive(Hash)]
struct Pictures {
    /// True if the limits and thresholds stand below the pictures.
    has_limits: bool,
    /// The rows of a coin, or of a bar.
    size: u16,
    places: Vec<(ListId, Rect)>,
}

/// Returns the largest pictures that fit. Limits are more important than large pictures, and those are more important than
/// blank rows.
fn place_pictures(context: ViewContext<'_>, list: &List, body: Rect) -> Option<Pictures> {
    let (_, max_size) = COINS;
    for has_limits in [true, false] {
        for size in (1..=max_size).rev() {
            for gap in [1, 0] {
                if let Some(places) = place_pools(context, list, body, (has_limits, size, gap)) {
                    return Some(Pictures {
                        has_limits,
                        size,
                        places,
                    });
                }
            }
        }
    }
    None
}

/// Returns the place of each pool, below each other, or `None` if they do not fit.
fn place_pools(
    context: ViewContext<'_>,
    list: &List,
    body: Rect,
    (has_limits, size, gap): (bool, u16, u16),
) -> Option<Vec<(ListId, Rect)>> {
    let width = body.width.saturating_sub(GUTTER + 2);
    let mut free = body;
    let mut places = Vec::new();
    for id in list.lines().iter().flatten().copied() {
        let Some(pool) = <&TokenPool>::find(context, id) else {
            continue;
        };
        let limit_rows = if has_limits {
            u16::try_from(limit_lines(pool, context).len()).ok()?
        } else {
            0
        };
        let height = 1 + picture_rows(pool, size, width)? + limit_rows;
        if height > free.height {
            return None;
        }
        places.push((id, top(free, height)));
        free = below(free, height + gap);
    }
    Some(places)
}

/// The size of a pool.
struct PoolSize {
    tokens: u16,
    /// The tokens for which there is room, at least one.
    places: u16,
}

impl PoolSize {
    fn of(pool: &TokenPool) -> Self {
        let tokens = u16::try_from(pool.tokens.unsigned_abs()).unwrap_or(u16::MAX);
        let cap = pool.cap.and_then(|cap| u16::try_from(cap).ok());
        Self {
            tokens,
            places: cap.unwrap_or(tokens).max(tokens).max(1),
        }
    }
}

/// Returns true if the pool has tokens, or an empty place for one.
fn has_picture(pool: &TokenPool) -> bool {
    pool.tokens > 0 || (pool.tokens == 0 && pool.cap.is_some())
}

/// Returns the rows of a pool's picture, or `None` if its coins do not fit.
fn picture_rows(pool: &TokenPool, size: u16, width: u16) -> Option<u16> {
    let (min_coin, _) = COINS;
    if !has_picture(pool) {
        return Some(1);
    }
    if size < min_coin {
        return Some(size);
    }

    let in_row = width / coin_columns(size);
    if in_row == 0 {
        return None;
    }
    let coin_rows = PoolSize::of(pool).places.div_ceil(in_row);
    Some(coin_rows.saturating_mul(size + 1) - 1)
}

/// Returns the columns of a coin, with the blank after it.
fn coin_columns(size: u16) -> u16 {
    size * 2 + 1
}

/// Draws a coin for each token and for each missing token, or a bar if coins would be too small.
fn draw_picture(pool: &TokenPool, size: u16, painter: &mut Painter<'_>, area: Rect) {
    let (min_coin, _) = COINS;
    if size.min(area.height) < min_coin {
        let bar = bar(pool, area.width, painter.context);
        for row in area.rows() {
            painter.draw_line(row, &bar);
        }
        return;
    }

    let PoolSize { tokens, places } = PoolSize::of(pool);
    let width = coin_columns(size);
    let in_row = (area.width / width).max(1);
    for index in 0..places {
        let is_there = index < tokens;
        let coin = Clock {
            filled: Some(u16::from(is_there)),
            fresh: 0,
            segments: 1,
            role: Role::Token,
            is_pulled: false,
            look: painter.look,
        };
        let coin_row = below(area, index / in_row * (size + 1));
        let place = top(after(coin_row, index % in_row * width), size);
        (&coin).render(left(place, size * 2), painter.buffer);
    }
}

/// Draws the owner, the name and the amount. `has_next` adds the next threshold and the gains of the scene.
fn draw_head<'a>(pool: &'a TokenPool, has_next: bool, painter: &mut Painter<'a>, area: Rect) {
    let context = painter.context;
    let amount_width = painter.draw_line_right(area, &amount(pool, context));
    let room = area.width.saturating_sub(amount_width + 1);

    let name: Line<'_> = compact_name(pool, room, true, context)
        .into_iter()
        .map(|span| span.patch_style(Modifier::BOLD))
        .collect();
    let mut parts = vec![name];
    if has_next {
        let gains = gains_text(pool).map(|gains| format!("this scene {gains}"));
        for text in [next_threshold(pool), gains].into_iter().flatten() {
            parts.push(context.line(text, Role::Muted));
        }
    }
    painter.draw_line(left(area, room), &join(parts, "  "));
}

/// Returns a line with the limits, and a line for each threshold.
fn limit_lines<'a>(pool: &'a TokenPool, context: ViewContext<'a>) -> Vec<Line<'a>> {
    let limits = limits(pool, context)
        .into_iter()
        .map(|(name, value)| join([context.line(name.to_lowercase(), Role::Muted), value], " "));
    let limits = join(limits, "   ");

    let mut lines = Vec::new();
    if !limits.spans.is_empty() {
        lines.push(limits);
    }
    lines.extend(threshold_lines(pool, context));
    lines
}

/// Returns the limits with their names.
fn limits<'a>(pool: &'a TokenPool, context: ViewContext<'a>) -> Vec<(&'a str, Line<'a>)> {
    let mut limits = <&TokenPool>::columns(context, 0).titled(&pool);
    // The name, the tokens and the thresholds are shown elsewhere.
    limits.retain(|(title, _)| !matches!(*title, "Pool" | "Tokens" | "Next"));
    limits
}

fn threshold_lines<'a>(
    pool: &'a TokenPool,
    context: ViewContext<'a>,
) -> impl Iterator<Item = Line<'a>> {
    pool.thresholds.iter().map(move |(at, note)| {
        let (word, role) = if pool.reaches(*at, pool.tokens) {
            ("reached", Role::Warning)
        } else {
            ("at", Role::Text)
        };
        context.line(format!("{word} {}: {note}", number(*at)), role)
    })
}

/// Returns a bar with a block for each token and for each missing token.
fn bar(pool: &TokenPool, width: u16, context: ViewContext<'_>) -> Line<'static> {
    if !has_picture(pool) {
        return pips(pool, PIPS, context);
    }

    let PoolSize { tokens, places } = PoolSize::of(pool);
    let max_block = if pool.cap.is_some() { width } else { LOOSE };
    let block_width = (width / places).min(max_block);
    let blocks = |sign: &str, count: u16, role| {
        let text = if block_width > 1 {
            let block = sign.repeat(usize::from(block_width - 1)) + " ";
            block.repeat(count.into())
        } else {
            let cells = u32::from(count) * u32::from(width) / u32::from(places);
            sign.repeat(usize::try_from(cells).unwrap_or(0))
        };
        context.span(text, role)
    };
    Line::from(vec![
        blocks("█", tokens, Role::Token),
        blocks("░", places - tokens, Role::TokenEmpty),
    ])
}

/// Returns the owner and the name of the pool.
fn compact_name<'a>(
    pool: &'a TokenPool,
    room: u16,
    is_wide: bool,
    context: ViewContext<'a>,
) -> Line<'a> {
    let Some(owner) = pool.owner else {
        return context.line(pool.name.as_str(), Role::Text);
    };

    let pool_name = if is_wide {
        &pool.name
    } else {
        short_name(pool, context)
    };
    // The owner is cut before the name of the pool only if little room is left.
    let owner_room = room.saturating_sub(columns(pool_name) + 2).max(room / 3);
    let owner_name = context.view.owner_name(Some(owner));
    let owner_name = context.look.fit_name(owner_name, owner_room);
    join(
        [
            context.line(owner_name, Role::Text),
            context.line(pool_name, Role::Muted),
        ],
        "  ",
    )
}

/// Returns the nearest threshold that is not reached yet.
fn next_threshold(pool: &TokenPool) -> Option<String> {
    let (at, note) = pool
        .thresholds
        .iter()
        .filter(|(at, _)| !pool.reaches(*at, pool.tokens))
        .min_by_key(|(at, _)| at.abs_diff(pool.tokens))?;
    Some(format!("at {}: {note}", number(*at)))
}

fn gains_text(pool: &TokenPool) -> Option<String> {
    let gains = pool.gains?;
    Some(format!("{} of {}", gains.this_scene, gains.most))
}

fn reset_text(pool: &TokenPool) -> Option<String> {
    match pool.reset {
        Reset::Never => None,
        Reset::Scene => Some(format!("to {} each scene", pool.start)),
        Reset::Session => Some(format!("to {} each session", pool.start)),
        Reset::AtLeastStart => Some(format!("up to {} at the end", pool.start)),
        Reset::Turn => Some(format!("to {} each turn", pool.start)),
        Reset::Recharge(recharge) => Some(format!("recharge {}", recharge.from)),
        Reset::ShortRest => Some(format!("to {} after a rest", pool.start)),
        Reset::LongRest => Some(format!("to {} after a long rest", pool.start)),
    }
}

/// Formats a number with a minus sign that is as wide as a plus sign.
pub(super) fn number(number: i32) -> String {
    number.to_string().replace('-', "−")
}

/// Returns a sign for each token and for each missing token: `●●●○○`, or `▼▼` for a debt. The line is empty if there are
/// too many tokens.
pub(super) fn pips(pool: &TokenPool, width: u16, context: ViewContext<'_>) -> Line<'static> {
    signs(pool, pool.cap, width.into(), context).unwrap_or_default()
}

/// Returns a sign for each token and for each missing token, or `None` if they do not fit.
fn signs(
    pool: &TokenPool,
    cap: Option<i32>,
    room: usize,
    context: ViewContext<'_>,
) -> Option<Line<'static>> {
    let room = room.min(PIPS.into());
    let tokens = usize::try_from(pool.tokens.unsigned_abs()).unwrap_or(usize::MAX);
    if tokens > room {
        return None;
    }

    let places = cap.and_then(|cap| usize::try_from(cap).ok()).unwrap_or(0);
    let missing = if places <= room {
        places.saturating_sub(tokens)
    } else {
        0
    };
    Some(match (pool.tokens, missing) {
        (..0, _) => context.line("▼".repeat(tokens), Role::TokenDebt),
        (0, 0) => context.line("–", Role::TokenEmpty),
        _ => Line::from(vec![
            context.span("●".repeat(tokens), Role::Token),
            context.span("○".repeat(missing), Role::TokenEmpty),
        ]),
    })
}

/// Returns the shortest name of a pool.
pub(super) fn short_name<'a>(pool: &'a TokenPool, context: ViewContext<'_>) -> &'a str {
    let spec = match pool.kind {
        PoolKind::Rule(id) => context.view.system().spec().pool(id),
        PoolKind::Own => None,
    };
    match spec {
        Some(spec) => spec.short_name(),
        None => &pool.name,
    }
}

/// Returns the number of tokens, with the maximum if there is one.
pub(super) fn amount(pool: &TokenPool, context: ViewContext<'_>) -> Line<'static> {
    let role = match pool.tokens {
        ..0 => Role::TokenDebt,
        0.. => Role::Token,
    };
    let cap = match pool.cap {
        Some(cap) => format!("/{cap}"),
        None => String::new(),
    };
    Line::from(vec![
        context.span(number(pool.tokens), role),
        context.span(cap, Role::Muted),
    ])
}
