//! Lists of characters, clocks and pools: as lines with columns or as cards, on a tab or in a panel of the table.
//!
//! Each kind implements [`ItemView`]. The functions here draw the list, the marks and the headings, which are the same
//! for all kinds.

mod cells;

use std::cell::LazyCell;
use std::hash::BuildHasher as _;

use ratatui::layout::Rect;
use ratatui::text::Line;
use rustc_hash::FxBuildHasher;

use crate::app::list::{List, ListId};
use crate::app::state::{Panel, Tab};
use crate::app::update::mouse::Spot;
use crate::view::layout::PanelLayout;
use crate::view::painter::EmptyHint;
use crate::view::sheets::FactGroup;
use crate::view::{Painter, ViewContext, sheets};
use crate::widget::{
    GAP, GUTTER, Grid, GridColumns, MARKER, RowMarks, after, below, draw_marks, left, row,
};
use crate::{Action, Role};

pub(super) use cells::{ItemCell, draw_cell, draw_cells};

/// A character, a clock or a pool as lists show it.
pub(super) trait ItemView<'a>: Sized {
    fn find(context: ViewContext<'a>, id: ListId) -> Option<Self>;

    /// Returns the indices of the columns that react to a press of the mouse.
    fn pressable_columns(&self, _context: ViewContext<'a>) -> Vec<(usize, Spot)> {
        Vec::new()
    }

    /// Returns the heading above the first item of its group.
    fn heading(&self, _context: ViewContext<'a>) -> &'a str {
        ""
    }

    /// Returns the index of the column whose values keys change.
    fn cursor_column(_context: ViewContext<'a>) -> Option<usize> {
        None
    }

    /// Returns the columns of the list on a tab.
    fn columns(context: ViewContext<'a>, width: u16) -> GridColumns<'a, Self>;

    /// Returns the columns of the list in a panel, or `None` if the panel shows cards.
    fn panel_columns(
        context: ViewContext<'a>,
        panel: &PanelLayout,
    ) -> Option<GridColumns<'a, Self>>;

    /// Emphasises its line in a panel, for example the line of the acting character.
    fn emphasise(&self, _grid: &Grid, _painter: &mut Painter<'a>, _line: Rect) {}

    /// Returns a hash of everything that its card shows, or `None` if any change of its kind may change the card.
    fn card_key(&self, _context: ViewContext<'a>) -> Option<u64> {
        None
    }

    fn draw_card(&self, painter: &mut Painter<'a>, area: Rect);

    /// Draws the large cell of the player's own character.
    fn draw_large(&self, painter: &mut Painter<'a>, area: Rect) {
        self.draw_card(painter, area);
    }

    /// Returns the area of the name on a card.
    fn name_area(&self, _context: ViewContext<'a>, card: Rect) -> Rect {
        row(card, 0)
    }

    /// Returns its name, and the name of its player or owner, for the title of its sheet.
    fn title(&self, context: ViewContext<'a>) -> (&'a str, &'a str);

    /// Draws a picture at the top of its sheet. Returns the area below it.
    fn draw_picture(&self, _painter: &mut Painter<'a>, area: Rect) -> Rect {
        area
    }

    /// Returns the facts on its sheet.
    fn fact_groups(&self, context: ViewContext<'a>) -> Vec<FactGroup<'a>>;

    /// Returns text for the free space beside the facts.
    fn aside(&self, _context: ViewContext<'a>, _max_lines: usize) -> Vec<Line<'a>> {
        Vec::new()
    }
}

/// Draws a tab with a list and the sheet of the selected item.
pub(super) fn draw_tab<'a, T: ItemView<'a>>(painter: &mut Painter<'a>, body: Rect) {
    let state = painter.state;
    let panel = state.active_panel();
    let list = state.list(panel);
    let layout = state.tab_layout(body);

    if list.lines().is_empty() {
        let area = below(layout.list, 1);
        painter.redraw_with_game(area, state.filter(), |painter: &mut Painter<'a>| {
            draw_empty_hint(painter, area, panel);
        });
    } else {
        draw_list::<T>(painter, layout.list);
    }

    if let Some(area) = layout.detail {
        sheets::draw::<T>(painter, area, list);
    }
}

/// Draws the list of a tab below the titles of its columns.
fn draw_list<'a, T: ItemView<'a>>(painter: &mut Painter<'a>, area: Rect) {
    let context = painter.context;
    let state = context.state;
    let list = state.list(state.active_panel());
    let lines = list.lines();

    let grid_key = FxBuildHasher.hash_one((
        context.view.revision(),
        state.party_column,
        &state.filled_before,
        lines,
    ));
    // The last column is reserved for the scroll signs.
    let list_area = left(area, area.width.saturating_sub(1));
    let columns = LazyCell::new(|| T::columns(context, list_area.width + 1));
    let grid = context.cached(1, grid_key, || {
        let items = find_items::<T>(context, list);
        columns.measure(items.iter().flatten(), list_area.width, GAP)
    });

    let cursor = T::cursor_column(context);
    let head = row(area, 0);
    painter.redraw_if_changed(head, (grid_key, cursor), |painter| {
        grid.draw_head(cursor, context.look, head, painter.buffer);
    });

    let rows = list_area.rows().skip(1);
    for (index, line) in (list.top()..).zip(rows) {
        let id = lines.get(index).copied().flatten();
        let marks = match id {
            Some(id) => row_marks(list, id, true),
            None => RowMarks::default(),
        };
        let key = (grid_key, index, id, marks.is_marked);
        painter.redraw_if_changed(line, key, |painter| {
            let Some(id) = id else {
                let heading = heading_above::<T>(context, lines, index);
                draw_heading(painter, heading, line);
                return;
            };

            painter.hits.push((line, Spot::Listed(id)));
            let unselected = RowMarks {
                is_selected: false,
                ..marks
            };
            draw_marks(unselected, context.look, line, painter.buffer);
            if let Some(item) = T::find(context, id) {
                register_columns(painter, &grid, &item, line);
                let cells = columns.cells(&item);
                grid.draw_cells(&cells, context.look, line, painter.buffer);
            }
        });

        if marks.is_selected {
            let item = id.and_then(|id| T::find(context, id));
            painter.draw_selection(line, |painter| {
                let look = painter.look;
                let marker = look.line(MARKER, Role::Marker);
                painter.draw_line(left(line, 1), &marker);
                if let Some(column) = cursor
                    && let Some(item) = item
                    && let Some(cell) = columns.cell(column, &item)
                {
                    grid.draw_cursor(column, &cell, look, line, painter.buffer);
                }
            });
        }
    }
    painter.draw_scroll_signs(list_area, list.top(), lines.len());
}

fn draw_heading(painter: &mut Painter<'_>, heading: &str, line: Rect) {
    let heading = painter.context.line(heading, Role::Heading);
    painter.draw_line(after(line, GUTTER), &heading);
}

/// Returns the heading of the group that starts after this line.
fn heading_above<'a, T: ItemView<'a>>(
    context: ViewContext<'a>,
    lines: &[Option<ListId>],
    index: usize,
) -> &'a str {
    let next_id = lines.get(index + 1).copied().flatten();
    match next_id.and_then(|id| T::find(context, id)) {
        Some(item) => item.heading(context),
        None => "",
    }
}

pub(super) fn row_marks(list: &List, id: ListId, has_focus: bool) -> RowMarks {
    RowMarks {
        is_selected: has_focus && list.id() == Some(id),
        is_marked: list.marked().contains(&id),
    }
}

/// Returns the items of all lines, in sight or not, so that columns keep their widths while the list scrolls.
fn find_items<'a, T: ItemView<'a>>(context: ViewContext<'a>, list: &List) -> Vec<Option<T>> {
    list.lines()
        .iter()
        .map(|id| id.and_then(|id| T::find(context, id)))
        .collect()
}

/// Registers the areas of the columns that react to a press of the mouse.
fn register_columns<'a, T: ItemView<'a>>(
    painter: &mut Painter<'a>,
    grid: &Grid,
    item: &T,
    line: Rect,
) {
    for (column, spot) in item.pressable_columns(painter.context) {
        if let Some(area) = grid.place(column, line) {
            painter.hits.push((area, spot));
        }
    }
}

/// Draws the reason why a list is empty, and the key that adds an item or shows all items.
pub(super) fn draw_empty_hint(painter: &mut Painter<'_>, area: Rect, panel: Panel) {
    let state = painter.state;
    let is_log = state.tab == Tab::Log;
    if is_log && state.log.is_searching() {
        let line = painter.context.line("Searching the log …", Role::Muted);
        painter.draw_paragraph(area, &line);
        return;
    }

    let hint = if !state.filter().is_empty() {
        EmptyHint {
            reason: "No matches.",
            action: Action::Close,
            effect: "shows all.",
        }
    } else if is_log {
        EmptyHint {
            reason: "Rolls and scenes will appear here.",
            action: Action::Roll,
            effect: "makes a roll.",
        }
    } else {
        empty_hint(panel)
    };
    painter.draw_empty_hint(area, &hint);
}

/// Returns the hint for a panel without entries.
pub(super) fn empty_hint(panel: Panel) -> EmptyHint {
    match panel {
        Panel::Party => EmptyHint {
            reason: "No characters yet.",
            action: Action::New,
            effect: "creates a character.",
        },
        Panel::Clocks => EmptyHint {
            reason: "No clocks yet.",
            action: Action::New,
            effect: "starts one.",
        },
        Panel::Tokens => EmptyHint {
            reason: "No tokens yet.",
            action: Action::New,
            effect: "creates a pool.",
        },
        Panel::Rolls => EmptyHint {
            reason: "No rolls yet.",
            action: Action::Roll,
            effect: "rolls.",
        },
    }
}
