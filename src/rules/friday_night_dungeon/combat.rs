//! Combat dice (Friday Night Dungeon, Combat Rolls; Combat Dice).

use super::TRIPLE;
use crate::dice::{Die, Face, Group, Pool, Projection, Role};
use crate::rules::words::joined;
use crate::rules::{
    Ask, Check, CheckSpec, Explanation, Field, Key, OutcomeId, OutcomeSpec, Side, Source, System,
    Tally, Tone, Walk, machine,
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
    fields: &[Field::number("dice", "Dice", (1, 3), 3)
        .help("Three; one fewer when exhausted, two when dazed, one when stunned.")
        .from(Source::Derived)],
    outcomes: &[
        OutcomeSpec::new("three-swords", "Three swords", true, Tone::Triumph),
        OutcomeSpec::new("three-talents", "Three talents", true, Tone::Triumph),
        OutcomeSpec::new("three-shields", "Three shields", true, Tone::Triumph),
        OutcomeSpec::new("mixed", "Mixed", false, Tone::Good),
    ],
    prepare: |fields, house| {
        let count = u8::try_from(fields.number("dice")).unwrap_or(3);
        let dice = vec![Group::new(Die::D6, count, Role::POOL)];
        let combat = Combat {
            pool: Pool::all(dice, Projection::Kept(0)),
            same_face: house.departs(&TRIPLE),
        };
        Ok(machine(fields, combat))
    },
    has_success: false,
    ..CheckSpec::PLAIN
};

/// A combat roll with everything known but the dice.
#[derive(Clone, Debug)]
struct Combat {
    pool: Pool,
    /// Three of the same are three faces, by a house rule.
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

    fn next(&self, rolled: Self::State, walk: &mut Walk<'_>) -> Result<Self::State, Ask> {
        if let Some(outcome) = rolled {
            return Err(Ask::Done(outcome, Tally::default()));
        }
        let fell = walk.roll(Side::Actor, || self.pool.clone())?;
        let faces: Vec<Face> = fell.faces().collect();
        let outcome = self.judge(&faces);
        walk.tell(|why| self.explain(&faces, outcome, why));
        Ok(Some(outcome))
    }
}

impl Combat {
    fn explain(&self, faces: &[Face], outcome: OutcomeId, why: &mut Explanation) {
        why.roll();
        let [shields, talents, swords] = symbols(faces);
        let words = [(swords, "sword"), (talents, "talent"), (shields, "shield")]
            .into_iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, name)| format!("{count} {name}{}", if count == 1 { "" } else { "s" }));
        why.say(format!("That is {}.", joined(words, ", ")));
        if outcome != MIXED {
            why.say("Three of the same: a critical success is available until the next turn.");
        } else if self.same_face && [swords, talents, shields].contains(&3) {
            why.say("The three faces differ, so that it is no critical success at this table.");
        }
        let key = |count| Key::Number(i32::try_from(count).unwrap_or(i32::MAX));
        why.keys = vec![
            ("swords", key(swords)),
            ("talents", key(talents)),
            ("shields", key(shields)),
        ];
    }
}
