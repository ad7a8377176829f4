//! The saving throw (Heart Rush, Types of Rolls, 2), and the machine that it shares with the stratagem:
//! one roll against a number, on which 1s mean nothing.

use super::basic::{
    ABILITY, ADVANTAGE, ASPECT, CN, DISADVANTAGE, HEART, HINDRANCE, MODIFIER, Modifiers,
    PROFESSION, TANGENTIAL, compare, heart_and_ability, hinders_elsewhere,
};
use crate::dice::{Face, Pool, Reading, See};
use crate::rules::{
    Answer, Ask, Check, CheckSpec, Effect, Heard, Outcome, OutcomeId, OutcomeSpec, Refused, Side,
    Source, Story, System, Tally, Tone, Whose,
};

/// What a roll against a number comes to.
pub(super) const OUTCOMES: &[OutcomeSpec] = &[
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

const SUCCESS: OutcomeId = OutcomeId(0);
const FAILURE: OutcomeId = OutcomeId(1);

/// The saving throw, described.
pub(super) static SPEC: CheckSpec = CheckSpec {
    system: System::HeartRush,
    id: "save",
    label: "Saving throw",
    help: "Avoiding what others or the surroundings do. Against a creature the Challenge Number is its ability \
           challenge number. 1s mean nothing.",
    fields: &[
        HEART,
        ABILITY,
        CN.from(Source::Derived).of(Whose::Opponent),
        ADVANTAGE,
        DISADVANTAGE,
        PROFESSION,
        TANGENTIAL,
        ASPECT,
        HINDRANCE,
        MODIFIER,
    ],
    choices: &[],
    outcomes: OUTCOMES,
    has_success: true,
    explodes: false,
    helping: None,
    success_after: None,
    prepare: |fields, house| {
        let (dice, keep) = heart_and_ability(fields);
        if house.is("save-aspects", "no") && fields.number("aspect") > 0 {
            let why = "at this table no Destiny Points are spent on an aspect in a saving throw";
            return Err(Refused(why.to_owned()));
        }
        hinders_elsewhere(fields, house)?;
        Ok(Box::new(Plain {
            pool: Pool {
                dice,
                keep,
                see: See::Sum,
            },
            modifiers: Modifiers::new(fields, house)?,
            cn: fields.number("cn"),
            before: None,
            crisis: None,
        }))
    },
};

/// One roll against a number, with everything known but the dice.
#[derive(Clone, Debug)]
pub(super) struct Plain {
    /// The dice; the rule sees their sum.
    pub(super) pool: Pool,
    /// What is added to them.
    pub(super) modifiers: Modifiers,
    /// What the total must reach.
    pub(super) cn: i32,
    /// How that number came about, where it takes a sentence.
    pub(super) before: Option<String>,
    /// The highest face that brings a crisis, where one does (stratagems, house rule
    /// `stratagem-crisis`).
    pub(super) crisis: Option<Face>,
}

impl Plain {
    fn judge(&self, kept: i32) -> (OutcomeId, Tally) {
        let total = kept + self.modifiers.sum();
        let success = total >= self.cn;
        let tally = Tally {
            total: Some(total),
            levels: i32::from(success),
            open: None,
        };
        (if success { SUCCESS } else { FAILURE }, tally)
    }
}

impl Check for Plain {
    /// The sum of the kept dice, once they are rolled.
    type State = Option<i32>;

    fn start(&self) -> Option<i32> {
        None
    }

    fn ask(&self, state: &Option<i32>) -> Ask {
        match *state {
            None => Ask::Roll {
                pool: self.pool.clone(),
                by: Side::Actor,
            },
            Some(kept) => {
                let (outcome, tally) = self.judge(kept);
                Ask::Response(outcome, tally)
            }
        }
    }

    fn hear(&self, state: Option<i32>, heard: &Heard) -> Option<i32> {
        match heard {
            Heard::Dice(Reading::Sum(kept)) => Some(*kept),
            _ => state,
        }
    }

    fn report(&self, trail: &[Answer]) -> Outcome {
        let faces = match trail.first() {
            Some(Answer::Faces(faces)) => faces.as_slice(),
            Some(Answer::Chose { .. }) | None => &[],
        };
        let kept = match self.pool.read(faces) {
            Reading::Sum(sum) => sum,
            _ => 0,
        };
        let (outcome, tally) = self.judge(kept);
        let total = kept + self.modifiers.sum();
        let mut story = Story::default();
        story.roll(&self.pool, faces);
        story.sum(kept, &self.modifiers.named);
        if let Some(before) = &self.before {
            story.say(before);
        }
        story.say(compare(total, self.cn));
        let mut effects = self.modifiers.effects();
        let lowest = faces.iter().min();
        if let Some(face) = lowest.filter(|face| self.crisis.is_some_and(|low| **face <= low)) {
            let why = if *face == 1 {
                String::new()
            } else {
                ", which Vulnerability makes count like a 1".to_owned()
            };
            story.say(format!(
                "A {face} came up{why}: now that success is settled, a crisis is played."
            ));
            effects.push(Effect::Complication);
        }
        Outcome {
            outcome,
            success: Some(outcome == SUCCESS),
            total: tally.total,
            target: Some(self.cn),
            dice: story.dice,
            keys: Vec::new(),
            effects,
            steps: story.steps,
        }
    }
}
