//! What the log is filtered by: words, and words after `who:`, `check:`, `outcome:`, `die:`, `scene:`.

use std::cell::LazyCell;
use std::collections::BTreeMap;

use super::history::Mark;
use super::journal_entry::{LazyEntry, Picked, Rolled, hash};
use super::{Entry, SeatView};
use tableside_dice::Memo;
use tableside_game::{Origin, Roll, Tested};
use tableside_rules::{CheckSpec, System};
use tableside_text::{fold_characters, join};

/// Stands between several things that one part of an entry is: a check's name and its label.
pub(super) const OR: char = '\u{1e}';

/// Every term must be met.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter(Vec<Term>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Term {
    part: Part,
    /// What it has, as texts are compared.
    word: String,
}

/// A part of an entry that a word is looked for in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Text,
    Who,
    Check,
    Outcome,
    Die,
    Scene,
}

const PARTS: [(&str, Part); 5] = [
    ("who:", Part::Who),
    ("check:", Part::Check),
    ("outcome:", Part::Outcome),
    ("die:", Part::Die),
    ("scene:", Part::Scene),
];

impl Filter {
    /// Reads a filter as it is typed; a name of several words stands in quotation marks.
    pub fn parse(text: &str) -> Self {
        let mut words: Vec<String> = vec![String::new()];
        let mut quoted = false;
        for letter in fold_characters(text).chars() {
            match (letter, words.last_mut()) {
                ('"', _) => quoted = !quoted,
                (letter, _) if letter.is_whitespace() && !quoted => words.push(String::new()),
                (letter, Some(word)) => word.push(letter),
                (_, None) => {}
            }
        }
        let term = |word: String| {
            let found = PARTS
                .iter()
                .find_map(|(prefix, part)| Some((*part, word.strip_prefix(prefix)?.to_owned())));
            let (part, word) = found.unwrap_or((Part::Text, word));
            Term { part, word }
        };
        let terms = words.into_iter().map(term);
        Self(terms.filter(|term| !term.word.trim().is_empty()).collect())
    }

    /// Whether it lets everything through.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether an entry meets every term.
    pub fn lets_through(&self, entry: &Entry, seen: &SeatView<'_>) -> bool {
        self.0.iter().all(|term| {
            let has = match term.part {
                Part::Scene => fold_characters(&seen.scene_of(entry.number).name),
                part => part.of(entry, seen.system()),
            };
            match term.part {
                Part::Die => has_die(&has, &term.word),
                _ => has.contains(&term.word),
            }
        })
    }

    /// Whether an entry meets every term, as far as its line in the journal tells; none where that does not. What is
    /// inserted may be read where others are named.
    pub(super) fn lets_line_through(
        &self,
        (number, line): (u64, &LazyEntry<'_>),
        inserted: &str,
        seen: &SeatView<'_>,
    ) -> Option<bool> {
        let mut verdict = Some(true);
        let text = LazyCell::new(|| Some(fold_characters(&line.text()?)));
        let rolled = || line.roll::<Rolled>().unwrap_or_default();
        let checks = seen.system().spec().checks;
        for Term { part, word } in &self.0 {
            let mut does = checks.iter().filter(|check| check.deed.contains(word));
            let is_met = match part {
                Part::Text if text.as_ref()?.contains(word) => Some(true),
                Part::Text if line.is(&Mark::KINDS) => None,
                // What a roll is about stands among the names that its values were picked by.
                Part::Text => {
                    let sources = str::from_utf8(line.sources()).ok()?;
                    let may_have = word.is_ascii() || !sources.is_ascii();
                    let has = may_have && fold_characters(sources).contains(word);
                    // In JSON it is written otherwise.
                    let has = has || word.contains(['\\', '"']);
                    let is_now = inserted.contains(word) && sources.contains("\"of\":");
                    if !has && !is_now && !does.any(|check| check.id == rolled().check) {
                        return Some(false);
                    }
                    Some(picked_in(line, seen)?.contains(word))
                }
                // A label may have what its name has not.
                Part::Check => rolled().check.contains(word).then_some(true),
                Part::Outcome if line.outcome()?.contains(word) => Some(true),
                Part::Who if !line.is(&Mark::KINDS) => {
                    Some(both(&line.by()?, &rolled().who).contains(word))
                }
                Part::Scene => Some(fold_characters(&seen.scene_of(number).name).contains(word)),
                Part::Die if !line.is(&LazyEntry::ROLLS) && !line.is(&Mark::KINDS) => Some(false),
                Part::Die => has_die_in(line, word, seen.system()),
                Part::Outcome | Part::Who => None,
            };
            match is_met {
                Some(true) => {}
                Some(false) => return is_met,
                None => verdict = None,
            }
        }
        verdict
    }

    /// The words that are looked for, in small letters.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        self.terms().map(|(_, word)| word)
    }

    /// Each part that a word is looked for in, and the word in small letters.
    pub(super) fn terms(&self) -> impl Iterator<Item = (Part, &str)> {
        self.0.iter().map(|term| (term.part, term.word.as_str()))
    }
}

/// Whether that die fell in the roll in a line. Those of a long log are of a few kinds.
fn has_die_in(line: &LazyEntry<'_>, word: &str, system: System) -> Option<bool> {
    static KNOWN: Memo<u64, bool> = Memo::new(50_000);
    let work_out = || {
        let event = line.if_rolled().ok_or(())?;
        let dice = dice(event.what.roll().ok_or(())?, system);
        Ok::<_, ()>(has_die(&dice, word))
    };
    let kind = hash((system, word, line.dice_from()?));
    KNOWN.get_or_compute(&kind, work_out, |_| 1).ok()
}

/// The names of the dice that fell in a roll.
fn dice(roll: &Roll, system: System) -> String {
    let machine = roll.machine(system);
    let fell = machine.map_or(Vec::new(), |machine| machine.rolled_dice(&roll.trail));
    let mut names: Vec<&str> = fell.iter().map(|(die, _)| die.name()).collect();
    names.sort_unstable();
    names.dedup();
    names.join("\u{1e}")
}

/// What a check is about, and what its values were picked by, in small letters.
fn picked(check: Option<&'static CheckSpec>, sources: &BTreeMap<String, Origin>) -> String {
    let tested = check.map(|check| Tested::of(check, sources).words);
    let names = sources.values().filter_map(Origin::name);
    fold_characters(&join(names.chain(tested.as_deref()), "\u{1e}"))
}

/// The same of the roll in a line, as the seat reads it.
fn picked_in(line: &LazyEntry<'_>, seen: &SeatView<'_>) -> Option<String> {
    let mut roll: Picked = line.roll()?;
    if !seen.seat().sees_all() {
        let origins = roll.sources.values_mut();
        origins.for_each(|origin| seen.lens().origin(origin));
    }
    let rules = roll.rules.unwrap_or_else(|| seen.system());
    Some(picked(rules.check(&roll.check).ok(), &roll.sources))
}

fn has_die(dice: &str, word: &str) -> bool {
    let mut names = dice.as_bytes().split(|byte| char::from(*byte) == OR);
    names.any(|name| name == word.as_bytes())
}

fn both(one: &str, other: &str) -> String {
    fold_characters(&format!("{one}{OR}{other}"))
}

impl Part {
    /// What of an entry it is, in small letters; empty where the entry has no such part.
    pub(super) fn of(self, entry: &Entry, system: System) -> String {
        let roll = entry.roll();
        let told = match self {
            Self::Text => {
                let picked = roll.map(|roll| picked(roll.spec(system).ok(), &roll.sources));
                Some(both(&entry.event.text(system), &picked.unwrap_or_default()))
            }
            Self::Who => {
                let roller = entry.event.what.roller();
                Some(both(&entry.by, roller.map_or("", |(who, _)| who)))
            }
            Self::Check => roll.map(|roll| {
                let label = roll.spec(system).map_or("", |spec| spec.label);
                both(&roll.check, label)
            }),
            Self::Outcome => roll.map(|roll| {
                let label = roll.shown_outcome(system).map(|told| told.label);
                both(roll.outcome_name(system), label.unwrap_or_default())
            }),
            Self::Die => roll.map(|roll| dice(roll, system)),
            Self::Scene => None,
        };
        told.unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(text: &str) -> Vec<(Part, String)> {
        let filter = Filter::parse(text);
        let pair = |term: Term| (term.part, term.word);
        filter.0.into_iter().map(pair).collect()
    }

    #[test]
    fn terms_are_read_as_they_are_typed() {
        assert_eq!(
            terms("who:Mira die:d8 Cliff"),
            [
                (Part::Who, "mira".into()),
                (Part::Die, "d8".into()),
                (Part::Text, "cliff".into())
            ]
        );
        assert_eq!(
            terms("who:\"Old Tom\" x"),
            [(Part::Who, "old tom".into()), (Part::Text, "x".into())]
        );
        assert_eq!(terms("who: \" "), []);
    }
}
