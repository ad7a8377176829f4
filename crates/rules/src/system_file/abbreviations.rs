//! Checks the abbreviations of stats, pools and clocks, which stand on cards and above narrow columns.

use std::ops::RangeInclusive;

use tableside_text::{is_same_name, width};

use super::read::TomlTable;
use crate::{CardEntry, Kind, SystemSpec};

/// The allowed widths of an abbreviation, in columns of the screen.
const WIDTHS: RangeInclusive<usize> = 2..=5;

/// A value and its abbreviation.
struct Abbreviation {
    id: &'static str,
    short: &'static str,
}

/// Reports abbreviations that are too short, too long or used twice, and values of `[card]` that have none.
pub(super) fn validate_abbreviations(file: &TomlTable<'_>, spec: &SystemSpec) {
    let listed = listed_ids(file, spec);
    let mut seen: Vec<Abbreviation> = Vec::new();

    for key in ["stat", "pool", "clock"] {
        for table in file.tables_again(key) {
            let id = table.text_or_empty("id");
            let title = &table.title;
            let own_short = table.text("short");

            let Some(short) = own_short else {
                let name = table.label(id);
                let has_short_name = key != "stat" && WIDTHS.contains(&width(name));
                if listed.contains(&id) && !has_short_name {
                    table.fault(format!(
                        "{title} is on the card and needs short, an abbreviation of two to five letters"
                    ));
                }
                continue;
            };

            if !WIDTHS.contains(&width(short)) {
                table.fault(format!(
                    "the abbreviation {short:?} of {title} must have two to five letters"
                ));
            }
            let mut others = seen.iter();
            if let Some(other) = others.find(|other| is_same_name(other.short, short)) {
                let other = other.id;
                table.fault(format!(
                    "{title} has the same abbreviation as {other}, {short:?}; give each its own"
                ));
            }
            seen.push(Abbreviation { id, short });
        }
    }
}

/// Returns the ids of the values that `[card]` lists and that need an abbreviation: all but texts and lists.
fn listed_ids(file: &TomlTable<'_>, spec: &SystemSpec) -> Vec<&'static str> {
    let Some(card) = file.table("card") else {
        return Vec::new();
    };
    card.ignore_other_keys();

    let mut ids = Vec::new();
    for entry in spec.card.first.iter().chain(spec.card.then) {
        let is_named = match entry {
            CardEntry::Stat(stat) => !matches!(stat.kind, Kind::Text | Kind::Ranks { .. }),
            CardEntry::Pool(_) | CardEntry::Clock(_) => true,
            CardEntry::Conditions => false,
        };
        if is_named {
            ids.push(entry.id());
        }
    }
    ids
}
