//! Small pieces of sentences.

pub(super) use tableside_text::{capitalise, join};

/// What is added or taken away, by name, where it is not 0: ` + 2 (profession) − 1 (modifier)`.
pub(super) fn terms<'a>(all: impl IntoIterator<Item = &'a (&'a str, i32)>) -> String {
    let there = all.into_iter().filter(|(_, amount)| *amount != 0);
    let words = there.map(|(name, amount)| {
        let sign = if *amount < 0 { '−' } else { '+' };
        format!(" {sign} {} ({name})", amount.abs())
    });
    words.collect()
}
