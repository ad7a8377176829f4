//! Fits words into the form of a phrase: of all ways that fit, the surest.

use std::cmp::Reverse;

use super::form::{Piece, shown};
use super::names::{Found, find};
use super::roll::dice;
use super::said::{Filling, Owner, Parsed, Thing};
use super::{ParseError, Phrase};
use crate::session::{CharacterId, ClockId, PoolId, PreparedId};
use crate::table::SeatView;

/// The most words of a name that is looked up.
const LONGEST_NAME: usize = 24;

/// So many names are tried at most: words that stand in their form in every place cost no more than others.
const MOST_TRIES: usize = 400;

/// How good a way to read the words is, the smallest first: how unsure its names are, how many words
/// are free text, and how few make up names.
type Doubt = (u32, usize, Reverse<usize>);

/// How far a way got that does not fit: the word, whether something near is known, and how many words
/// were looked at.
type Reached = (usize, u8, usize);

/// Fits words into forms.
pub(super) struct Reader<'a> {
    words: &'a [&'a str],
    seen: &'a SeatView<'a>,
    best: Option<(Doubt, &'static Phrase, Parsed)>,
    trouble: Option<(Reached, ParseError)>,
    /// How many names were tried.
    tries: usize,
    /// The phrase at which that was enough.
    lost: Option<&'static Phrase>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(words: &'a [&'a str], seen: &'a SeatView<'a>) -> Self {
        Self {
            words,
            seen,
            best: None,
            trouble: None,
            tries: 0,
            lost: None,
        }
    }

    /// Tries one phrase.
    pub(super) fn try_phrase(&mut self, phrase: &'static Phrase, pieces: &[Piece]) {
        let left: Vec<&Piece> = pieces.iter().collect();
        self.walk(phrase, &left, 0, &Parsed::default(), (0, 0, Reverse(0)));
    }

    /// The best way found, or the trouble of the one that got furthest.
    pub(super) fn finish(self) -> Result<(&'static Phrase, Parsed), ParseError> {
        if let Some(phrase) = self.lost {
            return Err(ParseError::Form {
                what: "so many words can be read in too many ways".to_owned(),
                form: shown(phrase.form),
            });
        }
        match (self.best, self.trouble) {
            (Some((_, phrase, said)), _) => Ok((phrase, said)),
            (None, Some((_, trouble))) => Err(trouble),
            (None, None) => Err(ParseError::Nothing),
        }
    }

    fn fail(&mut self, reached: Reached, trouble: impl FnOnce() -> ParseError) {
        if self
            .trouble
            .as_ref()
            .is_none_or(|(known, _)| reached > *known)
        {
            self.trouble = Some((reached, trouble()));
        }
    }

    fn walk(
        &mut self,
        phrase: &'static Phrase,
        left: &[&Piece],
        at: usize,
        said: &Parsed,
        doubt: Doubt,
    ) {
        let words = self.words.get(at..).unwrap_or_default();
        let Some((piece, rest)) = left.split_first() else {
            if words.is_empty() {
                if self.best.as_ref().is_none_or(|(known, ..)| doubt < *known) {
                    self.best = Some((doubt, phrase, said.clone()));
                }
            } else {
                let left_over = words.join(" ");
                self.fail((at, 1, 0), || ParseError::Form {
                    what: format!("{:?} is too much", cut(&left_over)),
                    form: shown(phrase.form),
                });
            }
            return;
        };
        match piece {
            Piece::Word(known) => {
                let word = words.first().map(|word| word.to_lowercase());
                let same = known
                    .split('|')
                    .find(|known| Some(*known) == word.as_deref());
                if let Some(same) = same {
                    let mut said = said.clone();
                    said.say(same);
                    self.walk(phrase, rest, at + 1, &said, doubt);
                } else {
                    let at = if words.is_empty() && doubt.1 > 0 {
                        0
                    } else {
                        at
                    };
                    self.miss(
                        phrase,
                        at,
                        &known.split('|').collect::<Vec<_>>().join(" or "),
                    );
                }
            }
            Piece::Filler(known) => {
                if words
                    .first()
                    .is_some_and(|word| word.to_lowercase() == *known)
                {
                    self.walk(phrase, rest, at + 1, said, doubt);
                }
                self.walk(phrase, rest, at, said, doubt);
            }
            Piece::Maybe(inside) => {
                let with: Vec<&Piece> = inside.iter().chain(rest.iter().copied()).collect();
                self.walk(phrase, &with, at, said, doubt);
                self.walk(phrase, rest, at, said, doubt);
            }
            Piece::Slot(slot) => self.fill(phrase, slot, rest, at, said, doubt),
        }
    }

    fn miss(&mut self, phrase: &'static Phrase, at: usize, due: &str) {
        // From the beginning on nothing is missing: there it stands for the end.
        let given = self.words.get(at).filter(|_| at > 0).map(|word| cut(word));
        self.fail((at, 0, 0), || ParseError::Form {
            what: match given {
                Some(given) => format!("{due} should stand where {given:?} does"),
                None => format!("{due} is missing"),
            },
            form: shown(phrase.form),
        });
    }

    /// Words ran out after so many that were of use.
    fn lack(&mut self, phrase: &'static Phrase, reached: usize, due: &str) {
        self.fail((reached, 0, 0), || ParseError::Form {
            what: format!("{due} is missing"),
            form: shown(phrase.form),
        });
    }

    fn fill(
        &mut self,
        phrase: &'static Phrase,
        slot: &'static str,
        rest: &[&Piece],
        at: usize,
        said: &Parsed,
        doubt: Doubt,
    ) {
        let words = self.words.get(at..).unwrap_or_default();
        let (unsure, free, Reverse(named)) = doubt;
        if words.is_empty() {
            // A free text that swallowed everything got nowhere by it.
            self.lack(phrase, at.saturating_sub(free), slot);
            return;
        }
        let go_on = |reader: &mut Self, taken: usize, filling, doubt| {
            let mut said = said.clone();
            said.fill(slot, filling);
            reader.walk(phrase, rest, at + taken, &said, doubt);
        };
        match slot {
            // What is said to the end of the words.
            "TEXT" | "WHY" | "VALUE" | "CHECK…" | "FIELD=VALUE…" => {
                go_on(self, words.len(), Filling::Text(words.join(" ")), doubt);
            }
            "NAME" => {
                for taken in 1..=words.len() {
                    if !self.may_try(phrase) {
                        return;
                    }
                    let text = words.iter().take(taken).copied().collect::<Vec<_>>();
                    let doubt = (unsure, free + taken, Reverse(named));
                    go_on(self, taken, Filling::Text(text.join(" ")), doubt);
                }
            }
            "DICE…" => match dice(words) {
                Some(_) => go_on(self, words.len(), Filling::Text(words.join(" ")), doubt),
                None => self.miss(phrase, at, "DICE, as in 2d6+1,"),
            },
            "AMOUNT" | "SEGMENTS" | "ROUNDS" | "LEVELS" | "TOTAL" => {
                match words.first().and_then(|word| number(word)) {
                    Some(number) => go_on(self, 1, Filling::Number(number), doubt),
                    None => self.miss(phrase, at, &format!("{slot}, a number,")),
                }
            }
            "ENTRY" => match words.first().and_then(|word| self.entry(word)) {
                Some(entry) => go_on(self, 1, Filling::Entry(entry), doubt),
                None => self.miss(phrase, at, "ENTRY, the number of an entry or \"last\","),
            },
            _ => {
                let longest = words.len().min(LONGEST_NAME);
                for taken in 1..=longest {
                    if !self.may_try(phrase) {
                        return;
                    }
                    let name = words
                        .iter()
                        .take(taken)
                        .copied()
                        .collect::<Vec<_>>()
                        .join(" ");
                    match self.look_up(slot, &name, said) {
                        Ok((filling, more)) => {
                            let doubt = (unsure + more, free, Reverse(named + taken));
                            go_on(self, taken, filling, doubt);
                        }
                        Err(trouble) => {
                            let near = match &trouble {
                                ParseError::Several { .. } => 3,
                                ParseError::Unknown { near, .. } if !near.is_empty() => 2,
                                _ => 1,
                            };
                            self.fail((at, near, taken), || trouble);
                        }
                    }
                }
            }
        }
    }

    /// Counts one more name that is tried.
    fn may_try(&mut self, phrase: &'static Phrase) -> bool {
        self.tries += 1;
        self.lost = (self.tries > MOST_TRIES).then_some(phrase);
        self.lost.is_none()
    }

    fn entry(&self, word: &str) -> Option<u64> {
        if word.eq_ignore_ascii_case("last") {
            return self.seen.log().next().map(|entry| entry.number);
        }
        word.strip_prefix('#').unwrap_or(word).parse().ok()
    }

    fn look_up(&self, slot: &str, name: &str, said: &Parsed) -> Result<(Filling, u32), ParseError> {
        match slot {
            "WHO" => {
                let (who, unsure) = self.character(name)?;
                Ok((Filling::Who(vec![who]), unsure))
            }
            "WHO…" => self.characters(name),
            "STAT" => {
                let stats = self.seen.system().spec().stats;
                // A name in files is one stat's alone; headings may say the same of two.
                let exact = stats.iter().find(|stat| stat.id.eq_ignore_ascii_case(name));
                if let Some(stat) = exact {
                    return Ok((Filling::Stat(stat.id), 0));
                }
                let stats = stats.iter();
                let stats: Vec<(String, &'static str)> = stats
                    .flat_map(|stat| {
                        [stat.id, stat.label, stat.short].map(|name| (name.to_owned(), stat.id))
                    })
                    .collect();
                let (stat, unsure) = one("stat", name, &stats)?;
                Ok((Filling::Stat(stat), unsure))
            }
            "CLOCK" | "NEXT" => {
                let (id, unsure) = one("clock", name, &clocks(self.seen))?;
                Ok((Filling::Thing(Thing::Clock(id)), unsure))
            }
            "POOL" => {
                let owners = ["OWNER", "FROM"];
                let owner = owners.into_iter().find_map(|slot| said.owner(slot));
                let (id, unsure) = one("pool", name, &pools(self.seen, owner))?;
                Ok((Filling::Thing(Thing::Pool(id)), unsure))
            }
            "THING" => {
                let (thing, unsure) = one("character, clock or pool", name, &things(self.seen))?;
                Ok((Filling::Thing(thing), unsure))
            }
            "THINGS…" => self.several(name),
            "SCENE" => {
                let scenes: Vec<(String, PreparedId)> = self
                    .seen
                    .prepared()
                    .map(|scene| (scene.name.clone(), scene.id))
                    .collect();
                let (id, unsure) = one("prepared scene", name, &scenes)?;
                Ok((Filling::Scene(id), unsure))
            }
            // OWNER, FROM, TO
            _ => {
                if ["table", "the table", "everybody", "all"]
                    .contains(&name.to_lowercase().as_str())
                {
                    return Ok((Filling::Owner(Owner(None)), 0));
                }
                let (who, unsure) = self.character(name)?;
                Ok((Filling::Owner(Owner(Some(who))), unsure))
            }
        }
    }

    fn character(&self, name: &str) -> Result<(CharacterId, u32), ParseError> {
        one("character", name, &characters(self.seen))
    }

    /// One character or clock, or several.
    fn several(&self, name: &str) -> Result<(Filling, u32), ParseError> {
        let known: Vec<(String, Thing)> = things(self.seen)
            .into_iter()
            .filter(|(_, thing)| !matches!(thing, Thing::Pool(_)))
            .collect();
        let find = |name: &str| one("character or clock", name, &known);
        let (mut found, mut unsure) = (Vec::new(), 0);
        match (find(name), parts(name)) {
            (Ok((thing, more)), _) => {
                found.push(thing);
                unsure += more;
            }
            (Err(trouble), parts) if parts.len() < 2 => return Err(trouble),
            (Err(_), parts) => {
                for part in parts {
                    let (thing, more) = find(part)?;
                    unsure += more;
                    if !found.contains(&thing) {
                        found.push(thing);
                    }
                }
            }
        }
        Ok((Filling::Things(found), unsure))
    }

    /// One character, several, or everybody of the party who is here.
    fn characters(&self, name: &str) -> Result<(Filling, u32), ParseError> {
        let single = self.character(name);
        let folded = name.to_lowercase();
        if ["all", "everybody", "everyone", "party", "the party"].contains(&folded.as_str())
            && single.is_err()
        {
            let all = self.seen.roster();
            let all =
                all.filter(|one| one.side == crate::session::Allegiance::Party && one.is_here());
            return Ok((Filling::Who(all.map(|one| one.id).collect()), 0));
        }
        let parts = parts(name);
        if single.is_ok() || parts.len() < 2 {
            let (who, unsure) = single?;
            return Ok((Filling::Who(vec![who]), unsure));
        }
        let mut who = Vec::new();
        let mut unsure = 0;
        for part in parts {
            let (one, more) = self.character(part)?;
            unsure += more;
            if !who.contains(&one) {
                who.push(one);
            }
        }
        Ok((Filling::Who(who), unsure))
    }
}

/// Several names in one: `Mira, Bo and Wren`.
fn parts(names: &str) -> Vec<&str> {
    let parts = names.split(',').flat_map(|part| part.split(" and "));
    let parts = parts.map(str::trim);
    parts.filter(|part| !part.is_empty()).collect()
}

/// The characters by their names.
pub(super) fn characters(seen: &SeatView<'_>) -> Vec<(String, CharacterId)> {
    seen.roster()
        .map(|one| (one.name.clone(), one.id))
        .collect()
}

/// The clocks by their names, and by their owners' and their own.
pub(super) fn clocks(seen: &SeatView<'_>) -> Vec<(String, ClockId)> {
    let mut known = Vec::new();
    for one in seen.clocks() {
        let clock = one.clock;
        if clock.owner.is_some() {
            known.push((
                format!("{} {}", seen.owner_name(clock.owner), clock.name),
                clock.id,
            ));
            known.push((
                format!("{}'s {}", seen.owner_name(clock.owner), clock.name),
                clock.id,
            ));
            known.push((
                format!("{}: {}", seen.owner_name(clock.owner), clock.name),
                clock.id,
            ));
        }
        known.push((clock.name.clone(), clock.id));
    }
    known
}

/// The pools by their names; all of them also by their owners'.
pub(super) fn pools(seen: &SeatView<'_>, owner: Option<Owner>) -> Vec<(String, PoolId)> {
    let mut known = Vec::new();
    for pool in seen.pools() {
        match owner {
            Some(owner) if owner.0 != pool.owner => continue,
            None if pool.owner.is_some() => {
                let owner = seen.owner_name(pool.owner);
                known.push((format!("{owner} {}", pool.name), pool.id));
                known.push((format!("{owner}'s {}", pool.name), pool.id));
            }
            _ => {}
        }
        known.push((pool.name.clone(), pool.id));
        known.push((pool.id_word().to_owned(), pool.id));
    }
    known
}

fn things(seen: &SeatView<'_>) -> Vec<(String, Thing)> {
    let who = characters(seen).into_iter();
    let who = who.map(|(name, id)| (name, Thing::Character(id)));
    let clocks = clocks(seen).into_iter();
    let clocks = clocks.map(|(name, id)| (name, Thing::Clock(id)));
    let pools = pools(seen, None).into_iter();
    let pools = pools.map(|(name, id)| (name, Thing::Pool(id)));
    who.chain(clocks).chain(pools).collect()
}

/// The one thing of that name.
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
            near: match near {
                Some(near) => format!("; did you mean {near}?"),
                None => String::new(),
            },
        }),
    }
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

fn cut(text: &str) -> String {
    text.chars().take(60).collect()
}
