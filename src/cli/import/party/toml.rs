//! A party as TOML: `[[character]]` tables, and the system where the file is to say it.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{Draft, Party, Written, Wrong};
use crate::rules::Value;

pub(super) fn read(text: &str) -> Result<Party, Wrong> {
    let line_at = |at: usize| {
        let before = text.as_bytes().get(..at).unwrap_or_default();
        memchr::memchr_iter(b'\n', before).count() + 1
    };
    let whole = DeTable::parse(text).map_err(|error| {
        let line = error.span().map_or(1, |span| line_at(span.start));
        Wrong::new(line, format!("it is no TOML: {}", error.message().trim()))
    })?;
    let mut party = Party::default();
    for (key, value) in whole.get_ref() {
        let line = line_at(key.span().start);
        match (key.get_ref().as_ref(), value.get_ref()) {
            ("system", DeValue::String(system)) => party.system = Some(system.to_string()),
            ("character" | "characters" | "party", DeValue::Array(characters)) => {
                for character in characters {
                    let line = line_at(character.span().start);
                    let DeValue::Table(table) = character.get_ref() else {
                        return Err(Wrong::new(line, "a character should be a table"));
                    };
                    party.drafts.push(draft(table, line, &line_at)?);
                }
            }
            (name, _) => {
                let what = format!(
                    "{name:?} belongs nowhere; a party has `system` and `[[character]]` tables"
                );
                return Err(Wrong::new(line, what));
            }
        }
    }
    Ok(party)
}

fn draft(
    table: &DeTable<'_>,
    line: usize,
    line_at: &impl Fn(usize) -> usize,
) -> Result<Draft, Wrong> {
    let mut fields = Vec::new();
    for (key, value) in table {
        let line = line_at(key.span().start);
        let name = key.get_ref().to_string();
        if let ("sheet" | "stats", DeValue::Table(sheet)) = (name.as_str(), value.get_ref()) {
            fields.extend(draft(sheet, line, line_at)?.fields);
            continue;
        }
        let value = read_value(value).ok_or_else(|| {
            Wrong::new(
                line,
                format!("{name}: it should be a text, a whole number, or names with numbers"),
            )
        })?;
        fields.push(Written { name, value, line });
    }
    fields.sort_by_key(|field| field.line);
    Ok(Draft { line, fields })
}

fn read_value(value: &Spanned<DeValue<'_>>) -> Option<Value> {
    Some(match value.get_ref() {
        DeValue::String(text) => Value::Text(text.to_string()),
        DeValue::Boolean(flag) => Value::Flag(*flag),
        DeValue::Integer(number) => {
            Value::Number(i32::from_str_radix(number.as_str(), number.radix()).ok()?)
        }
        DeValue::Table(ranks) => {
            let mut named: Vec<(usize, String, i32)> = Vec::new();
            for (name, rank) in ranks {
                match read_value(rank)? {
                    Value::Number(rank) => {
                        named.push((name.span().start, name.get_ref().to_string(), rank));
                    }
                    _ => return None,
                }
            }
            // In the order in which they were written.
            named.sort_by_key(|(at, ..)| *at);
            Value::Ranks(
                named
                    .into_iter()
                    .map(|(_, name, rank)| (name, rank))
                    .collect(),
            )
        }
        DeValue::Float(_) | DeValue::Datetime(_) | DeValue::Array(_) => return None,
    })
}
