//! The text form of a random table: a row on each line.
//!
//! ```text
//! # On the road
//! dice: 2d6
//! hidden: no
//!
//! 2-8   An empty road
//! 9+    A merchant with 2d6 guards [[goods]]
//! ```
//!
//! Lists and tables in Markdown have the same form. `3x` before a row without totals gives it three times the weight.

use std::fmt::Write as _;

use super::RandomTable;
use super::draft::{RowDraft, RowPlace, TableDraft};
use tableside_dice::notation::{Notation, ascii_form};

/// Reads a table from lines of text. Errors name the line.
pub(super) fn read_lines(name: &str, text: &str) -> Result<RandomTable, String> {
    let mut draft = TableDraft::default();
    // The line of each row, counted from 1.
    let mut row_lines = Vec::new();

    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    for (index, line) in lines.iter().enumerate() {
        let number = index + 1;
        let next_line = lines.get(index + 1);
        let is_header = next_line.is_some_and(|next| is_separator(next));
        if is_header && line.starts_with('|') {
            draft.dice = draft.dice.or_else(|| dice_of_header(line));
            continue;
        }
        if line.is_empty() || is_separator(line) || line.starts_with("```") {
            continue;
        }
        if let Some(title) = line.strip_prefix('#') {
            let bare_title = title.trim_start_matches('#').trim();
            draft.title.get_or_insert_with(|| bare_title.to_owned());
            continue;
        }
        if let Some((setting, value)) = split_setting(line) {
            take_setting(&mut draft, setting, value)
                .map_err(|problem| format!("line {number}: {problem}"))?;
            continue;
        }
        draft.rows.push(read_row(line));
        row_lines.push(number);
    }

    draft.build(name).map_err(|problem| match problem.row {
        Some(row) => format!("line {}: {}", row_lines[row], problem.message),
        None => problem.message,
    })
}

/// Reads a table from rows of cells: the totals or the weight, and the text. Errors name the row.
pub(super) fn read_cells(name: &str, records: &[Vec<String>]) -> Result<RandomTable, String> {
    let mut draft = TableDraft::default();
    let mut row_numbers = Vec::new();
    let mut is_weighted = false;

    for (index, cells) in records.iter().enumerate() {
        let first = match cells.first() {
            Some(cell) => cell.trim(),
            None => "",
        };
        let has_digit = first.contains(|character: char| character.is_ascii_digit());
        let is_dice = first
            .parse::<Notation>()
            .is_ok_and(|dice| dice.rolls_dice());
        if index == 0 && cells.len() > 1 && (!has_digit || is_dice) {
            is_weighted = first.to_lowercase().starts_with("weight");
            if is_dice {
                draft.dice = Some(first.to_owned());
            }
            continue;
        }
        if cells.iter().all(|cell| cell.trim().is_empty()) {
            continue;
        }
        let row = match cells.as_slice() {
            [text] => RowDraft {
                place: RowPlace::Weight(1),
                text: text.clone(),
                roll: Vec::new(),
            },
            [place, text @ ..] => {
                let place = read_cell_place(place.trim(), is_weighted)
                    .map_err(|problem| format!("row {}: {problem}", index + 1))?;
                let joined = text.join(" ");
                RowDraft {
                    place,
                    text: joined.trim().to_owned(),
                    roll: Vec::new(),
                }
            }
            [] => continue,
        };
        draft.rows.push(row);
        row_numbers.push(index + 1);
    }

    draft.build(name).map_err(|problem| match problem.row {
        Some(row) => format!("row {}: {}", row_numbers[row], problem.message),
        None => problem.message,
    })
}

/// Writes a table as lines of text, as [`read_lines`] reads them.
pub(super) fn write_lines(table: &RandomTable) -> String {
    let mut text = String::new();
    let mut add = |line: String| writeln!(text, "{line}").expect("writing to a String cannot fail");

    add(format!("# {}", table.title));
    add(format!("dice: {}", table.dice));
    if let Some(hidden) = table.hidden {
        let answer = if hidden { "yes" } else { "no" };
        add(format!("hidden: {answer}"));
    }
    for row in &table.rows {
        let mut line = format!("{:<6} {}", row.totals(), row.text);
        for name in &row.roll {
            line.extend([" [[", name.as_str(), "]]"]);
        }
        add(line);
    }
    text
}

fn read_cell_place(cell: &str, is_weighted: bool) -> Result<RowPlace, String> {
    if !is_weighted {
        return Ok(RowPlace::Totals(cell.to_owned()));
    }
    match cell.parse() {
        Ok(weight) => Ok(RowPlace::Weight(weight)),
        Err(_) => Err(format!(
            "{cell:?} is not a weight; a weight is a whole number"
        )),
    }
}

/// True for the line between the header and the rows of a Markdown table, and for a horizontal rule.
fn is_separator(line: &str) -> bool {
    let is_mark = |character| matches!(character, '|' | '-' | ':' | ' ');
    line.contains("---") && line.chars().all(is_mark)
}

/// The dice in the first cell of a header: `| d66 | Encounter |`.
fn dice_of_header(line: &str) -> Option<String> {
    let mut cells = line.trim_matches('|').split('|');
    let first = cells.next()?.trim();
    let notation: Notation = first.parse().ok()?;
    if notation.rolls_dice() {
        Some(first.to_owned())
    } else {
        None
    }
}

/// Splits a line such as `dice: 2d6`. `None` for other lines.
fn split_setting(line: &str) -> Option<(&'static str, &str)> {
    let (name, value) = line.split_once(':')?;
    for setting in ["dice", "hidden"] {
        if setting.eq_ignore_ascii_case(name.trim()) {
            return Some((setting, value.trim()));
        }
    }
    None
}

fn take_setting(draft: &mut TableDraft, setting: &str, value: &str) -> Result<(), String> {
    if setting == "dice" {
        if let Err(error) = value.parse::<Notation>() {
            return Err(format!("dice {value:?}: {error}"));
        }
        draft.dice = Some(value.to_owned());
        return Ok(());
    }

    draft.hidden = match value.to_lowercase().as_str() {
        "yes" | "true" => Some(true),
        "no" | "false" => Some(false),
        _ => return Err(format!("hidden must be yes or no, not {value:?}")),
    };
    Ok(())
}

/// The start of a row, and its text.
struct SplitRow<'a> {
    place: RowPlace,
    text: &'a str,
}

fn read_row(line: &str) -> RowDraft {
    let plain_line = line.replace("**", "");
    let SplitRow { place, text } = match plain_line.strip_prefix('|') {
        Some(cells) => split_cells(cells),
        None => split_place(&plain_line),
    };
    RowDraft {
        place,
        text: text.to_owned(),
        roll: Vec::new(),
    }
}

/// Splits a row of a Markdown table: `3 | A merchant |`. A row whose first cell is empty or missing has no totals.
fn split_cells(cells: &str) -> SplitRow<'_> {
    let row = cells.trim_end().trim_end_matches('|');
    let (first_cell, text) = match row.split_once('|') {
        Some(cells) => cells,
        None => ("", row),
    };

    let totals = first_cell.trim();
    let place = if totals.is_empty() {
        RowPlace::Weight(1)
    } else {
        RowPlace::Totals(totals.to_owned())
    };
    SplitRow {
        place,
        text: text.trim(),
    }
}

/// Splits a line into the totals or weight at its start, and its text.
///
/// A number behind a bullet belongs to the text: `- 3 goblins`. A range or `12.` does not.
fn split_place(line: &str) -> SplitRow<'_> {
    let bullets = ["- ", "* ", "+ ", "• "];
    let after_bullet = bullets.iter().find_map(|bullet| line.strip_prefix(bullet));
    let row = after_bullet.unwrap_or(line).trim_start();

    if let Some(weighted) = split_weight(row) {
        return weighted;
    }

    let length = length_of_totals(row);
    let (totals, after_totals) = row.split_at(length);
    let after_mark = after_totals.strip_prefix(['.', ')', ':']);
    let text = after_mark.unwrap_or(after_totals);

    let is_number = totals.bytes().all(|byte| byte.is_ascii_digit());
    let belongs_to_text = after_bullet.is_some() && is_number && after_mark.is_none();
    let is_separate = text.is_empty() || text.starts_with(char::is_whitespace);
    if length == 0 || belongs_to_text || !is_separate {
        return SplitRow {
            place: RowPlace::Weight(1),
            text: row,
        };
    }

    SplitRow {
        place: RowPlace::Totals(totals.trim().to_owned()),
        text: strip_dash(text.trim()),
    }
}

/// Splits a row with a weight: `3x A merchant`.
fn split_weight(row: &str) -> Option<SplitRow<'_>> {
    let (number, text) = row.split_once(['x', '×'])?;
    let weight = number.parse().ok()?;
    if !text.starts_with(char::is_whitespace) {
        return None;
    }
    Some(SplitRow {
        place: RowPlace::Weight(weight),
        text: text.trim(),
    })
}

/// Removes the dash that books print between number and text: `3 – A merchant`.
fn strip_dash(text: &str) -> &str {
    let is_dash = |character| ascii_form(character) == '-';
    text.strip_prefix(is_dash).unwrap_or(text).trim_start()
}

/// The length in bytes of the totals at the start of a line: `7`, `01–50`, `2 - 8`, `12+`. 0 without totals.
fn length_of_totals(line: &str) -> usize {
    let Some(after_from) = strip_number(line) else {
        return 0;
    };
    let from = line.len() - after_from.len();
    if after_from.starts_with('+') {
        return from + 1;
    }

    let is_dash = |character| ascii_form(character) == '-';
    let after_spaces = after_from.trim_start_matches(' ');
    let after_to = match after_spaces.strip_prefix(is_dash) {
        Some(text) => strip_number(text.trim_start_matches(' ')),
        None => None,
    };
    match after_to {
        Some(after_to) => line.len() - after_to.len(),
        None => from,
    }
}

/// Returns the text behind a number, which may begin with a minus sign.
fn strip_number(text: &str) -> Option<&str> {
    let is_dash = |character| ascii_form(character) == '-';
    let unsigned = text.strip_prefix(is_dash).unwrap_or(text);
    let after_digits = unsigned.trim_start_matches(|character: char| character.is_ascii_digit());
    if after_digits.len() == unsigned.len() {
        None
    } else {
        Some(after_digits)
    }
}
