//! Implements the saving throw (Heart Rush, Types of Rolls, 2), and the roll that it shares with the stratagem.
//!
//! 1. The player makes a basic roll of the heart die and the ability die.
//! 2. The roll succeeds if its total reaches the Challenge Number. Dice that show 1 do not matter.

use super::basic::{BasicRoll, compare, heart_and_ability};
use crate::{
    Check, Effect, Explanation, Fields, HouseRules, OutcomeId, Refused, Score, Side, Step,
};
use tableside_dice::{Face, Observation};

const SUCCESS: OutcomeId = OutcomeId(0);
const FAILURE: OutcomeId = OutcomeId(1);

/// Prepares the saving throw for these fields.
pub(super) fn prepare(fields: &Fields, house: &HouseRules) -> Result<ChallengeRoll, Refused> {
    Ok(ChallengeRoll {
        roll: BasicRoll::new(heart_and_ability(fields), fields, house)?,
        challenge_number: fields.number("cn"),
        number_explanation: None,
        crisis_face: None,
    })
}

/// A basic roll against a Challenge Number, before its dice are rolled.
#[derive(Clone, Debug)]
pub(super) struct ChallengeRoll {
    pub(super) roll: BasicRoll,
    /// The least total of a success.
    pub(super) challenge_number: i32,
    /// A sentence about how the Challenge Number is computed.
    pub(super) number_explanation: Option<String>,
    /// The highest face that causes a crisis, if the roll can cause one (stratagems, by a house rule).
    pub(super) crisis_face: Option<Face>,
}

impl Check for ChallengeRoll {
    type State = ();

    fn next(&self, (): (), _: &mut Explanation) -> Step<()> {
        Step::Ask((), self.roll.ask(Side::Actor))
    }

    fn after_roll(&self, (): (), dice: &Observation, why: &mut Explanation) -> Step<()> {
        let total = self.roll.total(dice, why);
        why.tell(|why| self.explain(total, why));

        let is_success = total >= self.challenge_number;
        let outcome = if is_success { SUCCESS } else { FAILURE };
        Step::Done(outcome, Score::new(Some(total), is_success.into()))
    }
}

impl ChallengeRoll {
    fn explain(&self, total: i32, why: &mut Explanation) {
        if let Some(explanation) = &self.number_explanation {
            why.say(explanation);
        }
        why.say(compare(total, self.challenge_number));
        why.target = Some(self.challenge_number);
        why.effects.extend(self.roll.effects());
        self.explain_crisis(why);
    }

    /// Explains the crisis if the lowest die causes one.
    fn explain_crisis(&self, why: &mut Explanation) {
        let lowest_face = why.first_faces().iter().min().copied();
        let (Some(face), Some(crisis_face)) = (lowest_face, self.crisis_face) else {
            return;
        };
        if face > crisis_face {
            return;
        }

        let like_a_one = if face == 1 {
            ""
        } else {
            ", which Vulnerability makes count like a 1"
        };
        why.say(format!(
            "A die shows {face}{like_a_one}: a crisis follows, whether or not the roll succeeds."
        ));
        why.effects.push(Effect::Complication);
    }
}
