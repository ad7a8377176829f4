//! Random tables of a person's own, one in a file: a die, and rows with ranges, which may roll on other tables.
//!
//! ```toml
//! title = "On the road"   # otherwise the name of the file
//! dice = "2d6"            # as free dice are written
//! hidden = false          # players read what is rolled; otherwise only the GM does
//!
//! [[rows]]
//! on = "2-8"
//! text = "Nobody for miles"
//!
//! [[rows]]
//! on = "9-12"
//! text = "A merchant"
//! roll = "goods"          # another table, or several: ["goods", "moods"]
//! ```

use std::ops::RangeInclusive;

use serde::Deserialize;
use thiserror::Error;

use super::{LONGEST_NAME, Thrown};
use tableside_dice::Dice;
use tableside_dice::notation::{Notation, ascii_form};
use tableside_text::{describe_toml_error, is_same_name, join, sanitise, sanitise_name};

/// The longest text of a row, in letters.
const LONGEST_TEXT: usize = 500;

/// The most tables that one roll leads to: a row may roll on its own table again.
const MOST_ROLLED: usize = 20;

/// A table to roll on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RandomTable {
    /// What its file is called, by which other tables name it.
    pub name: String,
    /// What people call it.
    pub title: String,
    /// What is rolled, as it was written: `2d6`.
    pub dice: String,
    /// The same, read.
    pub notation: Notation,
    /// Whether only the GM reads what is rolled on it, where its file says so or the contrary.
    pub hidden: Option<bool>,
    /// In the order of their totals, of which each has one row.
    pub rows: Vec<TableRow>,
}

/// A row of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableRow {
    /// The totals that lead to it.
    pub on: RangeInclusive<i64>,
    /// What it says; may be empty where it rolls on.
    pub text: String,
    /// The tables that it rolls on, by the names of their files.
    pub roll: Vec<String>,
}

/// What is wrong with the file of a table, and what would be right.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("tables/{name}.toml: {problem}")]
pub struct TableError {
    /// What its file is called.
    pub name: String,
    problem: String,
}

/// All tables of a person.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RandomTables {
    /// Those that can be rolled on, by the names of their files.
    pub tables: Vec<RandomTable>,
    /// Those that cannot.
    pub broken: Vec<TableError>,
}

/// A table as its file has it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    /// What people call it; where nothing is said, the name of the file.
    title: Option<String>,
    /// What is rolled, as in `2d6`.
    dice: String,
    /// Whether only the GM reads what is rolled; where nothing is said yes, and for one that another leads to as there.
    hidden: Option<bool>,
    rows: Vec<WrittenRow>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenRow {
    /// The totals that lead to it: `7`, `"2-8"` or `"9+"`. Each total has one row.
    on: On,
    /// What it says; may be left out where it rolls on.
    #[serde(default)]
    text: String,
    /// The table that it rolls on, or several in a list.
    #[serde(default)]
    roll: Names,
}

/// `7`, `"2-8"` or `"12+"`.
#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "on must be a number or a range, as in 7, \"2-8\" or \"12+\""
)]
enum On {
    Number(i64),
    Range(String),
}

/// The name of a table, or several.
#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "roll must name a table or several, as in \"goods\" or [\"goods\", \"moods\"]"
)]
enum Names {
    One(String),
    Several(Vec<String>),
}

impl Default for Names {
    fn default() -> Self {
        Self::Several(Vec::new())
    }
}

impl On {
    /// The totals of a row. `possible` are the smallest and largest total of the table's dice.
    fn range(&self, possible: (i64, i64)) -> Result<RangeInclusive<i64>, String> {
        let text = match self {
            Self::Number(number) => return Ok(*number..=*number),
            Self::Range(text) => text.trim(),
        };

        let ascii_text: String = text.chars().map(ascii_form).collect();
        let range = parse_range(&ascii_text, possible);
        range.ok_or_else(|| {
            format!("{text:?} is no range of totals; say it as in 7, \"2-8\" or \"12+\"")
        })
    }
}

/// Reads `7`, `2-8` or `12+`, where the first sign of a number may be a minus.
fn parse_range(text: &str, possible: (i64, i64)) -> Option<RangeInclusive<i64>> {
    if let Some(total) = parse_total(text, possible) {
        return Some(total..=total);
    }
    if let Some(from) = text.strip_suffix('+') {
        return Some(parse_total(from, possible)?..=i64::MAX);
    }

    let (dash, _) = text.char_indices().skip(1).find(|(_, sign)| *sign == '-')?;
    let from = parse_total(text.get(..dash)?, possible)?;
    let to = parse_total(text.get(dash + 1..)?, possible)?;
    (from <= to).then_some(from..=to)
}

/// Reads a total as books print it: on a d100, `00` is 100, and on a d10, `0` is 10.
///
/// Zeros mean the largest total if that is the power of ten with as many zeros and the dice cannot total 0.
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

impl RandomTables {
    /// Reads the files of these names and texts; where a text could not be had, why not.
    pub fn read(files: impl IntoIterator<Item = (String, Result<String, String>)>) -> Self {
        let mut all = Self::default();
        for (name, text) in files {
            match text.and_then(|text| RandomTable::read(&name, &text)) {
                Ok(table) => all.tables.push(table),
                Err(problem) => all.broken.push(TableError { name, problem }),
            }
        }
        // A table that rolls on one that is broken is broken, too, and so on.
        while let Some((at, problem)) = all.unknown() {
            let name = all.tables.remove(at).name;
            all.broken.push(TableError { name, problem });
        }
        all
    }

    /// A table with a row that rolls on none.
    fn unknown(&self) -> Option<(usize, String)> {
        self.tables.iter().enumerate().find_map(|(at, table)| {
            let mut named = table.rows.iter().flat_map(|row| &row.roll);
            let unknown = named.find(|name| self.table(name).is_none())?;
            let is_broken = self
                .broken
                .iter()
                .any(|broken| is_same_name(&broken.name, unknown));
            let why = if is_broken {
                "cannot be read"
            } else {
                "is not there"
            };
            Some((
                at,
                format!("a row rolls on the table {unknown:?}, which {why}"),
            ))
        })
    }

    /// The table of that name.
    pub fn table(&self, name: &str) -> Option<&RandomTable> {
        let mut tables = self.tables.iter();
        let exact = tables.clone().find(|table| table.name == name);
        exact.or_else(|| tables.find(|table| is_same_name(&table.name, name)))
    }

    /// Whether only the GM reads what is rolled on it: its file does not say the contrary, or it may lead to one whose
    /// file says so.
    pub fn is_hidden(&self, table: &RandomTable) -> bool {
        let mut reached = vec![table];
        let mut at = 0;
        while let Some(table) = reached.get(at).copied() {
            let named = table.rows.iter().flat_map(|row| &row.roll);
            for next in named.filter_map(|name| self.table(name)) {
                reached.extend((!reached.contains(&next)).then_some(next));
            }
            at += 1;
        }
        table.hidden != Some(false) || reached.iter().any(|table| table.hidden == Some(true))
    }

    /// Rolls on the table of that name, and on those that its row leads to; none where there is no such table.
    pub(super) fn roll(&self, name: &str, dice: &mut dyn Dice) -> Option<Thrown> {
        let (mut rolled, mut waiting) = (Vec::new(), vec![name]);
        while rolled.len() < MOST_ROLLED
            && let Some(table) = waiting.pop().and_then(|name| self.table(name))
        {
            let next = table.roll(dice);
            let named = table.row(next.total).map_or(&[][..], |row| &row.roll);
            waiting.extend(named.iter().rev().map(String::as_str));
            rolled.push(next);
        }
        let mut rolled = rolled.into_iter();
        let first = rolled.next()?;
        let then = rolled.collect();
        Some(Thrown { then, ..first })
    }
}

impl RandomTable {
    fn read(name: &str, text: &str) -> Result<Self, String> {
        let written: Written =
            toml::from_str(text).map_err(|error| describe_toml_error(text, &error))?;
        let dice = &written.dice;
        let notation: Result<Notation, _> = dice.parse();
        let notation = notation.map_err(|error| format!("dice {dice:?}: {error}"))?;
        if notation.repetitions() > 1 {
            return Err(format!("dice {dice:?}: a table is rolled on once"));
        }
        let rows = written.rows.into_iter().map(|row| {
            let text = join(row.text.split_whitespace(), " ");
            Ok(TableRow {
                on: row.on.range(notation.range())?,
                text: sanitise(&text, LONGEST_TEXT).into_owned(),
                roll: match row.roll {
                    Names::One(name) => vec![name],
                    Names::Several(names) => names,
                },
            })
        });
        let mut rows = rows.collect::<Result<Vec<_>, String>>()?;
        rows.sort_by_key(|row| *row.on.start());
        let title = written.title.as_deref().unwrap_or(name).trim();
        let table = Self {
            name: name.to_owned(),
            title: sanitise_name(title, LONGEST_NAME),
            dice: written.dice,
            notation,
            hidden: written.hidden,
            rows,
        };
        table.check().map(|()| table)
    }

    /// Refuses a total with no row, or with two. Totals that the dice cannot show, such as 17 on a d66, need no row.
    fn check(&self) -> Result<(), String> {
        let (least, most) = self.notation.range();
        let totals = if self.notation.is_quick() {
            self.notation.odds().ok()
        } else {
            None
        };
        let first_possible = |mut range: RangeInclusive<i64>| match &totals {
            Some(odds) => odds
                .distribution
                .chances()
                .map(|(total, _)| total)
                .find(|total| range.contains(total)),
            None => range.next(),
        };

        let mut next = least;
        for row in &self.rows {
            let (from, to) = (*row.on.start(), *row.on.end());
            if row.text.is_empty() && row.roll.is_empty() {
                return Err(format!(
                    "the row on {from} says nothing; give it text or roll"
                ));
            }
            if from < next && next > least {
                return Err(format!("two rows are on {from}"));
            }
            if let Some(missing) = first_possible(next..=from.saturating_sub(1)) {
                return Err(format!("no row is on {missing}"));
            }
            next = to.saturating_add(1);
        }

        if let Some(missing) = first_possible(next..=most) {
            return Err(format!(
                "no row is on {missing}; {} rolls up to {most}",
                self.dice
            ));
        }
        Ok(())
    }

    /// The row on that total.
    pub fn row(&self, total: i64) -> Option<&TableRow> {
        self.rows.iter().find(|row| row.on.contains(&total))
    }

    fn roll(&self, dice: &mut dyn Dice) -> Thrown {
        let rolled = self.notation.roll(dice);
        let text = self.row(rolled.total).map(|row| row.text.clone());
        Thrown {
            notation: self.dice.clone(),
            faces: rolled.dice.iter().map(|die| die.face).collect(),
            total: rolled.total,
            table: self.title.clone(),
            text: text.unwrap_or_default(),
            ..Thrown::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tableside_testing::assert_mistakes;

    /// Dice that show these faces, one after the other.
    struct Falling(Vec<u32>);

    impl Dice for Falling {
        fn up_to(&mut self, _: u32) -> u32 {
            self.0.remove(0)
        }
    }

    fn read(files: &[(&str, &str)]) -> RandomTables {
        let files = files.iter();
        RandomTables::read(files.map(|(name, text)| ((*name).to_owned(), Ok((*text).to_owned()))))
    }

    const ROAD: &str = r#"
        title = "On the road"
        dice = "1d6"
        rows = [
            { on = "4-6", text = "A merchant", roll = ["goods", "goods"] },
            { on = "1-3", text = "Nobody" },
        ]"#;
    const GOODS: &str = r#"
        dice = "1d4"
        hidden = false
        rows = [{ on = "1-2", text = "salt" }, { on = 3, roll = "goods" }, { on = "4+", text = "silk" }]"#;

    #[test]
    fn a_row_rolls_on_other_tables_in_their_order() {
        let all = read(&[("road", ROAD), ("goods", GOODS)]);
        assert_eq!(all.broken, []);
        let thrown = all.roll("road", &mut Falling(vec![5, 3, 1, 4])).unwrap();
        let told = |one: &Thrown| (one.table.clone(), one.total, one.text.clone());
        assert_eq!(
            told(&thrown),
            ("On the road".into(), 5, "A merchant".into())
        );
        let then: Vec<_> = thrown.then.iter().map(told).collect();
        let goods = |total, text: &str| ("goods".to_owned(), total, text.to_owned());
        assert_eq!(then, [goods(3, ""), goods(1, "salt"), goods(4, "silk")]);
        assert!(all.roll("moods", &mut Falling(Vec::new())).is_none());
        // A table is as open as its file says, unless it leads to one whose file says that it is hidden.
        let is_hidden = |all: &RandomTables, name: &str| all.is_hidden(all.table(name).unwrap());
        assert!(is_hidden(&all, "road") && !is_hidden(&all, "goods"));
        let day = "dice = \"1d1\"\nhidden = false\nrows = [{ on = 1, roll = \"road\" }]";
        let road = format!("hidden = true\n{ROAD}");
        for (road, hidden) in [(ROAD, false), (&road, true)] {
            let all = read(&[("day", day), ("road", road), ("goods", GOODS)]);
            assert_eq!(is_hidden(&all, "day"), hidden);
        }
    }

    #[test]
    fn a_table_that_rolls_on_itself_comes_to_an_end() {
        let all = read(&[(
            "t",
            "dice = \"1d1\"\nrows = [{ on = 1, roll = [\"t\", \"t\"] }]",
        )]);
        let thrown = all.roll("t", &mut Falling(vec![1; 30])).unwrap();
        assert_eq!(thrown.then.len(), MOST_ROLLED - 1);
    }

    #[test]
    fn a_file_that_is_no_table_says_what_would_be_right() {
        assert_mistakes(include_str!("random_table/mistakes.txt"), |text| {
            read(&[("t", text)]).broken[0].to_string()
        });
        let both = read(&[
            ("a", "dice = \"d1\"\nrows = [{ on = 1, roll = \"b\" }]"),
            ("b", ""),
        ]);
        assert_eq!(both.broken.len(), 2, "{both:?}");
    }

    /// Reads a table with these dice and rows, and returns the row of each total.
    fn rows(dice: &str, rows: &[&str], totals: &[i64]) -> Vec<String> {
        let rows: Vec<String> = rows
            .iter()
            .map(|on| format!("{{ on = \"{on}\", text = \"{on}\" }}"))
            .collect();
        let file = format!("dice = \"{dice}\"\nrows = [{}]", rows.join(", "));
        let all = read(&[("t", &file)]);
        assert_eq!(all.broken, [], "{file}");
        let text = |total: &i64| all.tables[0].row(*total).unwrap().text.clone();
        totals.iter().map(text).collect()
    }

    #[test]
    fn ranges_are_read_as_books_print_them() {
        let halves = ["01–50", "51–00"];
        assert_eq!(
            rows("d100", &halves, &[1, 50, 51, 100]),
            ["01–50", "01–50", "51–00", "51–00"]
        );
        assert_eq!(
            rows("1d%", &["01 - 99", "00"], &[99, 100]),
            ["01 - 99", "00"]
        );
        assert_eq!(rows("d10", &["1-9", "0"], &[9, 10]), ["1-9", "0"]);
        assert_eq!(rows("2d10-2", &["0", "1-18"], &[0, 18]), ["0", "1-18"]);
        assert_eq!(rows("4dF", &["−4-−1", "0", "1+"], &[-1, 0]), ["−4-−1", "0"]);
        let tens = ["11-16", "21-26", "31-36", "41-46", "51-56", "61-66"];
        assert_eq!(rows("d66", &tens, &[11, 66]), ["11-16", "61-66"]);
    }

    #[test]
    fn a_d66_table_without_a_possible_total_is_refused() {
        let file = "dice = \"d66\"\nrows = [{ on = \"11-15\", text = \"a\" }, { on = \"21-66\", text = \"b\" }]";
        assert_eq!(
            read(&[("t", file)]).broken[0].to_string(),
            "tables/t.toml: no row is on 16"
        );
    }

    #[test]
    fn totals_below_zero_have_rows_as_well() {
        let fate = "dice = \"4dF\"\nrows = [{ on = \"-4--1\", text = \"bad\" }, { on = \"0+\", text = \"well\" }]";
        let all = read(&[("fate", fate)]);
        let row = |total| all.tables[0].row(total).unwrap().text.as_str();
        assert_eq!(
            (row(-4), row(-1), row(0), row(4)),
            ("bad", "bad", "well", "well")
        );
    }
}
