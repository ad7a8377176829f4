//! Checks the abbreviations of stats, pools and clocks, which stand on cards and above narrow columns.

use std::ops::RangeInclusive;

use tableside_text::{is_same_name, width};

use super::read::TomlTable;
use crate::{CardEntry, Kind, SystemSpec};

/// The allowed widths of an abbreviation, in columns of the screen.
const WIDTHS: RangeInclusive<usize> = 2..=7;

/// The same for a text, before which the abbreviation is only a mark, such as the level of a wound.
const WIDTHS_BEFORE_TEXT: RangeInclusive<usize> = 1..=7;

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
                        "{title} is on the card and needs short, an abbreviation of two to seven letters"
                    ));
                }
                continue;
            };

            // Texts have no columns, so that several may share a mark.
            if table.text("kind") == Some("text") {
                if !WIDTHS_BEFORE_TEXT.contains(&width(short)) {
                    table.fault(format!(
                        "the abbreviation {short:?} of {title} must have one to seven letters"
                    ));
                }
                continue;
            }

            if !WIDTHS.contains(&width(short)) {
                table.fault(format!(
                    "the abbreviation {short:?} of {title} must have two to seven letters"
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

#[cfg(test)]
mod tests {
    use crate::{Field, System};

    /// Abbreviations that are a word of their own instead of the beginning of the name, and the one that every character
    /// sheet of 5e prints.
    const OTHER_WORDS: [&str; 3] = ["Fight", "Save", "Str"];

    #[test]
    fn an_abbreviation_can_be_spoken() {
        let is_spoken = |short: &str, label: &str| {
            let mut words = label.split(' ');
            let is_beginning = words.any(|word| {
                let beginning: String = word.chars().take(short.chars().count()).collect();
                beginning.eq_ignore_ascii_case(short)
            });
            let are_capitals = !short.contains(|letter: char| letter.is_lowercase());
            let has_vowel = short.contains(['a', 'e', 'i', 'o', 'u', 'A', 'E', 'I', 'O', 'U', 'y']);
            are_capitals || OTHER_WORDS.contains(&short) || (is_beginning && has_vowel)
        };

        for system in System::shipped() {
            let spec = system.spec();
            let stats = spec.stats.iter().filter(|stat| !stat.short.is_empty());
            let of_stat = |stat: &Field| (stat.short, stat.label);
            let pools = spec.pools.iter().map(|pool| (pool.short_name(), pool.name));
            let clocks = spec
                .clocks
                .iter()
                .map(|clock| (clock.short_name(), clock.name));
            for (short, label) in stats.map(of_stat).chain(pools).chain(clocks) {
                assert!(is_spoken(short, label), "{system}: {short} for {label}");
            }
        }
    }
}
