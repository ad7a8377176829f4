//! The places of all parts of the screen. The cursor, the mouse and the views use the same computation.

mod arrangements;
mod block;
mod contents;
mod demand;
mod faces;
mod fight;
mod panel_layout;
mod panels;
mod per_panel;
mod sharing;

use ratatui::layout::{Rect, Size};

use crate::app::state::Tab;
use crate::widget::{GUTTER, after, below, left, right, row, top};

pub(crate) use contents::{
    BESIDE_DICE, NewestDice, OwnSheet, SheetHeight, TableContents, party_widths, sheet_width,
};
pub(crate) use demand::clock_name_width;
pub(crate) use faces::face_and_words;
pub(crate) use fight::{TableLayout, table_layout};
pub(crate) use panel_layout::PanelLayout;
pub(crate) use panels::scene_line;

/// The smallest terminal that can show the program.
pub(crate) const MIN_SIZE: Size = Size::new(40, 12);
/// The least width of a screen with panels side by side.
pub(crate) const WIDE: u16 = 116;

/// The possible widths of the left part of a wide screen, in twentieths of its width. The usual one comes first.
const LEFT_PARTS: [u16; 3] = [11, 13, 9];
/// On screens at least this high, a blank row follows the names of the tabs, and the status message has its own row.
const ROOMY_HEIGHT: u16 = 16;
/// The Party and Log tabs show details by default if their body has at least this size.
const DETAIL_BY_DEFAULT: Size = Size::new(98, 24);
/// The Party tab shows sheets on smaller screens too, if the list leaves this much room.
const LEAST_SHEET: Size = Size::new(70, 8);
/// The smallest and the largest width of a character's clock on the Clocks tab.
const OWNED_CLOCK_WIDTHS: (u16, u16) = (20, 40);
/// The smallest and the largest width of an owner's name before these clocks, with a gutter and a space.
const OWNER_WIDTHS: (u16, u16) = (18, 40);

/// The places of the parts of the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ScreenLayout {
    pub(crate) title: Rect,
    pub(crate) tabs: Rect,
    /// The line about an unnamed game, or about a player's seat. `None` on a low screen.
    pub(crate) standing: Option<Rect>,
    /// The open tab.
    pub(crate) body: Rect,
    /// The status message. On a low screen it takes the place of the title.
    pub(crate) notice: Rect,
    pub(crate) keys: Rect,
}

impl ScreenLayout {
    /// Returns true if the status message takes the place of the title, because a low screen has no row for it.
    pub(crate) fn has_message_in_title(&self) -> bool {
        self.notice == self.title
    }
}

/// Computes the layout of a screen. Returns `None` if the screen is too small.
pub(crate) fn screen_layout(size: impl Into<Size>) -> Option<ScreenLayout> {
    let Size { width, height } = size.into();
    if width < MIN_SIZE.width || height < MIN_SIZE.height {
        return None;
    }

    let is_roomy = height >= ROOMY_HEIGHT;
    let head_rows = if is_roomy { 3 } else { 2 };
    let foot_rows = if is_roomy { 2 } else { 1 };
    let line = |y| Rect::new(0, y, width, 1);

    Some(ScreenLayout {
        title: line(0),
        tabs: line(1),
        standing: is_roomy.then(|| line(2)),
        body: Rect::new(0, head_rows, width, height - head_rows - foot_rows),
        notice: if is_roomy { line(height - 2) } else { line(0) },
        keys: line(height - 1),
    })
}

/// Returns the possible widths of the left part of a wide screen. The usual one comes first.
fn left_widths(body_width: u16) -> [u16; 3] {
    LEFT_PARTS.map(|part| body_width * part / 20)
}

/// Returns the area for dialogs: everything above the line of keys.
pub(crate) fn dialog(size: impl Into<Size>) -> Rect {
    let Size { width, height } = size.into();
    let key_rows = u16::from(height >= MIN_SIZE.height);
    Rect::new(0, 0, width, height - key_rows)
}

/// The places of a list and of the details of its selected item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct TabLayout {
    pub(crate) list: Rect,
    pub(crate) detail: Option<Rect>,
}

/// The place of the details, relative to the list.
enum DetailPlace {
    Beside { width: u16 },
    Below { height: u16 },
}

/// Computes the layout of a tab whose list has this number of lines.
///
/// `is_turned` is true if a key switched the details from their default, which depends on the tab and the size.
pub(crate) fn tab_layout(tab: Tab, body: Rect, is_turned: bool, lines: usize) -> TabLayout {
    let is_large = body.width >= DETAIL_BY_DEFAULT.width && body.height >= DETAIL_BY_DEFAULT.height;
    let is_detailed_by_default = match tab {
        Tab::Party => is_large || has_room_for_sheet(body, lines),
        Tab::Log => is_large,
        Tab::Table | Tab::Clocks | Tab::Tokens => false,
    };
    let without_detail = TabLayout {
        list: body,
        detail: None,
    };
    if is_turned == is_detailed_by_default {
        return without_detail;
    }

    match detail_place(tab, body, is_detailed_by_default, lines) {
        None => without_detail,
        Some(DetailPlace::Beside { width }) => TabLayout {
            list: left(body, body.width - width - 1),
            detail: Some(right(body, width)),
        },
        Some(DetailPlace::Below { height }) => TabLayout {
            list: top(body, body.height - height),
            detail: Some(below(body, body.height - height)),
        },
    }
}

/// Returns true if a list with this number of lines leaves enough rows for a sheet below it.
fn has_room_for_sheet(body: Rect, lines: usize) -> bool {
    // The head of the list takes a row. The frame of the sheet separates the two.
    let sheet_height = usize::from(body.height).saturating_sub(lines + 1);
    body.width >= LEAST_SHEET.width && sheet_height >= LEAST_SHEET.height.into()
}

/// Returns the place of the details, or `None` if the body is too small for them.
fn detail_place(
    tab: Tab,
    body: Rect,
    is_detailed_by_default: bool,
    lines: usize,
) -> Option<DetailPlace> {
    let is_wide = body.width >= WIDE;
    match tab {
        Tab::Table => None,
        // The list of the party needs the full width. The sheets get all rows that the list leaves.
        Tab::Party if is_detailed_by_default => {
            let lines = u16::try_from(lines).unwrap_or(u16::MAX);
            let most_list_height = if body.height >= DETAIL_BY_DEFAULT.height {
                body.height / 2
            } else {
                body.height.saturating_sub(LEAST_SHEET.height)
            };
            let list_height = lines.saturating_add(2).min(most_list_height);
            Some(DetailPlace::Below {
                height: body.height - list_height,
            })
        }
        // The list keeps enough columns for conditions.
        Tab::Party | Tab::Clocks | Tab::Tokens if is_wide => {
            let width = (body.width * 7 / 24).min(52);
            Some(DetailPlace::Beside { width })
        }
        // The list keeps 80 columns for the text of the entries.
        Tab::Log if is_wide => {
            let width = (body.width - 80).min(60);
            Some(DetailPlace::Beside { width })
        }
        Tab::Clocks if body.width >= 72 && body.height >= 12 => {
            Some(DetailPlace::Beside { width: 26 })
        }
        Tab::Party | Tab::Tokens if body.height >= 15 => Some(DetailPlace::Below { height: 9 }),
        Tab::Log if body.height >= 15 => Some(DetailPlace::Below { height: 7 }),
        Tab::Party | Tab::Clocks | Tab::Tokens | Tab::Log => None,
    }
}

/// Returns the number of items that fit into a list below its heading.
pub(crate) fn visible_rows(list: Rect) -> usize {
    list.height.saturating_sub(1).into()
}

/// The clocks that the rules give to characters.
#[derive(Clone, Debug, Default)]
pub(crate) struct OwnedClocks {
    /// The number of clocks of each owner.
    pub(crate) counts: Vec<usize>,
    /// The columns of the longest name of an owner.
    pub(crate) longest_owner: u16,
}

/// Computes the places of all lines on the Clocks tab. Returns `None` if they do not fit.
///
/// The clocks of the table are faces in a grid. Below them follow a heading and the clocks that the rules give to
/// characters, with one row for each owner.
pub(crate) fn clock_places(
    body: Rect,
    table_clocks: usize,
    owned: &OwnedClocks,
) -> Option<Vec<Rect>> {
    let body = after(body, 1);
    let owner_rows = u16::try_from(owned.counts.len()).ok()?;
    let table_clocks = u16::try_from(table_clocks).ok()?;

    // Above the owners are a blank row and a heading.
    let rows_below_faces = if owner_rows > 0 { owner_rows + 2 } else { 0 };
    let face_area = top(body, body.height.checked_sub(rows_below_faces)?);
    // The last row of faces needs no blank row below it.
    let grid_size = Size::new(face_area.width, face_area.height + 1);
    let grid = faces::largest_grid(grid_size, table_clocks)?;

    let mut places: Vec<Rect> = (0..table_clocks)
        .map(|index| grid.place(face_area, index))
        .collect();
    if owner_rows == 0 {
        return Some(places);
    }

    let heading = row(below(body, grid.height(table_clocks)), 0);
    places.push(heading);
    let owner_area = below(body, grid.height(table_clocks) + 1);
    places.extend(owned_clock_places(owner_area, owned)?);
    Some(places)
}

/// Computes the places of the characters' clocks. Returns `None` if a row is too narrow.
fn owned_clock_places(area: Rect, owned: &OwnedClocks) -> Option<Vec<Rect>> {
    let (min_width, max_width) = OWNED_CLOCK_WIDTHS;
    let longest_row = owned.counts.iter().copied().max().unwrap_or(1).max(1);
    let clocks_in_row = u16::try_from(longest_row).ok()?;

    // The names are cut before the clocks are too narrow.
    let (min_owner_width, max_owner_width) = OWNER_WIDTHS;
    let beside_clocks = area.width.saturating_sub(clocks_in_row * min_width);
    let owner_width = (GUTTER + owned.longest_owner + 1)
        .min(beside_clocks)
        .clamp(min_owner_width, max_owner_width);
    let width = area.width.saturating_sub(owner_width) / clocks_in_row;
    if width < min_width {
        return None;
    }

    let mut places = Vec::new();
    for (index, count) in (0..).zip(&owned.counts) {
        let clocks = after(row(area, index), owner_width);
        for column in 0..u16::try_from(*count).ok()? {
            let cell = after(clocks, column * width);
            places.push(left(cell, width.min(max_width)));
        }
    }
    Some(places)
}

#[cfg(test)]
mod tests;
