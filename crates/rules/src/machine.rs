//! Implements [`DynCheck`] for every [`Check`], by stepping through the answers of a trail.

use super::answer::{Answer, OutcomeId, Score};
use super::check::{Ask, Check, DynCheck, Step};
use super::odds::evaluate::evaluate;
use super::odds::policy::{Evaluation, Policy};
use super::{CheckSpec, Explanation, Field, Fields, Outcome, Progress, RuleError};
use tableside_dice::{Die, Face};

/// A check with its description.
#[derive(Debug)]
struct Machine<C> {
    spec: &'static CheckSpec,
    /// The field whose names describe the target number.
    target_field: Option<&'static Field>,
    check: C,
}

/// Creates the machine of a check with these fields.
pub(super) fn machine(fields: &Fields, check: impl Check) -> Box<dyn DynCheck> {
    Box::new(Machine {
        spec: fields.spec(),
        target_field: fields.naming_target(),
        check,
    })
}

impl<C: Check> Machine<C> {
    /// Steps through the answers of a trail. Returns the step after the last answer: a question, or the result.
    fn follow(
        &self,
        trail: &[Answer],
        why: &mut Explanation,
    ) -> Result<(C::State, Progress), RuleError> {
        let mut answers = trail.iter().enumerate();
        let mut faces_before = 0;
        let mut step = Step::Continue(C::State::default());

        loop {
            let (state, ask) = match step {
                Step::Continue(state) => {
                    step = self.check.next(state, why);
                    continue;
                }
                Step::Ask(state, ask) => (state, ask),
                Step::Refuse(error) => return Err(*error),
                Step::Done(outcome, score) => {
                    return match answers.next() {
                        None => Ok((C::State::default(), Progress::Done(outcome, score))),
                        Some((index, _)) => Err(misfit(index)),
                    };
                }
            };

            let Some((index, answer)) = answers.next() else {
                return Ok((state, Progress::Waits(ask)));
            };
            step = match (ask, answer) {
                (Ask::Roll { pool, .. }, Answer::Faces(faces)) => {
                    pool.check(faces, faces_before)?;
                    faces_before += faces.len();
                    let dice = pool.read(faces);
                    why.rolls.push((*pool, faces.clone()));
                    self.check.after_roll(state, &dice, why)
                }
                (Ask::Choose { choices, .. }, Answer::Chose { choice, chose, by })
                    if choices.choice == choice =>
                {
                    let first_faces = why.first_faces();
                    let Some(id) = self.check.parse_answer(first_faces, &choices, chose) else {
                        let answers = self.check.describe_answers(first_faces, &choices);
                        return Err(RuleError::Said(format!(
                            "{chose:?} is not an answer to {choice}; {answers}"
                        )));
                    };
                    why.chosen = Some((chose.clone(), *by));
                    self.check.after_choice(state, id, why)
                }
                _ => return Err(misfit(index)),
            };
        }
    }
}

fn misfit(index: usize) -> RuleError {
    let number = index + 1;
    RuleError::Said(format!(
        "the recorded answers do not fit the check: it did not ask for answer {number}"
    ))
}

impl<C: Check> DynCheck for Machine<C> {
    fn after(&self, trail: &[Answer]) -> Result<Progress, RuleError> {
        let (_, progress) = self.follow(trail, &mut Explanation::silent())?;
        Ok(progress)
    }

    fn outcome(&self, trail: &[Answer]) -> Outcome {
        let mut why = Explanation::listening();
        let (outcome, score) = match self.follow(trail, &mut why) {
            Ok((_, Progress::Done(outcome, score))) => (outcome, score),
            _ => (OutcomeId(0), Score::default()),
        };

        // A check that waits for a choice may not have shown its dice yet, so show them as they were rolled.
        if why.dice.is_empty() && !why.rolls.is_empty() {
            why.show_roll();
        }

        let success = if self.spec.has_success {
            Some(score.is_success)
        } else {
            None
        };
        let target_name = match (self.target_field, why.target) {
            (Some(field), Some(target)) => field.name_of(target),
            _ => None,
        };
        Outcome {
            outcome,
            success,
            total: score.total,
            target: why.target,
            target_name,
            numbers: why.numbers,
            area_damage: why.area_damage,
            dice: why.dice,
            keys: why.keys,
            effects: why.effects,
            used: why.used,
            steps: why.steps,
            closed: why.closed,
        }
    }

    fn rolled_dice(&self, trail: &[Answer]) -> Vec<(Die, Face)> {
        let mut why = Explanation::silent();
        // If an answer does not fit the check, return the dice before it.
        let _result = self.follow(trail, &mut why);

        let mut rolled = Vec::new();
        for (pool, faces) in &why.rolls {
            for ((die, _), face) in pool.each_die().zip(faces) {
                rolled.push((die, *face));
            }
        }
        rolled
    }

    fn evaluate(&self, trail: &[Answer], policy: &Policy) -> Result<Evaluation, RuleError> {
        if trail.is_empty() {
            // If nothing is rolled yet, the check may offer a substitute that is better for odds.
            let special = self.check.for_policy(policy);
            let check = special.as_ref().unwrap_or(&self.check);
            return evaluate(check, C::State::default(), policy);
        }

        match self.follow(trail, &mut Explanation::silent())? {
            (_, Progress::Done(outcome, score)) => Ok(Evaluation::certain(outcome, score)),
            (state, _) => evaluate(&self.check, state, policy),
        }
    }
}
