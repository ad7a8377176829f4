//! `tableside tables`: the user's own random tables, with the chance of each row.

use serde_json::json;

use super::{App, CliError, Ink};
use tableside_game::{RandomTable, RandomTables, TableRow};
use tableside_text::{did_you_mean, is_same_name, join, nearest, pluralise};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The table whose rows are printed; otherwise all tables are listed
    name: Option<String>,
    /// As one JSON document
    #[arg(long)]
    json: bool,
}

/// Lists the random tables, or prints the rows of one.
pub(super) fn run(app: &mut App<'_>, args: &Args) -> Result<(), CliError> {
    let all = app.config.random_tables();
    match &args.name {
        Some(name) => print(app, &all, named(name, &all)?, args.json),
        None => list(app, &all, args.json),
    }
}

fn named<'a>(name: &str, all: &'a RandomTables) -> Result<&'a RandomTable, CliError> {
    if let Some(broken) = all
        .broken
        .iter()
        .find(|broken| is_same_name(&broken.name, name))
    {
        return Err(CliError::failed(broken.to_string()));
    }
    let names = || all.tables.iter().map(|table| table.name.as_str());
    all.table(name).ok_or_else(|| {
        let near = did_you_mean(nearest(name, names()));
        CliError::failed(format!("there is no random table {name:?}{near}"))
            .hint("`tableside tables` lists the tables there are")
    })
}

fn list(app: &mut App<'_>, all: &RandomTables, json: bool) -> Result<(), CliError> {
    if json {
        let tables: Vec<_> = all
            .tables
            .iter()
            .map(|table| table_json(table, all))
            .collect();
        let broken: Vec<String> = all.broken.iter().map(ToString::to_string).collect();
        return app.out.json(&json!({"tables": tables, "broken": broken}));
    }
    let rows = all.tables.iter().map(|table| {
        let rows = pluralise(table.rows.len(), "row");
        (
            table.name.clone(),
            format!("{}, {}, {rows}", table.title, table.dice),
        )
    });
    let rows: Vec<_> = rows.collect();
    if rows.is_empty() && all.broken.is_empty() {
        return app.out.line(
            "There are no random tables yet: each is a file in the folder tables beside keys.toml.",
        );
    }
    app.out.columns(&rows)?;
    app.out.lines(all.broken.iter().map(ToString::to_string))
}

fn print(
    app: &mut App<'_>,
    all: &RandomTables,
    table: &RandomTable,
    json: bool,
) -> Result<(), CliError> {
    if json {
        return app.out.json(&table_json(table, all));
    }
    app.out
        .inked(&[(Ink::Strong, &format!("{}, {}", table.title, table.dice))])?;
    let rows = table.rows.iter().map(|row| {
        let chance = chance(table, row).map(|chance| format!("{:4.1} %", 100.0 * chance));
        let on = row.roll.iter().map(|name| format!("→ {name}"));
        let said = Some(row.text.clone()).filter(|text| !text.is_empty());
        (
            totals(row),
            join(chance.into_iter().chain(said).chain(on), "  "),
        )
    });
    app.out.columns(&rows.collect::<Vec<_>>())
}

fn table_json(table: &RandomTable, all: &RandomTables) -> serde_json::Value {
    let rows = table.rows.iter().map(|row| {
        json!({"on": totals(row), "probability": chance(table, row), "text": row.text, "roll": row.roll})
    });
    let rows: Vec<_> = rows.collect();
    json!({"name": table.name, "title": table.title, "dice": table.dice, "hidden": all.is_hidden(table), "rows": rows})
}

/// The totals of a row, as they are written in the file.
fn totals(row: &TableRow) -> String {
    match (*row.on.start(), *row.on.end()) {
        (from, to) if from == to => from.to_string(),
        (from, i64::MAX) => format!("{from}+"),
        (from, to) => format!("{from}-{to}"),
    }
}

/// The exact chance of a row, as the nearest double; none where the odds of the dice are too much to work out.
fn chance(table: &RandomTable, row: &TableRow) -> Option<f64> {
    let odds = table.notation.odds().ok()?.distribution;
    Some(
        odds.chance(|total| row.on.contains(&total))
            .to_f64()
            .value(),
    )
}
