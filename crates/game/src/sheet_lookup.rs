//! What a sheet has for a field: what is offered unasked, and what a name means there.

use super::{Allegiance, Character, Game, Origin};
use tableside_rules::{Field, Kind, Value, ValueSource, Whose};
use tableside_text::fold;

/// A value, and what it is called on the sheet.
pub(super) type Found = (Value, String);

/// What a sheet has for a field, as people name it.
struct Known<'a> {
    names: [&'a str; 2],
    found: Found,
}

impl Game {
    /// What a field is before anybody says anything.
    pub(super) fn offered(&self, one: &Character, field: &Field) -> Option<Found> {
        let sheet = &one.sheet;
        let within = |number: i32, name: &str| Some((field.value_of(number)?, name.to_owned()));
        match field.source {
            ValueSource::Table | ValueSource::Clock | ValueSource::Follows(_) => None,
            ValueSource::Condition(begins) => {
                let suffered = |name: &str| fold(name).starts_with(begins);
                let condition = one.conditions.iter().find(|one| suffered(&one.name))?;
                within(condition.value.unwrap_or(1), &condition.name)
            }
            ValueSource::Stat(stat) => Some(stats(one, &[stat]).pop()?.found),
            ValueSource::OneOf { stats, .. } => {
                let (first, others) = stats.split_at(1);
                let found = [first, others].map(|known| one_of(one, field, known));
                let known = found.into_iter().find(|found| !found.is_empty())?;
                offered_of(field, known.into_iter().map(|known| known.found).collect())
            }
            ValueSource::Ranked { list, offer } => {
                let ranks = sheet.ranks(list).iter();
                let (name, rank) = ranks.max_by_key(|(_, rank)| *rank).filter(|_| offer)?;
                Some((Value::Number(*rank), name.clone()))
            }
            ValueSource::Tokens { kind, owed } => {
                let (tokens, name) = self.tokens_left(kind, one.id)?;
                within(if owed { -tokens } else { tokens }, &name)
            }
            ValueSource::Derived => field.derive(sheet, &self.house, None),
        }
    }

    /// All that a person may pick by name, in the sheet's order.
    fn known<'a>(&self, one: &'a Character, field: &Field) -> Vec<Known<'a>> {
        match field.source {
            ValueSource::Table
            | ValueSource::Clock
            | ValueSource::Stat(_)
            | ValueSource::Tokens { .. }
            | ValueSource::Condition(_)
            | ValueSource::Follows(_) => Vec::new(),
            ValueSource::OneOf { stats, .. } => one_of(one, field, stats),
            ValueSource::Ranked { list, .. } => one.sheet.ranks(list).iter().map(rank).collect(),
            ValueSource::Derived => {
                let known = one.sheet.iter().filter_map(|(stat, _)| {
                    let found = field.derive(&one.sheet, &self.house, Some(stat.id))?;
                    let names = [stat.id, stat.label];
                    Some(Known { names, found })
                });
                known.collect()
            }
        }
    }

    /// The names of all that.
    pub(super) fn names_on(&self, one: &Character, field: &Field) -> Vec<String> {
        let known = self.known(one, field).into_iter();
        known.map(|known| known.names[1].to_owned()).collect()
    }

    /// What this name means on that one's sheet.
    pub(super) fn picked_on(&self, one: &Character, field: &Field, given: &str) -> Option<Found> {
        let known = match field.source {
            // Every die on the sheet will do.
            ValueSource::Stat(_) if field.kind == Kind::Die => {
                let all: Vec<&str> = one.sheet.iter().map(|(stat, _)| stat.id).collect();
                stats(one, &all)
            }
            ValueSource::Stat(stat) => stats(one, &[stat]),
            _ => self.known(one, field),
        };
        match meant(known, given) {
            None if field.takes_best() => {
                let names = given.split(['+', ',']).map(str::trim);
                let found = names.map(|name| meant(self.known(one, field), name));
                offered_of(field, found.collect::<Option<Vec<Found>>>()?)
            }
            found => found,
        }
    }

    /// The names that a person may give for a field, in the sheet's order. For a field of somebody
    /// else's sheet each begins with that one's name: `Tamsin: Brawn`.
    pub fn picks(&self, character: Option<&Character>, field: &Field) -> Vec<String> {
        if field.whose == Whose::Own {
            return character.map_or_else(Vec::new, |one| self.names_on(one, field));
        }
        let of = |other: &Character| {
            let names = self.names_on(other, field);
            if names.is_empty() && self.offered(other, field).is_some() {
                return vec![other.name.clone()];
            }
            let names = names.iter();
            names
                .map(|name| format!("{}: {name}", other.name))
                .collect()
        };
        self.others(character, field).flat_map(of).collect()
    }

    /// Those on whose sheets a field of somebody else's is looked up: of helpers, those of the same side; of
    /// opponents, the other side first.
    pub fn others<'a>(
        &'a self,
        character: Option<&'a Character>,
        field: &Field,
    ) -> impl Iterator<Item = &'a Character> {
        // An internal struggle is a check against oneself (HEARTS, Opposed Checks): others come first.
        let struggles = field.whose == Whose::Opponent && self.system.spec().inner_struggle;
        let own = character.map(|one| one.id);
        let side = character.map_or(Allegiance::Party, |one| one.side);
        let helps = field.whose == Whose::Helper;
        let known = self.roster.iter().filter(|other| other.is_here());
        let known = known.filter(|one| struggles || Some(one.id) != own);
        let known = known.filter(|one| !helps || side.is_with(one.side));
        let mut known: Vec<&Character> = known.collect();
        known.sort_by_key(|one| {
            let is_neither = one.side == Allegiance::Apathetic;
            let place = (side.is_with(one.side), is_neither, one.side as u8);
            (Some(one.id) == own, (!helps).then_some(place))
        });
        known.into_iter()
    }

    /// Whom words begin with, and what stands after the colon: `Tamsin: Brawn`, also where a name has a colon
    /// of its own.
    pub fn whose_name_begins<'a>(&self, words: &'a str) -> Option<(&Character, &'a str)> {
        let colons = words.rmatch_indices(':').map(|(at, _)| words.split_at(at));
        let mut places = std::iter::once((words, "")).chain(colons);
        places.find_map(|(name, rest)| {
            let rest = rest.strip_prefix(':').unwrap_or(rest);
            Some((self.character_named(name.trim())?, rest.trim()))
        })
    }
}

/// A value with where it comes from, told as somebody else's.
pub(super) fn of(other: &Character, (value, name): Found) -> (Value, Origin) {
    (value, Origin::of(other, name))
}

/// Of several the first, or the best where that counts; of equal ones the first.
fn offered_of(field: &Field, found: Vec<Found>) -> Option<Found> {
    let better = |best: Found, next: Found| {
        let is_better = field.takes_best() && field.height(&next.0) > field.height(&best.0);
        if is_better { next } else { best }
    };
    found.into_iter().reduce(better)
}

/// What a field that takes one of these stats has of them: their values, and each entry of a list.
fn one_of<'a>(one: &'a Character, field: &Field, ids: &[&str]) -> Vec<Known<'a>> {
    let stats = ids.iter().filter_map(|id| one.sheet.stat(id).ok());
    let known = stats.flat_map(|stat| {
        let known = match one.sheet.value(stat.id) {
            Some(Value::Ranks(ranks)) => ranks.iter().map(rank).collect(),
            _ => self::stats(one, &[stat.id]),
        };
        known.into_iter().filter_map(|mut known| {
            known.found.0 = field.value_from(stat, &known.found.0)?;
            Some(known)
        })
    });
    known.collect()
}

fn stats<'a>(one: &Character, ids: &[&str]) -> Vec<Known<'a>> {
    let stats = ids.iter().filter_map(|id| one.sheet.stat(id).ok());
    let known = stats.filter_map(|stat| {
        Some(Known {
            names: [stat.id, stat.label],
            found: (one.sheet.value(stat.id)?.clone(), stat.label.to_owned()),
        })
    });
    known.collect()
}

fn rank((name, rank): &(String, i32)) -> Known<'_> {
    Known {
        names: [name, name],
        found: (Value::Number(*rank), name.clone()),
    }
}

/// What of these ranks is meant by a name.
pub(super) fn ranked(ranks: &[(String, i32)], given: &str) -> Option<Found> {
    meant(ranks.iter().map(rank).collect(), given)
}

/// The one whose name was meant: the same, letter case aside, else the only one that begins so.
fn meant(known: Vec<Known<'_>>, given: &str) -> Option<Found> {
    let given = fold(given);
    let place = |fits: fn(&str, &str) -> bool| {
        let fits = |known: &Known<'_>| {
            let mut names = known.names.iter();
            names.any(|name| fits(&fold(name), &given))
        };
        let mut places = (0..).zip(&known).filter(|(_, known)| fits(known));
        let (first, _) = places.next()?;
        Some((first, places.next().is_none()))
    };
    let exact = place(|name, given| name == given).map(|(first, _)| first);
    let close = || place(|name, given| name.starts_with(given)).filter(|(_, only)| *only);
    let place = exact.or_else(|| Some(close()?.0));
    let place = place.filter(|_| !given.is_empty())?;
    Some(known.into_iter().nth(place)?.found)
}
