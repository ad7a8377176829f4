//! A small column chart of chances.

/// The number of rows of a curve.
pub const HEIGHT: u16 = 5;

/// The signs that fill 0 to 8 eighths of a row.
const EIGHTHS: [&str; 9] = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];

/// Chances, each 0 to 1, drawn as columns side by side.
#[derive(Clone, Copy, Debug)]
pub struct Curve<'a>(pub &'a [f64]);

/// The widths of the columns of a curve.
struct Spacing {
    column: usize,
    gap: usize,
}

impl Spacing {
    /// Returns the distance from a column to the next one.
    fn step(&self) -> usize {
        self.column + self.gap
    }
}

impl Curve<'_> {
    /// Returns the widest columns with which all chances fit, or else the narrowest ones.
    fn spacing(&self, width: u16) -> Spacing {
        let room = usize::from(width);
        let count = self.0.len();
        if count * 3 <= room {
            Spacing { column: 2, gap: 1 }
        } else if count * 2 <= room {
            Spacing { column: 1, gap: 1 }
        } else {
            Spacing { column: 1, gap: 0 }
        }
    }

    /// Returns the number of columns that fit into this width.
    pub fn shown(&self, width: u16) -> usize {
        let step = self.spacing(width).step();
        let fitting = usize::from(width) / step;
        self.0.len().min(fitting)
    }

    /// Returns the rows, from top to bottom.
    pub fn rows(&self, width: u16) -> Vec<String> {
        let spacing = self.spacing(width);
        let chances = &self.0[..self.shown(width)];

        let mut rows = Vec::new();
        for rows_below in (0..HEIGHT).rev() {
            let mut row = String::new();
            for chance in chances {
                let sign = column_part(*chance, rows_below, HEIGHT);
                row.push_str(&sign.repeat(spacing.column));
                row.push_str(&" ".repeat(spacing.gap));
            }
            rows.push(row);
        }
        rows
    }

    /// Returns the numbers below the columns, as far as they fit.
    pub fn feet(&self, width: u16) -> String {
        let spacing = self.spacing(width);
        let mut feet = String::new();
        for number in 1..=self.shown(width) {
            // Among narrow columns, only the first one and every fifth one have a number.
            let is_narrow = spacing.column == 1;
            if is_narrow && number != 1 && !number.is_multiple_of(5) {
                continue;
            }

            let start = (number - 1) * spacing.step();
            let is_free = feet.is_empty() || feet.len() < start;
            if is_free {
                feet.push_str(&" ".repeat(start - feet.len()));
                feet.push_str(&number.to_string());
            }
        }
        feet
    }
}

/// Returns a chart with one row. The most likely chance fills the row.
pub fn sparks(chances: &[f64]) -> String {
    let highest = chances.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
    chances
        .iter()
        .map(|chance| column_part(chance / highest, 0, 1))
        .collect()
}

/// Returns the part of a chance's column in one row of a chart. The chart has `rows` rows, and `below` of them are
/// below this row.
///
/// A possible chance is always visible.
pub fn column_part(chance: f64, below: u16, rows: u16) -> &'static str {
    let share = chance.clamp(0.0, 1.0);
    let column_eighths = (share * f64::from(rows) * 8.0).round();
    let eighths_below = f64::from(below) * 8.0;
    let must_be_visible = below == 0 && chance > 0.0;
    let least = if must_be_visible { 1.0 } else { 0.0 };
    let filled = (column_eighths - eighths_below).max(least);

    let eighth = (0..=8_u8)
        .rev()
        .find(|eighth| f64::from(*eighth) <= filled)
        .unwrap_or(0);
    EIGHTHS[usize::from(eighth)]
}
