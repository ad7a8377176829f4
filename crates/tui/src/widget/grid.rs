//! Rows with aligned columns. A narrow screen drops the least important columns.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::Line;

use crate::theme::Role;
use crate::widget::{
    Appearance, CUT, MARKED, MARKER, after, columns, left, line_columns, owned, right,
};

/// The blanks between two columns. Panels use one blank less.
pub const GAP: u16 = 2;
/// The columns left of the first cell, for the cursor and the mark.
pub const GUTTER: u16 = 2;
/// The width down to which columns shrink.
const LEAST: u16 = 4;

/// The contents of a column, which decide how its cells are aligned and cut.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Holds {
    Words,
    Numbers,
    Ends,
}

/// A column. It is as wide as its widest cell, within its bounds.
///
/// If all rows of a list are laid out, in sight or not, the columns keep their widths while the list scrolls.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    title: &'static str,
    least: u16,
    most: u16,
    /// The greatest width that it gets in the first pass. A second pass distributes the remaining columns.
    at_first: u16,
    grows: bool,
    /// True if its text continues into the empty cells after it.
    spills: bool,
    holds: Holds,
    /// Columns with the highest number are dropped first. Columns with 0 are never dropped.
    priority: u8,
    /// True if the width does not depend on the cells, so that they are composed only when they are drawn.
    is_constant: bool,
}

impl Column {
    /// Returns a column of text that is never dropped.
    pub const fn new(title: &'static str, (least, most): (u16, u16)) -> Self {
        Self {
            title,
            least,
            most,
            at_first: most,
            grows: false,
            spills: false,
            holds: Holds::Words,
            priority: 0,
            is_constant: false,
        }
    }

    /// Returns a column with a fixed width.
    pub const fn fixed(title: &'static str, width: u16) -> Self {
        Self::new(title, (width, width))
    }

    /// Returns a column with a fixed width whose cells are never empty in all rows.
    pub const fn constant(title: &'static str, width: u16) -> Self {
        Self {
            is_constant: true,
            ..Self::fixed(title, width)
        }
    }

    /// Returns the least width.
    pub const fn least(&self) -> u16 {
        self.least
    }

    /// Limits the width in the first pass. A second pass distributes the remaining columns.
    pub const fn at_first(self, at_first: u16) -> Self {
        Self { at_first, ..self }
    }

    /// Gives the column the width that no other column can use, and lets its text spill.
    pub const fn grows(self) -> Self {
        let grows = true;
        Self { grows, ..self }.spills()
    }

    /// Lets its text continue into the empty cells after it.
    pub const fn spills(self) -> Self {
        let spills = true;
        Self { spills, ..self }
    }

    /// Aligns its cells to the right, as numbers.
    pub const fn right(self) -> Self {
        let holds = Holds::Numbers;
        Self { holds, ..self }
    }

    /// Cuts its cells as names and rolls: the number of a name and the outcome of a roll stay.
    pub const fn ends(self) -> Self {
        let holds = Holds::Ends;
        Self { holds, ..self }
    }

    /// Sets the priority. Columns with a higher number are dropped first.
    pub const fn priority(self, priority: u8) -> Self {
        Self { priority, ..self }
    }
}

/// Returns the cell of a column for an item.
type Cell<'a, T> = Box<dyn Fn(&T) -> Line<'a> + 'a>;

/// The columns of a list, each with a function that returns its cells.
pub struct GridColumns<'a, T>(Vec<(Column, Cell<'a, T>)>);

impl<T> Default for GridColumns<'_, T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<'a, T> GridColumns<'a, T> {
    /// Adds a column at the right.
    pub fn add(&mut self, column: Column, cell: impl Fn(&T) -> Line<'a> + 'a) {
        self.0.push((column, Box::new(cell)));
    }

    /// Returns the cells of the columns that have a title, if they are not empty.
    pub fn titled(&self, item: &T) -> Vec<(&'static str, Line<'a>)> {
        let mut cells = Vec::new();
        for (column, cell) in &self.0 {
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
        self.0.iter().map(|(_, cell)| cell(item)).collect()
    }

    /// Distributes the width to the columns of these items. The rows are composed later, by [`Self::cells`].
    pub fn measure<'i>(&self, items: impl IntoIterator<Item = &'i T>, width: u16, gap: u16) -> Grid
    where
        T: 'i,
    {
        let mut widest_cells = vec![0; self.0.len()];
        for item in items {
            for (widest, (column, cell)) in widest_cells.iter_mut().zip(&self.0) {
                if !column.is_constant {
                    *widest = line_columns(&cell(item)).max(*widest);
                }
            }
        }
        self.place(&widest_cells, Vec::new(), width, gap)
    }

    /// Lays out a row for each item, and an empty row for each `None`.
    pub fn lay_out(self, items: impl IntoIterator<Item = Option<T>>, width: u16, gap: u16) -> Grid {
        let mut rows = Vec::new();
        for item in items {
            let cells: Vec<Line<'static>> = match item {
                Some(item) => self.0.iter().map(|(_, cell)| owned(cell(&item))).collect(),
                None => Vec::new(),
            };
            rows.push(cells);
        }

        let widest_cells: Vec<u16> = self
            .0
            .iter()
            .enumerate()
            .map(|(index, (column, _))| widest_cell(index, *column, &rows))
            .collect();
        self.place(&widest_cells, rows, width, gap)
    }

    fn place(
        &self,
        widest_cells: &[u16],
        rows: Vec<Vec<Line<'static>>>,
        width: u16,
        gap: u16,
    ) -> Grid {
        let columns = self
            .0
            .iter()
            .zip(widest_cells)
            .enumerate()
            .map(|(index, ((column, _), widest))| PlacedColumn::new(index, *column, *widest))
            .collect();
        let mut placement = Placement {
            columns,
            room: width.saturating_sub(GUTTER),
            gap,
            is_cut: false,
        };
        placement.place_columns();
        Grid {
            places: placement.columns,
            rows,
            is_cut: placement.is_cut,
        }
    }
}

/// The place of a column in a line, and the width that its cells need.
#[derive(Debug)]
struct PlacedColumn {
    index: usize,
    column: Column,
    x: u16,
    width: u16,
    wanted: u16,
    is_empty: bool,
}

/// Distributes the width of the screen to columns.
struct Placement {
    columns: Vec<PlacedColumn>,
    room: u16,
    gap: u16,
    /// True if a column was dropped that is not empty.
    is_cut: bool,
}

impl Placement {
    fn place_columns(&mut self) {
        self.drop_columns();
        self.shrink_columns();
        self.distribute_spare_room();

        let mut x = GUTTER;
        for place in &mut self.columns {
            place.x = x;
            x += place.width + self.gap;
        }
    }

    fn total_width(&self) -> u16 {
        let gaps = self.columns.len().saturating_sub(1);
        let mut total = u16::try_from(gaps).unwrap_or(0) * self.gap;
        for place in &self.columns {
            total = total.saturating_add(place.width);
        }
        total
    }

    /// Drops columns until the others fit: first the empty ones, then those with the highest priority number.
    fn drop_columns(&mut self) {
        while self.total_width() > self.room {
            let droppable = self
                .columns
                .iter()
                .enumerate()
                .filter(|(_, place)| place.column.priority > 0)
                .max_by_key(|(_, place)| (place.is_empty, place.column.priority));
            let Some((index, place)) = droppable else {
                return;
            };

            // A smaller gap may save a column of numbers.
            let has_numbers = !place.is_empty && place.column.holds == Holds::Numbers;
            if has_numbers && self.gap > 1 {
                self.gap = 1;
                continue;
            }
            let dropped = self.columns.remove(index);
            self.is_cut |= !dropped.is_empty;
        }
    }

    /// Takes columns of the screen from the widest column until all of them fit.
    fn shrink_columns(&mut self) {
        while self.total_width() > self.room {
            match self.columns.iter_mut().max_by_key(|place| place.width) {
                Some(widest) if widest.width > LEAST => widest.width -= 1,
                _ => return,
            }
        }
    }

    /// Gives the spare room to the columns that need it, from left to right, and the rest to the growing column.
    fn distribute_spare_room(&mut self) {
        let mut spare = self.room.saturating_sub(self.total_width());
        for place in &mut self.columns {
            let missing = place.wanted.saturating_sub(place.width);
            let added = missing.min(spare);
            place.width += added;
            spare -= added;
        }

        if let Some(place) = self.columns.iter_mut().find(|place| place.column.grows) {
            place.width += spare;
        }
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
            look.put(&title, place.spot(&title, place, line), buffer);
        }
        if self.is_cut {
            look.put(&Line::styled(CUT, heading), right(line, 1), buffer);
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
        for (nth, place) in self.places.iter().enumerate() {
            let cell = &cells[place.index];
            let later_places = &self.places[nth + 1..];
            let mut end = place;
            if place.column.spills {
                let empty_cells = later_places
                    .iter()
                    .take_while(|next| line_columns(&cells[next.index]) == 0);
                end = empty_cells.last().unwrap_or(place);
            }

            let reaches_end = later_places
                .last()
                .is_some_and(|last| last.index == end.index);
            let spot = if reaches_end && place.column.spills {
                after(line, place.x)
            } else {
                place.spot(cell, end, line)
            };
            if place.column.holds == Holds::Ends {
                look.put(&look.fit_within(cell, spot.width), spot, buffer);
            } else {
                look.put(cell, spot, buffer);
            }

            if cursor == Some(place.index) {
                let marker = Line::styled(MARKER, look.style(Role::Marker));
                let before = Rect::new(spot.x.saturating_sub(1), spot.y, 1, spot.height);
                look.put(&marker, before, buffer);
            }
        }
    }
}

impl PlacedColumn {
    fn new(index: usize, column: Column, widest: u16) -> Self {
        let least = column.least.max(columns(column.title));
        Self {
            index,
            column,
            x: 0,
            width: widest.min(column.at_first).max(least),
            wanted: widest.min(column.most).max(least),
            is_empty: widest == 0 && !column.is_constant,
        }
    }

    /// Returns the place of a cell that continues up to the end of another column.
    fn spot(&self, cell: &Line<'_>, end: &Self, line: Rect) -> Rect {
        let spot = left(after(line, self.x), end.x + end.width - self.x);
        if self.column.holds == Holds::Numbers {
            right(spot, line_columns(cell))
        } else {
            spot
        }
    }
}

/// Returns the width of the widest cell of a column.
///
/// A text that spills to the end of its row needs no room in its own column, unless all rows are such texts.
fn widest_cell(index: usize, column: Column, rows: &[Vec<Line<'_>>]) -> u16 {
    let spills_to_end = |row: &[Line<'_>]| {
        let later_cells = row.get(index + 1..).unwrap_or_default();
        later_cells.iter().all(|cell| line_columns(cell) == 0)
    };

    let mut widest = 0;
    let mut widest_within = 0;
    for row in rows {
        let Some(cell) = row.get(index) else {
            continue;
        };
        let width = line_columns(cell);
        widest = widest.max(width);
        if !spills_to_end(row) {
            widest_within = widest_within.max(width);
        }
    }

    if column.spills && !column.grows && widest_within > 0 {
        widest_within
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
        let marker = Line::styled(MARKER, look.style(Role::Marker));
        look.put(&marker, left(line, 1), buffer);
    }
    if marks.is_marked {
        let marked = Line::styled(MARKED, look.style(Role::Marked));
        look.put(&marked, left(after(line, 1), 1), buffer);
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
    let marker = Line::styled(MARKER, look.style(Role::Muted));
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
