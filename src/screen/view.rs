//! Draws the screen: the frame around, the open tab, and what is on top of it. Views only read.

mod bottom;
mod clocks;
mod greeting;
mod help;
mod log;
mod palette;
mod party;
mod roll;
mod table;
mod themes;
mod tokens;
mod top;
mod wrap;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};

use super::action::Action;
use super::dialog::Canvas;
use super::layout::{self, Deck, LEAST};
use super::list::List;
use super::setup::Setup;
use super::state::{Mode, ScreenState, Tab};
use super::theme::Role;
use super::update::mouse::{HitMap, Spot};
use super::widget::grid::{Column, GUTTER, Grid, Row};
use super::widget::{Look, after, below, left, line_columns, right, row};
use crate::table::SeatView;

pub(super) use help::rows_below;

/// What a view draws with and what it draws.
pub(super) struct Paint<'a> {
    /// The table, as this seat sees it.
    seen: &'a SeatView<'a>,
    /// What the screen remembers.
    state: &'a ScreenState,
    /// Keys, time zone.
    setup: &'a Setup,
    /// How it looks.
    look: Look<'a>,
    /// The frame.
    buffer: &'a mut Buffer,
    /// What the mouse will find where.
    spots: &'a mut HitMap,
}

impl Paint<'_> {
    /// A piece of text in a role.
    fn span<'t>(&self, text: impl Into<std::borrow::Cow<'t, str>>, role: Role) -> Span<'t> {
        Span::styled(text, self.look.style(role))
    }

    /// Draws a line, cut where there is no more room.
    fn line(&mut self, area: Rect, line: &Line<'_>) {
        self.look.put(line, area, self.buffer);
    }

    /// Draws a line that ends at the right edge.
    fn line_right(&mut self, area: Rect, line: &Line<'_>) {
        let width = line_columns(line).min(area.width);
        self.line(right(area, width), line);
    }

    /// Draws a paragraph, wrapped, and cut where there is no more room; answers with the rows left beneath
    /// it.
    fn text(&mut self, area: Rect, text: &Line<'_>) -> Rect {
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
    fn lines(&mut self, area: Rect, lines: &[Line<'_>]) -> Rect {
        lines.iter().fold(area, |rest, line| self.text(rest, line))
    }

    /// Says beside a list that it goes on above or below what is in sight.
    fn more(&mut self, list: Rect, top: usize, count: usize) {
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
    fn empty(&mut self, area: Rect, why: &'static str, action: Action, does: &str) {
        let mut line = Line::from(self.span(why, Role::Muted));
        let key = self.key(action);
        if !key.is_empty() {
            line.push_span(self.span(format!(" {key}"), Role::Key));
            line.push_span(self.span(format!(" {does}"), Role::Muted));
        }
        self.text(after(area, 2), &line);
    }

    /// The same for a list: it is empty, or its filter lets nothing through.
    fn empty_list(&mut self, list: Rect, why: &'static str, action: Action, does: &str) {
        // Beneath where the head would be.
        let area = below(list, 1);
        if self.state.filter().is_empty() {
            self.empty(area, why, action, does);
        } else {
            let why = "Nothing here is like that.";
            self.empty(area, why, Action::Close, "shows all.");
        }
    }

    /// The first key of an action in the open tab; empty when it has none.
    fn key(&self, action: Action) -> String {
        let contexts = self.state.tab_contexts();
        let keys = self.setup.keymap.keys_for(action, contexts);
        let key = keys.first();
        key.map_or_else(String::new, |key| key.label(self.look.ascii))
    }

    /// Draws the list of a tab, with a row for each line, and notes for the mouse what is where: in a line as
    /// a whole, and in each of its columns.
    fn list<Id: Copy + Eq>(
        &mut self,
        area: Rect,
        (columns, rows): (&[Column<'_>], &[Row<'_>]),
        (list, lines, cursor): (&List<Id>, &[Option<Id>], Option<usize>),
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
            look: self.look,
        };
        self.grid(area, &grid, &lines[list.top().min(lines.len())..], spot);
        self.more(area, list.top(), lines.len());
    }

    /// Draws the list of a panel of the table, side by side where that has several cells in a row.
    fn panel_list<Id: Copy + Eq>(
        &mut self,
        deck: &Deck,
        (columns, rows): (&[Column<'_>], &[Row<'_>]),
        (list, lines): (&List<Id>, &[Option<Id>]),
        spot: impl Fn(Id, Option<usize>) -> Option<Spot>,
    ) {
        let in_row = usize::from(deck.in_row);
        let is_here = self.state.panel == deck.panel;
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
                look: self.look,
            };
            let area = left(after(deck.inner, x), deck.cell.0);
            self.grid(area, &grid, &ids[list.top().min(ids.len())..], &spot);
        }
    }

    /// Draws a grid, and notes for the mouse what is where; these are the things in sight.
    fn grid<Id: Copy>(
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
                self.spots.put(area, spot);
            }
        }
    }

    /// Draws each thing of a panel in its cell, with the markers before it.
    fn cells<Id: Copy + Eq>(
        &mut self,
        deck: &Deck,
        (list, lines, is_here): (&List<Id>, &[Option<Id>], bool),
        spot: impl Fn(Id) -> Spot,
        draw: impl Fn(&mut Self, Rect, Id),
    ) {
        let in_row = usize::from(deck.in_row);
        let things = lines.iter().flatten().skip(list.top() * in_row);
        let glyphs = self.look.glyphs();
        for (place, id) in things.take(deck.rows() * in_row).enumerate() {
            let area = deck.cell(place);
            self.spots.put(area, spot(*id));
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
}

/// Draws everything; answers with where the terminal's cursor belongs.
pub(super) fn draw(
    seen: &SeatView<'_>,
    state: &ScreenState,
    setup: &Setup,
    (buffer, spots): (&mut Buffer, &mut HitMap),
) -> Option<Position> {
    let mut look = setup.look();
    if let Some(tried) = themes::tried(&state.mode) {
        look.theme = tried;
    }
    let screen = buffer.area;
    buffer.set_style(screen, look.base());
    spots.clear();
    let mut paint = Paint {
        seen,
        state,
        setup,
        look,
        buffer,
        spots,
    };
    let Some(parts) = layout::parts(state.size) else {
        too_small(&mut paint, screen);
        return None;
    };
    top::draw(&mut paint, parts);
    match state.tab {
        Tab::Table => table::draw(&mut paint, parts.body),
        Tab::Party => party::tab(&mut paint, parts.body),
        Tab::Clocks => clocks::tab(&mut paint, parts.body),
        Tab::Tokens => tokens::tab(&mut paint, parts.body),
        Tab::Log => log::tab(&mut paint, parts.body),
    }
    let typing = bottom::draw(&mut paint, parts);
    let cursor = on_top(&mut paint, &state.mode, screen).or(typing);
    if matches!(state.mode, Mode::Dialog(_)) {
        bottom::again(&mut paint, parts);
        bottom::over(&mut paint, screen);
    }
    if setup.ascii {
        spell_out(paint.buffer);
    }
    cursor
}

/// What an entry of the log says in signs of its own, in ASCII.
pub(super) fn spell_out(buffer: &mut Buffer) {
    for cell in &mut buffer.content {
        let sign = match cell.symbol() {
            "→" => ">",
            "•" => "-",
            "−" | "–" | "—" => "-",
            "…" => "~",
            "×" => "x",
            "·" => ".",
            "‘" | "’" => "'",
            "“" | "”" => "\"",
            _ => continue,
        };
        cell.set_symbol(sign);
    }
}

fn on_top(paint: &mut Paint<'_>, mode: &Mode, screen: Rect) -> Option<Position> {
    // The line of keys stays in sight, whatever lies over the rest.
    let room = layout::dialog(paint.state.size);
    match mode {
        Mode::Browse | Mode::Filter(..) => None,
        Mode::Greeting => {
            greeting::draw(paint, screen);
            None
        }
        Mode::Help { top, under } => {
            on_top(paint, under, screen);
            help::draw(paint, *top, under, room);
            None
        }
        Mode::Palette(palette) => palette::draw(paint, palette, room),
        Mode::Themes(themes) => {
            themes::draw(paint, themes, room);
            None
        }
        Mode::Dialog(dialog) => {
            let spots = &mut *paint.spots;
            let mut canvas = Canvas {
                look: paint.look,
                area: room,
                buffer: paint.buffer,
                hits: &mut |area, touched| spots.put(area, Spot::Dialog(touched)),
            };
            dialog.view(paint.seen, &mut canvas)
        }
    }
}

fn too_small(paint: &mut Paint<'_>, screen: Rect) {
    let (width, height) = LEAST;
    let words = format!(
        "Tableside needs {width}\u{d7}{height} of a terminal; this is {}\u{d7}{}.",
        screen.width, screen.height
    );
    let words = if paint.look.ascii {
        words.replace('\u{d7}', "x")
    } else {
        words
    };
    paint.text(screen, &Line::from(words));
}

/// A line without its first and last column.
fn inside(area: Rect) -> Rect {
    left(after(area, 1), area.width.saturating_sub(2))
}
