//! A party as a sheet of cells: the first row names the fields, each other row is a character.

use super::{Draft, Party, Written, Wrong};
use crate::rules::Value;

pub(super) fn read(text: &str) -> Result<Party, Wrong> {
    // Some programs put semicolons where the comma is for decimals.
    let head = text.lines().next().unwrap_or_default();
    let semicolons = head.matches(';').count() > head.matches(',').count();
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(if semicolons { b';' } else { b',' })
        .trim(csv::Trim::All)
        .flexible(true)
        .from_reader(text.as_bytes());
    let wrong = |error: csv::Error| {
        let line = error.position().map_or(1, csv::Position::line);
        Wrong::new(as_line(line), format!("it is no table of cells: {error}"))
    };
    let heads = reader.headers().map_err(wrong)?.clone();
    let mut drafts = Vec::new();
    for record in reader.records() {
        let record = record.map_err(wrong)?;
        let line = as_line(record.position().map_or(0, csv::Position::line));
        if record.iter().all(str::is_empty) {
            continue;
        }
        if record.len() > heads.len() {
            let what = format!(
                "there are {} cells, and the first row names {} fields",
                record.len(),
                heads.len()
            );
            return Err(Wrong::new(line, what));
        }
        // An empty cell says nothing.
        let cells = heads
            .iter()
            .zip(&record)
            .filter(|(_, cell)| !cell.is_empty());
        let fields = cells.map(|(name, cell)| Written {
            name: name.to_owned(),
            value: Value::Text(cell.to_owned()),
            line,
        });
        drafts.push(Draft {
            line,
            fields: fields.collect(),
        });
    }
    Ok(Party {
        system: None,
        drafts,
    })
}

fn as_line(line: u64) -> usize {
    usize::try_from(line).unwrap_or(usize::MAX)
}
