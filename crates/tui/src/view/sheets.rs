//! The sheets of the items of a list, which show [`ItemView::fact_groups`] in frames.
//!
//! As many sheets are shown as fit. The selected item always has the first place. The other sheets follow in the order
//! of the list, so that a step of the cursor changes only two of them.

mod fact;

use std::cmp::Reverse;
use std::hash::BuildHasher as _;

use ratatui::layout::{Margin, Rect, Size};
use rustc_hash::FxBuildHasher;

use crate::Role;
use crate::app::list::{List, ListId};
use crate::app::update::mouse::Spot;
use crate::view::{ItemView, Painter, ViewContext};
use crate::widget::{MARKER, MoreRows, PanelFrame, after, below, left, right, row, top};
pub(super) use fact::{Arrangement, Fact, FactGroup};

/// Several sheets share an area that has at least this size.
const SHARED_AREA: Size = Size::new(90, 20);
/// The least columns of a sheet beside others.
const LEAST_WIDTH: u16 = 48;
/// The columns and rows that the frame takes.
const FRAME_COLUMNS: u16 = 4;
const FRAME_ROWS: u16 = 2;

/// The sheets that can share an area, in the order of the list.
struct SheetGrid {
    ids: Vec<ListId>,
    /// A hash of everything that each sheet shows.
    keys: Vec<u64>,
    /// The places of the sheets. There may be fewer places than sheets.
    areas: Vec<Rect>,
}

/// Draws the sheet of the selected item, and as many others as fit.
pub(super) fn draw<'a, T: ItemView<'a>>(painter: &mut Painter<'a>, area: Rect, list: &List) {
    let context = painter.context;
    let ids = neighbours(list);
    let key = (
        context.view.revision(),
        &context.state.filled_before,
        &ids,
        area,
    );
    let grid = context.cached(1, key, || SheetGrid::new::<T>(context, &ids, area));
    let selected = grid.ids.iter().position(|id| list.id() == Some(*id));
    let Some(selected) = selected else {
        return;
    };

    let has_others = grid.areas.len() > 1;
    if has_others {
        painter.redraw_if_changed(area, &grid.areas, |_| {});
    }
    for (index, sheet_area) in grid.places(selected) {
        let id = grid.ids[index];
        let has_sign = has_others && index == selected;
        let key = (id, grid.keys[index], has_sign);
        painter.redraw_if_changed(sheet_area, key, |painter| {
            painter.hits.push((sheet_area, Spot::Listed(id)));
            if let Some(item) = T::find(context, id) {
                draw_sheet(painter, sheet_area, &item);
            }
            if has_sign {
                let sign_cell = left(after(row(sheet_area, 0), 1), 1);
                let sign = context.line(MARKER, Role::Marker);
                painter.draw_line(sign_cell, &sign);
            }
        });
    }
}

/// Returns the items of which sheets are composed: a part of the list with the selected item.
fn neighbours(list: &List) -> Vec<ListId> {
    // Rows of two, three, four or six sheets leave no gap.
    const WINDOW: usize = 12;

    let ids: Vec<ListId> = list.lines().iter().flatten().copied().collect();
    let cursor = ids.iter().position(|id| list.id() == Some(*id));
    let window = cursor.unwrap_or(0) / WINDOW;
    ids.chunks(WINDOW).nth(window).unwrap_or_default().to_vec()
}

impl SheetGrid {
    /// Composes the sheets of these items, and divides the area so that as many of them as possible are whole.
    fn new<'a, T: ItemView<'a>>(context: ViewContext<'a>, ids: &[ListId], area: Rect) -> Self {
        let mut sheets = Vec::new();
        let mut keys = Vec::new();
        let mut found_ids = Vec::new();
        for id in ids {
            let Some(item) = T::find(context, *id) else {
                continue;
            };
            let groups = item.fact_groups(context);
            let aside = item.aside(context, area.height.into());
            let shown = (&groups, item.title(context), item.card_key(context), aside);
            keys.push(FxBuildHasher.hash_one(shown));
            sheets.push(groups);
            found_ids.push(*id);
        }

        Self {
            ids: found_ids,
            keys,
            areas: sheet_areas(&sheets, area),
        }
    }

    /// Returns the index and the place of each visible sheet, the selected one first.
    fn places(&self, selected: usize) -> impl Iterator<Item = (usize, Rect)> {
        let others = (0..self.ids.len()).filter(move |index| *index != selected);
        let order = std::iter::once(selected).chain(others);
        order.zip(self.areas.iter().copied())
    }
}

/// The number of columns and the heights of the rows of sheets.
#[derive(Clone, Debug)]
struct GridShape {
    columns: usize,
    row_heights: Vec<u16>,
}

impl GridShape {
    /// Returns the shape with this number of columns that has the most rows in which all sheets are whole.
    fn with_columns(columns: u16, sheets: &[Vec<FactGroup<'_>>], area: Size) -> Self {
        let inner_width = (area.width / columns).saturating_sub(FRAME_COLUMNS).max(1);
        let lowest = Size::new(inner_width, 0);
        let heights: Vec<u16> = sheets
            .iter()
            .map(|groups| Arrangement::within(groups, lowest).height() + FRAME_ROWS)
            .collect();

        let columns = usize::from(columns);
        let needed_rows = sheets.len().div_ceil(columns);
        for rows in (1..=needed_rows).rev() {
            let row_heights: Vec<u16> = (0..rows)
                .map(|row| highest_in_row(row, columns, &heights))
                .collect();
            let used: u16 = row_heights.iter().sum();
            if used <= area.height {
                return Self {
                    columns,
                    row_heights,
                };
            }
        }
        Self {
            columns,
            row_heights: vec![area.height],
        }
    }

    fn places(&self) -> usize {
        self.columns * self.row_heights.len()
    }

    /// Divides an area. The rows share the height that they do not need.
    fn areas(&self, area: Rect) -> Vec<Rect> {
        let used: u16 = self.row_heights.iter().sum();
        let row_count = u16::try_from(self.row_heights.len()).unwrap_or(1).max(1);
        let spare_rows = area.height.saturating_sub(used) / row_count;

        let mut areas = Vec::new();
        let mut free = area;
        for height in &self.row_heights {
            let mut strip = top(free, height + spare_rows);
            free = below(free, strip.height);
            for columns_left in (1..=self.columns).rev() {
                let columns_left = u16::try_from(columns_left).unwrap_or(u16::MAX);
                let sheet_area = left(strip, strip.width / columns_left);
                strip = after(strip, sheet_area.width);
                areas.push(sheet_area);
            }
        }
        areas
    }
}

/// Returns the height of the highest sheet that a row can contain, depending on the selection.
///
/// The first place can have any sheet. A later place has the sheet with its own index, or the previous sheet.
fn highest_in_row(row: usize, columns: usize, heights: &[u16]) -> u16 {
    let sheets_of_row = if row == 0 {
        heights
    } else {
        let first_place = row * columns;
        let end = (first_place + columns).min(heights.len());
        &heights[first_place - 1..end]
    };
    sheets_of_row.iter().copied().max().unwrap_or(0)
}

/// Divides an area for these sheets. If not all of them fit, there are fewer places.
fn sheet_areas(sheets: &[Vec<FactGroup<'_>>], area: Rect) -> Vec<Rect> {
    let is_shared = area.width >= SHARED_AREA.width && area.height >= SHARED_AREA.height;
    if !is_shared {
        return vec![area];
    }

    let most_columns = (area.width / LEAST_WIDTH).min(count_of(sheets));
    // Of equal shapes, the last one with the most columns wins.
    let shape = (1..=most_columns)
        .map(|columns| GridShape::with_columns(columns, sheets, area.as_size()))
        .max_by_key(|shape| {
            let visible = shape.places().min(sheets.len());
            let blank = shape.places() - visible;
            (visible, Reverse(blank))
        });
    let Some(shape) = shape else {
        return vec![area];
    };

    let mut areas = shape.areas(area);
    areas.truncate(sheets.len());
    areas
}

fn count_of(sheets: &[Vec<FactGroup<'_>>]) -> u16 {
    u16::try_from(sheets.len()).unwrap_or(u16::MAX)
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
    let arrangement = Arrangement::within(&groups, area.as_size());
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
