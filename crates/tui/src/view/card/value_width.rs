//! The columns that values take, from their kinds and bounds.

use crate::widget::columns;
use tableside_rules::{CardEntry, Field, Kind, PoolSpec, SystemSpec};

/// The largest maximum of a pool that is drawn with a sign for each token.
const MOST_SIGNS: i32 = 10;
/// The most digits of a number without bounds.
const MOST_DIGITS: u16 = 4;

/// Returns true for values of a fixed width. Texts, lists and conditions have no such width.
pub(super) fn has_own_place(entry: CardEntry) -> bool {
    match entry {
        CardEntry::Stat(stat) => match stat.kind {
            Kind::Text | Kind::Ranks { .. } => false,
            Kind::Number { .. } | Kind::Die | Kind::Flag | Kind::Word(_) => true,
        },
        CardEntry::Pool(_) | CardEntry::Clock(_) => true,
        CardEntry::Conditions => false,
    }
}

/// Returns the number of signs for the tokens of a pool; 0 if the pool is shown as a number.
pub(super) fn token_signs(pool: &PoolSpec) -> u16 {
    match (pool.floor, pool.cap) {
        (Some(0), Some(cap @ 2..=MOST_SIGNS)) => u16::try_from(cap).unwrap_or(0),
        _ => 0,
    }
}

/// Returns the width of a value's column in a list.
pub(crate) fn column_width(entry: CardEntry, spec: &SystemSpec) -> u16 {
    columns(entry.short()).max(value_columns(entry, spec))
}

/// Returns the widest text of a value, in columns.
pub(super) fn value_columns(entry: CardEntry, spec: &SystemSpec) -> u16 {
    match entry {
        CardEntry::Stat(stat) => stat_columns(stat, spec),
        CardEntry::Pool(pool) if token_signs(pool) > 0 => {
            let digits = digits(pool.cap.unwrap_or(0));
            2 * digits + 1
        }
        CardEntry::Pool(pool) => {
            let cap = pool.cap.unwrap_or(i32::MAX);
            let floor = pool.floor.unwrap_or(i32::MIN);
            number_columns(floor, cap)
        }
        CardEntry::Clock(clock) => 2 * digits(clock.segments.into()) + 1,
        CardEntry::Conditions => 0,
    }
}

fn stat_columns(stat: &Field, spec: &SystemSpec) -> u16 {
    match stat.kind {
        Kind::Number { max, .. } if spec.has_maximum(stat) => 2 * digits(max) + 1,
        Kind::Number { min, max } => number_columns(min, max).max(count_columns(stat, spec)),
        Kind::Die | Kind::Flag => 3,
        Kind::Word(words) => {
            let widths = words.iter().map(|word| columns(word));
            widths.max().unwrap_or(0)
        }
        Kind::Text | Kind::Ranks { .. } => 0,
    }
}

/// Returns the columns that the counts of death saves need in addition to the abbreviation that they replace.
fn count_columns(stat: &Field, spec: &SystemSpec) -> u16 {
    match &spec.dying {
        Some(rules) if rules.counts_in == stat.id => {
            let counts = rules.describe_counts(0, 0);
            columns(&counts).saturating_sub(columns(stat.short) + 1)
        }
        _ => 0,
    }
}

fn number_columns(min: i32, max: i32) -> u16 {
    let sign = u16::from(min < 0);
    digits(max).max(digits(min)) + sign
}

fn digits(number: i32) -> u16 {
    let digits = number.unsigned_abs().max(1).ilog10() + 1;
    u16::try_from(digits)
        .unwrap_or(MOST_DIGITS)
        .min(MOST_DIGITS)
}
