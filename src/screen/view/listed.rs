//! Things in a list: on the table in a panel, on a tab with a head, a filter, and all about the one under the
//! cursor. Each kind of thing says what is its own; the course is the same.

use std::cell::LazyCell;
use std::iter;

use ratatui::layout::{Margin, Rect};
use ratatui::text::Line;

use super::painter::{Painter, Source};
use crate::screen::action::Action;
use crate::screen::layout::Deck;
use crate::screen::list::{List, ListId};
use crate::screen::state::{Panel, Tab};
use crate::screen::theme::Role;
use crate::screen::update::mouse::Spot;
use crate::screen::widget::grid::{Columns, GAP, GUTTER, Grid, draw_marks};
use crate::screen::widget::panel::Panel as Frame;
use crate::screen::widget::{after, below, columns, left, line_columns, right, row, top};

/// The columns of a fact's name, with the blanks behind it: at the least, and at most.
const NAMES: (u16, u16) = (18, 30);

/// From so many columns on, more stands beside the facts.
const TWICE: u16 = 90;

/// From so many rows on, others stand beneath all about the thing under the cursor.
const SHARED: u16 = 20;

/// The least columns and rows of all about each of the others.
const OTHER: (u16, u16) = (48, 7);

/// A kind of thing that is listed.
pub(super) trait Listed<'a>: Sized {
    /// The one of that id.
    fn find(from: Source<'a>, id: ListId) -> Option<Self>;

    /// What the mouse touches in columns of its line.
    fn parts(&self, _from: Source<'a>) -> Vec<(usize, Spot)> {
        Vec::new()
    }

    /// What is written above the first of its group.
    fn heading(&self, _from: Source<'a>) -> &'a str {
        ""
    }

    /// The column that keys act on.
    fn cursor(_from: Source<'a>) -> Option<usize> {
        None
    }

    /// What a tab tells of each, in so many columns.
    fn columns(from: Source<'a>, width: u16) -> Columns<'a, Self>;

    /// What a panel tells of each in a line; nothing where each is drawn as a card.
    fn in_a_line(from: Source<'a>, deck: &Deck) -> Option<Columns<'a, Self>>;

    /// Draws it in a cell of several lines.
    fn card(&self, paint: &mut Painter<'a>, area: Rect);

    /// What stands above all about it: its name, and what it belongs to.
    fn title(&self, from: Source<'a>) -> (&'a str, &'a str);

    /// Draws its picture over all about it. Returns what is left beneath.
    fn picture(&self, _paint: &mut Painter<'a>, area: Rect) -> Rect {
        area
    }

    /// All about it: facts with their names, or without where they speak for themselves.
    fn facts(&self, from: Source<'a>) -> Vec<(&'a str, Line<'a>)>;

    /// What stands beside the facts where there is room for it, in at most so many lines.
    fn beside(&self, _from: Source<'a>, _lines: usize) -> Vec<Line<'a>> {
        Vec::new()
    }
}

/// Draws a tab.
pub(super) fn tab<'a, T: Listed<'a>>(paint: &mut Painter<'a>, body: Rect) {
    let state = paint.state;
    let list = state.list(state.in_hand());
    let panes = state.panes(body);
    if list.lines().is_empty() {
        empty(paint, below(panes.list, 1), state.in_hand());
    } else {
        lines::<T>(paint, panes.list);
    }
    if let Some(area) = panes.detail {
        details::<T>(paint, area, list);
    }
}

/// Draws all about the thing under the cursor, and where rows are left beneath it, about the others side by side.
fn details<'a, T: Listed<'a>>(paint: &mut Painter<'a>, area: Rect, list: &List) {
    let from = paint.from;
    let others = list.lines().iter().flatten().copied();
    let others = others.filter(|other| list.id() != Some(*other));
    let is_shared = area.width >= TWICE && area.height >= SHARED;
    let others: Vec<ListId> = others.filter(|_| is_shared).collect();
    let in_row = usize::from((area.width / OTHER.0).max(1));
    let in_row = others.len().div_ceil(others.len().div_ceil(in_row).max(1));
    let here: Vec<ListId> = list.id().into_iter().collect();
    let mut rows = iter::once(&*here)
        .chain(others.chunks(in_row.max(1)))
        .peekable();
    let mut rest = area;
    while let Some(ids) = rows
        .next()
        .filter(|_| rest.height >= OTHER.1.min(area.height))
    {
        let things = ids.iter().filter_map(|id| Some((*id, T::find(from, *id)?)));
        let is_last = rows.peek().is_none();
        rest = beside_each_other(
            paint,
            rest,
            &things.collect::<Vec<_>>(),
            !is_shared || is_last && here == ids,
        );
    }
}

/// Draws frames with all about some things, as high as the longest needs, or where nothing else would have room
/// beneath, as high as can be. Returns what is left.
fn beside_each_other<'a, T: Listed<'a>>(
    paint: &mut Painter<'a>,
    area: Rect,
    things: &[(ListId, T)],
    is_whole: bool,
) -> Rect {
    let from = paint.from;
    let count = u16::try_from(things.len()).unwrap_or(u16::MAX).max(1);
    let panel = |thing: &T| {
        let (title, note) = thing.title(from);
        Frame {
            note,
            ..Frame::new(title, from.look)
        }
    };
    let place = |nth: u16| left(after(area, nth * (area.width / count)), area.width / count);
    let mut framed = Vec::new();
    for ((id, thing), nth) in things.iter().zip(0..) {
        // The last one has the columns that are left over.
        let frame = if nth + 1 == count {
            after(area, place(nth).x - area.x)
        } else {
            place(nth)
        };
        let inner = panel(thing).inner(frame);
        framed.push((*id, thing, frame, about(paint, inner, thing, is_whole)));
    }
    let longest = framed.iter().map(|(.., (taken, _))| taken + 2).max();
    let longest = longest.unwrap_or(0).min(area.height);
    let has_room = !is_whole && area.height - longest >= OTHER.1;
    let high = if has_room { longest } else { area.height };
    for (id, thing, frame, (_, is_cut)) in framed {
        let frame = top(frame, high);
        paint.frame(frame, &panel(thing));
        paint.hits.push((frame, Spot::Listed(id)));
        let edge = right(frame, 1).inner(Margin::new(0, 1));
        let look = from.look;
        look.put_more((false, is_cut), edge, Role::Border, paint.buffer);
    }
    below(area, high)
}

/// Draws all about a thing. Returns the rows that it takes, and whether there is more.
fn about<'a, T: Listed<'a>>(
    paint: &mut Painter<'a>,
    area: Rect,
    thing: &T,
    is_whole: bool,
) -> (u16, bool) {
    let from = paint.from;
    let all = thing.picture(paint, area);
    let more = if all.width >= TWICE {
        thing.beside(from, all.height.into())
    } else {
        Vec::new()
    };
    let half = all.width / 2;
    let mut rest = if more.is_empty() {
        all
    } else {
        left(all, half - 1)
    };
    let mut facts = thing.facts(from);
    let is_gap = |(name, fact): &(&str, Line<'_>)| name.is_empty() && fact.spans.is_empty();
    facts.dedup_by(|next, one| is_gap(next) && is_gap(one));
    facts.pop_if(|last| is_gap(last));
    let names = facts.iter().map(|(name, _)| columns(name) + 2);
    let names = names.max().unwrap_or(0).clamp(NAMES.0, NAMES.1);
    // A list beside its name says more than the end of a long name.
    let names = names.min((rest.width / 4).max(NAMES.0)).min(rest.width / 2);
    let mut is_cut = false;
    for (name, fact) in facts {
        is_cut = rest.is_empty();
        let beside = after(row(rest, 0), names);
        let name_line = from.say(name, Role::Muted);
        rest = if name.is_empty() {
            paint.text(rest, &fact)
        } else if line_columns(&fact) > beside.width {
            paint.lines(rest, &[name_line, fact])
        } else {
            paint.line(left(rest, names.saturating_sub(1)), &name_line);
            paint.line(beside, &fact);
            below(rest, 1)
        };
    }
    let taken = area.height - rest.height;
    // Where others stand beneath, they are worth more than what is beside.
    let high = if is_whole {
        all.height
    } else {
        all.height - rest.height
    };
    paint.lines(top(after(all, half + 1), high), &more);
    (taken, is_cut)
}

/// Draws the list of a tab under its head.
fn lines<'a, T: Listed<'a>>(paint: &mut Painter<'a>, area: Rect) {
    let from = paint.from;
    let list = from.state.list(from.state.in_hand());
    let columns = T::columns(from, area.width);
    // The last column says whether there is more.
    let area = left(area, area.width.saturating_sub(1));
    let grid = lay_out(from, list, columns, (area.width, GAP));
    let cursor = T::cursor(from);
    grid.draw_head(cursor, from.look, row(area, 0), paint.buffer);
    let lines = list.lines().iter().enumerate().skip(list.top());
    for ((at, id), line) in lines.zip(area.rows().skip(1)) {
        if let Some(id) = *id {
            let is_here = list.id() == Some(id);
            paint.hits.push((line, Spot::Listed(id)));
            let marks = (is_here, list.marked().contains(&id));
            draw_marks(marks, from.look, line, paint.buffer);
            if let Some(thing) = T::find(from, id) {
                let cursor = cursor.filter(|_| is_here);
                in_columns(paint, (&grid, at, &thing), cursor, line);
            }
        } else {
            let next = list.lines().get(at + 1).copied().flatten();
            let next = next.and_then(|id| T::find(from, id));
            let words = next.map_or("", |next| next.heading(from));
            paint.line(after(line, GUTTER), &from.say(words, Role::Heading));
        }
    }
    paint.more(area, list.top(), list.lines().len());
}

/// Draws the things in a panel's cells.
pub(super) fn cells<'a, T: Listed<'a>>(paint: &mut Painter<'a>, deck: &Deck) {
    let from = paint.from;
    let list = from.state.list(deck.panel);
    let is_focused = from.state.tab != Tab::Table || from.state.panel == deck.panel;
    let grid = LazyCell::new(|| {
        let columns = T::in_a_line(from, deck);
        columns.map(|columns| lay_out(from, list, columns, (deck.cell.0, GAP - 1)))
    });
    let revision = from.seen.revision_of(deck.panel.kind());
    // What was filled since the last key is bright.
    let before = (deck.panel == Panel::Clocks).then_some(&from.state.before);
    let in_row = usize::from(deck.in_row);
    let lines = list.lines().iter().enumerate().skip(list.top() * in_row);
    for ((at, id), place) in lines.zip(0..deck.rows() * in_row) {
        let Some(id) = *id else { continue };
        let area = deck.cell(place);
        paint.tile_from(area, (revision, id, before), |paint| {
            paint.hits.push((area, Spot::Listed(id)));
            match (&*grid, T::find(from, id)) {
                (Some(grid), Some(thing)) => in_columns(paint, (grid, at, &thing), None, area),
                (None, Some(thing)) => thing.card(paint, after(area, GUTTER)),
                (_, None) => {}
            }
        });
        let is_here = is_focused && list.id() == Some(id);
        let marks = (is_here, list.marked().contains(&id));
        let signs = left(row(area, 0), GUTTER);
        paint.tile_from(signs, marks, |paint| {
            draw_marks(marks, from.look, signs, paint.buffer);
        });
    }
}

/// Lays out all lines of a list, in sight or not.
fn lay_out<'a, T: Listed<'a>>(
    from: Source<'a>,
    list: &List,
    columns: Columns<'a, T>,
    (width, gap): (u16, u16),
) -> Grid<'a> {
    let things = list
        .lines()
        .iter()
        .map(|id| id.and_then(|id| T::find(from, id)));
    columns.lay_out(things, width, gap)
}

fn in_columns<'a, T: Listed<'a>>(
    paint: &mut Painter<'a>,
    (grid, at, thing): (&Grid<'_>, usize, &T),
    cursor: Option<usize>,
    line: Rect,
) {
    for (column, spot) in thing.parts(paint.from) {
        if let Some(area) = grid.place(column, line) {
            paint.hits.push((area, spot));
        }
    }
    grid.draw_row(at, cursor, paint.from.look, line, paint.buffer);
}

/// Says that there is nothing of that kind, or that the filter lets nothing through.
pub(super) fn empty(paint: &mut Painter<'_>, area: Rect, panel: Panel) {
    let state = paint.state;
    let is_log = state.tab == Tab::Log;
    let words = match panel {
        _ if is_log && state.log.is_searching() => {
            let words = paint.say("Looking through the log …", Role::Muted);
            paint.text(area, &words);
            return;
        }
        _ if !state.filter().is_empty() => {
            ("Nothing here is like that.", Action::Close, "shows all.")
        }
        Panel::Party => ("Nobody is here yet.", Action::New, "makes a character."),
        Panel::Clocks => ("No clock is running.", Action::New, "starts one."),
        Panel::Tokens => ("No tokens yet.", Action::New, "makes a pool."),
        Panel::Rolls if is_log => ("Nothing has happened yet.", Action::Roll, "rolls a check."),
        Panel::Rolls => ("Nobody has rolled yet.", Action::Roll, "rolls."),
    };
    paint.empty(area, words);
}
