//! A small column chart of chances.

/// The rows of a curve.
pub const HEIGHT: u16 = 5;

/// Eighths of a row.
const EIGHTHS: [&str; 9] = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];

/// Chances, each 0 to 1, drawn as columns side by side.
#[derive(Clone, Copy, Debug)]
pub struct Curve<'a>(pub &'a [f64]);

impl Curve<'_> {
    /// Returns the width of a column and of the gap after it.
    fn step(&self, width: u16) -> (usize, usize) {
        let room = usize::from(width);
        match self.0.len() {
            many if many * 3 <= room => (2, 1),
            many if many * 2 <= room => (1, 1),
            _ => (1, 0),
        }
    }

    /// Returns the number of columns that fit into this width.
    pub fn shown(&self, width: u16) -> usize {
        let (wide, gap) = self.step(width);
        self.0.len().min(usize::from(width) / (wide + gap))
    }

    /// Returns the rows, from top to bottom.
    pub fn rows(&self, width: u16) -> Vec<String> {
        let (wide, gap) = self.step(width);
        let shown = &self.0[..self.shown(width)];
        let row = |from_top: u16| {
            let below = HEIGHT - 1 - from_top;
            let column = |chance: &f64| {
                let sign = column_part(*chance, below, HEIGHT);
                format!("{}{}", sign.repeat(wide), " ".repeat(gap))
            };
            shown.iter().map(column).collect::<String>()
        };
        (0..HEIGHT).map(row).collect()
    }

    /// Returns the numbers below the columns, as far as they fit.
    pub fn feet(&self, width: u16) -> String {
        let (wide, gap) = self.step(width);
        let mut feet = String::new();
        for number in 1..=self.shown(width) {
            let at = (number - 1) * (wide + gap);
            let word = number.to_string();
            // Of narrow columns, only the first and each fifth one have a number.
            let is_told = wide > 1 || number == 1 || number.is_multiple_of(5);
            let is_free = feet.is_empty() || feet.len() < at;
            if is_told && is_free {
                feet.push_str(&" ".repeat(at - feet.len()));
                feet.push_str(&word);
            }
        }
        feet
    }
}

/// Returns a chart with one row. The most likely chance fills the row.
pub fn sparks(chances: &[f64]) -> String {
    let most = chances.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
    let signs = chances
        .iter()
        .map(|chance| column_part(chance / most, 0, 1));
    signs.collect()
}

/// Returns the part of a chance's column in one row of a chart with `rows` rows, of which `below` are below this row.
///
/// A possible chance is always visible.
pub fn column_part(chance: f64, below: u16, rows: u16) -> &'static str {
    let whole = f64::from(rows) * 8.0;
    let filled = (chance.clamp(0.0, 1.0) * whole).round() - f64::from(below) * 8.0;
    let least = if below == 0 && chance > 0.0 { 1.0 } else { 0.0 };
    let fits = |eighth: &u8| f64::from(*eighth) <= filled.max(least);
    let eighth = (0..=8).rev().find(fits);
    EIGHTHS[eighth.map_or(0, usize::from)]
}
