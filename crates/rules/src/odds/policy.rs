//! How choices are answered while odds are evaluation, and every end that comes of it.

use crate::RuleError;
use crate::answer::{Answer, Choices, ChosenBy, OutcomeId, Score};
use crate::words::join;
use tableside_dice::{Fraction, Natural, ratio};

/// How choices are answered.
///
/// The first choice of a path takes the first answer, the second the second, and so on with the last
/// answer for all that follow. Where that is no option, any other answer that is one is taken, and the
/// default where none is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Policy {
    pub(crate) answers: Vec<String>,
    /// Whether an answer that fits nowhere is left out instead of refused: what was placed on the dice
    /// that fell says nothing about other dice.
    pub(crate) forgiving: bool,
}

impl Policy {
    /// These answers, in order; without any, every choice takes its default.
    pub fn new(answers: impl IntoIterator<Item = String>) -> Self {
        Self {
            answers: answers.into_iter().collect(),
            forgiving: false,
        }
    }

    /// The answers that a trail gave, as far as they fit other dice too. Where nobody decided anything,
    /// defaults are taken on other dice as they were on these.
    pub fn of(trail: &[Answer]) -> Self {
        let mut decided = false;
        let answers = trail.iter().filter_map(|answer| match answer {
            Answer::Chose { chose, by, .. } => {
                decided |= *by != ChosenBy::Default;
                Some(chose.clone())
            }
            Answer::Faces(_) => None,
        });
        let answers: Vec<String> = answers.collect();
        if !decided {
            return Self::default();
        }
        Self {
            forgiving: true,
            answers,
        }
    }

    /// True if every choice takes its default.
    pub(crate) fn takes_defaults(&self) -> bool {
        self.answers.is_empty()
    }

    /// The answers, if they hold whatever dice fall.
    pub(crate) fn beforehand(&self) -> Option<&[String]> {
        (!self.forgiving && !self.answers.is_empty()).then_some(&self.answers)
    }

    pub(super) fn last(&self) -> usize {
        self.answers.len().saturating_sub(1)
    }
}

/// Every end of a check, with its ways out of all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evaluation {
    /// The ends, each once, in the order of outcomes and scores.
    pub(crate) ends: Vec<(OutcomeId, Score, Natural)>,
    /// All ways.
    pub(crate) whole: Natural,
    /// How many steps it took to find them.
    pub(crate) steps: usize,
}

impl Evaluation {
    /// Of a check that is resolved already.
    pub(crate) fn certain(outcome: OutcomeId, score: Score) -> Self {
        Self {
            ends: vec![(outcome, score, Natural::ONE)],
            whole: Natural::ONE,
            steps: 0,
        }
    }

    /// The chance of an end that `which` accepts.
    pub(crate) fn chance(&self, which: impl Fn(OutcomeId, &Score) -> bool) -> Fraction {
        let ends = self.ends.iter();
        let ends = ends.filter(|(outcome, score, _)| which(*outcome, score));
        let sum = ends.map(|(.., ways)| ways).sum();
        ratio(&sum, &self.whole)
    }
}

/// The answer that is none of the options.
pub(crate) fn no_option(what: &Choices, given: &str) -> RuleError {
    let (choice, options) = (what.choice, what.options.iter());
    let known = join(options.map(|option| &option.name), ", ");
    let why = format!("{given:?} is no answer to {choice}; the answers are {known}");
    RuleError::Said(why)
}
