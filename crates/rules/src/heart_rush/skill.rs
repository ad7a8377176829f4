//! Implements the skill check (Heart Rush, Types of Rolls, 1; Complication Rule).
//!
//! 1. The player makes a basic roll of the heart die and the ability die.
//! 2. If two dice show 1, the check fails with a complication. If one die shows 1, the player chooses: the check fails, or
//!    the die is rolled again, which brings a complication. Vulnerability makes higher faces count like a 1.
//! 3. The check succeeds if its total reaches the Challenge Number.
//!
//! A dropped die that shows 1 does not count, unless a house rule says so.

use super::basic::{BasicRoll, compare, heart_and_ability, highest_low_face};
use crate::die_roles;
use crate::{
    Ask, Check, ChoiceId, Choices, Effect, Explanation, Fields, HouseRules, OutcomeId, Picked,
    Refused, Score, Side, Step,
};
use tableside_dice::{Die, Face, Measure, Observation, Pool};

const SUCCESS: OutcomeId = OutcomeId(0);
const SUCCESS_WITH_COMPLICATION: OutcomeId = OutcomeId(1);
const FAILURE: OutcomeId = OutcomeId(2);
const FAILURE_WITH_COMPLICATION: OutcomeId = OutcomeId(3);

const FAIL: ChoiceId = ChoiceId(0);
const COMPLICATION: ChoiceId = ChoiceId(1);

/// A skill check before its dice are rolled.
#[derive(Clone, Debug)]
pub(super) struct Skill {
    roll: BasicRoll,
    challenge_number: i32,
    /// The highest face that counts like a 1. It is 1 unless the condition Vulnerability raises it.
    low_face: Face,
    /// True if a dropped die that shows 1 counts too (a house rule).
    counts_dropped_ones: bool,
}

/// The progress of a skill check.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) enum SkillState {
    /// Before the first roll.
    #[default]
    Start,
    /// One die shows 1, and the player chooses whether to fail.
    Choosing {
        /// The sum of the other kept dice.
        other_sum: i32,
        /// The die that shows 1; `None` if that die was dropped.
        low_die: Option<LowDie>,
    },
    /// The die that shows 1 is rolled again.
    RollingAgain {
        other_sum: i32,
        /// The die that is rolled; `None` if that die was dropped.
        die: Option<Die>,
    },
}

/// A kept die whose face counts like a 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct LowDie {
    die: Die,
    face: Face,
}

impl Skill {
    pub(super) fn new(fields: &Fields, house: &HouseRules) -> Result<Self, Refused> {
        let counts_dropped_ones = house.is("ones", "any");
        let low_face = highest_low_face(fields);

        // The observation of the roll counts the dropped dice with at most this face.
        let highest_observed_dropped = if counts_dropped_ones { low_face } else { 0 };
        let pool = Pool {
            measure: Measure::KeptDice(highest_observed_dropped),
            ..heart_and_ability(fields)
        };
        Ok(Self {
            roll: BasicRoll::new(pool, fields, house)?,
            challenge_number: fields.number("cn"),
            low_face,
            counts_dropped_ones,
        })
    }

    /// Ends the check by comparing its total with the Challenge Number.
    #[inline]
    fn judge(
        &self,
        kept_sum: i32,
        has_complication: bool,
        why: &mut Explanation,
    ) -> Step<SkillState> {
        let is_success = kept_sum + self.roll.modifier_sum >= self.challenge_number;
        let outcome = match (is_success, has_complication) {
            (true, false) => SUCCESS,
            (true, true) => SUCCESS_WITH_COMPLICATION,
            (false, false) => FAILURE,
            (false, true) => FAILURE_WITH_COMPLICATION,
        };
        self.end(outcome, kept_sum, why)
    }

    #[inline]
    fn end(&self, outcome: OutcomeId, kept_sum: i32, why: &mut Explanation) -> Step<SkillState> {
        why.tell(|why| self.explain_outcome(outcome, kept_sum, why));

        let total = kept_sum + self.roll.modifier_sum;
        let is_success = outcome <= SUCCESS_WITH_COMPLICATION;
        Step::Done(outcome, Score::new(Some(total), is_success.into()))
    }

    /// Applies the Complication Rule to the first roll: with a single 1 the player chooses, and two 1s fail.
    #[inline]
    fn apply_complication_rule(
        &self,
        dice: &Observation,
        why: &mut Explanation,
    ) -> Step<SkillState> {
        why.tell(|why| self.roll.explain_dice(why));

        let (kept_dice, low_dice_with_dropped) = dice.kept();
        let mut kept_low_dice = kept_dice.iter().filter(|(face, _)| *face <= self.low_face);
        let low_dice = if self.counts_dropped_ones {
            low_dice_with_dropped.into()
        } else {
            kept_low_dice.clone().count()
        };

        let kept_sum = dice.sum();
        match low_dice {
            0 => self.judge(kept_sum, false, why),
            1 => {
                let low_die = kept_low_dice.next().map(|&(face, sides)| LowDie {
                    die: Die::with_sides(sides),
                    face,
                });
                let low_sum = low_die.map_or(0, |low| i32::from(low.face));
                Step::Continue(SkillState::Choosing {
                    other_sum: kept_sum - low_sum,
                    low_die,
                })
            }
            _ => self.end(FAILURE_WITH_COMPLICATION, kept_sum, why),
        }
    }

    /// Continues after the die that shows 1 is rolled again.
    #[inline]
    fn finish_rolling_again(
        &self,
        other_sum: i32,
        die: Option<Die>,
        new_face: i32,
        why: &mut Explanation,
    ) -> Step<SkillState> {
        why.tell(|why| {
            let place = self.find_low_die(why).unwrap_or_default();
            why.roll_again(place, Face::try_from(new_face).unwrap_or(0));
        });

        let is_dropped = die.is_none();
        let kept_sum = if is_dropped {
            other_sum
        } else {
            other_sum + new_face
        };
        self.judge(kept_sum, true, why)
    }

    /// Asks to roll the die that shows 1 again.
    fn ask_to_roll_again(&self, die: Option<Die>, why: &Explanation) -> Ask {
        let rolled_die = self
            .find_low_die(why)
            .and_then(|place| self.roll.pool.each_die().nth(place));
        let (die, role) = match rolled_die {
            Some(rolled_die) => rolled_die,
            // The computation of odds does not record the first roll, so the die comes from the state. The state has no
            // die if it was a dropped one: that stays dropped, so any size will do.
            None => (die.unwrap_or(Die::D4), die_roles::HEART),
        };
        Ask::roll(Pool::single(die, role), Side::Actor)
    }

    /// Returns the index, in the first roll, of the die that counts like a 1. `None` while odds are computed, since
    /// they do not record the first roll.
    fn find_low_die(&self, why: &Explanation) -> Option<usize> {
        let (pool, faces) = why.rolls.first()?;
        faces
            .iter()
            .zip(pool.kept(faces))
            .position(|(face, is_kept)| {
                *face <= self.low_face && (is_kept || self.counts_dropped_ones)
            })
    }

    fn explain_choice(&self, fails: bool, why: &mut Explanation) {
        let face = match self.find_low_die(why) {
            Some(place) => why.dice[place].face,
            None => 1,
        };
        let like_a_one = if face == 1 {
            ""
        } else {
            ", which Vulnerability makes count like a 1"
        };
        let decision = if fails {
            "failing was chosen over a complication"
        } else {
            "that die is rolled again, with a complication"
        };
        why.say(format!("A {face} came up{like_a_one}: {decision}."));
    }

    fn explain_outcome(&self, outcome: OutcomeId, kept_sum: i32, why: &mut Explanation) {
        let total = kept_sum + self.roll.modifier_sum;
        why.sum(kept_sum, &self.roll.modifiers);
        why.say(compare(total, self.challenge_number));

        let shows_two_ones = outcome == FAILURE_WITH_COMPLICATION && why.rolls.len() == 1;
        if shows_two_ones {
            why.say(self.describe_two_ones());
        } else if outcome == FAILURE && total >= self.challenge_number {
            why.say("Failing was chosen, so the total does not matter.");
        }

        why.target = Some(self.challenge_number);
        why.effects.extend(self.roll.effects());
        if outcome == SUCCESS_WITH_COMPLICATION || outcome == FAILURE_WITH_COMPLICATION {
            why.effects.push(Effect::Complication);
        }
    }

    fn describe_two_ones(&self) -> String {
        if self.low_face > 1 {
            format!(
                "Two dice count like a 1, since Vulnerability makes faces up to {} do so: the check fails whatever the \
                 total, with a complication.",
                self.low_face
            )
        } else {
            "Two 1s fail whatever the total, with a complication.".to_owned()
        }
    }
}

/// Asks whether to fail or to roll the die that shows 1 again.
fn fail_or_roll_again() -> Choices {
    let option = |id, name: &str, label: &str| Picked {
        id,
        name: name.to_owned(),
        label: label.to_owned(),
        cost: String::new(),
    };
    Choices {
        choice: "complication",
        ask: String::new(),
        options: vec![
            option(FAIL, "fail", "Fail"),
            option(
                COMPLICATION,
                "complication",
                "Re-roll the 1, with a complication",
            ),
        ],
        default: 1,
    }
}

impl Check for Skill {
    type State = SkillState;

    #[inline]
    fn next(&self, state: SkillState, why: &mut Explanation) -> Step<SkillState> {
        let ask = match state {
            SkillState::Start => self.roll.ask(Side::Actor),
            SkillState::Choosing { .. } => Ask::choose(fail_or_roll_again(), Side::Actor),
            SkillState::RollingAgain { die, .. } => self.ask_to_roll_again(die, why),
        };
        Step::Ask(state, ask)
    }

    #[inline]
    fn after_roll(
        &self,
        state: SkillState,
        dice: &Observation,
        why: &mut Explanation,
    ) -> Step<SkillState> {
        match state {
            SkillState::Start => self.apply_complication_rule(dice, why),
            SkillState::Choosing { .. } => self.next(state, why),
            SkillState::RollingAgain { other_sum, die } => {
                self.finish_rolling_again(other_sum, die, dice.sum(), why)
            }
        }
    }

    fn after_choice(
        &self,
        state: SkillState,
        choice: ChoiceId,
        why: &mut Explanation,
    ) -> Step<SkillState> {
        let SkillState::Choosing { other_sum, low_die } = state else {
            return self.next(state, why);
        };
        let fails = choice == FAIL;
        why.tell(|why| self.explain_choice(fails, why));

        if fails {
            let low_sum = low_die.map_or(0, |low| i32::from(low.face));
            return self.end(FAILURE, other_sum + low_sum, why);
        }
        Step::Continue(SkillState::RollingAgain {
            other_sum,
            die: low_die.map(|low| low.die),
        })
    }
}
