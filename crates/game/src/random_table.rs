//! Random tables, one in a file. A row can roll on other tables.

mod draft;
mod file;
mod included;
mod text;
mod totals;

use std::ops::RangeInclusive;

use thiserror::Error;

use super::Thrown;
use tableside_dice::Dice;
use tableside_dice::notation::Notation;
use tableside_text::is_same_name;

/// The maximum number of tables on which a single roll can lead. A row can roll on its own table again.
const MOST_ROLLS: usize = 20;

/// A random table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RandomTable {
    /// The name of its file, by which other tables refer to it.
    pub name: String,
    pub title: String,
    /// The dice expression as it is written in the file: `2d6`.
    pub dice: String,
    pub notation: Notation,
    /// The entry `hidden` of the file: true if only the GM sees the rolls.
    pub hidden: Option<bool>,
    /// The rows by total. Each total has one row.
    pub rows: Vec<TableRow>,
    pub source: TableSource,
}

/// The place that a table comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableSource {
    /// A file of the GM.
    Own,
    /// Included in the program, for all systems or for the system with this id.
    Included(Option<&'static str>),
}

/// A row of a random table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableRow {
    /// The totals that lead to the row.
    pub on: RangeInclusive<i64>,
    /// Empty if the row only rolls on other tables.
    pub text: String,
    /// The names of the tables that the row rolls on.
    pub roll: Vec<String>,
}

/// A problem with the file of a table, and its solution.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("tables/{name}.toml: {problem}")]
pub struct TableError {
    pub name: String,
    problem: String,
}

/// All random tables of a game: the files in the GM's folder, and the included tables.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RandomTables {
    /// The tables without problems, sorted by name.
    pub tables: Vec<RandomTable>,
    pub broken: Vec<TableError>,
}

impl RandomTables {
    /// Reads tables from the names and texts of their files, and adds the included tables of `system`, or of all
    /// systems if `system` is `None`. A file that could not be read has an error message instead of a text. A file
    /// replaces the included table of its name.
    pub fn with_included(
        files: impl IntoIterator<Item = (String, Result<String, String>)>,
        system: Option<&str>,
    ) -> Self {
        let mut all = Self::read(files);
        for table in included::tables(system) {
            let own_names = all.tables.iter().map(|own| &own.name);
            let broken_names = all.broken.iter().map(|broken| &broken.name);
            let mut file_names = own_names.chain(broken_names);
            let is_replaced = file_names.any(|name| *name == table.name);
            if !is_replaced {
                all.tables.push(table.clone());
            }
        }
        all.tables.sort_by(|one, other| one.name.cmp(&other.name));
        all.remove_broken_links();
        all
    }

    /// Reads tables from the names and texts of their files. A file that could not be read has an error message instead
    /// of a text.
    fn read(files: impl IntoIterator<Item = (String, Result<String, String>)>) -> Self {
        let mut all = Self::default();
        for (name, text) in files {
            let table = text.and_then(|text| file::read_table(&name, &text));
            match table {
                Ok(table) => all.tables.push(table),
                Err(problem) => all.broken.push(TableError { name, problem }),
            }
        }
        all
    }

    /// Moves tables that roll on a missing or broken table to the broken ones. Moving one can break further tables.
    fn remove_broken_links(&mut self) {
        while let Some((index, problem)) = self.find_unknown_name() {
            let name = self.tables.remove(index).name;
            self.broken.push(TableError { name, problem });
        }
    }

    /// Checks that each table that a new table rolls on exists.
    pub fn check_links(&self, table: &RandomTable) -> Result<(), String> {
        for row in &table.rows {
            for name in &row.roll {
                let is_own_name = is_same_name(name, &table.name);
                let is_itself = is_own_name || is_same_name(name, &table.title);
                if !is_itself && self.table(name).is_none() {
                    let totals = row.totals();
                    return Err(format!(
                        "the row for {totals} rolls on the table {name:?}, which does not exist"
                    ));
                }
            }
        }
        Ok(())
    }

    /// Finds a table that rolls on a table that is missing or broken. Returns its index and the problem.
    fn find_unknown_name(&self) -> Option<(usize, String)> {
        for (index, table) in self.tables.iter().enumerate() {
            let mut names = table.rows.iter().flat_map(|row| &row.roll);
            let unknown = names.find(|name| self.table(name).is_none());
            if let Some(unknown) = unknown {
                let is_broken = self
                    .broken
                    .iter()
                    .any(|broken| is_same_name(&broken.name, unknown));
                let why = if is_broken {
                    "cannot be read"
                } else {
                    "does not exist"
                };
                let problem = format!("a row rolls on the table {unknown:?}, which {why}");
                return Some((index, problem));
            }
        }
        None
    }

    /// Returns the table of this name or title. An exact match comes first.
    pub fn table(&self, name: &str) -> Option<&RandomTable> {
        let find = |matches: &dyn Fn(&RandomTable) -> bool| {
            self.tables.iter().find(|table| matches(table))
        };
        find(&|table| table.name == name)
            .or_else(|| find(&|table| is_same_name(&table.name, name)))
            .or_else(|| find(&|table| is_same_name(&table.title, name)))
    }

    /// True if only the GM sees rolls on a table: its file does not contain `hidden = false`, or the table can lead to one with
    /// `hidden = true`.
    pub fn is_hidden(&self, table: &RandomTable) -> bool {
        if table.hidden != Some(false) {
            return true;
        }

        let mut reachable = vec![table];
        let mut index = 0;
        while let Some(table) = reachable.get(index).copied() {
            if table.hidden == Some(true) {
                return true;
            }
            let names = table.rows.iter().flat_map(|row| &row.roll);
            for name in names {
                if let Some(linked) = self.table(name)
                    && !reachable.contains(&linked)
                {
                    reachable.push(linked);
                }
            }
            index += 1;
        }
        false
    }

    /// Rolls on a table, and on the tables that its row leads to. `None` if there is no table of this name.
    pub fn roll(&self, name: &str, dice: &mut dyn Dice) -> Option<Thrown> {
        let mut rolls = Vec::new();
        let mut pending = vec![name];
        for _ in 0..MOST_ROLLS {
            let table = pending.pop().and_then(|name| self.table(name));
            let Some(table) = table else {
                break;
            };
            let mut roll = table.roll(dice);
            if let Some(row) = table.row(roll.total) {
                let linked_names = row.roll.iter().map(String::as_str);
                pending.extend(linked_names.rev());
            }
            let dice_in_text = roll_dice_in_text(&mut roll.text, dice);
            rolls.push(roll);
            rolls.extend(dice_in_text);
        }

        if rolls.is_empty() {
            return None;
        }
        let first = rolls.remove(0);
        Some(Thrown {
            then: rolls,
            ..first
        })
    }
}

/// Rolls each dice expression in a text and replaces it by its total: `2d6 goblins` becomes `7 goblins`. Returns the
/// rolls, which the log stores after the roll on the table.
fn roll_dice_in_text(text: &mut String, dice: &mut dyn Dice) -> Vec<Thrown> {
    let mut rolls = Vec::new();
    let mut new_words = Vec::new();
    for word in text.split(' ') {
        let expression = word.trim_matches([',', '.', ';', ':', '(', ')']);
        let Some(notation) = read_dice_word(expression) else {
            new_words.push(word.to_owned());
            continue;
        };
        let rolled = notation.roll(dice);
        let total = rolled.total.to_string();
        new_words.push(word.replacen(expression, &total, 1));
        rolls.push(Thrown {
            notation: expression.to_owned(),
            faces: rolled.dice.iter().map(|die| die.face).collect(),
            total: rolled.total,
            ..Thrown::default()
        });
    }

    *text = new_words.join(" ");
    rolls
}

/// Parses a word such as `2d6` or `d4+1`. `None` for other words, and for plain numbers.
fn read_dice_word(word: &str) -> Option<Notation> {
    let after_count = word.trim_start_matches(|character: char| character.is_ascii_digit());
    let sides = after_count.strip_prefix('d')?;
    if !sides.starts_with(|character: char| character.is_ascii_digit()) {
        return None;
    }
    let notation: Notation = word.parse().ok()?;
    let is_plain = notation.repetitions() == 1 && notation.comment().is_empty();
    if is_plain { Some(notation) } else { None }
}

impl RandomTable {
    /// Reads a table from lines of text, a row on each line. Errors name the line.
    pub fn from_lines(name: &str, text: &str) -> Result<Self, String> {
        text::read_lines(name, text)
    }

    /// Reads a table from the records of a CSV file: totals or weight, and text. Errors name the row.
    pub fn from_records(name: &str, records: &[Vec<String>]) -> Result<Self, String> {
        text::read_cells(name, records)
    }

    /// Writes the table as lines of text, as [`Self::from_lines`] reads them.
    pub fn to_lines(&self) -> String {
        text::write_lines(self)
    }

    /// Writes the table in the TOML form of its file.
    pub fn to_toml(&self) -> String {
        file::write_table(self)
    }

    /// True if the table comes with the program.
    pub fn is_included(&self) -> bool {
        matches!(self.source, TableSource::Included(_))
    }

    /// The exact chance of a row, as the nearest double. `None` if the odds of the dice take
    /// too long to compute.
    pub fn chance(&self, row: &TableRow) -> Option<f64> {
        let odds = self.notation.odds().ok()?.distribution;
        let chance = odds.chance(|total| row.on.contains(&total));
        Some(chance.to_f64().value())
    }

    /// Returns the row of a total.
    pub fn row(&self, total: i64) -> Option<&TableRow> {
        self.rows.iter().find(|row| row.on.contains(&total))
    }

    fn roll(&self, dice: &mut dyn Dice) -> Thrown {
        let rolled = self.notation.roll(dice);
        let text = match self.row(rolled.total) {
            Some(row) => row.text.clone(),
            None => String::new(),
        };
        Thrown {
            notation: self.dice.clone(),
            faces: rolled.dice.iter().map(|die| die.face).collect(),
            total: rolled.total,
            table: self.title.clone(),
            text,
            ..Thrown::default()
        }
    }
}

impl TableRow {
    /// The totals of the row, as they are written in its file: `7`, `2-8` or `12+`.
    pub fn totals(&self) -> String {
        match (*self.on.start(), *self.on.end()) {
            (from, to) if from == to => from.to_string(),
            (from, i64::MAX) => format!("{from}+"),
            (from, to) => format!("{from}-{to}"),
        }
    }
}

/// The longest name of a table's file, in characters.
const LONGEST_FILE_NAME: usize = 60;

/// Makes the name of a table's file from a title: `On the road` becomes `on-the-road`.
pub fn table_file_name(title: &str) -> String {
    let mut name = String::new();
    for character in title.to_lowercase().chars() {
        if character.is_alphanumeric() {
            name.push(character);
        } else if !name.is_empty() && !name.ends_with('-') {
            name.push('-');
        }
    }

    let trimmed = name.trim_end_matches('-');
    if trimmed.is_empty() {
        "table".to_owned()
    } else {
        trimmed.chars().take(LONGEST_FILE_NAME).collect()
    }
}

#[cfg(test)]
mod tests;
