//! Which thing a person named: whole, by its beginning, or by some of its letters.

use super::ParseError;
use super::slots::Thing;
use crate::session::{CharacterId, ClockId, PoolId, TokenPool};
use crate::table::SeatView;
use crate::text::nearest;

/// How a name was found, the surest first; a less sure way counts only where no surer one finds anything.
const WAYS: [fn(&str, &str) -> bool; 6] = [
    |given, name| given == name,
    |given, name| bare(given) == bare(name),
    |given, name| bare(name).starts_with(bare(given)),
    words_begin,
    |given, name| given.chars().nth(2).is_some() && name.contains(bare(given)),
    scattered,
];

/// What a name leads to.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Found<T> {
    /// To one thing; how unsure that is, from 0.
    One(T, u32),
    /// To any of several, whose names these are.
    Several(Vec<String>),
    /// To nothing; the name that was most likely meant.
    Nothing(Option<String>),
}

/// Finds what is named among things with their names; a thing may have several.
pub(super) fn find<T: Copy + PartialEq>(given: &str, known: &[(String, T)]) -> Found<T> {
    let sought = fold(given);
    // An article alone names nothing, but for what is called so.
    let ways = if bare(&sought).is_empty() {
        WAYS.get(..1).unwrap_or_default()
    } else {
        &WAYS
    };
    let folded: Vec<String> = known.iter().map(|(name, _)| fold(name)).collect();
    for (unsure, way) in (0..).zip(ways) {
        let mut hits: Vec<&(String, T)> = Vec::new();
        for (one, name) in known.iter().zip(&folded) {
            if way(&sought, name) && hits.iter().all(|(_, hit)| *hit != one.1) {
                hits.push(one);
            }
        }
        match hits.as_slice() {
            [] => {}
            [(_, thing)] => return Found::One(*thing, unsure),
            several => {
                // By the first name of each, which tells it from the others.
                let full =
                    |hit: &&(String, T)| known.iter().find(|(_, thing)| *thing == hit.1).cloned();
                let names = several.iter().filter_map(full);
                return Found::Several(names.map(|(name, _)| name).collect());
            }
        }
    }
    // A slip of the finger is told, never acted upon.
    if bare(&sought).is_empty() {
        return Found::Nothing(None);
    }
    let names = || folded.iter().filter(|name| !bare(name).is_empty());
    let near = nearest(&sought, names().map(String::as_str));
    let near = near.or_else(|| nearest(bare(&sought), names().map(|name| bare(name))));
    let at = near.and_then(|near| {
        let same = |name: &String| name == near || bare(name) == near;
        folded.iter().position(same)
    });
    Found::Nothing(
        at.and_then(|at| known.get(at))
            .map(|(name, _)| name.clone()),
    )
}

/// The name as it is compared: small letters, single blanks.
fn fold(name: &str) -> String {
    let words: Vec<String> = name.split_whitespace().map(str::to_lowercase).collect();
    words.join(" ")
}

/// The name without its article.
fn bare(name: &str) -> &str {
    let rest = ["the", "a", "an"].iter().find_map(|article| {
        let rest = name.strip_prefix(article)?;
        rest.strip_prefix(' ')
            .or_else(|| rest.is_empty().then_some(""))
    });
    rest.unwrap_or(name)
}

/// Whether the words given begin words of the name, in order: `gob sco` and `Goblin scout`.
fn words_begin(given: &str, name: &str) -> bool {
    let mut words = name.split([' ', '-', ':']);
    bare(given)
        .split(' ')
        .all(|begun| words.any(|word| word.starts_with(begun)))
}

/// Whether the letters given stand in the name in that order, from the beginning of a word on.
fn scattered(given: &str, name: &str) -> bool {
    let given = bare(given);
    if given.chars().count() < 3 || given.chars().any(|letter| letter.is_ascii_digit()) {
        return false;
    }
    let begins = |at: usize| {
        name.get(..at)
            .is_some_and(|before| before.is_empty() || before.ends_with(' '))
    };
    let mut starts = name
        .char_indices()
        .filter(|(at, letter)| given.starts_with(*letter) && begins(*at))
        .filter_map(|(at, _)| name.get(at..));
    starts.any(|rest| {
        let mut rest = rest.chars();
        given
            .chars()
            .filter(|letter| *letter != ' ')
            .all(|letter| rest.any(|known| known == letter))
    })
}

/// The one thing of that name, and how unsure that is, from 0.
pub(super) fn one<T: Copy + PartialEq>(
    kind: &'static str,
    name: &str,
    known: &[(String, T)],
) -> Result<(T, u32), ParseError> {
    match find(name, known) {
        Found::One(thing, unsure) => Ok((thing, unsure)),
        Found::Several(names) => Err(ParseError::Several {
            given: cut(name),
            names,
        }),
        Found::Nothing(near) => Err(ParseError::Unknown {
            kind,
            given: cut(name),
            near: near.map_or(String::new(), |near| format!("; did you mean {near}?")),
        }),
    }
}

/// As much of what was typed as an error repeats.
pub(super) fn cut(text: &str) -> String {
    text.chars().take(60).collect()
}

/// The characters by their names.
pub(super) fn characters(seen: &SeatView<'_>) -> Vec<(String, CharacterId)> {
    let named = seen.roster().map(|one| (one.name.clone(), one.id));
    named.collect()
}

/// The clocks by their names, and by their owners' and their own.
pub(super) fn clocks(seen: &SeatView<'_>) -> Vec<(String, ClockId)> {
    let mut known = Vec::new();
    for one in seen.clocks() {
        let (clock, owner) = (one.clock, seen.owner_name(one.clock.owner));
        if clock.owner.is_some() {
            let names = [" ", "'s ", ": "].map(|link| format!("{owner}{link}{}", clock.name));
            known.extend(names.map(|name| (name, clock.id)));
        }
        known.push((clock.name.clone(), clock.id));
    }
    known
}

/// The pools by their names; those of one owner, or all of them also by their owners'.
pub(super) fn pools(seen: &SeatView<'_>, owner: Option<Thing>) -> Vec<(String, PoolId)> {
    let mut known = Vec::new();
    let of = |pool: &&TokenPool| pool.owner.map_or(Thing::Table, Thing::Character);
    for pool in seen
        .pools()
        .filter(|pool| owner.is_none_or(|owner| owner == of(pool)))
    {
        if owner.is_none() && pool.owner.is_some() {
            let owner = seen.owner_name(pool.owner);
            let names = [" ", "'s "].map(|link| format!("{owner}{link}{}", pool.name));
            known.extend(names.map(|name| (name, pool.id)));
        }
        known.push((pool.name.clone(), pool.id));
        known.push((pool.id_word().to_owned(), pool.id));
    }
    known
}

/// Names with what they lead to, as one kind of things among others.
pub(super) fn as_things<T>(
    known: Vec<(String, T)>,
    thing: fn(T) -> Thing,
) -> impl Iterator<Item = (String, Thing)> {
    known.into_iter().map(move |(name, id)| (name, thing(id)))
}

/// A number as a person writes it: `3`, `+2`, `-1`, `two`.
pub(super) fn number(word: &str) -> Option<i32> {
    const WORDS: [&str; 13] = [
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
        "eleven", "twelve",
    ];
    let folded = word.to_lowercase().replace('−', "-");
    let spoken = WORDS.iter().position(|known| *known == folded);
    spoken
        .and_then(|number| i32::try_from(number).ok())
        .or_else(|| folded.strip_prefix('+').unwrap_or(&folded).parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(given: &str) -> Found<u8> {
        let known = [
            ("The alarm", 1),
            ("Goblin", 2),
            ("Goblin 2", 3),
            ("Goblin scout", 4),
            ("Zoë Ånstrand", 5),
        ];
        find(given, &known.map(|(name, id)| (name.to_owned(), id)))
    }

    #[test]
    fn a_whole_name_goes_before_all_that_begin_so() {
        assert_eq!(found("goblin"), Found::One(2, 0));
        assert_eq!(found("  GOBLIN   2 "), Found::One(3, 0));
        assert_eq!(found("alarm"), Found::One(1, 1));
    }

    #[test]
    fn some_letters_in_order_are_enough_but_a_wrong_one_is_only_told() {
        assert_eq!(found("alrm"), Found::One(1, 5));
        assert_eq!(found("scout"), Found::One(4, 3));
        assert_eq!(
            found("the alrmm"),
            Found::Nothing(Some("The alarm".to_owned()))
        );
        assert_eq!(found("dragon"), Found::Nothing(None));
        assert_eq!(found("the "), Found::Nothing(None));
        // A stat without a short name has an empty one.
        let stats = [("Armor".to_owned(), 1), (String::new(), 1)];
        assert_eq!(find("1", &stats), Found::Nothing(None));
    }

    #[test]
    fn a_name_that_is_an_article_is_a_name() {
        let known = [("A", 1), ("The", 3), ("An alarm", 4)];
        let known = known.map(|(name, id)| (name.to_owned(), id));
        assert_eq!(find("A", &known), Found::One(1, 0));
        assert_eq!(find("the", &known), Found::One(3, 0));
        assert_eq!(find("an", &known), Found::Nothing(None));
    }
}
