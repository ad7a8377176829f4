//! The frontier: states with their ways, layer by layer.

use std::hash::Hash;

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::policy::{Evaluation, Policy, no_option};
use crate::answer::{ChoiceId, Choices, OutcomeId, Score};
use crate::check::{Ask, Check, Step};
use crate::explanation::{Closed, refusal};
use crate::{Explanation, RuleError};
use tableside_dice::{Measure, Natural, Observation, Pool};

/// From so many steps of a machine on, a second processor is worth a thread: they take a millisecond.
const WORTH_SHARING: usize = 10_000;

/// So many processors are put to one question at most: others play on this machine, too.
const MOST_SHARES: usize = 4;

/// Weighs every way in which the check can go on from this state.
pub(crate) fn evaluate<C: Check>(
    check: &C,
    state: C::State,
    policy: &Policy,
) -> Result<Evaluation, RuleError> {
    let mut chooser = Chooser::new(policy);
    // What all ways at this layer, ended ones included, are counted out of.
    let mut whole = Natural::ONE;
    let mut steps: usize = 0;
    let mut reached = Reached::default();
    // As many as ordinary checks have.
    reached.ends.reserve(28);
    reached.open.reserve(28);
    let start = Branch { state, chosen: 0 };
    reached.open.insert(start, Natural::ONE);
    loop {
        let mut rolls = Vec::new();
        for (pool, branches) in settle(check, &mut reached, &mut chooser, &mut steps)? {
            let observations = pool.observations();
            // After the last dice of a throw a check takes its next step in the same call.
            let each = match &pool.measure {
                Measure::Query(fold) if fold.is_final => check.step_cost(),
                _ => 1,
            };
            // A throw that can fall in too many ways has none.
            let falls = match observations.ways.len() * branches.len() * each {
                0 => usize::MAX,
                falls => falls,
            };
            count(check, &mut steps, falls.saturating_add(observations.steps))?;
            rolls.push((observations, branches));
        }
        if rolls.is_empty() {
            break;
        }
        // Pools with different numbers of ways are brought to the least common one.
        let totals = rolls.iter().map(|(observations, _)| &observations.total);
        let common = totals.fold(Natural::ONE, |common, total| {
            &(&common / &common.gcd(total)) * total
        });
        let ends = reached.ends.values_mut();
        ends.for_each(|ways| *ways = &*ways * &common);
        whole = &whole * &common;
        for (observations, mut branches) in rolls {
            let scale = &common / &observations.total;
            let ways = branches.iter_mut().map(|(_, ways)| ways);
            ways.for_each(|ways| *ways = &*ways * &scale);
            step_all(check, &observations.ways, &branches, &mut reached);
        }
        let refused = reached.refused.take();
        refused.map_or(Ok(()), |error| Err(*error))?;
    }
    chooser.check()?;
    let ends = reached.ends.into_iter();
    let ends = ends.map(|((outcome, score), ways)| (outcome, score, ways));
    let mut ends: Vec<_> = ends.collect();
    ends.sort_unstable_by_key(|&(outcome, score, _)| (outcome, score));
    Ok(Evaluation { ends, whole, steps })
}

/// A state, and how many choices came before it as far as that still matters.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Branch<S> {
    state: S,
    chosen: usize,
}

type Branches<S> = Vec<(Branch<S>, Natural)>;

/// What a layer of steps leads to, with its ways.
#[derive(Default)]
struct Reached<S> {
    open: FxHashMap<Branch<S>, Natural>,
    ends: FxHashMap<(OutcomeId, Score), Natural>,
    refused: Option<Box<RuleError>>,
}

impl<S: Eq + Hash> Reached<S> {
    /// Adds what a step led to after so many choices.
    #[inline]
    fn add(&mut self, step: Step<S>, chosen: usize, ways: &Natural, times: &Natural) {
        let sum = match step {
            Step::Continue(state) | Step::Ask(state, _) => {
                self.open.entry(Branch { state, chosen }).or_default()
            }
            Step::Done(outcome, score) => self.ends.entry((outcome, score)).or_default(),
            Step::Refuse(error) => {
                self.refused = Some(error);
                return;
            }
        };
        sum.add_product(ways, times);
    }
}

/// Ends what has ended and answers choices until only rolls are left, by their pools.
fn settle<C: Check>(
    check: &C,
    reached: &mut Reached<C::State>,
    chooser: &mut Chooser<'_>,
    steps: &mut usize,
) -> Result<FxHashMap<Pool, Branches<C::State>>, RuleError> {
    let mut rolls: FxHashMap<Pool, Branches<C::State>> = FxHashMap::default();
    let mut why = Explanation::for_odds();
    while !reached.open.is_empty() {
        count(check, steps, reached.open.len() * check.step_cost())?;
        for (branch, ways) in reached.open.drain().collect::<Vec<_>>() {
            let chosen = branch.chosen;
            match check.next(branch.state, &mut why) {
                Step::Ask(state, Ask::Roll { pool, .. }) => {
                    let branch = Branch { state, chosen };
                    rolls.entry(*pool).or_default().push((branch, ways));
                }
                Step::Ask(state, Ask::Choose { choices, .. }) => {
                    let choice = chooser.answer(&choices, chosen);
                    let chosen = (chosen + 1).min(chooser.policy.last());
                    let step = check.after_choice(state, choice, &mut why);
                    reached.add(step, chosen, &ways, &Natural::ONE);
                }
                step => reached.add(step, chosen, &ways, &Natural::ONE),
            }
            if let Some(error) = reached.refused.take() {
                return Err(*error);
            }
        }
    }
    chooser.closed.append(&mut why.closed);
    Ok(rolls)
}

/// Counts more steps, and refuses those that are too many for the check.
fn count<C: Check>(check: &C, steps: &mut usize, more: usize) -> Result<(), RuleError> {
    *steps = steps.saturating_add(more);
    if *steps <= check.most_steps() {
        return Ok(());
    }
    let apart = check.told_apart();
    let why = format!("the dice can fall in too many ways to weigh them all{apart}");
    Err(RuleError::Said(why))
}

/// Steps the check from every branch by every observation. Each processor takes its own share of the
/// observations, and what came of them is put together.
fn step_all<C: Check>(
    check: &C,
    observations: &[(Observation, Natural)],
    branches: &[(Branch<C::State>, Natural)],
    reached: &mut Reached<C::State>,
) {
    if observations.len() * branches.len() < WORTH_SHARING {
        return step_part(check, observations, branches, reached);
    }
    let share = observations.len().div_ceil(MOST_SHARES);
    let parts = observations.par_chunks(share).map(|part| {
        let mut own = Reached::default();
        step_part(check, part, branches, &mut own);
        own
    });
    for own in parts.collect::<Vec<_>>() {
        for (branch, ways) in own.open {
            *reached.open.entry(branch).or_default() += &ways;
        }
        for (end, ways) in own.ends {
            *reached.ends.entry(end).or_default() += &ways;
        }
        reached.refused = reached.refused.take().or(own.refused);
    }
}

fn step_part<C: Check>(
    check: &C,
    observations: &[(Observation, Natural)],
    branches: &[(Branch<C::State>, Natural)],
    reached: &mut Reached<C::State>,
) {
    let mut why = Explanation::for_odds();
    for (branch, ways) in branches {
        // Most totals lead to the same as the one before: such a run is looked up once. It is compared where it stands:
        // to move what was just written in parts takes longer than a step.
        let mut run: Option<(Step<C::State>, Natural)> = None;
        for (observation, falls) in observations {
            let to = check.after_roll(branch.state.clone(), observation, &mut why);
            match &mut run {
                Some((known, sum)) if *known == to => *sum += falls,
                _ => {
                    if let Some((known, sum)) = run.replace((to, falls.clone())) {
                        reached.add(known, branch.chosen, ways, &sum);
                    }
                }
            }
        }
        if let Some((known, sum)) = run {
            reached.add(known, branch.chosen, ways, &sum);
        }
    }
}

/// Answers choices, and remembers which answers were wanted and which were ever an option.
struct Chooser<'a> {
    policy: &'a Policy,
    /// For each answer: the first question that wanted it, and whether it was an option of any.
    asked: Vec<(Option<Choices>, bool)>,
    closed: Closed,
}

impl<'a> Chooser<'a> {
    fn new(policy: &'a Policy) -> Self {
        let asked = vec![(None, false); policy.answers.len()];
        let closed = Closed::default();
        Self {
            policy,
            asked,
            closed,
        }
    }

    fn answer(&mut self, what: &Choices, chosen: usize) -> ChoiceId {
        let answers = &self.policy.answers;
        let option = |answer: &String| what.options.iter().find(|option| option.name == *answer);
        for (answer, (_, fitted)) in answers.iter().zip(&mut self.asked) {
            *fitted = *fitted || option(answer).is_some();
        }
        if let Some((wanted, _)) = self.asked.get_mut(chosen) {
            wanted.get_or_insert_with(|| what.clone());
        }
        let mine = answers.get(chosen).and_then(option);
        let found = mine.or_else(|| answers.iter().find_map(option));
        found.unwrap_or_else(|| what.fallback()).id
    }

    /// An answer that a choice wanted and that was never an option is a mistake.
    fn check(self) -> Result<(), RuleError> {
        for (given, (asked, fitted)) in self.policy.answers.iter().zip(self.asked) {
            let wrong = asked.map(|what| no_option(&what, given));
            let wrong = wrong.or_else(|| refusal(&self.closed, given));
            if let Some(wrong) = wrong.filter(|_| !fitted && !self.policy.forgiving) {
                return Err(wrong);
            }
        }
        Ok(())
    }
}
