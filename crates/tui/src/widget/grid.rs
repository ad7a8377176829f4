//! Rows with aligned columns. A narrow screen drops the least important columns.

mod column;
mod placement;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::Line;

use crate::theme::Role;
use crate::widget::{Appearance, CUT, MARKED, MARKER, after, left, line_columns, owned, right};
use column::CellKind;
use placement::{PlacedColumn, Placement};

pub use column::Column;

/// The blanks between two columns. Panels use one blank less.
pub const GAP: u16 = 2;
/// The columns left of the first cell, for the cursor and the mark.
pub const GUTTER: u16 = 2;
/// Returns the cell of a column for an item.
type Cell<'a, T> = Box<dyn Fn(&T) -> Line<'a> + 'a>;

/// A column with the function that returns its cells.
struct GridColumn<'a, T> {
    column: Column,
    cell: Cell<'a, T>,
}

/// The columns of a list, each with a function that returns its cells.
pub struct GridColumns<'a, T> {
    columns: Vec<GridColumn<'a, T>>,
}

impl<T> Default for GridColumns<'_, T> {
    fn default() -> Self {
        let columns = Vec::new();
        Self { columns }
    }
}

impl<'a, T> GridColumns<'a, T> {
    /// Adds a column at the right.
    pub fn add(&mut self, column: Column, cell: impl Fn(&T) -> Line<'a> + 'a) {
        let cell = Box::new(cell);
        self.columns.push(GridColumn { column, cell });
    }

    /// Returns the cells of the columns that have a title, if they are not empty.
    pub fn titled(&self, item: &T) -> Vec<(&'static str, Line<'a>)> {
        let mut cells = Vec::new();
        for GridColumn { column, cell } in &self.columns {
            if column.title.is_empty() {
                continue;
            }
            let line = cell(item);
            if line_columns(&line) > 0 {
                cells.push((column.title, line));
            }
        }
        cells
    }

    /// Returns the cells of an item.
    pub fn cells(&self, item: &T) -> Vec<Line<'a>> {
        self.columns
            .iter()
            .map(|grid_column| (grid_column.cell)(item))
            .collect()
    }

    /// Distributes the width to the columns of these items. The rows are composed later, by [`Self::cells`].
    pub fn measure<'i>(&self, items: impl IntoIterator<Item = &'i T>, width: u16, gap: u16) -> Grid
    where
        T: 'i,
    {
        let mut widest_cells = vec![0; self.columns.len()];
        for item in items {
            for (widest, GridColumn { column, cell }) in widest_cells.iter_mut().zip(&self.columns)
            {
                if column.is_constant {
                    continue;
                }
                let cell_width = line_columns(&cell(item));
                *widest = cell_width.max(*widest);
            }
        }

        let places = self.placed_columns(&widest_cells);
        Grid::new(places, Vec::new(), width, gap)
    }

    /// Lays out a row for each item, and an empty row for each `None`.
    pub fn lay_out(self, items: impl IntoIterator<Item = Option<T>>, width: u16, gap: u16) -> Grid {
        let mut rows = Vec::new();
        for item in items {
            let cells = match item {
                Some(item) => self.owned_cells(&item),
                None => Vec::new(),
            };
            rows.push(cells);
        }

        let mut widest_cells = Vec::new();
        for (index, grid_column) in self.columns.iter().enumerate() {
            let widest = widest_cell(index, grid_column.column, &rows);
            widest_cells.push(widest);
        }

        let places = self.placed_columns(&widest_cells);
        Grid::new(places, rows, width, gap)
    }

    fn owned_cells(&self, item: &T) -> Vec<Line<'static>> {
        self.columns
            .iter()
            .map(|grid_column| owned((grid_column.cell)(item)))
            .collect()
    }

    fn placed_columns(&self, widest_cells: &[u16]) -> Vec<PlacedColumn> {
        let mut places = Vec::new();
        for (index, widest) in widest_cells.iter().enumerate() {
            let column = self.columns[index].column;
            places.push(PlacedColumn::new(index, column, *widest));
        }
        places
    }
}

/// Rows that are laid out. The grid does not borrow the items.
#[derive(Debug)]
pub struct Grid {
    places: Vec<PlacedColumn>,
    rows: Vec<Vec<Line<'static>>>,
    is_cut: bool,
}

impl Grid {
    /// Distributes the width to the columns.
    fn new(
        columns: Vec<PlacedColumn>,
        rows: Vec<Vec<Line<'static>>>,
        width: u16,
        gap: u16,
    ) -> Self {
        let mut placement = Placement {
            columns,
            room: width.saturating_sub(GUTTER),
            gap,
            is_cut: false,
        };
        placement.place_columns();

        Self {
            places: placement.columns,
            rows,
            is_cut: placement.is_cut,
        }
    }

    /// Returns the place of a column in a line, or `None` if the column was dropped.
    pub fn place(&self, column: usize, line: Rect) -> Option<Rect> {
        let place = self.places.iter().find(|place| place.index == column)?;
        Some(left(after(line, place.x), place.width))
    }

    /// Draws the titles of the columns and emphasises the one under the cursor. A sign stands for dropped columns.
    pub fn draw_head(
        &self,
        cursor: Option<usize>,
        look: Appearance<'_>,
        line: Rect,
        buffer: &mut Buffer,
    ) {
        let heading = look.style(Role::Heading);
        for place in &self.places {
            let mut title = Line::styled(place.column.title, heading);
            if cursor == Some(place.index) {
                title = title.patch_style(Modifier::BOLD | Modifier::UNDERLINED);
            }
            let area = place.cell_area(&title, place, line);
            look.put(&title, area, buffer);
        }

        if self.is_cut {
            let sign = Line::styled(CUT, heading);
            look.put(&sign, right(line, 1), buffer);
        }
    }

    /// Draws a row that was laid out, with a marker before the cell under the cursor.
    pub fn draw_row(
        &self,
        row: usize,
        cursor: Option<usize>,
        look: Appearance<'_>,
        line: Rect,
        buffer: &mut Buffer,
    ) {
        if let Some(cells) = self.rows.get(row)
            && !cells.is_empty()
        {
            self.draw_cells(cells, cursor, look, line, buffer);
        }
    }

    /// Draws the cells of an item, with a marker before the cell under the cursor.
    pub fn draw_cells(
        &self,
        cells: &[Line<'_>],
        cursor: Option<usize>,
        look: Appearance<'_>,
        line: Rect,
        buffer: &mut Buffer,
    ) {
        for (position, place) in self.places.iter().enumerate() {
            let cell = &cells[place.index];
            let area = self.spilling_area(position, cells, line);
            if place.column.kind == CellKind::Ends {
                let cut_cell = look.fit_roll_or_name(cell, area.width);
                look.put(&cut_cell, area, buffer);
            } else {
                look.put(cell, area, buffer);
            }

            if cursor == Some(place.index) {
                let marker = look.line(MARKER, Role::Marker);
                let marker_x = area.x.saturating_sub(1);
                let marker_area = Rect::new(marker_x, area.y, 1, area.height);
                look.put(&marker, marker_area, buffer);
            }
        }
    }

    /// Returns the area of a cell. If its column spills, the area includes the empty cells after it, and the rest of the
    /// line if no other cell follows.
    fn spilling_area(&self, position: usize, cells: &[Line<'_>], line: Rect) -> Rect {
        let place = &self.places[position];
        let cell = &cells[place.index];
        if !place.column.spills {
            return place.cell_area(cell, place, line);
        }

        let mut end = place;
        for later in &self.places[position + 1..] {
            if line_columns(&cells[later.index]) > 0 {
                return place.cell_area(cell, end, line);
            }
            end = later;
        }

        let is_last = position + 1 == self.places.len();
        if is_last {
            place.cell_area(cell, end, line)
        } else {
            after(line, place.x)
        }
    }
}

/// Returns the width of the widest cell of a column.
///
/// A text that spills to the end of its row needs no room in its own column, unless all rows are such texts.
fn widest_cell(index: usize, column: Column, rows: &[Vec<Line<'_>>]) -> u16 {
    let mut widest = 0;
    let mut widest_within_column = 0;
    for row in rows {
        let Some(cell) = row.get(index) else {
            continue;
        };

        let width = line_columns(cell);
        widest = widest.max(width);

        let later_cells = &row[index + 1..];
        let can_spill_to_end = later_cells.iter().all(|cell| line_columns(cell) == 0);
        if !can_spill_to_end {
            widest_within_column = widest_within_column.max(width);
        }
    }

    if column.spills && !column.grows && widest_within_column > 0 {
        widest_within_column
    } else {
        widest
    }
}

/// The marks before a row of a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct RowMarks {
    /// True for the row under the cursor.
    pub is_selected: bool,
    /// True for a row that is marked, so that keys act on it together with others.
    pub is_marked: bool,
}

impl RowMarks {
    /// The row under the cursor, not marked.
    pub const SELECTED: Self = Self {
        is_selected: true,
        is_marked: false,
    };
}

/// Draws the bar behind the selected row, the sign of the cursor before it, and the sign of a marked row.
pub fn draw_marks(marks: RowMarks, look: Appearance<'_>, line: Rect, buffer: &mut Buffer) {
    if marks.is_selected {
        draw_bar(look, line, buffer);
        let marker = look.line(MARKER, Role::Marker);
        look.put(&marker, left(line, 1), buffer);
    }
    if marks.is_marked {
        let mark = look.line(MARKED, Role::Marked);
        let mark_area = left(after(line, 1), 1);
        look.put(&mark, mark_area, buffer);
    }
}

/// Draws the bar behind the selected entry. The cells keep their own text colours.
pub fn draw_bar(look: Appearance<'_>, area: Rect, buffer: &mut Buffer) {
    let bar = Style {
        fg: None,
        ..look.style(Role::Row)
    };
    buffer.set_style(area.intersection(buffer.area), bar);
}

/// Draws the cursor of a list without the focus.
pub fn draw_resting_cursor(look: Appearance<'_>, line: Rect, buffer: &mut Buffer) {
    let marker = look.line(MARKER, Role::Muted);
    look.put(&marker, left(line, 1), buffer);
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::widget::tests::{drawn, with_looks};
    use std::fmt::Write as _;

    /// Cells under these columns, the second row with the cursor on it, the third one marked.
    fn table<const N: usize>(
        columns: [Column; N],
        rows: &[[&'static str; N]],
        look: Appearance<'_>,
        (width, height): (u16, u16),
    ) -> String {
        let mut all = GridColumns::default();
        for (nth, column) in columns.into_iter().enumerate() {
            all.add(column, move |row: &[&'static str; N]| row[nth].into());
        }
        let grid = all.lay_out(rows.iter().copied().map(Some), width, GAP);
        drawn(width, height, |area, buffer| {
            let mut lines = area.rows();
            if let Some(head) = lines.next() {
                grid.draw_head(Some(0), look, head, buffer);
            }
            for (row, line) in (0..rows.len()).zip(lines) {
                let marks = RowMarks {
                    is_selected: row == 1,
                    is_marked: row == 2,
                };
                draw_marks(marks, look, line, buffer);
                grid.draw_row(row, None, look, line, buffer);
            }
        })
    }

    fn with_one_look(draw: impl FnOnce(Appearance<'_>) -> String) -> String {
        let theme = crate::theme::Theme::default();
        draw(Appearance::new(
            &theme,
            crate::terminal::color_depth::Depth::Mono,
        ))
    }

    /// A party of four.
    pub(in super::super) fn party(look: Appearance<'_>, width: u16, height: u16) -> String {
        let columns = [
            Column::new("Name", (10, 10)).grows(),
            Column::new("Player", (0, 40)).priority(2),
            Column::new("HP", (0, 40)).right(),
            Column::new("Conditions", (0, 40)).priority(1),
            Column::fixed("Notes", 12).priority(3),
        ];
        let long = "Thorbrand Ironhand of the Northern Reach";
        let rows = [
            ["Mira", "Ana", "12", "poisoned 3", "owes the innkeeper"],
            ["美咲 the Quiet", "Zoë", "7", "", ""],
            [long, "Łukasz", "103", "prone", "singing"],
            ["🐉 Ash", "GM", "88", "", "asleep"],
        ];
        table(columns, &rows, look, (width, height))
    }

    #[test]
    fn columns_stay_straight_and_leave_by_rank() {
        with_looks(|look, name| {
            let mut text = String::new();
            for width in [90, 60, 38, 20, 8] {
                write!(text, "{width}\n{}\n", party(look, width, 5)).unwrap();
            }
            if !look.ascii {
                insta::assert_snapshot!(format!("grid_{name}"), text);
            }
        });
    }

    #[test]
    fn a_text_that_spills_does_not_widen_its_column() {
        let cells = |row: &[&'static str; 2], nth: usize| row[nth].into();
        let mut all = GridColumns::default();
        let who = Column::new("", (4, 40)).spills();
        all.add(who, move |row: &[&'static str; 2]| cells(row, 0));
        all.add(Column::new("", (4, 40)), move |row| cells(row, 1));
        let rows = [
            ["Mira", "Presence"],
            ["4d6 for the weather on the road: 14", ""],
        ];
        let grid = all.lay_out(rows.map(Some), 60, GAP);

        let text = with_one_look(|look| {
            drawn(60, 2, |area, buffer| {
                for (nth, line) in area.rows().enumerate() {
                    grid.draw_row(nth, None, look, line, buffer);
                }
            })
        });
        assert_eq!(
            text,
            "  Mira  Presence\n  4d6 for the weather on the road: 14\n"
        );
    }

    #[test]
    fn what_is_left_over_goes_first_to_a_column_that_would_be_cut() {
        for (room, due) in [(18, [6, 8]), (24, [6, 14]), (30, [6, 20]), (40, [16, 20])] {
            let mut all = GridColumns::default();
            all.add(Column::new("Name", (6, 6)).grows(), |(): &()| "Mira".into());
            let can_do = Column::new("Can do", (0, 20)).at_first(8);
            all.add(can_do, |()| "climb, sneak, swim, ride, sing".into());
            let grid = all.lay_out([Some(())], room, GAP);
            let widths: Vec<u16> = grid.places.iter().map(|place| place.width).collect();
            assert_eq!(widths, due, "{room}");
        }
    }
}
