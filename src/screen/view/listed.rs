//! Things in a list: on the table in a panel, on a tab with a head, a filter, and all about the one under the
//! cursor. Each kind of thing says what is its own; the course is the same.

use std::cell::LazyCell;

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
    let found = |id: ListId| Some((id, T::find(from, id)?));
    let others: Vec<(ListId, T)> = others.filter(|_| is_shared).filter_map(found).collect();
    let here: Vec<(ListId, T)> = list.id().and_then(found).into_iter().collect();
    if here.is_empty() {
        return;
    }
    let all = here.iter().chain(&others);
    let facts: Vec<_> = all.map(|(_, thing)| facts_of(thing, from)).collect();
    let high_of = |facts: &[Vec<_>], in_row: u16| {
        let wide = usize::from((area.width / in_row).saturating_sub(4).max(1));
        let wide = if wide >= TWICE.into() {
            wide / 2 - 1
        } else {
            wide
        };
        let high = facts.iter().map(|facts| rows_of(facts, wide)).max();
        u16::try_from(high.unwrap_or(0)).map_or(area.height, |high| high.min(area.height))
    };
    // It is as high for each of them: nothing jumps while one walks.
    let high = high_of(&facts, 1).min(area.height.saturating_sub(OTHER.1 + 2));
    let mut rest = beside_each_other(paint, area, &here, (high, others.is_empty()));
    // As few stand side by side as leave room for all.
    let most = (area.width / OTHER.0).max(1);
    let spare = |in_row: u16| {
        let rows = facts[1..].chunks(in_row.into());
        let high = rows.map(|row| high_of(row, in_row) + 2);
        let high = high.fold(0, u16::saturating_add);
        Some((in_row, rest.height.checked_sub(high)?))
    };
    let (in_row, spare) = (1..=most).find_map(spare).unwrap_or((most, 0));
    let in_row = usize::from(in_row);
    let rows = others.chunks(in_row).zip(facts[1..].chunks(in_row));
    let each = spare / u16::try_from(rows.len()).unwrap_or(u16::MAX).max(1);
    for (row, facts) in rows {
        if rest.height >= OTHER.1 {
            let high = high_of(facts, u16::try_from(in_row).unwrap_or(most));
            rest = beside_each_other(paint, rest, row, (high.saturating_add(each), false));
        }
    }
}

/// Draws frames with all about some things, with so many rows in each at the least, or where nothing else would have
/// room beneath, as high as can be. Returns what is left.
fn beside_each_other<'a, T: Listed<'a>>(
    paint: &mut Painter<'a>,
    area: Rect,
    things: &[(ListId, T)],
    (least, is_whole): (u16, bool),
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
    let room = if is_whole { u16::MAX } else { least };
    let mut framed = Vec::new();
    for ((id, thing), nth) in things.iter().zip(0..) {
        // The last one has the columns that are left over.
        let frame = if nth + 1 == count {
            after(area, place(nth).x - area.x)
        } else {
            place(nth)
        };
        let inner = panel(thing).inner(frame);
        framed.push((*id, thing, frame, about(paint, inner, thing, room)));
    }
    let longest = framed.iter().map(|(.., (taken, _))| *taken).max();
    let longest = longest.unwrap_or(0).max(least).saturating_add(2);
    let longest = longest.min(area.height);
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

/// The facts about a thing, with one gap at the most between two.
fn facts_of<'a, T: Listed<'a>>(thing: &T, from: Source<'a>) -> Vec<(&'a str, Line<'a>)> {
    let mut facts = thing.facts(from);
    let is_gap = |(name, fact): &(&str, Line<'_>)| name.is_empty() && fact.spans.is_empty();
    facts.dedup_by(|next, one| is_gap(next) && is_gap(one));
    facts.pop_if(|last| is_gap(last));
    facts
}

/// The rows that facts take in so many columns, or nearly.
fn rows_of(facts: &[(&str, Line<'_>)], wide: usize) -> usize {
    let rows = facts.iter().map(|(name, fact)| {
        let fact = usize::from(line_columns(fact));
        let lines = fact.div_ceil(wide).max(1);
        let is_beneath = !name.is_empty() && fact + usize::from(NAMES.0) > wide;
        lines + usize::from(is_beneath)
    });
    rows.sum()
}

/// Draws all about a thing. Returns the rows that it takes, and whether there is more.
fn about<'a, T: Listed<'a>>(
    paint: &mut Painter<'a>,
    area: Rect,
    thing: &T,
    least: u16,
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
    let facts = facts_of(thing, from);
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
    let high = least.max(taken);
    paint.lines(top(after(all, half + 1), high), &more);
    let spare = top(below(rest, 1), least.saturating_sub(taken + 1));
    if more.is_empty() && spare.height > 1 && all.width < TWICE {
        paint.lines(spare, &thing.beside(from, spare.height.into()));
    }
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
