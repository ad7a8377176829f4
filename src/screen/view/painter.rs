//! What views draw with.

use std::hash::Hash;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::tiles::{Noted, Tiles, clear};
use super::wrap;
use crate::screen::action::Action;
use crate::screen::layout::{self, Deck};
use crate::screen::list::List;
use crate::screen::setup::Setup;
use crate::screen::state::ScreenState;
use crate::screen::theme::Role;
use crate::screen::update::mouse::{HitMap, Spot};
use crate::screen::widget::grid::{Column, GAP, GUTTER, Grid, Row};
use crate::screen::widget::{Look, after, below, left, line_columns, right, row};
use crate::table::SeatView;

/// What a view draws with and what it draws.
pub(super) struct Painter<'a> {
    /// The table, as this seat sees it.
    pub(super) seen: &'a SeatView<'a>,
    /// What the screen remembers.
    pub(super) state: &'a ScreenState,
    /// Keys, time zone.
    pub(super) setup: &'a Setup,
    /// How it looks.
    pub(super) look: Look<'a>,
    /// The frame.
    pub(super) buffer: &'a mut Buffer,
    /// What the mouse will find where.
    pub(super) hits: &'a mut HitMap,
    /// What each part of the last frame was painted from.
    pub(super) tiles: &'a mut Tiles,
    /// What was painted so far.
    pub(super) painted: Vec<Rect>,
}

impl Painter<'_> {
    /// A piece of text in a role.
    pub(super) fn span<'t>(
        &self,
        text: impl Into<std::borrow::Cow<'t, str>>,
        role: Role,
    ) -> Span<'t> {
        Span::styled(text, self.look.style(role))
    }

    /// Draws a line, cut where there is no more room.
    pub(super) fn line(&mut self, area: Rect, line: &Line<'_>) {
        self.look.put(line, area, self.buffer);
    }

    /// Draws a line that ends at the right edge.
    pub(super) fn line_right(&mut self, area: Rect, line: &Line<'_>) {
        let width = line_columns(line).min(area.width);
        self.line(right(area, width), line);
    }

    /// Draws a paragraph, wrapped, and cut where there is no more room; answers with the rows left beneath
    /// it.
    pub(super) fn text(&mut self, area: Rect, text: &Line<'_>) -> Rect {
        let mut rest = area;
        let mut lines = wrap::wrap(text, area.width).into_iter().peekable();
        while let Some(mut line) = lines.next() {
            if rest.is_empty() {
                break;
            }
            if rest.height == 1
                && let Some(more) = lines.peek()
            {
                line.spans.extend(more.spans.iter().cloned());
                line = self.look.fit_line(&line, rest.width);
            }
            self.look.put(&line, rest, self.buffer);
            rest = below(rest, 1);
        }
        rest
    }

    /// Draws paragraphs beneath each other.
    pub(super) fn lines(&mut self, area: Rect, lines: &[Line<'_>]) -> Rect {
        lines.iter().fold(area, |rest, line| self.text(rest, line))
    }

    /// Says beside a list that it goes on above or below what is in sight.
    pub(super) fn more(&mut self, list: Rect, top: usize, count: usize) {
        let glyphs = self.look.glyphs();
        let edge = Rect {
            x: list.right(),
            width: 1,
            ..list
        };
        if top > 0 {
            let sign = Line::from(self.span(glyphs.above, Role::Border));
            self.line(row(edge, 1), &sign);
        }
        if top + layout::room(list) < count {
            let sign = Line::from(self.span(glyphs.below, Role::Border));
            self.line(below(edge, edge.height.saturating_sub(1)), &sign);
        }
    }

    /// Says why a place is empty, and what to press there.
    pub(super) fn empty(&mut self, area: Rect, why: &'static str, action: Action, does: &str) {
        let mut line = Line::from(self.span(why, Role::Muted));
        let key = self.key(action);
        if !key.is_empty() {
            line.push_span(self.span(format!(" {key}"), Role::Key));
            line.push_span(self.span(format!(" {does}"), Role::Muted));
        }
        self.text(after(area, 2), &line);
    }

    /// The same for a list: it is empty, or its filter lets nothing through.
    pub(super) fn empty_list(&mut self, list: Rect, why: &'static str, does: &str) {
        // Beneath where the head would be.
        let area = below(list, 1);
        if self.state.filter().is_empty() {
            self.empty(area, why, Action::New, does);
        } else {
            let why = "Nothing here is like that.";
            self.empty(area, why, Action::Close, "shows all.");
        }
    }

    /// The first key of an action in the open tab; empty when it has none.
    pub(super) fn key(&self, action: Action) -> String {
        let contexts = self.state.tab_contexts();
        let keys = self.setup.keymap.keys_for(action, contexts);
        let key = keys.first();
        key.map_or_else(String::new, |key| key.label(self.look.ascii))
    }

    /// Draws the list of a tab, with a row for each line, and notes for the mouse what is where: in a line as
    /// a whole, and in each of its columns.
    pub(super) fn list<Id: Copy + Eq>(
        &mut self,
        area: Rect,
        (columns, rows): (&[Column<'_>], &[Row<'_>]),
        (list, cursor): (&List<Id>, Option<usize>),
        spot: impl Fn(Id, Option<usize>) -> Option<Spot>,
    ) {
        // The last column says whether there is more.
        let area = left(area, area.width.saturating_sub(1));
        let grid = Grid {
            columns,
            rows,
            top: list.top(),
            selected: Some(list.at()),
            cursor,
            gap: GAP,
            look: self.look,
        };
        let lines = list.lines();
        self.grid(area, &grid, &lines[list.top().min(lines.len())..], spot);
        self.more(area, list.top(), lines.len());
    }

    /// Draws the list of a panel of the table, side by side where that has several cells in a row.
    pub(super) fn panel_list<Id: Copy + Eq>(
        &mut self,
        deck: &Deck,
        (columns, rows): (&[Column<'_>], &[Row<'_>]),
        list: &List<Id>,
        spot: impl Fn(Id, Option<usize>) -> Option<Spot>,
    ) {
        let in_row = usize::from(deck.in_row);
        let is_here = self.state.panel == deck.panel;
        let lines = list.lines();
        for (nth, x) in (0..in_row).zip((0..).step_by(deck.cell.0.into())) {
            let every = |count| (nth..count).step_by(in_row);
            let ids: Vec<Option<Id>> = every(lines.len()).map(|at| lines[at]).collect();
            let rows: Vec<Row<'_>> = every(rows.len()).map(|at| rows[at].clone()).collect();
            let at = ids.iter().position(|id| *id == list.id());
            let grid = Grid {
                columns,
                rows: &rows,
                top: list.top(),
                selected: at.filter(|_| is_here),
                cursor: None,
                gap: GAP - 1,
                look: self.look,
            };
            let area = left(after(deck.inner, x), deck.cell.0);
            self.grid(area, &grid, &ids[list.top().min(ids.len())..], &spot);
        }
    }

    /// Draws a grid, and notes for the mouse what is where; these are the things in sight.
    pub(super) fn grid<Id: Copy>(
        &mut self,
        area: Rect,
        grid: &Grid<'_>,
        things: &[Option<Id>],
        spot: impl Fn(Id, Option<usize>) -> Option<Spot>,
    ) {
        let places = grid.draw(area, self.buffer);
        for (id, down) in things.iter().zip(grid.head()..area.height) {
            let Some(id) = *id else { continue };
            let line = row(area, down);
            let whole = spot(id, None).map(|spot| (line, spot));
            let cells = places.iter().filter_map(|place| {
                let area = left(after(line, place.x), place.width);
                Some((area, spot(id, Some(place.column))?))
            });
            for (area, spot) in whole.into_iter().chain(cells) {
                self.hits.put(area, spot);
            }
        }
    }

    /// Draws each thing of a panel in its cell, with the markers before it.
    pub(super) fn cells<Id: Copy + Eq>(
        &mut self,
        deck: &Deck,
        (list, is_here): (&List<Id>, bool),
        spot: impl Fn(Id) -> Spot,
        draw: impl Fn(&mut Self, Rect, Id),
    ) {
        let in_row = usize::from(deck.in_row);
        let things = list.lines().iter().flatten().skip(list.top() * in_row);
        let glyphs = self.look.glyphs();
        for (place, id) in things.take(deck.rows() * in_row).enumerate() {
            let area = deck.cell(place);
            self.hits.put(area, spot(*id));
            if is_here && list.id() == Some(*id) {
                let sign = Line::from(self.span(glyphs.marker, Role::Marker));
                self.line(left(area, 1), &sign);
            }
            if list.marked().contains(id) {
                let sign = Line::from(self.span(glyphs.marked, Role::Marked));
                self.line(left(after(area, 1), 1), &sign);
            }
            draw(self, after(area, GUTTER), *id);
        }
    }

    /// Draws a part of the screen unless it was drawn from the same before.
    pub(super) fn tile(&mut self, area: Rect, from: impl Hash, draw: impl FnOnce(&mut Self)) {
        match self.tiles.note(area, (self.seen.revision(), from)) {
            Noted::Same => return,
            Noted::Changed => {
                self.hits.forget(area);
                self.painted.push(area);
                clear(area, self.look.base(), self.buffer);
            }
            // Nothing was there before: everything is blank.
            Noted::New => {}
        }
        draw(self);
    }
}

/// A line without its first and last column.
pub(super) fn inside(area: Rect) -> Rect {
    left(after(area, 1), area.width.saturating_sub(2))
}
