//! How a check is written: one function that goes from state to state. Dice, people, a log or the odds answer its
//! questions.

use std::fmt::Debug;
use std::hash::Hash;

use super::answer::{Answer, ChoiceId, Choices, OutcomeId, Side, Tally};
use super::odds::policy::{Policy, Weighed};
use super::{Explanation, Outcome, RuleError};
use tableside_dice::{Die, Face, Observation, Pool};

/// What a check needs next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ask {
    /// Dice.
    Roll {
        /// Which.
        pool: Box<Pool>,
        /// Whose.
        by: Side,
    },
    /// A decision.
    Choose {
        /// Between what.
        what: Box<Choices>,
        /// Whose.
        by: Side,
    },
    /// Nothing: it ended so, with what odds need to know beside.
    Done(OutcomeId, Tally),
    /// Nothing: it can't go on.
    Refused(Box<RuleError>),
}

/// An answer as a machine takes it: no more of it than the rules look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answered<'a> {
    /// The dice fell so.
    Dice(&'a Observation),
    /// This was chosen.
    Chose(ChoiceId),
}

/// One step of a check: the answer to what it asks for, and who listens to why.
pub struct Walk<'a> {
    /// The answer, unless it is still to be asked for.
    pub(super) answer: Option<Answered<'a>>,
    /// What the check says of itself.
    pub(super) why: &'a mut Explanation,
}

impl<'a> Walk<'a> {
    #[inline]
    pub(super) fn with(answer: Option<Answered<'a>>, why: &'a mut Explanation) -> Self {
        Self { answer, why }
    }

    /// What the dice of this pool show, once that side rolled them.
    #[inline]
    pub(super) fn roll(
        &mut self,
        by: Side,
        pool: impl FnOnce() -> Pool,
    ) -> Result<&'a Observation, Ask> {
        // Not `take`: it reads as one word what was just written as two, and a processor stalls over that.
        if let Some(Answered::Dice(observation)) = self.answer {
            self.answer = None;
            return Ok(observation);
        }
        let pool = pool().into();
        Err(Ask::Roll { pool, by })
    }

    /// What that side chose, once it did.
    pub(super) fn choose(
        &mut self,
        by: Side,
        what: impl FnOnce(&Explanation) -> Choices,
    ) -> Result<ChoiceId, Ask> {
        if let Some(Answered::Chose(id)) = self.answer.take() {
            return Ok(id);
        }
        let what = what(self.why).into();
        Err(Ask::Choose { what, by })
    }

    /// Tells something, if anybody listens.
    #[inline]
    pub(super) fn tell(&mut self, tell: impl FnOnce(&mut Explanation)) {
        self.why.tell(tell);
    }
}

/// A check of a rule system, written once; every driver walks it.
///
/// It is pure: what it does depends on its own fields and what it is answered, on nothing else. It says
/// why while it steps, to an [`Explanation`] that does not listen while odds are weighed.
pub trait Check: Debug + Send + Sync + 'static {
    /// What later steps can still see, and nothing more: odds merge equal states. The default is the state
    /// before anything was rolled.
    type State: Clone + Default + Eq + Hash + Debug + Send + Sync;

    /// Goes on from that state to the next. Where it needs an answer that is not there yet, and where it is
    /// resolved, it stops and says so; from one state it asks for one thing at most.
    fn next(&self, state: Self::State, walk: &mut Walk<'_>) -> Result<Self::State, Ask>;

    /// The result that a person's answer leads to, after the first dice of the trail fell so; `None` if it
    /// is no option.
    fn parse_answer(&self, _fell: &[Face], what: &Choices, answer: &str) -> Option<ChoiceId> {
        let found = what.options.iter().find(|option| option.name == answer);
        found.map(|option| option.id)
    }

    /// How many steps of it are weighed at most: one for each way that dice can fall from each state, and
    /// [`Check::step_cost`] where it goes on from there at once, or by itself.
    fn most_steps(&self) -> usize {
        usize::MAX
    }

    /// The end of the refusal of more steps than that, with its colon: what tells the ways apart.
    fn told_apart(&self) -> String {
        String::new()
    }

    /// How many of those steps it costs to go on from one state.
    fn step_cost(&self) -> usize {
        1
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
    /// What the check needs after these answers, its trail; an error where one is not what was asked for.
    fn after(&self, trail: &[Answer]) -> Result<Ask, RuleError>;

    /// What a whole trail means. Of another it has the dice and sentences so far, and outcome 0, which means nothing.
    fn outcome(&self, trail: &[Answer]) -> Outcome;

    /// Every die that fell in a trail, in rolled order, whatever came of it.
    fn fell(&self, trail: &[Answer]) -> Vec<(Die, Face)>;

    /// Every way in which the check can go on after these answers; [`super::Odds`] reads it.
    fn weigh(&self, trail: &[Answer], policy: &Policy) -> Result<Weighed, RuleError>;
}
