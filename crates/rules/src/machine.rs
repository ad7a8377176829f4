//! A check as everything outside the odds works with it: walked by real answers, its state forgotten.

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
    /// The field that names targets.
    naming: Option<&'static Field>,
    check: C,
}

/// The machine of a check of these fields.
pub(super) fn machine(fields: &Fields, check: impl Check) -> Box<dyn DynCheck> {
    Box::new(Machine {
        spec: fields.spec(),
        naming: fields.naming_target(),
        check,
    })
}

impl<C: Check> Machine<C> {
    /// Steps through these answers, and returns the state that they lead to with what the check waits for in it.
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
                        Some((index, _)) => Err(unfit(index)),
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
                    let id = self.check.parse_answer(why.first_faces(), &choices, chose);
                    let Some(id) = id else {
                        let answers = self.check.describe_answers(why.first_faces(), &choices);
                        return Err(RuleError::Said(format!(
                            "{chose:?} is no answer to {choice}; {answers}"
                        )));
                    };
                    why.chosen = Some((chose.clone(), *by));
                    self.check.after_choice(state, id, why)
                }
                _ => return Err(unfit(index)),
            };
        }
    }
}

fn unfit(index: usize) -> RuleError {
    let step = index + 1;
    RuleError::Said(format!(
        "the record does not fit the check: step {step} is not what was asked for"
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
        // Dice that wait for a choice are shown as they fell.
        if why.dice.is_empty() && !why.rolls.is_empty() {
            why.show_roll();
        }
        Outcome {
            outcome,
            success: self.spec.has_success.then_some(score.is_success),
            total: score.total,
            target: why.target,
            target_name: why.target.and_then(|target| self.naming?.name_of(target)),
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
        // Where the trail does not fit, the dice before that fell all the same.
        let _followed = self.follow(trail, &mut why);
        let dice = why.rolls.iter().flat_map(|(pool, faces)| {
            let dice = pool.each_die().map(|(die, _)| die);
            dice.zip(faces.iter().copied())
        });
        dice.collect()
    }

    fn evaluate(&self, trail: &[Answer], policy: &Policy) -> Result<Evaluation, RuleError> {
        // From the start on odds look at less than a roll does.
        if trail.is_empty() {
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
