//! Draws the screen: the frame around, the open tab, and what is on top of it. Views only read.
//!
//! From the top there are the title, the tabs, the open tab, words in passing and the line of keys, as
//! [`layout::screen_layout`] places them. Dialogs lie over all of it but the line of keys.

mod as_json;
mod bottom;
mod card;
mod clocks;
mod entry;
mod entry_in_full;
pub(crate) mod layout;
mod listed;
mod log;
mod log_item;
mod luck;
mod painter;
mod party;
mod pause;
mod pinned;
mod sheets;
mod table;
mod tokens;
pub(crate) mod tone;

use std::mem;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::Line;

use crate::app::setup::Setup;
use crate::app::state::{ScreenState, Tab};
use crate::app::update::mouse::{HitMap, Spot};
use crate::dialog::Canvas;
use crate::view::layout::{LEAST, PanelLayout, ScreenLayout};
use crate::widget::{after, below, columns, join, left, line_columns};
use crate::{Action, Role};
use listed::{ItemView, cells, empty};
use painter::{Painter, Source, inside};
use tableside_game::{Character, EntityKind};
use tableside_table::{ClockView, Filter, SeatView};
use tableside_text::{fold_keeping_spaces, pluralise};

pub use as_json::table_json;
pub(super) use painter::FrameCache;

/// Everything that a frame depends on.
#[derive(Clone, Copy)]
pub(super) struct FrameInput<'a> {
    pub(super) view: &'a SeatView<'a>,
    pub(super) state: &'a ScreenState,
    pub(super) setup: &'a Setup,
}

/// Draws what changed since the last frame. Returns where the terminal's cursor belongs, and what was painted.
///
/// `frame_cache` and `hits` are those of the last frame. They are forgotten, and everything is painted, unless this frame
/// and the last one both show a tab with nothing over it, in the same parts.
pub(super) fn draw(
    input: FrameInput<'_>,
    frame_cache: &mut FrameCache,
    buffer: &mut Buffer,
    hits: &mut HitMap,
) -> (Option<Position>, Vec<Rect>) {
    let FrameInput { view, state, setup } = input;
    let mut look = setup.look();
    let mut layers = state.layers.iter().rev();
    if let Some(tried) = layers.find_map(|dialog| dialog.form.theme.as_ref()) {
        look.theme = tried;
    }
    let screen = buffer.area;
    let parts = layout::screen_layout(state.size);
    let decks = parts.map(|parts| layout::panel_layouts(parts.body, state.lines(), state.panel));
    let panes = parts.map(|parts| state.tab_layout(parts.body));
    let faces = state.clock_places(view);
    let counts = state.lines().map(<[_]>::len);
    let shape = (state.tab, state.size, counts, decks, panes, &faces);
    let shape = (shape, state.filter());
    frame_cache.stand_on((look.theme.name(), state.is_covered, shape));
    if !state.is_browsing() || state.is_paused {
        frame_cache.repaint();
    }
    let kept = mem::take(&mut frame_cache.kept);
    let mut painted = Vec::new();
    if frame_cache.is_empty() {
        painter::clear(screen, look.base(), buffer);
        hits.clear();
        painted.push(screen);
    }
    let mut paint = Painter {
        from: Source {
            view,
            state,
            setup,
            look,
            kept: &kept,
        },
        buffer,
        hits,
        frame_cache,
        painted,
    };
    if state.is_paused {
        pause::draw(&mut paint, screen);
        let painted = paint.painted;
        frame_cache.repaint();
        frame_cache.kept = kept;
        return (None, painted);
    }
    let Some((parts, decks)) = parts.zip(decks) else {
        too_small(&mut paint, screen);
        return (None, paint.painted);
    };
    if !state.is_picking {
        tab(&mut paint, parts, &decks, faces.as_deref());
    }
    bottom::draw(&mut paint, parts);
    let cursor = on_top(&mut paint);
    if !state.is_browsing() {
        bottom::over(&mut paint, parts, screen);
    }
    let painted = paint.painted;
    if !state.is_browsing() {
        frame_cache.repaint();
    }
    frame_cache.kept = kept;
    (cursor, painted)
}

/// Draws the open tab, with the lines above it.
fn tab(
    paint: &mut Painter<'_>,
    parts: ScreenLayout,
    decks: &[PanelLayout; 4],
    faces: Option<&[Rect]>,
) {
    let state = paint.state;
    // Any act ends the time between two sessions, also one that changes nothing else here.
    let is_between_sessions = paint.view.last_session().is_some();
    let revision = paint.view.revision_of(EntityKind::Game);
    let named = (revision, &state.label, is_between_sessions);
    paint.tile_from(parts.title, named, |paint| title(paint, parts.title));
    paint.tile_from(parts.tabs, state.panel, |paint| tabs(paint, parts.tabs));
    match paint.state.tab {
        Tab::Table => table::draw(paint, parts.body, decks),
        Tab::Party => listed::tab::<&Character>(paint, parts.body),
        Tab::Clocks => match faces {
            Some(places) => clocks::faces(paint, parts.body, places),
            None => listed::tab::<ClockView<'_>>(paint, parts.body),
        },
        Tab::Tokens => tokens::tab(paint, parts.body),
        Tab::Log => log::tab(paint, parts.body),
    }
    for word in Filter::parse(state.filter()).words() {
        mark_found(word, paint, below(state.tab_layout(parts.body).list, 1));
    }
}

/// Marks the letters of a word that the tab is filtered by.
fn mark_found(word: &str, paint: &mut Painter<'_>, area: Rect) {
    let wide = columns(word).max(1);
    for line in area.rows() {
        let cells = line.columns().map(|at| &paint.buffer[(at.x, at.y)]);
        let letters: Vec<String> = cells
            .map(|cell| fold_keeping_spaces(cell.symbol()))
            .collect();
        for (place, some) in (0..).zip(letters.windows(wide.into())) {
            if some.concat() == word {
                let style = paint.look.style(Role::Found);
                let found = left(after(line, place), wide);
                paint.buffer.set_style(found, style);
            }
        }
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
            hits: &mut |area, touched| hits.push((area, Spot::Dialog(touched))),
        };
        cursor = dialog.view(paint.from.view, &mut canvas);
    }
    cursor
}

fn too_small(paint: &mut Painter<'_>, screen: Rect) {
    let (width, height) = LEAST;
    let words = format!(
        "Tableside needs {width}×{height} of a terminal; this is {}×{}. Make the window larger, or its letters \
         smaller.",
        screen.width, screen.height
    );
    paint.text(screen, &Line::from(words));
}

/// What the game is called, and where it stands; at the right what is special about it now.
fn title(paint: &mut Painter<'_>, area: Rect) {
    let (from, area) = (paint.from, inside(area));
    let (view, state, label) = (from.view, from.state, &from.state.label);
    let covered = state.is_covered.then(|| from.say("covered", Role::Warning));
    let others = company(from, area.width).map(|others| from.say(others, Role::Muted));
    let kept = if label.is_view {
        Some(from.say("view only", Role::Warning))
    } else {
        let key = from.say(from.key(Action::NameGame), Role::Key);
        let names = [key, from.say("names it", Role::Muted)];
        (label.is_unnamed && view.seat().sees_all()).then(|| join(names, " "))
    };
    let aside = join([covered, others, kept].into_iter().flatten(), " · ");
    let taken = paint.line_right(area, &aside);
    let gap = if taken > 0 { 2 } else { 0 };
    let room = left(area, area.width.saturating_sub(taken + gap));

    // The tab of the table tells of the scene and the round itself.
    let is_told = state.tab == Tab::Table;
    let scene = (view.scene().began.is_some() && !is_told).then(|| tableside_table::scene(view));
    let round = (view.round > 0 && !is_told).then(|| format!("round {}", view.round));
    let parts = [session(from), scene, round].into_iter().flatten();
    let parts = parts.map(|words| from.say(words, Role::Text));
    let name = from.say(label.name.as_str(), Role::Title);
    let line = join(std::iter::once(name).chain(parts), " · ");
    let system = from.say(view.system().spec().name, Role::Muted);
    let whole = join([line.clone(), system], " · ");
    let has_room = line_columns(&whole) <= room.width;
    paint.line(room, if has_room { &whole } else { &line });
}

/// The number of the session, once one has ended; until its first act, also when and where the last one ended.
fn session(from: Source<'_>) -> Option<String> {
    let view = from.view;
    if view.sessions.is_empty() {
        return None;
    }

    let number = format!("Session {}", view.session_number());
    let Some(last) = view.last_session() else {
        return Some(number);
    };
    let day = from.setup.zone.format(last.ended, "%-d %B");
    let scene = if last.scene.is_empty() {
        String::new()
    } else {
        format!(": {}", last.scene)
    };
    Some(format!("{number} · last time, {day}{scene}"))
}

/// Who else is at the table: names where there is room, else how many.
fn company(from: Source<'_>, width: u16) -> Option<String> {
    // While the screen is covered, `view` is that of an onlooker, and only the setup knows who sits here.
    let own = from.setup.seat.name.as_str();
    let others = from.view.present().filter(|one| one.name != own);
    let others: Vec<&str> = others.map(|one| one.name.as_str()).collect();
    let names = format!("with {}", others.join(", "));
    match others.len() {
        0 => None,
        _ if columns(&names) <= width / 3 => Some(names),
        count => Some(format!("with {}", pluralise(count, "other"))),
    }
}

/// The tabs with their keys; the open one stands out.
fn tabs(paint: &mut Painter<'_>, area: Rect) {
    // Five names and their keys just fit the smallest screen.
    let (margin, gap) = if area.width >= 60 { (1, 3) } else { (0, 1) };
    let mut rest = after(area, margin);
    for tab in Tab::ALL {
        let action = tab.action();
        let is_open = tab == paint.state.tab;
        let role = if is_open { Role::TabActive } else { Role::Tab };
        let key = paint.say(paint.key(action), Role::Key);
        let line = join([key, paint.say(action.label(), role)], " ");
        let place = left(rest, line_columns(&line));
        paint.line(place, &line);
        paint.hits.push((place, Spot::Tab(tab)));
        rest = after(rest, line_columns(&line) + gap);
    }
}
