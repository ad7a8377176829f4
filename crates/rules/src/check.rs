//! The state machine of a check: the question that it asks in each state, and the state after each answer.

use std::fmt::Debug;
use std::hash::Hash;

use super::answer::{Answer, ChoiceId, Choices, OutcomeId, Score, Side};
use super::odds::policy::{Evaluation, Policy};
use super::{Explanation, Outcome, Progress, RuleError};
use tableside_dice::{Die, Face, Observation, Pool};
use tableside_text::join;

/// The dice or the decision that a check waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ask {
    /// The check waits for dice.
    Roll {
        /// The dice.
        pool: Box<Pool>,
        /// The side that rolls them.
        by: Side,
    },
    /// The check waits for a decision.
    Choose {
        /// The question and its options.
        choices: Box<Choices>,
        /// The side that decides.
        by: Side,
    },
}

impl Ask {
    /// Asks a side to roll these dice.
    pub(super) fn roll(pool: Pool, by: Side) -> Self {
        Self::Roll {
            pool: Box::new(pool),
            by,
        }
    }

    /// Asks a side to decide.
    pub(super) fn choose(choices: Choices, by: Side) -> Self {
        Self::Choose {
            choices: Box::new(choices),
            by,
        }
    }
}

/// The result of a step of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step<S> {
    /// The check continues from this state.
    Continue(S),
    /// The check waits in this state for dice or a decision.
    Ask(S, Ask),
    /// The check is resolved.
    Done(OutcomeId, Score),
    /// The rules forbid the check, or its description is wrong.
    Refuse(Box<RuleError>),
}

impl<S> Step<S> {
    /// Converts the state of this step to the state of a check that contains this check.
    pub(super) fn map<T>(self, wrap: impl FnOnce(S) -> T) -> Step<T> {
        match self {
            Self::Continue(state) => Step::Continue(wrap(state)),
            Self::Ask(state, ask) => Step::Ask(wrap(state), ask),
            Self::Done(outcome, score) => Step::Done(outcome, score),
            Self::Refuse(error) => Step::Refuse(error),
        }
    }
}

/// A check of a rule system. Rolling, dice by hand, replay and odds all step through the same implementation.
///
/// A check is pure: each step depends on the check, the state and the answer alone. A driver begins with the default
/// state and calls [`Check::next`]. When that returns [`Step::Ask`], the driver passes the answer to
/// [`Check::after_roll`] or [`Check::after_choice`], with the state that asked.
///
/// The steps add sentences to an [`Explanation`], which ignores them while odds are computed.
pub trait Check: Debug + Send + Sync + 'static {
    /// The values that later steps depend on, and no others, because the computation of odds merges equal states. The
    /// default is the state before the first roll.
    type State: Clone + Default + Eq + Hash + Debug + Send + Sync;

    /// Continues from a state without an answer, or asks for one.
    fn next(&self, state: Self::State, why: &mut Explanation) -> Step<Self::State>;

    /// Continues from a state that asked for dice, with the rolled dice. In any other state the check repeats what it
    /// asked.
    fn after_roll(
        &self,
        state: Self::State,
        dice: &Observation,
        why: &mut Explanation,
    ) -> Step<Self::State>;

    /// Continues from a state that asked for a decision, with the chosen option. In any other state the check repeats
    /// what it asked. A check without decisions need not implement this.
    fn after_choice(
        &self,
        state: Self::State,
        _choice: ChoiceId,
        why: &mut Explanation,
    ) -> Step<Self::State> {
        self.next(state, why)
    }

    /// Returns the option that a typed answer stands for; `None` if the answer is not an option.
    ///
    /// `first_faces` are the faces of the first roll, in rolled order.
    fn parse_answer(
        &self,
        _first_faces: &[Face],
        choices: &Choices,
        answer: &str,
    ) -> Option<ChoiceId> {
        choices
            .options
            .iter()
            .find(|option| option.name == answer)
            .map(|option| option.id)
    }

    /// Describes the answers that [`Check::parse_answer`] accepts, for the error message about any other answer.
    fn describe_answers(&self, _first_faces: &[Face], choices: &Choices) -> String {
        let names = choices.options.iter().map(|option| &option.name);
        format!("the answers are {}", join(names, ", "))
    }

    /// The most steps that the computation of odds may take. If it needs more, it ends with an error.
    ///
    /// Each distinct result of the dice in each state counts as one step, and each call of [`Check::next`] as
    /// [`Check::step_cost`] steps.
    fn most_steps(&self) -> usize {
        usize::MAX
    }

    /// The end of the error message about too many steps, from its colon on. It names the values that make the results
    /// of the dice distinct.
    fn describe_distinctions(&self) -> String {
        String::new()
    }

    /// The number of steps that a call of [`Check::next`] counts for.
    fn step_cost(&self) -> usize {
        1
    }

    /// Returns a check to use instead of this one when odds are computed under this policy. It has the same odds, but
    /// fewer states, or states that tell apart dice which the policy treats differently. `None` if this check itself
    /// should be used.
    fn for_policy(&self, _policy: &Policy) -> Option<Self>
    where
        Self: Sized,
    {
        None
    }
}

/// A [`Check`] whose state type is hidden. All code outside of this crate uses checks in this form.
pub trait DynCheck: Debug + Send + Sync {
    /// Resolves the check with these answers as far as they go, and returns its progress.
    ///
    /// # Errors
    /// If an answer does not fit the question that the check asks at that point, or if the rules forbid the check.
    fn after(&self, trail: &[Answer]) -> Result<Progress, RuleError>;

    /// Returns the result of a complete trail of answers. If the trail is incomplete, the result has the dice and
    /// sentences so far, and its `outcome` is meaningless.
    fn outcome(&self, trail: &[Answer]) -> Outcome;

    /// Returns the dice that a trail of answers rolled, each with its face, in rolled order. If an answer does not fit
    /// the check, returns the dice before it.
    fn rolled_dice(&self, trail: &[Answer]) -> Vec<(Die, Face)>;

    /// Computes every way in which the check can end after these answers, for [`super::Odds`].
    ///
    /// # Errors
    /// If an answer does not fit the check, or the computation takes more than [`Check::most_steps`].
    fn evaluate(&self, trail: &[Answer], policy: &Policy) -> Result<Evaluation, RuleError>;
}
