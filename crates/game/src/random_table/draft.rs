//! Assigns totals to the rows of a table.
//!
//! A row names its totals (`2-8`), or it has a weight. A table of weighted rows rolls one die with as many sides as the
//! weights add up to, unless it names its dice.

use std::iter;
use std::ops::RangeInclusive;

use super::totals::{first_possible, possible_totals, read_range};
use super::{RandomTable, TableRow, TableSource};
use crate::LONGEST_NAME;
use tableside_dice::notation::{Notation, NotationError};
use tableside_text::{join, sanitise, sanitise_name};

/// The longest text of a row, in characters.
const LONGEST_TEXT: usize = 500;

/// The maximum number of rows of a table.
pub(super) const MOST_ROWS: usize = 1_000;

/// The largest weight of a row.
const LARGEST_WEIGHT: usize = 1_000;

/// The dice that a table without `dice` may roll, besides one die with as many sides as its largest total.
const USUAL_DICE: [&str; 10] = [
    "d66", "d10", "2d6", "3d6", "2d4", "2d8", "2d10", "2d12", "2d20", "4dF",
];

/// A table before its rows are checked.
#[derive(Debug, Default)]
pub(super) struct TableDraft {
    pub(super) title: Option<String>,
    pub(super) dice: Option<String>,
    pub(super) hidden: Option<bool>,
    pub(super) rows: Vec<RowDraft>,
}

/// A row before its totals are checked.
#[derive(Debug)]
pub(super) struct RowDraft {
    pub(super) place: RowPlace,
    pub(super) text: String,
    /// The names of the tables that the row rolls on. Names in the text in double brackets are added to them.
    pub(super) roll: Vec<String>,
}

/// The totals that lead to a row, or its weight.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum RowPlace {
    /// Totals in text form: `7`, `2-8` or `12+`.
    Totals(String),
    Weight(usize),
}

/// A problem with a table, and the row that has it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct RowProblem {
    /// The index of the row in the draft. `None` if the problem concerns the whole table.
    pub(super) row: Option<usize>,
    pub(super) message: String,
}

/// A row and its index in the draft.
struct IndexedRow {
    index: usize,
    on: RangeInclusive<i64>,
}

/// The dice of a table, as an expression and parsed.
struct TableDice {
    expression: String,
    notation: Notation,
}

/// The dice of a table, and its rows by total.
struct PlacedRows {
    dice: TableDice,
    rows: Vec<IndexedRow>,
}

impl TableDice {
    fn parse(expression: &str) -> Result<Self, RowProblem> {
        let notation: Notation = expression.parse().map_err(|error: NotationError| {
            RowProblem::of_table(format!("dice {expression:?}: {error}"))
        })?;
        if notation.repetitions() > 1 {
            let message = format!("dice {expression:?}: a table cannot repeat its dice");
            return Err(RowProblem::of_table(message));
        }
        Ok(Self {
            expression: expression.to_owned(),
            notation,
        })
    }
}

impl RowProblem {
    fn of_table(message: impl Into<String>) -> Self {
        Self {
            row: None,
            message: message.into(),
        }
    }

    fn of_row(row: usize, message: impl Into<String>) -> Self {
        Self {
            row: Some(row),
            message: message.into(),
        }
    }
}

impl TableDraft {
    /// Checks the rows and assigns them their totals. `name` is the name of the table's file.
    pub(super) fn build(self, name: &str) -> Result<RandomTable, RowProblem> {
        if self.rows.is_empty() && self.dice.is_none() {
            return Err(RowProblem::of_table("the table has no rows"));
        }
        if self.rows.len() > MOST_ROWS {
            let count = self.rows.len();
            let message = format!("a table has at most {MOST_ROWS} rows, not {count}");
            return Err(RowProblem::of_table(message));
        }

        let named_dice = match &self.dice {
            Some(dice) => Some(TableDice::parse(dice)?),
            None => None,
        };
        let has_totals = |row: &RowDraft| matches!(row.place, RowPlace::Totals(_));
        let placed = if self.rows.is_empty() || self.rows.iter().any(has_totals) {
            self.place_by_totals(named_dice)?
        } else {
            self.place_by_weight(named_dice)?
        };
        let PlacedRows {
            dice,
            rows: mut placed,
        } = placed;
        placed.sort_by_key(|row| *row.on.start());
        self.check_rows(&dice, &placed)?;

        let mut texts: Vec<Option<RowDraft>> = self.rows.into_iter().map(Some).collect();
        let mut rows = Vec::new();
        for IndexedRow { index, on } in placed {
            if let Some(row) = texts[index].take() {
                rows.push(row.finish(on));
            }
        }

        let title = self.title.as_deref().unwrap_or(name).trim();
        Ok(RandomTable {
            name: name.to_owned(),
            title: sanitise_name(title, LONGEST_NAME),
            dice: dice.expression,
            notation: dice.notation,
            hidden: self.hidden,
            rows,
            source: TableSource::Own,
        })
    }

    /// Places rows by the totals that they name.
    fn place_by_totals(&self, named_dice: Option<TableDice>) -> Result<PlacedRows, RowProblem> {
        let dice = match named_dice {
            Some(dice) => dice,
            None => self.infer_dice()?,
        };
        let rows = self.read_totals(dice.notation.range())?;
        Ok(PlacedRows { dice, rows })
    }

    /// Reads the totals of each row. `possible` are the smallest and largest total of the dice.
    fn read_totals(&self, possible: (i64, i64)) -> Result<Vec<IndexedRow>, RowProblem> {
        let mut rows = Vec::new();
        for (index, row) in self.rows.iter().enumerate() {
            let RowPlace::Totals(written) = &row.place else {
                let message = "the row has no number; number all rows or none";
                return Err(RowProblem::of_row(index, message));
            };
            let Some(on) = read_range(written, possible) else {
                let message = format!(
                    "{:?} is not a range of totals; write it as 7, \"2-8\" or \"12+\"",
                    written.trim()
                );
                return Err(RowProblem::of_row(index, message));
            };
            rows.push(IndexedRow { index, on });
        }
        Ok(rows)
    }

    /// Finds the dice whose smallest and largest totals are those of the rows.
    fn infer_dice(&self) -> Result<TableDice, RowProblem> {
        let rows = self.read_totals((1, 100))?;
        let (least, most) = bounds(&rows);
        let one_die = format!("1d{most}");
        let candidates = iter::once(one_die.as_str()).chain(USUAL_DICE);
        for expression in candidates {
            let Ok(dice) = TableDice::parse(expression) else {
                continue;
            };
            let possible = dice.notation.range();
            if bounds(&self.read_totals(possible)?) == possible {
                return Ok(dice);
            }
        }

        let message = format!(
            "no common dice have exactly the totals {least} to {most}; name the dice, as in \"dice: 2d6\""
        );
        Err(RowProblem::of_table(message))
    }

    /// Gives each row as many totals as its weight, from the smallest total on.
    fn place_by_weight(&self, named_dice: Option<TableDice>) -> Result<PlacedRows, RowProblem> {
        let mut weights: Vec<usize> = Vec::new();
        for (index, row) in self.rows.iter().enumerate() {
            match row.place {
                RowPlace::Weight(weight) if (1..=LARGEST_WEIGHT).contains(&weight) => {
                    weights.push(weight);
                }
                _ => {
                    let message = format!("the weight of a row must be from 1 to {LARGEST_WEIGHT}");
                    return Err(RowProblem::of_row(index, message));
                }
            }
        }
        let sum: usize = weights.iter().sum();

        let dice = match named_dice {
            Some(dice) => dice,
            None => TableDice::parse(&format!("1d{sum}"))?,
        };
        let totals = possible_totals(&dice.notation);
        if totals.len() != sum {
            let count = totals.len();
            let message = format!(
                "{} has {count} totals, but the weights of the rows add up to {sum}; number the rows as in 2-8",
                dice.expression
            );
            return Err(RowProblem::of_table(message));
        }

        let mut rows = Vec::new();
        let mut used = 0;
        for (index, weight) in weights.into_iter().enumerate() {
            let on = totals[used]..=totals[used + weight - 1];
            rows.push(IndexedRow { index, on });
            used += weight;
        }
        Ok(PlacedRows { dice, rows })
    }

    /// Checks that each possible total has exactly one row. A total that the dice cannot show, such as 17 on a d66,
    /// needs no row.
    fn check_rows(&self, dice: &TableDice, rows: &[IndexedRow]) -> Result<(), RowProblem> {
        let notation = &dice.notation;
        let (least, most) = notation.range();
        let mut next_total = least;
        for row in rows {
            let from = *row.on.start();
            let to = *row.on.end();
            let draft = &self.rows[row.index];
            let has_text = !draft.text.trim().is_empty();
            if !has_text && draft.roll.is_empty() {
                let message =
                    format!("the row for {from} is empty; give it a text or a table to roll on");
                return Err(RowProblem::of_row(row.index, message));
            }
            if from < next_total && next_total > least {
                let message = format!("two rows have the total {from}");
                return Err(RowProblem::of_row(row.index, message));
            }
            let totals_between = next_total..=from.saturating_sub(1);
            if let Some(missing) = first_possible(notation, totals_between) {
                let message = format!("no row has the total {missing}");
                return Err(RowProblem::of_row(row.index, message));
            }
            next_total = to.saturating_add(1);
        }

        if let Some(missing) = first_possible(notation, next_total..=most) {
            let message = format!(
                "no row has the total {missing}; {} rolls up to {most}",
                dice.expression
            );
            return Err(RowProblem {
                row: rows.last().map(|row| row.index),
                message,
            });
        }
        Ok(())
    }
}

impl RowDraft {
    fn finish(self, on: RangeInclusive<i64>) -> TableRow {
        let linked = take_links(&self.text);
        let text = join(linked.text.split_whitespace(), " ");
        let mut roll = self.roll;
        roll.extend(linked.names);
        TableRow {
            on,
            text: sanitise(&text, LONGEST_TEXT).into_owned(),
            roll,
        }
    }
}

/// The text of a row without the brackets around table names, and these names.
struct LinkedText {
    text: String,
    names: Vec<String>,
}

/// Takes table names in double brackets out of a text: `A merchant [[goods]]`. A name in the middle of a sentence stays
/// in the text.
fn take_links(text: &str) -> LinkedText {
    let mut kept = String::new();
    let mut names = Vec::new();
    let mut unread = text;
    while let Some((before, after)) = unread.split_once("[[")
        && let Some((name, after)) = after.split_once("]]")
    {
        kept.push_str(before);
        names.push(name.trim().to_owned());
        let next_word = after.trim_start_matches([' ', ',', ';', ':', '.']);
        if next_word.starts_with(char::is_alphanumeric) {
            kept.push_str(name);
        } else if !after.starts_with(' ') {
            kept.truncate(kept.trim_end().len());
        }
        unread = after;
    }
    kept.push_str(unread);
    LinkedText { text: kept, names }
}

/// The smallest and the largest total that the rows name. The open end of `12+` does not count.
fn bounds(rows: &[IndexedRow]) -> (i64, i64) {
    let mut least = i64::MAX;
    let mut most = i64::MIN;
    for row in rows {
        least = least.min(*row.on.start());
        most = most.max(*row.on.start());
        if *row.on.end() != i64::MAX {
            most = most.max(*row.on.end());
        }
    }
    (least, most)
}
