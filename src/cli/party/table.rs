//! A party as a table of cells, which a spreadsheet saved.

use std::path::Path;

use super::{CharacterState, Draft, PartyFile};
use tableside_rules::Value;
use tableside_text::is_same_name;

/// Returns true if a file is a table of cells, by its name or by the tabs in its text.
pub(in crate::cli) fn is_table(path: &Path, text: &str) -> bool {
    let extension = path.extension().unwrap_or_default().to_string_lossy();
    match extension.to_lowercase().as_str() {
        "csv" | "tsv" | "tab" => true,
        "txt" => text.contains('\t'),
        _ => false,
    }
}

/// Reads a table. The first row names the fields, and each other row is a character. Empty cells are left out.
pub(super) fn read_csv(text: &str) -> Result<PartyFile, String> {
    let (text, separator) = separator_of(text);
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(separator)
        .trim(csv::Trim::All)
        .flexible(true)
        .has_headers(false)
        .from_reader(text.as_bytes());

    let mut headings: Option<Vec<String>> = None;
    let mut drafts = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| format!("it is no table of cells: {error}"))?;
        let line = record.position().map_or(1, csv::Position::line);
        let place = format!("line {line}");

        let mut cells: Vec<&str> = record.iter().map(str::trim).collect();
        while cells.last().is_some_and(|cell| cell.is_empty()) {
            cells.pop();
        }
        if cells.is_empty() {
            continue;
        }

        let Some(headings) = &headings else {
            headings = Some(read_headings(&cells, &place)?);
            continue;
        };
        let fields = read_fields(&cells, headings, &place)?;
        drafts.push(Draft {
            place,
            fields,
            state: CharacterState::default(),
        });
    }

    Ok(PartyFile {
        drafts,
        ..PartyFile::default()
    })
}

/// Returns the text without a line `sep=;`, and the separator of its cells.
///
/// Without such a line, it is the sign that the first row has most often outside of quotation marks.
pub(in crate::cli) fn separator_of(text: &str) -> (&str, u8) {
    let text = text.trim_start_matches('\n');
    let (first_line, other_lines) = text.split_once('\n').unwrap_or((text, ""));
    if let Some(declared) = first_line.trim().strip_prefix("sep=")
        && let &[separator] = declared.as_bytes()
    {
        return (other_lines, separator);
    }

    let mut separator = ',';
    for candidate in [';', '\t'] {
        if count_unquoted(first_line, candidate) > count_unquoted(first_line, separator) {
            separator = candidate;
        }
    }
    (text, u8::try_from(separator).unwrap_or(b','))
}

/// Counts how often a line has a sign outside of quotation marks.
fn count_unquoted(line: &str, sign: char) -> usize {
    line.split('"')
        .step_by(2)
        .map(|unquoted| unquoted.matches(sign).count())
        .sum()
}

/// Returns the names in the first row.
fn read_headings(cells: &[&str], place: &str) -> Result<Vec<String>, String> {
    for (index, cell) in cells.iter().enumerate() {
        let is_repeated = cells[..index]
            .iter()
            .any(|earlier| is_same_name(earlier, cell));
        if !cell.is_empty() && is_repeated {
            return Err(format!(
                "{place}: two columns are named {cell:?}; names must differ"
            ));
        }
    }
    Ok(cells.iter().map(|cell| (*cell).to_owned()).collect())
}

/// Returns the fields of a row.
fn read_fields(
    cells: &[&str],
    headings: &[String],
    place: &str,
) -> Result<Vec<(String, Value)>, String> {
    let cell_count = cells.len();
    let heading_count = headings.len();
    if cell_count > heading_count {
        return Err(format!(
            "{place}: there are {cell_count} cells, and the first row names {heading_count} fields"
        ));
    }

    let mut fields = Vec::new();
    for (column, (heading, cell)) in (1..).zip(headings.iter().zip(cells)) {
        if cell.is_empty() {
            continue;
        }
        if heading.is_empty() {
            return Err(format!(
                "{place}: {cell:?} is in column {column}, which has no name in the first row; name the column, or empty the cell"
            ));
        }
        fields.push((heading.clone(), (*cell).into()));
    }
    Ok(fields)
}
