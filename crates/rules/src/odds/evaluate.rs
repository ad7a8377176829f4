//! Computes every way a check can end by stepping all states forward together, layer by layer. An *end* is an outcome
//! with a score.
//!
//! A layer holds each distinct state once, with the number of ways that lead to it. Each layer is first settled: states
//! that need no answer step on, choices are answered by the policy, and ended states are counted. The remaining states
//! wait for dice. Each of them then takes every possible observation of its pool, which gives the next layer.

use std::hash::Hash;
use std::sync::Arc;

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::policy::{Evaluation, Policy, no_option};
use crate::answer::{ChoiceId, Choices, OutcomeId, Score};
use crate::check::{Ask, Check, Step};
use crate::explanation::{Closed, refusal};
use crate::{Explanation, RuleError};
use tableside_dice::{Measure, Natural, Observation, Observations, Pool};

/// The least number of steps that is worth sharing between processors. Fewer steps take less than about a millisecond.
const MIN_SHARED_STEPS: usize = 10_000;

/// The most processors that compute the odds of one check, since other tables use the same machine.
const MAX_SHARES: usize = 4;

/// The number of ends that memory is reserved for. Ordinary checks have fewer.
const USUAL_ENDS: usize = 28;

/// Computes every end that the check can reach from this state.
///
/// # Errors
/// If a step is refused, if there are more steps than [`Check::most_steps`], or if an answer of the policy is never an
/// option.
pub(crate) fn evaluate<C: Check>(
    check: &C,
    state: C::State,
    policy: &Policy,
) -> Result<Evaluation, RuleError> {
    let mut chooser = Chooser::new(policy);
    let mut steps: usize = 0;
    // The number of ways of the states in the present layer, plus that of all ends already reached.
    let mut total_ways = Natural::ONE;

    let mut layer = Layer::default();
    layer.ends.reserve(USUAL_ENDS);
    layer.open.reserve(USUAL_ENDS);
    let start = Branch {
        state,
        choices_made: 0,
    };
    layer.open.insert(start, Natural::ONE);

    loop {
        let rolls = next_rolls(check, &mut layer, &mut chooser, &mut steps)?;
        if rolls.is_empty() {
            break;
        }

        // Pools can fall in different numbers of ways, so scale all to a common total.
        let common = least_common_total(&rolls);
        total_ways = &total_ways * &common;
        for ways in layer.ends.values_mut() {
            *ways = &*ways * &common;
        }

        for mut roll in rolls {
            let scale = &common / &roll.observations.total;
            for (_, ways) in &mut roll.branches {
                *ways = &*ways * &scale;
            }
            roll_all(check, &roll.observations.ways, &roll.branches, &mut layer);
        }
        if let Some(error) = layer.refused.take() {
            return Err(*error);
        }
    }
    chooser.check()?;

    let mut ends: Vec<_> = layer
        .ends
        .into_iter()
        .map(|((outcome, score), ways)| (outcome, score, ways))
        .collect();
    ends.sort_unstable_by_key(|&(outcome, score, _)| (outcome, score));
    Ok(Evaluation {
        ends,
        total_ways,
        steps_taken: steps,
    })
}

/// The branches of a layer that roll the same pool, with the observations of the pool.
struct LayerRoll<S> {
    observations: Arc<Observations>,
    branches: Branches<S>,
}

/// Settles a layer, and returns the rolls for which its branches wait.
fn next_rolls<C: Check>(
    check: &C,
    layer: &mut Layer<C::State>,
    chooser: &mut Chooser<'_>,
    steps: &mut usize,
) -> Result<Vec<LayerRoll<C::State>>, RuleError> {
    let mut rolls = Vec::new();
    for (pool, branches) in settle(check, layer, chooser, steps)? {
        let observations = pool.observations();

        // After the last roll of a throw, a check takes its next step in the same call.
        let cost = match &pool.measure {
            Measure::Query(query) if query.is_final => check.step_cost(),
            _ => 1,
        };
        // A pool that can fall in too many ways has no observations.
        let roll_steps = match observations.ways.len() * branches.len() * cost {
            0 => usize::MAX,
            count => count,
        };
        let all_steps = roll_steps.saturating_add(observations.steps);
        count_steps(check, steps, all_steps)?;

        rolls.push(LayerRoll {
            observations,
            branches,
        });
    }
    Ok(rolls)
}

/// Returns the least common multiple of the pools' numbers of ways.
fn least_common_total<S>(rolls: &[LayerRoll<S>]) -> Natural {
    let mut common = Natural::ONE;
    for roll in rolls {
        let total = &roll.observations.total;
        common = &(&common / &common.gcd(total)) * total;
    }
    common
}

/// A state, with the number of choices before it. The number stops at the last answer of the policy, which all further
/// choices take, so that states can be merged.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Branch<S> {
    state: S,
    choices_made: usize,
}

/// Branches, each with its number of ways.
type Branches<S> = Vec<(Branch<S>, Natural)>;

/// The states of a layer, and the ends of this layer and all earlier ones, with their numbers of ways.
#[derive(Default)]
struct Layer<S> {
    open: FxHashMap<Branch<S>, Natural>,
    ends: FxHashMap<(OutcomeId, Score), Natural>,
    refused: Option<Box<RuleError>>,
}

impl<S: Eq + Hash> Layer<S> {
    /// Adds the result of a step that `ways` times `times` ways lead to.
    #[inline]
    fn add(&mut self, step: Step<S>, choices_made: usize, ways: &Natural, times: &Natural) {
        let sum = match step {
            Step::Continue(state) | Step::Ask(state, _) => {
                let branch = Branch {
                    state,
                    choices_made,
                };
                self.open.entry(branch).or_default()
            }
            Step::Done(outcome, score) => self.ends.entry((outcome, score)).or_default(),
            Step::Refuse(error) => {
                self.refused = Some(error);
                return;
            }
        };
        sum.add_product(ways, times);
    }

    /// Adds the results that another processor found.
    fn merge(&mut self, other: Self) {
        for (branch, ways) in other.open {
            *self.open.entry(branch).or_default() += &ways;
        }
        for (end, ways) in other.ends {
            *self.ends.entry(end).or_default() += &ways;
        }
        if self.refused.is_none() {
            self.refused = other.refused;
        }
    }
}

/// Steps the layer on until every open state waits for dice, and returns these states by their pools.
fn settle<C: Check>(
    check: &C,
    layer: &mut Layer<C::State>,
    chooser: &mut Chooser<'_>,
    steps: &mut usize,
) -> Result<FxHashMap<Pool, Branches<C::State>>, RuleError> {
    let mut rolls: FxHashMap<Pool, Branches<C::State>> = FxHashMap::default();
    let mut why = Explanation::for_odds();

    while !layer.open.is_empty() {
        count_steps(check, steps, layer.open.len() * check.step_cost())?;
        for (branch, ways) in layer.open.drain().collect::<Vec<_>>() {
            let choices_made = branch.choices_made;
            match check.next(branch.state, &mut why) {
                Step::Ask(state, Ask::Roll { pool, .. }) => {
                    let branch = Branch {
                        state,
                        choices_made,
                    };
                    rolls.entry(*pool).or_default().push((branch, ways));
                }
                Step::Ask(state, Ask::Choose { choices, .. }) => {
                    let choice = chooser.answer(&choices, choices_made);
                    let choices_made = (choices_made + 1).min(chooser.policy.last());
                    let step = check.after_choice(state, choice, &mut why);
                    layer.add(step, choices_made, &ways, &Natural::ONE);
                }
                step => layer.add(step, choices_made, &ways, &Natural::ONE),
            }
            if let Some(error) = layer.refused.take() {
                return Err(*error);
            }
        }
    }
    chooser.closed.append(&mut why.closed);
    Ok(rolls)
}

/// Counts steps, and refuses more than the check allows.
fn count_steps<C: Check>(check: &C, steps: &mut usize, added: usize) -> Result<(), RuleError> {
    *steps = steps.saturating_add(added);
    if *steps <= check.most_steps() {
        return Ok(());
    }

    let reasons = check.describe_distinctions();
    Err(RuleError::Said(format!(
        "the dice have too many different results to compute exact odds{reasons}"
    )))
}

/// Steps the check from every branch by every observation. If there are many, processors share the observations.
fn roll_all<C: Check>(
    check: &C,
    observations: &[(Observation, Natural)],
    branches: &[(Branch<C::State>, Natural)],
    layer: &mut Layer<C::State>,
) {
    if observations.len() * branches.len() < MIN_SHARED_STEPS {
        roll_share(check, observations, branches, layer);
        return;
    }

    let share = observations.len().div_ceil(MAX_SHARES);
    let parts: Vec<Layer<C::State>> = observations
        .par_chunks(share)
        .map(|part| {
            let mut part_layer = Layer::default();
            roll_share(check, part, branches, &mut part_layer);
            part_layer
        })
        .collect();
    for part in parts {
        layer.merge(part);
    }
}

fn roll_share<C: Check>(
    check: &C,
    observations: &[(Observation, Natural)],
    branches: &[(Branch<C::State>, Natural)],
    layer: &mut Layer<C::State>,
) {
    let mut why = Explanation::for_odds();
    for (branch, ways) in branches {
        // Most observations lead to the same step as the one before, so runs of equal steps are added once. The step of the
        // run is compared in place, since moving a value that was just written in parts takes longer than a step.
        let mut run: Option<(Step<C::State>, Natural)> = None;
        for (observation, times) in observations {
            let step = check.after_roll(branch.state.clone(), observation, &mut why);
            match &mut run {
                Some((same, sum)) if *same == step => *sum += times,
                _ => {
                    if let Some((ended, sum)) = run.replace((step, times.clone())) {
                        layer.add(ended, branch.choices_made, ways, &sum);
                    }
                }
            }
        }
        if let Some((ended, sum)) = run {
            layer.add(ended, branch.choices_made, ways, &sum);
        }
    }
}

/// Answers choices by a policy, and finds answers that are never an option.
struct Chooser<'a> {
    policy: &'a Policy,
    /// The use of each answer of the policy.
    uses: Vec<AnswerUse>,
    closed: Closed,
}

/// How an answer of a policy was used.
#[derive(Clone, Default)]
struct AnswerUse {
    /// The first question that took the answer, whether it was an option or not.
    question: Option<Choices>,
    /// True if the answer was an option of any question.
    was_option: bool,
}

impl<'a> Chooser<'a> {
    fn new(policy: &'a Policy) -> Self {
        Self {
            policy,
            uses: vec![AnswerUse::default(); policy.answers.len()],
            closed: Closed::default(),
        }
    }

    /// Answers a choice after `choices_made` others, as [`Policy`] describes.
    fn answer(&mut self, choices: &Choices, choices_made: usize) -> ChoiceId {
        let answers = &self.policy.answers;
        let find_option =
            |answer: &String| choices.options.iter().find(|option| option.name == *answer);

        for (answer, answer_use) in answers.iter().zip(&mut self.uses) {
            if find_option(answer).is_some() {
                answer_use.was_option = true;
            }
        }
        if let Some(answer_use) = self.uses.get_mut(choices_made) {
            answer_use.question.get_or_insert_with(|| choices.clone());
        }

        answers
            .get(choices_made)
            .and_then(find_option)
            .or_else(|| answers.iter().find_map(find_option))
            .unwrap_or_else(|| choices.fallback())
            .id
    }

    /// Returns the error of the first answer that a question took and that was never an option.
    fn check(self) -> Result<(), RuleError> {
        if self.policy.forgiving {
            return Ok(());
        }
        for (answer, answer_use) in self.policy.answers.iter().zip(self.uses) {
            if answer_use.was_option {
                continue;
            }
            if let Some(choices) = answer_use.question {
                return Err(no_option(&choices, answer));
            }
            if let Some(error) = refusal(&self.closed, answer) {
                return Err(error);
            }
        }
        Ok(())
    }
}
