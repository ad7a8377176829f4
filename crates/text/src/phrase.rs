//! Assembles phrases from words: lists, plurals, capital letters.

use std::fmt::Display;

/// Capitalises the first letter of `text`.
pub fn capitalise(text: &str) -> String {
    let mut characters = text.chars();
    match characters.next() {
        Some(first) => first.to_uppercase().chain(characters).collect(),
        None => String::new(),
    }
}

/// Makes the first letter of a name small, for the middle of a sentence. Abbreviations, such as `HP left`, stay.
pub fn uncapitalise(text: &str) -> String {
    let mut characters = text.chars();
    match (characters.next(), characters.clone().next()) {
        (Some(_), Some(second)) if second.is_uppercase() => text.to_owned(),
        (Some(first), _) => first.to_lowercase().chain(characters).collect(),
        (None, _) => String::new(),
    }
}

/// Joins `items` with `separator` between them.
pub fn join(items: impl IntoIterator<Item = impl Display>, separator: &str) -> String {
    let mut joined = String::new();
    for (index, item) in items.into_iter().enumerate() {
        if index > 0 {
            joined.push_str(separator);
        }
        joined.push_str(&item.to_string());
    }

    joined
}

/// Joins names with commas and a final "and": `Mira`, `Mira and Bo`, `Mira, Bo and Wren`.
pub fn join_with_and(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [name] => (*name).to_owned(),
        [others @ .., last] => format!("{} and {last}", others.join(", ")),
    }
}

/// Writes a count with its noun: `1 clock`, `3 clocks`, `2 entries`. Nouns in `-ry` become `-ries`, all others get an
/// `s`.
pub fn pluralise(count: impl Display, noun: &str) -> String {
    let number = count.to_string();
    if number == "1" {
        return format!("1 {noun}");
    }

    match noun.strip_suffix("ry") {
        Some(stem) => format!("{number} {stem}ries"),
        None => format!("{number} {noun}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_letter_is_capitalised() {
        assert_eq!(capitalise("élan vital"), "Élan vital");
        assert_eq!(capitalise("ßa"), "SSa");
        assert_eq!(capitalise(""), "");
    }

    #[test]
    fn the_first_letter_of_a_name_becomes_small_in_a_sentence() {
        assert_eq!(uncapitalise("Hit points"), "hit points");
        assert_eq!(uncapitalise("Élan"), "élan");
        assert_eq!(uncapitalise("HP left"), "HP left");
        assert_eq!(uncapitalise("A"), "a");
        assert_eq!(uncapitalise(""), "");
    }

    #[test]
    fn names_are_listed_with_a_final_and() {
        assert_eq!(join_with_and(&[]), "");
        assert_eq!(join_with_and(&["Mira"]), "Mira");
        assert_eq!(join_with_and(&["Mira", "Bo"]), "Mira and Bo");
        assert_eq!(join_with_and(&["Mira", "Bo", "Wren"]), "Mira, Bo and Wren");
    }

    #[test]
    fn one_is_singular_and_every_other_count_is_plural() {
        assert_eq!(pluralise(1, "clock"), "1 clock");
        assert_eq!(pluralise(0, "clock"), "0 clocks");
        assert_eq!(pluralise(21, "clock"), "21 clocks");
        assert_eq!(pluralise("2", "entry"), "2 entries");
    }
}
