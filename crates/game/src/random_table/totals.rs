//! The totals of a row: parsing them, and comparing them with the totals that dice can show.

use std::ops::RangeInclusive;

use super::draft::MOST_ROWS;
use tableside_dice::notation::{Notation, ascii_form};

/// Reads the totals of a row, also with the dashes that books print.
pub(super) fn read_range(written: &str, possible: (i64, i64)) -> Option<RangeInclusive<i64>> {
    let ascii_text: String = written.trim().chars().map(ascii_form).collect();
    parse_range(&ascii_text, possible)
}

/// Parses `7`, `2-8` or `12+`. A number can begin with a minus sign.
fn parse_range(text: &str, possible: (i64, i64)) -> Option<RangeInclusive<i64>> {
    if let Some(total) = parse_total(text, possible) {
        return Some(total..=total);
    }
    if let Some(start) = text.strip_suffix('+') {
        let from = parse_total(start, possible)?;
        return Some(from..=i64::MAX);
    }

    // The first character may be a minus sign.
    let mut later_characters = text.char_indices().skip(1);
    let (dash, _) = later_characters.find(|(_, sign)| *sign == '-')?;
    let start = text.get(..dash)?;
    let end = text.get(dash + 1..)?;
    let from = parse_total(start, possible)?;
    let to = parse_total(end, possible)?;
    if from <= to { Some(from..=to) } else { None }
}

/// Parses a total as books print it: on a d100, `00` is 100, and on a d10, `0` is 10.
///
/// Zeros mean the largest total if it is the power of ten with as many zeros, and if the dice cannot show 0.
fn parse_total(text: &str, possible: (i64, i64)) -> Option<i64> {
    let text = text.trim();
    let total: i64 = text.parse().ok()?;

    let (least, most) = possible;
    let is_all_zeros = text.bytes().all(|digit| digit == b'0');
    let power_of_ten = u32::try_from(text.len())
        .ok()
        .and_then(|zeros| 10_i64.checked_pow(zeros));
    if is_all_zeros && least > 0 && power_of_ten == Some(most) {
        return Some(most);
    }
    Some(total)
}

/// The totals that the dice can show, smallest first. If the odds take too long to compute, every total in the range of
/// the dice counts as possible.
pub(super) fn possible_totals(notation: &Notation) -> Vec<i64> {
    let (least, most) = notation.range();
    if notation.is_quick()
        && let Ok(odds) = notation.odds()
    {
        return odds
            .distribution
            .chances()
            .map(|(total, _)| total)
            .collect();
    }
    let count = i64::try_from(MOST_ROWS).unwrap_or(i64::MAX);
    (least..=most.min(least.saturating_add(count))).collect()
}

/// Returns the first total within a range that the dice can show.
pub(super) fn first_possible(notation: &Notation, mut range: RangeInclusive<i64>) -> Option<i64> {
    if range.is_empty() {
        return None;
    }
    if !notation.is_quick() {
        return range.next();
    }

    match notation.odds() {
        Ok(odds) => odds
            .distribution
            .chances()
            .map(|(total, _)| total)
            .find(|total| range.contains(total)),
        Err(_) => range.next(),
    }
}
