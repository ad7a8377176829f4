//! The token pools: a line each on the table, and with everything that they obey on a tab.

use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::Widget as _;

use super::painter::Painter;
use crate::screen::action::Action;
use crate::screen::layout::{self, Deck};
use crate::screen::rows::Value;
use crate::screen::state::Tab;
use crate::screen::theme::Role;
use crate::screen::update::mouse::Spot;
use crate::screen::widget::grid::{Column, Row, Width};
use crate::screen::widget::panel::Panel;
use crate::screen::widget::tokens::Tokens;
use crate::screen::widget::{below, columns, join, line_columns};
use crate::session::{PoolId, PoolKind, Reset, TokenPool};

/// The columns of a pool's tokens.
const PIPS: u16 = 10;
/// A pool without a floor has this one.
const BOTTOMLESS: i32 = -9_999;

/// Draws the pools in sight on the table.
pub(super) fn panel(paint: &mut Painter<'_>, deck: &Deck) {
    if deck.rows() == 0 {
        return;
    }
    if paint.state.tokens.lines().is_empty() {
        let why = "No tokens yet.";
        return paint.empty(deck.inner, why, Action::New, "makes a pool.");
    }
    let width = deck.cell.0;
    let room = if width >= 34 { PIPS } else { PIPS / 2 };
    let amounts = paint
        .seen
        .pools()
        .map(|pool| line_columns(&amount(pool, paint)));
    let widest = amounts.max().unwrap_or(0).clamp(4, 7);
    // The marker, and a blank before each of the other columns.
    let name_room = width.saturating_sub(room + widest + 4);
    let grid = [
        Column::new("", Width::Grow(6, 6)),
        Column::new("", Width::Fixed(room)),
        Column::new("", Width::Fixed(widest)).right(),
    ];
    let rows = rows(paint, |paint, pool| {
        let name = compact_name(paint, pool, name_room, width >= 50);
        vec![name, pips(pool, room, paint), amount(pool, paint)]
    });
    paint.panel_list(deck, (&grid, &rows), &paint.state.tokens, spot);
}

/// Whose and which.
fn compact_name<'a>(
    paint: &Painter<'a>,
    pool: &'a TokenPool,
    room: u16,
    is_wide: bool,
) -> Line<'a> {
    let Some(owner) = pool.owner else {
        return paint.span(pool.name.as_str(), Role::Text).into();
    };
    let which = if is_wide {
        pool.name.as_str()
    } else {
        short_name(pool, paint)
    };
    // Two owners are seldom called alike; their pools always are.
    let left = room.saturating_sub(columns(which) + 2).max(room / 3);
    let owner = paint.look.fit(paint.seen.owner_name(Some(owner)), left);
    let owner = Line::from(paint.span(owner, Role::Text));
    join([owner, paint.span(which, Role::Muted).into()], "  ")
}

/// Draws the tab.
pub(super) fn tab(paint: &mut Painter<'_>, body: Rect) {
    let panes = layout::panes(Tab::Tokens, body, paint.state.details);
    if paint.state.tokens.lines().is_empty() {
        let why = "There are no tokens yet.";
        paint.empty_list(panes.list, why, "makes a pool.");
    } else {
        list(paint, panes.list);
    }
    let selected = pool_of(paint, paint.state.tokens.id());
    if let (Some(area), Some(pool)) = (panes.detail, selected) {
        detail(paint, area, pool);
    }
}

fn list(paint: &mut Painter<'_>, area: Rect) {
    let grid = [
        Column::new("Pool", Width::Grow(14, 30)),
        Column::new("Tokens", Width::Fixed(PIPS)).priority(1),
        Column::new("", Width::Fixed(6)).right(),
        Column::new("Least", Width::Fixed(5)).right().priority(5),
        Column::new("Most", Width::Fixed(5)).right().priority(4),
        Column::new("This scene", Width::Fixed(10)).priority(3),
        Column::new("Goes back", Width::Fixed(19)).priority(6),
        Column::new("Next", Width::Fit(4, 44)).priority(7),
    ];
    let rows = rows(paint, |paint, pool| {
        let muted = |words: String| Line::from(paint.span(words, Role::Muted));
        let limit = |limit: Option<i32>| limit.map_or_else(String::new, |limit| limit.to_string());
        let gains = pool.gains;
        let gained = gains.map(|gains| format!("{} of {}", gains.this_scene, gains.most));
        vec![
            paint.span(pool.name.as_str(), Role::Text).into(),
            pips(pool, PIPS, paint),
            amount(pool, paint),
            muted(limit(Some(pool.floor).filter(|floor| *floor > BOTTOMLESS))),
            muted(limit(pool.cap)),
            muted(gained.unwrap_or_default()),
            muted(goes_back(pool)),
            muted(next(pool)),
        ]
    });
    let list = (&paint.state.tokens, None);
    paint.list(area, (&grid, &rows), list, spot);
}

/// A row for each pool, and for each heading the owner of the pool that comes next.
fn rows<'a>(
    paint: &Painter<'a>,
    cells: impl Fn(&Painter<'a>, &'a TokenPool) -> Vec<Line<'a>>,
) -> Vec<Row<'a>> {
    let lines = paint.state.tokens.lines();
    let row = |(line, id): (usize, &Option<PoolId>)| {
        if let Some(pool) = pool_of(paint, *id) {
            return Row {
                cells: cells(paint, pool),
                marked: paint.state.tokens.marked().contains(&pool.id),
            };
        }
        let next = pool_of(paint, lines.get(line + 1).copied().flatten());
        let name = paint.seen.owner_name(next.and_then(|pool| pool.owner));
        Row {
            cells: vec![paint.span(name, Role::Heading).into()],
            marked: false,
        }
    };
    lines.iter().enumerate().map(row).collect()
}

fn pool_of<'a>(paint: &Painter<'a>, id: Option<PoolId>) -> Option<&'a TokenPool> {
    paint.seen.pools().find(|pool| Some(pool.id) == id)
}

fn spot(id: PoolId, column: Option<usize>) -> Option<Spot> {
    column.is_none().then_some(Spot::Pool(id))
}

/// The threshold that comes next; behind the last one, that it was reached.
fn next(pool: &TokenPool) -> String {
    let reached = |at: i32| pool.reaches(at, pool.tokens);
    let near = pool
        .thresholds
        .iter()
        .min_by_key(|(at, _)| (reached(*at), at.abs_diff(pool.tokens)));
    near.map_or_else(String::new, |(at, note)| {
        let word = if reached(*at) { "reached" } else { "at" };
        format!("{word} {at}: {note}")
    })
}

fn goes_back(pool: &TokenPool) -> String {
    match pool.reset {
        Reset::Never => String::new(),
        Reset::Scene => format!("to {} each scene", pool.start),
        Reset::Session => format!("to {} each session", pool.start),
        Reset::AtLeastStart => format!("up to {} at the end", pool.start),
    }
}

/// The pool under the cursor, with everything that it obeys.
fn detail(paint: &mut Painter<'_>, area: Rect, pool: &TokenPool) {
    let panel = Panel {
        note: paint.seen.owner_name(pool.owner),
        ..Panel::new(&pool.name, paint.look)
    };
    (&panel).render(area, paint.buffer);
    let inner = panel.inner(area);
    let pips = pips(pool, inner.width.saturating_sub(8), paint);
    let tokens = join([pips, amount(pool, paint)], "  ");
    let mut said = Vec::new();
    if pool.floor > BOTTOMLESS {
        said.push((format!("never below {}", pool.floor), Role::Muted));
    }
    if let Some(cap) = pool.cap {
        said.push((format!("never above {cap}"), Role::Muted));
    }
    if let Some(gains) = pool.gains {
        let (given, most) = (gains.this_scene, gains.most);
        said.push((
            format!("this scene gave {given} of at most {most}"),
            Role::Muted,
        ));
    }
    let back = goes_back(pool);
    if !back.is_empty() {
        said.push((format!("goes {back}"), Role::Muted));
    }
    for (at, note) in &pool.thresholds {
        let is_reached = pool.reaches(*at, pool.tokens);
        let role = if is_reached {
            Role::Warning
        } else {
            Role::Text
        };
        said.push((format!("at {at}: {note}"), role));
    }
    let said = said
        .into_iter()
        .map(|(words, role)| paint.span(words, role).into());
    let said: Vec<Line<'_>> = said.collect();
    let rest = paint.text(below(inner, 1), &tokens);
    paint.lines(below(rest, 1), &said);
}

/// A number whose minus is as wide as a plus.
pub(super) fn number(number: i32, paint: &Painter<'_>) -> String {
    if number < 0 {
        format!("{}{}", paint.look.pick("−", "-"), number.unsigned_abs())
    } else {
        number.to_string()
    }
}

/// A pool's tokens in at most so many columns, with the room for more where it can be seen; nothing
/// where they are too many to be counted at a glance.
pub(super) fn pips(pool: &TokenPool, width: u16, paint: &Painter<'_>) -> Line<'static> {
    if pool.tokens.unsigned_abs() > u32::from(width) {
        return Line::default();
    }
    let cap = pool.cap.filter(|cap| *cap <= i32::from(width));
    tokens(pool, cap, paint).line(width)
}

/// A pool's tokens without the room for more, to be seen at a glance; a number where they are many.
pub(super) fn held(pool: &TokenPool, paint: &Painter<'_>) -> Line<'static> {
    tokens(pool, None, paint).line(PIPS)
}

fn tokens<'a>(pool: &TokenPool, cap: Option<i32>, paint: &Painter<'a>) -> Tokens<'a> {
    Tokens {
        count: pool.tokens.into(),
        cap: cap.map(i64::from),
        look: paint.look,
    }
}

/// A pool's name, as short as it goes.
pub(super) fn short_name<'a>(pool: &'a TokenPool, paint: &Painter<'_>) -> &'a str {
    let spec = match pool.kind {
        PoolKind::Rule(kind) => {
            let specs = paint.seen.system().spec().pools;
            specs.iter().find(|spec| spec.kind == kind)
        }
        PoolKind::Own => None,
    };
    spec.map_or(pool.name.as_str(), |spec| Value::Pool(spec).heading())
}

/// A pool's tokens as a number, with the cap where there is one.
pub(super) fn amount(pool: &TokenPool, paint: &Painter<'_>) -> Line<'static> {
    let is_debt = pool.tokens < 0;
    let role = if is_debt {
        Role::TokenDebt
    } else {
        Role::Token
    };
    let mut line = Line::from(paint.span(number(pool.tokens, paint), role));
    if let Some(cap) = pool.cap {
        line.push_span(paint.span(format!("/{cap}"), Role::Muted));
    }
    line
}
