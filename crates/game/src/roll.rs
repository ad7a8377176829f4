//! The record of a check: resolved, or waiting for an answer.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{
    CharacterId, ClockId, Filled, Named, Origin, Result, SetAside, UnfinishedId, opponent_of,
};
use tableside_dice::Face;
use tableside_rules::{
    Answer, Ask, CheckSpec, ChosenBy, DynCheck, Effect, Fields, HouseRules, Id, Odds, Outcome,
    OutcomeSpec, Party, Policy, Progress, Side, System, Value, luck,
};

/// A recorded check: its result, and all input that is needed to compute it again.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Roll {
    /// The name of the roller. Empty if the GM rolled for no character.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub who: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<CharacterId>,
    /// The rules of the roll, if the game stores a copy of them. Otherwise the rules of the game apply.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<System>,
    /// The id of the check in the system.
    pub check: String,
    /// The values that were typed or come from a sheet. The other fields have their presets, or the values of a house
    /// rule.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub fields: BTreeMap<String, Value>,
    /// The fields whose values come from a sheet: `ability` from `Agility`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub sources: BTreeMap<String, Origin>,
    /// The house rules that differ from their defaults.
    #[serde(default, skip_serializing_if = "tableside_rules::is_default")]
    pub house: HouseRules,
    /// The faces of the dice and the choices, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub trail: Vec<Answer>,
    /// The clock that the roll fills.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<ClockId>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub helpers: Vec<Named>,
    /// The helpers that had acted before this roll in the round of combat.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub acted_before: Vec<CharacterId>,
    /// True if the whole party succeeds or fails with this roll.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub group: bool,
    /// The players that do not see the roll; `*` stands for all players.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hidden_from: Vec<String>,
    /// True if those players see that dice were rolled.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub noticed: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total: Option<i32>,
    /// The id of the outcome. Empty while the check waits.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub outcome: String,
    /// The percentile of the result among all possible results, in thousandths. `None` while the check waits, and for a
    /// check without dice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub luck: Option<u16>,
    /// The effects that were applied.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub effects: Vec<Effect>,
}

/// Tokens that a roll should have spent, but that its pool did not pay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnpaidTokens {
    pub pool: Id,
    pub due: i32,
    pub paid: i32,
}

impl UnpaidTokens {
    /// Describes the tokens for the middle of a sentence: `3 Destiny Points were due, and the pool paid 0`.
    pub fn describe(&self, system: System) -> String {
        let tokens = system.spec().tokens(self.pool, self.due);
        let verb = if self.due == 1 { "was" } else { "were" };
        format!("{tokens} {verb} due, and the pool paid {}", self.paid)
    }
}

impl Roll {
    /// The description of the check, in the rules of the roll or of the game.
    pub fn spec(&self, system: System) -> Result<&'static CheckSpec> {
        let rules = self.rules.unwrap_or(system);
        Ok(rules.check(&self.check)?)
    }

    /// All fields, including those with presets.
    pub fn all_fields(&self, system: System) -> Result<Fields> {
        let spec = self.spec(system)?;
        let values = self.fields.clone();
        let mut fields = Fields::new(spec, values)?;
        fields.decide(&self.house);
        Ok(fields)
    }

    /// The fields that the GM refused, such as an aspect that does not apply.
    pub(super) fn refused_fields(&self) -> impl Iterator<Item = &str> {
        self.trail.iter().filter_map(|answer| {
            if let Answer::Chose { choice, chose, .. } = answer
                && chose == "refuse"
            {
                Some(choice.as_str())
            } else {
                None
            }
        })
    }

    /// The fields by which the roll claims tokens. Refused fields claim none.
    pub fn claiming_fields(&self, system: System) -> Result<Fields> {
        let mut fields = self.all_fields(system)?;
        for refused in self.refused_fields() {
            fields.clear(refused);
        }
        Ok(fields)
    }

    /// All fields, with the sheets that the values come from.
    pub fn filled(&self, system: System) -> Result<Filled> {
        Ok(Filled {
            fields: self.all_fields(system)?,
            sources: self.sources.clone(),
        })
    }

    /// The state machine of the check.
    pub fn machine(&self, system: System) -> Result<Box<dyn DynCheck>> {
        let fields = self.all_fields(system)?;
        let machine = fields.spec().prepare(&fields, &self.house)?;
        Ok(machine)
    }

    /// Counts the answers that the GM gave to questions for the GM.
    pub fn count_gm_answers(&self, system: System) -> Result<usize> {
        let machine = self.machine(system)?;
        let mut count = 0;
        for (step, answer) in self.trail.iter().enumerate() {
            let Answer::Chose { by, .. } = answer else {
                continue;
            };
            if *by == ChosenBy::Default {
                continue;
            }
            let progress = machine.after(&self.trail[..step])?;
            if let Progress::Waits(Ask::Choose { by, .. }) = progress
                && by == Side::Gm
            {
                count += 1;
            }
        }
        Ok(count)
    }

    /// Computes the outcome again from the fields and the trail.
    pub fn derive(&self, system: System) -> Result<Outcome> {
        let fields = self.all_fields(system)?;
        self.derive_with(&fields)
    }

    /// Computes the outcome again from [all fields](Self::all_fields) and the trail.
    pub fn derive_with(&self, fields: &Fields) -> Result<Outcome> {
        let machine = fields.spec().prepare(fields, &self.house)?;
        Ok(machine.outcome(&self.trail))
    }

    /// The id of the shown outcome, which may differ from the recorded one; see [`CheckSpec::told`].
    pub fn outcome_name(&self, system: System) -> &str {
        match self.shown_outcome(system) {
            Some(outcome) => outcome.id,
            None => &self.outcome,
        }
    }

    /// Returns the name of the outcome. A contest names its winner: `Mira wins`. If a character struggles with itself,
    /// the outcome names the side.
    pub fn outcome_words(&self, outcome: &OutcomeSpec, system: System) -> String {
        let opponent = self.named_opponent(system);
        let is_own_struggle = opponent.is_some_and(|opponent| Some(opponent.id) == self.id);
        let winner = match outcome.winner {
            _ if is_own_struggle => "",
            Some(Party::Roller) => self.who.as_str(),
            Some(Party::Opponent) => opponent.map_or("", |opponent| &opponent.name),
            Some(Party::Helpers | Party::Table) | None => "",
        };
        if winner.is_empty() {
            outcome.label.to_owned()
        } else {
            format!("{winner} wins")
        }
    }

    /// Returns the character whose sheet provided the other side's values, with its recorded name.
    fn named_opponent(&self, system: System) -> Option<&Named> {
        let check = self.spec(system).ok()?;
        let opponent = opponent_of(check, &self.sources)?;
        let mut named = self.sources.values().flat_map(|source| &source.of);
        named.find(|named| named.id == opponent)
    }

    /// Finds tokens that the roll should have spent but no pool paid, as in a log of an older program.
    pub fn unpaid(&self, outcome: &Outcome) -> Option<UnpaidTokens> {
        for effect in &outcome.effects {
            let Effect::Token { pool, .. } = effect else {
                continue;
            };
            let unpaid = UnpaidTokens {
                pool: *pool,
                due: spent_tokens(&outcome.effects, *pool),
                paid: spent_tokens(&self.effects, *pool),
            };
            if unpaid.paid < unpaid.due {
                return Some(unpaid);
            }
        }
        None
    }

    /// The outcome that players see; see [`CheckSpec::told`].
    pub fn shown_outcome(&self, system: System) -> Option<&'static OutcomeSpec> {
        let spec = self.spec(system).ok()?;
        let outcome = spec.outcome_named(&self.outcome)?;

        // Computing the check again is expensive, and without modifiers the outcome alone decides.
        let is_modified = spec
            .success_after
            .is_some_and(|modifiers| self.fields.contains_key(modifiers));
        let derived = if is_modified {
            self.derive(system).ok()
        } else {
            None
        };
        let success = derived.and_then(|outcome| outcome.success);
        Some(spec.told(outcome, success))
    }

    /// Computes the luck of the roll from its exact odds; see [`Self::luck`].
    pub fn derive_luck(&self, system: System) -> Result<Option<u16>> {
        let fields = self.all_fields(system)?;
        let machine = fields.spec().prepare(&fields, &self.house)?;
        let percentile = luck(&*machine, &fields, &self.house, &self.trail)?;
        let Some(percentile) = percentile else {
            return Ok(None);
        };
        let chance = percentile.to_f64().value();
        Ok(Some(per_mille(chance)))
    }

    /// The chance of success before anything was rolled, from 0 to 1, as the dialog of the roll showed it: each choice takes
    /// its default. `None` if the check has no success.
    pub fn chance(&self, system: System) -> Option<f64> {
        let odds = self.odds(system)?;
        let success = odds.success.as_ref()?;
        Some(success.to_f64().value())
    }

    /// The chance of each outcome before anything was rolled, from 0 to 1.
    pub fn outcome_chances(&self, system: System) -> Option<Vec<(&'static OutcomeSpec, f64)>> {
        let spec = self.spec(system).ok()?;
        let odds = self.odds(system)?;
        let chances = odds
            .outcomes
            .iter()
            .map(|(outcome, chance)| (spec.outcome(*outcome), chance.to_f64().value()))
            .collect();
        Some(chances)
    }

    /// The odds before anything was rolled. The choices of the roll do not count: they are made when dice are known.
    fn odds(&self, system: System) -> Option<Arc<Odds>> {
        let fields = self.all_fields(system).ok()?;
        let machine = fields.spec().prepare(&fields, &self.house).ok()?;
        Odds::cached(&*machine, &fields, &self.house, &Policy::default()).ok()
    }

    /// True if the roll is hidden from some players.
    pub fn is_closed(&self) -> bool {
        !self.hidden_from.is_empty()
    }
}

/// Adds up the tokens of one pool that effects spend.
fn spent_tokens(effects: &[Effect], of_pool: Id) -> i32 {
    let mut spent = 0;
    for effect in effects {
        if let Effect::Token { pool, amount, .. } = effect
            && *pool == of_pool
            && *amount < 0
        {
            spent -= amount;
        }
    }
    spent
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a chance is between 0 and 1"
)]
fn per_mille(chance: f64) -> u16 {
    (chance * 1000.0).round() as u16
}

/// A check that waits for an answer or for typed dice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unfinished {
    pub id: UnfinishedId,
    /// The check up to its open question.
    pub roll: Roll,
    /// True if the players roll real dice and enter the faces.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub by_hand: bool,
    /// The tokens that are out of the pools while the check waits. `None` in a game of an older program, which takes
    /// them out of the pools with the next command.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub set_aside: Option<Vec<SetAside>>,
    /// Faces that were typed with the roll, for dice that are rolled after the answer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unused_faces: Vec<Face>,
}
