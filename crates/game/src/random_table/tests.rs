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
    let files = files.map(|(name, text)| ((*name).to_owned(), Ok((*text).to_owned())));
    let mut all = RandomTables::read(files);
    all.remove_broken_links();
    all
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
    let summary = |roll: &Thrown| (roll.table.clone(), roll.total, roll.text.clone());
    assert_eq!(
        summary(&thrown),
        ("On the road".into(), 5, "A merchant".into())
    );
    let then: Vec<_> = thrown.then.iter().map(summary).collect();
    let goods = |total, text: &str| ("goods".to_owned(), total, text.to_owned());
    assert_eq!(then, [goods(3, ""), goods(1, "salt"), goods(4, "silk")]);
    assert!(all.roll("moods", &mut Falling(Vec::new())).is_none());
    // `hidden = false` is overruled by a table that the rows lead to.
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
    assert_eq!(thrown.then.len(), MOST_ROLLS - 1);
}

#[test]
fn a_file_that_is_no_table_says_what_would_be_right() {
    assert_mistakes(include_str!("mistakes.txt"), |text| {
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
        "tables/t.toml: no row has the total 16"
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

/// Reads a table from lines, and returns its dice and the totals with the text of each row.
fn from_lines(text: &str) -> (String, Vec<String>) {
    let table = RandomTable::from_lines("t", text).unwrap();
    let rows = table
        .rows
        .iter()
        .map(|row| format!("{} {}", row.totals(), row.text))
        .collect();
    (table.dice, rows)
}

#[test]
fn lines_of_text_are_rows_with_totals_weights_or_neither() {
    let table = |dice: &str, rows: &[&str]| {
        let rows: Vec<String> = rows.iter().map(|row| (*row).to_owned()).collect();
        (dice.to_owned(), rows)
    };

    let numbered = "# Road\n1. dust\n2) rain\n3 – goblins\n";
    assert_eq!(
        from_lines(numbered),
        table("1d3", &["1 dust", "2 rain", "3 goblins"])
    );
    let bulleted = "- 3 goblins\n* 1.5 leagues of mud\n- nobody";
    assert_eq!(
        from_lines(bulleted),
        table("1d3", &["1 3 goblins", "2 1.5 leagues of mud", "3 nobody"])
    );
    let weighted = "3x dust\nrain\n2× **hail**";
    assert_eq!(
        from_lines(weighted),
        table("1d6", &["1-3 dust", "4 rain", "5-6 hail"])
    );
    let percent = "01–50 dust\n51 - 99: rain\n00 hail";
    assert_eq!(
        from_lines(percent),
        table("1d100", &["1-50 dust", "51-99 rain", "100 hail"])
    );
    let markdown = "| 2d6 | Weather |\n|---|---|\n| 2-6 | dust |\n| 7+ | rain |";
    assert_eq!(from_lines(markdown), table("2d6", &["2-6 dust", "7+ rain"]));
    let bell = "2-7 dust\n8-12 rain";
    assert_eq!(from_lines(bell), table("2d6", &["2-7 dust", "8-12 rain"]));
}

#[test]
fn a_d66_table_without_numbers_has_36_rows() {
    let lines: Vec<String> = (0..36).map(|row| format!("row {row}")).collect();
    let text = format!("dice: d66\n{}", lines.join("\n"));
    let table = RandomTable::from_lines("t", &text).unwrap();
    let text_of = |total| table.row(total).map(|row| row.text.as_str());
    assert_eq!(text_of(11), Some("row 0"));
    assert_eq!(text_of(21), Some("row 6"));
    assert_eq!(text_of(66), Some("row 35"));
    assert_eq!(text_of(17), None);
}

#[test]
fn a_mistake_in_lines_names_the_line() {
    let mistakes = [
        (
            "# Road\n1-3 dust\n3-6 rain",
            "line 3: two rows have the total 3",
        ),
        ("1-2 dust\n\n4-6 rain", "line 3: no row has the total 3"),
        (
            "dice: 2d6\n2-11 dust",
            "line 2: no row has the total 12; 2d6 rolls up to 12",
        ),
        (
            "1-3 dust\nrain",
            "line 2: the row has no number; number all rows or none",
        ),
        ("dice: 2y6\n1 dust", "line 1: dice \"2y6\": "),
        (
            "hidden: perhaps\n1 dust",
            "line 1: hidden must be yes or no, not \"perhaps\"",
        ),
        (
            "0x dust\nrain",
            "line 1: the weight of a row must be from 1 to 1000",
        ),
        (
            "dice: 2d6\ndust\nrain",
            "2d6 has 11 totals, but the weights of the rows add up to 2; number the rows as in 2-8",
        ),
        (
            "5-9 dust",
            "no common dice have exactly the totals 5 to 9; name the dice, as in \"dice: 2d6\"",
        ),
        ("# Road", "the table has no rows"),
    ];
    for (text, problem) in mistakes {
        let error = RandomTable::from_lines("t", text).unwrap_err();
        assert!(error.starts_with(problem), "{text:?}: {error}");
    }
}

#[test]
fn records_have_totals_or_weights_as_their_header_says() {
    let records = |rows: &[&[&str]]| -> Vec<Vec<String>> {
        let cells = |row: &&[&str]| row.iter().map(|cell| (*cell).to_owned()).collect();
        rows.iter().map(cells).collect()
    };
    let read = |rows: &[&[&str]]| RandomTable::from_records("t", &records(rows));

    let ranges = read(&[&["d100", "Text"], &["01-50", "dust"], &["51-00", "rain"]]).unwrap();
    assert_eq!((ranges.dice.as_str(), ranges.rows.len()), ("d100", 2));
    let weights = read(&[&["weight", "text"], &["3", "dust"], &["1", "rain"]]).unwrap();
    assert_eq!(weights.dice, "1d4");
    assert_eq!(weights.rows[0].on, 1..=3);
    let plain = read(&[&["dust"], &["rain"]]).unwrap();
    assert_eq!(plain.dice, "1d2");

    let overlap = read(&[&["on", "text"], &["1-3", "dust"], &["2-6", "rain"]]);
    assert_eq!(overlap.unwrap_err(), "row 3: two rows have the total 2");
    let weight = read(&[&["weight", "text"], &["many", "dust"]]);
    assert_eq!(
        weight.unwrap_err(),
        "row 2: \"many\" is not a weight; a weight is a whole number"
    );
}

#[test]
fn a_table_is_the_same_after_it_was_written_and_read() {
    let text = "# Über \"Straße\"\ndice: 2d6\nhidden: no\n2-6 1d4 goblins [[t]]\n7+ [[t]]\n";
    let table = RandomTable::from_lines("t", text).unwrap();
    assert_eq!(table.rows[0].roll, ["t"]);
    assert_eq!(table.rows[0].text, "1d4 goblins");
    assert_eq!(
        RandomTable::from_lines("t", &table.to_lines()),
        Ok(table.clone())
    );
    assert_eq!(file::read_table("t", &table.to_toml()), Ok(table));
}

#[test]
fn a_link_within_a_sentence_keeps_its_words() {
    let table = RandomTable::from_lines("t", "The [[weather]] turns\nA cart [[goods]].").unwrap();
    assert_eq!(table.rows[0].text, "The weather turns");
    assert_eq!(table.rows[0].roll, ["weather"]);
    assert_eq!(table.rows[1].text, "A cart.");
}

#[test]
fn dice_in_a_row_are_rolled_and_logged_behind_it() {
    let all = read(&[(
        "t",
        "rows = [{ text = \"2d6 goblins (d4 days away), d8x and 3 dogs\" }]",
    )]);
    let thrown = all.roll("t", &mut Falling(vec![1, 3, 4, 2])).unwrap();
    assert_eq!(thrown.text, "7 goblins (2 days away), d8x and 3 dogs");
    let logged: Vec<_> = thrown
        .then
        .iter()
        .map(|roll| (roll.notation.as_str(), roll.faces.clone(), roll.total))
        .collect();
    assert_eq!(logged, [("2d6", vec![3, 4], 7), ("d4", vec![2], 2)]);
}

#[test]
fn the_chances_of_rows_are_exact() {
    let table = RandomTable::from_lines("t", "2-6 dust\n7 rain\n8-12 hail").unwrap();
    let odds = table.notation.odds().unwrap().distribution;
    let chance = |index: usize| {
        let on = table.rows[index].on.clone();
        odds.chance(|total| on.contains(&total))
    };
    assert_eq!(chance(0), chance(2));
    assert_eq!(chance(0).to_string(), "5/12");
    assert_eq!(chance(1).to_string(), "1/6");
}

#[test]
fn a_file_replaces_the_included_table_of_its_name() {
    let own = "dice = \"1d1\"\nrows = [{ on = 1, text = \"fog\" }]";
    let files = |text: &str| [("weather".to_owned(), Ok(text.to_owned()))];
    let all = RandomTables::with_included(files(own), Some("5e"));
    let weather = all.table("Weather").unwrap();
    assert_eq!((weather.rows.len(), weather.source), (1, TableSource::Own));
    assert!(all.table("tavern-patrons").is_some());
    assert!(all.table("score-complications").is_none());

    // A broken file does not fall back on the included table. Tables that roll on it are broken as well.
    let all = RandomTables::with_included(files("rows = 1"), Some("5e"));
    assert!(all.table("weather").is_none() && all.table("complications").is_none());
}
