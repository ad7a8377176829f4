//! `tableside tables`: the included random tables and the user's own, with the chance of each row.

use std::path::{Path, PathBuf};

use serde_json::json;

use super::file_text::{FileText, decode};
use super::party::separator_of;
use super::{App, CliError, Ink, system_dice};
use tableside_game::{RandomTable, RandomTables, TableRow, TableSource, table_file_name};
use tableside_rules::System;
use tableside_text::{did_you_mean, is_same_name, join, nearest, pluralise};

/// The largest file that a table is imported from, in bytes.
const LARGEST_FILE: u64 = 1 << 20;

#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(super) struct Args {
    /// The table whose rows are printed; otherwise all tables are listed
    name: Option<String>,
    /// Leaves out the tables of other systems
    #[arg(long)]
    system: Option<String>,
    /// As one JSON document
    #[arg(long)]
    json: bool,
    #[command(subcommand)]
    action: Option<TableAction>,
}

#[derive(Debug, clap::Subcommand)]
enum TableAction {
    /// Reads a table from a list or a table in Markdown, from text, or from CSV
    Import {
        /// The file: a row on each line, or .csv with totals or weight and text
        file: PathBuf,
        /// The title of the table [its heading, or the file's name]
        #[arg(long)]
        name: Option<String>,
        /// Replaces your table of this name
        #[arg(long)]
        force: bool,
    },
    /// Rolls on a table without a game
    Roll {
        /// The table
        name: String,
        /// As one JSON document
        #[arg(long)]
        json: bool,
    },
}

/// Lists the random tables, prints the rows of one, or does what a subcommand says.
pub(super) fn run(app: &mut App<'_>, args: &Args) -> Result<(), CliError> {
    if let Some(action) = &args.action {
        return match action {
            TableAction::Import { file, name, force } => import(app, file, name.as_deref(), *force),
            TableAction::Roll { name, json } => roll(app, name, *json),
        };
    }

    let system = args
        .system
        .as_deref()
        .map(|id| system_id(app, id))
        .transpose()?;
    let all = app.config.random_tables(system);
    match &args.name {
        Some(name) => print(app, &all, find_table(name, &all)?, args.json),
        None => list(app, &all, args.json),
    }
}

fn system_id(app: &App<'_>, given: &str) -> Result<&'static str, CliError> {
    let system: System = super::find_system::find_system(&app.config, given)?;
    Ok(system.spec().id)
}

fn find_table<'a>(name: &str, all: &'a RandomTables) -> Result<&'a RandomTable, CliError> {
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

fn import(app: &mut App<'_>, path: &Path, name: Option<&str>, force: bool) -> Result<(), CliError> {
    let text = read_file(path)?;
    let failed = |problem: String| CliError::failed(format!("{}: {problem}", path.display()));

    let stem = path.file_stem().and_then(|stem| stem.to_str());
    let fallback = name.or(stem).unwrap_or("table");
    let extension = path.extension().and_then(|end| end.to_str()).unwrap_or("");
    let is_csv = matches!(extension.to_lowercase().as_str(), "csv" | "tsv" | "tab");
    let parsed = if is_csv {
        read_records(&text).and_then(|records| RandomTable::from_records(fallback, &records))
    } else {
        RandomTable::from_lines(fallback, &text)
    };
    let mut table = parsed.map_err(failed)?;
    if let Some(name) = name {
        name.clone_into(&mut table.title);
    }
    table.name = table_file_name(&table.title);

    let all = app.config.random_tables(None);
    all.check_links(&table).map_err(failed)?;
    let is_own = |own: &RandomTable| own.name == table.name && !own.is_included();
    if !force && all.tables.iter().any(is_own) {
        let problem = format!("you have a table {} already", table.name);
        let hint = "give another one with --name, or replace it with --force";
        return Err(CliError::failed(problem).hint(hint));
    }
    let saved = app.config.save_table(&table.name, &table.to_toml(), force);
    saved.map_err(|error| CliError::failed(error.to_string()))?;
    let rows = pluralise(table.rows.len(), "row");
    app.out.line(&format!(
        "{}: {}, {}, {rows}",
        table.name, table.title, table.dice
    ))
}

fn read_file(path: &Path) -> Result<String, CliError> {
    let failed = |why: String| CliError::failed(format!("cannot read {}: {why}", path.display()));
    let bytes =
        tableside_store::file::read(path, LARGEST_FILE, tableside_store::file::Links::Follow)
            .map_err(|error| failed(error.to_string()))?;
    let decoded: FileText = decode(&bytes, true).map_err(failed)?;
    Ok(decoded.text)
}

/// Splits a CSV file into its records.
fn read_records(text: &str) -> Result<Vec<Vec<String>>, String> {
    let (text, separator) = separator_of(text);
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(separator)
        .flexible(true)
        .has_headers(false)
        .from_reader(text.as_bytes());
    let mut records = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| format!("it is no table of cells: {error}"))?;
        records.push(record.iter().map(str::to_owned).collect());
    }
    Ok(records)
}

/// Rolls on a table and prints the result. No game is opened, and nothing is logged.
fn roll(app: &mut App<'_>, name: &str, json: bool) -> Result<(), CliError> {
    let all = app.config.random_tables(None);
    let table = find_table(name, &all)?;
    let mut dice = system_dice()?;
    let Some(thrown) = all.roll(&table.name, &mut *dice) else {
        return Ok(());
    };
    if json {
        return app.out.json(&thrown);
    }
    for roll in thrown.all() {
        let mut line = format!("{}: {}", roll.notation, roll.total);
        if !roll.table.is_empty() {
            line = format!("{}, {line}", roll.table);
        }
        if !roll.text.is_empty() {
            line = format!("{line}, {}", roll.text);
        }
        app.out.line(&line)?;
    }
    Ok(())
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

    let mut rows = Vec::new();
    for table in &all.tables {
        let count = pluralise(table.rows.len(), "row");
        let source = match table.source {
            TableSource::Own => ", yours".to_owned(),
            TableSource::Included(None) => String::new(),
            TableSource::Included(Some(system)) => format!(", for {system}"),
        };
        let about = format!("{}, {}, {count}{source}", table.title, table.dice);
        rows.push((table.name.clone(), about));
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

    let heading = format!("{}, {}", table.title, table.dice);
    app.out.inked(&[(Ink::Strong, &heading)])?;
    let mut rows = Vec::new();
    for row in &table.rows {
        let mut parts = Vec::new();
        if let Some(chance) = table.chance(row) {
            parts.push(format!("{:4.1} %", 100.0 * chance));
        }
        if !row.text.is_empty() {
            parts.push(row.text.clone());
        }
        parts.extend(row.roll.iter().map(|name| format!("→ {name}")));
        rows.push((row.totals(), join(parts, "  ")));
    }
    app.out.columns(&rows)
}

fn table_json(table: &RandomTable, all: &RandomTables) -> serde_json::Value {
    let row_json = |row: &TableRow| {
        json!({
            "on": row.totals(),
            "probability": table.chance(row),
            "text": row.text,
            "roll": row.roll,
        })
    };
    let rows: Vec<_> = table.rows.iter().map(row_json).collect();
    let system = match table.source {
        TableSource::Included(system) => system,
        TableSource::Own => None,
    };
    json!({
        "name": table.name,
        "title": table.title,
        "dice": table.dice,
        "hidden": all.is_hidden(table),
        "included": table.is_included(),
        "system": system,
        "rows": rows,
    })
}
