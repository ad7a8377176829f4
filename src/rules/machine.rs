//! A check as everything outside the odds works with it: walked by real answers, its state forgotten.

use super::answer::{Answer, OutcomeId, Tally};
use super::check::{Answered, Ask, Check, DynCheck};
use super::odds::policy::{Policy, Weighed, no_option};
use super::odds::weigh::weigh;
use super::{CheckSpec, Explanation, Fields, Outcome, RuleError};

/// A check with its description.
#[derive(Debug)]
struct Machine<C> {
    spec: &'static CheckSpec,
    check: C,
}

/// The machine of a check of these fields.
pub(super) fn machine(fields: &Fields, check: impl Check) -> Box<dyn DynCheck> {
    let spec = fields.spec();
    Box::new(Machine { spec, check })
}

impl<C: Check> Machine<C> {
    /// The state after these answers; every answer is checked against what was asked for.
    fn follow(&self, trail: &[Answer], why: &mut Explanation) -> Result<C::State, RuleError> {
        let check = &self.check;
        let mut state = check.start(why);
        let mut faces_before = 0;
        for (index, answer) in trail.iter().enumerate() {
            let before = &trail[..index];
            let seen;
            let answered = match (check.ask(&state), answer) {
                (Ask::Roll { pool, .. }, Answer::Faces(faces)) => {
                    let pool = check.actual_dice(before, pool);
                    pool.check(faces, faces_before)?;
                    faces_before += faces.len();
                    seen = pool.read(faces);
                    why.rolls.push((pool, faces.clone()));
                    Answered::Dice(&seen)
                }
                (Ask::Choose { what, .. }, Answer::Chose { choice, chose, by })
                    if what.choice == choice =>
                {
                    let Some(id) = check.parse_answer(before, &what, chose) else {
                        let what = check.present(before, what);
                        return Err(no_option(&what, chose));
                    };
                    why.chosen = Some((chose.clone(), *by));
                    Answered::Chose(id)
                }
                (Ask::Roll { .. } | Ask::Choose { .. } | Ask::Done(..), _) => {
                    let step = index + 1;
                    return Err(RuleError::Said(format!(
                        "the record does not fit the check: step {step} is not what was asked for"
                    )));
                }
            };
            state = check.step(state, answered, why);
        }
        Ok(state)
    }
}

impl<C: Check> DynCheck for Machine<C> {
    fn after(&self, trail: &[Answer]) -> Result<Ask, RuleError> {
        let state = self.follow(trail, &mut Explanation::silent())?;
        Ok(match self.check.ask(&state) {
            Ask::Choose { what, by } => Ask::Choose {
                what: self.check.present(trail, what),
                by,
            },
            Ask::Roll { pool, by } => Ask::roll(self.check.actual_dice(trail, pool), by),
            ask @ Ask::Done(..) => ask,
        })
    }

    fn outcome(&self, trail: &[Answer]) -> Outcome {
        let mut why = Explanation::listening();
        let state = self.follow(trail, &mut why).ok();
        let end = state.and_then(|state| match self.check.ask(&state) {
            Ask::Done(outcome, tally) => {
                self.check.conclude(&state, &mut why);
                Some((outcome, tally))
            }
            Ask::Roll { .. } | Ask::Choose { .. } => None,
        });
        let (outcome, tally) = end.unwrap_or_else(|| (OutcomeId(0), Tally::default()));
        Outcome {
            outcome,
            success: self.spec.has_success.then_some(tally.levels > 0),
            total: tally.total,
            target: why.target,
            dice: why.dice,
            keys: why.keys,
            effects: why.effects,
            steps: why.steps,
        }
    }

    fn weigh(&self, trail: &[Answer], policy: &Policy) -> Result<Weighed, RuleError> {
        let answers = policy.beforehand().filter(|_| trail.is_empty());
        if let Some(check) = answers.and_then(|answers| self.check.preplaced(answers)) {
            return weigh(&check, check.start(&mut Explanation::silent()), policy);
        }
        let state = self.follow(trail, &mut Explanation::silent())?;
        weigh(&self.check, state, policy)
    }
}
