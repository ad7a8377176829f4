//! A check as everything outside the odds works with it: walked by real answers, its state forgotten.

use super::answer::{Answer, OutcomeId, Tally};
use super::check::{Answered, Ask, Check, DynCheck, Walk};
use super::odds::policy::{Policy, Weighed, no_option};
use super::odds::weigh::weigh;
use super::{CheckSpec, Explanation, Field, Fields, Outcome, RuleError};
use tableside_dice::{Die, Face, Pool};

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
    /// The state after these answers, and where the check stops there; every answer is checked against what
    /// was asked for.
    fn follow(
        &self,
        trail: &[Answer],
        why: &mut Explanation,
    ) -> Result<(C::State, Ask), RuleError> {
        let mut state = C::State::default();
        let (mut index, mut faces_before) = (0, 0);
        loop {
            let asked =
                why.silently(|why| self.check.next(state.clone(), &mut Walk::with(None, why)));
            if let Err(Ask::Refused(error)) = asked {
                return Err(*error);
            }
            let mut seen = None;
            let answered = match (&asked, trail.get(index)) {
                (Ok(_), _) | (_, None) => None,
                (Err(Ask::Roll { pool, .. }), Some(Answer::Faces(faces))) => {
                    pool.check(faces, faces_before)?;
                    faces_before += faces.len();
                    why.rolls.push((Pool::clone(pool), faces.clone()));
                    Some(Answered::Dice(seen.insert(pool.read(faces))))
                }
                (Err(Ask::Choose { what, .. }), Some(Answer::Chose { choice, chose, by }))
                    if what.choice == choice =>
                {
                    let id = self.check.parse_answer(why.first_faces(), what, chose);
                    why.chosen = Some((chose.clone(), *by));
                    Some(Answered::Chose(id.ok_or_else(|| no_option(what, chose))?))
                }
                (Err(_), Some(_)) => return Err(unfit(index)),
            };
            index += usize::from(answered.is_some());
            let mut walk = Walk::with(answered, why);
            match self.check.next(state.clone(), &mut walk) {
                Ok(next) => state = next,
                Err(Ask::Refused(error)) => return Err(*error),
                Err(ask) if index == trail.len() => return Ok((state, ask)),
                Err(_) => return Err(unfit(index)),
            }
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
    fn after(&self, trail: &[Answer]) -> Result<Ask, RuleError> {
        Ok(self.follow(trail, &mut Explanation::silent())?.1)
    }

    fn outcome(&self, trail: &[Answer]) -> Outcome {
        let mut why = Explanation::listening();
        let (outcome, tally) = match self.follow(trail, &mut why) {
            Ok((_, Ask::Done(outcome, tally))) => (outcome, tally),
            _ => (OutcomeId(0), Tally::default()),
        };
        // Dice that wait for a choice are shown as they fell.
        if why.dice.is_empty() && !why.rolls.is_empty() {
            why.show_roll();
        }
        Outcome {
            outcome,
            success: self.spec.has_success.then_some(tally.is_success),
            total: tally.total,
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

    fn fell(&self, trail: &[Answer]) -> Vec<(Die, Face)> {
        let mut why = Explanation::silent();
        // Where the trail does not fit, the dice before that fell all the same.
        let _followed = self.follow(trail, &mut why);
        let dice = why.rolls.iter().flat_map(|(pool, faces)| {
            let dice = pool.each_die().map(|(die, _)| die);
            dice.zip(faces.iter().copied())
        });
        dice.collect()
    }

    fn weigh(&self, trail: &[Answer], policy: &Policy) -> Result<Weighed, RuleError> {
        // From the start on odds look at less than a roll does.
        if trail.is_empty() {
            let preplaced = policy.beforehand();
            let preplaced = preplaced.and_then(|answers| self.check.preplaced(answers));
            let check = preplaced.as_ref().unwrap_or(&self.check);
            return weigh(check, C::State::default(), policy);
        }
        match self.follow(trail, &mut Explanation::silent())? {
            (_, Ask::Done(outcome, tally)) => Ok(Weighed::certain(outcome, tally)),
            (state, _) => weigh(&self.check, state, policy),
        }
    }
}
