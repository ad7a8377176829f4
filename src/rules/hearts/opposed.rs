//! Opposed checks: one character resists another, or itself (HEARTS, Opposed Checks).

use super::target::{Dice, Target, count, roll_of};
use crate::rules::{
    Answered, Ask, Check, Explanation, Fields, House, Key, OutcomeId, Refused, Side, Tally,
};

const AGGRESSOR: OutcomeId = OutcomeId(0);
const TIE: OutcomeId = OutcomeId(1);
const DEFENDER: OutcomeId = OutcomeId(2);

/// An opposed check with everything known but the dice.
#[derive(Clone, Debug)]
pub(super) struct Opposed {
    aggressor: Target,
    defender: Target,
    /// A tie gives half only where both succeeded, by a house rule.
    tie_needs_both: bool,
    /// A Fumble counts as 0 successes, by a house rule.
    fumble_is_zero: bool,
}

/// What later steps can still see: successes after modification.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum State {
    /// Nothing rolled yet.
    Start,
    /// The aggressor's are known.
    Attacked(i32),
    /// Both sides' are.
    Done { aggressor: i32, defender: i32 },
}

impl Opposed {
    pub(super) fn new(fields: &Fields, house: &House, kind: &str) -> Result<Self, Refused> {
        let aggressor = Target::own(fields, house, kind)?;
        let defender = Target::against(fields, house)?;
        if defender.dice != Dice::Skill && fields.maybe_number("against-assist").unwrap_or(0) > 0 {
            let why = "only a skill check is assisted; leave out against-assist, or let the defender check a skill";
            return Err(Refused(why.to_owned()));
        }
        Ok(Self {
            aggressor,
            defender,
            tie_needs_both: house.is("tie", "both-succeed"),
            fumble_is_zero: house.is("opposed-fumble", "zero"),
        })
    }

    /// The successes of one side after modification.
    fn successes(
        &self,
        name: &str,
        side: &Target,
        roll: Option<i32>,
        why: &mut Explanation,
    ) -> i32 {
        let mut scored = side.scores(roll);
        if self.fumble_is_zero {
            scored = scored.max(0);
        }
        why.tell(|why| {
            match roll {
                Some(roll) => {
                    why.say(format!("{name}:"));
                    side.tell(why, roll);
                }
                None => why.say(format!(
                    "{name}: an automatic challenge is not rolled, 1 success."
                )),
            }
            why.say(side.success_words(scored));
        });
        side.modify(scored)
    }

    fn attacked(&self, roll: Option<i32>, why: &mut Explanation) -> State {
        let aggressor = self.successes("The aggressor", &self.aggressor, roll, why);
        if self.defender.is_automatic {
            self.defended(aggressor, None, why)
        } else {
            State::Attacked(aggressor)
        }
    }

    fn defended(&self, aggressor: i32, roll: Option<i32>, why: &mut Explanation) -> State {
        State::Done {
            aggressor,
            defender: self.successes("The defender", &self.defender, roll, why),
        }
    }
}

impl Check for Opposed {
    type State = State;

    fn start(&self, why: &mut Explanation) -> State {
        if self.aggressor.is_automatic {
            self.attacked(None, why)
        } else {
            State::Start
        }
    }

    fn ask(&self, state: &State) -> Ask {
        match *state {
            State::Start => self.aggressor.roll(Side::Actor),
            State::Attacked(_) => self.defender.roll(Side::Opponent),
            State::Done {
                aggressor,
                defender,
            } => {
                let margin = aggressor - defender;
                Ask::Done(judge(margin), Tally::new(None, margin.max(0)))
            }
        }
    }

    fn step(&self, state: State, answer: Answered<'_>, why: &mut Explanation) -> State {
        let Answered::Dice(observation) = answer else {
            return state;
        };
        let roll = roll_of(observation);
        match state {
            State::Start => self.attacked(roll, why),
            State::Attacked(aggressor) => self.defended(aggressor, roll, why),
            State::Done { .. } => state,
        }
    }

    fn conclude(&self, state: &State, why: &mut Explanation) {
        let State::Done {
            aggressor,
            defender,
        } = *state
        else {
            return;
        };
        let margin = aggressor - defender;
        why.keys = vec![
            ("aggressor", Key::Number(aggressor)),
            ("defender", Key::Number(defender)),
            ("margin", Key::Number(margin)),
        ];
        if margin == 0 {
            let scored = aggressor > 0 && defender > 0;
            let half = scored || !self.tie_needs_both;
            why.keys.push(("half", Key::Flag(half)));
            let who = if scored {
                "both succeeded"
            } else {
                "neither succeeded"
            };
            let what = if half {
                "each side gets half the result of a Normal Success, rounded up"
            } else {
                "neither side gets anything"
            };
            why.say(format!("A tie at {aggressor}, {who}: {what}."));
        } else {
            let (winner, loser) = if margin > 0 {
                ("aggressor", "defender")
            } else {
                ("defender", "aggressor")
            };
            let left = margin.abs();
            why.say(format!(
                "{aggressor} less {defender} leaves the {winner} {}, resolved as a {} Success; the {loser} counts as \
                 having rolled a Failure.",
                count(left),
                level_name(left)
            ));
        }
    }
}

fn judge(margin: i32) -> OutcomeId {
    match margin.signum() {
        1 => AGGRESSOR,
        0 => TIE,
        _ => DEFENDER,
    }
}

/// The level that so many successes are resolved as; more than a Heroic Success has no name of its own.
fn level_name(successes: i32) -> &'static str {
    match successes {
        1 => "Normal",
        2 => "Hard",
        _ => "Heroic",
    }
}
