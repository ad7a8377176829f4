//! A small curve of chances that rise from roll to roll.

/// The rows of a curve.
pub const HEIGHT: u16 = 5;

/// Eighths of a row.
const EIGHTHS: [&str; 9] = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];

/// Chances, each 0 to 1, drawn as columns side by side.
#[derive(Clone, Copy, Debug)]
pub struct Curve<'a>(pub &'a [f64]);

impl Curve<'_> {
    /// So wide is a column, with the gap behind it, where so many have to stand in that width.
    fn step(&self, width: u16) -> (usize, usize) {
        let room = usize::from(width);
        match self.0.len() {
            many if many * 3 <= room => (2, 1),
            many if many * 2 <= room => (1, 1),
            _ => (1, 0),
        }
    }

    /// How many columns stand in that width.
    pub fn shown(&self, width: u16) -> usize {
        let (wide, gap) = self.step(width);
        self.0.len().min(usize::from(width) / (wide + gap))
    }

    /// The rows, from the top.
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

    /// The numbers beneath the columns, as many as have room.
    pub fn feet(&self, width: u16) -> String {
        let (wide, gap) = self.step(width);
        let mut feet = String::new();
        for number in 1..=self.shown(width) {
            let at = (number - 1) * (wide + gap);
            let word = number.to_string();
            // Where columns are narrow, only some are numbered.
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

/// Chances beside each other in one row, each beside the likeliest of them.
pub fn sparks(chances: &[f64]) -> String {
    let most = chances.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
    let signs = chances
        .iter()
        .map(|chance| column_part(chance / most, 0, 1));
    signs.collect()
}

/// What a column shows in the row with so many rows below it, of so many: how much of it a chance fills. What
/// is possible shows.
pub fn column_part(chance: f64, below: u16, rows: u16) -> &'static str {
    let whole = f64::from(rows) * 8.0;
    let filled = (chance.clamp(0.0, 1.0) * whole).round() - f64::from(below) * 8.0;
    let least = if below == 0 && chance > 0.0 { 1.0 } else { 0.0 };
    let fits = |eighth: &u8| f64::from(*eighth) <= filled.max(least);
    let eighth = (0..=8).rev().find(fits);
    EIGHTHS[eighth.map_or(0, usize::from)]
}
