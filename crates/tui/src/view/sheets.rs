//! The sheets of the items of a list, which show [`ItemView::fact_groups`] in frames.
//!
//! As many sheets stand side by side as fit. Their order is that of the list, so they do not move with the cursor.

mod fact;

use std::hash::BuildHasher as _;

use ratatui::layout::{Margin, Rect};
use rustc_hash::FxBuildHasher;

use crate::Role;
use crate::app::list::{List, ListId};
use crate::app::update::mouse::Spot;
use crate::view::{ItemView, Painter, ViewContext};
use crate::widget::{MARKER, MoreRows, PanelFrame, after, below, left, right, row, top};
pub(super) use fact::{Arrangement, Fact, FactGroup};

/// Several sheets share an area that has at least this width and height.
const SHARED_WIDTH: u16 = 90;
const SHARED_HEIGHT: u16 = 20;
/// The least columns of a sheet beside others.
const LEAST_WIDTH: u16 = 48;
/// The columns and rows that the frame takes.
const FRAME_COLUMNS: u16 = 4;
const FRAME_ROWS: u16 = 2;

/// An item with the contents of its sheet.
struct SheetContents<'a> {
    id: ListId,
    groups: Vec<FactGroup<'a>>,
    /// A hash of everything that the sheet shows.
    key: u64,
}

/// The place of a sheet on one of the pages.
struct SheetPlace {
    id: ListId,
    page: usize,
    area: Rect,
    key: u64,
}

/// A row of sheets on a page.
struct SheetRow<'s, 'a> {
    sheets: &'s [SheetContents<'a>],
    height: u16,
}

/// Draws the page with the sheet of the selected item.
pub(super) fn draw<'a, T: ItemView<'a>>(painter: &mut Painter<'a>, area: Rect, list: &List) {
    let context = painter.context;
    let ids = neighbours(list);
    let key = (
        context.view.revision(),
        &context.state.filled_before,
        &ids,
        area,
    );
    let places = context.cached(1, key, || place_sheets::<T>(context, &ids, area));

    let selected = places.iter().find(|sheet| list.id() == Some(sheet.id));
    let Some(selected) = selected else {
        return;
    };
    let page: Vec<&SheetPlace> = places
        .iter()
        .filter(|sheet| sheet.page == selected.page)
        .collect();
    let has_others = page.len() > 1;
    if has_others {
        let areas: Vec<Rect> = page.iter().map(|sheet| sheet.area).collect();
        painter.redraw_if_changed(area, areas, |_| {});
    }

    for sheet in page {
        painter.redraw_if_changed(sheet.area, (sheet.id, sheet.key), |painter| {
            painter.hits.push((sheet.area, Spot::Listed(sheet.id)));
            if let Some(item) = T::find(context, sheet.id) {
                draw_sheet(painter, sheet.area, &item);
            }
        });

        // A sign changes one cell. A brighter frame would change cells in every row.
        let cell = left(after(row(sheet.area, 0), 1), 1);
        let is_selected = has_others && list.id() == Some(sheet.id);
        painter.redraw_if_changed(cell, is_selected, |painter| {
            let sign = if is_selected { MARKER } else { " " };
            painter.draw_line(cell, &context.line(sign, Role::Marker));
        });
    }
}

/// Returns the items that share pages with the selected item, so that the rest of a long list is not composed.
fn neighbours(list: &List) -> Vec<ListId> {
    // Rows of two, three, four or six sheets leave no gap.
    const WINDOW: usize = 12;

    let ids: Vec<ListId> = list.lines().iter().flatten().copied().collect();
    let cursor = ids.iter().position(|id| list.id() == Some(*id));
    let window = cursor.unwrap_or(0) / WINDOW;
    ids.chunks(WINDOW).nth(window).unwrap_or_default().to_vec()
}

/// Places the sheets on pages. As many stand side by side as leave the fewest pages.
fn place_sheets<'a, T: ItemView<'a>>(
    context: ViewContext<'a>,
    ids: &[ListId],
    area: Rect,
) -> Vec<SheetPlace> {
    let mut sheets = Vec::new();
    for id in ids {
        if let Some(item) = T::find(context, *id) {
            sheets.push(contents_of(*id, &item, context, area));
        }
    }

    let is_shared = area.width >= SHARED_WIDTH && area.height >= SHARED_HEIGHT;
    let most_in_row = if is_shared {
        area.width / LEAST_WIDTH
    } else {
        1
    };
    let pages = (1..=most_in_row)
        .rev()
        .map(|in_row| fill_pages(&sheets, in_row, is_shared, area))
        .min_by_key(Vec::len)
        .unwrap_or_default();

    let mut places = Vec::new();
    for (page, rows) in pages.into_iter().enumerate() {
        places.extend(place_page(page, &rows, area));
    }
    places
}

fn contents_of<'a, T: ItemView<'a>>(
    id: ListId,
    item: &T,
    context: ViewContext<'a>,
    area: Rect,
) -> SheetContents<'a> {
    let groups = item.fact_groups(context);
    let aside = item.aside(context, area.height.into());
    let shown = (&groups, item.title(context), item.card_key(context), aside);
    let key = FxBuildHasher.hash_one(shown);
    SheetContents { id, groups, key }
}

/// Fills pages with rows of `in_row` sheets. A sheet that does not share the area takes all of it.
fn fill_pages<'s, 'a>(
    sheets: &'s [SheetContents<'a>],
    in_row: u16,
    is_shared: bool,
    area: Rect,
) -> Vec<Vec<SheetRow<'s, 'a>>> {
    let inner_width = (area.width / in_row).saturating_sub(FRAME_COLUMNS).max(1);
    let mut pages: Vec<Vec<SheetRow<'s, 'a>>> = Vec::new();
    let mut free_rows = 0;

    for row in sheets.chunks(in_row.into()) {
        let facts_height = row
            .iter()
            .map(|sheet| Arrangement::new(&sheet.groups, inner_width).height())
            .max()
            .unwrap_or(0);
        let wanted_height = if is_shared {
            facts_height.saturating_add(FRAME_ROWS)
        } else {
            area.height
        };
        let height = wanted_height.min(area.height);

        let sheet_row = SheetRow {
            sheets: row,
            height,
        };
        match pages.last_mut() {
            Some(page) if height <= free_rows => page.push(sheet_row),
            _ => {
                pages.push(vec![sheet_row]);
                free_rows = area.height;
            }
        }
        free_rows -= height;
    }
    pages
}

/// Places the rows of a page, which share the spare rows of the area.
fn place_page(page: usize, rows: &[SheetRow<'_, '_>], area: Rect) -> Vec<SheetPlace> {
    let used: u16 = rows.iter().map(|row| row.height).sum();
    let row_count = u16::try_from(rows.len()).unwrap_or(1).max(1);
    let spare = area.height.saturating_sub(used) / row_count;

    let mut places = Vec::new();
    let mut free = area;
    for sheet_row in rows {
        let mut strip = top(free, sheet_row.height + spare);
        free = below(free, strip.height);

        let mut left_over = u16::try_from(sheet_row.sheets.len()).unwrap_or(1);
        for sheet in sheet_row.sheets {
            let width = strip.width / left_over.max(1);
            places.push(SheetPlace {
                id: sheet.id,
                page,
                area: left(strip, width),
                key: sheet.key,
            });
            strip = after(strip, width);
            left_over -= 1;
        }
    }
    places
}

/// Draws the facts in a frame, with the groups side by side, and the aside in the rows below them.
pub(super) fn draw_sheet<'a, T: ItemView<'a>>(painter: &mut Painter<'a>, frame: Rect, item: &T) {
    let context = painter.context;
    let (title, note) = item.title(context);
    let panel = PanelFrame {
        note,
        ..PanelFrame::new(title, context.look)
    };
    let inner = painter.draw_frame(frame, &panel);
    let area = item.draw_picture(painter, inner);

    let groups = item.fact_groups(context);
    let arrangement = Arrangement::new(&groups, area.width);
    arrangement.draw(painter, area);

    let spare = below(area, arrangement.height() + 1);
    if spare.height > 1 {
        painter.draw_paragraphs(spare, &item.aside(context, spare.height.into()));
    }

    let edge = right(frame, 1).inner(Margin::new(0, 1));
    let more = MoreRows {
        above: false,
        below: arrangement.height() > area.height,
    };
    let look = context.look;
    look.put_more(more, edge, Role::Border, painter.buffer);
}
