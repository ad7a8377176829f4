//! Opposed checks: one character resists another, or itself (HEARTS, Opposed Checks).

use super::fields::{
    ADD, ASSIST, ASSISTING, BONUS, CHALLENGE, OWN_CHECK, SKILL, TIMES, TRAIT, against,
    against_check, theirs,
};
use super::target::{Dice, Target, count, roll_of};
use super::{HALF_AT_A_TIE, OPPOSED_FUMBLE};
use crate::rules::{
    Answered, Ask, Check, CheckSpec, Explanation, Field, Fields, House, Key, OutcomeId,
    OutcomeSpec, Refused, Side, System, Tally, Tone, machine,
};

const AGAINST_BONUS: Field = theirs(BONUS, "against-bonus", "Defender's bonus");
const AGAINST_ASSIST: Field = theirs(ASSIST, "against-assist", "Defender's assist");
const AGAINST_CHALLENGE: Field = theirs(CHALLENGE, "against-challenge", "Defender's challenge");
const AGAINST_ADD: Field = theirs(ADD, "against-successes-add", "Defender's successes added");
const AGAINST_TIMES: Field = theirs(
    TIMES,
    "against-successes-times",
    "Defender's successes times",
);

const AGGRESSOR: OutcomeId = OutcomeId(0);
const TIE: OutcomeId = OutcomeId(1);
const DEFENDER: OutcomeId = OutcomeId(2);

const OUTCOMES: &[OutcomeSpec] = &[
    OutcomeSpec::new("aggressor", "Aggressor", true, Tone::Good),
    OutcomeSpec::new("tie", "Tie", false, Tone::Mixed),
    OutcomeSpec::new("defender", "Defender", false, Tone::Bad),
];

/// The opposed skill check, described.
pub(super) static SKILLS: CheckSpec = CheckSpec {
    system: System::Hearts,
    id: "opposed",
    label: "Opposed check",
    help: "One character resists another: the defender's successes are taken from the aggressor's. What remains is \
           resolved as if it had been rolled; a tie gives each side half a Normal Success.",
    fields: &[
        SKILL,
        BONUS,
        ASSIST,
        CHALLENGE,
        ADD,
        TIMES,
        against("Defender's skill", "skills", 50),
        AGAINST_BONUS,
        AGAINST_ASSIST,
        AGAINST_CHALLENGE,
        AGAINST_ADD,
        AGAINST_TIMES,
        against_check("skill"),
    ],
    outcomes: OUTCOMES,
    helping: Some(ASSISTING),
    prepare: |fields, house| Ok(machine(fields, Opposed::new(fields, house, "skill")?)),
    ..CheckSpec::PLAIN
};

/// The opposed trait check, described.
pub(super) static TRAITS: CheckSpec = CheckSpec {
    system: System::Hearts,
    id: "opposed-trait",
    label: "Opposed trait check",
    help: "Trait against trait, of two characters or of one that struggles with itself, or against another check. Both \
           at once is a tie: each side gets half.",
    fields: &[
        TRAIT,
        BONUS,
        CHALLENGE,
        ADD,
        TIMES,
        against("Defender's trait", "traits", 10),
        AGAINST_BONUS,
        AGAINST_CHALLENGE,
        AGAINST_ADD,
        AGAINST_TIMES,
        OWN_CHECK,
        against_check("trait"),
    ],
    outcomes: OUTCOMES,
    prepare: |fields, house| {
        let own = fields.text("own-check");
        Ok(machine(fields, Opposed::new(fields, house, own)?))
    },
    ..CheckSpec::PLAIN
};

/// An opposed check with everything known but the dice.
#[derive(Clone, Debug)]
struct Opposed {
    aggressor: Target,
    defender: Target,
    /// A tie gives half only where both succeeded, by a house rule.
    tie_needs_both: bool,
    /// A Fumble counts as 0 successes, by a house rule.
    fumble_is_zero: bool,
}

/// What later steps can still see: successes after modification.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum State {
    /// Nothing rolled yet.
    Start,
    /// The aggressor's are known.
    Attacked(i32),
    /// Both sides' are.
    Done { aggressor: i32, defender: i32 },
}

impl Opposed {
    fn new(fields: &Fields, house: &House, kind: &str) -> Result<Self, Refused> {
        let aggressor = Target::own(fields, house, kind)?;
        let defender = Target::against(fields, house)?;
        if defender.dice != Dice::Skill && fields.maybe_number("against-assist").unwrap_or(0) > 0 {
            let why = "only a skill check is assisted; leave out against-assist, or let the defender check a skill";
            return Err(Refused(why.to_owned()));
        }
        Ok(Self {
            aggressor,
            defender,
            tie_needs_both: house.departs(&HALF_AT_A_TIE),
            fumble_is_zero: house.departs(&OPPOSED_FUMBLE),
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
