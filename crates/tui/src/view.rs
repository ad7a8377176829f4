//! Draws the screen. Views only read the game and the state of the screen.
//!
//! From top to bottom, the screen shows the title, the names of the tabs, the open tab, the status message and the line
//! of keys. [`layout::screen_layout`] computes their places. Dialogs cover everything except the line of keys.

mod as_json;
mod bottom;
mod card;
mod clocks;
mod context;
mod entry;
mod fight;
mod frame_cache;
mod full_entries;
mod game_preview;
mod item_view;
pub(crate) mod layout;
mod log;
mod log_item;
mod luck;
mod measure;
mod own_sheet;
mod painter;
mod party;
mod pause;
mod pinned;
mod screen_view;
mod seat_line;
mod sheets;
mod table;
mod title;
mod tokens;
pub(crate) mod tone;

use std::mem;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect, Size};
use ratatui::text::Line;

use crate::app::keymap::KeyNames;
use crate::app::setup::Setup;
use crate::app::state::{Naming, ScreenState, Tab};
use crate::app::update::mouse::{HitMap, Spot};
use crate::dialog::{Canvas, Dialog};
use crate::view::layout::{MIN_SIZE, ScreenLayout, TableLayout};
use crate::widget::{Appearance, after, below, columns, join, left, line_columns};
use crate::{Action, Role};
use context::ViewContext;
use item_view::{ItemView, draw_cells, draw_empty_hint};
use painter::{Painter, inside};
use screen_view::ScreenView;
use tableside_game::Character;
use tableside_table::{ClockView, Filter, SeatView};
use tableside_text::fold_keeping_spaces;

pub use as_json::table_json;
pub(super) use frame_cache::FrameCache;
pub use game_preview::GamePreview;
pub(crate) use game_preview::{PreviewBar, PreviewCard, PreviewClock};
pub(crate) use measure::MeasuredTable;
pub(super) use measure::measure_table;

/// Everything that a frame depends on.
#[derive(Clone, Copy)]
pub(super) struct FrameInput<'a> {
    pub(super) view: &'a SeatView<'a>,
    pub(super) state: &'a ScreenState,
    pub(super) setup: &'a Setup,
}

/// Draws the regions that changed since the last frame. Returns the position of the terminal's cursor and the drawn
/// regions.
///
/// `previous` has the cells of the last frame, and `frame_cache` and `hits` are those of the last frame. While a dialog is open, the cache also keeps the tab below it.
/// After a change of theme or layout everything is drawn.
pub(super) fn draw(
    input: FrameInput<'_>,
    frame_cache: &mut FrameCache,
    buffer: &mut Buffer,
    previous: &Buffer,
    hits: &mut HitMap,
) -> (Option<Position>, Vec<Rect>) {
    let FrameInput { view, state, setup } = input;
    let look = current_look(state, setup);
    let screen = buffer.area;
    let screen_layout = layout::screen_layout(state.size);
    let table_layout = state.table.layout;
    let clock_places = state.clock_places(view);

    let base_key = (
        look.theme.name(),
        state.is_covered,
        state.tab,
        state.size,
        state.lines().map(<[_]>::len),
        table_layout,
        screen_layout.map(|parts| state.tab_layout(parts.body)),
        &clock_places,
    );
    frame_cache.set_base(base_key);
    frame_cache.set_filter(state.filter());
    hits.retain(|(_, spot)| !spot.is_above_tab());

    let values = mem::take(&mut frame_cache.values);
    let context = ViewContext {
        view,
        state,
        setup,
        look,
        values: &values,
    };
    let screen_view = ScreenView {
        context,
        parts: screen_layout,
        table_layout,
        clock_places: clock_places.as_deref(),
    };
    let drawn = if state.is_paused {
        screen_view.draw_pause(frame_cache, buffer, hits)
    } else if state.is_browsing() {
        (
            None,
            screen_view.draw_tab(frame_cache, buffer, previous, hits),
        )
    } else {
        let cursor = screen_view.draw_dialogs(frame_cache, buffer, hits);
        (cursor, vec![screen])
    };

    frame_cache.values = values;
    drawn
}

/// Returns the look of the screen. While a dialog previews a theme, it is the look in that theme.
fn current_look<'a>(state: &'a ScreenState, setup: &'a Setup) -> Appearance<'a> {
    let mut look = setup.look();
    let previewed_theme = state
        .layers
        .iter()
        .rev()
        .find_map(|dialog| dialog.spec.tried_theme());
    if let Some(theme) = previewed_theme {
        look.theme = theme;
    }
    look
}

/// Draws the title, the names of the tabs, and the open tab.
fn draw_tab(
    painter: &mut Painter<'_>,
    parts: ScreenLayout,
    table_layout: &TableLayout,
    clock_places: Option<&[Rect]>,
) {
    let state = painter.state;
    title::draw(painter, parts);
    painter.redraw_if_changed(parts.tabs, state.panel, |painter| {
        draw_tab_names(painter, parts.tabs);
    });

    if let Some(area) = parts.standing {
        let key = (&state.label, seat_line::key(painter.context));
        painter.redraw_if_changed(area, key, |painter| {
            let context = painter.context;
            if has_standing_line(context) {
                painter.draw_line(inside(area), &standing_line(context, area.width));
            } else {
                seat_line::draw(painter, area);
            }
        });
    }

    match state.tab {
        Tab::Table => table::draw(painter, parts.body, table_layout),
        Tab::Party => item_view::draw_tab::<&Character>(painter, parts.body),
        Tab::Clocks => match clock_places {
            Some(places) => clocks::draw_faces(painter, parts.body, places),
            None => item_view::draw_tab::<ClockView<'_>>(painter, parts.body),
        },
        Tab::Tokens => tokens::draw_tab(painter, parts.body),
        Tab::Log => log::draw_tab(painter, parts.body),
    }

    let list = state.tab_layout(parts.body).list;
    for word in Filter::parse(state.filter()).words() {
        highlight_word(painter, word, below(list, 1));
    }
}

/// Highlights each occurrence of a word of the tab's filter.
fn highlight_word(painter: &mut Painter<'_>, word: &str, area: Rect) {
    let style = painter.look.style(Role::Found);
    let word_columns = columns(word);

    for line in area.rows() {
        let mut text = String::new();
        // The index in the text where each cell begins.
        let mut starts = Vec::new();
        for cell in line.columns() {
            starts.push(text.len());
            push_folded(painter.buffer[(cell.x, cell.y)].symbol(), &mut text);
        }

        for (start, _) in text.match_indices(word) {
            if let Ok(cell) = starts.binary_search(&start) {
                let offset = u16::try_from(cell).unwrap_or(u16::MAX);
                let occurrence = left(after(line, offset), word_columns);
                painter.buffer.set_style(occurrence, style);
            }
        }
    }
}

/// Appends the symbol of a cell in the form in which filters compare it. Most symbols are ASCII and need no allocation.
fn push_folded(symbol: &str, text: &mut String) {
    match symbol.as_bytes() {
        [letter] => text.push(letter.to_ascii_lowercase().into()),
        _ => text.push_str(&fold_keeping_spaces(symbol)),
    }
}

/// Draws the dialogs over the tab, above the line of keys. Returns the position of the terminal's cursor.
fn draw_dialogs(painter: &mut Painter<'_>) -> Option<Position> {
    let context = painter.context;
    let layers = &context.state.layers;
    let covers_others = |dialog: &Dialog| !dialog.spec.shows_dialog_beneath();
    let lowest_shown = layers.iter().rposition(covers_others).unwrap_or(0);

    let mut cursor = None;
    for dialog in &layers[lowest_shown..] {
        let hits = &mut *painter.hits;
        let mut canvas = Canvas {
            look: context.look,
            keys: KeyNames {
                keymap: &context.setup.keymap,
                contexts: dialog.contexts(),
            },
            area: layout::dialog(context.state.size),
            buffer: painter.buffer,
            hits: &mut |area, touched| hits.push((area, Spot::Dialog(touched))),
        };
        cursor = dialog.draw(context.view, &mut canvas);
    }
    cursor
}

fn draw_size_warning(painter: &mut Painter<'_>, screen: Rect) {
    let Size {
        width: min_width,
        height: min_height,
    } = MIN_SIZE;
    let warning = format!(
        "Tableside needs {min_width}×{min_height} of a terminal; this is {}×{}. Make the window larger, or its letters \
         smaller.",
        screen.width, screen.height
    );
    painter.draw_paragraph(screen, &Line::from(warning));
}

/// Returns true if the line about an unnamed game is shown.
fn has_standing_line(context: ViewContext<'_>) -> bool {
    context.state.label.is_nameable && has_standing_row(context)
}

/// Returns true if a row below the tabs is for the line about an unnamed game, or about the seat. A low screen has none.
fn has_standing_row(context: ViewContext<'_>) -> bool {
    let parts = layout::screen_layout(context.state.size);
    parts.is_some_and(|parts| parts.standing.is_some())
}

/// Returns the key that starts another game while the sample is untouched, or the key that names the game.
///
/// `None` if the game has a name, or if the seat cannot name it.
fn naming_hint(context: ViewContext<'_>) -> Option<Line<'_>> {
    let label = &context.state.label;
    if label.naming == Naming::Named || context.view.is_view() || !context.view.seat().sees_all() {
        return None;
    }

    let is_untouched_sample = label.is_nameable && label.naming == Naming::Unsaved;
    let (action, effect) = if is_untouched_sample {
        (Action::Games, "starts your own")
    } else {
        (Action::NameGame, "names it")
    };
    let key = context.line(context.key(action), Role::Key);
    Some(join([key, context.line(effect, Role::Muted)], " "))
}

/// Returns the line about an unnamed game: that it is a sample, where it is saved, and the next key.
fn standing_line(context: ViewContext<'_>, width: u16) -> Line<'_> {
    let label = &context.state.label;
    let Some(hint) = naming_hint(context) else {
        return Line::default();
    };

    let is_narrow = width < 60;
    let about = match &label.naming {
        Naming::MadeUp(name) if is_narrow || *name == label.name => format!("Saved as {name}."),
        Naming::MadeUp(name) => format!("Sample game: {}, saved as {name}.", label.name),
        _ if is_narrow => "Sample game.".to_owned(),
        _ => format!("Sample game: {}.", label.name),
    };
    join([context.line(about, Role::Notice), hint], " ")
}

/// Draws the names of the tabs with their keys.
fn draw_tab_names(painter: &mut Painter<'_>, area: Rect) {
    let context = painter.context;
    // Five names and their keys just fit on the smallest screen.
    let (margin, gap) = if area.width >= 60 { (1, 3) } else { (0, 1) };
    let mut free = after(area, margin);

    for tab in Tab::ALL {
        let action = tab.action();
        let role = if tab == context.state.tab {
            Role::TabActive
        } else {
            Role::Tab
        };
        let key = context.line(context.key(action), Role::Key);
        let line = join([key, context.line(action.label(), role)], " ");

        let width = line_columns(&line);
        let place = left(free, width);
        painter.draw_line(place, &line);
        painter.hits.push((place, Spot::Tab(tab)));
        free = after(free, width + gap);
    }
}
