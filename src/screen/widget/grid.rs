//! Rows in aligned columns, measured as a terminal shows them; a narrow screen drops what matters
//! least.

use ratatui::buffer::Buffer;
use ratatui::layout::{HorizontalAlignment, Position, Rect};
use ratatui::style::Modifier;
use ratatui::text::Line;
use ratatui::widgets::Widget;

use super::{Look, columns, row};
use crate::screen::theme::Role;

/// Between two columns.
const GAP: u16 = 2;
/// Left of the first: the marker and a blank.
const GUTTER: u16 = 2;
/// A column that must shrink keeps so much.
const LEAST: u16 = 4;

/// How wide a column is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// As wide as its widest cell.
    Fit,
    /// So wide, whatever is in it: nothing jumps while a long list is scrolled.
    Fixed(u16),
    /// At least so wide, and of what is left over as much as brings it to the second width.
    UpTo(u16, u16),
    /// At least so wide, and whatever nobody else can use.
    Grow(u16),
}

/// A column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column<'a> {
    /// Its head.
    pub title: &'a str,
    /// How wide it is.
    pub width: Width,
    /// Where its cells stand; numbers stand right.
    pub align: HorizontalAlignment,
    /// What goes first where there is no room: the highest number. 0 stays.
    pub priority: u8,
    /// Whether a cell too wide for it goes on where nothing stands in the columns behind it.
    pub runs_on: bool,
}

impl<'a> Column<'a> {
    /// A column of words that always stays.
    pub const fn new(title: &'a str, width: Width) -> Self {
        Self {
            title,
            width,
            align: HorizontalAlignment::Left,
            priority: 0,
            runs_on: false,
        }
    }

    /// Its words go on where the columns behind it are empty.
    #[must_use]
    pub const fn runs_on(self) -> Self {
        Self {
            runs_on: true,
            ..self
        }
    }

    /// A column of numbers.
    #[must_use]
    pub const fn right(self) -> Self {
        Self {
            align: HorizontalAlignment::Right,
            ..self
        }
    }

    /// It goes before columns of lower numbers do.
    #[must_use]
    pub const fn priority(self, priority: u8) -> Self {
        Self { priority, ..self }
    }
}

/// A row: a cell for each column.
#[derive(Clone, Debug, Default)]
pub struct Row<'a> {
    /// The cells.
    pub cells: Vec<Line<'a>>,
    /// Whether it is marked, to be acted on with others.
    pub marked: bool,
}

/// Rows in columns under a head. The rows are those that are in sight.
#[derive(Clone, Copy, Debug)]
pub struct Grid<'a> {
    /// The columns.
    pub columns: &'a [Column<'a>],
    /// The rows in sight.
    pub rows: &'a [Row<'a>],
    /// The row in sight that keys act on.
    pub selected: Option<usize>,
    /// The column that keys act on, where there is one.
    pub cursor: Option<usize>,
    /// How the screen looks.
    pub look: Look<'a>,
}

/// A column that found room: which one, where it begins and how wide it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Its number among the columns.
    pub column: usize,
    /// Its first column on the screen, from the left of the area.
    pub x: u16,
    /// Its width.
    pub width: u16,
}

impl Grid<'_> {
    /// Which columns find room, and where.
    pub fn places(&self, width: u16) -> Vec<Place> {
        let room = width.saturating_sub(GUTTER);
        let mut kept: Vec<(usize, u16)> = (0..self.columns.len())
            .map(|column| (column, self.wanted(column)))
            .collect();
        let total = |kept: &[(usize, u16)]| {
            let gaps = u16::try_from(kept.len().saturating_sub(1)).unwrap_or(0) * GAP;
            kept.iter()
                .fold(gaps, |sum, (_, width)| sum.saturating_add(*width))
        };
        while total(&kept) > room {
            let priority =
                |(column, _): &(usize, u16)| self.columns.get(*column).map_or(0, |c| c.priority);
            let last = kept
                .iter()
                .enumerate()
                .max_by_key(|(_, entry)| priority(entry));
            match last.map(|(at, entry)| (at, priority(entry))) {
                Some((at, 1..)) => kept.remove(at),
                _ => break,
            };
        }
        while total(&kept) > room {
            match kept.iter_mut().max_by_key(|(_, width)| *width) {
                Some((_, width)) if *width > LEAST => *width -= 1,
                _ => break,
            }
        }
        let mut spare = room.saturating_sub(total(&kept));
        for (column, width) in &mut kept {
            if let Some(Width::UpTo(_, most)) = self.columns.get(*column).map(|c| c.width) {
                let more = most.saturating_sub(*width).min(spare);
                *width += more;
                spare -= more;
            }
        }
        let grows = |(column, _): &&mut (usize, u16)| {
            matches!(
                self.columns.get(*column).map(|c| c.width),
                Some(Width::Grow(_))
            )
        };
        if let Some((_, width)) = kept.iter_mut().find(grows) {
            *width += spare;
        }
        let mut x = GUTTER;
        let mut place = |(column, width)| {
            let place = Place { column, x, width };
            x += width + GAP;
            place
        };
        kept.into_iter().map(&mut place).collect()
    }

    /// The row in sight at a place of the screen.
    pub fn row_at(&self, area: Rect, at: Position) -> Option<usize> {
        let down = at.y.checked_sub(area.y)?.checked_sub(self.head())?;
        (area.contains(at) && usize::from(down) < self.rows.len()).then_some(down.into())
    }

    /// The column at a place of the screen.
    pub fn column_at(&self, area: Rect, at: Position) -> Option<usize> {
        let x = at.x.checked_sub(area.x)?;
        let places = self.places(area.width);
        places
            .iter()
            .find(|place| (place.x..place.x + place.width).contains(&x))
            .map(|place| place.column)
    }

    /// Rows that the head takes: none without titles.
    pub fn head(&self) -> u16 {
        u16::from(self.columns.iter().any(|column| !column.title.is_empty()))
    }

    fn wanted(&self, column: usize) -> u16 {
        let Some(Column { title, width, .. }) = self.columns.get(column) else {
            return 0;
        };
        let cell = |row: &Row<'_>| row.cells.get(column).map_or(0, Line::width);
        match width {
            Width::Fit => {
                let widest = self.rows.iter().map(cell).max().unwrap_or(0);
                u16::try_from(widest)
                    .unwrap_or(u16::MAX)
                    .max(columns(title))
            }
            Width::Fixed(width) => *width,
            Width::Grow(least) | Width::UpTo(least, _) => (*least).max(columns(title)),
        }
    }

    /// The blanks before what a cell shows.
    fn before(&self, cell: &Line<'_>, place: Place, line: Rect) -> u16 {
        let width = place.width.min(line.width.saturating_sub(place.x));
        let spare = width.saturating_sub(u16::try_from(cell.width()).unwrap_or(width));
        match self.columns.get(place.column).map(|column| column.align) {
            Some(HorizontalAlignment::Right) => spare,
            Some(HorizontalAlignment::Center) => spare / 2,
            Some(HorizontalAlignment::Left) | None => 0,
        }
    }

    /// A place with the empty ones behind it, where its column runs on.
    fn run_on(&self, row: &Row<'_>, place: Place, behind: &[Place]) -> Place {
        let runs_on = self
            .columns
            .get(place.column)
            .is_some_and(|one| one.runs_on);
        let is_empty = |place: &&Place| {
            let cell = row.cells.get(place.column);
            cell.is_none_or(|cell| cell.width() == 0)
        };
        let free = behind.iter().take_while(is_empty).last();
        let end = free.filter(|_| runs_on).map(|last| last.x + last.width);
        Place {
            width: end.map_or(place.width, |end| end - place.x),
            ..place
        }
    }

    fn draw_cell(&self, cell: &Line<'_>, place: Place, line: Rect, buffer: &mut Buffer) {
        let width = place.width.min(line.width.saturating_sub(place.x));
        let cell = self.look.fit_line(cell, width);
        let before = self.before(&cell, place, line);
        buffer.set_line(line.x + place.x + before, line.y, &cell, width - before);
    }
}

impl Widget for &Grid<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        let area = area.intersection(buffer.area);
        let places = self.places(area.width);
        let head = self.head();
        let heading = self.look.style(Role::Heading);
        for place in &places {
            if let Some(column) = self
                .columns
                .get(place.column)
                .filter(|_| head > 0 && area.height > 0)
            {
                let heading = if self.cursor == Some(place.column) {
                    heading.add_modifier(Modifier::BOLD | Modifier::UNDERLINED)
                } else {
                    heading
                };
                self.draw_cell(
                    &Line::styled(column.title, heading),
                    *place,
                    row(area, 0),
                    buffer,
                );
            }
        }
        let glyphs = self.look.glyphs();
        for ((index, cells), down) in self.rows.iter().enumerate().zip(head..area.height) {
            let line = row(area, down);
            let selected = self.selected == Some(index);
            for (nth, place) in places.iter().enumerate() {
                if let Some(cell) = cells.cells.get(place.column) {
                    let behind = places.get(nth + 1..).unwrap_or_default();
                    let place = self.run_on(cells, *place, behind);
                    self.draw_cell(cell, place, line, buffer);
                }
                if selected && self.cursor == Some(place.column) {
                    // Before the value, in the gap: as cheap to move as the row's own.
                    let cell = cells.cells.get(place.column);
                    let before = cell.map_or(0, |cell| self.before(cell, *place, line));
                    let x = (line.x + place.x + before).saturating_sub(1);
                    let style = self.look.style(Role::Marker);
                    buffer.set_stringn(x, line.y, glyphs.marker, 1, style);
                }
            }
            // Only the marker tells the selected row: moving it costs a few bytes, not two rows.
            if selected {
                buffer.set_stringn(
                    line.x,
                    line.y,
                    glyphs.marker,
                    1,
                    self.look.style(Role::Marker),
                );
            }
            if cells.marked && area.width > 1 {
                buffer.set_stringn(
                    line.x + 1,
                    line.y,
                    glyphs.marked,
                    1,
                    self.look.style(Role::Marked),
                );
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{shown, with_looks};
    use super::*;
    use std::fmt::Write as _;

    const COLUMNS: [Column<'static>; 5] = [
        Column::new("Name", Width::Grow(10)),
        Column::new("Player", Width::Fit).priority(2),
        Column::new("HP", Width::Fit).right(),
        Column::new("Conditions", Width::Fit).priority(1),
        Column::new("Notes", Width::Fixed(12)).priority(3),
    ];

    fn party() -> Vec<Row<'static>> {
        [
            ["Mira", "Ana", "12", "poisoned 3", "owes the innkeeper"],
            ["美咲 the Quiet", "Zoë", "7", "", ""],
            [
                "Thorbrand Ironhand of the Northern Reach",
                "Łukasz",
                "103",
                "prone",
                "singing",
            ],
            ["🐉 Ash", "GM", "88", "", "asleep"],
        ]
        .into_iter()
        .enumerate()
        .map(|(index, cells)| Row {
            cells: cells.map(Line::raw).to_vec(),
            marked: index == 2,
        })
        .collect()
    }

    #[test]
    fn columns_stay_straight_and_leave_by_rank() {
        with_looks(|look, name| {
            let rows = party();
            let grid = Grid {
                columns: &COLUMNS,
                rows: &rows,
                selected: Some(1),
                cursor: None,
                look,
            };
            let mut text = String::new();
            for width in [90, 60, 38, 20, 8] {
                write!(text, "{width}\n{}\n", shown(&grid, width, 5)).unwrap();
            }
            insta::assert_snapshot!(format!("grid_{name}"), text);
        });
    }

    #[test]
    fn words_run_on_where_nothing_stands_behind_them() {
        with_looks(|look, _| {
            let columns = [
                Column::new("What", Width::Grow(8)).runs_on(),
                Column::new("Dice", Width::Fixed(6)),
                Column::new("More", Width::Fixed(6)),
            ];
            let cells = [
                ["a long story", "", ""],
                ["a long story", "d6 [3]", ""],
                ["a long story", "", "+1"],
            ];
            let rows = cells.map(|cells| Row {
                cells: cells.map(Line::raw).to_vec(),
                marked: false,
            });
            let grid = Grid {
                columns: &columns,
                rows: &rows,
                selected: None,
                cursor: None,
                look,
            };
            let cut = look.glyphs().cut;
            let due = [
                "  What      Dice    More".to_owned(),
                "  a long story".to_owned(),
                format!("  a long {cut}  d6 [3]"),
                "  a long story      +1".to_owned(),
            ];
            assert_eq!(shown(&grid, 26, 4).lines().collect::<Vec<_>>(), due);
        });
    }

    #[test]
    fn what_is_left_over_goes_first_to_a_column_that_would_be_cut() {
        with_looks(|look, _| {
            let columns = [
                Column::new("Name", Width::Grow(6)),
                Column::new("Can do", Width::UpTo(8, 20)),
            ];
            let grid = Grid {
                columns: &columns,
                rows: &[],
                selected: None,
                cursor: None,
                look,
            };
            let widths = |room| grid.places(room).iter().map(|place| place.width).collect();
            let due = [(18, [6, 8]), (24, [6, 14]), (30, [6, 20]), (40, [16, 20])];
            for (room, due) in due {
                let widths: Vec<u16> = widths(room);
                assert_eq!(widths, due, "{room}");
            }
        });
    }

    #[test]
    fn the_mouse_finds_rows_and_columns() {
        with_looks(|look, _| {
            let rows = party();
            let grid = Grid {
                columns: &COLUMNS,
                rows: &rows,
                selected: None,
                cursor: None,
                look,
            };
            let area = Rect::new(5, 2, 60, 5);
            assert_eq!(grid.row_at(area, Position::new(9, 2)), None);
            assert_eq!(grid.row_at(area, Position::new(9, 4)), Some(1));
            assert_eq!(grid.column_at(area, Position::new(8, 4)), Some(0));
        });
    }
}
