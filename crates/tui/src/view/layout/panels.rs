//! The four panels of the table.

use ratatui::layout::{Rect, Size};

use crate::app::list::ListId;
use crate::app::state::Panel;
use crate::view::layout::WIDE;
use crate::view::layout::faces::{FaceGrid, largest_grid, min_cells};
use crate::widget::clock::SMALLEST;
use crate::widget::{after, below, left, row, top};

/// The least columns of a card on a screen of medium width.
const MEDIUM_CARD_WIDTH: u16 = 34;
/// The least columns of a card on a wide screen.
const CARD_WIDTH: u16 = 30;
/// The rows of a card that shows the whole sheet.
const MAX_CARD_HEIGHT: u16 = 9;
/// The least columns of a pool on a wide screen.
const POOL_WIDTH: u16 = 30;
/// A wide screen reserves room for faces with this number of rows.
const RESERVED_FACE_ROWS: u16 = 5;
/// The rows for the latest roll with its dice, above the other rolls.
const LEAD_ROWS: u16 = 4;
/// The rows that the frame of a panel takes.
const FRAME_ROWS: u16 = 2;
/// The columns that the frame of a panel takes, with the blanks beside its contents.
const FRAME_COLUMNS: u16 = 4;

/// The lines of a list. A line without an id is a heading.
type Lines<'a> = &'a [Option<ListId>];

/// The lines of the four panels.
struct PanelLines<'a> {
    party: Lines<'a>,
    clocks: Lines<'a>,
    tokens: Lines<'a>,
    rolls: Lines<'a>,
}

/// The place of a panel and of the cells in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct PanelLayout {
    pub(crate) panel: Panel,
    /// The whole panel. A folded panel consists only of its title.
    pub(crate) frame: Rect,
    /// The area of the cells.
    pub(crate) inner: Rect,
    /// The area above the cells for a larger picture of the selected item. It may be empty.
    pub(crate) lead: Rect,
    /// The number of cells in a row.
    pub(crate) in_row: u16,
    pub(crate) cell: Size,
}

impl PanelLayout {
    /// Returns a panel with a frame.
    pub(super) fn framed(panel: Panel, frame: Rect, min_cell: Size) -> Self {
        Self::with_lead(panel, frame, min_cell, 0)
    }

    /// Returns a panel with a frame. If it is high enough, it has a lead with `lead_rows` rows.
    fn with_lead(panel: Panel, frame: Rect, min_cell: Size, lead_rows: u16) -> Self {
        let contents = after(below(frame, 1), 2);
        let contents = top(contents, frame.height.saturating_sub(FRAME_ROWS));
        let contents = left(contents, frame.width.saturating_sub(FRAME_COLUMNS));

        let lead_rows = if contents.height >= lead_rows + 3 {
            lead_rows
        } else {
            0
        };
        let in_row = (contents.width / min_cell.width.max(1)).max(1);

        Self {
            panel,
            frame,
            inner: below(contents, lead_rows),
            lead: top(contents, lead_rows),
            in_row,
            cell: Size::new(contents.width / in_row, min_cell.height),
        }
    }

    /// Returns the number of rows of cells in sight.
    pub(crate) fn rows(&self) -> usize {
        let rows = (self.inner.height + self.spare_rows()) / self.cell.height.max(1);
        rows.into()
    }

    /// Returns the rows that the last row of cells can do without. A clock's cell ends with a blank row.
    fn spare_rows(&self) -> u16 {
        let has_faces = self.panel == Panel::Clocks && self.cell.height > SMALLEST;
        u16::from(has_faces)
    }

    /// Returns the place of each line, relative to the first one. A heading takes a whole row.
    pub(crate) fn places(&self, lines: Lines<'_>) -> Vec<Rect> {
        let mut places = Vec::with_capacity(lines.len());
        let mut column = 0;
        let mut y = 0_u16;

        for id in lines {
            let is_heading = id.is_none();
            if column == self.in_row || (is_heading && column > 0) {
                column = 0;
                y = y.saturating_add(self.cell.height);
            }

            if is_heading {
                places.push(Rect::new(0, y, self.inner.width, 1));
                y = y.saturating_add(1);
            } else {
                let x = column * self.cell.width;
                places.push(Rect::new(x, y, self.cell.width, self.cell.height));
                column += 1;
            }
        }

        places
    }

    /// Returns the number of rows that completely visible items fill if the list is not scrolled.
    fn filled_rows(&self, lines: Lines<'_>) -> u16 {
        let places = self.places(lines);
        lines
            .iter()
            .zip(places)
            .filter(|(id, _)| id.is_some())
            .map(|(_, place)| place.bottom())
            .filter(|bottom| *bottom <= self.inner.height)
            .max()
            .unwrap_or(0)
    }

    /// Returns the area of a place on the screen if it is completely in sight. `scrolled` is the number of rows above the
    /// visible ones.
    pub(crate) fn in_sight(&self, place: Rect, scrolled: usize) -> Option<Rect> {
        let scrolled = u16::try_from(scrolled).ok()?;
        let y = place.y.checked_sub(scrolled)?;
        let area = Rect {
            x: self.inner.x + place.x,
            y: self.inner.y.saturating_add(y),
            ..place
        };

        let visible = self.inner.intersection(area);
        if visible.height + self.spare_rows() >= area.height {
            Some(visible)
        } else {
            None
        }
    }
}

/// Returns the line of the scene, and the area below it.
pub(crate) fn scene_line(body: Rect) -> (Rect, Rect) {
    (row(body, 0), below(body, 1))
}

/// Computes the layout of the four panels, in the order of [`Panel::ALL`].
pub(crate) fn panel_layouts(body: Rect, lines: [Lines<'_>; 4], focus: Panel) -> [PanelLayout; 4] {
    let (_, body) = scene_line(body);
    let [party, clocks, tokens, rolls] = lines;
    let lines = PanelLines {
        party,
        clocks,
        tokens,
        rolls,
    };

    if body.width < 70 || body.height < 15 {
        folded_panels(body, focus)
    } else if body.width < WIDE {
        stacked_panels(body, &lines)
    } else {
        WideScreen { body, lines }.panels()
    }
}

/// Computes the panels of a small screen: the focused one is open, the other ones show only their titles.
fn folded_panels(body: Rect, focus: Panel) -> [PanelLayout; 4] {
    let open_height = body.height.saturating_sub(3);
    let mut free = body;

    Panel::ALL.map(|panel| {
        let height = if panel == focus { open_height } else { 1 };
        let frame = top(free, height);
        free = below(free, height);
        let contents = below(frame, 1);
        PanelLayout {
            panel,
            frame,
            inner: left(contents, body.width - 1),
            lead: top(contents, 0),
            in_row: 1,
            cell: Size::new(body.width - 1, 1),
        }
    })
}

/// Computes the panels of a screen of medium width: the party, below it the clocks beside the tokens, and the rolls.
fn stacked_panels(body: Rect, lines: &PanelLines<'_>) -> [PanelLayout; 4] {
    let party_panel = |card_height: u16| {
        let (cards, _) = stacked_heights(body, lines, card_height);
        let frame = top(body, cards + FRAME_ROWS);
        let min_cell = Size::new(MEDIUM_CARD_WIDTH, card_height);
        PanelLayout::framed(Panel::Party, frame, min_cell)
    };
    let card_height = low_card_height(lines.party, party_panel);

    let card_rows = party_panel(card_height).filled_rows(lines.party).max(2);
    let (_, list_rows) = stacked_heights(body, lines, card_height);
    let party = top(body, card_rows + FRAME_ROWS);
    let lower = below(body, card_rows + FRAME_ROWS);
    let middle = top(lower, list_rows + FRAME_ROWS);
    let rolls = below(lower, list_rows + FRAME_ROWS);

    let half = body.width / 2;
    let pool_height = (list_rows / rows_needed(lines.tokens, 1, 1)).clamp(1, 3);
    let card = Size::new(MEDIUM_CARD_WIDTH, card_height);
    [
        PanelLayout::framed(Panel::Party, party, card),
        PanelLayout::framed(Panel::Clocks, left(middle, half), Size::new(half, 1)),
        PanelLayout::framed(
            Panel::Tokens,
            after(middle, half),
            Size::new(half, pool_height),
        ),
        PanelLayout::with_lead(Panel::Rolls, rolls, Size::new(body.width, 1), LEAD_ROWS),
    ]
}

/// Returns the rows of the cards, and the rows of the lists of clocks and tokens.
fn stacked_heights(body: Rect, lines: &PanelLines<'_>, card_height: u16) -> (u16, u16) {
    // The panel of the rolls has a frame, and three lines if there are rolls.
    let min_rolls = if lines.rolls.is_empty() { 3 } else { 5 };
    let free = body.height.saturating_sub(2 * FRAME_ROWS + min_rolls);
    let clock_rows = rows_needed(lines.clocks, 1, 1);
    let token_rows = rows_needed(lines.tokens, 1, 1);

    // If not everything fits, the party gets at most three quarters of the rows.
    let cards = rows_needed(lines.party, 2, card_height);
    let max_lists = free.saturating_sub(cards).max(free / 4).max(2);
    let lists = max_lists.min(clock_rows.max(token_rows));
    let cards = cards.min(free.saturating_sub(lists)).max(2);
    (cards, lists)
}

/// Returns the height of cards if there is little room: two rows, or one if not all cards with two rows fit.
fn low_card_height(lines: Lines<'_>, layout: impl Fn(u16) -> PanelLayout) -> u16 {
    let panel = layout(2);
    match panel.places(lines).last() {
        Some(last) if last.bottom() > panel.inner.height => 1,
        _ => 2,
    }
}

/// Returns the rows of these lines in a grid, with a row for each heading.
fn rows_needed(lines: Lines<'_>, columns: u16, cell_height: u16) -> u16 {
    let columns = usize::from(columns);
    let mut cell_rows = 0;
    let mut groups = 0;
    for group in lines.split(Option::is_none) {
        cell_rows += group.len().div_ceil(columns);
        groups += 1;
    }

    let headings = groups - 1;
    let rows = cell_rows.max(1) * usize::from(cell_height) + headings;
    u16::try_from(rows).unwrap_or(u16::MAX)
}

/// A screen on which the party stands above the tokens, the clocks stand at their right, and the rolls below all of them.
struct WideScreen<'a> {
    body: Rect,
    lines: PanelLines<'a>,
}

/// The height of the cells of a panel, and the rows that all of them take.
#[derive(Clone, Copy)]
struct CellRows {
    cell_height: u16,
    rows: u16,
}

impl WideScreen<'_> {
    fn panels(&self) -> [PanelLayout; 4] {
        let body = self.body;
        let pools = self.pools();
        let small_card_height = self.card_height(pools.rows);

        // The rolls get the rows that the cards and the clocks do not need.
        let left_height = self
            .card_rows(small_card_height)
            .saturating_add(pools.rows)
            .saturating_add(2 * FRAME_ROWS);
        let clocks_height = self.reserved_clock_rows().saturating_add(FRAME_ROWS);
        let upper_height = left_height.max(clocks_height).min(self.max_upper_height());
        let upper = top(body, upper_height);
        let rolls = below(body, upper_height);

        let left_half = left(upper, self.left_width());
        let clocks = after(upper, self.left_width());
        let pool_rows = pools.rows.max(1);
        let card_rows = upper_height - 2 * FRAME_ROWS - pool_rows;
        let party = top(left_half, card_rows + FRAME_ROWS);
        let tokens = below(left_half, card_rows + FRAME_ROWS);

        let min_card = self.min_card(small_card_height, card_rows);
        let min_pool = Size::new(POOL_WIDTH, pools.cell_height);
        let clock_cell = match self.face_cell(upper_height) {
            Some(cell) => cell,
            None => Size::new(self.clocks_width() - FRAME_COLUMNS, 1),
        };
        [
            PanelLayout::framed(Panel::Party, party, min_card),
            PanelLayout::framed(Panel::Clocks, clocks, clock_cell),
            PanelLayout::framed(Panel::Tokens, tokens, min_pool),
            PanelLayout::with_lead(Panel::Rolls, rolls, Size::new(body.width, 1), LEAD_ROWS),
        ]
    }

    /// Returns the width of the panels of the party and the tokens.
    fn left_width(&self) -> u16 {
        self.body.width * 11 / 20
    }

    fn clocks_width(&self) -> u16 {
        self.body.width - self.left_width()
    }

    fn is_tall(&self) -> bool {
        self.body.height >= 26
    }

    /// Returns the rows of all panels except the rolls, which keep room for a few lines and for dice.
    fn max_upper_height(&self) -> u16 {
        let min_rolls = if self.lines.rolls.is_empty() {
            FRAME_ROWS + 1
        } else if self.is_tall() {
            FRAME_ROWS + LEAD_ROWS + 3
        } else {
            FRAME_ROWS + 3
        };
        self.body.height - min_rolls
    }

    /// Returns three rows for each pool if the pools then take at most a third of the height, and otherwise one row.
    fn pools(&self) -> CellRows {
        let max_rows = (self.max_upper_height() - 2 * FRAME_ROWS) / 3;
        let rows_with = |cell_height: u16| {
            let min_cell = Size::new(POOL_WIDTH, cell_height);
            rows_in_panel(self.lines.tokens, self.left_width(), min_cell)
        };

        let cell_height = if rows_with(3) <= max_rows { 3 } else { 1 };
        CellRows {
            cell_height,
            rows: rows_with(cell_height).min(max_rows),
        }
    }

    fn card_rows(&self, card_height: u16) -> u16 {
        let min_cell = Size::new(CARD_WIDTH, card_height);
        rows_in_panel(self.lines.party, self.left_width(), min_cell)
    }

    /// Returns the height of the cards from which the height of the panel follows.
    ///
    /// If the cards do not fit, they first lose the blank row between them, and then the values. If there are rows to
    /// spare, they show more of the sheet.
    fn card_height(&self, pool_rows: u16) -> u16 {
        let usual_height = if self.is_tall() { 4 } else { 2 };
        // The cards may grow beyond their usual height up to this height of the upper panels.
        let spare_height = if !self.is_tall() {
            0
        } else if self.lines.rolls.is_empty() {
            self.body.height * 4 / 5
        } else {
            self.body.height * 3 / 5
        };

        let fitting_height = (2..=MAX_CARD_HEIGHT).rev().find(|height| {
            let max_height = if *height > usual_height {
                spare_height
            } else {
                self.max_upper_height()
            };
            self.card_rows(*height) + 2 * FRAME_ROWS + pool_rows <= max_height
        });
        if let Some(height) = fitting_height {
            return height;
        }

        let max_party_height = self.max_upper_height() - FRAME_ROWS - pool_rows;
        let frame = top(left(self.body, self.left_width()), max_party_height);
        low_card_height(self.lines.party, |height| {
            PanelLayout::framed(Panel::Party, frame, Size::new(CARD_WIDTH, height))
        })
    }

    /// Returns the smallest cell for cards in this number of rows.
    ///
    /// Cards grow if the clocks make the panel higher than the cards need. Cards with one row are as wide as possible.
    fn min_card(&self, small_height: u16, card_rows: u16) -> Size {
        let height = (small_height..=MAX_CARD_HEIGHT)
            .rev()
            .find(|height| self.card_rows(*height) <= card_rows)
            .unwrap_or(small_height);
        if height > 1 {
            return Size::new(CARD_WIDTH, height);
        }

        let max_columns = self.left_width() / CARD_WIDTH;
        let columns = (1..max_columns)
            .find(|columns| rows_needed(self.lines.party, *columns, 1) <= card_rows);
        let width = match columns {
            Some(columns) => (self.left_width() - FRAME_COLUMNS) / columns,
            None => CARD_WIDTH,
        };
        Size::new(width, height)
    }

    /// Returns the rows for faces of medium size, or for one line for each clock if faces do not fit.
    fn reserved_clock_rows(&self) -> u16 {
        if self.face_cell(self.max_upper_height()).is_none() {
            return rows_needed(self.lines.clocks, 1, 1);
        }

        min_cells(RESERVED_FACE_ROWS)
            .into_iter()
            .map(|min_cell| rows_in_panel(self.lines.clocks, self.clocks_width(), min_cell))
            .min()
            .unwrap_or(0)
    }

    /// Returns the cell of the largest faces that fit into a panel with this height.
    fn face_cell(&self, panel_height: u16) -> Option<Size> {
        let width = self.clocks_width() - FRAME_COLUMNS;
        let count = rows_needed(self.lines.clocks, 1, 1);

        // The last row of faces needs no blank row below it.
        let grid = largest_grid(Size::new(width, panel_height - 1), count);
        if let Some(grid) = grid {
            return Some(grid.cell);
        }

        // The smallest faces can do without any blank rows.
        let [widest_cell, ..] = min_cells(SMALLEST);
        let dense_cell = Size::new(widest_cell.width, SMALLEST);
        let area = Size::new(width, panel_height - FRAME_ROWS);
        let grid = FaceGrid::with_cells(dense_cell, area, count)?;
        Some(grid.cell)
    }
}

/// Returns the rows of these lines in a panel with a frame.
fn rows_in_panel(lines: Lines<'_>, panel_width: u16, min_cell: Size) -> u16 {
    let columns = (panel_width - FRAME_COLUMNS) / min_cell.width;
    rows_needed(lines, columns.max(1), min_cell.height)
}
