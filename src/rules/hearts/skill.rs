//! The checks that one side makes: skill, trait, quantity (HEARTS, Types of Checks).

use super::target::{
    ASSIST, ASSISTING, BONUS, CHALLENGE, Dice, Level, QUANTITY, SKILL, SUCCESSES_ADD,
    SUCCESSES_TIMES, TRAIT, Target, spell,
};
use crate::dice::{Face, Reading};
use crate::rules::{
    Answer, Ask, Check, CheckSpec, Effect, Field, Fields, Heard, House, Key, Outcome, OutcomeId,
    OutcomeSpec, Side, Story, System, Tally, TokenKind, Tone,
};

/// The skill check, described.
pub(super) static SKILL_CHECK: CheckSpec = CheckSpec {
    system: System::Hearts,
    id: "skill",
    label: "Skill check",
    help: "1D100 against a skill, with levels of success. Is a check needed at all? Not with Training, Tools and Time \
           and without pressure, threat or duress; else only if there is a Reason why success or failure has Worth.",
    fields: &[
        SKILL,
        BONUS,
        ASSIST,
        CHALLENGE,
        SUCCESSES_ADD,
        SUCCESSES_TIMES,
        Field::flag(
            "watch",
            "Watch Lead",
            "The Watch Lead's check in travel: each success is a Watch Action.",
        )
        .quiet(),
    ],
    choices: &[],
    outcomes: &[
        OutcomeSpec {
            id: "heroic",
            label: "Heroic Success",
            success: true,
            tone: Tone::Triumph,
        },
        OutcomeSpec {
            id: "hard",
            label: "Hard Success",
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
            id: "failure",
            label: "Failure",
            success: false,
            tone: Tone::Bad,
        },
        OutcomeSpec {
            id: "fumble",
            label: "Fumble",
            success: false,
            tone: Tone::Disaster,
        },
    ],
    has_success: true,
    explodes: false,
    helping: Some(ASSISTING),
    success_after: Some("successes-add"),
    prepare: |fields, house| {
        Ok(Box::new(Single {
            watch: fields.flag("watch"),
            ..Single::new(&SKILL_CHECK, fields, house, Dice::Skill)
        }))
    },
};

/// What a check without levels comes to.
const PLAIN: &[OutcomeSpec] = &[
    OutcomeSpec {
        id: "success",
        label: "Success",
        success: true,
        tone: Tone::Good,
    },
    OutcomeSpec {
        id: "failure",
        label: "Failure",
        success: false,
        tone: Tone::Bad,
    },
];

/// The characteristic or trait check, described.
pub(super) static TRAIT_CHECK: CheckSpec = CheckSpec {
    system: System::Hearts,
    id: "trait",
    label: "Trait check",
    help: "2D10 against a characteristic or trait; 0 reads 10, and there are no levels of success. Is a check needed \
           at all? Not without pressure and with what it takes; else only with Reason and Worth.",
    fields: &[TRAIT, BONUS, CHALLENGE, SUCCESSES_ADD, SUCCESSES_TIMES],
    choices: &[],
    outcomes: PLAIN,
    has_success: true,
    explodes: false,
    helping: None,
    success_after: Some("successes-add"),
    prepare: |fields, house| {
        Ok(Box::new(Single::new(
            &TRAIT_CHECK,
            fields,
            house,
            Dice::Trait,
        )))
    },
};

/// The consumable or quantity check, described.
pub(super) static QUANTITY_CHECK: CheckSpec = CheckSpec {
    system: System::Hearts,
    id: "quantity",
    label: "Quantity check",
    help: "1D10 against a consumable's quantity, without levels of success. What becomes of the consumable is the \
           table's to say.",
    fields: &[QUANTITY, BONUS, CHALLENGE, SUCCESSES_ADD, SUCCESSES_TIMES],
    choices: &[],
    outcomes: PLAIN,
    has_success: true,
    explodes: false,
    helping: None,
    success_after: Some("successes-add"),
    prepare: |fields, house| {
        let dice = if house.is("quantity-zero", "zero") {
            Dice::QuantityFromZero
        } else {
            Dice::Quantity
        };
        Ok(Box::new(Single::new(&QUANTITY_CHECK, fields, house, dice)))
    },
};

/// A check that one side makes, with everything known but the dice.
#[derive(Clone, Debug)]
struct Single {
    spec: &'static CheckSpec,
    side: Target,
    watch: bool,
    /// Whether only successes beyond the first are Watch Actions (house rule `watch`).
    watch_is_beyond: bool,
}

/// What a roll reads as, whatever its dice.
pub(super) fn roll_of(reading: &Reading) -> Option<i32> {
    match reading {
        Reading::Faces(faces) => match faces.as_slice() {
            &[tens, ones] => Some(spell(tens, ones)),
            _ => None,
        },
        Reading::Sum(sum) => Some(*sum),
        Reading::Kept { .. } | Reading::SumAndMax { .. } | Reading::Counts(_) => None,
    }
}

/// Adds a side's dice and says what they read as.
pub(super) fn tell_roll(story: &mut Story, dice: Dice, faces: &[Face]) -> i32 {
    let pool = dice.pool();
    story.add(&pool, faces);
    let roll = roll_of(&pool.read(faces)).unwrap_or(0);
    let faces: Vec<String> = faces.iter().map(ToString::to_string).collect();
    story.say(match dice {
        Dice::Skill => format!("Rolled 1D100: {} reads {roll}.", faces.join(" and ")),
        Dice::Trait => format!("Rolled 2D10: {} make {roll}.", faces.join(" and ")),
        Dice::Quantity | Dice::QuantityFromZero => format!("Rolled 1D10: {roll}."),
    });
    roll
}

impl Single {
    fn new(spec: &'static CheckSpec, fields: &Fields, house: &House, dice: Dice) -> Self {
        Self {
            spec,
            side: Target::own(fields, house, dice),
            watch: false,
            watch_is_beyond: house.is("watch", "beyond"),
        }
    }

    fn level(&self, state: State) -> Level {
        match (state, self.side.dice) {
            (State::Rolled(roll), Some(dice)) => self.side.level(dice, roll),
            _ => Level::Success,
        }
    }

    /// The successes before modification; an automatic challenge scores 1.
    fn scored(&self, state: State) -> i32 {
        match (state, self.side.dice) {
            (State::Rolled(roll), Some(dice)) => self.side.scores(dice, roll),
            _ => Level::Success.successes(),
        }
    }

    /// The outcome that a level is, in the order of the check's own list.
    fn outcome_of(&self, level: Level) -> OutcomeId {
        let id = match level {
            Level::Heroic => "heroic",
            Level::Hard => "hard",
            Level::Success => "success",
            Level::Failure => "failure",
            Level::Fumble => "fumble",
        };
        self.spec.outcome_named(id).unwrap_or(OutcomeId(0))
    }
}

/// What later steps can still see.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum State {
    /// Nothing rolled yet.
    Start,
    /// The roll, read.
    Rolled(i32),
}

impl Check for Single {
    type State = State;

    fn start(&self) -> State {
        State::Start
    }

    fn ask(&self, state: &State) -> Ask {
        if let (State::Start, Some(dice)) = (state, self.side.dice) {
            return Ask::Roll {
                pool: dice.pool(),
                by: Side::Actor,
            };
        }
        let level = self.level(*state);
        let total = match *state {
            State::Start => None,
            State::Rolled(roll) => Some(roll),
        };
        let tally = Tally {
            total,
            levels: self.side.modify(self.scored(*state)).max(0),
            open: None,
        };
        Ask::Response(self.outcome_of(level), tally)
    }

    fn hear(&self, state: State, heard: &Heard) -> State {
        match heard {
            Heard::Dice(reading) => roll_of(reading).map_or(state, State::Rolled),
            Heard::Chose(_) => state,
        }
    }

    fn report(&self, trail: &[Answer]) -> Outcome {
        let mut story = Story::default();
        let mut state = State::Start;
        if let (Some(Answer::Faces(faces)), Some(dice)) = (trail.first(), self.side.dice) {
            let roll = tell_roll(&mut story, dice, faces);
            story.say(self.side.target_words());
            story.say(self.side.level_words(dice, roll));
            state = State::Rolled(roll);
        } else {
            story.say("An automatic challenge is not rolled: 1 success.");
        }
        let level = self.level(state);
        let successes = self.side.modify(self.scored(state));
        story.say(self.side.success_words(self.scored(state)));
        story.steps.extend(self.side.concludes(self.scored(state)));
        let mut effects = Vec::new();
        let actions = successes - i32::from(self.watch_is_beyond);
        if self.watch && actions > 0 {
            effects.push(Effect::Token {
                pool: TokenKind::WatchActions,
                owner: None,
                amount: actions,
            });
        }
        let (total, target) = match state {
            State::Start => (None, None),
            State::Rolled(roll) => (Some(roll), Some(self.side.number)),
        };
        Outcome {
            outcome: self.outcome_of(level),
            success: Some(successes > 0),
            total,
            target,
            dice: story.dice,
            keys: vec![
                ("successes", Key::Number(successes)),
                ("extra", Key::Number((successes - 1).max(0))),
            ],
            effects,
            steps: story.steps,
        }
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::rules::Value;

    fn target(skill: i32, challenge: &str) -> Target {
        let given = [
            ("skill", Value::Number(skill)),
            ("challenge", Value::from(challenge)),
        ];
        let fields = Fields::new(&SKILL_CHECK, given).unwrap();
        Target::own(&fields, &House::default(), Dice::Skill)
    }

    #[rstest]
    #[case::a_multiple_of_ten(50, 50, Level::Heroic)]
    #[case::also_below_half(50, 20, Level::Heroic)]
    #[case::half(50, 25, Level::Hard)]
    #[case::above_half(50, 26, Level::Success)]
    #[case::above_the_target(50, 51, Level::Failure)]
    #[case::a_failed_ten(50, 60, Level::Fumble)]
    #[case::the_highest(50, 100, Level::Fumble)]
    #[case::half_rounds_up(45, 23, Level::Hard)]
    #[case::above_half_rounded_up(45, 24, Level::Success)]
    #[case::the_highest_fails_whatever_the_target(130, 100, Level::Fumble)]
    #[case::even_exactly(100, 100, Level::Fumble)]
    #[case::nothing_is_at_most_zero(0, 1, Level::Failure)]
    fn levels_have_these_edges(#[case] skill: i32, #[case] roll: i32, #[case] level: Level) {
        assert_eq!(target(skill, "normal").level(Dice::Skill, roll), level);
    }

    #[rstest]
    #[case(50, "easy", 100)]
    #[case(45, "difficult", 23)]
    #[case(67, "heroic", 7)]
    #[case(50, "heroic", 5)]
    #[case(1, "heroic", 1)]
    #[case(0, "difficult", 0)]
    fn a_challenge_multiplies_the_value_and_rounds_up(
        #[case] skill: i32,
        #[case] challenge: &str,
        #[case] expected: i32,
    ) {
        assert_eq!(target(skill, challenge).number, expected);
    }
}
