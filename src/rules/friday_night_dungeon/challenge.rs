//! The challenge roll (Friday Night Dungeon, Challenge Rolls).

use super::sheet::COMPETENCES;
use crate::dice::{Die, Face, Group, Keep, Pool, Reading, Role, See};
use crate::rules::{
    Answer, Ask, Brings, Check, CheckSpec, ChoiceId, ChoiceSpec, Choices, ChosenBy, Consequence,
    Effect, Field, Fields, Heard, Helping, House, Kind, Outcome, OutcomeId, OutcomeSpec, Picked,
    Preset, Refused, Shares, Side, Source, Story, System, Tally, Tone,
};

const CRITICAL: OutcomeId = OutcomeId(0);
const SUCCESS: OutcomeId = OutcomeId(1);
const CONSEQUENCE: OutcomeId = OutcomeId(2);
const FAILURE: OutcomeId = OutcomeId(3);

/// The question whether a failed charm challenge may be tried again, and its answers.
const AGAIN: &str = "again";
const ALLOW: &str = "allow";
const FORBID: &str = "forbid";

const DIFFICULTIES: &[&str] = &[
    "trivial",
    "easy",
    "moderate",
    "difficult",
    "heroic",
    "legendary",
];

/// The challenge roll, described.
pub(super) static SPEC: CheckSpec = CheckSpec {
    system: System::FridayNightDungeon,
    id: "challenge",
    label: "Challenge",
    help: "2d6 against the target number: 7, and 3 more or less for each step between difficulty and competence. \
           Nobody may try what is more than one step above.",
    fields: &[
        Field::new(
            "competence",
            "Competence",
            Kind::Word(COMPETENCES),
            "The skill rank if a skill applies, else the ability score, the better if both do; never the sum.",
        )
        .from(Source::Derived),
        Field::new(
            "difficulty",
            "Difficulty",
            Kind::Word(DIFFICULTIES),
            "At most one step above the competence.",
        ),
        Field::flag(
            "aided",
            "Aided",
            "+1, however many help; hindrance cancels it.",
        ),
        Field::flag(
            "hindered",
            "Hindered",
            "−1, however many hinder; aid cancels it.",
        ),
        Field::flag(
            "advantage",
            "Advantage",
            "One more die, the two highest are kept; disadvantage cancels it.",
        ),
        Field::flag(
            "disadvantage",
            "Disadvantage",
            "One more die, the two lowest are kept; advantage cancels it.",
        ),
        Field::number(
            "penalty",
            "Penalty",
            (0, 9),
            0,
            "Wounds (−1 from the second on), exhaustion (−2).",
        )
        .from(Source::Derived),
        Field::new(
            "kind",
            "Kind",
            Kind::Word(&["physical", "mental", "charm"]),
            "Whether it may be tried again: physical freely; mental after inspiration, a clue or rest; charm as the \
             Dungeon Master decides.",
        )
        .preset(Preset::Word("physical"))
        .from(Source::Follows("competence")),
        Field::new("about", "About", Kind::Text, "What is tried, in a few words.")
            .preset(Preset::Empty),
        Field::number(
            "harder",
            "Difficulties higher",
            (0, 5),
            0,
            "With three wounds every challenge counts one difficulty higher.",
        )
        .from(Source::Derived)
        .quiet(),
        Field::flag(
            "no-bonuses",
            "No bonuses",
            "From two wounds on: aid adds nothing, though it still cancels hindrance.",
        )
        .from(Source::Derived)
        .quiet(),
    ],
    choices: &[ChoiceSpec {
        id: AGAIN,
        answers: &[ALLOW, FORBID],
        help: "A charm challenge failed, and the Dungeon Master decides whether it may be tried again. Unanswered: allow.",
    }],
    outcomes: &[
        OutcomeSpec {
            id: "critical",
            label: "Critical success",
            success: true,
            tone: Tone::Triumph,
        },
        OutcomeSpec {
            id: "success",
            label: "Success",
            success: true,
            tone: Tone::Good,
        },
        OutcomeSpec {
            id: "consequence",
            label: "Success with a consequence",
            success: true,
            tone: Tone::Mixed,
        },
        OutcomeSpec {
            id: "failure",
            label: "Failure",
            success: false,
            tone: Tone::Bad,
        },
    ],
    has_success: true,
    explodes: false,
    helping: Some(Helping {
        brings: Brings::Flag("aided"),
        acts: false,
        shares: Shares::Nothing,
        help: "+1, however many help; what goes wrong is not shared.",
    }),
    success_after: None,
    prepare: |fields, house| Ok(Box::new(Challenge::new(fields, house)?)),
};

/// Whether a failed challenge may be tried again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Again {
    Freely,
    AfterAChange,
    AsDecided,
}

/// A challenge with everything known but the dice.
#[derive(Clone, Debug)]
struct Challenge {
    pool: Pool,
    named: Vec<(&'static str, i32)>,
    target: i32,
    target_words: String,
    /// Whether aid adds nothing, for two wounds allow no bonuses.
    in_vain: bool,
    again: Again,
    about: String,
    /// Double sixes must reach the target number too (house rule `double-six`).
    six_must_reach: bool,
    /// Whether a consequence is read off the dice before anything is added (house rule `exact`).
    exact_on_the_dice: bool,
}

/// The two kept dice, as far as the rule looks at them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Kept {
    sum: i32,
    /// Whether there are double sixes.
    sixes: bool,
}

impl Kept {
    fn of(reading: &Reading) -> Option<Self> {
        match reading {
            // Two kept dice that make 12 are double sixes.
            Reading::Sum(sum) => Some(Self {
                sum: *sum,
                sixes: *sum == 12,
            }),
            // From the highest down: with disadvantage the last two are kept.
            Reading::Counts(faces) => Some(Self {
                sum: faces.iter().rev().take(2).copied().map(i32::from).sum(),
                sixes: faces.iter().take(2).all(|&face| face == 6),
            }),
            Reading::Faces(_) | Reading::Kept { .. } | Reading::SumAndMax { .. } => None,
        }
    }
}

/// What later steps can still see.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum State {
    /// Nothing rolled yet.
    Start,
    /// The dice fell.
    Rolled(Kept),
    /// The Dungeon Master said whether it may be tried again.
    Decided(Kept),
}

/// The target number for a difficulty so many steps above the competence (Friday Night Dungeon,
/// Attempting a Challenge).
fn target_number(steps: i32, one_step: bool) -> i32 {
    let steps = if one_step { steps.max(-1) } else { steps };
    7 + 3 * steps
}

fn step(words: &[&str], word: &str) -> i32 {
    let found = words.iter().position(|known| *known == word);
    found.and_then(|step| i32::try_from(step).ok()).unwrap_or(0)
}

impl Challenge {
    fn new(fields: &Fields, house: &House) -> Result<Self, Refused> {
        let (competence, difficulty) = (fields.text("competence"), fields.text("difficulty"));
        let harder = fields.number("harder");
        let asked = step(DIFFICULTIES, difficulty) + harder;
        let steps = asked - step(COMPETENCES, competence);
        let harder = match harder {
            0 => String::new(),
            harder => format!(", which counts {harder} higher,"),
        };
        if steps > 1 {
            return Err(Refused(format!(
                "{difficulty}{harder} is {steps} steps above {competence}; nobody may try what is more than one step \
                 above their competence"
            )));
        }
        let target = target_number(steps, house.is("far-below", "one-step"));
        let where_it_is = match steps {
            1 => "one step above".to_owned(),
            0 => "level with".to_owned(),
            -1 => "one step below".to_owned(),
            steps => format!("{} steps below", -steps),
        };
        let target_words =
            format!("{difficulty}{harder} is {where_it_is} {competence}: target number {target}.");
        let net = |more, less| i32::from(fields.flag(more)) - i32::from(fields.flag(less));
        let bare = fields.flag("no-bonuses");
        let no_advantage = bare && house.is("no-bonuses", "advantage");
        let (count, keep) = match net("advantage", "disadvantage") {
            0 => (2, Keep::All),
            1 if no_advantage => (2, Keep::All),
            1 => (3, Keep::Highest(2)),
            _ => (3, Keep::Lowest(2)),
        };
        let dice = vec![Group {
            die: Die::D6,
            count,
            role: Role::Pool,
        }];
        let help = net("aided", "hindered");
        let in_vain = bare && help > 0;
        let help = if in_vain { 0 } else { help };
        let both = fields.flag("aided") && fields.flag("hindered");
        let penalty = match fields.number("penalty") {
            _ if both && house.is("aid-and-hindrance", "all") => 0,
            penalty => penalty,
        };
        // A dropped 6 is looked at only where it may make double sixes (house rule `sixes-of`).
        let see = match keep {
            Keep::Lowest(_) if house.is("sixes-of", "rolled") => See::Counts,
            _ => See::Sum,
        };
        Ok(Self {
            pool: Pool { dice, keep, see },
            named: vec![
                (if help < 0 { "hindered" } else { "aided" }, help),
                ("penalty", -penalty),
            ],
            target,
            target_words: capital(&target_words),
            in_vain,
            again: match fields.text("kind") {
                "mental" => Again::AfterAChange,
                "charm" => Again::AsDecided,
                _ => Again::Freely,
            },
            about: fields.text("about").to_owned(),
            six_must_reach: house.is("double-six", "reaching"),
            exact_on_the_dice: house.is("exact", "dice"),
        })
    }

    fn total(&self, kept: i32) -> i32 {
        kept + self.named.iter().map(|(_, amount)| amount).sum::<i32>()
    }

    fn judge(&self, kept: Kept) -> OutcomeId {
        let total = self.total(kept.sum);
        if kept.sixes && (total >= self.target || !self.six_must_reach) {
            return CRITICAL;
        }
        let exact = if self.exact_on_the_dice {
            kept.sum
        } else {
            total
        };
        match total - self.target {
            ..0 => FAILURE,
            _ if exact == self.target => CONSEQUENCE,
            _ => SUCCESS,
        }
    }
}

/// The sentence with a capital letter.
fn capital(words: &str) -> String {
    let mut letters = words.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

impl Check for Challenge {
    type State = State;

    fn start(&self) -> State {
        State::Start
    }

    fn ask(&self, state: &State) -> Ask {
        match *state {
            State::Start => Ask::Roll {
                pool: self.pool.clone(),
                by: Side::Actor,
            },
            State::Rolled(kept)
                if self.again == Again::AsDecided && self.judge(kept) == FAILURE =>
            {
                let option = |(id, (name, label)): (u32, (&str, &str))| Picked {
                    id: ChoiceId(id),
                    name: name.to_owned(),
                    label: label.to_owned(),
                };
                let options = [
                    (ALLOW, "It may be tried again"),
                    (FORBID, "Not as it stands"),
                ];
                let what = Choices {
                    choice: AGAIN,
                    options: (0..).zip(options).map(option).collect(),
                    default: 0,
                };
                Ask::Choose { what, by: Side::Gm }
            }
            State::Rolled(kept) | State::Decided(kept) => {
                let outcome = self.judge(kept);
                let tally = Tally {
                    total: Some(self.total(kept.sum)),
                    levels: i32::from(outcome != FAILURE),
                    open: None,
                };
                Ask::Response(outcome, tally)
            }
        }
    }

    fn hear(&self, state: State, heard: &Heard) -> State {
        match (state, heard) {
            (State::Start, Heard::Dice(reading)) => Kept::of(reading).map_or(state, State::Rolled),
            (State::Rolled(kept), Heard::Chose(_)) => State::Decided(kept),
            (state, _) => state,
        }
    }

    fn report(&self, trail: &[Answer]) -> Outcome {
        let faces: &[Face] = match trail.first() {
            Some(Answer::Faces(faces)) => faces,
            Some(Answer::Chose { .. }) | None => &[],
        };
        let kept = Kept::of(&self.pool.read(faces)).unwrap_or_default();
        let (outcome, total) = (self.judge(kept), self.total(kept.sum));
        let mut story = Story::default();
        story.say(&self.target_words);
        story.roll(&self.pool, faces);
        if self.in_vain {
            story.say("Two wounds allow no bonuses: the aid adds nothing.");
        }
        story.sum(kept.sum, &self.named);
        story.say(match outcome {
            CRITICAL if kept.sum < 12 => {
                "Two of the dice rolled are sixes: at this table a critical success.".to_owned()
            }
            CRITICAL => "Double sixes: a critical success.".to_owned(),
            SUCCESS if total == self.target => format!(
                "{total} reaches {}, which the dice alone did not show: success.",
                self.target
            ),
            SUCCESS => format!("{total} is above {}: success.", self.target),
            CONSEQUENCE if total > self.target => format!(
                "The dice alone show exactly {}: success, but with a consequence.",
                self.target
            ),
            CONSEQUENCE => format!(
                "{total} is exactly {}: success, but with a consequence.",
                self.target
            ),
            _ => format!("{total} is below {}: failure.", self.target),
        });
        let mut effects = Vec::new();
        if outcome == CONSEQUENCE {
            effects.push(Effect::Consequence {
                amount: 1,
                of: Consequence::None,
            });
        }
        match self.again {
            Again::AfterAChange if outcome == FAILURE => {
                story.say(
                    "A failed mental challenge may not be tried again before inspiration, a clue or rest.",
                );
                effects.push(Effect::Lock {
                    about: self.about.clone(),
                });
            }
            Again::AsDecided if outcome == FAILURE => {
                let answer = trail.iter().find_map(|answer| match answer {
                    Answer::Chose { chose, by, .. } => Some((chose.as_str(), *by)),
                    Answer::Faces(_) => None,
                });
                story.say(match answer {
                    Some((FORBID, _)) => {
                        "The Dungeon Master does not let it be tried again as it stands."
                    }
                    Some((_, by)) if by != ChosenBy::Default => {
                        "The Dungeon Master lets it be tried again."
                    }
                    Some(_) | None => "The Dungeon Master decides whether it may be tried again.",
                });
                if answer.is_some_and(|(chose, _)| chose == FORBID) {
                    effects.push(Effect::Lock {
                        about: self.about.clone(),
                    });
                }
            }
            Again::Freely | Again::AfterAChange | Again::AsDecided => {}
        }
        Outcome {
            outcome,
            success: Some(outcome != FAILURE),
            total: Some(total),
            target: Some(self.target),
            dice: story.dice,
            keys: Vec::new(),
            effects,
            steps: story.steps,
        }
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case(1, 10, 10)]
    #[case(0, 7, 7)]
    #[case(-1, 4, 4)]
    #[case(-2, 1, 4)]
    #[case(-5, -8, 4)]
    fn each_step_changes_the_target_number_by_three(
        #[case] steps: i32,
        #[case] extrapolated: i32,
        #[case] one_step: i32,
    ) {
        assert_eq!(target_number(steps, false), extrapolated);
        assert_eq!(target_number(steps, true), one_step);
    }
}
