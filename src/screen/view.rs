//! Draws the screen: the frame around, the open tab, and what is on top of it. Views only read.

mod bottom;
mod clocks;
mod damage;
mod greeting;
mod help;
mod log;
mod palette;
mod party;
mod roll;
mod table;
mod themes;
mod thing;
mod tokens;
mod top;
mod wrap;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};

use super::action::Action;
use super::dialog::Canvas;
use super::layout::{self, LEAST};
use super::setup::Setup;
use super::state::{Mode, ScreenState, Tab};
use super::theme::Role;
use super::update::mouse::{HitMap, Spot};
use super::widget::Look;
use crate::table::SeatView;

use damage::Edge;
pub(super) use damage::{Basis, Damage};
pub(super) use help::rows_below;
pub(super) use table::Across;

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
    /// What is to be painted, if it is not everything.
    damage: Option<&'a Damage>,
}

impl Paint<'_> {
    /// A piece of text in a role.
    fn span<'t>(&self, text: impl Into<std::borrow::Cow<'t, str>>, role: Role) -> Span<'t> {
        Span::styled(text, self.look.style(role))
    }

    /// Draws a line, cut where there is no more room.
    fn line(&mut self, area: Rect, line: &Line<'_>) {
        if area.is_empty() {
            return;
        }
        let line = self.look.fit_line(line, area.width);
        self.buffer.set_line(area.x, area.y, &line, area.width);
    }

    /// Draws a line that ends at the right edge.
    fn line_right(&mut self, area: Rect, line: &Line<'_>) {
        let width = u16::try_from(line.width())
            .unwrap_or(u16::MAX)
            .min(area.width);
        let place = Rect {
            x: area.right() - width,
            width,
            ..area
        };
        self.line(place, line);
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
            self.buffer.set_line(rest.x, rest.y, &line, rest.width);
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
            height: 1,
            ..list
        };
        if top > 0 {
            let sign = Line::from(self.span(glyphs.above, Role::Border));
            self.line(
                Rect {
                    y: list.y + 1,
                    ..edge
                },
                &sign,
            );
        }
        if top + layout::room(list) < count {
            let sign = Line::from(self.span(glyphs.below, Role::Border));
            let foot = list.bottom().saturating_sub(1);
            self.line(Rect { y: foot, ..edge }, &sign);
        }
    }

    /// Says why a place is empty, and what to press there.
    fn empty(&mut self, area: Rect, why: &str, action: Action, does: &str) {
        let keys = self
            .setup
            .keymap
            .keys_for(action, self.state.tab_contexts());
        let mut line = Line::from(self.span(why.to_owned(), Role::Muted));
        if let Some(key) = keys.first() {
            line.push_span(self.span(format!(" {}", key.label(self.look.ascii)), Role::Key));
            line.push_span(self.span(format!(" {does}"), Role::Muted));
        }
        let indent = 2.min(area.width);
        let area = Rect {
            x: area.x + indent,
            width: area.width - indent,
            ..area
        };
        self.text(area, &line);
    }

    /// The same for a list: it is empty, or its filter lets nothing through.
    fn empty_list(&mut self, list: Rect, why: &str, does: &str) {
        // Beneath where the head would be.
        let area = below(list, 1);
        if self.state.filter().is_empty() {
            self.empty(area, why, Action::New, does);
        } else {
            self.empty(
                area,
                "Nothing here is like that.",
                Action::Close,
                "shows all.",
            );
        }
    }
}

/// A list's area without its last column, where stands whether there is more.
fn within(list: Rect) -> Rect {
    Rect {
        width: list.width.saturating_sub(1),
        ..list
    }
}

/// What is left of an area beneath so many rows.
fn below(area: Rect, rows: u16) -> Rect {
    let rows = rows.min(area.height);
    Rect {
        y: area.y + rows,
        height: area.height - rows,
        ..area
    }
}

/// Draws everything, or what is damaged of it; answers with where the terminal's cursor belongs.
pub(super) fn draw(
    seen: &SeatView<'_>,
    state: &ScreenState,
    setup: &Setup,
    damage: Option<&Damage>,
    (buffer, spots): (&mut Buffer, &mut HitMap),
) -> Option<Position> {
    let mut look = setup.look();
    if let Some(tried) = themes::tried(&state.mode) {
        look.theme = tried;
    }
    let screen = buffer.area;
    if let Some(damage) = damage {
        for area in damage.areas() {
            buffer.set_style(area, look.base());
            spots.forget(area);
        }
    } else {
        buffer.set_style(screen, look.base());
        spots.clear();
    }
    let mut paint = Paint {
        seen,
        state,
        setup,
        look,
        buffer,
        spots,
        damage,
    };
    let Some(parts) = layout::parts(state.size) else {
        too_small(&mut paint, screen);
        return None;
    };
    if damage.is_none_or(|damage| damage.has_edge(Edge::Top)) {
        top::draw(&mut paint, parts);
    }
    match state.tab {
        Tab::Table => table::draw(&mut paint, parts.body),
        Tab::Party => party::draw(&mut paint, parts.body),
        Tab::Clocks => clocks::draw(&mut paint, parts.body),
        Tab::Tokens => tokens::draw(&mut paint, parts.body),
        Tab::Log => log::draw(&mut paint, parts.body),
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
fn spell_out(buffer: &mut Buffer) {
    for cell in &mut buffer.content {
        let sign = match cell.symbol() {
            "→" => ">",
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
