//! What the checks of HEARTS read off a sheet.

use crate::rules::{Derived, House, Sheet, Value};
use crate::text::is_same;

/// The kinds of checks, each with the list of a sheet that it is made on and the highest value there.
pub(super) const KINDS: [(&str, &str, i32); 3] = [
    ("skill", "skills", 200),
    ("trait", "traits", 40),
    ("quantity", "quantities", 20),
];

/// What an opposed check reads off a sheet by a name that its own list does not have: the value, and what
/// kind of check is made on it.
pub(super) fn derive(sheet: &Sheet, _: &House, field: &'static str, name: Option<&str>) -> Derived {
    let known = match field {
        "value" | "own-check" => &KINDS[1..],
        _ => &KINDS[..],
    };
    let (kind, (known, value)) = known.iter().find_map(|(kind, list, _)| {
        let mut ranks = sheet.ranks(list).iter();
        let found = ranks.find(|(known, _)| name.is_some_and(|name| is_same(known, name)));
        Some((*kind, found?))
    })?;
    let value = match field {
        "own-check" | "against-check" => Value::from(kind),
        _ => Value::Number(*value),
    };
    Some((value, known.clone()))
}
