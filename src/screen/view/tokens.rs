//! The token pools, by owner.

use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::Widget as _;

use super::{Paint, below, thing, within};
use crate::screen::layout;
use crate::screen::state::Tab;
use crate::screen::theme::Role;
use crate::screen::update::mouse::Spot;
use crate::screen::widget::columns;
use crate::screen::widget::grid::{Column, Grid, Row, Width};
use crate::screen::widget::panel::Panel;
use crate::session::{PoolId, Reset, TokenPool};

/// The columns of a pool's tokens in the list.
const PIPS: u16 = 10;

/// Draws the tab.
pub(super) fn draw(paint: &mut Paint<'_>, body: Rect) {
    let panes = layout::panes(Tab::Tokens, body, paint.state.details);
    let lines = paint.state.token_lines(paint.seen);
    if lines.is_empty() {
        paint.empty_list(panes.list, "There are no tokens yet.", "makes a pool.");
    } else {
        list(paint, within(panes.list), &lines);
    }
    let selected = paint.state.tokens.id();
    let selected = selected.and_then(|id| paint.seen.pools().find(|pool| pool.id == id));
    if let (Some(area), Some(pool)) = (panes.detail, selected) {
        detail(paint, area, pool);
    }
}

fn list(paint: &mut Paint<'_>, area: Rect, lines: &[Option<PoolId>]) {
    let pool_of = |id: Option<PoolId>| paint.seen.pools().find(|pool| Some(pool.id) == id);
    let owners = lines.iter().flatten().filter_map(|id| pool_of(Some(*id)));
    let names = owners.map(|pool| {
        let owner = paint.seen.owner_name(pool.owner);
        columns(&pool.name).max(columns(owner))
    });
    let names = names.max().unwrap_or(0);
    let next_width = paint.seen.pools().map(|pool| columns(&next(pool)));
    let next_width = next_width.max().unwrap_or(0).clamp(4, 44);
    let grid_columns = [
        Column::new("Pool", Width::Grow(names.clamp(14, 30))),
        Column::new("Tokens", Width::Fixed(PIPS)).priority(1),
        Column::new("", Width::Fixed(6)).right(),
        Column::new("Least", Width::Fixed(5)).right().priority(5),
        Column::new("Most", Width::Fixed(5)).right().priority(4),
        Column::new("This scene", Width::Fixed(10)).priority(3),
        Column::new("Goes back", Width::Fixed(19)).priority(6),
        Column::new("Next", Width::Fixed(next_width)).priority(7),
    ];
    let (top, room) = (paint.state.tokens.top(), layout::room(area));
    let in_sight: Vec<(usize, Option<PoolId>)> = lines
        .iter()
        .copied()
        .enumerate()
        .skip(top)
        .take(room)
        .collect();
    let rows: Vec<Row<'_>> = in_sight
        .iter()
        .map(|(line, id)| {
            let next = pool_of(lines.get(line + 1).copied().flatten());
            pool_of(*id).map_or_else(|| heading(paint, next), |pool| row(paint, pool))
        })
        .collect();
    let grid = Grid {
        columns: &grid_columns,
        rows: &rows,
        selected: paint.state.tokens.at().checked_sub(top),
        cursor: None,
        look: paint.look,
    };
    (&grid).render(area, paint.buffer);
    paint.more(area, top, lines.len());
    for ((_, id), down) in in_sight.iter().zip(1..) {
        if let Some(id) = id {
            let line = crate::screen::widget::row(area, down);
            paint.spots.put(line, Spot::Pool(*id));
        }
    }
}

/// The owner of the pool that comes next.
fn heading<'a>(paint: &Paint<'a>, next: Option<&TokenPool>) -> Row<'a> {
    let owner = next.and_then(|pool| pool.owner);
    let name = paint.seen.owner_name(owner);
    Row {
        cells: vec![Line::from(paint.span(name, Role::Heading))],
        marked: false,
    }
}

fn row<'a>(paint: &Paint<'_>, pool: &'a TokenPool) -> Row<'a> {
    let muted = |words: String| Line::from(paint.span(words, Role::Muted));
    let limit = |limit: Option<i32>| limit.map_or_else(String::new, |limit| limit.to_string());
    let floor = Some(pool.floor).filter(|floor| *floor > -9_999);
    let gained = pool
        .gains
        .map(|gains| format!("{} of {}", gains.this_scene, gains.most));
    Row {
        cells: vec![
            Line::from(paint.span(pool.name.as_str(), Role::Text)),
            thing::pips(pool, PIPS, paint),
            thing::amount(pool, paint),
            muted(limit(floor)),
            muted(limit(pool.cap)),
            muted(gained.unwrap_or_default()),
            muted(goes_back(pool)),
            muted(next(pool)),
        ],
        marked: paint.state.tokens.marked().contains(&pool.id),
    }
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
fn detail(paint: &mut Paint<'_>, area: Rect, pool: &TokenPool) {
    let owner = paint.seen.owner_name(pool.owner).to_owned();
    let panel = Panel {
        note: &owner,
        ..Panel::new(&pool.name, paint.look)
    };
    (&panel).render(area, paint.buffer);
    let inner = panel.inner(area);
    let mut tokens = thing::pips(pool, inner.width.saturating_sub(8), paint);
    tokens.push_span("  ");
    tokens.spans.extend(thing::amount(pool, paint).spans);
    let mut rest = below(paint.text(below(inner, 1), &tokens), 1);
    let mut say = |paint: &mut Paint<'_>, words: String, role: Role| {
        let line = Line::from(paint.span(words, role));
        rest = paint.text(rest, &line);
    };
    if pool.floor > -9_999 {
        say(paint, format!("never below {}", pool.floor), Role::Muted);
    }
    if let Some(cap) = pool.cap {
        say(paint, format!("never above {cap}"), Role::Muted);
    }
    if let Some(gains) = pool.gains {
        let words = format!(
            "this scene gave {} of at most {}",
            gains.this_scene, gains.most
        );
        say(paint, words, Role::Muted);
    }
    let back = goes_back(pool);
    if !back.is_empty() {
        say(paint, format!("goes {back}"), Role::Muted);
    }
    for (at, note) in &pool.thresholds {
        let role = if pool.reaches(*at, pool.tokens) {
            Role::Warning
        } else {
            Role::Text
        };
        say(paint, format!("at {at}: {note}"), role);
    }
}
