//! The file of a random table.
//!
//! ```toml
//! title = "On the road"   # default: the name of the file
//! dice = "2d6"            # a dice expression
//! hidden = false          # players see the rolls; by default only the GM does
//!
//! [[rows]]
//! on = "2-8"
//! text = "An empty road"
//!
//! [[rows]]
//! on = "9-12"
//! text = "A merchant with 2d6 guards"
//! roll = "goods"          # another table, or several: ["goods", "moods"]
//! ```
//!
//! Rows without `on` have a `weight`, by default 1.

use std::fmt::Write as _;

use serde::Deserialize;

use super::draft::{RowDraft, RowPlace, TableDraft};
use super::{RandomTable, TableRow};
use tableside_text::describe_toml_error;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TableFile {
    /// The title of the table; otherwise the name of the file.
    title: Option<String>,
    /// The dice, as in `2d6`. Without this entry, the program finds dice that fit the rows.
    dice: Option<String>,
    /// Whether only the GM sees the rolls, by default `true`. In a roll that begins at another table, the default is that
    /// table's setting.
    hidden: Option<bool>,
    rows: Vec<RowFile>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RowFile {
    /// The totals that lead to the row: `7`, `"2-8"` or `"9+"`. Each total has one row.
    on: Option<Totals>,
    /// The weight of the row if the rows have no totals, by default 1.
    weight: Option<usize>,
    /// The text. Dice in it are rolled, as in `2d6 goblins`. The text may be left out if the row rolls on another
    /// table.
    #[serde(default)]
    text: String,
    /// The table that the row rolls on, or several in a list. `[[goods]]` in the text means the same.
    #[serde(default)]
    roll: TableNames,
}

/// The totals of a row: `7`, `"2-8"` or `"12+"`.
#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "on must be a number or a range, as in 7, \"2-8\" or \"12+\""
)]
enum Totals {
    Number(i64),
    Range(String),
}

#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "roll must name a table or several, as in \"goods\" or [\"goods\", \"moods\"]"
)]
enum TableNames {
    One(String),
    Several(Vec<String>),
}

impl Default for TableNames {
    fn default() -> Self {
        Self::Several(Vec::new())
    }
}

/// Reads a table from the text of its file. `name` is the file's name without its ending.
pub(super) fn read_table(name: &str, text: &str) -> Result<RandomTable, String> {
    let file: TableFile =
        toml::from_str(text).map_err(|error| describe_toml_error(text, &error))?;

    let mut rows = Vec::new();
    for row in file.rows {
        rows.push(row.draft()?);
    }
    let draft = TableDraft {
        title: file.title,
        dice: file.dice,
        hidden: file.hidden,
        rows,
    };
    draft.build(name).map_err(|problem| problem.message)
}

impl RowFile {
    fn draft(self) -> Result<RowDraft, String> {
        let place = match (self.on, self.weight) {
            (Some(_), Some(_)) => {
                return Err("a row cannot have both on and weight; remove one of them".to_owned());
            }
            (Some(Totals::Number(number)), None) => RowPlace::Totals(number.to_string()),
            (Some(Totals::Range(range)), None) => RowPlace::Totals(range),
            (None, weight) => RowPlace::Weight(weight.unwrap_or(1)),
        };
        let roll = match self.roll {
            TableNames::One(name) => vec![name],
            TableNames::Several(names) => names,
        };
        Ok(RowDraft {
            place,
            text: self.text,
            roll,
        })
    }
}

/// Writes a table in the form of its file.
pub(super) fn write_table(table: &RandomTable) -> String {
    let mut file = String::new();
    let mut add = |line: String| writeln!(file, "{line}").expect("writing to a String cannot fail");

    add(format!("title = {}", quote(&table.title)));
    add(format!("dice = {}", quote(&table.dice)));
    if let Some(hidden) = table.hidden {
        add(format!("hidden = {hidden}"));
    }
    for row in &table.rows {
        add(format!("\n[[rows]]\non = {}", quote(&row.totals())));
        if !row.text.is_empty() {
            add(format!("text = {}", quote(&row.text)));
        }
        if !row.roll.is_empty() {
            add(format!("roll = {}", quote_names(row)));
        }
    }
    file
}

fn quote(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

fn quote_names(row: &TableRow) -> String {
    let names = row.roll.iter().cloned().map(toml::Value::String);
    toml::Value::Array(names.collect()).to_string()
}
