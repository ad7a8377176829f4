//! Rows in aligned columns, measured as a terminal shows them; a narrow screen drops what matters
//! least.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Modifier;
use ratatui::text::Line;
use ratatui::widgets::Widget;

use super::{Look, after, columns, left, line_columns, row};
use crate::screen::theme::Role;

/// Between two columns; one blank fewer in a panel.
pub const GAP: u16 = 2;
/// Left of the first: the marker and a blank.
pub const GUTTER: u16 = 2;
/// A column that must shrink keeps so much.
const LEAST: u16 = 4;

/// How wide a column is. What is measured is measured over all rows, in sight or not: nothing jumps while a
/// list is scrolled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// So wide, whatever is in it.
    Fixed(u16),
    /// As wide as its widest cell, within these bounds.
    Fit(u16, u16),
    /// As wide as its widest cell up to the first bound, and of what is left over up to the second.
    UpTo(u16, u16),
    /// As wide as its widest cell, within these bounds, and whatever nobody else can use.
    Grow(u16, u16),
}

/// A column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column<'a> {
    title: &'a str,
    width: Width,
    is_right: bool,
    /// What goes first where there is no room: the highest number. 0 stays.
    priority: u8,
    runs_on: bool,
}

impl<'a> Column<'a> {
    /// A column of words that always stays.
    pub const fn new(title: &'a str, width: Width) -> Self {
        Self {
            title,
            width,
            is_right: false,
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

    /// A column of numbers, which stand right.
    #[must_use]
    pub const fn right(self) -> Self {
        Self {
            is_right: true,
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

/// Rows in columns, under a head unless no column has a title.
#[derive(Clone, Copy, Debug)]
pub struct Grid<'a> {
    /// The columns.
    pub columns: &'a [Column<'a>],
    /// All rows.
    pub rows: &'a [Row<'a>],
    /// The first row in sight.
    pub top: usize,
    /// The row that keys act on.
    pub selected: Option<usize>,
    /// The column that keys act on, where there is one.
    pub cursor: Option<usize>,
    /// The blanks between two columns.
    pub gap: u16,
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

/// A column while room is shared out: which one, how wide it is, and would like to be.
struct Share<'a> {
    index: usize,
    column: &'a Column<'a>,
    width: u16,
    wanted: u16,
}

impl Grid<'_> {
    /// Which columns find room, and where.
    pub fn places(&self, width: u16) -> Vec<Place> {
        let room = width.saturating_sub(GUTTER);
        let mut shares: Vec<Share<'_>> =
            (0..).zip(self.columns).map(|one| self.share(one)).collect();
        let total = |shares: &[Share<'_>]| {
            let gaps = u16::try_from(shares.len().saturating_sub(1)).unwrap_or(0) * self.gap;
            let widths = shares.iter().map(|share| share.width);
            widths.fold(gaps, u16::saturating_add)
        };
        while total(&shares) > room {
            let priority = |(_, share): &(usize, &Share<'_>)| share.column.priority;
            let last = shares.iter().enumerate().max_by_key(priority);
            match last.filter(|last| priority(last) > 0) {
                Some((at, _)) => shares.remove(at),
                None => break,
            };
        }
        while total(&shares) > room {
            match shares.iter_mut().max_by_key(|share| share.width) {
                Some(widest) if widest.width > LEAST => widest.width -= 1,
                _ => break,
            }
        }
        let mut spare = room.saturating_sub(total(&shares));
        for share in &mut shares {
            let more = share.wanted.saturating_sub(share.width).min(spare);
            share.width += more;
            spare -= more;
        }
        let grows = |share: &&mut Share<'_>| matches!(share.column.width, Width::Grow(..));
        if let Some(share) = shares.iter_mut().find(grows) {
            share.width += spare;
        }
        let mut x = GUTTER;
        let place = |share: Share<'_>| {
            let (column, width) = (share.index, share.width);
            let place = Place { column, x, width };
            x += width + self.gap;
            place
        };
        shares.into_iter().map(place).collect()
    }

    fn share<'c>(&self, (index, column): (usize, &'c Column<'c>)) -> Share<'c> {
        let title = columns(column.title);
        let widest = |least: u16, most: u16| {
            let cells = self.rows.iter().filter_map(|row| row.cells.get(index));
            let widest = cells.map(line_columns).max().unwrap_or(0);
            widest.min(most).max(least).max(title)
        };
        let (width, wanted) = match column.width {
            Width::Fixed(width) => (width, width),
            Width::Fit(least, most) | Width::Grow(least, most) => {
                let width = widest(least, most);
                (width, width)
            }
            Width::UpTo(first, second) => (widest(0, first), widest(0, second)),
        };
        Share {
            index,
            column,
            width,
            wanted,
        }
    }

    /// Rows that the head takes: none without titles.
    pub fn head(&self) -> u16 {
        u16::from(self.columns.iter().any(|column| !column.title.is_empty()))
    }

    /// Where a cell's text stands in its place on a line. It goes on over the empty places behind it if its
    /// column runs on.
    fn spot(&self, row: &Row<'_>, cell: &Line<'_>, line: Rect, places: &[Place]) -> Rect {
        let Some((place, behind)) = places.split_first() else {
            return Rect::default();
        };
        let column = self.columns[place.column];
        let is_empty = |place: &&Place| {
            let cell = row.cells.get(place.column);
            cell.is_none_or(|cell| line_columns(cell) == 0)
        };
        let free = behind.iter().take_while(is_empty).last();
        let end = free.filter(|_| column.runs_on).unwrap_or(place);
        let spot = left(after(line, place.x), end.x + end.width - place.x);
        if column.is_right {
            after(spot, spot.width.saturating_sub(line_columns(cell)))
        } else {
            spot
        }
    }

    fn draw_row(&self, row: &Row<'_>, line: Rect, places: &[Place], buffer: &mut Buffer) {
        for (nth, place) in places.iter().enumerate() {
            if let Some(cell) = row.cells.get(place.column) {
                let spot = self.spot(row, cell, line, &places[nth..]);
                self.look.put(cell, spot, buffer);
            }
        }
    }

    /// Draws it. Returns where its columns are.
    pub fn draw(&self, area: Rect, buffer: &mut Buffer) -> Vec<Place> {
        let area = area.intersection(buffer.area);
        let places = self.places(area.width);
        let head = self.head();
        if head > 0 {
            let heading = self.look.style(Role::Heading);
            let title = |(index, column): (usize, &Column<'_>)| {
                let marked = heading.add_modifier(Modifier::BOLD | Modifier::UNDERLINED);
                let is_here = self.cursor == Some(index);
                Line::styled(
                    column.title.to_owned(),
                    if is_here { marked } else { heading },
                )
            };
            let titles = Row {
                cells: self.columns.iter().enumerate().map(title).collect(),
                marked: false,
            };
            self.draw_row(&titles, row(area, 0), &places, buffer);
        }
        let glyphs = self.look.glyphs();
        let marker = Line::styled(glyphs.marker, self.look.style(Role::Marker));
        let marked = Line::styled(glyphs.marked, self.look.style(Role::Marked));
        let in_sight = self.rows.iter().enumerate().skip(self.top);
        for ((index, cells), down) in in_sight.zip(head..area.height) {
            let line = row(area, down);
            self.draw_row(cells, line, &places, buffer);
            if cells.marked {
                self.look.put(&marked, left(after(line, 1), 1), buffer);
            }
            if self.selected != Some(index) {
                continue;
            }
            // Only markers tell the selected row and value: moving them costs a few bytes, not two rows.
            self.look.put(&marker, left(line, 1), buffer);
            let under = places
                .iter()
                .position(|place| self.cursor == Some(place.column));
            if let Some((nth, cell)) = under.zip(self.cursor.and_then(|at| cells.cells.get(at))) {
                let spot = self.spot(cells, cell, line, &places[nth..]);
                let before = Rect {
                    x: spot.x.saturating_sub(1),
                    width: 1,
                    ..spot
                };
                self.look.put(&marker, before, buffer);
            }
        }
        places
    }
}

impl Widget for &Grid<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        self.draw(area, buffer);
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{shown, with_looks};
    use super::*;
    use std::fmt::Write as _;

    fn grid<'a>(columns: &'a [Column<'a>], rows: &'a [Row<'a>], look: Look<'a>) -> Grid<'a> {
        Grid {
            columns,
            rows,
            top: 0,
            selected: None,
            cursor: None,
            gap: GAP,
            look,
        }
    }

    const COLUMNS: [Column<'static>; 5] = [
        Column::new("Name", Width::Grow(10, 10)),
        Column::new("Player", Width::Fit(0, 40)).priority(2),
        Column::new("HP", Width::Fit(0, 40)).right(),
        Column::new("Conditions", Width::Fit(0, 40)).priority(1),
        Column::new("Notes", Width::Fixed(12)).priority(3),
    ];

    fn party() -> Vec<Row<'static>> {
        let long = "Thorbrand Ironhand of the Northern Reach";
        [
            ["Mira", "Ana", "12", "poisoned 3", "owes the innkeeper"],
            ["美咲 the Quiet", "Zoë", "7", "", ""],
            [long, "Łukasz", "103", "prone", "singing"],
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
                selected: Some(1),
                ..grid(&COLUMNS, &rows, look)
            };
            let mut text = String::new();
            for width in [90, 60, 38, 20, 8] {
                write!(text, "{width}\n{}\n", shown(&grid, width, 5)).unwrap();
            }
            if !look.ascii {
                insta::assert_snapshot!(format!("grid_{name}"), text);
            }
        });
    }

    #[test]
    fn words_run_on_where_nothing_stands_behind_them() {
        with_looks(|look, _| {
            let columns = [
                Column::new("What", Width::Grow(8, 8)).runs_on(),
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
            let cut = look.glyphs().cut;
            let due = [
                "  What      Dice    More".to_owned(),
                "  a long story".to_owned(),
                format!("  a long {cut}  d6 [3]"),
                "  a long story      +1".to_owned(),
            ];
            let text = shown(&grid(&columns, &rows, look), 26, 4);
            assert_eq!(text.lines().collect::<Vec<_>>(), due);
        });
    }

    #[test]
    fn what_is_left_over_goes_first_to_a_column_that_would_be_cut() {
        with_looks(|look, _| {
            let columns = [
                Column::new("Name", Width::Grow(6, 6)),
                Column::new("Can do", Width::UpTo(8, 20)),
            ];
            let rows = [Row {
                cells: vec!["Mira".into(), "climb, sneak, swim, ride, sing".into()],
                marked: false,
            }];
            let grid = grid(&columns, &rows, look);
            for (room, due) in [(18, [6, 8]), (24, [6, 14]), (30, [6, 20]), (40, [16, 20])] {
                let places = grid.places(room);
                let widths: Vec<u16> = places.iter().map(|place| place.width).collect();
                assert_eq!(widths, due, "{room}");
            }
        });
    }
}
