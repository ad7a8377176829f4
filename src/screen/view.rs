//! Draws the screen: the frame around, the open tab, and what is on top of it. Views only read.

mod bottom;
mod clocks;
mod listed;
mod log;
mod painter;
mod party;
mod roll;
mod table;
mod tiles;
mod tokens;
mod top;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::Line;

use super::dialog::Canvas;
use super::layout::{self, Deck, LEAST, Parts};
use super::setup::Setup;
use super::state::{ScreenState, Tab};
use super::update::mouse::{HitMap, Spot};
use crate::session::{Character, TokenPool};
use crate::table::SeatView;
use painter::{Painter, Source};

pub(super) use tiles::Tiles;

/// Draws what changed since the last frame. Returns where the terminal's cursor belongs, and what was painted.
pub(super) fn draw(
    (seen, state, setup): (&SeatView<'_>, &ScreenState, &Setup),
    tiles: &mut Tiles,
    (buffer, hits): (&mut Buffer, &mut HitMap),
) -> (Option<Position>, Vec<Rect>) {
    let mut look = setup.look();
    let mut layers = state.layers.iter().rev();
    if let Some(tried) = layers.find_map(|dialog| dialog.form.theme.as_ref()) {
        look.theme = tried;
    }
    let screen = buffer.area;
    let parts = layout::parts(state.size);
    let decks = parts.map(|parts| layout::decks(parts.body, state.counts(), state.panel));
    tiles.stand_on((state.size, state.covered, decks));
    let is_table_alone = state.tab == Tab::Table && state.is_browsing();
    if !is_table_alone {
        tiles.forget();
    }
    let mut painted = Vec::new();
    if tiles.is_empty() {
        tiles::clear(screen, look.base(), buffer);
        hits.clear();
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
        hits,
        tiles,
        painted,
    };
    let Some((parts, decks)) = parts.zip(decks) else {
        too_small(&mut paint, screen);
        return (None, paint.painted);
    };
    if !state.is_picking {
        tab(&mut paint, parts, &decks);
    }
    bottom::draw(&mut paint, parts);
    let cursor = on_top(&mut paint);
    if !state.is_browsing() {
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

/// Draws the open tab, with the lines above it.
fn tab(paint: &mut Painter<'_>, parts: Parts, decks: &[Deck; 4]) {
    top::draw(paint, parts);
    match paint.state.tab {
        Tab::Table => table::draw(paint, parts.body, decks),
        Tab::Party => listed::tab::<&Character>(paint, parts.body),
        Tab::Clocks => clocks::tab(paint, parts.body),
        Tab::Tokens => listed::tab::<&TokenPool>(paint, parts.body),
        Tab::Log => log::tab(paint, parts.body),
    }
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

/// Draws what lies over the tab; the line of keys stays in sight. Returns where the cursor belongs.
fn on_top(paint: &mut Painter<'_>) -> Option<Position> {
    let mut cursor = None;
    for dialog in &paint.from.state.layers {
        let hits = &mut *paint.hits;
        let mut canvas = Canvas {
            look: paint.from.look,
            area: layout::dialog(paint.from.state.size),
            buffer: paint.buffer,
            hits: &mut |area, touched| hits.put(area, Spot::Dialog(touched)),
        };
        cursor = dialog.view(paint.from.seen, &mut canvas);
    }
    cursor
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
