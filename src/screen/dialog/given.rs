//! A field of a check as a row of a form: given by a name from a sheet or by its value, or left open.

use super::entry::{Digits, Entry};
use super::form::Item;
use crate::dice::Die;
use crate::rules::{Field, Kind, Whose};
use crate::session::CharacterId;
use crate::table::SeatView;
use crate::text::is_same;

/// A text has at most so many letters.
const LONGEST_TEXT: usize = 200;

/// The names on the sheets of all who are asked, each once.
pub(super) fn names(
    field: &'static Field,
    asked: &[CharacterId],
    seen: &SeatView<'_>,
) -> Vec<String> {
    if field.whose != Whose::Own {
        return seen.picks(None, field);
    }
    let mut names: Vec<String> = Vec::new();
    for who in asked {
        for name in seen.picks(Some(*who), field) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    names
}

/// What is entered for a field: a number or a text is typed; anything else is one of the names and the
/// values, or `open`, which leaves it to the sheet. A number may be a name instead. What was given otherwise
/// stays to be picked.
pub(super) fn entry(field: &Field, names: Vec<String>, given: Option<&str>, open: &str) -> Entry {
    let plain: Vec<String> = match field.kind {
        Kind::Number { .. } if names.is_empty() => {
            return Entry::number(given.and_then(|given| given.trim().parse().ok()));
        }
        Kind::Text => return Entry::text(given.unwrap_or_default(), LONGEST_TEXT),
        Kind::Number { .. } => Vec::new(),
        Kind::Flag => ["yes", "no"].map(str::to_owned).to_vec(),
        Kind::Die => Die::LADDER.map(|die| die.name().to_owned()).to_vec(),
        Kind::Word(words) => words.iter().map(|word| told(word)).collect(),
    };
    let mut words = vec![open.to_owned()];
    words.extend(names);
    words.extend(plain);
    let is_number = matches!(field.kind, Kind::Number { .. });
    let number = given.and_then(|given| given.trim().parse::<i32>().ok());
    if let Some(number) = number.filter(|_| is_number) {
        let digits = Digits::new(&number.to_string());
        return Entry::Named {
            words,
            at: 0,
            digits,
        };
    }
    let given = given.filter(|given| !given.trim().is_empty());
    let given = given.map(|given| match field.kind {
        Kind::Word(known) if known.contains(&given) => told(given),
        _ => given.to_owned(),
    });
    let same = |word: &String| given.as_ref().is_some_and(|given| is_same(word, given));
    let at = match (words.iter().position(same), given) {
        (Some(at), _) => at,
        (None, None) => 0,
        (None, Some(given)) => {
            words.push(given);
            words.len() - 1
        }
    };
    if is_number {
        let digits = Digits::new("");
        return Entry::Named { words, at, digits };
    }
    Entry::word(words, at)
}

/// The same entry with other names: what is being typed goes on being typed.
pub(super) fn renamed(before: &Entry, now: Entry) -> Entry {
    match (before, now) {
        (Entry::Number(digits), Entry::Number(_)) => Entry::Number(digits.clone()),
        (Entry::Named { digits, .. }, Entry::Named { words, at, .. }) => Entry::Named {
            words,
            at,
            digits: digits.clone(),
        },
        (_, now) => now,
    }
}

/// What was given, as a person writes it; nothing where it is left open.
pub(super) fn given(field: &Field, item: &Item, open: &str) -> Option<String> {
    let words = item.entry.words().trim().to_owned();
    match (&item.entry, field.kind) {
        _ if words.is_empty() || words == open => None,
        (Entry::Word { .. }, Kind::Word(known)) => {
            let written = known.iter().find(|word| told(word) == words);
            Some(written.map_or(words, |word| (*word).to_owned()))
        }
        _ => Some(words),
    }
}

/// A word as it is shown: `similar power`.
fn told(word: &str) -> String {
    word.replace('-', " ")
}
