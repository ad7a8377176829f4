//! The skill check (Heart Rush, Types of Rolls, 1), with the complication rule.

use super::basic::{BasicRoll, compare, counts_like_a_one, heart_and_ability};
use crate::{
    Ask, Check, ChoiceId, Choices, Effect, Explanation, Fields, HouseRules, OutcomeId, Picked,
    Refused, Score, Side, Step,
};
use tableside_dice::{Die, DieRole, Face, Measure, Observation, Pool};

const SUCCESS: OutcomeId = OutcomeId(0);
const SUCCESS_WITH_COMPLICATION: OutcomeId = OutcomeId(1);
const FAILURE: OutcomeId = OutcomeId(2);
const FAILURE_WITH_COMPLICATION: OutcomeId = OutcomeId(3);

const FAIL: ChoiceId = ChoiceId(0);
const COMPLICATION: ChoiceId = ChoiceId(1);

/// A skill check with everything known but the dice.
#[derive(Clone, Debug)]
pub(super) struct Skill {
    roll: BasicRoll,
    cn: i32,
    /// The highest face that counts like a 1: above 1 with the condition Vulnerability.
    low: Face,
    /// Whether a dropped 1 counts (by a house rule).
    any_one: bool,
}

/// What later steps can still see.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) enum State {
    /// Nothing rolled yet.
    #[default]
    Start,
    /// One die shows 1: `rest` is the kept sum without it, `one` the die and its face if it is kept.
    One { rest: i32, one: Option<(Die, Face)> },
    /// It is being rolled again; `die` is `None` where a dropped die is.
    Again { rest: i32, die: Option<Die> },
}

impl Skill {
    pub(super) fn new(fields: &Fields, house: &HouseRules) -> Result<Self, Refused> {
        let any_one = house.is("ones", "any");
        let low = counts_like_a_one(fields);
        let pool = Pool {
            measure: Measure::KeptDice(if any_one { low } else { 0 }),
            ..heart_and_ability(fields)
        };
        Ok(Self {
            roll: BasicRoll::new(pool, fields, house)?,
            cn: fields.number("cn"),
            low,
            any_one,
        })
    }

    /// The end with these kept dice, compared with the Challenge Number.
    #[inline]
    fn judge(&self, kept: i32, complication: bool, why: &mut Explanation) -> Step<State> {
        let outcome = match (kept + self.roll.added >= self.cn, complication) {
            (true, false) => SUCCESS,
            (true, true) => SUCCESS_WITH_COMPLICATION,
            (false, false) => FAILURE,
            (false, true) => FAILURE_WITH_COMPLICATION,
        };
        self.end(outcome, kept, why)
    }

    #[inline]
    fn end(&self, outcome: OutcomeId, kept: i32, why: &mut Explanation) -> Step<State> {
        why.tell(|why| self.explain(outcome, kept, why));
        let success = outcome <= SUCCESS_WITH_COMPLICATION;
        let score = Score::new(Some(kept + self.roll.added), success.into());
        Step::Done(outcome, score)
    }

    /// What the first roll leads to by the Complication Rule: a single 1 may be rolled again, two 1s fail.
    #[inline]
    fn apply_complication_rule(&self, dice: &Observation, why: &mut Explanation) -> Step<State> {
        why.tell(|why| self.roll.tell_roll(why));

        let (kept, lows_of_all) = dice.kept();
        let sum = dice.sum();
        let mut kept_lows = kept.iter().filter(|(face, _)| *face <= self.low);
        let lows = if self.any_one {
            lows_of_all.into()
        } else {
            kept_lows.clone().count()
        };
        match lows {
            0 => self.judge(sum, false, why),
            1 => {
                let one = kept_lows.next();
                let one = one.map(|&(face, sides)| (Die::with_sides(sides), face));
                let rest = sum - one.map_or(0, |(_, face)| i32::from(face));
                Step::Continue(State::One { rest, one })
            }
            _ => self.end(FAILURE_WITH_COMPLICATION, sum, why),
        }
    }

    fn explain_choice(&self, fails: bool, why: &mut Explanation) {
        let face = self.find_one(why).map_or(1, |index| why.dice[index].face);
        let like_a_one = match face {
            1 => "",
            _ => ", which Vulnerability makes count like a 1",
        };
        let decision = if fails {
            "failing was chosen over a complication"
        } else {
            "that die is rolled again, with a complication"
        };
        why.say(format!("A {face} came up{like_a_one}: {decision}."));
    }

    /// The die of the first roll that counts as a 1 and may be rolled again; odds do not know it.
    fn find_one(&self, why: &Explanation) -> Option<usize> {
        let (pool, faces) = why.rolls.first()?;
        let mut dice = faces.iter().zip(pool.kept(faces));
        dice.position(|(face, kept)| *face <= self.low && (kept || self.any_one))
    }

    fn explain(&self, outcome: OutcomeId, kept: i32, why: &mut Explanation) {
        let total = kept + self.roll.added;
        why.sum(kept, &self.roll.named);
        why.say(compare(total, self.cn));
        let two = outcome == FAILURE_WITH_COMPLICATION && why.rolls.len() == 1;
        if two && self.low > 1 {
            why.say(format!(
                "Two dice count like a 1, for Vulnerability reaches up to {}: it fails whatever the total, with a \
                 complication.",
                self.low
            ));
        } else if two {
            why.say("Two 1s fail whatever the total, with a complication.");
        } else if outcome == FAILURE && total >= self.cn {
            why.say("Failing was chosen, so the total does not matter.");
        }
        why.target = Some(self.cn);
        why.effects.extend(self.roll.effects());
        if [SUCCESS_WITH_COMPLICATION, FAILURE_WITH_COMPLICATION].contains(&outcome) {
            why.effects.push(Effect::Complication);
        }
    }
}

/// Whether to fail or to roll the 1 again.
fn fail_or_roll_again() -> Choices {
    let option = |id, name: &str, label: &str| Picked {
        id,
        name: name.to_owned(),
        label: label.to_owned(),
    };
    let again = "Re-roll the 1, with a complication";
    Choices {
        choice: "complication",
        ask: String::new(),
        options: vec![
            option(FAIL, "fail", "Fail"),
            option(COMPLICATION, "complication", again),
        ],
        default: 1,
    }
}

impl Check for Skill {
    type State = State;

    #[inline]
    fn next(&self, state: State, why: &mut Explanation) -> Step<State> {
        let ask = match state {
            State::Start => Ask::roll(self.roll.pool.clone(), Side::Actor),
            State::One { .. } => Ask::choose(fail_or_roll_again(), Side::Actor),
            State::Again { die, .. } => {
                // A dropped die stays dropped, so odds need not know its size.
                let (die, role) = self
                    .find_one(why)
                    .and_then(|index| self.roll.pool.each_die().nth(index))
                    .unwrap_or_else(|| (die.unwrap_or(Die::D4), DieRole::HEART));
                Ask::roll(Pool::single(die, role), Side::Actor)
            }
        };
        Step::Ask(state, ask)
    }

    #[inline]
    fn after_roll(&self, state: State, dice: &Observation, why: &mut Explanation) -> Step<State> {
        match state {
            State::Start => self.apply_complication_rule(dice, why),
            State::One { .. } => self.next(state, why),
            State::Again { rest, die } => {
                let face = dice.sum();
                why.tell(|why| {
                    let one = self.find_one(why).unwrap_or_default();
                    why.roll_again(one, Face::try_from(face).unwrap_or(0));
                });
                let counted = if die.is_some() { face } else { 0 };
                self.judge(rest + counted, true, why)
            }
        }
    }

    fn after_choice(&self, state: State, choice: ChoiceId, why: &mut Explanation) -> Step<State> {
        let State::One { rest, one } = state else {
            return self.next(state, why);
        };
        let fails = choice == FAIL;
        why.tell(|why| self.explain_choice(fails, why));

        if fails {
            let face = one.map_or(0, |(_, face)| i32::from(face));
            return self.end(FAILURE, rest + face, why);
        }
        Step::Continue(State::Again {
            rest,
            die: one.map(|(die, _)| die),
        })
    }
}
