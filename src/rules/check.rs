//! The state machine that every check is, and the same machine with its state forgotten.

use std::fmt::Debug;
use std::hash::Hash;

use super::answer::{Answer, ChoiceId, Choices, OutcomeId, Picked, Side, Tally};
use super::odds::policy::{Policy, Weighed};
use super::{Explanation, Outcome, RuleError};
use crate::dice::{Observation, Pool};

/// What a check needs next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ask {
    /// Dice.
    Roll {
        /// Which.
        pool: Pool,
        /// Whose.
        by: Side,
    },
    /// A decision.
    Choose {
        /// Between what.
        what: Choices,
        /// Whose.
        by: Side,
    },
    /// Nothing: it is resolved.
    Done(OutcomeId, Tally),
}

impl Ask {
    pub(super) const fn roll(pool: Pool, by: Side) -> Self {
        Self::Roll { pool, by }
    }

    /// A choice between results that are always the same.
    pub(super) fn choose(
        by: Side,
        choice: &'static str,
        options: [(ChoiceId, &str, &str); 2],
        default: usize,
    ) -> Self {
        let options = options.map(|(id, name, label)| Picked::new(id, name, label));
        let what = Choices {
            choice,
            options: options.into(),
            default,
        };
        Self::Choose { what, by }
    }
}

/// An answer as a machine takes it: no more of it than the rules look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answered<'a> {
    /// The dice fell so.
    Dice(&'a Observation),
    /// This was chosen.
    Chose(ChoiceId),
}

/// A check of a rule system, written once; every driver walks it.
///
/// It is pure: what it does depends on its own fields and what it is answered, on nothing else. It says
/// why while it steps, to an [`Explanation`] that does not listen while odds are weighed.
pub trait Check: Debug + Send + Sync + 'static {
    /// What later steps can still see, and nothing more: odds merge equal states.
    type State: Copy + Eq + Hash + Debug + Send + Sync;

    /// The state before anything was rolled.
    fn start(&self, why: &mut Explanation) -> Self::State;

    /// What it needs next.
    fn ask(&self, state: &Self::State) -> Ask;

    /// The state after the answer to what it asked for.
    fn step(&self, state: Self::State, answer: Answered<'_>, why: &mut Explanation) -> Self::State;

    /// Tells what follows once it is resolved: the last sentences, effects, keys and the target.
    fn conclude(&self, _state: &Self::State, _why: &mut Explanation) {}

    /// The outcome, where it cannot change any more although dice are still to fall. Odds stop here;
    /// real dice are rolled to the end.
    fn early_outcome(&self, _state: &Self::State) -> Option<(OutcomeId, Tally)> {
        None
    }

    /// The dice asked for as people who saw these dice roll them. The odds do without: where a die's
    /// face no longer matters, `ask` may name any die, and only the trail tells which one it is.
    fn actual_dice(&self, _trail: &[Answer], pool: Pool) -> Pool {
        pool
    }

    /// The question as people who saw these dice read it: concrete ways named in rolled order.
    fn present(&self, _trail: &[Answer], what: Choices) -> Choices {
        what
    }

    /// The result that a person's answer leads to; `None` if it is no option.
    fn parse_answer(&self, _trail: &[Answer], what: &Choices, answer: &str) -> Option<ChoiceId> {
        let found = what.options.iter().find(|option| option.name == answer);
        found.map(|option| option.id)
    }

    /// The check with these answers given beforehand, where they tell dice apart that odds otherwise need
    /// not; `None` where they do not.
    fn preplaced(&self, _answers: &[String]) -> Option<Self>
    where
        Self: Sized,
    {
        None
    }
}

/// A check with its state forgotten: what everything outside the odds works with.
pub trait DynCheck: Debug + Send + Sync {
    /// What the check needs after these answers; every answer is checked against what was asked for.
    fn after(&self, trail: &[Answer]) -> Result<Ask, RuleError>;

    /// What a whole trail means. Of an unfinished one it has the dice and sentences so far.
    fn outcome(&self, trail: &[Answer]) -> Outcome;

    /// Every way in which the check can go on after these answers; [`super::Odds`] reads it.
    fn weigh(&self, trail: &[Answer], policy: &Policy) -> Result<Weighed, RuleError>;
}
