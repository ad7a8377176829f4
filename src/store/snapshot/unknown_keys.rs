//! Keys in a snapshot that this version does not know: they are found once and put back at every save.
//!
//! Found by comparison: what the file holds and what is left of it after being read and written again.
//! So a key that this version knows and has since dropped does not come back from the dead.

use std::collections::BTreeMap;

use toml::{Table, Value};

/// The unknown keys of one table.
#[derive(Debug, Default)]
pub(super) struct UnknownKeys(BTreeMap<String, Part>);

#[derive(Debug)]
enum Part {
    /// Unknown as a whole.
    Whole(Value),
    /// Known, with unknown keys in it.
    Within(UnknownKeys),
    /// A known array of tables, by each table's `id`.
    Each(BTreeMap<String, UnknownKeys>),
}

impl UnknownKeys {
    /// The keys that `found` has and `understood` has not.
    pub(super) fn between(found: &Table, understood: &Table) -> Self {
        let parts = found.iter().filter_map(|(name, value)| {
            let part = match (value, understood.get(name)) {
                (value, None) => Part::Whole(value.clone()),
                (Value::Table(found), Some(Value::Table(known))) => {
                    Part::Within(Self::between(found, known))
                }
                (Value::Array(found), Some(Value::Array(known))) => {
                    let known: BTreeMap<String, &Table> = by_id(known).collect();
                    let each = by_id(found).filter_map(|(id, found)| {
                        let unknown = Self::between(found, known.get(&id)?);
                        Some((id, unknown))
                    });
                    Part::Each(each.collect())
                }
                _ => return None,
            };
            Some((name.clone(), part))
        });
        Self(parts.collect())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.values().all(|part| match part {
            Part::Whole(_) => false,
            Part::Within(inner) => inner.is_empty(),
            Part::Each(each) => each.values().all(Self::is_empty),
        })
    }

    /// Puts the keys back where the tables that they stood in still are.
    pub(super) fn put_back(&self, table: &mut Table) {
        for (name, part) in &self.0 {
            match (part, table.get_mut(name)) {
                (Part::Whole(value), None) => {
                    table.insert(name.clone(), value.clone());
                }
                (Part::Within(inner), Some(Value::Table(table))) => inner.put_back(table),
                (Part::Each(each), Some(Value::Array(array))) => {
                    for table in array.iter_mut().filter_map(Value::as_table_mut) {
                        if let Some(inner) = id_of(table).and_then(|id| each.get(&id)) {
                            inner.put_back(table);
                        }
                    }
                }
                _ => {}
            }
        }
    }
}

/// The tables of an array by their `id`.
fn by_id(array: &[Value]) -> impl Iterator<Item = (String, &Table)> {
    let tables = array.iter().filter_map(Value::as_table);
    tables.filter_map(|table| Some((id_of(table)?, table)))
}

fn id_of(table: &Table) -> Option<String> {
    match table.get("id")? {
        Value::String(id) => Some(id.clone()),
        Value::Integer(id) => Some(id.to_string()),
        _ => None,
    }
}
