//! The saving throw (Heart Rush, Types of Rolls, 2), and the machine that it shares with the stratagem:
//! one roll against a number, on which 1s mean nothing.

use super::basic::{BasicRoll, compare, heart_and_ability};
use crate::{
    Check, Effect, Explanation, Fields, HouseRules, OutcomeId, Refused, Score, Side, Step,
};
use tableside_dice::{Face, Observation};

const SUCCESS: OutcomeId = OutcomeId(0);
const FAILURE: OutcomeId = OutcomeId(1);

/// The saving throw of these fields.
pub(super) fn prepare(fields: &Fields, house: &HouseRules) -> Result<Plain, Refused> {
    Ok(Plain {
        roll: BasicRoll::new(heart_and_ability(fields), fields, house)?,
        cn: fields.number("cn"),
        before: None,
        crisis: None,
    })
}

/// One roll against a number, with everything known but the dice.
#[derive(Clone, Debug)]
pub(super) struct Plain {
    /// The dice, of which the rule sees the sum, and what is added to them.
    pub(super) roll: BasicRoll,
    /// What the total must reach.
    pub(super) cn: i32,
    /// How that number came about, where it takes a sentence.
    pub(super) before: Option<String>,
    /// The highest face that brings a crisis, where one does (stratagems, by a house rule).
    pub(super) crisis: Option<Face>,
}

impl Check for Plain {
    type State = ();

    fn next(&self, (): (), _: &mut Explanation) -> Step<()> {
        Step::Ask((), self.roll.ask(Side::Actor))
    }

    fn after_roll(&self, (): (), dice: &Observation, why: &mut Explanation) -> Step<()> {
        let total = self.roll.total(dice, why);
        why.tell(|why| self.explain(total, why));

        let success = total >= self.cn;
        let outcome = if success { SUCCESS } else { FAILURE };
        Step::Done(outcome, Score::new(Some(total), success.into()))
    }
}

impl Plain {
    fn explain(&self, total: i32, why: &mut Explanation) {
        self.before.iter().for_each(|before| why.say(before));
        why.say(compare(total, self.cn));
        why.target = Some(self.cn);
        why.effects.extend(self.roll.effects());
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
