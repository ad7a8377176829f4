//! Which thing a person named: whole, by its beginning, or by some of its letters.

use std::iter::successors;

use super::{ParseError, SlotKind, Thing, cut, gone, one_of};
use tableside_game::{CharacterId, ClockId, RandomTable, RandomTables, TokenPool};
use tableside_table::SeatView;
use tableside_text::{did_you_mean, fold, is_same_name, nearest, normalise_number};

/// How a name was found, the surest first; a less sure way counts only where no surer one finds anything.
const WAYS: [fn(&str, &str) -> bool; 6] = [
    |given, name| given == name,
    |given, name| bare(given) == bare(name),
    |given, name| bare(name).starts_with(bare(given)),
    words_begin,
    |given, name| bare(given).chars().nth(2).is_some() && name.contains(bare(given)),
    scattered,
];

/// Finds what is named among things with their names, of which one may have several; and how unsure that is,
/// from 0.
pub(super) fn find<T: Copy + PartialEq>(
    kind: &'static str,
    given: &str,
    known: &[(String, T)],
) -> Result<(T, u32), ParseError> {
    if let Some(exact) = exactly(given, known) {
        return Ok((exact, 0));
    }
    let sought = fold_hyphens(given);
    let folded: Vec<String> = known.iter().map(|(name, _)| fold_hyphens(name)).collect();
    // An article alone names nothing, but for what is called so.
    let is_article = bare(&sought).is_empty();
    let ways = WAYS.iter().take(if is_article { 1 } else { WAYS.len() });
    for (unsure, way) in (0..).zip(ways) {
        let mut hits: Vec<T> = Vec::new();
        let named = known.iter().zip(&folded);
        let named = named.filter(|(_, name)| way(&sought, name));
        // Whose name is said is meant, not something of theirs.
        let owners = named.clone().map(|(_, name)| format!("{name}:"));
        let owners: Vec<String> = owners.collect();
        for ((_, one), name) in named {
            let is_part = owners.iter().any(|owner| name.starts_with(owner));
            hits.extend((!is_part && !hits.contains(one)).then_some(*one));
        }
        match hits.as_slice() {
            [] => {}
            [thing] => return Ok((*thing, unsure)),
            // By the first name of each, which tells it from the others.
            several => {
                let first = |hit| known.iter().find(|(_, thing)| thing == hit);
                let names = several.iter().filter_map(first);
                return Err(ParseError::Several {
                    given: cut(given),
                    names: names.map(|(name, _)| name.clone()).collect(),
                });
            }
        }
    }
    // A slip of the finger is told, never acted upon.
    let names = || folded.iter().map(String::as_str);
    let bare_names = || names().map(bare).filter(|name| !name.is_empty());
    let near = nearest(&sought, names().filter(|name| !bare(name).is_empty()))
        .or_else(|| nearest(bare(&sought), bare_names()))
        .filter(|_| !is_article);
    let near = near.and_then(|near| names().position(|name| name == near || bare(name) == near));
    let near = near.and_then(|at| known.get(at));
    Err(ParseError::Unknown {
        kind,
        given: cut(given),
        near: did_you_mean(near.map(|(name, _)| name.as_str())),
    })
}

/// The only thing that is spelled exactly so.
fn exactly<T: Copy + PartialEq>(given: &str, known: &[(String, T)]) -> Option<T> {
    let mut spelled = known.iter().filter(|(name, _)| name == given);
    let (_, first) = spelled.next()?;
    let is_only = spelled.all(|(_, other)| other == first);
    is_only.then_some(*first)
}

/// The random table that is named, by its title or by its file.
pub(super) fn table_named<'a>(
    given: &str,
    all: &'a RandomTables,
) -> Result<&'a RandomTable, ParseError> {
    let named = all.tables.iter().enumerate();
    let known =
        named.flat_map(|(at, table)| [&table.title, &table.name].map(|name| (name.clone(), at)));
    match find("random table", given, &known.collect::<Vec<_>>()) {
        Ok((at, _)) => Ok(&all.tables[at]),
        Err(unclear) => {
            let mut broken = all.broken.iter();
            let broken = broken.find(|broken| is_same_name(&broken.name, given));
            Err(broken.map_or(unclear, |broken| ParseError::Table(broken.clone())))
        }
    }
}

/// The name as it is compared here: the words of a compound with blanks between them.
fn fold_hyphens(name: &str) -> String {
    fold(&fold(name).replace('-', " "))
}

/// The name without its article.
fn bare(name: &str) -> &str {
    let (first, rest) = name.split_once(' ').unwrap_or((name, ""));
    if ["the", "a", "an"].contains(&first) {
        rest
    } else {
        name
    }
}

/// Whether the words given begin words of the name, in order: `gob sco` and `Goblin scout`.
fn words_begin(given: &str, name: &str) -> bool {
    let mut words = name.split([' ', '-', ':']);
    let mut begun = bare(given).split(' ');
    begun.all(|begun| words.any(|word| word.starts_with(begun)))
}

/// Whether the letters given stand in the name in that order, from the beginning of a word on.
fn scattered(given: &str, name: &str) -> bool {
    let given = bare(given);
    if given.chars().count() < 3 || given.contains(|letter: char| letter.is_ascii_digit()) {
        return false;
    }
    let mut rests = successors(Some(name), |rest| Some(rest.split_once(' ')?.1));
    rests.any(|rest| {
        let mut letters = given.chars().filter(|letter| *letter != ' ');
        let mut rest = rest.chars();
        letters.next() == rest.next() && letters.all(|letter| rest.any(|known| known == letter))
    })
}

/// Everything that a name in such a slot may lead to; pools of one owner, or of all.
pub(super) fn known(
    kind: SlotKind,
    owner: Option<Thing>,
    seen: &SeatView<'_>,
) -> Vec<(String, Thing)> {
    use SlotKind::{Clock, Pool, Scene, Stat};
    let mut known = Vec::new();
    // A thing is known by its own name, and with its owner's before it.
    let mut add = |owner: Option<&str>, name: &str, thing| {
        let owned = owner.iter().flat_map(|owner| {
            [" ", "'s ", ": "].map(|link| (format!("{owner}{link}{name}"), thing))
        });
        known.extend(owned);
        known.push((name.to_owned(), thing));
    };
    if !matches!(kind, Clock | Pool | Scene | Stat) {
        for one in seen.roster() {
            add(None, &one.name, Thing::Character(one.id));
        }
    }
    if matches!(kind, Clock | SlotKind::Thing | SlotKind::Things) {
        for clock in seen.clocks().map(|one| one.clock) {
            let owner = clock.owner.map(|_| seen.owner_name(clock.owner));
            add(owner, &clock.name, Thing::Clock(clock.id));
        }
    }
    if matches!(kind, Pool | SlotKind::Thing) {
        let of = |pool: &TokenPool| pool.owner.map_or(Thing::Table, Thing::Character);
        let pools = seen.pools();
        for pool in pools.filter(|pool| owner.is_none_or(|owner| owner == of(pool))) {
            let named = pool.owner.filter(|_| owner.is_none());
            let named = named.map(|_| seen.owner_name(pool.owner));
            add(named, &pool.name, Thing::Pool(pool.id));
            add(None, pool.id_word(), Thing::Pool(pool.id));
        }
    }
    if kind == Scene {
        for scene in seen.prepared() {
            add(None, &scene.name, Thing::Scene(scene.id));
        }
    }
    if kind == Stat {
        for stat in seen.system().spec().stats {
            for name in [stat.id, stat.label, stat.short] {
                add(None, name, Thing::Stat(stat.id));
            }
        }
    }
    known
}

/// The clock of that name.
pub fn clock_named(name: &str, seen: &SeatView<'_>) -> Result<ClockId, ParseError> {
    let clock = surely("clock", name, &known(SlotKind::Clock, None, seen))?.try_as_clock();
    clock.ok_or(gone("clock"))
}

/// The character of that name.
pub fn character_named(name: &str, seen: &SeatView<'_>) -> Result<CharacterId, ParseError> {
    let character =
        surely("character", name, &known(SlotKind::Character, None, seen))?.try_as_character();
    character.ok_or(gone("character"))
}

/// The one of that name, or of that beginning; else what was most likely meant, or all that there are.
pub(super) fn surely<T: Copy + PartialEq>(
    kind: &'static str,
    name: &str,
    known: &[(String, T)],
) -> Result<T, ParseError> {
    // Some of its letters in order are too little where nobody sees what was taken.
    const SURE: u32 = 3;
    let near = match find(kind, name, known) {
        Ok((thing, 0..=SURE)) => return Ok(thing),
        Ok((thing, _)) => {
            let meant = known.iter().find(|(_, one)| *one == thing);
            did_you_mean(meant.map(|(name, _)| name.as_str()))
        }
        Err(ParseError::Unknown { near, .. }) => near,
        Err(several) => return Err(several),
    };
    let names: Vec<String> = known.iter().map(|(name, _)| name.clone()).collect();
    Err(ParseError::Unknown {
        kind,
        given: cut(name),
        near: if near.is_empty() && !names.is_empty() {
            format!("; there is {}", one_of(&names))
        } else {
            near
        },
    })
}

/// A number as a person writes it: `3`, `+2`, `-1`, `two`, `a`.
pub(super) fn number(word: &str) -> Option<i32> {
    const WORDS: [&str; 13] = [
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
        "eleven", "twelve",
    ];
    let folded = normalise_number(word).to_lowercase();
    let spoken = (0..).zip(WORDS).find(|(_, known)| *known == folded);
    let one = ["a", "an"].contains(&folded.as_str()).then_some(1);
    let spoken = spoken.map(|(number, _)| number).or(one);
    spoken.or_else(|| folded.strip_prefix('+').unwrap_or(&folded).parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a name leads to and how sure that is; or the error.
    fn found(given: &str) -> Result<(u8, u32), String> {
        let known = [
            ("The alarm", 1),
            ("Goblin", 2),
            ("Goblin 2", 3),
            ("Goblin scout", 4),
            ("Zoë Ånstrand", 5),
        ];
        among(&known, given)
    }

    fn among(known: &[(&str, u8)], given: &str) -> Result<(u8, u32), String> {
        let known = known.iter().map(|(name, id)| ((*name).to_owned(), *id));
        let known: Vec<_> = known.collect();
        find("thing", given, &known).map_err(|error| error.to_string())
    }

    #[test]
    fn a_whole_name_goes_before_all_that_begin_so() {
        assert_eq!(found("goblin"), Ok((2, 0)));
        assert_eq!(found("  GOBLIN   2 "), Ok((3, 0)));
        assert_eq!(found("alarm"), Ok((1, 1)));
    }

    #[test]
    fn some_letters_in_order_are_enough_but_a_wrong_one_is_only_told() {
        assert_eq!(found("alrm"), Ok((1, 5)));
        assert_eq!(found("scout"), Ok((4, 3)));
        let near = "there is no thing \"the alrmm\"; did you mean The alarm?";
        assert_eq!(found("the alrmm"), Err(near.to_owned()));
        assert_eq!(
            found("dragon"),
            Err("there is no thing \"dragon\"".to_owned())
        );
        assert_eq!(found("the "), Err("there is no thing \"the \"".to_owned()));
        // A stat without a short name has an empty one.
        among(&[("Armor", 1), ("", 1)], "1").unwrap_err();
    }

    #[test]
    fn a_name_that_is_an_article_is_a_name() {
        let known = [("A", 1), ("The", 3), ("An alarm", 4)];
        assert_eq!(among(&known, "A"), Ok((1, 0)));
        assert_eq!(among(&known, "the"), Ok((3, 0)));
        among(&known, "an").unwrap_err();
    }
}
