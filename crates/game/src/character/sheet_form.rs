//! The stored form of a sheet in files and events. The form includes the system, so that a sheet can be read without
//! its game.

use std::collections::BTreeMap;

use serde::de::Error;
use serde::ser::SerializeMap as _;
use serde::{Deserialize as _, Deserializer, Serializer};

use tableside_rules::{Sheet, System, Value};

const SYSTEM: &str = "system";

/// The prefix of a value that only earlier rules of the game use.
const KEPT: &str = "was:";

pub(super) fn serialize<S: Serializer>(sheet: &Sheet, serializer: S) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(None)?;
    map.serialize_entry(SYSTEM, &sheet.system())?;
    for (stat, value) in sheet.iter() {
        if !sheet.is_derived(stat.id) {
            map.serialize_entry(stat.id, value)?;
        }
    }
    for (id, value) in sheet.kept() {
        map.serialize_entry(&format!("{KEPT}{id}"), value)?;
    }
    map.end()
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Sheet, D::Error> {
    let values = BTreeMap::<String, Value>::deserialize(deserializer)?;
    let system_id = values.get(SYSTEM).map(Value::to_string).unwrap_or_default();
    let system: System = system_id.parse().map_err(Error::custom)?;

    let mut sheet =
        Sheet::from_values(system, |stat| values.get(stat).cloned()).map_err(Error::custom)?;
    for (name, value) in &values {
        if let Some(id) = name.strip_prefix(KEPT) {
            sheet.keep(id, value.clone());
        }
    }
    Ok(sheet)
}
