//! Rows with aligned columns. A narrow screen drops the least important columns.

mod column;
mod columns;
mod marks;
mod parts;
mod placement;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Modifier;
use ratatui::text::Line;

use crate::theme::Role;
use crate::widget::{Appearance, CUT, MARKER, after, left, line_columns, right};
use column::CellKind;
use placement::{PlacedColumn, Placement};

pub use column::Column;
pub use columns::GridColumns;
pub use marks::{RowMarks, bar_style, draw_marks, draw_resting_cursor};

/// The number of blanks between two columns. Panels use one blank less.
pub const GAP: u16 = 2;
/// The number of columns left of the first cell, for the cursor and the mark.
pub const GUTTER: u16 = 2;
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

    /// Draws the titles of the columns, with emphasis on the column under the cursor. A sign at the end stands for
    /// dropped columns.
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

    /// Draws a row that was laid out.
    pub fn draw_row(&self, row: usize, look: Appearance<'_>, line: Rect, buffer: &mut Buffer) {
        if let Some(cells) = self.rows.get(row)
            && !cells.is_empty()
        {
            self.draw_cells(cells, look, line, buffer);
        }
    }

    /// Draws the cells of an item.
    pub fn draw_cells(
        &self,
        cells: &[Line<'_>],
        look: Appearance<'_>,
        line: Rect,
        buffer: &mut Buffer,
    ) {
        for (position, place) in self.places.iter().enumerate() {
            let cell = &cells[place.index];
            let area = self.spilling_area(position, cells, line);
            match place.column.kind {
                CellKind::Words | CellKind::Numbers => look.put(cell, area, buffer),
                CellKind::Ends => {
                    let cut_cell = look.fit_roll_or_name(cell, area.width);
                    look.put(&cut_cell, area, buffer);
                }
                CellKind::Parts => {
                    let cut_cell = parts::fit_parts(cell, area.width);
                    look.put(&cut_cell, area, buffer);
                }
            }
        }
    }

    /// Draws a marker before a cell of this column.
    pub fn draw_cursor(
        &self,
        column: usize,
        cell: &Line<'_>,
        look: Appearance<'_>,
        line: Rect,
        buffer: &mut Buffer,
    ) {
        let Some(place) = self.places.iter().find(|place| place.index == column) else {
            return;
        };
        let area = place.cell_area(cell, place, line);
        let marker = look.line(MARKER, Role::Marker);
        let marker_x = area.x.saturating_sub(1);
        look.put(&marker, Rect::new(marker_x, area.y, 1, area.height), buffer);
    }

    /// Returns the area of a cell. If its column spills, the area includes the empty cells after it, and the rest of
    /// the line if no other cell follows.
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

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::widget::tests::{drawn, with_looks};
    use std::fmt::Write as _;

    /// Draws a table. The cursor is on the second row, and the third row is marked.
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
                grid.draw_row(row, look, line, buffer);
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
                    grid.draw_row(nth, look, line, buffer);
                }
            })
        });
        assert_eq!(
            text,
            "  Mira  Presence\n  4d6 for the weather on the road: 14\n"
        );
    }

    #[test]
    fn a_number_stands_for_the_parts_that_do_not_fit() {
        let drawn_at = |width: u16| {
            let mut all = GridColumns::default();
            let conditions = Column::new("Conditions", (0, 40)).parts();
            all.add(conditions, |(): &()| {
                Line::from(vec![
                    "prone".into(),
                    " ".into(),
                    "blinded".into(),
                    " ".into(),
                    "wet".into(),
                ])
            });
            let grid = all.lay_out([Some(())], width, GAP);
            with_one_look(|look| {
                drawn(width, 1, |area, buffer| {
                    grid.draw_row(0, look, area, buffer);
                })
            })
        };
        assert_eq!(drawn_at(20), "  prone blinded wet\n");
        assert_eq!(drawn_at(18), "  prone blinded +1\n");
        assert_eq!(drawn_at(12), "  prone +2\n");
        assert_eq!(drawn_at(9), "  pro… +2\n");
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
