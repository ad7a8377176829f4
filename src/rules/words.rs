//! Small pieces of sentences.

use std::fmt::Display;

pub(super) use crate::text::capital;

/// These in a row, with that between them.
pub(super) fn joined(all: impl IntoIterator<Item = impl Display>, between: &str) -> String {
    let all = all.into_iter().map(|one| one.to_string());
    all.collect::<Vec<_>>().join(between)
}

/// What is added or taken away, by name, where it is not 0: ` + 2 (profession) − 1 (modifier)`.
pub(super) fn terms<'a>(all: impl IntoIterator<Item = &'a (&'a str, i32)>) -> String {
    let there = all.into_iter().filter(|(_, amount)| *amount != 0);
    let words = there.map(|(name, amount)| {
        let sign = if *amount < 0 { '−' } else { '+' };
        format!(" {sign} {} ({name})", amount.abs())
    });
    words.collect()
}
