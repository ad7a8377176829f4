//! A check of somebody's, as it is recorded: resolved, or waiting for an answer.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{CharacterId, ClockId, Filled, Named, Origin, Result, SetAside, UnfinishedId};
use tableside_dice::Face;
use tableside_rules::{
    self, Answer, Ask, CheckSpec, ChosenBy, DynCheck, Effect, Field, Fields, HouseRules, Id, Odds,
    Outcome, OutcomeSpec, Policy, Progress, Side, System, Value,
};

/// A check as it is recorded: everything needed to walk it again, and what came of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Roll {
    /// Who rolled; nobody's roll has no character.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub who: String,
    /// The character, if one rolled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<CharacterId>,
    /// The rules that it was made under, where the game keeps a copy of them; else those of the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<System>,
    /// The check's name within the system.
    pub check: String,
    /// The fields that were given or come from a sheet. The others have their presets, or what a house rule says.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub fields: BTreeMap<String, Value>,
    /// Where fields came from: `ability` from `Agility`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub sources: BTreeMap<String, Origin>,
    /// The house rules that differed from the proposed readings.
    #[serde(default, skip_serializing_if = "tableside_rules::is_default")]
    pub house: HouseRules,
    /// The answers: faces as they fell, choices as they were made.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub trail: Vec<Answer>,
    /// The clock that it was rolled for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<ClockId>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub helpers: Vec<Named>,
    /// The helpers who had already acted in the round of combat in which the roll was made.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub acted_before: Vec<CharacterId>,
    /// Whether it is made for everybody: all succeed with it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub group: bool,
    /// Who may not see it; `*` is every player.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hidden_from: Vec<String>,
    /// Whether those it is hidden from learn that something was rolled, though nothing of it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub noticed: bool,
    /// The total, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total: Option<i32>,
    /// The outcome's name; empty while the check waits.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub outcome: String,
    /// How lucky it was: its percentile among all results that it could have had, per mille; nothing
    /// while the check waits, and where no die fell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub luck: Option<u16>,
    /// What followed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub effects: Vec<Effect>,
}

/// Tokens that a roll spends and no pool paid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnpaidTokens {
    pub pool: Id,
    pub due: i32,
    pub paid: i32,
}

impl UnpaidTokens {
    /// It as a sentence without its capital letter: `3 Destiny Points were due, and the pool paid 0`.
    pub fn words(&self, system: System) -> String {
        let due = system.spec().tokens(self.pool, self.due);
        let were = if self.due == 1 { "was" } else { "were" };
        format!("{due} {were} due, and the pool paid {}", self.paid)
    }
}

impl Roll {
    /// The check's description; the game's rules are asked where the roll does not name its own.
    pub fn spec(&self, system: System) -> Result<&'static CheckSpec> {
        Ok(self.rules.unwrap_or(system).check(&self.check)?)
    }

    /// All fields, presets filled in.
    pub fn all_fields(&self, system: System) -> Result<Fields> {
        let given = self.fields.iter();
        let given = given.map(|(name, value)| (name, value.clone()));
        let mut fields = Fields::new(self.spec(system)?, given)?;
        fields.decide(&self.house);
        Ok(fields)
    }

    /// The fields that were refused by the answer to a question of the same name, as the GM may refuse an aspect.
    pub(super) fn refused_fields(&self) -> impl Iterator<Item = &str> {
        self.trail.iter().filter_map(|answer| match answer {
            Answer::Chose { choice, chose, .. } if chose == "refuse" => Some(choice.as_str()),
            Answer::Chose { .. } | Answer::Faces(_) => None,
        })
    }

    /// The fields by which the roll claims tokens: all but those that were refused.
    pub fn claiming_fields(&self, system: System) -> Result<Fields> {
        let mut fields = self.all_fields(system)?;
        for refused in self.refused_fields() {
            fields.clear(refused);
        }
        Ok(fields)
    }

    /// All fields, with where they came from.
    pub fn filled(&self, system: System) -> Result<Filled> {
        Ok(Filled {
            fields: self.all_fields(system)?,
            sources: self.sources.clone(),
        })
    }

    /// The machine that it walked.
    pub fn machine(&self, system: System) -> Result<Box<dyn DynCheck>> {
        let fields = self.all_fields(system)?;
        Ok(fields.spec().prepare(&fields, &self.house)?)
    }

    /// How many answers of its trail the GM gave to questions that are the GM's to answer.
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
            let asked = machine.after(&self.trail[..step])?;
            if matches!(asked, Progress::Waits(Ask::Choose { by: Side::Gm, .. })) {
                count += 1;
            }
        }
        Ok(count)
    }

    /// What it says, derived again from its fields and its trail.
    pub fn derive(&self, system: System) -> Result<Outcome> {
        Ok(self.machine(system)?.outcome(&self.trail))
    }

    /// The name of its outcome; see [`CheckSpec::told`] for why it may differ from the recorded one.
    pub fn outcome_name(&self, system: System) -> &str {
        self.told(system)
            .map_or(&*self.outcome, |outcome| outcome.id)
    }

    /// The tokens that the rules say it spends and that no pool paid, as a log of an older program may have it: the pool,
    /// how many were due, and how many were paid.
    pub fn unpaid(&self, outcome: &Outcome) -> Option<UnpaidTokens> {
        let spent_in = |effects: &[Effect], of: Id| {
            let mut spent = 0;
            for effect in effects {
                if let Effect::Token { pool, amount, .. } = effect
                    && *pool == of
                    && *amount < 0
                {
                    spent -= amount;
                }
            }
            spent
        };
        for effect in &outcome.effects {
            let Effect::Token { pool, .. } = effect else {
                continue;
            };
            let due = spent_in(&outcome.effects, *pool);
            let paid = spent_in(&self.effects, *pool);
            if paid < due {
                return Some(UnpaidTokens {
                    pool: *pool,
                    due,
                    paid,
                });
            }
        }
        None
    }

    /// Its outcome as people read it; see [`CheckSpec::told`].
    pub fn told(&self, system: System) -> Option<&'static OutcomeSpec> {
        let spec = self.spec(system).ok()?;
        let outcome = spec.outcome_named(&self.outcome)?;
        let after = spec.success_after;
        let modified = after.is_some_and(|after| self.fields.contains_key(after));
        // Reading the dice again costs something, and without modifiers the level is all there is.
        let success = modified.then(|| self.derive(system).ok()?.success);
        Some(spec.told(outcome, success.flatten()))
    }

    /// How lucky it is, derived from its exact odds; see [`Self::luck`].
    pub fn derive_luck(&self, system: System) -> Result<Option<u16>> {
        let fields = self.all_fields(system)?;
        let machine = fields.spec().prepare(&fields, &self.house)?;
        let luck = tableside_rules::luck(&*machine, &fields, &self.house, &self.trail)?;
        Ok(luck.map(|luck| per_mille(luck.to_f64().value())))
    }

    /// The chance of success that the roll had, 0 to 1, with its choices as they were made; `None` if the check has no
    /// success.
    pub fn chance(&self, system: System) -> Option<f64> {
        let fields = self.all_fields(system).ok()?;
        let machine = fields.spec().prepare(&fields, &self.house).ok()?;
        let policy = Policy::of(&self.trail);
        let odds = Odds::cached(&*machine, &fields, &self.house, &policy).ok()?;
        Some(odds.success.as_ref()?.to_f64().value())
    }

    /// Whether players may not see it all.
    pub fn is_closed(&self) -> bool {
        !self.hidden_from.is_empty()
    }
}

impl Filled {
    /// True if a person gave the field's value, so that neither the sheet nor a condition nor a helper changes it.
    pub fn is_given(&self, field: &Field) -> bool {
        self.fields.is_set(field.id) && self.source(field.id).is_none()
    }

    /// What a roll keeps of the fields: the values that were given or came from a sheet, and the names of those sheets.
    /// A given value is kept even if it equals the preset: else a house rule or a condition would fill the field again.
    pub fn recorded(self) -> (BTreeMap<String, Value>, BTreeMap<String, Origin>) {
        let fields = &self.fields;
        let kept = fields.iter().filter_map(|(field, value)| {
            let is_kept = fields.is_set(field.id)
                || !fields.is_preset(field)
                || self.sources.contains_key(field.id);
            Some((field.id.to_owned(), value?.recorded())).filter(|_| is_kept)
        });
        (kept.collect(), self.sources)
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a chance is between 0 and 1"
)]
fn per_mille(chance: f64) -> u16 {
    (chance * 1000.0).round() as u16
}

/// A check that waits for somebody: dice by hand, or a choice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unfinished {
    /// The number that events know it by.
    pub id: UnfinishedId,
    /// The check so far.
    pub roll: Roll,
    /// Whether its dice are real ones, as far as they fell.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub by_hand: bool,
    /// The tokens that the pools lack while it waits. None in a game that an older program left, where they are taken
    /// out of the pools with the next command.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub set_aside: Option<Vec<SetAside>>,
    /// Faces that were typed with the roll and belong to dice that are rolled after the answer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unused_faces: Vec<Face>,
}
