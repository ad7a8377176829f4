//! Combat dice (Friday Night Dungeon, Combat Rolls; Combat Dice).

use crate::dice::{Die, DieRole, Face, Group, Pool, Projection};
use crate::rules::words::joined;
use crate::rules::{Ask, Check, Explanation, Fields, House, Key, OutcomeId, Side, Tally, Walk};

const THREE_SWORDS: OutcomeId = OutcomeId(0);
const THREE_TALENTS: OutcomeId = OutcomeId(1);
const THREE_SHIELDS: OutcomeId = OutcomeId(2);
const MIXED: OutcomeId = OutcomeId(3);

/// A combat roll with everything known but the dice.
#[derive(Clone, Debug)]
pub(super) struct Combat {
    pool: Pool,
    /// Three of the same are three faces, by a house rule.
    same_face: bool,
}

/// How many of the faces are shields, talents and swords.
fn symbols(dice: &[(Face, Die)]) -> [usize; 3] {
    let count = |low: Face| {
        let symbol = low..=low + 1;
        dice.iter()
            .filter(|(face, _)| symbol.contains(face))
            .count()
    };
    [count(1), count(3), count(5)]
}

impl Combat {
    pub(super) fn new(fields: &Fields, house: &House) -> Self {
        let count = u8::try_from(fields.number("dice")).unwrap_or(3);
        let dice = vec![Group::new(Die::D6, count, DieRole::POOL)];
        Self {
            pool: Pool::all(dice, Projection::Kept(0)),
            same_face: house.is("triple", "face"),
        }
    }

    fn judge(&self, dice: &[(Face, Die)]) -> OutcomeId {
        if self.same_face && dice.windows(2).any(|pair| pair[0].0 != pair[1].0) {
            return MIXED;
        }
        match symbols(dice) {
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
        let (dice, _) = walk.roll(Side::Actor, || self.pool.clone())?.kept();
        let outcome = self.judge(dice);
        walk.tell(|why| self.explain(dice, outcome, why));
        Ok(Some(outcome))
    }
}

impl Combat {
    fn explain(&self, dice: &[(Face, Die)], outcome: OutcomeId, why: &mut Explanation) {
        why.roll();
        let [shields, talents, swords] = symbols(dice);
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
