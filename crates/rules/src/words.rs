//! Helpers for sentences.

pub(super) use tableside_text::{capitalise, join};

/// Formats amounts as the terms of a sum, without amounts that are 0: ` + 2 (profession) − 1 (modifier)`.
pub(super) fn terms<'a>(amounts: impl IntoIterator<Item = &'a (&'a str, i32)>) -> String {
    let mut terms = Vec::new();
    for (name, amount) in amounts {
        match amount.signum() {
            1 => terms.push(format!(" + {amount} ({name})")),
            -1 => terms.push(format!(" − {} ({name})", amount.abs())),
            _ => {}
        }
    }
    terms.concat()
}
