//! The checks that one side makes: skill, trait, quantity (HEARTS, Types of Checks).

use super::target::{Level, Target};
use crate::rules::{
    Ask, Check, Effect, Explanation, Fields, House, Id, Key, OutcomeId, Refused, Side, Tally, Walk,
};

/// A check that one side makes, with everything known but the dice.
#[derive(Clone, Debug)]
pub(super) struct Single {
    side: Target,
    watch: bool,
}

impl Single {
    /// The check's name is the kind of value that it is made against.
    pub(super) fn new(fields: &Fields, house: &House) -> Result<Self, Refused> {
        Ok(Self {
            side: Target::own(fields, house, fields.spec().id)?,
            watch: fields.flag("watch"),
        })
    }
}

impl Check for Single {
    type State = ();

    fn next(&self, (): (), walk: &mut Walk<'_>) -> Result<(), Ask> {
        let roll = self.side.roll(Side::Actor, walk)?;
        let scored = self.side.scores(roll);
        let successes = self.side.modify(scored);
        walk.tell(|why| self.explain(roll, scored, why));
        let level = roll.map_or(Level::Success, |roll| self.side.level(roll));
        // Outcomes are in the order of levels; the first two are those of skills alone.
        let first = if self.side.is_skill {
            Level::Heroic
        } else {
            Level::Success
        };
        let outcome = OutcomeId(level as u8 - first as u8);
        Err(Ask::Done(outcome, Tally::new(roll, successes.max(0))))
    }
}

impl Single {
    fn explain(&self, roll: Option<i32>, scored: i32, why: &mut Explanation) {
        match roll {
            None => why.say("An automatic challenge is not rolled: 1 success."),
            Some(roll) => {
                self.side.tell(why, roll);
                why.target = Some(self.side.number);
            }
        }
        let successes = self.side.modify(scored);
        why.say(self.side.success_words(scored));
        why.steps.extend(self.side.concludes(scored));
        if self.watch && successes > 0 {
            let actions = Effect::tokens(Id::new("watch-actions"), successes);
            why.effects.push(actions);
        }
        why.keys = vec![
            ("successes", Key::Number(successes)),
            ("extra", Key::Number((successes - 1).max(0))),
        ];
    }
}
