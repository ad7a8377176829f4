//! Finds the known name that a mistyped word was meant to be, for error messages.

use super::{fold, join};

/// Returns the name in `names` that `typed` was most likely meant to be, or `None` if none is near enough.
///
/// An edit changes, inserts or deletes one character, or swaps two neighbours. A name is near if it takes at most one
/// edit for every three characters of `typed`, and fewer edits than `typed` has characters.
pub fn nearest<'a>(typed: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let typed = fold(typed);
    let length = typed.chars().count();
    let most_edits = (length / 3).max(1);

    let mut nearest = None;
    let mut fewest_edits = usize::MAX;
    for name in names {
        let folded = fold(name);
        // Every character that one text has more than the other takes an edit. Most names are so ruled out without the
        // distance, which takes long for a long text.
        let excess = folded.chars().count().abs_diff(length);
        if excess > most_edits {
            continue;
        }

        let edits = strsim::osa_distance(&typed, &folded);
        // A one-letter word whose only letter differs is another word, not a typing error.
        let is_near = edits <= most_edits && edits < length;
        if is_near && edits < fewest_edits {
            nearest = Some(name);
            fewest_edits = edits;
        }
    }

    nearest
}

/// Returns the end of an error message that suggests a name, or an empty text: `; did you mean The alarm?`.
pub fn did_you_mean(suggestion: Option<&str>) -> String {
    match suggestion {
        Some(name) => format!("; did you mean {name}?"),
        None => String::new(),
    }
}

/// Suggests the name nearest to `typed`, or lists all of `names` if none is near enough.
pub fn suggest_or_list<'a>(typed: &str, names: impl Iterator<Item = &'a str> + Clone) -> String {
    match nearest(typed, names.clone()) {
        Some(name) => format!("did you mean `{name}`?"),
        None => format!("there are {}", join(names, ", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_typing_error_is_understood() {
        assert_eq!(nearest("advence", ["back", "advance"]), Some("advance"));
        assert_eq!(nearest("tikc", ["back", "tick"]), Some("tick"));
        assert_eq!(nearest("quux", ["back", "advance"]), None);
        assert_eq!(nearest("skip", ["stop", "advance"]), None);
        assert_eq!(nearest("1", ["", "x"]), None);
    }

    #[test]
    fn a_name_that_differs_only_in_length_by_few_letters_is_near() {
        assert_eq!(nearest("advan", ["advance"]), None);
        assert_eq!(nearest("advanc", ["advance"]), Some("advance"));
        assert_eq!(nearest("advance!!", ["advance"]), Some("advance"));
        assert_eq!(nearest("advance!!!!", ["advance"]), None);
    }

    #[test]
    fn the_first_of_two_equally_near_names_is_suggested() {
        assert_eq!(nearest("stamp", ["stomp", "swamp"]), Some("stomp"));
    }

    #[test]
    fn an_unknown_word_far_from_every_name_gets_the_whole_list() {
        let names = ["back", "advance"];
        assert_eq!(
            suggest_or_list("bck", names.into_iter()),
            "did you mean `back`?"
        );
        assert_eq!(
            suggest_or_list("quux", names.into_iter()),
            "there are back, advance"
        );
    }
}
