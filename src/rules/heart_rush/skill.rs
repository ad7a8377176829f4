//! The skill check (Heart Rush, Types of Rolls, 1), with the complication rule.

use super::basic::{Modifiers, compare, counts_like_a_one, heart_and_ability};
use crate::dice::{Die, Face, Observation, Pool, Projection, Role};
use crate::rules::{
    Answer, Answered, Ask, Check, ChoiceId, Effect, Explanation, Fields, House, OutcomeId, Refused,
    Side, Tally,
};

const SUCCESS: OutcomeId = OutcomeId(0);
const SUCCESS_WITH_COMPLICATION: OutcomeId = OutcomeId(1);
const FAILURE: OutcomeId = OutcomeId(2);
const FAILURE_WITH_COMPLICATION: OutcomeId = OutcomeId(3);

const FAIL: ChoiceId = ChoiceId(0);
const COMPLICATION: ChoiceId = ChoiceId(1);

/// A skill check with everything known but the dice.
#[derive(Clone, Debug)]
pub(super) struct Skill {
    pool: Pool,
    modifiers: Modifiers,
    cn: i32,
    /// The highest face that counts like a 1: above 1 with the condition Vulnerability.
    low: Face,
    /// Whether a dropped 1 counts (by a house rule).
    any_one: bool,
}

/// What later steps can still see.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum State {
    /// Nothing rolled yet.
    Start,
    /// One die shows 1: `rest` is the kept sum without it, `one` the die and its face if it is kept.
    One { rest: i32, one: Option<(Die, Face)> },
    /// It is being rolled again; `die` is `None` where a dropped die is.
    Again { rest: i32, die: Option<Die> },
    /// Resolved, with the kept sum.
    Done { outcome: OutcomeId, kept: i32 },
}

impl Skill {
    pub(super) fn new(fields: &Fields, house: &House) -> Result<Self, Refused> {
        let any_one = house.is("ones", "any");
        let low = counts_like_a_one(fields);
        let projection = if any_one {
            Projection::KeptAndLow(low)
        } else {
            Projection::Kept
        };
        Ok(Self {
            pool: Pool {
                projection,
                ..heart_and_ability(fields)
            },
            modifiers: Modifiers::new(fields, house)?,
            cn: fields.number("cn"),
            low,
            any_one,
        })
    }

    fn judge(&self, kept: i32, complication: bool) -> State {
        let outcome = match (kept + self.modifiers.sum() >= self.cn, complication) {
            (true, false) => SUCCESS,
            (true, true) => SUCCESS_WITH_COMPLICATION,
            (false, false) => FAILURE,
            (false, true) => FAILURE_WITH_COMPLICATION,
        };
        State::Done { outcome, kept }
    }

    /// What the first roll leads to (Heart Rush, The Complication Rule).
    fn first(&self, kept: &[(Face, Die)], low_of_all: u8) -> State {
        let sum: i32 = kept.iter().map(|&(face, _)| i32::from(face)).sum();
        let mut low = kept.iter().filter(|(face, _)| *face <= self.low);
        let ones = if self.any_one {
            usize::from(low_of_all)
        } else {
            low.clone().count()
        };
        match ones {
            0 => self.judge(sum, false),
            1 => {
                let one = low.next().map(|&(face, die)| (die, face));
                let rest = sum - one.map_or(0, |(_, face)| i32::from(face));
                State::One { rest, one }
            }
            _ => State::Done {
                outcome: FAILURE_WITH_COMPLICATION,
                kept: sum,
            },
        }
    }

    fn end(&self, outcome: OutcomeId, kept: i32) -> (OutcomeId, Tally) {
        let levels = i32::from([SUCCESS, SUCCESS_WITH_COMPLICATION].contains(&outcome));
        (
            outcome,
            Tally::new(Some(kept + self.modifiers.sum()), levels),
        )
    }

    /// The die of the first roll that counts as a 1 and may be rolled again.
    fn find_one(&self, faces: &[Face]) -> Option<usize> {
        let mut dice = faces.iter().zip(self.pool.kept(faces));
        dice.position(|(face, kept)| *face <= self.low && (kept || self.any_one))
    }

    /// Which die counted as a 1, at the head of a sentence.
    fn what_came_up(&self, faces: &[Face]) -> String {
        match self.find_one(faces).map_or(1, |index| faces[index]) {
            1 => "A 1 came up".to_owned(),
            face => format!("A {face} came up, which Vulnerability makes count like a 1"),
        }
    }
}

impl Check for Skill {
    type State = State;

    fn start(&self, _: &mut Explanation) -> State {
        State::Start
    }

    fn ask(&self, state: &State) -> Ask {
        match *state {
            State::Start => Ask::roll(self.pool.clone(), Side::Actor),
            State::One { .. } => Ask::choose(
                Side::Actor,
                "complication",
                [
                    (FAIL, "fail", "Fail"),
                    (
                        COMPLICATION,
                        "complication",
                        "Re-roll the 1, with a complication",
                    ),
                ],
                1,
            ),
            // A dropped die stays dropped, so that its size matters only to the one who rolls it.
            State::Again { die, .. } => {
                Ask::roll(Pool::one(die.unwrap_or(Die::D4), Role::HEART), Side::Actor)
            }
            State::Done { outcome, kept } => {
                let (outcome, tally) = self.end(outcome, kept);
                Ask::Done(outcome, tally)
            }
        }
    }

    fn step(&self, state: State, answer: Answered<'_>, why: &mut Explanation) -> State {
        match (state, answer) {
            (State::Start, Answered::Dice(Observation::Kept { dice, low })) => {
                why.tell(Explanation::roll);
                self.first(dice, *low)
            }
            (State::One { rest, one }, Answered::Chose(FAIL)) => {
                why.tell(|why| {
                    let one = self.what_came_up(why.first_faces());
                    why.say(format!("{one}: failing was chosen over a complication."));
                });
                let face = one.map_or(0, |(_, face)| i32::from(face));
                State::Done {
                    outcome: FAILURE,
                    kept: rest + face,
                }
            }
            (State::One { rest, one }, Answered::Chose(_)) => {
                why.tell(|why| {
                    let one = self.what_came_up(why.first_faces());
                    why.say(format!(
                        "{one}: that die is rolled again, with a complication."
                    ));
                });
                let die = one.map(|(die, _)| die);
                State::Again { rest, die }
            }
            (State::Again { rest, die }, Answered::Dice(Observation::Sum(face))) => {
                why.tell(|why| {
                    if let Some(index) = self.find_one(why.first_faces()) {
                        why.roll_again(index, Face::try_from(*face).unwrap_or(0));
                    }
                });
                let counts = die.map_or(0, |_| *face);
                self.judge(rest + counts, true)
            }
            (state, _) => state,
        }
    }

    fn actual_dice(&self, trail: &[Answer], pool: Pool) -> Pool {
        let Some((Answer::Faces(faces), [_, ..])) = trail.split_first() else {
            return pool;
        };
        let again = self.find_one(faces);
        let die = again.and_then(|index| self.pool.order().nth(index));
        die.map_or(pool, |(die, role)| Pool::one(die, role))
    }

    fn conclude(&self, state: &State, why: &mut Explanation) {
        let State::Done { outcome, kept } = *state else {
            return;
        };
        let total = kept + self.modifiers.sum();
        why.sum(kept, &self.modifiers.named);
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
        why.effects = self.modifiers.effects();
        if [SUCCESS_WITH_COMPLICATION, FAILURE_WITH_COMPLICATION].contains(&outcome) {
            why.effects.push(Effect::Complication);
        }
    }
}
