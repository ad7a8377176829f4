//! The cells of a panel of the table, and the marks before them.

use std::cell::LazyCell;
use std::hash::Hash;

use ratatui::layout::Rect;

use super::{ItemView, draw_heading, find_items, heading_above, register_columns, row_marks};
use crate::app::list::ListId;
use crate::app::state::Panel;
use crate::app::update::mouse::Spot;
use crate::view::layout::PanelLayout;
use crate::view::{Painter, ViewContext};
use crate::widget::{GAP, GUTTER, after, draw_marks, draw_resting_cursor, left, row};
use tableside_game::ClockId;

/// Draws the items in the cells of a panel.
pub(in crate::view) fn draw_cells<'a, T: ItemView<'a>>(
    painter: &mut Painter<'a>,
    panel: &PanelLayout,
) {
    let context = painter.context;
    let list = context.state.list(panel.panel);
    let lines = list.lines();
    let has_cards = T::panel_columns(context, panel).is_none();
    let grid = LazyCell::new(|| {
        let columns = T::panel_columns(context, panel)?;
        let items = find_items(context, list);
        Some(columns.lay_out(items, panel.cell.width, GAP - 1))
    });

    let places = panel.places(lines);
    let visible_area = |index: usize| {
        let place = places.get(index)?;
        panel.in_sight(*place, list.top())
    };
    for (index, id) in lines.iter().enumerate() {
        let Some(area) = visible_area(index) else {
            continue;
        };
        let Some(id) = *id else {
            let is_item_visible = visible_area(index + 1).is_some();
            draw_panel_heading::<T>(painter, lines, index, is_item_visible, area);
            continue;
        };

        let item = T::find(context, id);
        let name_area = || match &item {
            Some(item) if has_cards => item.name_area(context, after(area, GUTTER)),
            _ => row(area, 0),
        };
        let cell = ItemCell {
            area,
            gutter: left(row(area, 0), GUTTER),
            name_area: &name_area,
        };
        let is_large = panel.is_large(index);
        let key = cell_key(context, panel.panel, item.as_ref(), has_cards, is_large);
        draw_cell(painter, cell, id, key, |painter| {
            let Some(item) = &item else {
                return;
            };
            match &*grid {
                Some(grid) => {
                    register_columns(painter, grid, item, area);
                    grid.draw_row(index, context.look, area, painter.buffer);
                    item.emphasise(grid, painter, area);
                }
                None if is_large => item.draw_large(painter, after(area, GUTTER)),
                None => item.draw_card(painter, after(area, GUTTER)),
            }
        });
    }
}

/// Draws the heading of a group in a panel. A heading without a visible item below it stays empty.
fn draw_panel_heading<'a, T: ItemView<'a>>(
    painter: &mut Painter<'a>,
    lines: &[Option<ListId>],
    index: usize,
    is_item_visible: bool,
    area: Rect,
) {
    let heading = if is_item_visible {
        heading_above::<T>(painter.context, lines, index)
    } else {
        ""
    };
    painter.redraw_if_changed(area, heading, |painter| {
        draw_heading(painter, heading, area);
    });
}

/// Everything that the cell of an item is drawn from, except its marks.
#[derive(Hash)]
struct CellKey<'a> {
    /// The item itself. `None` if any change of its kind may change its card.
    item: Option<u64>,
    /// All items of the kind, if the cell is a row of a list. Every item can change the widths of the columns.
    list: Option<ListKey<'a>>,
    /// The whole game, if the cell is a sheet. A sheet also shows pools and pinned notes.
    sheet: Option<ListKey<'a>>,
}

/// The items of a list, or all entities of the game.
#[derive(Hash)]
struct ListKey<'a> {
    revision: u64,
    /// The filled segments before the last key, because segments that were filled since then are bright.
    filled_before: Option<&'a [(ClockId, u8)]>,
}

fn cell_key<'a, T: ItemView<'a>>(
    context: ViewContext<'a>,
    panel: Panel,
    item: Option<&T>,
    has_cards: bool,
    is_large: bool,
) -> CellKey<'a> {
    let filled_before = Some(context.state.filled_before.as_slice());
    let item_key = item.and_then(|item| item.card_key(context));
    let is_own_card = has_cards && item_key.is_some();

    let mut key = CellKey {
        item: item_key,
        list: None,
        sheet: None,
    };
    if !is_own_card {
        key.list = Some(ListKey {
            revision: context.view.revision_of(panel.kind()),
            filled_before: if panel == Panel::Clocks {
                filled_before
            } else {
                None
            },
        });
    }
    if is_large {
        key.sheet = Some(ListKey {
            revision: context.view.revision(),
            filled_before,
        });
    }
    key
}

/// The place of an item, and of the marks before it.
#[derive(Clone, Copy)]
pub(in crate::view) struct ItemCell<'c> {
    pub(in crate::view) area: Rect,
    pub(in crate::view) gutter: Rect,
    /// Computes the area of the name, which has a bar behind it while the item is selected.
    pub(in crate::view) name_area: &'c dyn Fn() -> Rect,
}

/// Draws an item and its marks.
pub(in crate::view) fn draw_cell<'a>(
    painter: &mut Painter<'a>,
    cell: ItemCell<'_>,
    id: ListId,
    key: impl Hash,
    draw: impl FnOnce(&mut Painter<'a>),
) {
    let state = painter.state;
    let look = painter.look;
    let panel = Panel::of(id);
    let list = state.list(panel);
    let has_focus = state.active_panel() == panel;

    let marks = row_marks(list, id, has_focus);
    painter.redraw_if_changed(cell.area, (id, key), |painter| {
        painter.hits.push((cell.area, Spot::Listed(id)));
        draw(painter);
    });

    // A panel without the focus shows its cursor too, because keys such as `r` act on its entry.
    let is_resting = !has_focus && list.id() == Some(id);
    let gutter = cell.gutter;
    painter.redraw_if_changed(gutter, (marks, is_resting), |painter| {
        draw_marks(marks, look, gutter, painter.buffer);
        if is_resting {
            draw_resting_cursor(look, gutter, painter.buffer);
        }
    });

    if marks.is_selected {
        painter.draw_selection((cell.name_area)(), |_| {});
    }
}
