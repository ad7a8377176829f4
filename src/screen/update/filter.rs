//! What the log is filtered by: words, and words after `who:`, `check:`, `outcome:`, `die:`, `scene:`.

use crate::session::Roll;
use crate::table::{Entry, Seen};

/// Every term must be met.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::screen) struct Filter(Vec<Term>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Term {
    part: Part,
    /// What it has, in small letters.
    word: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
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
    pub(in crate::screen) fn parse(text: &str) -> Self {
        let mut words: Vec<String> = vec![String::new()];
        let mut quoted = false;
        for letter in text.to_lowercase().chars() {
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

    /// The words looked for in the text itself.
    pub(in crate::screen) fn words(&self) -> impl Iterator<Item = &str> {
        let in_text = self.0.iter().filter(|term| term.part == Part::Text);
        in_text.map(|term| term.word.as_str())
    }

    /// Whether an entry meets every term.
    pub(in crate::screen) fn lets_through(&self, entry: &Entry, seen: &Seen<'_>) -> bool {
        self.0.iter().all(|term| term.meets(entry, seen))
    }
}

impl Term {
    fn meets(&self, entry: &Entry, seen: &Seen<'_>) -> bool {
        let has = |text: &str| text.to_lowercase().contains(&self.word);
        let of_roll = |meets: &dyn Fn(&Roll) -> bool| entry.roll().is_some_and(meets);
        let system = seen.system();
        match self.part {
            Part::Text => has(&entry.event.text(system)),
            Part::Who => has(&entry.by) || of_roll(&|roll| has(&roll.who)),
            Part::Check => of_roll(&|roll| {
                has(&roll.check) || roll.spec(system).is_ok_and(|spec| has(spec.label))
            }),
            Part::Outcome => of_roll(&|roll| {
                let label = roll.spec(system).ok().and_then(|spec| {
                    let id = spec.outcome_named(&roll.outcome)?;
                    Some(spec.outcome(id).label)
                });
                has(&roll.outcome) || label.is_some_and(has)
            }),
            Part::Die => of_roll(&|roll| {
                let outcome = roll.derive(system);
                outcome.is_ok_and(|outcome| {
                    let mut dice = outcome.dice.iter();
                    dice.any(|die| die.die.name() == self.word)
                })
            }),
            Part::Scene => has(&seen.scene_of(entry.number).name),
        }
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
