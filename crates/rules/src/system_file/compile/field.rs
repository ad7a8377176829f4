//! Compiles the fields of checks and the stats of sheets.

use std::collections::BTreeSet;
use std::mem::discriminant;

use super::declarations::Declarations;
use crate::permanent::intern_list;
use crate::system_file::read::{TomlTable, TomlValue, unknown_name};
use crate::{Asked, Beginning, Field, Id, Kind, Value, ValueSource, Whose};

/// The bounds of a number whose `min` or `max` is faulty.
const UNBOUNDED: i32 = 1_000_000;

impl Field {
    /// Compiles a field or a stat. A check may use a shared field, and its own id, label, source and owner then replace
    /// those of the shared field.
    pub(super) fn compile(table: &TomlTable<'_>, declared: &Declarations<'_>) -> Option<Self> {
        let own = Self {
            id: table.text_or_empty("id"),
            label: table.text_or_empty("label"),
            optional: table.flag("optional"),
            house: table.text("house"),
            source: source(table, declared),
            parts: declared.sheet_parts(table),
            whose: table.variant("whose").unwrap_or_default(),
            help: table.text_or_empty("help"),
            names: named_numbers(table),
            spends: fixed_pool(table, "spends", declared),
            gains: fixed_pool(table, "gains", declared),
            like: table.text("like"),
            begins: beginning(table),
            asked: table.variant("asked").unwrap_or_default(),
            short: table.text_or_empty("short"),
            group: table.text_or_empty("group"),
            state: table.flag("state"),
            at_most: table.text("at_most"),
            most: table.text("most"),
            excludes: table.text("excludes"),
            needs: table.text("needs"),
            said: said(table),
            ..Self::default()
        };

        match table.get("use") {
            Some(used) => own.override_shared(used, declared.shared_fields),
            None => own.with_kind(table, declared),
        }
    }

    /// Returns a copy of the shared field that `used` names. The id, label, source and owner of this field replace those of
    /// the copy if they are given.
    fn override_shared(self, used: TomlValue<'_>, shared_fields: &[Self]) -> Option<Self> {
        let ids: Vec<&str> = shared_fields.iter().map(|field| field.id).collect();
        let id = used.name_among("unknown shared field", &ids)?;
        let shared = shared_fields.iter().find(|field| field.id == id)?;

        let mut field = shared.clone();

        if !self.id.is_empty() {
            field.id = self.id;
        }
        if !self.label.is_empty() {
            field.label = self.label;
        }
        if self.asked != Asked::AtTimes {
            field.asked = self.asked;
        }
        if self.whose != Whose::Own {
            field.whose = self.whose;
        }
        if self.source != ValueSource::Table {
            field.source = self.source;
            field.parts = self.parts;
        }
        Some(field)
    }

    /// Adds the id, the kind and everything that depends on the kind.
    fn with_kind(self, table: &TomlTable<'_>, declared: &Declarations<'_>) -> Option<Self> {
        let id = table.require("id")?.id()?;
        let kind = kind(table);
        let counts_helpers = table.text("kind") == Some("helpers");

        let stat_ids = declared.stat_ids();
        let mut follows = Vec::new();
        for (stat, toml_value) in table.entries_of("follows") {
            if !stat_ids.contains(&stat) {
                toml_value.fault(unknown_name("unknown stat", stat, &stat_ids));
            }
            if let Some(value) = value_of_kind(toml_value, kind, id) {
                follows.push((stat, value));
            }
        }
        let start = table
            .get("start")
            .and_then(|start| value_of_kind(start, kind, id));

        // A field of a faulty kind takes any text, so that its values do not cause further faults.
        let kind = kind.unwrap_or(Kind::Text);
        let mut asked = self.asked;
        if counts_helpers {
            // The roll dialog has its own row for helpers. This field is for games without characters.
            asked = Asked::Seldom;
            // `CheckScope::cost` compiles this key.
            table.get("each");
        }

        Some(Self {
            label: table.label(id),
            kind,
            start: start.or_else(|| default_start(kind, counts_helpers)),
            follows,
            asked,
            source: self.source_or_stat(id, kind, declared),
            counts_helpers,
            ..self
        })
    }

    /// Returns the source. By default a field comes from the stat of its id, if that is of the same kind.
    fn source_or_stat(&self, id: &str, kind: Kind, declared: &Declarations<'_>) -> ValueSource {
        if self.source != ValueSource::Table {
            return self.source;
        }

        match declared.stat(id) {
            Some(stat) if discriminant(&stat.kind) == discriminant(&kind) => {
                ValueSource::Stat(stat.id)
            }
            _ => ValueSource::Table,
        }
    }
}

/// Returns a value of this kind for the field `id`; `None` after a fault, or if the kind itself is faulty.
fn value_of_kind(value: TomlValue<'_>, kind: Option<Kind>, id: &str) -> Option<Value> {
    match kind?.coerce(id, value.field_value()) {
        Ok(value) => Some(value),
        Err(error) => {
            value.fault(error.to_string());
            None
        }
    }
}

/// Returns the start value of a field whose table has none.
fn default_start(kind: Kind, counts_helpers: bool) -> Option<Value> {
    match kind {
        Kind::Flag => Some(Value::Flag(false)),
        Kind::Ranks { .. } => {
            let no_entries = Vec::new();
            Some(Value::Ranks(no_entries))
        }
        Kind::Number { min, .. } if counts_helpers => Some(Value::Number(min)),
        _ => None,
    }
}

/// Compiles `spends` or `gains`. Returns the pool if the amount is the number of the field itself.
fn fixed_pool(table: &TomlTable<'_>, key: &'static str, declared: &Declarations<'_>) -> Option<Id> {
    let change = table.table(key)?;
    let has_amount = change.get("add").is_some();
    // `CheckScope::cost` compiles this key.
    change.get("when");

    let id = change.required_name("pool", "unknown pool", &declared.pool_ids())?;
    if has_amount { None } else { Some(Id::new(id)) }
}

fn kind(table: &TomlTable<'_>) -> Option<Kind> {
    let min = bound(table, "min", -UNBOUNDED);
    let max = bound(table, "max", UNBOUNDED);
    let words = table.texts("words");
    let entry_name = table.text("one").unwrap_or("entry");

    let kind = table.require("kind")?.meaning(&[
        ("die", Kind::Die),
        ("number", Kind::Number { min, max }),
        ("helpers", Kind::Number { min, max }),
        ("flag", Kind::Flag),
        ("word", Kind::Word(words)),
        ("text", Kind::Text),
        (
            "ranks",
            Kind::Ranks {
                what: entry_name,
                max,
            },
        ),
    ])?;

    let problem = match kind {
        Kind::Number { min, max } if min > max => ": min is above max",
        Kind::Word([]) => " needs words",
        Kind::Word(words) if has_duplicates(words) => " lists a word twice",
        _ => return Some(kind),
    };
    table.report_missing(format!("{}{problem}", table.title));
    None
}

/// Compiles `min` or `max`. A missing bound is 0, and a faulty one is `if_faulty`, so that it causes no further faults.
fn bound(table: &TomlTable<'_>, key: &'static str, if_faulty: i32) -> i32 {
    match table.get(key) {
        Some(value) => value.number().unwrap_or(if_faulty),
        None => 0,
    }
}

fn has_duplicates(words: &[&str]) -> bool {
    let distinct: BTreeSet<&str> = words.iter().copied().collect();
    distinct.len() < words.len()
}

/// Compiles `said`, which has a place for the value.
fn said(table: &TomlTable<'_>) -> Option<&'static str> {
    let value = table.get("said")?;
    let text = value.text()?;
    if text.matches("{}").count() != 1 {
        value.fault("said must contain {} once, in place of the value");
    }
    Some(text)
}

/// Compiles `names`, whose keys are numbers.
fn named_numbers(table: &TomlTable<'_>) -> Vec<(i32, &'static str)> {
    let mut names = Vec::new();
    for (key, value) in table.entries_of("names") {
        let Ok(number) = key.parse() else {
            value.fault(format!(
                "each key of names must be a number, and {key:?} is not a number"
            ));
            continue;
        };
        if let Some(name) = value.text() {
            names.push((number, name));
        }
    }
    names.sort_unstable();
    names
}

/// Compiles `from`, `offer` and `best`.
fn source(table: &TomlTable<'_>, declared: &Declarations<'_>) -> ValueSource {
    let origins = table.list("from");
    let offer = table.flag("offer");

    match origins[..] {
        [] => ValueSource::Table,
        [first, ..] if first.is_table() => ValueSource::Derived,
        [value] => single_source(value, offer, declared),
        _ => {
            let mut stats = Vec::new();
            for value in origins {
                stats.extend(value.name_among("unknown stat", &declared.stat_ids()));
            }
            ValueSource::OneOf {
                stats: intern_list(stats),
                best: table.flag("best"),
            }
        }
    }
}

/// Compiles one source: a stat, `clock`, `derived`, or a name with the prefix `field:`, `condition:`, `pool:` or `owed:`.
fn single_source(value: TomlValue<'_>, offer: bool, declared: &Declarations<'_>) -> ValueSource {
    let Some(text) = value.text() else {
        return ValueSource::Table;
    };
    let Some((origin, name)) = text.split_once(':') else {
        return match text {
            "derived" => ValueSource::Derived,
            "clock" => ValueSource::Clock,
            _ => stat_source(value, text, offer, declared),
        };
    };

    match origin {
        "field" => ValueSource::Follows(name),
        "condition" => {
            // A field may name only the beginning of a condition's name.
            let names = declared.condition_names();
            let is_known = names.iter().any(|known| known.starts_with(name));
            if !is_known {
                value.fault(unknown_name("unknown condition", name, &names));
            }
            ValueSource::Condition(name)
        }
        "pool" | "owed" => {
            let ids = declared.pool_ids();
            if !ids.contains(&name) {
                value.fault(unknown_name("unknown pool", name, &ids));
            }
            ValueSource::Tokens {
                kind: Id::new(name),
                owed: origin == "owed",
            }
        }
        _ => {
            let origins = ["field", "condition", "pool", "owed"];
            value.fault(unknown_name("unknown source", origin, &origins));
            ValueSource::Table
        }
    }
}

fn stat_source(
    value: TomlValue<'_>,
    id: &'static str,
    offer: bool,
    declared: &Declarations<'_>,
) -> ValueSource {
    value.name_among("unknown stat", &declared.stat_ids());

    match declared.stat(id) {
        Some(stat) if stat.kind.is_list() => ValueSource::Ranked { list: id, offer },
        _ => ValueSource::Stat(id),
    }
}

/// Compiles `begins`: a number, or `last`.
fn beginning(table: &TomlTable<'_>) -> Beginning {
    let Some(value) = table.get("begins") else {
        return Beginning::Usual;
    };
    match value.field_value() {
        Value::Number(number) => Beginning::Number(number),
        Value::Text(word) if word == "last" => Beginning::Last,
        _ => {
            value.fault("expected a number or \"last\"".to_owned());
            Beginning::Usual
        }
    }
}
