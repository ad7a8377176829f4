//! Reads the fields of a check and the stats of a sheet.

use std::collections::BTreeSet;
use std::mem::discriminant;

use crate::permanent::intern_list;
use crate::system_file::compile::scope::Around;
use crate::system_file::read::{Given, Table, unknown};
use crate::{Asked, Field, Id, Kind, Value, ValueSource, Whose};

impl Field {
    /// Reads a field or a stat, with what the system has beside its checks. A check's own id, label, source and owner
    /// go before those of the shared field that it uses.
    pub(crate) fn read(table: &Table<'_>, around: &Around<'_>) -> Option<Self> {
        let booked = |key| {
            let given = table.table(key)?;
            let (pool, is_worked_out) = (given.must("pool")?, given.get("add").is_some());
            let _when = given.get("when");
            let id = pool.known("there is no pool", around.pool_ids())?;
            (!is_worked_out).then(|| Id::new(id))
        };
        let own = Self {
            id: table.words("id"),
            label: table.words("label"),
            optional: table.flag("optional"),
            house: table.text("house"),
            source: Self::source(table, around),
            parts: around.parts(table),
            whose: table.variant("whose").unwrap_or_default(),
            help: table.words("help"),
            names: Self::named(table),
            spends: booked("spends"),
            gains: booked("gains"),
            like: table.text("like"),
            begins: table.number("begins"),
            asked: table.variant("asked").unwrap_or_default(),
            short: table.words("short"),
            group: table.words("group"),
            state: table.flag("state"),
            at_most: table.text("at_most"),
            excludes: table.text("excludes"),
            ..Self::default()
        };
        if let Some(given) = table.get("use") {
            return Self::shared(&own, given, around.shared);
        }
        let id = table.must("id")?.id()?;
        let kind = Self::kind(table);
        let counts_helpers = table.text("kind") == Some("helpers");
        let value = |given: Given<'_>| {
            let value = kind?.coerce(id, given.value());
            value.map_err(|error| given.fault(error.to_string())).ok()
        };
        let follows = table.entries("follows").into_iter();
        let follows = follows.filter_map(|(stat, given)| {
            if around.stat_ids().all(|known| known != stat) {
                given.fault(unknown("there is no stat", stat, around.stat_ids()));
            }
            Some((stat, value(given)?))
        });
        let start = table.get("start").and_then(value);
        // One of no kind that there is takes whatever stands there.
        let kind = kind.unwrap_or(Kind::Text);
        let start = start.or(match kind {
            Kind::Flag => Some(Value::Flag(false)),
            Kind::Ranks { .. } => Some(Value::Ranks(Vec::new())),
            Kind::Number { min, .. } if counts_helpers => Some(Value::Number(min)),
            _ => None,
        });
        // The row of helpers says it; the number is for who has no characters at the table.
        let asked = if counts_helpers {
            Asked::Seldom
        } else {
            own.asked
        };
        let _each = table.get("each").filter(|_| counts_helpers);
        // A stat of its name and kind is meant where nothing is said.
        let is_of_kind = |stat: &&Self| discriminant(&stat.kind) == discriminant(&kind);
        let mut stats = around
            .stats
            .iter()
            .filter(|_| own.source == ValueSource::Table);
        let meant = stats.find(|stat| stat.id == id && is_of_kind(stat));
        let source = meant.map_or(own.source, |stat| ValueSource::Stat(stat.id));
        Some(Self {
            label: table.label(id),
            kind,
            start,
            follows: follows.collect(),
            asked,
            source,
            counts_helpers,
            ..own
        })
    }

    /// The shared field of that name, with what is said of it here.
    fn shared(own: &Self, given: Given<'_>, shared: &[Self]) -> Option<Self> {
        let id = given.known(
            "there is no shared field",
            shared.iter().map(|field| field.id),
        )?;
        let found = shared.iter().find(|field| field.id == id)?;
        let or = |own: &'static str, shared| if own.is_empty() { shared } else { own };
        let mut field = found.clone();
        field.id = or(own.id, field.id);
        field.label = or(own.label, field.label);
        if own.asked != Asked::AtTimes {
            field.asked = own.asked;
        }
        if own.whose != Whose::Own {
            field.whose = own.whose;
        }
        if own.source != ValueSource::Table {
            (field.source, field.parts) = (own.source, own.parts);
        }
        Some(field)
    }

    fn kind(table: &Table<'_>) -> Option<Kind> {
        // A bound that can't be read bounds nothing.
        let read = |given: Given<'_>, unread| given.number().unwrap_or(unread);
        let bound = |key, unread| table.get(key).map_or(0, |given| read(given, unread));
        let (min, max) = (bound("min", -1_000_000), bound("max", 1_000_000));
        let words = table.texts("words");
        let what = table.text("one").unwrap_or("entry");
        let kind = table.must("kind")?.one_of(&[
            ("die", Kind::Die),
            ("number", Kind::Number { min, max }),
            ("helpers", Kind::Number { min, max }),
            ("flag", Kind::Flag),
            ("word", Kind::Word(words)),
            ("text", Kind::Text),
            ("ranks", Kind::Ranks { what, max }),
        ])?;
        let fault = match kind {
            Kind::Number { min, max } if min > max => ": min is above max",
            Kind::Word([]) => " needs words",
            Kind::Word(words) if words.iter().collect::<BTreeSet<_>>().len() < words.len() => {
                " has a word twice"
            }
            _ => return Some(kind),
        };
        table.lacks(format!("{}{fault}", table.what));
        None
    }

    /// The names of numbers, which a file writes as keys, in order.
    fn named(table: &Table<'_>) -> Vec<(i32, &'static str)> {
        let names = table.entries("names").into_iter();
        let named = names.filter_map(|(number, name)| {
            let Ok(number) = number.parse() else {
                let why = format!("names are given to numbers, and {number:?} is none");
                name.fault(why);
                return None;
            };
            Some((number, name.text()?))
        });
        let mut named: Vec<(i32, &'static str)> = named.collect();
        named.sort_unstable();
        named
    }

    fn source(table: &Table<'_>, around: &Around<'_>) -> ValueSource {
        let given = table.list("from");
        let offer = table.flag("offer");
        let stat = |given: &Given<'_>| given.known("there is no stat", around.stat_ids());
        let given = match given[..] {
            [] => return ValueSource::Table,
            [given, ..] if given.is_table() => return ValueSource::Derived,
            [given] => given,
            _ => {
                let stats = intern_list(given.iter().filter_map(stat).collect());
                let best = table.flag("best");
                return ValueSource::OneOf { stats, best };
            }
        };
        let Some(name) = given.text() else {
            return ValueSource::Table;
        };
        match name.split_once(':') {
            Some(("field", other)) => ValueSource::Follows(other),
            Some(("condition", name)) => {
                // Its beginning is enough, as when it is looked for on a card.
                let mut known = around.condition_names();
                if !known.any(|known| known.starts_with(name)) {
                    let known = around.condition_names();
                    given.fault(unknown("there is no condition", name, known));
                }
                ValueSource::Condition(name)
            }
            Some((side @ ("pool" | "owed"), id)) => {
                if around.pool_ids().all(|known| known != id) {
                    given.fault(unknown("there is no pool", id, around.pool_ids()));
                }
                let (kind, owed) = (Id::new(id), side == "owed");
                ValueSource::Tokens { kind, owed }
            }
            Some((other, _)) => {
                let known = ["field", "condition", "pool", "owed"].into_iter();
                given.fault(unknown("nothing comes from", other, known));
                ValueSource::Table
            }
            None if name == "derived" => ValueSource::Derived,
            None if name == "clock" => ValueSource::Clock,
            None => {
                stat(&given);
                let list = |stat: &Self| stat.id == name && matches!(stat.kind, Kind::Ranks { .. });
                if around.stats.iter().any(list) {
                    ValueSource::Ranked { list: name, offer }
                } else {
                    ValueSource::Stat(name)
                }
            }
        }
    }
}
