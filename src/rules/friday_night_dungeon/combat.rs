//! Combat dice (Friday Night Dungeon, Combat Rolls; Combat Dice).

use crate::dice::{Die, Face, Group, Pool, Reading, Role, See};
use crate::rules::{
    Answer, Ask, Check, CheckSpec, Field, Heard, Key, Outcome, OutcomeId, OutcomeSpec, Side,
    Source, Story, System, Tally, Tone,
};

const THREE_SWORDS: OutcomeId = OutcomeId(0);
const THREE_TALENTS: OutcomeId = OutcomeId(1);
const THREE_SHIELDS: OutcomeId = OutcomeId(2);
const MIXED: OutcomeId = OutcomeId(3);

/// The combat roll, described.
pub(super) static SPEC: CheckSpec = CheckSpec {
    system: System::FridayNightDungeon,
    id: "combat",
    label: "Combat dice",
    help: "Rolled when a session begins and at the end of each turn: 1–2 shield, 3–4 talent, 5–6 sword. Three of the \
           same make a critical available until the next turn.",
    fields: &[Field::number(
        "dice",
        "Dice",
        (1, 3),
        3,
        "Three; one fewer when exhausted, two when dazed, one when stunned.",
    )
    .from(Source::Derived)],
    choices: &[],
    outcomes: &[
        OutcomeSpec {
            id: "three-swords",
            label: "Three swords",
            success: true,
            tone: Tone::Triumph,
        },
        OutcomeSpec {
            id: "three-talents",
            label: "Three talents",
            success: true,
            tone: Tone::Triumph,
        },
        OutcomeSpec {
            id: "three-shields",
            label: "Three shields",
            success: true,
            tone: Tone::Triumph,
        },
        OutcomeSpec {
            id: "mixed",
            label: "Mixed",
            success: false,
            tone: Tone::Good,
        },
    ],
    has_success: false,
    explodes: false,
    helping: None,
    success_after: None,
    prepare: |fields, house| {
        let count = u8::try_from(fields.number("dice")).unwrap_or(3);
        let dice = vec![Group {
            die: Die::D6,
            count,
            role: Role::Pool,
        }];
        Ok(Box::new(Combat {
            pool: Pool::all(dice, See::Counts),
            same_face: house.is("triple", "face"),
        }))
    },
};

/// A combat roll with everything known but the dice.
#[derive(Clone, Debug)]
struct Combat {
    pool: Pool,
    /// Three of the same are three faces (house rule `triple`).
    same_face: bool,
}

/// How many of the faces are shields, talents and swords.
fn symbols(faces: &[Face]) -> [usize; 3] {
    let count = |low: Face| {
        let symbol = low..=low + 1;
        faces.iter().filter(|face| symbol.contains(face)).count()
    };
    [count(1), count(3), count(5)]
}

impl Combat {
    fn judge(&self, faces: &[Face]) -> OutcomeId {
        if self.same_face && faces.windows(2).any(|pair| pair[0] != pair[1]) {
            return MIXED;
        }
        match symbols(faces) {
            [3, _, _] => THREE_SHIELDS,
            [_, 3, _] => THREE_TALENTS,
            [_, _, 3] => THREE_SWORDS,
            _ => MIXED,
        }
    }
}

impl Check for Combat {
    /// The outcome, once the dice are rolled.
    type State = Option<OutcomeId>;

    fn start(&self) -> Option<OutcomeId> {
        None
    }

    fn ask(&self, state: &Option<OutcomeId>) -> Ask {
        match *state {
            None => Ask::Roll {
                pool: self.pool.clone(),
                by: Side::Actor,
            },
            Some(outcome) => Ask::Response(outcome, Tally::default()),
        }
    }

    fn hear(&self, state: Option<OutcomeId>, heard: &Heard) -> Option<OutcomeId> {
        match heard {
            Heard::Dice(Reading::Counts(faces)) => Some(self.judge(faces)),
            _ => state,
        }
    }

    fn report(&self, trail: &[Answer]) -> Outcome {
        let faces: &[Face] = match trail.first() {
            Some(Answer::Faces(faces)) => faces,
            Some(Answer::Chose { .. }) | None => &[],
        };
        let outcome = self.judge(faces);
        let mut story = Story::default();
        story.roll(&self.pool, faces);
        let [shields, talents, swords] = symbols(faces);
        let words: Vec<String> = [(swords, "sword"), (talents, "talent"), (shields, "shield")]
            .into_iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, name)| format!("{count} {name}{}", if count == 1 { "" } else { "s" }))
            .collect();
        story.say(format!("That is {}.", words.join(", ")));
        if outcome != MIXED {
            story.say("Three of the same: a critical success is available until the next turn.");
        } else if self.same_face && [swords, talents, shields].contains(&3) {
            story.say("The three faces differ, so that it is no critical success at this table.");
        }
        let key = |count| Key::Number(i32::try_from(count).unwrap_or(i32::MAX));
        Outcome {
            outcome,
            success: None,
            total: None,
            target: None,
            dice: story.dice,
            keys: vec![
                ("swords", key(swords)),
                ("talents", key(talents)),
                ("shields", key(shields)),
            ],
            effects: Vec::new(),
            steps: story.steps,
        }
    }
}
