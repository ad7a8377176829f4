//! Things in a list: on the table in a panel, on a tab with a head, a filter, and all about the one under the
//! cursor. Each kind of thing says what is its own; the course is the same.

use std::cell::LazyCell;
use std::hash::{BuildHasher as _, Hash};

use ratatui::layout::Rect;
use ratatui::text::Line;
use rustc_hash::FxBuildHasher;

use crate::app::list::{List, ListId};
use crate::app::state::{Panel, Tab};
use crate::app::update::mouse::Spot;
use crate::view::layout::PanelLayout;
use crate::view::painter::EmptyHint;
use crate::view::{Painter, ViewContext, sheets};
use crate::widget::{
    GAP, GUTTER, Grid, GridColumns, RowMarks, after, below, draw_marks, draw_resting_cursor, left,
    row,
};
use crate::{Action, Role};

/// A kind of thing that is listed.
pub(super) trait ItemView<'a>: Sized {
    /// The one of that id.
    fn find(context: ViewContext<'a>, id: ListId) -> Option<Self>;

    /// What the mouse touches in columns of its line.
    fn parts(&self, _context: ViewContext<'a>) -> Vec<(usize, Spot)> {
        Vec::new()
    }

    /// What is written above the first of its group.
    fn heading(&self, _context: ViewContext<'a>) -> &'a str {
        ""
    }

    /// The column that keys act on.
    fn cursor(_context: ViewContext<'a>) -> Option<usize> {
        None
    }

    /// What a tab tells of each, in so many columns.
    fn columns(context: ViewContext<'a>, width: u16) -> GridColumns<'a, Self>;

    /// What a panel tells of each in a line; `None` if each is drawn as a card.
    fn in_a_line(context: ViewContext<'a>, deck: &PanelLayout) -> Option<GridColumns<'a, Self>>;

    /// What its card is drawn context, where that is not everything of its kind.
    fn card_from(&self, _context: ViewContext<'a>) -> Option<u64> {
        None
    }

    /// Draws it in a cell of several lines.
    fn card(&self, painter: &mut Painter<'a>, area: Rect);

    /// What stands above all about it: its name, and what it belongs to.
    fn title(&self, context: ViewContext<'a>) -> (&'a str, &'a str);

    /// Draws its picture over all about it. Returns what is left beneath.
    fn picture(&self, _paint: &mut Painter<'a>, area: Rect) -> Rect {
        area
    }

    /// All about it: facts with their names, or without where they speak for themselves.
    fn facts(&self, context: ViewContext<'a>) -> Vec<(&'a str, Line<'a>)>;

    /// What stands beside the facts where there is room for it, in at most so many lines.
    fn beside(&self, _context: ViewContext<'a>, _lines: usize) -> Vec<Line<'a>> {
        Vec::new()
    }
}

/// Draws a tab.
pub(super) fn draw_tab<'a, T: ItemView<'a>>(painter: &mut Painter<'a>, body: Rect) {
    let state = painter.state;
    let list = state.list(state.active_panel());
    let panes = state.tab_layout(body);
    if list.lines().is_empty() {
        let area = below(panes.list, 1);
        let draw = |painter: &mut Painter<'a>| empty(painter, area, state.active_panel());
        painter.redraw_with_game(area, state.filter(), draw);
    } else {
        lines::<T>(painter, panes.list);
    }
    if let Some(area) = panes.detail {
        sheets::draw::<T>(painter, area, list);
    }
}

/// Draws a tab's list under its heading; paints again only what changed.
fn lines<'a, T: ItemView<'a>>(painter: &mut Painter<'a>, area: Rect) {
    let context = painter.context;
    let list = context.state.list(context.state.active_panel());
    let all = list.lines();
    let told = (
        context.view.revision(),
        context.state.party_column,
        &context.state.filled_before,
    );
    let told = FxBuildHasher.hash_one((told, all));
    // The last column says whether there is more.
    let head = row(area, 0);
    let area = left(area, area.width.saturating_sub(1));
    let grid = context.cached(1, told, || {
        let columns = T::columns(context, area.width + 1);
        lay_out(context, list, columns, (area.width, GAP))
    });
    let cursor = T::cursor(context);
    painter.redraw_if_changed(head, (told, cursor), |painter| {
        grid.draw_head(cursor, context.look, head, painter.buffer);
    });
    for (at, line) in (list.top()..).zip(area.rows().skip(1)) {
        let id = all.get(at).copied().flatten();
        let marks = id.map(|id| RowMarks {
            is_selected: list.id() == Some(id),
            is_marked: list.marked().contains(&id),
        });
        let cursor = cursor.filter(|_| marks.unwrap_or_default().is_selected);
        painter.redraw_if_changed(line, (told, at, marks, cursor), |painter| {
            if let Some(id) = id {
                painter.hits.push((line, Spot::Listed(id)));
                draw_marks(
                    marks.unwrap_or_default(),
                    context.look,
                    line,
                    painter.buffer,
                );
                if let Some(thing) = T::find(context, id) {
                    in_columns(painter, (&grid, at, &thing), cursor, line);
                }
            } else {
                let words = context.line(heading::<T>(context, all, at), Role::Heading);
                painter.draw_line(after(line, GUTTER), &words);
            }
        });
    }
    painter.draw_scroll_signs(area, list.top(), all.len());
}

/// What the heading in that line says: what it stands above.
fn heading<'a, T: ItemView<'a>>(
    context: ViewContext<'a>,
    lines: &[Option<ListId>],
    at: usize,
) -> &'a str {
    let next = lines.get(at + 1).copied().flatten();
    let next = next.and_then(|id| T::find(context, id));
    next.map_or("", |next| next.heading(context))
}

/// Draws the things in a panel's cells.
pub(super) fn cells<'a, T: ItemView<'a>>(painter: &mut Painter<'a>, deck: &PanelLayout) {
    let context = painter.context;
    let list = context.state.list(deck.panel);
    let grid = LazyCell::new(|| {
        let columns = T::in_a_line(context, deck);
        columns.map(|columns| lay_out(context, list, columns, (deck.cell.0, GAP - 1)))
    });
    let revision = context.view.revision_of(deck.panel.kind());
    // What was filled since the last key is bright.
    let before = (deck.panel == Panel::Clocks).then_some(&context.state.filled_before);
    let all = list.lines();
    let places = deck.places(all);
    let in_sight = |at: usize| deck.in_sight(*places.get(at)?, list.top());
    for (at, id) in all.iter().enumerate() {
        let Some(area) = in_sight(at) else {
            continue;
        };
        let Some(id) = *id else {
            // It does not stand alone.
            let words = in_sight(at + 1).map_or("", |_| heading::<T>(context, all, at));
            painter.redraw_if_changed(area, words, |painter| {
                painter.draw_line(after(area, GUTTER), &context.line(words, Role::Heading));
            });
            continue;
        };
        let thing = T::find(context, id);
        let card = thing.as_ref().and_then(|thing| thing.card_from(context));
        let card = card.filter(|_| T::in_a_line(context, deck).is_none());
        let all = card.is_none().then_some((revision, before));
        let signs = left(row(area, 0), GUTTER);
        cell(
            painter,
            (area, signs),
            (id, (card, all)),
            |painter| match (&*grid, thing) {
                (Some(grid), Some(thing)) => in_columns(painter, (grid, at, &thing), None, area),
                (None, Some(thing)) => thing.card(painter, after(area, GUTTER)),
                (_, None) => {}
            },
        );
    }
}

/// Draws a thing in a place of its own, and the signs before it.
pub(super) fn cell<'a>(
    painter: &mut Painter<'a>,
    (area, signs): (Rect, Rect),
    (id, context): (ListId, impl Hash),
    draw: impl FnOnce(&mut Painter<'a>),
) {
    let (state, panel) = (painter.state, Panel::of(id));
    let list = state.list(panel);
    let is_here = state.active_panel() == panel && list.id() == Some(id);
    painter.redraw_if_changed(area, (id, context), |painter| {
        painter.hits.push((area, Spot::Listed(id)));
        draw(painter);
    });
    let marks = RowMarks {
        is_selected: is_here,
        is_marked: list.marked().contains(&id),
    };
    // The cursor of a panel without the focus: `1` and `r` lead back to it.
    let is_resting = !is_here && list.id() == Some(id);
    painter.redraw_if_changed(signs, (marks, is_resting), |painter| {
        draw_marks(marks, painter.context.look, signs, painter.buffer);
        if is_resting {
            draw_resting_cursor(painter.context.look, signs, painter.buffer);
        }
    });
}

/// Lays out all lines of a list, in sight or not.
fn lay_out<'a, T: ItemView<'a>>(
    context: ViewContext<'a>,
    list: &List,
    columns: GridColumns<'a, T>,
    (width, gap): (u16, u16),
) -> Grid {
    let ids = list.lines().iter();
    let things = ids.map(|id| id.and_then(|id| T::find(context, id)));
    columns.lay_out(things, width, gap)
}

fn in_columns<'a, T: ItemView<'a>>(
    painter: &mut Painter<'a>,
    (grid, at, thing): (&Grid, usize, &T),
    cursor: Option<usize>,
    line: Rect,
) {
    for (column, spot) in thing.parts(painter.context) {
        let place = grid.place(column, line);
        painter.hits.extend(place.map(|area| (area, spot)));
    }
    grid.draw_row(at, cursor, painter.context.look, line, painter.buffer);
}

/// Says that there is nothing of that kind, or that the filter lets nothing through.
pub(super) fn empty(painter: &mut Painter<'_>, area: Rect, panel: Panel) {
    let state = painter.state;
    let is_log = state.tab == Tab::Log;
    let (reason, action, effect) = match panel {
        _ if is_log && state.log.is_searching() => {
            let words = painter
                .context
                .line("Looking through the log …", Role::Muted);
            painter.draw_paragraph(area, &words);
            return;
        }
        _ if !state.filter().is_empty() => {
            ("Nothing here is like that.", Action::Close, "shows all.")
        }
        Panel::Party => ("Nobody is here yet.", Action::New, "makes a character."),
        Panel::Clocks => ("No clock is running.", Action::New, "starts one."),
        Panel::Tokens => ("No tokens yet.", Action::New, "makes a pool."),
        Panel::Rolls if is_log => (
            "Rolls and scenes will stand here.",
            Action::Roll,
            "rolls a check.",
        ),
        Panel::Rolls => ("Nobody has rolled yet.", Action::Roll, "rolls."),
    };
    painter.draw_empty_hint(
        area,
        &EmptyHint {
            reason,
            action,
            effect,
        },
    );
}
