//! Opposed checks: one character resists another, or itself (HEARTS, Opposed Checks).

use super::target::{Target, count};
use crate::rules::{
    Ask, Check, Explanation, Fields, House, Key, OutcomeId, Refused, Side, Tally, Walk,
};

const AGGRESSOR: OutcomeId = OutcomeId(0);
const TIE: OutcomeId = OutcomeId(1);
const DEFENDER: OutcomeId = OutcomeId(2);

/// An opposed check with everything known but the dice.
#[derive(Clone, Debug)]
pub(super) struct Opposed {
    aggressor: Target,
    defender: Target,
    /// A tie gives half only where both succeeded, by a house rule.
    tie_needs_both: bool,
    /// A Fumble counts as 0 successes, by a house rule.
    fumble_is_zero: bool,
}

impl Opposed {
    pub(super) fn new(fields: &Fields, house: &House, kind: &str) -> Result<Self, Refused> {
        let aggressor = Target::own(fields, house, kind)?;
        let defender = Target::against(fields, house)?;
        if !defender.is_skill && fields.maybe_number("against-assist").unwrap_or(0) > 0 {
            let why = "only a skill check is assisted; leave out against-assist, or let the defender check a skill";
            return Err(Refused(why.to_owned()));
        }
        Ok(Self {
            aggressor,
            defender,
            tie_needs_both: house.is("tie", "both-succeed"),
            fumble_is_zero: house.is("opposed-fumble", "zero"),
        })
    }

    /// The successes of one side after modification, once it rolled.
    fn successes(
        &self,
        name: &str,
        side: &Target,
        by: Side,
        walk: &mut Walk<'_>,
    ) -> Result<i32, Ask> {
        let roll = side.roll(by, walk)?;
        let mut scored = side.scores(roll);
        if self.fumble_is_zero {
            scored = scored.max(0);
        }
        walk.tell(|why| {
            match roll {
                Some(roll) => {
                    why.say(format!("{name}:"));
                    side.tell(why, roll);
                }
                None => why.say(format!(
                    "{name}: an automatic challenge is not rolled, 1 success."
                )),
            }
            why.say(side.success_words(scored));
        });
        Ok(side.modify(scored))
    }

    fn explain(&self, aggressor: i32, defender: i32, why: &mut Explanation) {
        let margin = aggressor - defender;
        why.keys = vec![
            ("aggressor", Key::Number(aggressor)),
            ("defender", Key::Number(defender)),
            ("margin", Key::Number(margin)),
        ];
        if margin == 0 {
            let scored = aggressor > 0 && defender > 0;
            let half = scored || !self.tie_needs_both;
            why.keys.push(("half", Key::Flag(half)));
            let who = if scored {
                "both succeeded"
            } else {
                "neither succeeded"
            };
            let what = if half {
                "each side gets half the result of a Normal Success, rounded up"
            } else {
                "neither side gets anything"
            };
            why.say(format!("A tie at {aggressor}, {who}: {what}."));
        } else {
            let (winner, loser) = if margin > 0 {
                ("aggressor", "defender")
            } else {
                ("defender", "aggressor")
            };
            let left = margin.abs();
            why.say(format!(
                "{aggressor} less {defender} leaves the {winner} {}, resolved as a {} Success; the {loser} counts as \
                 having rolled a Failure.",
                count(left),
                level_name(left)
            ));
        }
    }
}

impl Check for Opposed {
    /// The successes of the aggressor and the defender, once they are known.
    type State = (Option<i32>, Option<i32>);

    fn next(&self, state: Self::State, walk: &mut Walk<'_>) -> Result<Self::State, Ask> {
        let (aggressor, defender) = match state {
            (None, _) => {
                let side = &self.aggressor;
                let scored = self.successes("The aggressor", side, Side::Actor, walk)?;
                return Ok((Some(scored), None));
            }
            (aggressor, None) => {
                let side = &self.defender;
                let scored = self.successes("The defender", side, Side::Opponent, walk)?;
                return Ok((aggressor, Some(scored)));
            }
            (Some(aggressor), Some(defender)) => (aggressor, defender),
        };
        walk.tell(|why| self.explain(aggressor, defender, why));
        let margin = aggressor - defender;
        let outcome = match margin.signum() {
            1 => AGGRESSOR,
            0 => TIE,
            _ => DEFENDER,
        };
        Err(Ask::Done(outcome, Tally::new(None, margin.max(0))))
    }
}

/// The level that so many successes are resolved as; more than a Heroic Success has no name of its own.
fn level_name(successes: i32) -> &'static str {
    match successes {
        1 => "Normal",
        2 => "Hard",
        _ => "Heroic",
    }
}
