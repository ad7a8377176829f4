//! Small plots of letters: columns in pairs.

use crate::screen::dialog::reading::Part;
use crate::screen::theme::Role;

type Parts = Vec<Part>;

/// The eighths of a column, from nothing to all.
const EIGHTHS: [&str; 9] = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];

/// What a column shows in one row: `level` is in eighths of a row, and rows are counted from the foot.
fn cell(level: u64, row: u64, full: &'static str, ascii: bool) -> &'static str {
    let here = usize::try_from(level.saturating_sub(row * 8).min(8)).unwrap_or(8);
    match (ascii, here) {
        (true, 0..4) => " ",
        (true, _) => full,
        (false, here) => EIGHTHS[here],
    }
}

/// How high a value stands where `most` is all of so many rows; something is never nothing.
fn level(value: f64, most: f64, rows: u64) -> u64 {
    let eighths = crate::dice::float(rows * 8) * value / most.max(f64::EPSILON);
    let whole = (0..=rows * 8).rev();
    let mut whole = whole.filter(|level| crate::dice::float(*level) <= eighths + 0.5);
    let level = whole.next().unwrap_or(0);
    if value > 0.0 { level.max(1) } else { level }
}

/// Beside each other for every face: how often it fell, and how often it was due.
pub(super) fn pairs(faces: &[(u8, u64)], due: f64, rows: u64, ascii: bool) -> Vec<Parts> {
    let fell = |count: u64| crate::dice::float(count);
    let most = faces.iter().map(|(_, count)| fell(*count));
    let most = most.fold(due, f64::max);
    let due = level(due, most, rows);
    let mut lines: Vec<Parts> = Vec::new();
    for row in (0..rows).rev() {
        let mut line = vec![(Role::Muted, "  ".to_owned())];
        for (_, count) in faces {
            let column = cell(level(fell(*count), most, rows), row, "#", ascii);
            line.push((Role::Info, column.to_owned()));
            let beside = cell(due, row, ":", ascii);
            line.push((Role::Border, format!("{beside} ")));
        }
        lines.push(line);
    }
    let names = faces.iter().map(|(face, _)| format!("{face:>2} "));
    lines.push(vec![(
        Role::Muted,
        format!("  {}", names.collect::<String>()),
    )]);
    lines
}

/// Which of two columns is which.
pub(super) fn legend(ascii: bool) -> Parts {
    let [fell, due] = if ascii { ["#", ":"] } else { ["█", "█"] };
    vec![
        (Role::Muted, "Each face: left ".to_owned()),
        (Role::Info, fell.to_owned()),
        (Role::Muted, " fell, right ".to_owned()),
        (Role::Border, due.to_owned()),
        (Role::Muted, " due".to_owned()),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(lines: &[Parts]) -> Vec<String> {
        let line = |line: &Parts| {
            line.iter()
                .map(|(_, text)| text.as_str())
                .collect::<String>()
        };
        lines
            .iter()
            .map(|parts| line(parts).trim_end().to_owned())
            .collect()
    }

    #[test]
    fn what_fell_stands_beside_what_was_due() {
        let plot = pairs(&[(1, 4), (2, 0), (3, 8), (4, 4)], 4.0, 2, false);
        assert_eq!(text(&plot), ["        █", "  ██  █ ██ ██", "   1  2  3  4"]);
        let plot = pairs(&[(1, 4), (2, 0), (3, 8), (4, 4)], 4.0, 2, true);
        assert_eq!(text(&plot), ["        #", "  #:  : #: #:", "   1  2  3  4"]);
    }

    #[test]
    fn nothing_is_drawn_of_nothing() {
        assert_eq!(text(&pairs(&[], 0.0, 1, false)), ["", ""]);
    }
}
