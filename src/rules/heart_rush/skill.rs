//! The skill check (Heart Rush, Types of Rolls, 1), with the complication rule.

use std::cmp::Reverse;

use super::basic::{
    ABILITY, ADVANTAGE, ASPECT, CN, DISADVANTAGE, HEART, HINDRANCE, MODIFIER, Modifiers,
    PROFESSION, TANGENTIAL, VULNERABILITY, counts_like_a_one, heart_and_ability,
};
use crate::dice::{Die, Face, Keep, Pool, Reading, Role, See};
use crate::rules::{
    Answer, Ask, Brings, Check, CheckSpec, ChoiceId, ChoiceSpec, Choices, Field, Fields, Heard,
    Helping, House, Outcome, OutcomeId, OutcomeSpec, Picked, Refused, Shares, Side, Story, System,
    Tally, Tone,
};

mod told;

const SUCCESS: OutcomeId = OutcomeId(0);
const SUCCESS_WITH_COMPLICATION: OutcomeId = OutcomeId(1);
const FAILURE: OutcomeId = OutcomeId(2);
const FAILURE_WITH_COMPLICATION: OutcomeId = OutcomeId(3);

const FAIL: ChoiceId = ChoiceId(0);
const COMPLICATION: ChoiceId = ChoiceId(1);

/// The skill check, described.
pub(super) static SPEC: CheckSpec = CheckSpec {
    system: System::HeartRush,
    id: "skill",
    label: "Skill check",
    help: "An action that may fail, where failing would be interesting and roleplay alone does not \
           settle it. Heart die and ability die against the Challenge Number.",
    fields: &[
        HEART,
        ABILITY,
        CN,
        ADVANTAGE,
        DISADVANTAGE,
        Field::flag(
            "helped",
            "Helped",
            "One level of advantage, however many help; they share what goes wrong.",
        ),
        PROFESSION,
        TANGENTIAL,
        ASPECT,
        HINDRANCE,
        MODIFIER,
        VULNERABILITY,
    ],
    choices: &[ChoiceSpec {
        id: "complication",
        answers: &["fail", "complication"],
        help: "One die shows 1: fail, or re-roll it once and accept a complication. Unanswered: complication.",
    }],
    outcomes: &[
        OutcomeSpec {
            id: "success",
            label: "Success",
            success: true,
            tone: Tone::Good,
        },
        OutcomeSpec {
            id: "success-with-complication",
            label: "Success with a complication",
            success: true,
            tone: Tone::Mixed,
        },
        OutcomeSpec {
            id: "failure",
            label: "Failure",
            success: false,
            tone: Tone::Bad,
        },
        OutcomeSpec {
            id: "failure-with-complication",
            label: "Failure with a complication",
            success: false,
            tone: Tone::Disaster,
        },
    ],
    has_success: true,
    explodes: false,
    helping: Some(Helping {
        brings: Brings::Flag("helped"),
        acts: true,
        shares: Shares::WhatGoesWrong,
        help: "One level of advantage, however many help; they share what goes wrong, and have acted.",
    }),
    success_after: None,
    prepare: |fields, house| Ok(Box::new(Skill::new(fields, house)?)),
};

/// A skill check with everything known but the dice.
#[derive(Clone, Debug)]
struct Skill {
    pool: Pool,
    modifiers: Modifiers,
    cn: i32,
    /// The highest face that counts like a 1: above 1 with the condition Vulnerability.
    low: Face,
    /// Whether a dropped 1 counts (house rule `ones`).
    any_one: bool,
    /// Whether of several 1s one may be rolled again (house rule `two-ones`).
    one_of_several: bool,
}

/// What later steps can still see.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum State {
    /// Nothing rolled yet.
    Start,
    /// One die shows 1: `rest` is the kept sum without it, `one` the die and its face if it is kept, `next`
    /// the dropped face that may count in its place.
    One {
        rest: i32,
        one: Option<(Die, Face)>,
        next: Option<Face>,
    },
    /// It is being rolled again; `die` is nothing where a dropped die is.
    Again {
        rest: i32,
        die: Option<Die>,
        next: Option<Face>,
    },
    /// Resolved, with the kept sum.
    Response { outcome: OutcomeId, kept: i32 },
}

impl Skill {
    fn new(fields: &Fields, house: &House) -> Result<Self, Refused> {
        let (dice, keep) = heart_and_ability(fields);
        let keep = match keep {
            Keep::Highest(count) if house.is("equal-dice", "larger") => {
                Keep::HighestOfSmaller(count)
            }
            Keep::Lowest(count) if house.is("equal-dice", "larger") => Keep::LowestOfSmaller(count),
            keep => keep,
        };
        let any_one = house.is("ones", "any");
        let low = counts_like_a_one(fields);
        let see = match (house.is("kept-again", "yes"), any_one) {
            (true, true) => See::KeptLowAndNext(low),
            (true, false) => See::KeptLowAndNext(0),
            (false, true) => See::KeptAndLow(low),
            (false, false) => See::Kept,
        };
        Ok(Self {
            pool: Pool { dice, keep, see },
            modifiers: Modifiers::new(fields, house)?,
            cn: fields.number("cn"),
            low,
            any_one,
            one_of_several: house.is("two-ones", "choose"),
        })
    }

    fn judge(&self, kept: i32, complication: bool) -> State {
        let outcome = match (kept + self.modifiers.sum() >= self.cn, complication) {
            (true, false) => SUCCESS,
            (true, true) => SUCCESS_WITH_COMPLICATION,
            (false, false) => FAILURE,
            (false, true) => FAILURE_WITH_COMPLICATION,
        };
        State::Response { outcome, kept }
    }

    /// What the first roll leads to (Heart Rush, The Complication Rule).
    fn first(&self, kept: &[(Face, Die)], low_of_all: u8, next: Face) -> State {
        let sum: i32 = kept.iter().map(|&(face, _)| i32::from(face)).sum();
        let low = || kept.iter().filter(|(face, _)| *face <= self.low);
        let ones = if self.any_one {
            usize::from(low_of_all)
        } else {
            low().count()
        };
        match ones {
            0 => self.judge(sum, false),
            ones if ones == 1 || self.one_of_several => {
                let one = low().max_by_key(|(face, die)| (die.highest(), Reverse(*face)));
                let one = one.map(|&(face, die)| (die, face));
                let rest = sum - one.map_or(0, |(_, face)| i32::from(face));
                let next = (one.is_some() && next > 0).then_some(next);
                State::One { rest, one, next }
            }
            _ => State::Response {
                outcome: FAILURE_WITH_COMPLICATION,
                kept: sum,
            },
        }
    }

    /// What counts of a die rolled again, and of the dropped die that may count in its place.
    fn better(&self, face: Face, next: Option<Face>) -> Face {
        let next = next.unwrap_or(face);
        match self.pool.keep {
            Keep::Lowest(_) | Keep::LowestOfSmaller(_) => face.min(next),
            Keep::All | Keep::Highest(_) | Keep::HighestOfSmaller(_) => face.max(next),
        }
    }

    fn tally(&self, outcome: OutcomeId, kept: i32) -> Tally {
        Tally {
            total: Some(kept + self.modifiers.sum()),
            levels: i32::from(SPEC.outcome(outcome).success),
            open: None,
        }
    }

    /// The die of the first roll that counts as a 1 and may be rolled again: of several a kept one, the
    /// larger, then the lower.
    fn find_one(&self, trail: &[Answer]) -> Option<usize> {
        let Some(Answer::Faces(faces)) = trail.first() else {
            return None;
        };
        let dice = self.pool.order().zip(faces).zip(self.pool.kept(faces));
        let dice = dice.map(|(((die, _), &face), kept)| (kept, die.highest(), Reverse(face)));
        let low = dice
            .enumerate()
            .filter(|(_, (kept, _, Reverse(face)))| *face <= self.low && (*kept || self.any_one));
        let one = low.max_by_key(|(index, die)| (*die, Reverse(*index)));
        one.map(|(index, _)| index)
    }
}

impl Check for Skill {
    type State = State;

    fn start(&self) -> State {
        State::Start
    }

    fn ask(&self, state: &State) -> Ask {
        let option = |id, name: &str, label: &str| Picked {
            id,
            name: name.to_owned(),
            label: label.to_owned(),
        };
        match *state {
            State::Start => Ask::Roll {
                pool: self.pool.clone(),
                by: Side::Actor,
            },
            State::One { .. } => Ask::Choose {
                what: Choices {
                    choice: "complication",
                    options: vec![
                        option(FAIL, "fail", "Fail"),
                        option(
                            COMPLICATION,
                            "complication",
                            "Re-roll the 1, with a complication",
                        ),
                    ],
                    default: 1,
                },
                by: Side::Actor,
            },
            // A dropped die stays dropped, so that its size matters only to the one who rolls it.
            State::Again { die, .. } => Ask::Roll {
                pool: Pool::one(die.unwrap_or(Die::D4), Role::Heart),
                by: Side::Actor,
            },
            State::Response { outcome, kept } => Ask::Response(outcome, self.tally(outcome, kept)),
        }
    }

    fn hear(&self, state: State, heard: &Heard) -> State {
        match (state, heard) {
            (State::Start, Heard::Dice(Reading::Kept { dice, low, next })) => {
                self.first(dice, *low, *next)
            }
            (State::One { rest, one, .. }, Heard::Chose(FAIL)) => State::Response {
                outcome: FAILURE,
                kept: rest + one.map_or(0, |(_, face)| i32::from(face)),
            },
            (State::One { rest, one, next }, Heard::Chose(_)) => State::Again {
                rest,
                die: one.map(|(die, _)| die),
                next,
            },
            (State::Again { rest, die, next }, Heard::Dice(Reading::Sum(face))) => {
                let face = Face::try_from(*face).unwrap_or(0);
                let counts = die.map_or(0, |_| self.better(face, next));
                self.judge(rest + i32::from(counts), true)
            }
            (state, _) => state,
        }
    }

    fn settled(&self, state: &State) -> Option<(OutcomeId, Tally)> {
        match *state {
            State::Again {
                rest, die: None, ..
            } => match self.judge(rest, true) {
                State::Response { outcome, kept } => Some((outcome, self.tally(outcome, kept))),
                State::Start | State::One { .. } | State::Again { .. } => None,
            },
            State::Start | State::One { .. } | State::Again { .. } | State::Response { .. } => None,
        }
    }

    fn deal(&self, trail: &[Answer], pool: Pool) -> Pool {
        let again = (trail.len() > 1).then(|| self.find_one(trail)).flatten();
        let die = again.and_then(|index| self.pool.order().nth(index));
        die.map_or(pool, |(die, role)| Pool::one(die, role))
    }

    fn report(&self, trail: &[Answer]) -> Outcome {
        let mut story = Story::default();
        let mut state = self.start();
        for answer in trail {
            state = match (state, answer) {
                (State::Start, Answer::Faces(faces)) => {
                    story.roll(&self.pool, faces);
                    self.hear(state, &Heard::Dice(self.pool.read(faces)))
                }
                (State::One { .. }, Answer::Chose { chose, .. }) if chose == "fail" => {
                    let one = self.what_came_up(trail);
                    story.say(format!("{one}: failing was chosen over a complication."));
                    self.hear(state, &Heard::Chose(FAIL))
                }
                (State::One { .. }, Answer::Chose { .. }) => {
                    let one = self.what_came_up(trail);
                    let again = if self.several(trail) {
                        "one of them"
                    } else {
                        "that die"
                    };
                    story.say(format!(
                        "{one}: {again} is rolled again, with a complication."
                    ));
                    self.hear(state, &Heard::Chose(COMPLICATION))
                }
                (State::Again { .. }, Answer::Faces(faces)) => {
                    let face = faces.first().copied().unwrap_or(0);
                    if let Some(index) = self.find_one(trail) {
                        story.roll_again(index, face);
                        self.choose_again(&mut story, &state, (index, face));
                    }
                    self.hear(state, &Heard::Dice(Reading::Sum(i32::from(face))))
                }
                (state, _) => state,
            };
        }
        let (outcome, kept) = match state {
            State::Response { outcome, kept } => (outcome, kept),
            State::Start | State::One { .. } | State::Again { .. } => (FAILURE, 0),
        };
        let two = outcome == FAILURE_WITH_COMPLICATION && trail.len() == 1;
        self.tell(story, outcome, kept, two)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{AnswerSource, DynCheck, Stand, Value, resolve};

    fn prepare(given: &[(&str, Value)], house: &House) -> Box<dyn DynCheck> {
        let fields = Fields::new(&SPEC, given.iter().cloned()).unwrap();
        (SPEC.prepare)(&fields, house).unwrap()
    }

    #[test]
    fn the_cliff_is_climbed_with_fourteen_against_twelve() {
        let given = [
            ("heart", Value::Die(Die::D8)),
            ("ability", Value::Die(Die::D10)),
            ("cn", Value::Number(12)),
            ("profession", Value::Number(2)),
        ];
        let check = prepare(&given, &House::default());
        let mut trail = Vec::new();
        let stand = resolve(&*check, &mut trail, &mut AnswerSource::by_hand(&[5, 7])).unwrap();
        assert_eq!(stand, Stand::Response);
        let outcome = check.outcome(&trail);
        assert_eq!((outcome.total, outcome.outcome), (Some(14), SUCCESS));
        assert_eq!(
            outcome.steps,
            [
                "Rolled d8 + d10: 5 on the d8, 7 on the d10.",
                "12 from the kept dice + 2 (profession) makes 14.",
                "14 reaches the Challenge Number 12 (Hard).",
            ]
        );
    }

    #[test]
    fn a_dropped_1_is_rolled_again_with_its_own_die() {
        let mut house = House::default();
        house
            .set(System::HeartRush, "ones", Value::from("any"))
            .unwrap();
        let given = [
            ("heart", Value::Die(Die::D12)),
            ("ability", Value::Die(Die::D6)),
            ("cn", Value::Number(9)),
            ("advantage", Value::Number(1)),
        ];
        let check = prepare(&given, &house);
        let mut dealer = AnswerSource::by_hand(&[1, 6, 4]);
        dealer.defaults = true;
        let mut trail = Vec::new();
        let wrong = resolve(&*check, &mut trail, &mut dealer).unwrap_err();
        assert_eq!(
            wrong.to_string(),
            "too few faces: 4 needed so far (d12), 3 given"
        );
    }
}
