//! The differences between two rule files, in words.

use toml::{Table, Value};

use super::System;

/// The longest text that is shown in a difference, in characters.
const MAX_SHOWN: usize = 40;

/// Returns the differences between the files of two systems, such as `stat luck appears`. If only comments differ, the
/// list has a single entry that says so.
pub fn rule_changes(from: System, to: System) -> Vec<String> {
    let mut changes = Vec::new();
    compare_tables(&parse(from), &parse(to), &mut changes);

    if changes.is_empty() {
        changes.push("only comments differ".to_owned());
    }
    changes
}

/// Parses the file of a system. It was compiled before, so it has no syntax errors.
fn parse(system: System) -> Table {
    system.text().parse().unwrap_or_default()
}

/// A table of a list, with its `id` or `name`.
struct NamedTable<'t> {
    name: &'t str,
    table: &'t Table,
}

/// Returns the tables of a list; `None` if the value is not a list of tables with an `id` or `name`.
fn named_tables(value: &Value) -> Option<Vec<NamedTable<'_>>> {
    value
        .as_array()?
        .iter()
        .map(|entry| {
            let table = entry.as_table()?;
            let id = table.get("id");
            let name = id.or_else(|| table.get("name"))?;
            Some(NamedTable {
                name: name.as_str().unwrap_or_default(),
                table,
            })
        })
        .collect()
}

fn compare_tables(from: &Table, to: &Table, changes: &mut Vec<String>) {
    let added_keys = to.keys().filter(|key| !from.contains_key(*key));

    for key in from.keys().chain(added_keys) {
        let before = from.get(key);
        let after = to.get(key);
        if before == after {
            continue;
        }

        // A missing list is like an empty one.
        let tables_before = before.map_or(Some(Vec::new()), named_tables);
        let tables_after = after.map_or(Some(Vec::new()), named_tables);
        if let (Some(before), Some(after)) = (tables_before, tables_after) {
            compare_lists(key, &before, &after, changes);
        } else {
            changes.push(describe_change(key, before, after));
        }
    }
}

/// Compares two lists of tables by the names of the tables.
fn compare_lists(
    key: &str,
    before: &[NamedTable<'_>],
    after: &[NamedTable<'_>],
    changes: &mut Vec<String>,
) {
    for old in before {
        let name = old.name;
        match after.iter().find(|new| new.name == name) {
            None => changes.push(format!("{key} {name} goes")),
            Some(new) if new.table == old.table => {}
            Some(new) => {
                let mut inner_changes = Vec::new();
                compare_tables(old.table, new.table, &mut inner_changes);
                let inner_changes = inner_changes.join(", ");
                changes.push(format!("{key} {name}: {inner_changes}"));
            }
        }
    }

    for new in after {
        if before.iter().all(|old| old.name != new.name) {
            changes.push(format!("{key} {} appears", new.name));
        }
    }
}

fn describe_change(key: &str, before: Option<&Value>, after: Option<&Value>) -> String {
    let Some(after) = after else {
        return format!("no {key}");
    };

    match (before.map(short_text), short_text(after)) {
        (None, Some(new_text)) => format!("{key} {new_text}"),
        (Some(Some(old_text)), Some(new_text)) => format!("{key} {old_text} to {new_text}"),
        _ => format!("other {key}"),
    }
}

/// Returns a value without quotes; `None` if it is too long to be shown.
fn short_text(value: &Value) -> Option<String> {
    match value {
        Value::Array(_) | Value::Table(_) => None,
        Value::String(text) => {
            let is_short = text.chars().count() <= MAX_SHOWN && !text.contains('\n');
            if is_short { Some(text.clone()) } else { None }
        }
        other => Some(other.to_string()),
    }
}
