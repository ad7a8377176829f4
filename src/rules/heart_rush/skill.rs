//! The skill check (Heart Rush, Types of Rolls, 1), with the complication rule.

use super::CHALLENGE_NUMBERS;
use super::sheet::ABILITIES;
use crate::dice::{Die, Face, Group, Keep, Pool, Reading, Role, See};
use crate::rules::{
    Answer, Ask, Check, CheckSpec, ChoiceId, ChoiceSpec, Choices, Effect, Field, Fields, Heard,
    House, Kind, Outcome, OutcomeId, OutcomeSpec, Picked, Side, Source, Story, System, Tally,
    TokenKind, Tone,
};

const SUCCESS: OutcomeId = OutcomeId(0);
const SUCCESS_WITH_COMPLICATION: OutcomeId = OutcomeId(1);
const FAILURE: OutcomeId = OutcomeId(2);
const FAILURE_WITH_COMPLICATION: OutcomeId = OutcomeId(3);

const FAIL: ChoiceId = ChoiceId(0);
const COMPLICATION: ChoiceId = ChoiceId(1);

/// The most Destiny Points that a scene gives from negative invocations.
const MOST_GAINED: i32 = 5;

/// The skill check, described.
pub(super) static SPEC: CheckSpec = CheckSpec {
    system: System::HeartRush,
    id: "skill",
    label: "Skill check",
    help: "An action with a chance of failure. Heart die and ability die against the Challenge Number.",
    fields: &[
        Field::new(
            "heart",
            "Heart die",
            Kind::Die,
            "Stamina, as it stands now.",
        )
        .from(Source::Stat("heart-now")),
        Field::new(
            "ability",
            "Ability die",
            Kind::Die,
            "Might, Agility, Cunning or Presence.",
        )
        .from(Source::OneOf(ABILITIES)),
        Field::new(
            "cn",
            "Challenge Number",
            Kind::Number { min: 1, max: 40 },
            "What the total must reach.",
        )
        .named(CHALLENGE_NUMBERS),
        Field::number(
            "advantage",
            "Advantage",
            (0, 9),
            0,
            "Each level adds the smallest die and drops the lowest.",
        ),
        Field::number(
            "disadvantage",
            "Disadvantage",
            (0, 9),
            0,
            "Each level adds the largest die and drops the highest.",
        ),
        Field::flag(
            "helped",
            "Helped",
            "One level of advantage, however many help; they share what goes wrong.",
        ),
        Field::number(
            "profession",
            "Profession",
            (0, 9),
            0,
            "The rank of the one profession that applies.",
        )
        .from(Source::Ranked {
            list: "professions",
            offer: false,
        }),
        Field::flag(
            "tangential",
            "Tangential",
            "The profession helps indirectly: half its rank, rounded down.",
        ),
        Field::number(
            "aspect",
            "Aspect",
            (0, 9),
            0,
            "Destiny Points spent on an aspect, up to its rank.",
        )
        .spends(TokenKind::Destiny),
        Field::number(
            "hindrance",
            "Hindrance",
            (0, 9),
            0,
            "The rank of an aspect taken as a penalty; it gains that many Destiny Points.",
        )
        .from(Source::Ranked {
            list: "aspects",
            offer: false,
        }),
        Field::number("modifier", "Modifier", (-20, 20), 0, "Anything else."),
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
    has_total: true,
    prepare: |fields, house| Ok(Box::new(Skill::new(fields, house))),
};

/// A skill check with everything known but the dice.
#[derive(Clone, Debug)]
pub(super) struct Skill {
    pool: Pool,
    modifier: i32,
    cn: i32,
    aspect: i32,
    hindrance: i32,
    profession: (i32, bool),
    modifiers: i32,
    /// Whether a dropped 1 counts (house rule `ones`).
    any_one: bool,
}

/// What later steps can still see.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum State {
    /// Nothing rolled yet.
    Start,
    /// One die shows 1: `rest` is the kept sum without it, `die` the die if it is kept.
    One { rest: i32, die: Option<Die> },
    /// It is being rolled again.
    Again { rest: i32, die: Option<Die> },
    /// Resolved, with the kept sum.
    Done { outcome: OutcomeId, kept: i32 },
}

/// Advantage and disadvantage cancel; what is left adds dice and drops as many (Heart Rush, Advantage &
/// Disadvantage).
pub(super) fn with_extra(mut dice: Vec<Group>, net: i32) -> (Vec<Group>, Keep) {
    let keep: u8 = dice.iter().map(|group| group.count).sum();
    let count = u8::try_from(net.unsigned_abs()).unwrap_or(u8::MAX);
    let sizes = || dice.iter().map(|group| group.die);
    let (extra, keep) = match net.signum() {
        0 => return (dice, Keep::All),
        1 => (sizes().min(), Keep::Highest(keep)),
        _ => (sizes().max(), Keep::Lowest(keep)),
    };
    if let Some(die) = extra {
        dice.push(Group {
            die,
            count,
            role: Role::Extra,
        });
    }
    (dice, keep)
}

impl Skill {
    fn new(fields: &Fields, house: &House) -> Self {
        let one = |die, role| Group {
            die,
            count: 1,
            role,
        };
        let net = fields.number("advantage") - fields.number("disadvantage")
            + i32::from(fields.flag("helped"));
        let (dice, keep) = with_extra(
            vec![
                one(fields.die("heart"), Role::Heart),
                one(fields.die("ability"), Role::Ability),
            ],
            net,
        );
        let any_one = house.is("ones", "any");
        let tangential = fields.flag("tangential");
        let rank = fields.number("profession");
        let profession = if tangential { rank / 2 } else { rank };
        let (aspect, hindrance) = (fields.number("aspect"), fields.number("hindrance"));
        Self {
            pool: Pool {
                dice,
                keep,
                see: if any_one {
                    See::KeptAndLow(1)
                } else {
                    See::Kept
                },
            },
            modifier: profession + aspect - hindrance + fields.number("modifier"),
            cn: fields.number("cn"),
            aspect,
            hindrance,
            profession: (profession, tangential),
            modifiers: fields.number("modifier"),
            any_one,
        }
    }

    fn judge(&self, kept: i32, complication: bool) -> State {
        let outcome = match (kept + self.modifier >= self.cn, complication) {
            (true, false) => SUCCESS,
            (true, true) => SUCCESS_WITH_COMPLICATION,
            (false, false) => FAILURE,
            (false, true) => FAILURE_WITH_COMPLICATION,
        };
        State::Done { outcome, kept }
    }

    fn first(&self, kept: &[(Face, Die)], low: u8) -> State {
        let sum: i32 = kept.iter().map(|&(face, _)| i32::from(face)).sum();
        let kept_ones: Vec<Die> = kept
            .iter()
            .filter(|(face, _)| *face == 1)
            .map(|&(_, die)| die)
            .collect();
        let ones = if self.any_one {
            usize::from(low)
        } else {
            kept_ones.len()
        };
        match (ones, kept_ones.first()) {
            (0, _) => self.judge(sum, false),
            (1, Some(&die)) => State::One {
                rest: sum - 1,
                die: Some(die),
            },
            (1, None) => State::One {
                rest: sum,
                die: None,
            },
            _ => State::Done {
                outcome: FAILURE_WITH_COMPLICATION,
                kept: sum,
            },
        }
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
            State::Again { die, .. } => {
                // A dropped 1 is rolled again too, and stays dropped: its size no longer matters.
                let die = die.unwrap_or(Die::D4);
                Ask::Roll {
                    pool: Pool::one(die, Role::Heart),
                    by: Side::Actor,
                }
            }
            State::Done { outcome, kept } => Ask::Done(
                outcome,
                Tally {
                    total: Some(kept + self.modifier),
                    levels: i32::from(outcome <= SUCCESS_WITH_COMPLICATION),
                    open: None,
                },
            ),
        }
    }

    fn hear(&self, state: State, heard: &Heard) -> State {
        match (state, heard) {
            (State::Start, Heard::Dice(Reading::Kept { dice, low })) => self.first(dice, *low),
            (State::One { rest, die }, Heard::Chose(FAIL)) => State::Done {
                outcome: FAILURE,
                kept: rest + i32::from(die.is_some()),
            },
            (State::One { rest, die }, Heard::Chose(_)) => State::Again { rest, die },
            (State::Again { rest, die }, Heard::Dice(Reading::Sum(face))) => {
                self.judge(rest + if die.is_some() { *face } else { 0 }, true)
            }
            (state, _) => state,
        }
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
                    story.say("A 1 came up, and failing was chosen over a complication.");
                    self.hear(state, &Heard::Chose(FAIL))
                }
                (State::One { .. }, Answer::Chose { .. }) => {
                    story.say("A 1 came up: that die is rolled again, with a complication.");
                    self.hear(state, &Heard::Chose(COMPLICATION))
                }
                (State::Again { .. }, Answer::Faces(faces)) => {
                    let face = faces.first().copied().unwrap_or(0);
                    story.roll_again(|die| die.face == 1, face);
                    self.hear(state, &Heard::Dice(Reading::Sum(i32::from(face))))
                }
                (state, _) => state,
            };
        }
        let (outcome, kept) = match state {
            State::Done { outcome, kept } => (outcome, kept),
            State::Start | State::One { .. } | State::Again { .. } => (FAILURE, 0),
        };
        self.tell(story, outcome, kept)
    }
}

impl Skill {
    fn tell(&self, mut story: Story, outcome: OutcomeId, kept: i32) -> Outcome {
        let total = kept + self.modifier;
        let (profession, tangential) = self.profession;
        story.sum(
            kept,
            &[
                (
                    if tangential {
                        "tangential profession"
                    } else {
                        "profession"
                    },
                    profession,
                ),
                ("aspect", self.aspect),
                ("hindrance", -self.hindrance),
                ("modifier", self.modifiers),
            ],
        );
        let name = SPEC.field("cn").and_then(|field| field.name_of(self.cn));
        let reached = if total >= self.cn {
            "reaches"
        } else {
            "is below"
        };
        let name = name.map(|name| format!(" ({name})")).unwrap_or_default();
        story.say(format!(
            "{total} {reached} the Challenge Number {}{name}.",
            self.cn
        ));
        let complication =
            outcome == SUCCESS_WITH_COMPLICATION || outcome == FAILURE_WITH_COMPLICATION;
        if outcome == FAILURE_WITH_COMPLICATION && story.ones_were_two() {
            story.say("Two 1s fail whatever the total, with a complication.");
        } else if outcome == FAILURE && total >= self.cn {
            story.say("Failing was chosen, so the total does not matter.");
        }
        let mut effects = Vec::new();
        let points = |amount| Effect::Token {
            pool: TokenKind::Destiny,
            owner: None,
            amount,
        };
        if self.aspect > 0 {
            effects.push(points(-self.aspect));
        }
        if self.hindrance > 0 {
            effects.push(points(self.hindrance.min(MOST_GAINED)));
        }
        if complication {
            effects.push(Effect::Complication);
        }
        Outcome {
            outcome,
            success: Some(SPEC.outcome(outcome).success),
            total: Some(total),
            target: Some(self.cn),
            dice: story.dice,
            keys: Vec::new(),
            effects,
            steps: story.steps,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Dealer, Stand, Value, resolve};

    #[test]
    fn the_cliff_is_climbed_with_fourteen_against_twelve() {
        let given = [
            ("heart", Value::Die(Die::D8)),
            ("ability", Value::Die(Die::D10)),
            ("cn", Value::Number(12)),
            ("profession", Value::Number(2)),
        ];
        let fields = Fields::new(&SPEC, given).unwrap();
        let check = (SPEC.prepare)(&fields, &House::default()).unwrap();
        let mut trail = Vec::new();
        let stand = resolve(&*check, &mut trail, &mut Dealer::by_hand(&[5, 7])).unwrap();
        assert_eq!(stand, Stand::Done);
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
}
