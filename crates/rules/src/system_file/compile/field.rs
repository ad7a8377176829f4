//! Compiles the fields of checks and the stats of sheets.

use std::collections::BTreeSet;
use std::mem::discriminant;

use super::declarations::Declarations;
use crate::permanent::intern_list;
use crate::system_file::read::{TomlTable, TomlValue, unknown_name};
use crate::{Asked, Field, Id, Kind, Value, ValueSource, Whose};

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
            begins: table.number("begins"),
            asked: table.variant("asked").unwrap_or_default(),
            short: table.text_or_empty("short"),
            group: table.text_or_empty("group"),
            state: table.flag("state"),
            at_most: table.text("at_most"),
            excludes: table.text("excludes"),
            ..Self::default()
        };

        match table.get("use") {
            Some(used) => own.over_shared(used, declared.shared_fields),
            None => own.with_kind(table, declared),
        }
    }

    /// Returns the shared field of that name, with the id, label, source and owner of this field if they are given.
    fn over_shared(self, used: TomlValue<'_>, shared_fields: &[Self]) -> Option<Self> {
        let ids = shared_fields.iter().map(|field| field.id);
        let id = used.name_among("unknown shared field", ids)?;
        let mut field = shared_fields.iter().find(|field| field.id == id)?.clone();

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

        let value_of_kind = |value: TomlValue<'_>| match kind?.coerce(id, value.field_value()) {
            Ok(value) => Some(value),
            Err(error) => {
                value.fault(error.to_string());
                None
            }
        };

        let mut follows = Vec::new();
        for (stat, value) in table.entries_of("follows") {
            if declared.stat_ids().all(|known| known != stat) {
                value.fault(unknown_name("unknown stat", stat, declared.stat_ids()));
            }
            if let Some(value) = value_of_kind(value) {
                follows.push((stat, value));
            }
        }
        let start = table.get("start").and_then(value_of_kind);

        // A field of a faulty kind takes any text, so that its values are no faults as well.
        let kind = kind.unwrap_or(Kind::Text);
        let default_start = match kind {
            Kind::Flag => Some(Value::Flag(false)),
            Kind::Ranks { .. } => Some(Value::Ranks(Vec::new())),
            Kind::Number { min, .. } if counts_helpers => Some(Value::Number(min)),
            _ => None,
        };

        // The dialog has a row for helpers. The number is for tables without characters.
        let asked = if counts_helpers {
            Asked::Seldom
        } else {
            self.asked
        };
        if counts_helpers {
            // `CheckScope::cost` compiles it.
            table.get("each");
        }

        Some(Self {
            label: table.label(id),
            kind,
            start: start.or(default_start),
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
        let is_same =
            |stat: &&Self| stat.id == id && discriminant(&stat.kind) == discriminant(&kind);
        match declared.stats.iter().find(is_same) {
            Some(stat) => ValueSource::Stat(stat.id),
            None => ValueSource::Table,
        }
    }
}

/// Compiles `spends` or `gains`. Returns the pool if the amount is the number of the field itself.
fn fixed_pool(table: &TomlTable<'_>, key: &'static str, declared: &Declarations<'_>) -> Option<Id> {
    let change = table.table(key)?;
    let pool = change.require("pool")?;
    let has_amount = change.get("add").is_some();
    // `CheckScope::cost` compiles it.
    change.get("when");

    let id = pool.name_among("unknown pool", declared.pool_ids())?;
    if has_amount { None } else { Some(Id::new(id)) }
}

fn kind(table: &TomlTable<'_>) -> Option<Kind> {
    let bound = |key, if_faulty| match table.get(key) {
        Some(value) => value.number().unwrap_or(if_faulty),
        None => 0,
    };
    let min = bound("min", -UNBOUNDED);
    let max = bound("max", UNBOUNDED);
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
        Kind::Word(words) if words.iter().collect::<BTreeSet<_>>().len() < words.len() => {
            " lists a word twice"
        }
        _ => return Some(kind),
    };
    table.report_missing(format!("{}{problem}", table.title));
    None
}

/// Compiles `names`, whose keys are numbers.
fn named_numbers(table: &TomlTable<'_>) -> Vec<(i32, &'static str)> {
    let mut names = Vec::new();
    for (number, value) in table.entries_of("names") {
        match number.parse() {
            Ok(number) => names.extend(value.text().map(|name| (number, name))),
            Err(_) => value.fault(format!(
                "each key of names must be a number, and {number:?} is not a number"
            )),
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
            let stats = origins
                .iter()
                .filter_map(|value| value.name_among("unknown stat", declared.stat_ids()));
            ValueSource::OneOf {
                stats: intern_list(stats.collect()),
                best: table.flag("best"),
            }
        }
    }
}

/// Compiles one source: a stat, `clock`, `derived`, or a name behind `field:`, `condition:`, `pool:` or `owed:`.
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
            // A condition is found by the beginning of its name.
            let names = declared.condition_names();
            if !names.clone().any(|known| known.starts_with(name)) {
                value.fault(unknown_name("unknown condition", name, names));
            }
            ValueSource::Condition(name)
        }
        "pool" | "owed" => {
            if declared.pool_ids().all(|known| known != name) {
                value.fault(unknown_name("unknown pool", name, declared.pool_ids()));
            }
            ValueSource::Tokens {
                kind: Id::new(name),
                owed: origin == "owed",
            }
        }
        _ => {
            let origins = ["field", "condition", "pool", "owed"].into_iter();
            value.fault(unknown_name("unknown source", origin, origins));
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
    value.name_among("unknown stat", declared.stat_ids());

    let mut stats = declared.stats.iter();
    let is_list = stats.any(|stat| stat.id == id && matches!(stat.kind, Kind::Ranks { .. }));
    if is_list {
        ValueSource::Ranked { list: id, offer }
    } else {
        ValueSource::Stat(id)
    }
}
