//! Opposed checks: one character resists another, or itself (HEARTS, Opposed Checks).

use super::skill::{roll_of, tell_roll};
use super::target::{
    AGAINST_ADD, AGAINST_ASSIST, AGAINST_BONUS, AGAINST_CHALLENGE, AGAINST_TIMES, ASSIST,
    ASSISTING, BONUS, CHALLENGE, Dice, OWN_CHECK, SKILL, SUCCESSES_ADD, SUCCESSES_TIMES, TRAIT,
    Target, against, against_check, count, dice_of,
};
use super::{HALF_AT_A_TIE, OPPOSED_FUMBLE};
use crate::rules::{
    Answered, Ask, Check, CheckSpec, Explanation, Fields, House, Key, OutcomeId, OutcomeSpec,
    Refused, Side, System, Tally, Tone,
};

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
        SUCCESSES_ADD,
        SUCCESSES_TIMES,
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
    prepare: |fields, house| {
        let own = ("skill", fields.number("skill"));
        Ok(Box::new(Opposed::new(&SKILLS, fields, house, own)?))
    },
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
        SUCCESSES_ADD,
        SUCCESSES_TIMES,
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
        let own = (fields.text("own-check"), fields.number("value"));
        Ok(Box::new(Opposed::new(&TRAITS, fields, house, own)?))
    },
    ..CheckSpec::PLAIN
};

/// An opposed check with everything known but the dice.
#[derive(Clone, Debug)]
struct Opposed {
    spec: &'static CheckSpec,
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
    fn new(
        spec: &'static CheckSpec,
        fields: &Fields,
        house: &House,
        (check, value): (&str, i32),
    ) -> Result<Self, Refused> {
        let own = dice_of(check, ("value", value), house)?;
        let against = ("against", fields.number("against"));
        let theirs = dice_of(fields.text("against-check"), against, house)?;
        if theirs != Dice::Skill && fields.maybe_number("against-assist").unwrap_or(0) > 0 {
            let why = "only a skill check is assisted; leave out against-assist, or let the defender check a skill";
            return Err(Refused(why.to_owned()));
        }
        Ok(Self {
            spec,
            aggressor: Target::own(fields, house, own),
            defender: Target::against(fields, house, theirs),
            tie_needs_both: house.departs(&HALF_AT_A_TIE),
            fumble_is_zero: house.departs(&OPPOSED_FUMBLE),
        })
    }

    /// The successes of one side before modification: of a roll, or of an automatic challenge.
    fn scored(&self, side: &Target, roll: Option<i32>) -> i32 {
        let scored = match (side.dice, roll) {
            (Some(dice), Some(roll)) => side.scores(dice, roll),
            _ => 1,
        };
        if self.fumble_is_zero {
            scored.max(0)
        } else {
            scored
        }
    }

    /// The successes of one side after modification.
    fn successes(
        &self,
        name: &str,
        side: &Target,
        roll: Option<i32>,
        why: &mut Explanation,
    ) -> i32 {
        let scored = self.scored(side, roll);
        why.tell(|why| {
            match (side.dice, roll) {
                (Some(dice), Some(roll)) => {
                    why.say(format!("{name}:"));
                    tell_roll(why, side, dice, roll);
                }
                _ => why.say(format!(
                    "{name}: an automatic challenge is not rolled, 1 success."
                )),
            }
            why.say(side.success_words(scored));
        });
        side.modify(scored)
    }

    fn attacked(&self, roll: Option<i32>, why: &mut Explanation) -> State {
        let aggressor = self.successes("The aggressor", &self.aggressor, roll, why);
        match self.defender.dice {
            Some(_) => State::Attacked(aggressor),
            None => self.defended(aggressor, None, why),
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

    fn spec(&self) -> &'static CheckSpec {
        self.spec
    }

    fn start(&self, why: &mut Explanation) -> State {
        match self.aggressor.dice {
            Some(_) => State::Start,
            None => self.attacked(None, why),
        }
    }

    fn ask(&self, state: &State) -> Ask {
        let roll = |side: &Target, by| {
            let pool = side.dice.unwrap_or(Dice::Skill).pool();
            Ask::Roll { pool, by }
        };
        match *state {
            State::Start => roll(&self.aggressor, Side::Actor),
            State::Attacked(_) => roll(&self.defender, Side::Opponent),
            State::Done {
                aggressor,
                defender,
            } => {
                let margin = aggressor - defender;
                let tally = Tally::new(None, margin.max(0));
                Ask::Done(judge(margin), tally)
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
