//! The checks that one side makes: skill, trait, quantity (HEARTS, Types of Checks).

use super::QUANTITY_ZERO;
use super::target::{
    ASSIST, ASSISTING, BONUS, CHALLENGE, Dice, Level, QUANTITY, SKILL, SUCCESSES_ADD,
    SUCCESSES_TIMES, TRAIT, Target, spell,
};
use crate::dice::Observation;
use crate::rules::{
    Answered, Ask, Check, CheckSpec, Effect, Explanation, Field, Fields, House, Key, OutcomeId,
    OutcomeSpec, Side, System, Tally, TokenKind, Tone,
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
        Field::flag("watch", "Watch Lead")
            .help("The Watch Lead's check in travel: each success is a Watch Action.")
            .quiet(),
    ],
    outcomes: &[
        OutcomeSpec::new("heroic", "Heroic Success", true, Tone::Triumph),
        OutcomeSpec::new("hard", "Hard Success", true, Tone::Triumph),
        OutcomeSpec::new("success", "Success", true, Tone::Good),
        OutcomeSpec::new("failure", "Failure", false, Tone::Bad),
        OutcomeSpec::new("fumble", "Fumble", false, Tone::Disaster),
    ],
    helping: Some(ASSISTING),
    success_after: Some("successes-add"),
    prepare: |fields, house| {
        Ok(Box::new(Single {
            watch: fields.flag("watch"),
            ..Single::new(&SKILL_CHECK, fields, house, Dice::Skill)
        }))
    },
    ..CheckSpec::PLAIN
};

/// What a check without levels comes to.
const PLAIN: &[OutcomeSpec] = &[
    OutcomeSpec::new("success", "Success", true, Tone::Good),
    OutcomeSpec::new("failure", "Failure", false, Tone::Bad),
];

/// The characteristic or trait check, described.
pub(super) static TRAIT_CHECK: CheckSpec = CheckSpec {
    system: System::Hearts,
    id: "trait",
    label: "Trait check",
    help: "2D10 against a characteristic or trait; 0 reads 10, and there are no levels of success. Is a check needed \
           at all? Not without pressure and with what it takes; else only with Reason and Worth.",
    fields: &[TRAIT, BONUS, CHALLENGE, SUCCESSES_ADD, SUCCESSES_TIMES],
    outcomes: PLAIN,
    success_after: Some("successes-add"),
    prepare: |fields, house| {
        Ok(Box::new(Single::new(
            &TRAIT_CHECK,
            fields,
            house,
            Dice::Trait,
        )))
    },
    ..CheckSpec::PLAIN
};

/// The consumable or quantity check, described.
pub(super) static QUANTITY_CHECK: CheckSpec = CheckSpec {
    system: System::Hearts,
    id: "quantity",
    label: "Quantity check",
    help: "1D10 against a consumable's quantity, without levels of success. What becomes of the consumable is the \
           table's to say.",
    fields: &[QUANTITY, BONUS, CHALLENGE, SUCCESSES_ADD, SUCCESSES_TIMES],
    outcomes: PLAIN,
    success_after: Some("successes-add"),
    prepare: |fields, house| {
        let dice = if house.departs(&QUANTITY_ZERO) {
            Dice::QuantityFromZero
        } else {
            Dice::Quantity
        };
        Ok(Box::new(Single::new(&QUANTITY_CHECK, fields, house, dice)))
    },
    ..CheckSpec::PLAIN
};

/// A check that one side makes, with everything known but the dice.
#[derive(Clone, Debug)]
struct Single {
    spec: &'static CheckSpec,
    side: Target,
    watch: bool,
}

/// What a roll reads as, whatever its dice.
pub(super) fn roll_of(reading: &Observation) -> Option<i32> {
    match reading {
        Observation::Faces(faces) => match faces.as_slice() {
            &[tens, ones] => Some(spell(tens, ones)),
            _ => None,
        },
        Observation::Sum(sum) => Some(*sum),
        Observation::Kept { .. } | Observation::Counts(_) => None,
    }
}

/// Shows a side's dice and says what they read as and come to.
pub(super) fn tell_roll(why: &mut Explanation, side: &Target, dice: Dice, roll: i32) {
    let (_, faces) = why.show_roll();
    let faces: Vec<String> = faces.iter().map(ToString::to_string).collect();
    why.say(match dice {
        Dice::Skill => format!("Rolled 1D100: {} reads {roll}.", faces.join(" and ")),
        Dice::Trait => format!("Rolled 2D10: {} make {roll}.", faces.join(" and ")),
        Dice::Quantity | Dice::QuantityFromZero => format!("Rolled 1D10: {roll}."),
    });
    why.say(side.target_words());
    why.say(side.level_words(dice, roll));
}

impl Single {
    fn new(spec: &'static CheckSpec, fields: &Fields, house: &House, dice: Dice) -> Self {
        Self {
            spec,
            side: Target::own(fields, house, dice),
            watch: false,
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

    fn spec(&self) -> &'static CheckSpec {
        self.spec
    }

    fn start(&self, _: &mut Explanation) -> State {
        State::Start
    }

    fn ask(&self, state: &State) -> Ask {
        if let (State::Start, Some(dice)) = (state, self.side.dice) {
            return Ask::roll(dice.pool(), Side::Actor);
        }
        let level = self.level(*state);
        let total = match *state {
            State::Start => None,
            State::Rolled(roll) => Some(roll),
        };
        let tally = Tally::new(total, self.side.modify(self.scored(*state)).max(0));
        Ask::Done(self.outcome_of(level), tally)
    }

    fn step(&self, state: State, answer: Answered<'_>, why: &mut Explanation) -> State {
        let Answered::Dice(observation) = answer else {
            return state;
        };
        let (Some(roll), Some(dice)) = (roll_of(observation), self.side.dice) else {
            return state;
        };
        why.tell(|why| tell_roll(why, &self.side, dice, roll));
        State::Rolled(roll)
    }

    fn conclude(&self, state: &State, why: &mut Explanation) {
        match state {
            State::Start => why.say("An automatic challenge is not rolled: 1 success."),
            State::Rolled(_) => why.target = Some(self.side.number),
        }
        let scored = self.scored(*state);
        let successes = self.side.modify(scored);
        why.say(self.side.success_words(scored));
        why.steps.extend(self.side.concludes(scored));
        if self.watch && successes > 0 {
            why.effects.push(Effect::Token {
                pool: TokenKind::WatchActions,
                owner: None,
                amount: successes,
            });
        }
        why.keys = vec![
            ("successes", Key::Number(successes)),
            ("extra", Key::Number((successes - 1).max(0))),
        ];
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
}
