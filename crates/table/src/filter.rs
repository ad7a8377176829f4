//! The filter of the log: words, and words after `who:`, `check:`, `outcome:`, `die:`, `scene:`.

use super::{Entry, SeatView};
use tableside_game::{Origin, Roll};
use tableside_rules::System;
use tableside_text::{fold_keeping_spaces, join};

/// Separates the texts of one part of an entry, such as the name and the label of a check.
const SEPARATOR: char = '\u{1e}';

/// A filter lets an entry through if the entry matches every term.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter(Vec<Term>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Term {
    field: SearchField,
    /// The text to search for, as [`fold_keeping_spaces`] returns it.
    text: String,
}

/// The part of an entry that a term searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SearchField {
    Text,
    Who,
    Check,
    Outcome,
    Die,
    Scene,
}

const PREFIXES: [(&str, SearchField); 5] = [
    ("who:", SearchField::Who),
    ("check:", SearchField::Check),
    ("outcome:", SearchField::Outcome),
    ("die:", SearchField::Die),
    ("scene:", SearchField::Scene),
];

impl Filter {
    /// Parses a filter as a player types it. Quotation marks enclose a name of several words.
    pub fn parse(text: &str) -> Self {
        let mut terms = Vec::new();
        let mut word = String::new();
        let mut is_quoted = false;
        for letter in fold_keeping_spaces(text).chars() {
            if letter == '"' {
                is_quoted = !is_quoted;
            } else if letter.is_whitespace() && !is_quoted {
                terms.push(Term::parse(&word));
                word.clear();
            } else {
                word.push(letter);
            }
        }
        terms.push(Term::parse(&word));

        terms.retain(|term| !term.text.trim().is_empty());
        Self(terms)
    }

    /// True if the filter lets every entry through.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// True if an entry matches every term.
    pub fn lets_through(&self, entry: &Entry, view: &SeatView<'_>) -> bool {
        self.0.iter().all(|term| term.matches(entry, view))
    }

    /// The texts that the filter searches for, in lower case.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|term| term.text.as_str())
    }
}

impl Term {
    fn parse(word: &str) -> Self {
        for (prefix, field) in PREFIXES {
            if let Some(text) = word.strip_prefix(prefix) {
                return Self {
                    field,
                    text: text.to_owned(),
                };
            }
        }
        Self {
            field: SearchField::Text,
            text: word.to_owned(),
        }
    }

    fn matches(&self, entry: &Entry, view: &SeatView<'_>) -> bool {
        let system = view.system();
        match self.field {
            SearchField::Text => self.is_in(&text_of(entry, system)),
            SearchField::Who => self.is_in(&people_of(entry)),
            SearchField::Check => self.is_in(&check_of(entry, system)),
            SearchField::Outcome => self.is_in(&outcome_of(entry, system)),
            SearchField::Die => self.is_die_of(entry, system),
            SearchField::Scene => {
                let scene = view.scene_of(entry.number);
                self.is_in(&scene.name)
            }
        }
    }

    fn is_in(&self, text: &str) -> bool {
        fold_keeping_spaces(text).contains(&self.text)
    }

    /// True if a die of that name was rolled: `die:d8` does not match a d80.
    fn is_die_of(&self, entry: &Entry, system: System) -> bool {
        let Some(roll) = entry.roll() else {
            return false;
        };
        rolled_dice(roll, system).contains(&self.text.as_str())
    }
}

/// The text of an entry, and the names by which the values of a roll were picked.
fn text_of(entry: &Entry, system: System) -> String {
    let text = entry.event.text(system);
    match entry.roll() {
        Some(roll) => {
            let picked = picked_names(roll, system);
            format!("{text}{SEPARATOR}{picked}")
        }
        None => text,
    }
}

/// The names of the acting player and of the rolling character.
fn people_of(entry: &Entry) -> String {
    let roller = match entry.event.what.roller() {
        Some((name, _)) => name,
        None => "",
    };
    format!("{}{SEPARATOR}{roller}", entry.by)
}

fn check_of(entry: &Entry, system: System) -> String {
    let Some(roll) = entry.roll() else {
        return String::new();
    };
    let label = roll.spec(system).map_or("", |spec| spec.label);
    format!("{}{SEPARATOR}{label}", roll.check)
}

fn outcome_of(entry: &Entry, system: System) -> String {
    let Some(roll) = entry.roll() else {
        return String::new();
    };
    let label = roll
        .shown_outcome(system)
        .map_or("", |outcome| outcome.label);
    format!("{}{SEPARATOR}{label}", roll.outcome_name(system))
}

/// The names of the dice of a roll.
fn rolled_dice(roll: &Roll, system: System) -> Vec<&'static str> {
    let Ok(machine) = roll.machine(system) else {
        return Vec::new();
    };
    let dice = machine.rolled_dice(&roll.trail);
    dice.iter().map(|(die, _)| die.name()).collect()
}

/// The subject of a check and the names by which its values were picked: skills, abilities, opponents.
fn picked_names(roll: &Roll, system: System) -> String {
    let mut names: Vec<&str> = roll.sources.values().filter_map(Origin::name).collect();
    let tested = roll.tested_value(system);
    if let Some(tested) = &tested {
        names.push(&tested.words);
    }
    join(names, "\u{1e}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(text: &str) -> Vec<(SearchField, String)> {
        let filter = Filter::parse(text);
        let terms = filter.0.into_iter();
        terms.map(|term| (term.field, term.text)).collect()
    }

    #[test]
    fn a_filter_is_parsed_as_it_is_typed() {
        assert_eq!(
            terms("who:Mira die:d8 Cliff"),
            [
                (SearchField::Who, "mira".into()),
                (SearchField::Die, "d8".into()),
                (SearchField::Text, "cliff".into())
            ]
        );
        assert_eq!(
            terms("who:\"Old Tom\" x"),
            [
                (SearchField::Who, "old tom".into()),
                (SearchField::Text, "x".into())
            ]
        );
        assert_eq!(terms("who: \" "), []);
    }
}
