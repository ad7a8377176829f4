//! What differs between two files of a rule system, in words.

use toml::{Table, Value};

use super::System;

/// What the second has and the first has not, what is gone, and what changed: `stat luck appears`.
pub fn rule_changes(from: System, to: System) -> Vec<String> {
    let table = |system: System| system.text().parse::<Table>().unwrap_or_default();
    let mut words = Vec::new();
    compare(&table(from), &table(to), &mut words);
    words.extend(words.is_empty().then(|| "nothing but remarks".to_owned()));
    words
}

/// The tables of a list, each by its name.
fn named(list: Option<&Value>) -> Option<Vec<(&str, &Table)>> {
    let each = list?.as_array()?.iter().map(|one| {
        let table = one.as_table()?;
        let name = table.get("id").or_else(|| table.get("name"))?;
        Some((name.as_str().unwrap_or_default(), table))
    });
    each.collect()
}

fn compare(from: &Table, to: &Table, words: &mut Vec<String>) {
    let new = to.keys().filter(|key| !from.contains_key(*key));
    for key in from.keys().chain(new) {
        let (was, is) = (from.get(key), to.get(key));
        if was == is {
            continue;
        }
        let lists = (named(was), named(is));
        let (Some(was_all), Some(is_all)) = (match lists {
            (Some(was), None) if is.is_none() => (Some(was), Some(Vec::new())),
            (None, Some(is)) if was.is_none() => (Some(Vec::new()), Some(is)),
            lists => lists,
        }) else {
            words.push(match (was, is) {
                (Some(was), Some(is)) if is_short(was) && is_short(is) => {
                    format!("{key} {} to {}", plain(was), plain(is))
                }
                (None, Some(is)) if is_short(is) => format!("{key} {}", plain(is)),
                (Some(_), None) => format!("no {key}"),
                _ => format!("other {key}"),
            });
            continue;
        };
        let find = |all: &[(&str, &Table)], name: &str| {
            let found = all.iter().find(|(other, _)| *other == name);
            found.map(|(_, table)| (*table).clone())
        };
        for (name, was) in &was_all {
            match find(&is_all, name) {
                None => words.push(format!("{key} {name} goes")),
                Some(is) if is == **was => {}
                Some(is) => {
                    let mut inside = Vec::new();
                    compare(was, &is, &mut inside);
                    words.push(format!("{key} {name}: {}", inside.join(", ")));
                }
            }
        }
        let new = is_all.iter();
        let new = new.filter(|(name, _)| find(&was_all, name).is_none());
        words.extend(new.map(|(name, _)| format!("{key} {name} appears")));
    }
}

/// Whether it is said in a word or two.
fn is_short(value: &Value) -> bool {
    match value {
        Value::String(text) => text.chars().count() <= 40 && !text.contains('\n'),
        value => !value.is_array() && !value.is_table(),
    }
}

fn plain(value: &Value) -> String {
    let text = value.as_str();
    text.map_or_else(|| value.to_string(), str::to_owned)
}
