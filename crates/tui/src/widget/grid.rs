//! Things in aligned columns, measured as a terminal shows them; a narrow screen drops what matters least.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::Line;

use crate::theme::Role;
use crate::widget::{Appearance, CUT, MARKER, after, columns, left, line_columns, owned, right};

/// Between two columns; one blank fewer in a panel.
pub const GAP: u16 = 2;
/// Left of the first: the marker and a blank.
pub const GUTTER: u16 = 2;
/// A column that must shrink keeps so much.
const LEAST: u16 = 4;

/// What stands in a column: numbers stand right, and what matters at its end is cut before that.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Holds {
    Words,
    Numbers,
    Ends,
}

/// A column. It is as wide as its widest cell of those laid out, within its bounds: where all lines are, in sight or not,
/// nothing jumps while a list is scrolled.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    title: &'static str,
    least: u16,
    most: u16,
    /// It has no more than this until every column has what it needs.
    at_first: u16,
    grows: bool,
    /// Its words go on where the columns behind it are empty.
    spills: bool,
    holds: Holds,
    /// What goes first where there is no room: the highest number. 0 stays.
    priority: u8,
}

impl Column {
    /// A column of words that always stays.
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
        }
    }

    /// A column that is so wide, whatever is in it.
    pub const fn fixed(title: &'static str, width: u16) -> Self {
        Self::new(title, (width, width))
    }

    /// Its width at the least.
    pub const fn least(&self) -> u16 {
        self.least
    }

    /// It has no more than this until every column has what it needs.
    pub const fn at_first(self, at_first: u16) -> Self {
        Self { at_first, ..self }
    }

    /// It gets what no other column can use, and its words go on where the columns behind it are empty.
    pub const fn grows(self) -> Self {
        let grows = true;
        Self { grows, ..self }.spills()
    }

    /// Its words go on where the columns behind it are empty, and it is no wider for them.
    pub const fn spills(self) -> Self {
        let spills = true;
        Self { spills, ..self }
    }

    /// A column of numbers, which stand right.
    pub const fn right(self) -> Self {
        let holds = Holds::Numbers;
        Self { holds, ..self }
    }

    /// A column of names or rolls: the number at the end of a name stays, and what a roll came to.
    pub const fn ends(self) -> Self {
        let holds = Holds::Ends;
        Self { holds, ..self }
    }

    /// It goes before columns of lower numbers do.
    pub const fn priority(self, priority: u8) -> Self {
        Self { priority, ..self }
    }
}

/// What a column shows of a thing.
type Cell<'a, T> = Box<dyn Fn(&T) -> Line<'a> + 'a>;

/// Columns with what they show of each thing.
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

    /// What the columns with a title say of a thing.
    pub fn titled(&self, thing: &T) -> Vec<(&'static str, Line<'a>)> {
        let titled = self.0.iter().filter(|(column, _)| !column.title.is_empty());
        let told = titled.map(|(column, cell)| (column.title, cell(thing)));
        told.filter(|(_, line)| line_columns(line) > 0).collect()
    }

    /// Lays out a row for each thing, and an empty one for each `None`.
    pub fn lay_out(
        self,
        things: impl IntoIterator<Item = Option<T>>,
        width: u16,
        gap: u16,
    ) -> Grid {
        let cells = |thing: T| self.0.iter().map(|(_, cell)| owned(cell(&thing))).collect();
        let rows = things.into_iter();
        let rows = rows.map(|thing| thing.map_or_else(Vec::new, cells));
        let rows: Vec<Vec<Line<'static>>> = rows.collect();
        let columns = self.0.iter().map(|(column, _)| *column).enumerate();
        let places = columns.map(|(index, column)| PlacedColumn::new(index, column, &rows));
        let (places, room) = (places.collect(), width.saturating_sub(GUTTER));
        let (places, is_cut) = share_out(places, room, gap);
        Grid {
            places,
            rows,
            is_cut,
        }
    }
}

/// A column that found room: where it begins in a line, how wide it is, and would like to be.
#[derive(Debug)]
struct PlacedColumn {
    index: usize,
    column: Column,
    x: u16,
    width: u16,
    wanted: u16,
    is_empty: bool,
}

/// Shares out so much room. Returns also whether a column found none that says something.
fn share_out(mut places: Vec<PlacedColumn>, room: u16, mut gap: u16) -> (Vec<PlacedColumn>, bool) {
    let total = |places: &[PlacedColumn], gap: u16| {
        let gaps = u16::try_from(places.len().saturating_sub(1)).unwrap_or(0) * gap;
        let widths = places.iter().map(|place| place.width);
        widths.fold(gaps, u16::saturating_add)
    };
    let mut is_cut = false;
    while total(&places, gap) > room {
        let rank = |(_, place): &(usize, &PlacedColumn)| (place.is_empty, place.column.priority);
        let may_go = places.iter().enumerate();
        let may_go = may_go.filter(|(_, place)| place.column.priority > 0);
        match may_go.max_by_key(rank) {
            // Numbers stand closer before one of them goes.
            Some((_, one)) if gap > 1 && !one.is_empty && one.column.holds == Holds::Numbers => {
                gap = 1;
            }
            Some((at, _)) => is_cut |= !places.remove(at).is_empty,
            None => break,
        }
    }
    while total(&places, gap) > room {
        match places.iter_mut().max_by_key(|place| place.width) {
            Some(widest) if widest.width > LEAST => widest.width -= 1,
            _ => break,
        }
    }
    let mut spare = room.saturating_sub(total(&places, gap));
    for place in &mut places {
        let more = place.wanted.saturating_sub(place.width).min(spare);
        place.width += more;
        spare -= more;
    }
    if let Some(place) = places.iter_mut().find(|place| place.column.grows) {
        place.width += spare;
    }
    let mut x = GUTTER;
    for place in &mut places {
        place.x = x;
        x += place.width + gap;
    }
    (places, is_cut)
}

/// Things in columns, which need not be there any longer.
#[derive(Debug)]
pub struct Grid {
    places: Vec<PlacedColumn>,
    rows: Vec<Vec<Line<'static>>>,
    is_cut: bool,
}

impl Grid {
    /// Where a column stands in a line, if it found room.
    pub fn place(&self, column: usize, line: Rect) -> Option<Rect> {
        let place = self.places.iter().find(|place| place.index == column)?;
        Some(left(after(line, place.x), place.width))
    }

    /// Draws the titles of the columns; the one that keys act on stands out. A sign says that there are more.
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

    /// Draws a row, with a marker before the cell that keys act on.
    pub fn draw_row(
        &self,
        row: usize,
        cursor: Option<usize>,
        look: Appearance<'_>,
        line: Rect,
        buffer: &mut Buffer,
    ) {
        let Some(cells) = self.rows.get(row).filter(|cells| !cells.is_empty()) else {
            return;
        };
        for (nth, place) in self.places.iter().enumerate() {
            let cell = &cells[place.index];
            let behind = self.places[nth + 1..].iter();
            let free = behind.take_while(|place| line_columns(&cells[place.index]) == 0);
            let end = free.last().filter(|_| place.column.spills).unwrap_or(place);
            let spot = place.spot(cell, end, line);
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
    fn new(index: usize, column: Column, rows: &[Vec<Line<'_>>]) -> Self {
        let cells = rows.iter().filter_map(|row| row.get(index));
        let widest = cells.map(line_columns).max().unwrap_or(0);
        let least = column.least.max(columns(column.title));
        Self {
            index,
            column,
            x: 0,
            width: widest.min(column.at_first).max(least),
            wanted: widest.min(column.most).max(least),
            is_empty: widest == 0,
        }
    }

    /// Where a cell stands in a line, which goes on up to the end of another column.
    fn spot(&self, cell: &Line<'_>, end: &Self, line: Rect) -> Rect {
        let spot = left(after(line, self.x), end.x + end.width - self.x);
        if self.column.holds == Holds::Numbers {
            right(spot, line_columns(cell))
        } else {
            spot
        }
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
        // Whatever is drawn over it keeps its own colour.
        let bar = Style {
            fg: None,
            ..look.style(Role::Row)
        };
        buffer.set_style(line.intersection(buffer.area), bar);
        let marker = Line::styled(MARKER, look.style(Role::Marker));
        look.put(&marker, left(line, 1), buffer);
    }
    if marks.is_marked {
        let marked = Line::styled("✓", look.style(Role::Marked));
        look.put(&marked, left(after(line, 1), 1), buffer);
    }
}

/// Draws the cursor of a list that keys do not go to.
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
