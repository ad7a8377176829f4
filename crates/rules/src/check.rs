//! The state machine of a check: the question that it asks in each state, and the state after each answer.

use std::fmt::Debug;
use std::hash::Hash;

use super::answer::{Answer, ChoiceId, Choices, OutcomeId, Score, Side};
use super::odds::policy::{Evaluation, Policy};
use super::{Explanation, Outcome, Progress, RuleError};
use tableside_dice::{Die, Face, Observation, Pool};
use tableside_text::join;

/// A question of a check.
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
    /// Wraps the state of this step in that of another check.
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
/// The steps explain themselves to an [`Explanation`], which ignores the words while odds are computed.
pub trait Check: Debug + Send + Sync + 'static {
    /// Everything that later steps depend on, and no more: odds merge equal states. The default is the state before
    /// the first roll.
    type State: Clone + Default + Eq + Hash + Debug + Send + Sync;

    /// Continues from a state without an answer, or asks for one.
    fn next(&self, state: Self::State, why: &mut Explanation) -> Step<Self::State>;

    /// Continues from a state that asked for dice. In any other state the check asks again.
    fn after_roll(
        &self,
        state: Self::State,
        dice: &Observation,
        why: &mut Explanation,
    ) -> Step<Self::State>;

    /// Continues from a state that asked for a decision. In any other state the check asks again, as does a check that
    /// has no decisions.
    fn after_choice(
        &self,
        state: Self::State,
        _choice: ChoiceId,
        why: &mut Explanation,
    ) -> Step<Self::State> {
        self.next(state, why)
    }

    /// Returns the option that a typed answer means, or `None` if it is not an option.
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

    /// Describes the answers that [`Check::parse_answer`] accepts, for the message that refuses another one.
    fn describe_answers(&self, _first_faces: &[Face], choices: &Choices) -> String {
        let names = choices.options.iter().map(|option| &option.name);
        format!("the answers are {}", join(names, ", "))
    }

    /// The most steps that the computation of odds may take. It is refused if it needs more.
    ///
    /// Each different result of the dice in each state is one step. A call of [`Check::next`] is [`Check::step_cost`] steps.
    fn most_steps(&self) -> usize {
        usize::MAX
    }

    /// The end of the message that refuses more steps, from its colon on: the values that the results of the dice are
    /// distinguished by.
    fn describe_distinctions(&self) -> String {
        String::new()
    }

    /// The number of steps that a call of [`Check::next`] counts for.
    fn step_cost(&self) -> usize {
        1
    }

    /// Returns a check with the same odds under this policy, if its states are more suitable: because there are fewer of them,
    /// or because they distinguish dice that the policy treats differently.
    fn for_policy(&self, _policy: &Policy) -> Option<Self>
    where
        Self: Sized,
    {
        None
    }
}

/// A [`Check`] of any state type, as everything outside the odds uses it.
pub trait DynCheck: Debug + Send + Sync {
    /// Returns the progress of the check after these answers.
    ///
    /// # Errors
    /// If an answer is not one to the question asked, or the rules forbid the check.
    fn after(&self, trail: &[Answer]) -> Result<Progress, RuleError>;

    /// Returns the result of a complete trail. For an incomplete trail the result has the dice and sentences up to its end,
    /// and its outcome has no meaning.
    fn outcome(&self, trail: &[Answer]) -> Outcome;

    /// Returns every die of a trail with its face, in rolled order, even if the trail does not fit the check.
    fn rolled_dice(&self, trail: &[Answer]) -> Vec<(Die, Face)>;

    /// Returns every end that the check can have after these answers; [`super::Odds`] reads it.
    ///
    /// # Errors
    /// If an answer does not fit, or there are more ways than [`Check::most_steps`] allows.
    fn evaluate(&self, trail: &[Answer], policy: &Policy) -> Result<Evaluation, RuleError>;
}
