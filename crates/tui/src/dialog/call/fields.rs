//! The fields of a check that a call can fill in.

use tableside_rules::{Asked, Field, Kind, ValueSource, Whose};

/// Returns the option that leaves a field to each character.
pub(super) fn open_choice(field: &Field) -> &'static str {
    if field.is_tested() {
        "their choice"
    } else {
        "their own"
    }
}

/// Returns true if a call can set a field. Helpers and spent tokens are decided by each player, and a number of tokens
/// is read from each character's pool.
pub(super) fn is_asked(field: &Field) -> bool {
    let counts_tokens = matches!(field.source, ValueSource::Tokens { .. });
    field.spends.is_none() && !counts_tokens && !field.is_lent()
}

/// Returns the initial value of a field that the GM sets in the call: the target number, or a word such as the
/// position. `None` for fields that each player fills in.
pub(super) fn called_value(field: &Field) -> Option<String> {
    let is_of_table = field.whose == Whose::Own && field.source == ValueSource::Table;
    if !is_of_table || field.asked != Asked::Always {
        return None;
    }

    let start = field.start.as_ref()?;
    let is_target = match field.kind {
        Kind::Number { .. } => start.number().is_some_and(|number| number > 0),
        Kind::Word(_) => true,
        _ => false,
    };
    if is_target {
        Some(start.to_string())
    } else {
        None
    }
}
