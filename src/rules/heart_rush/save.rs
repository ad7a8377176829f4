//! The saving throw (Heart Rush, Types of Rolls, 2), and the machine that it shares with the stratagem:
//! one roll against a number, on which 1s mean nothing.

use super::basic::{Modifiers, compare, heart_and_ability};
use crate::dice::{Face, Observation, Pool};
use crate::rules::{
    Answered, Ask, Check, Effect, Explanation, Fields, House, OutcomeId, Refused, Side, Tally,
};

const SUCCESS: OutcomeId = OutcomeId(0);
const FAILURE: OutcomeId = OutcomeId(1);

/// The saving throw of these fields.
pub(super) fn prepare(fields: &Fields, house: &House) -> Result<Plain, Refused> {
    Ok(Plain {
        pool: heart_and_ability(fields),
        modifiers: Modifiers::new(fields, house)?,
        cn: fields.number("cn"),
        before: None,
        crisis: None,
    })
}

/// One roll against a number, with everything known but the dice.
#[derive(Clone, Debug)]
pub(super) struct Plain {
    /// The dice; the rule sees their sum.
    pub(super) pool: Pool,
    /// What is added to them.
    pub(super) modifiers: Modifiers,
    /// What the total must reach.
    pub(super) cn: i32,
    /// How that number came about, where it takes a sentence.
    pub(super) before: Option<String>,
    /// The highest face that brings a crisis, where one does (stratagems, by a house rule).
    pub(super) crisis: Option<Face>,
}

impl Plain {
    fn judge(&self, kept: i32) -> (OutcomeId, Tally) {
        let total = kept + self.modifiers.sum();
        let success = total >= self.cn;
        let tally = Tally::new(Some(total), i32::from(success));
        (if success { SUCCESS } else { FAILURE }, tally)
    }
}

impl Check for Plain {
    /// The sum of the kept dice, once they are rolled.
    type State = Option<i32>;

    fn start(&self, _: &mut Explanation) -> Option<i32> {
        None
    }

    fn ask(&self, state: &Option<i32>) -> Ask {
        match *state {
            None => Ask::roll(self.pool.clone(), Side::Actor),
            Some(kept) => {
                let (outcome, tally) = self.judge(kept);
                Ask::Done(outcome, tally)
            }
        }
    }

    fn step(&self, state: Option<i32>, answer: Answered<'_>, why: &mut Explanation) -> Option<i32> {
        let Answered::Dice(Observation::Sum(kept)) = answer else {
            return state;
        };
        why.tell(Explanation::roll);
        Some(*kept)
    }

    fn conclude(&self, state: &Option<i32>, why: &mut Explanation) {
        let Some(kept) = *state else { return };
        why.sum(kept, &self.modifiers.named);
        if let Some(before) = &self.before {
            why.say(before);
        }
        why.say(compare(kept + self.modifiers.sum(), self.cn));
        why.target = Some(self.cn);
        why.effects = self.modifiers.effects();
        let lowest = why.first_faces().iter().min().copied();
        if let Some(face) = lowest.filter(|face| self.crisis.is_some_and(|low| *face <= low)) {
            let like_a_one = if face == 1 {
                ""
            } else {
                ", which Vulnerability makes count like a 1"
            };
            why.say(format!(
                "A {face} came up{like_a_one}: now that success is settled, a crisis is played."
            ));
            why.effects.push(Effect::Complication);
        }
    }
}
