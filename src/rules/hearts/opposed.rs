//! Opposed checks: one character resists another, or itself (HEARTS, Opposed Checks).

use super::skill::{roll_of, tell_roll};
use super::target::{
    AGAINST_ADD, AGAINST_ASSIST, AGAINST_BONUS, AGAINST_CHALLENGE, AGAINST_TIMES, ASSIST,
    ASSISTING, BONUS, CHALLENGE, Dice, OWN_CHECK, SKILL, SUCCESSES_ADD, SUCCESSES_TIMES, TRAIT,
    Target, against, against_check, count, dice_of,
};
use crate::rules::{
    Answer, Ask, Check, CheckSpec, Fields, Heard, House, Key, Outcome, OutcomeId, OutcomeSpec,
    Refused, Side, Story, System, Tally, Tone,
};

const AGGRESSOR: OutcomeId = OutcomeId(0);
const TIE: OutcomeId = OutcomeId(1);
const DEFENDER: OutcomeId = OutcomeId(2);

const OUTCOMES: &[OutcomeSpec] = &[
    OutcomeSpec {
        id: "aggressor",
        label: "Aggressor",
        success: true,
        tone: Tone::Good,
    },
    OutcomeSpec {
        id: "tie",
        label: "Tie",
        success: false,
        tone: Tone::Mixed,
    },
    OutcomeSpec {
        id: "defender",
        label: "Defender",
        success: false,
        tone: Tone::Bad,
    },
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
    choices: &[],
    outcomes: OUTCOMES,
    has_success: true,
    explodes: false,
    helping: Some(ASSISTING),
    success_after: None,
    prepare: |fields, house| {
        let own = ("skill", fields.number("skill"));
        Ok(Box::new(Opposed::new(fields, house, own)?))
    },
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
    choices: &[],
    outcomes: OUTCOMES,
    has_success: true,
    explodes: false,
    helping: None,
    success_after: None,
    prepare: |fields, house| {
        let own = (fields.text("own-check"), fields.number("value"));
        Ok(Box::new(Opposed::new(fields, house, own)?))
    },
};

/// An opposed check with everything known but the dice.
#[derive(Clone, Debug)]
struct Opposed {
    aggressor: Target,
    defender: Target,
    /// A tie gives half only where both succeeded (house rule `tie`).
    tie_needs_both: bool,
    /// A Fumble counts as 0 successes (house rule `opposed-fumble`).
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
    Response { aggressor: i32, defender: i32 },
}

impl Opposed {
    fn new(fields: &Fields, house: &House, (check, value): (&str, i32)) -> Result<Self, Refused> {
        let own = dice_of(check, ("value", value), house)?;
        let against = ("against", fields.number("against"));
        let theirs = dice_of(fields.text("against-check"), against, house)?;
        if theirs != Dice::Skill && fields.maybe_number("against-assist").unwrap_or(0) > 0 {
            let why = "only a skill check is assisted; leave out against-assist, or let the defender check a skill";
            return Err(Refused(why.to_owned()));
        }
        Ok(Self {
            aggressor: Target::own(fields, house, own),
            defender: Target::against(fields, house, theirs),
            tie_needs_both: house.is("tie", "both-succeed"),
            fumble_is_zero: house.is("opposed-fumble", "zero"),
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

    fn successes(&self, side: &Target, roll: Option<i32>) -> i32 {
        side.modify(self.scored(side, roll))
    }

    /// The state in which the next thing to do is a roll, or nothing.
    fn skip_automatic(&self, state: State) -> State {
        let mut state = state;
        if state == State::Start && self.aggressor.dice.is_none() {
            state = State::Attacked(self.successes(&self.aggressor, None));
        }
        if let (State::Attacked(aggressor), None) = (state, self.defender.dice) {
            let defender = self.successes(&self.defender, None);
            state = State::Response {
                aggressor,
                defender,
            };
        }
        state
    }
}

impl Check for Opposed {
    type State = State;

    fn start(&self) -> State {
        self.skip_automatic(State::Start)
    }

    fn ask(&self, state: &State) -> Ask {
        let roll = |side: &Target, by| {
            let pool = side.dice.unwrap_or(Dice::Skill).pool();
            Ask::Roll { pool, by }
        };
        match *state {
            State::Start => roll(&self.aggressor, Side::Actor),
            State::Attacked(_) => roll(&self.defender, Side::Opponent),
            State::Response {
                aggressor,
                defender,
            } => {
                let margin = aggressor - defender;
                let tally = Tally {
                    total: None,
                    levels: margin.max(0),
                    open: None,
                };
                Ask::Response(judge(margin), tally)
            }
        }
    }

    fn hear(&self, state: State, heard: &Heard) -> State {
        let roll = match heard {
            Heard::Dice(reading) => roll_of(reading),
            Heard::Chose(_) => return state,
        };
        match state {
            State::Start => {
                let aggressor = self.successes(&self.aggressor, roll);
                self.skip_automatic(State::Attacked(aggressor))
            }
            State::Attacked(aggressor) => State::Response {
                aggressor,
                defender: self.successes(&self.defender, roll),
            },
            State::Response { .. } => state,
        }
    }

    fn report(&self, trail: &[Answer]) -> Outcome {
        let mut rolls = trail.iter().filter_map(|answer| match answer {
            Answer::Faces(faces) => Some(faces.as_slice()),
            Answer::Chose { .. } => None,
        });
        let mut story = Story::default();
        let mut side = |name: &str, side: &Target| {
            let roll = side.dice.map(|dice| {
                story.say(format!("{name}:"));
                let roll = tell_roll(&mut story, dice, rolls.next().unwrap_or_default());
                story.say(side.target_words());
                story.say(side.level_words(dice, roll));
                roll
            });
            if roll.is_none() {
                story.say(format!(
                    "{name}: an automatic challenge is not rolled, 1 success."
                ));
            }
            let scored = self.scored(side, roll);
            story.say(side.success_words(scored));
            side.modify(scored)
        };
        let aggressor = side("The aggressor", &self.aggressor);
        let defender = side("The defender", &self.defender);
        self.tell(story, aggressor, defender)
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

impl Opposed {
    fn tell(&self, mut story: Story, aggressor: i32, defender: i32) -> Outcome {
        let margin = aggressor - defender;
        let mut keys = vec![
            ("aggressor", Key::Number(aggressor)),
            ("defender", Key::Number(defender)),
            ("margin", Key::Number(margin)),
        ];
        let outcome = judge(margin);
        if outcome == TIE {
            let scored = aggressor > 0 && defender > 0;
            let half = scored || !self.tie_needs_both;
            keys.push(("half", Key::Flag(half)));
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
            story.say(format!("A tie at {aggressor}, {who}: {what}."));
        } else {
            let (winner, loser) = if outcome == AGGRESSOR {
                ("aggressor", "defender")
            } else {
                ("defender", "aggressor")
            };
            let left = margin.abs();
            story.say(format!(
                "{aggressor} less {defender} leaves the {winner} {}, resolved as a {} Success; the {loser} counts as \
                 having rolled a Failure.",
                count(left),
                level_name(left)
            ));
        }
        Outcome {
            outcome,
            success: Some(outcome == AGGRESSOR),
            total: None,
            target: None,
            dice: story.dice,
            keys,
            effects: Vec::new(),
            steps: story.steps,
        }
    }
}
