//! Draws the screen: the frame around, the open tab, and what is on top of it. Views only read.

mod bottom;
mod clocks;
mod greeting;
mod help;
mod listed;
mod log;
mod painter;
mod palette;
mod party;
mod roll;
mod table;
mod themes;
mod tiles;
mod tokens;
mod top;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::Line;

use super::dialog::Canvas;
use super::layout::{self, LEAST};
use super::setup::Setup;
use super::state::{Mode, ScreenState, Tab};
use super::update::mouse::{HitMap, Spot};
use crate::session::{Character, TokenPool};
use crate::table::SeatView;
use painter::{Painter, Source};

pub(super) use help::rows_below;
pub(super) use tiles::Tiles;

/// Draws what changed since the last frame. Returns where the terminal's cursor belongs, and what was painted.
pub(super) fn draw(
    (seen, state, setup): (&SeatView<'_>, &ScreenState, &Setup),
    tiles: &mut Tiles,
    (buffer, spots): (&mut Buffer, &mut HitMap),
) -> (Option<Position>, Vec<Rect>) {
    let mut look = setup.look();
    if let Some(tried) = themes::tried(&state.mode) {
        look.theme = tried;
    }
    let screen = buffer.area;
    let parts = layout::parts(state.size);
    let decks = parts.map(|parts| layout::decks(parts.body, state.counts, state.panel));
    tiles.stand_on((state.size, state.covered, decks));
    let is_table_alone = state.tab == Tab::Table && matches!(state.mode, Mode::Browse);
    if !is_table_alone {
        tiles.forget();
    }
    let mut painted = Vec::new();
    if tiles.is_empty() {
        tiles::clear(screen, look.base(), buffer);
        spots.clear();
        painted.push(screen);
    }
    let mut paint = Painter {
        from: Source {
            seen,
            state,
            setup,
            look,
        },
        buffer,
        spots,
        tiles,
        painted,
    };
    let Some((parts, decks)) = parts.zip(decks) else {
        too_small(&mut paint, screen);
        return (None, paint.painted);
    };
    top::draw(&mut paint, parts);
    match state.tab {
        Tab::Table => table::draw(&mut paint, parts.body, &decks),
        Tab::Party => listed::tab::<&Character>(&mut paint, parts.body),
        Tab::Clocks => clocks::tab(&mut paint, parts.body),
        Tab::Tokens => listed::tab::<&TokenPool>(&mut paint, parts.body),
        Tab::Log => log::tab(&mut paint, parts.body),
    }
    let typing = bottom::draw(&mut paint, parts);
    let cursor = on_top(&mut paint, &state.mode, screen).or(typing);
    if matches!(state.mode, Mode::Dialog(_)) {
        bottom::over(&mut paint, parts, screen);
    }
    if setup.ascii {
        spell_out(paint.buffer);
    }
    if !is_table_alone {
        paint.tiles.forget();
    }
    (cursor, paint.painted)
}

/// What an entry of the log says in signs of its own, in ASCII.
pub(super) fn spell_out(buffer: &mut Buffer) {
    for cell in &mut buffer.content {
        let sign = match cell.symbol() {
            "→" => ">",
            "•" | "−" | "–" | "—" => "-",
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

fn on_top(paint: &mut Painter<'_>, mode: &Mode, screen: Rect) -> Option<Position> {
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
                look: paint.from.look,
                area: room,
                buffer: paint.buffer,
                hits: &mut |area, touched| spots.put(area, Spot::Dialog(touched)),
            };
            dialog.view(paint.from.seen, &mut canvas)
        }
    }
}

fn too_small(paint: &mut Painter<'_>, screen: Rect) {
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
