//! How choices are answered while odds are computed, and the result of the computation.

use crate::RuleError;
use crate::answer::{Answer, Choices, ChosenBy, OutcomeId, Score};
use crate::words::join;
use tableside_dice::{Fraction, Natural, ratio};

/// How choices are answered.
///
/// On each path the first choice takes the first answer, the second choice the second, and all further choices the last
/// answer. If that answer is not an option, the first answer that is an option is taken, or else the default.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Policy {
    pub(crate) answers: Vec<String>,
    /// True if an answer that is never an option is ignored instead of causing an error: a placing of tokens that
    /// fitted the rolled dice may not fit other dice.
    pub(crate) forgiving: bool,
}

impl Policy {
    /// Creates the policy that gives these answers in order. Without answers every choice takes its default.
    pub fn new(answers: impl IntoIterator<Item = String>) -> Self {
        Self {
            answers: answers.into_iter().collect(),
            forgiving: false,
        }
    }

    /// Creates the policy that answers choices as a trail did. An answer that does not fit the dice is ignored. If all
    /// answers of the trail were defaults, all choices take their defaults.
    pub fn of(trail: &[Answer]) -> Self {
        let mut answers = Vec::new();
        let mut all_defaults = true;
        for answer in trail {
            if let Answer::Chose { chose, by, .. } = answer {
                answers.push(chose.clone());
                all_defaults &= *by == ChosenBy::Default;
            }
        }

        if all_defaults {
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

    /// Returns the answers if there are any and each must be an option somewhere, as for answers given before the roll;
    /// otherwise `None`.
    pub(crate) fn strict_answers(&self) -> Option<&[String]> {
        if self.forgiving || self.answers.is_empty() {
            None
        } else {
            Some(&self.answers)
        }
    }

    /// The index of the last answer.
    pub(super) fn last(&self) -> usize {
        self.answers.len().saturating_sub(1)
    }
}

/// Every way a check can end, an outcome with a score, and the number of ways that lead to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evaluation {
    /// The distinct ends, sorted by outcome and score, each with its number of ways.
    pub(crate) ends: Vec<(OutcomeId, Score, Natural)>,
    /// The number of all ways.
    pub(crate) total_ways: Natural,
    /// The number of steps that the computation took.
    pub(crate) steps_taken: usize,
}

impl Evaluation {
    /// The evaluation of a check that is already resolved.
    pub(crate) fn certain(outcome: OutcomeId, score: Score) -> Self {
        Self {
            ends: vec![(outcome, score, Natural::ONE)],
            total_ways: Natural::ONE,
            steps_taken: 0,
        }
    }

    /// Returns the chance that the check ends in a way that `which` accepts.
    pub(crate) fn chance(&self, which: impl Fn(OutcomeId, &Score) -> bool) -> Fraction {
        let accepted_ways = self
            .ends
            .iter()
            .filter(|(outcome, score, _)| which(*outcome, score))
            .map(|(.., ways)| ways)
            .sum();
        ratio(&accepted_ways, &self.total_ways)
    }
}

/// Returns the error that an answer is not an option of a question.
pub(crate) fn no_option(choices: &Choices, answer: &str) -> RuleError {
    let names = choices.options.iter().map(|option| &option.name);
    RuleError::Said(format!(
        "{answer:?} is not an answer to {}; the answers are {}",
        choices.choice,
        join(names, ", ")
    ))
}
