//! The frontier: states with their ways, layer by layer.

use std::panic::resume_unwind;
use std::sync::Arc;
use std::thread;

use rustc_hash::FxHashMap;

use super::policy::{Policy, Weighed, no_option};
use crate::dice::{Natural, Observation, Observations, Pool};
use crate::rules::answer::{ChoiceId, Choices, OutcomeId, Tally};
use crate::rules::check::{Answered, Ask, Check};
use crate::rules::{Explanation, RuleError};

/// From so many steps of a machine on, a second processor is worth a thread: they take a millisecond.
const WORTH_SHARING: usize = 10_000;

/// So many processors are put to one question at most: others play on this machine, too.
const MOST_SHARES: usize = 4;

/// Weighs every way in which the check can go on from this state.
pub(in crate::rules) fn weigh<C: Check>(
    check: &C,
    state: C::State,
    policy: &Policy,
) -> Result<Weighed, RuleError> {
    let mut frontier = Frontier {
        check,
        chooser: Chooser::new(policy),
        ends: FxHashMap::default(),
        whole: Natural::ONE,
    };
    let start = Place { state, chosen: 0 };
    let mut layer = FxHashMap::from_iter([(start, Natural::ONE)]);
    while !layer.is_empty() {
        let rolls = frontier.settle(layer);
        layer = frontier.roll(&rolls);
    }
    frontier.chooser.check()?;
    let ends = frontier.ends.into_iter();
    let mut ends: Vec<_> = ends
        .map(|((outcome, tally), ways)| (outcome, tally, ways))
        .collect();
    ends.sort_unstable_by_key(|&(outcome, tally, _)| (outcome, tally));
    Ok(Weighed {
        ends,
        whole: frontier.whole,
    })
}

/// A state, and how many choices came before it as far as that still matters.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Place<S> {
    state: S,
    chosen: usize,
}

type Layer<S> = FxHashMap<Place<S>, Natural>;

struct Frontier<'a, C: Check> {
    check: &'a C,
    chooser: Chooser<'a>,
    ends: FxHashMap<(OutcomeId, Tally), Natural>,
    /// What all ways at this layer, ended ones included, are counted out of.
    whole: Natural,
}

impl<C: Check> Frontier<'_, C> {
    /// Ends what has ended and answers choices until only rolls are left, by their pools.
    fn settle(&mut self, layer: Layer<C::State>) -> FxHashMap<Pool, Layer<C::State>> {
        let mut rolls: FxHashMap<Pool, Layer<C::State>> = FxHashMap::default();
        let mut open: Vec<(Place<C::State>, Natural)> = layer.into_iter().collect();
        while let Some((place, ways)) = open.pop() {
            if let Some(end) = self.check.early_outcome(&place.state) {
                add(&mut self.ends, end, &ways);
                continue;
            }
            match self.check.ask(&place.state) {
                Ask::Done(outcome, tally) => add(&mut self.ends, (outcome, tally), &ways),
                Ask::Roll { pool, .. } => add(rolls.entry(pool).or_default(), place, &ways),
                Ask::Choose { what, .. } => {
                    let id = self.chooser.answer(&what, place.chosen);
                    let mut why = Explanation::silent();
                    let state = self.check.step(place.state, Answered::Chose(id), &mut why);
                    let chosen = (place.chosen + 1).min(self.chooser.policy.last());
                    open.push((Place { state, chosen }, ways));
                }
            }
        }
        rolls
    }

    /// Rolls every pool. Pools with different numbers of ways are brought to a common one.
    fn roll(&mut self, rolls: &FxHashMap<Pool, Layer<C::State>>) -> Layer<C::State> {
        let rolls: Vec<(Arc<Observations>, &Layer<C::State>)> = rolls
            .iter()
            .map(|(pool, places)| (pool.observations(), places))
            .collect();
        let totals = rolls.iter().map(|(observations, _)| observations.total());
        let common = totals.fold(Natural::ONE, |common, total| common.lcm(total));
        let mut next: Layer<C::State> = FxHashMap::default();
        for (observations, places) in rolls {
            let scale = &common / observations.total();
            let places: Vec<(Place<C::State>, Natural)> = places
                .iter()
                .map(|(place, ways)| (*place, ways * &scale))
                .collect();
            let shares = shares(observations.len() * places.len());
            step_all(self.check, (&observations, shares), &places, &mut next);
        }
        if common != Natural::ONE {
            self.ends
                .values_mut()
                .for_each(|ways| *ways = &*ways * &common);
            self.whole = &self.whole * &common;
        }
        next
    }
}

/// Among how many processors so many steps of a machine are shared.
fn shares(steps: usize) -> usize {
    match steps {
        0..WORTH_SHARING => 1,
        _ => thread::available_parallelism().map_or(1, |all| all.get().min(MOST_SHARES)),
    }
}

/// Steps the check from every place by every observation. Each processor takes its own share of the
/// observations, and what came of them is put together.
fn step_all<C: Check>(
    check: &C,
    (observations, shares): (&[(Observation, Natural)], usize),
    places: &[(Place<C::State>, Natural)],
    next: &mut Layer<C::State>,
) {
    let mut parts = observations.chunks(observations.len().div_ceil(shares).max(1));
    let first = parts.next().unwrap_or_default();
    thread::scope(|scope| {
        let others: Vec<_> = parts
            .map(|part| {
                scope.spawn(move || {
                    let mut own = Layer::default();
                    step_part(check, part, places, &mut own);
                    own
                })
            })
            .collect();
        step_part(check, first, places, next);
        for other in others {
            // A machine that panics does so here, too.
            let own = other.join().unwrap_or_else(|why| resume_unwind(why));
            for (place, ways) in own {
                add(next, place, &ways);
            }
        }
    });
}

fn step_part<C: Check>(
    check: &C,
    observations: &[(Observation, Natural)],
    places: &[(Place<C::State>, Natural)],
    next: &mut Layer<C::State>,
) {
    let mut why = Explanation::silent();
    for (observation, falls) in observations {
        for &(Place { state, chosen }, ref ways) in places {
            let state = check.step(state, Answered::Dice(observation), &mut why);
            let sum = next.entry(Place { state, chosen }).or_insert(Natural::ZERO);
            sum.add_product(ways, falls);
        }
    }
}

fn add<K: Eq + std::hash::Hash>(to: &mut FxHashMap<K, Natural>, key: K, ways: &Natural) {
    *to.entry(key).or_insert(Natural::ZERO) += ways;
}

/// Answers choices, and remembers which answers were wanted and which were ever an option.
struct Chooser<'a> {
    policy: &'a Policy,
    /// For each answer: the question that wanted it, with its options, until it was one of them.
    strange: Vec<Option<Choices>>,
    fitted: Vec<bool>,
}

impl<'a> Chooser<'a> {
    fn new(policy: &'a Policy) -> Self {
        Self {
            policy,
            strange: vec![None; policy.answers.len()],
            fitted: vec![false; policy.answers.len()],
        }
    }

    fn answer(&mut self, what: &Choices, chosen: usize) -> ChoiceId {
        let answers = &self.policy.answers;
        let option = |answer: &String| what.options.iter().find(|option| option.name == *answer);
        for (answer, fitted) in answers.iter().zip(&mut self.fitted) {
            *fitted = *fitted || option(answer).is_some();
        }
        let Some(mine) = answers.get(chosen) else {
            return what.fallback().id;
        };
        if option(mine).is_none() {
            self.strange[chosen].get_or_insert_with(|| what.clone());
        }
        let found = option(mine).or_else(|| answers.iter().find_map(option));
        found.unwrap_or_else(|| what.fallback()).id
    }

    /// An answer that a choice wanted and that was never an option is a mistake.
    fn check(self) -> Result<(), RuleError> {
        if self.policy.forgiving {
            return Ok(());
        }
        let answers = self.policy.answers.iter();
        for ((given, what), fitted) in answers.zip(self.strange).zip(self.fitted) {
            if let Some(what) = what.filter(|_| !fitted) {
                return Err(no_option(&what, given));
            }
        }
        Ok(())
    }
}
