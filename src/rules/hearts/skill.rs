//! The checks that one side makes: skill, trait, quantity (HEARTS, Types of Checks).

use super::target::{Level, Target, roll_of};
use crate::rules::{
    Answered, Ask, Check, CheckSpec, Effect, Explanation, Fields, House, Key, OutcomeId, Refused,
    Side, Tally, TokenKind,
};

/// A check that one side makes, with everything known but the dice.
#[derive(Clone, Debug)]
pub(super) struct Single {
    spec: &'static CheckSpec,
    side: Target,
    watch: bool,
}

impl Single {
    /// The check's name is the kind of value that it is made against.
    pub(super) fn new(fields: &Fields, house: &House) -> Result<Self, Refused> {
        let spec = fields.spec();
        Ok(Self {
            spec,
            side: Target::own(fields, house, spec.id)?,
            watch: fields.flag("watch"),
        })
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

impl Check for Single {
    /// The roll, once it is read.
    type State = Option<i32>;

    fn start(&self, _: &mut Explanation) -> Option<i32> {
        None
    }

    fn ask(&self, roll: &Option<i32>) -> Ask {
        if roll.is_none() && !self.side.is_automatic {
            return self.side.roll(Side::Actor);
        }
        let level = roll.map_or(Level::Success, |roll| self.side.level(roll));
        let successes = self.side.modify(self.side.scores(*roll)).max(0);
        Ask::Done(self.outcome_of(level), Tally::new(*roll, successes))
    }

    fn step(&self, state: Option<i32>, answer: Answered<'_>, why: &mut Explanation) -> Option<i32> {
        let Answered::Dice(observation) = answer else {
            return state;
        };
        let roll = roll_of(observation)?;
        why.tell(|why| self.side.tell(why, roll));
        Some(roll)
    }

    fn conclude(&self, roll: &Option<i32>, why: &mut Explanation) {
        match roll {
            None => why.say("An automatic challenge is not rolled: 1 success."),
            Some(_) => why.target = Some(self.side.number),
        }
        let scored = self.side.scores(*roll);
        let successes = self.side.modify(scored);
        why.say(self.side.success_words(scored));
        why.steps.extend(self.side.concludes(scored));
        if self.watch && successes > 0 {
            let actions = Effect::tokens(TokenKind::WatchActions, successes);
            why.effects.push(actions);
        }
        why.keys = vec![
            ("successes", Key::Number(successes)),
            ("extra", Key::Number((successes - 1).max(0))),
        ];
    }
}
