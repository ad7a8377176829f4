//! Finds the value that a typed name means, by the whole name, its beginning, or some of its letters.

use std::iter::successors;

use super::ParseError;
use super::error::{list_choices, shorten};
use tableside_text::{did_you_mean, fold, nearest};

/// A value and one of its names.
#[derive(Clone, Debug)]
pub(super) struct KnownName<T> {
    pub(super) name: String,
    pub(super) value: T,
}

impl<T> KnownName<T> {
    pub(super) fn new(name: impl Into<String>, value: T) -> Self {
        Self {
            name: name.into(),
            value,
        }
    }
}

/// The way in which a typed name resembles a known one. The variants are ordered from the closest to the weakest
/// resemblance.
///
/// A weaker resemblance counts only if no known name has a closer one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Resemblance {
    Equal,
    /// Equal apart from an article: `alarm` and `The alarm`.
    EqualWithoutArticle,
    /// The typed name begins the known one: `gob` and `Goblin`.
    Beginning,
    /// Each typed word begins a word of the name, in order: `gob sco` and `Goblin scout`.
    WordBeginnings,
    /// The known name contains the typed letters, at least three: `cou` and `Goblin scout`.
    Contained,
    /// The known name contains the typed letters in this order, and the first of them begins a word: `alrm` and `The
    /// alarm`.
    LettersInOrder,
}

impl Resemblance {
    const ALL: [Self; 6] = [
        Self::Equal,
        Self::EqualWithoutArticle,
        Self::Beginning,
        Self::WordBeginnings,
        Self::Contained,
        Self::LettersInOrder,
    ];

    /// The uncertainty of a match: 0 for equal names, and higher for weaker resemblances.
    pub(super) const fn uncertainty(self) -> u32 {
        self as u32
    }

    /// True if two folded names resemble each other in this way.
    fn holds(self, typed: &str, name: &str) -> bool {
        let bare_typed = without_article(typed);
        let bare_name = without_article(name);
        match self {
            Self::Equal => typed == name,
            Self::EqualWithoutArticle => bare_typed == bare_name,
            Self::Beginning => bare_name.starts_with(bare_typed),
            Self::WordBeginnings => words_begin(bare_typed, name),
            Self::Contained => has_three_letters(bare_typed) && name.contains(bare_typed),
            Self::LettersInOrder => has_letters_in_order(bare_typed, name),
        }
    }
}

/// A value that was found by its name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct NameMatch<T> {
    pub(super) value: T,
    pub(super) resemblance: Resemblance,
}

/// Finds the value that a typed name means. A value may have several names.
///
/// `kind` is the noun for the values in error messages. A misspelled name is never accepted; the error suggests the
/// nearest name.
pub(super) fn find_name<T: Copy + PartialEq>(
    kind: &'static str,
    typed: &str,
    known: &[KnownName<T>],
) -> Result<NameMatch<T>, ParseError> {
    if let Some(value) = find_exact_spelling(typed, known) {
        return Ok(NameMatch {
            value,
            resemblance: Resemblance::Equal,
        });
    }

    let typed_folded = fold_name(typed);
    let folded_names: Vec<String> = known.iter().map(|known| fold_name(&known.name)).collect();

    // An article that is typed alone, such as `the`, means only a value with exactly this name.
    let is_article = without_article(&typed_folded).is_empty();
    let resemblances = if is_article {
        &Resemblance::ALL[..1]
    } else {
        &Resemblance::ALL[..]
    };

    for resemblance in resemblances {
        let hits = find_resembling(*resemblance, &typed_folded, &folded_names, known);
        match hits.as_slice() {
            [] => {}
            [hit] => {
                return Ok(NameMatch {
                    value: hit.value,
                    resemblance: *resemblance,
                });
            }
            several => {
                return Err(ParseError::AmbiguousName {
                    typed: shorten(typed),
                    names: several.iter().map(|hit| hit.name.clone()).collect(),
                });
            }
        }
    }

    let suggestion = if is_article {
        None
    } else {
        suggest_name(&typed_folded, &folded_names, known)
    };
    Err(ParseError::UnknownName {
        kind,
        typed: shorten(typed),
        suggestion: did_you_mean(suggestion),
    })
}

/// Finds a name as [`find_name`] does, but only by the beginnings of its words, because the player does not see the
/// result before it is used. Letters within the name only give a suggestion. Without a suggestion, the error lists all
/// names.
pub(super) fn find_name_surely<T: Copy + PartialEq>(
    kind: &'static str,
    typed: &str,
    known: &[KnownName<T>],
) -> Result<T, ParseError> {
    let suggestion = match find_name(kind, typed, known) {
        Ok(found) if found.resemblance <= Resemblance::WordBeginnings => return Ok(found.value),
        Ok(found) => did_you_mean(first_name_of(found.value, known)),
        Err(ParseError::UnknownName { suggestion, .. }) => suggestion,
        Err(ambiguous) => return Err(ambiguous),
    };

    let suggestion = if suggestion.is_empty() && !known.is_empty() {
        let names: Vec<String> = known.iter().map(|known| known.name.clone()).collect();
        format!("; choose {}", list_choices(&names))
    } else {
        suggestion
    };
    Err(ParseError::UnknownName {
        kind,
        typed: shorten(typed),
        suggestion,
    })
}

/// Returns the value whose name is spelled exactly as typed. `None` if several values have this name.
fn find_exact_spelling<T: Copy + PartialEq>(typed: &str, known: &[KnownName<T>]) -> Option<T> {
    let mut same_spelling = known.iter().filter(|known| known.name == typed);
    let first = same_spelling.next()?.value;

    if same_spelling.all(|other| other.value == first) {
        Some(first)
    } else {
        None
    }
}

/// Finds the values that the typed name resembles, each once and with its first name.
fn find_resembling<'a, T: Copy + PartialEq>(
    resemblance: Resemblance,
    typed: &str,
    folded_names: &[String],
    known: &'a [KnownName<T>],
) -> Vec<&'a KnownName<T>> {
    let mut matching = Vec::new();
    for (name, known) in folded_names.iter().zip(known) {
        if resemblance.holds(typed, name) {
            matching.push((name, known));
        }
    }

    // The name of an owner means the owner, not a possession such as `Mira: Stress`.
    let owners: Vec<String> = matching
        .iter()
        .map(|(name, _)| format!("{name}:"))
        .collect();

    let mut hits: Vec<&KnownName<T>> = Vec::new();
    for (name, known_name) in matching {
        let is_possession = owners.iter().any(|owner| name.starts_with(owner));
        let is_listed = hits.iter().any(|hit| hit.value == known_name.value);
        if !is_possession && !is_listed {
            // The first name of a value includes its owner, which distinguishes it from other values.
            let first = known.iter().find(|first| first.value == known_name.value);
            hits.push(first.unwrap_or(known_name));
        }
    }
    hits
}

/// Returns the known name that is nearest to a misspelled one.
fn suggest_name<'a, T>(
    typed: &str,
    folded_names: &[String],
    known: &'a [KnownName<T>],
) -> Option<&'a str> {
    let names = || {
        let names = folded_names.iter().map(String::as_str);
        names.filter(|name| !without_article(name).is_empty())
    };
    let bare_names = names().map(without_article);
    let near = nearest(typed, names()).or_else(|| nearest(without_article(typed), bare_names))?;

    let mut names_and_values = folded_names.iter().zip(known);
    let (_, suggested) =
        names_and_values.find(|(name, _)| *name == near || without_article(name) == near)?;
    Some(&suggested.name)
}

fn first_name_of<T: Copy + PartialEq>(value: T, known: &[KnownName<T>]) -> Option<&str> {
    let first = known.iter().find(|known| known.value == value)?;
    Some(&first.name)
}

/// Folds a name for comparison. Hyphens become spaces, so that `mountain guide` means `Mountain-Guide`.
fn fold_name(name: &str) -> String {
    fold(&fold(name).replace('-', " "))
}

fn without_article(name: &str) -> &str {
    let (first, rest) = name.split_once(' ').unwrap_or((name, ""));
    if matches!(first, "the" | "a" | "an") {
        rest
    } else {
        name
    }
}

fn has_three_letters(typed: &str) -> bool {
    typed.chars().nth(2).is_some()
}

/// True if each typed word begins a word of the name, in the same order.
fn words_begin(typed: &str, name: &str) -> bool {
    let mut name_words = name.split([' ', '-', ':']);
    let mut typed_words = typed.split(' ');
    typed_words.all(|typed| name_words.any(|word| word.starts_with(typed)))
}

/// True if the name contains the typed letters in this order, beginning with the first letter of a word. Text with a
/// digit and text of fewer than three letters never match.
fn has_letters_in_order(typed: &str, name: &str) -> bool {
    let has_digit = typed.contains(|letter: char| letter.is_ascii_digit());
    if !has_three_letters(typed) || has_digit {
        return false;
    }

    let mut ends_of_name = successors(Some(name), |end| Some(end.split_once(' ')?.1));
    ends_of_name.any(|end| {
        let mut typed_letters = typed.chars().filter(|letter| *letter != ' ');
        let mut name_letters = end.chars();
        typed_letters.next() == name_letters.next()
            && typed_letters.all(|typed| name_letters.any(|letter| letter == typed))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the value that a name means and how it was found, or the error message.
    fn find(typed: &str) -> Result<(u8, Resemblance), String> {
        let known = [
            ("The alarm", 1),
            ("Goblin", 2),
            ("Goblin 2", 3),
            ("Goblin scout", 4),
            ("Zoë Ånstrand", 5),
        ];
        find_among(&known, typed)
    }

    fn find_among(known: &[(&str, u8)], typed: &str) -> Result<(u8, Resemblance), String> {
        let known: Vec<_> = known
            .iter()
            .map(|(name, id)| KnownName::new(*name, *id))
            .collect();
        match find_name("thing", typed, &known) {
            Ok(found) => Ok((found.value, found.resemblance)),
            Err(error) => Err(error.to_string()),
        }
    }

    #[test]
    fn a_whole_name_wins_over_longer_names_that_begin_with_it() {
        assert_eq!(find("goblin"), Ok((2, Resemblance::Equal)));
        assert_eq!(find("  GOBLIN   2 "), Ok((3, Resemblance::Equal)));
        assert_eq!(find("alarm"), Ok((1, Resemblance::EqualWithoutArticle)));
    }

    #[test]
    fn some_letters_in_order_are_enough_but_a_wrong_one_is_only_reported() {
        assert_eq!(find("alrm"), Ok((1, Resemblance::LettersInOrder)));
        assert_eq!(find("scout"), Ok((4, Resemblance::WordBeginnings)));

        let error = "there is no thing \"the alrmm\"; did you mean The alarm?";
        assert_eq!(find("the alrmm"), Err(error.to_owned()));
        let error = "there is no thing \"dragon\"";
        assert_eq!(find("dragon"), Err(error.to_owned()));
        let error = "there is no thing \"the \"";
        assert_eq!(find("the "), Err(error.to_owned()));

        // The short name of a stat may be empty.
        find_among(&[("Armor", 1), ("", 1)], "1").unwrap_err();
    }

    #[test]
    fn a_name_that_is_an_article_is_a_name() {
        let known = [("A", 1), ("The", 3), ("An alarm", 4)];
        assert_eq!(find_among(&known, "A"), Ok((1, Resemblance::Equal)));
        assert_eq!(find_among(&known, "the"), Ok((3, Resemblance::Equal)));
        find_among(&known, "an").unwrap_err();
    }
}
