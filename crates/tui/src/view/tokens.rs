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
    Column, GUTTER, GridColumns, RowMarks, after, below, columns, draw_marks, join, left,
    line_columns, top,
};
use tableside_game::{MOST_TOKENS, PoolKind, Reset, TokenPool};
use tableside_rules::PoolSpec;

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
        let muted =
            move |words: Option<String>| context.line(words.unwrap_or_default(), Role::Muted);
        let mut all = GridColumns::default();
        all.add(Column::new("Pool", (16, 40)).grows(), move |pool: &Self| {
            let room = (width * 2 / 5).max(width.saturating_sub(40).min(40));
            compact_name(pool, room, width >= 60, context)
        });
        let tokens = Column::fixed("Tokens", PIPS).priority(1);
        all.add(tokens, move |pool| pips(pool, PIPS, context));
        all.add(Column::fixed("", 6).right(), move |pool| {
            amount(pool, context)
        });
        let minimum = Column::fixed("Minimum", 7).right().priority(6);
        all.add(minimum, move |pool| {
            muted((pool.floor > -MOST_TOKENS).then(|| number(pool.floor)))
        });
        let maximum = Column::fixed("Maximum", 7).right().priority(5);
        all.add(maximum, move |pool| muted(pool.cap.map(number)));
        let gains = Column::fixed("This scene", 10).priority(3);
        all.add(gains, move |pool| muted(this_scene(pool)));
        all.add(Column::fixed("Goes back", 19).priority(7), move |pool| {
            muted(goes_back(pool))
        });
        all.add(Column::new("Next", (4, 44)).priority(8), move |pool| {
            muted(next(pool))
        });
        all
    }

    fn panel_columns(
        context: ViewContext<'a>,
        deck: &PanelLayout,
    ) -> Option<GridColumns<'a, Self>> {
        let width = deck.cell.width;
        if deck.cell.height > 1 {
            return None;
        }
        let room = if width >= 34 { PIPS } else { PIPS / 2 };
        let pools = context.view.pools();
        let amounts = pools.map(|pool| line_columns(&amount(pool, context)));
        let widest = amounts.max().unwrap_or(0).clamp(4, 7);
        // The marker, and a blank before each of the other columns.
        let name_room = width.saturating_sub(room + widest + 4);
        let mut all = GridColumns::default();
        all.add(Column::new("", (6, 6)).grows(), move |pool: &Self| {
            compact_name(pool, name_room, width >= 50, context)
        });
        all.add(Column::fixed("", room), move |pool| {
            pips(pool, room, context)
        });
        all.add(Column::fixed("", widest).right(), move |pool| {
            amount(pool, context)
        });
        Some(all)
    }

    /// Draws the name, the tokens, a bar, and the next threshold.
    fn draw_card(&self, painter: &mut Painter<'a>, area: Rect) {
        let context = painter.context;
        let area = left(area, area.width.saturating_sub(1));
        head(self, false, painter, area);
        painter.draw_line(below(area, 1), &bar(self, area.width, context));
        let next = context.line(next(self).unwrap_or_default(), Role::Muted);
        painter.draw_line(below(area, 2), &next);
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
        for line in thresholds(self, context) {
            facts.push(Fact::unnamed(line));
        }
        vec![FactGroup::new("", facts)]
    }
}

/// Draws the tab, with a picture for each pool if all pictures fit.
pub(super) fn draw_tab(painter: &mut Painter<'_>, body: Rect) {
    let context = painter.context;
    let list = context.state.list(Panel::Tokens);
    let is_asked =
        !context.state.are_details_toggled(context.state.tab) && !list.lines().is_empty();
    let drawn_from = (context.view.revision(), list.lines(), is_asked);
    let places = context.cached(1, drawn_from, || {
        is_asked.then(|| places(context, list, body))?
    });
    painter.redraw_if_changed(body, &*places, |_| {});
    let Some((has_told, size, places)) = &*places else {
        return item_view::draw_tab::<&TokenPool>(painter, body);
    };
    for (id, area) in places.iter().copied() {
        let Some(pool) = <&TokenPool>::find(context, id) else {
            continue;
        };
        let (line, beneath) = (top(area, 1), below(area, 1));
        let marks = RowMarks {
            is_selected: list.id() == Some(id),
            is_marked: list.marked().contains(&id),
        };
        painter.redraw_with_game(line, (id, marks), |painter| {
            painter.hits.push((line, Spot::Listed(id)));
            draw_marks(marks, context.look, line, painter.buffer);
            let inner = left(after(line, GUTTER), picture_width(body));
            head(pool, !has_told, painter, inner);
        });
        painter.redraw_with_game(beneath, id, |painter| {
            painter.hits.push((beneath, Spot::Listed(id)));
            let inner = left(after(beneath, GUTTER), picture_width(body));
            let rows = pictured(pool, *size, inner.width).unwrap_or(*size);
            draw_picture(pool, *size, painter, top(inner, rows));
            let told = has_told.then(|| obeyed(pool, context)).unwrap_or_default();
            for (line, row) in told.iter().zip(below(inner, rows).rows()) {
                painter.draw_line(row, line);
            }
        });
    }
}

fn picture_width(body: Rect) -> u16 {
    body.width.saturating_sub(GUTTER + 2)
}

/// Whether the limits are shown, the rows of a picture, and the place of each pool.
type Places = (bool, u16, Vec<(ListId, Rect)>);

fn places(context: ViewContext<'_>, list: &List, body: Rect) -> Option<Places> {
    let ids = list.lines().iter().flatten().copied();
    let pools = ids.filter_map(|id| Some((id, <&TokenPool>::find(context, id)?)));
    let pools: Vec<_> = pools
        .map(|(id, pool)| (id, pool, obeyed(pool, context).len()))
        .collect();
    // Limits are more important than large pictures, and those are more important than blank rows.
    let sizes = [true, false].into_iter().flat_map(|has_told| {
        let all = (1..=COINS.1).rev();
        all.flat_map(move |size| [(has_told, size, 1), (has_told, size, 0)])
    });
    let mut fit = sizes.filter_map(|(has_told, size, gap)| {
        let mut rest = body;
        let places = pools.iter().map(|(id, pool, told)| {
            let told = u16::try_from(*told).ok().filter(|_| has_told);
            let picture = pictured(pool, size, picture_width(body))?;
            let high = 1 + picture + told.unwrap_or(0);
            rest.height.checked_sub(high)?;
            let place = top(rest, high);
            rest = below(rest, high + gap);
            Some((*id, place))
        });
        Some((has_told, size, places.collect::<Option<Vec<_>>>()?))
    });
    fit.next()
}

/// Returns the number of tokens, and the number for which there is room.
fn there_and_whole(pool: &TokenPool) -> (u16, u16) {
    let there = u16::try_from(pool.tokens.unsigned_abs()).unwrap_or(u16::MAX);
    let cap = pool.cap.and_then(|cap| u16::try_from(cap).ok());
    (there, cap.unwrap_or(there).max(there).max(1))
}

/// Returns true if the pool has tokens, or an empty place for one.
fn has_picture(pool: &TokenPool) -> bool {
    pool.tokens > 0 || (pool.tokens == 0 && pool.cap.is_some())
}

/// Returns the rows of a pool's picture, or `None` if its coins do not fit.
fn pictured(pool: &TokenPool, size: u16, width: u16) -> Option<u16> {
    if !has_picture(pool) {
        return Some(1);
    }
    if size < COINS.0 {
        return Some(size);
    }
    let (_, whole) = there_and_whole(pool);
    let in_row = width / (size * 2 + 1);
    (in_row > 0).then(|| whole.div_ceil(in_row).saturating_mul(size + 1) - 1)
}

/// Draws a coin for each token and for each missing token, or a bar if coins would be too small.
fn draw_picture(pool: &TokenPool, size: u16, painter: &mut Painter<'_>, area: Rect) {
    if size.min(area.height) < COINS.0 {
        let bar = bar(pool, area.width, painter.context);
        return area.rows().for_each(|row| painter.draw_line(row, &bar));
    }
    let (there, whole) = there_and_whole(pool);
    let across = size * 2 + 1;
    let in_row = (area.width / across).max(1);
    for nth in 0..whole {
        let coin = Clock {
            filled: Some(u16::from(nth < there)),
            fresh: 0,
            segments: 1,
            role: Role::Token,
            is_pulled: false,
            look: painter.look,
        };
        let down = below(area, nth / in_row * (size + 1));
        let place = top(after(down, nth % in_row * across), size);
        (&coin).render(left(place, size * 2), painter.buffer);
    }
}

/// Draws the owner, the name and the amount, and on request the next threshold between them.
fn head<'a>(pool: &'a TokenPool, has_next: bool, painter: &mut Painter<'a>, area: Rect) {
    let context = painter.context;
    let taken = painter.draw_line_right(area, &amount(pool, context));
    let room = area.width.saturating_sub(taken + 1);
    let name = compact_name(pool, room, true, context).into_iter();
    let name = name.map(|span| span.patch_style(Modifier::BOLD)).collect();
    let gains = this_scene(pool).map(|gains| format!("this scene {gains}"));
    let asides = [next(pool), gains].into_iter().flatten();
    let asides = asides.filter(|_| has_next);
    let asides = asides.map(|words| context.line(words, Role::Muted));
    let line = join([name].into_iter().chain(asides), "  ");
    painter.draw_line(left(area, room), &line);
}

/// Returns a line with the limits, and a line for each threshold.
fn obeyed<'a>(pool: &'a TokenPool, context: ViewContext<'a>) -> Vec<Line<'a>> {
    let limits = limits(pool, context).into_iter();
    let limits = limits
        .map(|(name, told)| join([context.line(name.to_lowercase(), Role::Muted), told], " "));
    let limits = Some(join(limits, "   ")).filter(|limits| !limits.spans.is_empty());
    limits
        .into_iter()
        .chain(thresholds(pool, context))
        .collect()
}

/// Returns the limits with their names.
fn limits<'a>(pool: &'a TokenPool, context: ViewContext<'a>) -> Vec<(&'a str, Line<'a>)> {
    let told = <&TokenPool>::columns(context, 0).titled(&pool).into_iter();
    // The name, the tokens and the thresholds are shown elsewhere.
    told.filter(|(title, _)| !matches!(*title, "Pool" | "Tokens" | "Next"))
        .collect()
}

fn thresholds<'a>(pool: &'a TokenPool, context: ViewContext<'a>) -> impl Iterator<Item = Line<'a>> {
    pool.thresholds.iter().map(move |(at, note)| {
        let stands = [("at", Role::Text), ("reached", Role::Warning)];
        let (word, role) = stands[usize::from(pool.reaches(*at, pool.tokens))];
        context.line(format!("{word} {}: {note}", number(*at)), role)
    })
}

/// Returns a bar with a block for each token and for each missing token.
fn bar(pool: &TokenPool, width: u16, context: ViewContext<'_>) -> Line<'static> {
    if !has_picture(pool) {
        return pips(pool, PIPS, context);
    }
    let (there, whole) = there_and_whole(pool);
    let widest = if pool.cap.is_some() { width } else { LOOSE };
    let wide = (width / whole).min(widest);
    let part = |sign: &str, count: u16, role| {
        let text = if wide > 1 {
            let block = sign.repeat(usize::from(wide - 1)) + " ";
            block.repeat(count.into())
        } else {
            let filled = u32::from(count) * u32::from(width) / u32::from(whole);
            sign.repeat(usize::try_from(filled).unwrap_or(0))
        };
        context.span(text, role)
    };
    let missing = part("░", whole - there, Role::TokenEmpty);
    Line::from(vec![part("█", there, Role::Token), missing])
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
    let which = [short_name(pool, context), &pool.name][usize::from(is_wide)];
    // The owner is cut before the name of the pool only if little room is left.
    let left = room.saturating_sub(columns(which) + 2).max(room / 3);
    let owner = context
        .look
        .fit_name(context.view.owner_name(Some(owner)), left);
    let owner = context.line(owner, Role::Text);
    join([owner, context.line(which, Role::Muted)], "  ")
}

/// Returns the nearest threshold that is not reached yet.
fn next(pool: &TokenPool) -> Option<String> {
    let thresholds = pool.thresholds.iter();
    let ahead = thresholds.filter(|(at, _)| !pool.reaches(*at, pool.tokens));
    let near = ahead.min_by_key(|(at, _)| at.abs_diff(pool.tokens));
    near.map(|(at, note)| format!("at {}: {note}", number(*at)))
}

fn this_scene(pool: &TokenPool) -> Option<String> {
    let gains = pool.gains?;
    Some(format!("{} of {}", gains.this_scene, gains.most))
}

fn goes_back(pool: &TokenPool) -> Option<String> {
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
    let there = usize::try_from(pool.tokens.unsigned_abs()).unwrap_or(usize::MAX);
    let cap = cap.and_then(|cap| usize::try_from(cap).ok());
    let whole = cap.filter(|cap| *cap <= room).unwrap_or(0);
    let missing = whole.saturating_sub(there);
    (there <= room).then(|| match (pool.tokens, missing) {
        (..0, _) => context.line("▼".repeat(there), Role::TokenDebt),
        (0, 0) => context.line("–", Role::TokenEmpty),
        _ => Line::from(vec![
            context.span("●".repeat(there), Role::Token),
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
    spec.map_or(pool.name.as_str(), |spec: &PoolSpec| spec.short_name())
}

/// Returns the number of tokens, with the maximum if there is one.
pub(super) fn amount(pool: &TokenPool, context: ViewContext<'_>) -> Line<'static> {
    let role = match pool.tokens {
        ..0 => Role::TokenDebt,
        0.. => Role::Token,
    };
    let cap = pool.cap.map(|cap| format!("/{cap}"));
    Line::from(vec![
        context.span(number(pool.tokens), role),
        context.span(cap.unwrap_or_default(), Role::Muted),
    ])
}
