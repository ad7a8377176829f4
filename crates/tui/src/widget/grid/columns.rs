//! The columns of a list with the functions that return their cells.

use ratatui::text::Line;

use super::Grid;
use super::column::Column;
use super::placement::PlacedColumn;
use crate::widget::{line_columns, owned};

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

    pub fn cells(&self, item: &T) -> Vec<Line<'a>> {
        self.columns
            .iter()
            .map(|grid_column| (grid_column.cell)(item))
            .collect()
    }

    /// Returns the cell of one column.
    pub fn cell(&self, column: usize, item: &T) -> Option<Line<'a>> {
        let grid_column = self.columns.get(column)?;
        Some((grid_column.cell)(item))
    }

    /// Distributes the width to the columns as these items need it. [`Self::cells`] composes the rows later.
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
