//! Keys in a snapshot that this version does not know: they are found once and put back at every save.
//!
//! Found by comparison: what the file holds and what is left of it after being read and written again.
//! So a key that this version knows and has since dropped does not come back from the dead.

use std::collections::BTreeMap;

use toml_edit::{
    Array, ArrayOfTables, DocumentMut, InlineTable, Item, Key, Table, TableLike, Value,
};

/// The unknown keys of one table.
#[derive(Debug, Default)]
pub(super) struct UnknownKeys(BTreeMap<String, Part>);

#[derive(Debug)]
enum Part {
    /// Unknown as a whole.
    Whole(Key, Box<Item>),
    /// Known, with unknown keys in it.
    Within(UnknownKeys),
    /// A known array of tables, by each table's `id`.
    Each(BTreeMap<String, UnknownKeys>),
}

impl UnknownKeys {
    /// The keys that `found` has and `understood` has not.
    pub(super) fn between(found: &DocumentMut, understood: &DocumentMut) -> Self {
        let mut unknown = Self::in_table(found.as_table(), understood.as_table());
        // The header is ours, though no reader of the state knows it.
        unknown.0.remove("format");
        unknown.0.remove("last");
        unknown.0.remove("seal");
        unknown
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Puts the keys back where the tables that they stood in still are.
    pub(super) fn put_back(&self, document: &mut DocumentMut) {
        self.put_into(document.as_table_mut(), false);
    }

    fn in_table(found: &dyn TableLike, understood: &dyn TableLike) -> Self {
        let mut parts = BTreeMap::new();
        for (name, item) in found.iter() {
            let part = match understood.get(name) {
                None => found.key(name).map(|key| {
                    let mut item = item.clone();
                    forget_position(&mut item);
                    Part::Whole(key.clone(), Box::new(item))
                }),
                Some(known) => Self::in_item(item, known),
            };
            if let Some(part) = part {
                parts.insert(name.to_owned(), part);
            }
        }
        Self(parts)
    }

    fn in_item(found: &Item, known: &Item) -> Option<Part> {
        if let (Some(found), Some(known)) = (found.as_table_like(), known.as_table_like()) {
            let unknown = Self::in_table(found, known);
            return (!unknown.is_empty()).then_some(Part::Within(unknown));
        }
        let known = by_id(known);
        let mut each = BTreeMap::new();
        for (id, found) in by_id(found) {
            let unknown = known.get(&id).map(|known| Self::in_table(found, *known));
            if let Some(unknown) = unknown.filter(|unknown| !unknown.is_empty()) {
                each.insert(id, unknown);
            }
        }
        (!each.is_empty()).then_some(Part::Each(each))
    }

    fn put_into(&self, table: &mut dyn TableLike, is_inline: bool) {
        for (name, part) in &self.0 {
            match part {
                Part::Whole(key, item) => {
                    if table.get(name).is_none() {
                        table.entry_format(key).or_insert(fitting(item, is_inline));
                    }
                }
                Part::Within(unknown) => {
                    let item = table.get_mut(name);
                    let is_inline = item.as_ref().is_some_and(|item| item.is_inline_table());
                    if let Some(inner) = item.and_then(Item::as_table_like_mut) {
                        unknown.put_into(inner, is_inline);
                    }
                }
                Part::Each(each) => {
                    if let Some(item) = table.get_mut(name) {
                        put_into_each(each, item);
                    }
                }
            }
        }
    }
}

fn put_into_each(each: &BTreeMap<String, UnknownKeys>, item: &mut Item) {
    let put = |table: &mut dyn TableLike, is_inline: bool| {
        if let Some(unknown) = id_of(table).and_then(|id| each.get(&id)) {
            unknown.put_into(table, is_inline);
        }
    };
    if let Some(tables) = item.as_array_of_tables_mut() {
        tables
            .iter_mut()
            .for_each(|table: &mut Table| put(table, false));
    } else if let Some(array) = item.as_array_mut() {
        let tables = array.iter_mut().filter_map(Value::as_inline_table_mut);
        tables.for_each(|table: &mut InlineTable| put(table, true));
    }
}

/// An inline table holds values only; a table that comes to stand in one becomes inline too.
fn fitting(item: &Item, is_inline: bool) -> Item {
    let item = item.clone();
    if is_inline {
        item.into_value().map_or_else(|item| item, Item::Value)
    } else {
        item
    }
}

/// The tables of an array by their `id`, in whichever of the two notations it is written.
fn by_id(item: &Item) -> BTreeMap<String, &dyn TableLike> {
    let tables: Vec<&dyn TableLike> = if let Some(tables) = item.as_array_of_tables() {
        ArrayOfTables::iter(tables)
            .map(|table| table as &dyn TableLike)
            .collect()
    } else if let Some(array) = item.as_array() {
        let inline = Array::iter(array).filter_map(Value::as_inline_table);
        inline.map(|table| table as &dyn TableLike).collect()
    } else {
        Vec::new()
    };
    tables
        .into_iter()
        .filter_map(|table| Some((id_of(table)?, table)))
        .collect()
}

fn id_of(table: &dyn TableLike) -> Option<String> {
    let id = table.get("id")?;
    id.as_str()
        .map(str::to_owned)
        .or_else(|| id.as_integer().map(|number| number.to_string()))
}

/// A table is printed where its position says; one that moves to another document follows its parent.
fn forget_position(item: &mut Item) {
    match item {
        Item::Table(table) => forget_in_table(table),
        Item::ArrayOfTables(tables) => tables.iter_mut().for_each(forget_in_table),
        Item::None | Item::Value(_) => {}
    }
}

fn forget_in_table(table: &mut Table) {
    table.set_position(None);
    table.iter_mut().for_each(|(_, item)| forget_position(item));
}
