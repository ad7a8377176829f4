//! The frontier: states with their ways, layer by layer.

use std::hash::Hash;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::thread;

use rustc_hash::FxHashMap;

use super::policy::{Policy, Weighed, no_option};
use crate::dice::{Natural, Observation, Observations, Pool};
use crate::rules::answer::{ChoiceId, Choices, OutcomeId, Tally};
use crate::rules::check::{Answered, Ask, Check, Walk};
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
    let mut chooser = Chooser::new(policy);
    // What all ways at this layer, ended ones included, are counted out of.
    let mut whole = Natural::ONE;
    let mut reached = Reached::default();
    reached.add(Ok(state), 0, &Natural::ONE, &Natural::ONE);
    loop {
        let rolls = settle(check, &mut reached, &mut chooser);
        if rolls.is_empty() {
            break;
        }
        let rolls: Vec<(Arc<Observations>, Layer<C::State>)> = rolls
            .into_iter()
            .map(|(pool, places)| (pool.observations(), places))
            .collect();
        // Pools with different numbers of ways are brought to a common one.
        let totals = rolls.iter().map(|(observations, _)| &observations.total);
        let common = totals.fold(Natural::ONE, |common, total| common.lcm(total));
        let ends = reached.ends.values_mut();
        ends.for_each(|ways| *ways = &*ways * &common);
        whole = &whole * &common;
        for (observations, places) in rolls {
            let scale = &common / &observations.total;
            let places = places.into_iter();
            let places: Vec<_> = places
                .map(|(place, ways)| (place, &ways * &scale))
                .collect();
            step_all(check, &observations.ways, &places, &mut reached);
        }
    }
    chooser.check()?;
    let ends = reached.ends.into_iter();
    let mut ends: Vec<_> = ends
        .map(|((outcome, tally), ways)| (outcome, tally, ways))
        .collect();
    ends.sort_unstable_by_key(|&(outcome, tally, _)| (outcome, tally));
    Ok(Weighed { ends, whole })
}

/// A state, and how many choices came before it as far as that still matters.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Place<S> {
    state: S,
    chosen: usize,
}

type Layer<S> = FxHashMap<Place<S>, Natural>;

/// What a layer of steps leads to, with its ways.
#[derive(Default)]
struct Reached<S> {
    open: Layer<S>,
    ends: FxHashMap<(OutcomeId, Tally), Natural>,
}

impl<S: Eq + Hash> Reached<S> {
    /// Adds what a step led to, if it did not stop to ask.
    #[inline]
    fn add(&mut self, to: Result<S, Ask>, chosen: usize, ways: &Natural, times: &Natural) {
        let sum = match to {
            Ok(state) => self
                .open
                .entry(Place { state, chosen })
                .or_insert(Natural::ZERO),
            Err(Ask::Done(outcome, tally)) => {
                self.ends.entry((outcome, tally)).or_insert(Natural::ZERO)
            }
            Err(Ask::Roll { .. } | Ask::Choose { .. }) => return,
        };
        sum.add_product(ways, times);
    }
}

/// Ends what has ended and answers choices until only rolls are left, by their pools.
fn settle<C: Check>(
    check: &C,
    reached: &mut Reached<C::State>,
    chooser: &mut Chooser<'_>,
) -> FxHashMap<Pool, Layer<C::State>> {
    let mut rolls: FxHashMap<Pool, Layer<C::State>> = FxHashMap::default();
    let mut why = Explanation::weighing();
    while !reached.open.is_empty() {
        for (Place { state, chosen }, ways) in std::mem::take(&mut reached.open) {
            match check.next(state, &mut Walk::with(None, &mut why)) {
                Err(Ask::Roll { pool, .. }) => {
                    let places = rolls.entry(pool).or_default();
                    let place = Place { state, chosen };
                    *places.entry(place).or_insert(Natural::ZERO) += &ways;
                }
                Err(Ask::Choose { what, .. }) => {
                    let answer = Some(Answered::Chose(chooser.answer(&what, chosen)));
                    let chosen = (chosen + 1).min(chooser.policy.last());
                    let to = check.next(state, &mut Walk::with(answer, &mut why));
                    reached.add(to, chosen, &ways, &Natural::ONE);
                }
                to => reached.add(to, chosen, &ways, &Natural::ONE),
            }
        }
    }
    rolls
}

/// Steps the check from every place by every observation. Each processor takes its own share of the
/// observations, and what came of them is put together.
fn step_all<C: Check>(
    check: &C,
    observations: &[(Observation, Natural)],
    places: &[(Place<C::State>, Natural)],
    reached: &mut Reached<C::State>,
) {
    let shares = match observations.len() * places.len() {
        0..WORTH_SHARING => 1,
        _ => thread::available_parallelism().map_or(1, |all| all.get().min(MOST_SHARES)),
    };
    let mut parts = observations.chunks(observations.len().div_ceil(shares).max(1));
    let first = parts.next().unwrap_or_default();
    thread::scope(|scope| {
        let others: Vec<_> = parts
            .map(|part| {
                scope.spawn(move || {
                    let mut own = Reached::default();
                    step_part(check, part, places, &mut own);
                    own
                })
            })
            .collect();
        step_part(check, first, places, reached);
        for other in others {
            // A machine that panics does so here, too.
            let own = other.join().unwrap_or_else(|why| resume_unwind(why));
            for (Place { state, chosen }, ways) in own.open {
                reached.add(Ok(state), chosen, &ways, &Natural::ONE);
            }
            for ((outcome, tally), ways) in own.ends {
                reached.add(Err(Ask::Done(outcome, tally)), 0, &ways, &Natural::ONE);
            }
        }
    });
}

fn step_part<C: Check>(
    check: &C,
    observations: &[(Observation, Natural)],
    places: &[(Place<C::State>, Natural)],
    reached: &mut Reached<C::State>,
) {
    let mut why = Explanation::weighing();
    for (place, ways) in places {
        // Most totals lead to the same as the one before: such a run is looked up once.
        let mut run: Option<(Result<C::State, Ask>, Natural)> = None;
        for (observation, falls) in observations {
            let answer = Some(Answered::Dice(observation));
            let to = check.next(place.state, &mut Walk::with(answer, &mut why));
            match &mut run {
                Some((known, sum)) if is_same(known, &to) => *sum += falls,
                _ => {
                    if let Some((known, sum)) = run.replace((to, falls.clone())) {
                        reached.add(known, place.chosen, ways, &sum);
                    }
                }
            }
        }
        if let Some((known, sum)) = run {
            reached.add(known, place.chosen, ways, &sum);
        }
    }
}

/// Whether two steps led to the same state, or ended alike.
fn is_same<S: PartialEq>(one: &Result<S, Ask>, other: &Result<S, Ask>) -> bool {
    match (one, other) {
        (Ok(one), Ok(other)) => one == other,
        (Err(Ask::Done(one, tally)), Err(Ask::Done(other, its))) => one == other && tally == its,
        _ => false,
    }
}

/// Answers choices, and remembers which answers were wanted and which were ever an option.
struct Chooser<'a> {
    policy: &'a Policy,
    /// For each answer: the first question that wanted it, and whether it was an option of any.
    asked: Vec<(Option<Choices>, bool)>,
}

impl<'a> Chooser<'a> {
    fn new(policy: &'a Policy) -> Self {
        let asked = vec![(None, false); policy.answers.len()];
        Self { policy, asked }
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
        for (given, asked) in self.policy.answers.iter().zip(self.asked) {
            if let (Some(what), false) = asked
                && !self.policy.forgiving
            {
                return Err(no_option(&what, given));
            }
        }
        Ok(())
    }
}
