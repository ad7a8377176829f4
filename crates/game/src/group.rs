//! Group checks: the exact odds decide which member of the party rolls for all.

use std::sync::Arc;

use super::filled::SourcedValue;
use super::{Character, CharacterId, Filled, Game, Origin, Result, refused};
use tableside_dice::Fraction;
use tableside_rules::{
    CheckSpec, Field, HelpEffect, Kind, Odds, SharedConsequences, Value, ValueSource, Whose,
};

/// The way in which a group of characters makes one check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GroupKind {
    /// The character with the worst odds rolls, and a failure counts for the group (Heart Rush, Weakest Link).
    Worst,
    /// The character with the best odds rolls, and the others help (Gnosis, Working Together).
    Best,
}

/// The member of a group that makes its check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupPick {
    pub who: CharacterId,
    /// The fields of that character's check, with the help of the others.
    pub filled: Filled,
    /// The other members, which share the consequences. Empty if the rules have no group check.
    pub helpers: Vec<CharacterId>,
    /// Each member with the chance of success alone, in the order of the roster.
    pub chances: Vec<(CharacterId, Option<Fraction>)>,
}

/// The fields of a call, adapted to one of the called characters.
pub struct AdaptedCall {
    pub filled: Filled,
    /// The fields as text.
    pub fields: Vec<(String, String)>,
    /// The names of skills that the character does not have.
    pub lacking: Vec<String>,
}

/// A member of the group, with the odds of its check.
struct Candidate<'a> {
    character: &'a Character,
    filled: Filled,
    /// The odds of the check, or the reason why the rules forbid it.
    odds: Result<Arc<Odds>>,
}

/// The quality of a candidate. Of two candidates, the greater one is better at the check.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Merit {
    sum: i32,
    success: Option<Fraction>,
    mean: Option<Fraction>,
}

impl Candidate<'_> {
    fn success(&self) -> Option<Fraction> {
        match &self.odds {
            Ok(odds) => odds.success.clone(),
            Err(_) => Some(Fraction::ZERO),
        }
    }

    fn merit(&self, kind: GroupKind) -> Merit {
        let total = match &self.odds {
            Ok(odds) => odds.total.as_ref(),
            Err(_) => None,
        };
        Merit {
            sum: added_values(self, kind),
            success: self.success(),
            mean: total.map(|total| total.mean.clone()),
        }
    }
}

impl Game {
    /// Picks the present party member that rolls for the group, by the exact odds of the check.
    ///
    /// `given` are fields as text. A character without a named skill uses the lowest value of the field. Characters in
    /// `without` take no part.
    ///
    /// # Errors
    /// Returns an error if no party member is present, or if the rules forbid the check for the picked character.
    pub fn group(
        &self,
        check: &'static CheckSpec,
        kind: GroupKind,
        given: &[(String, String)],
        without: &[CharacterId],
    ) -> Result<GroupPick> {
        let mut candidates = Vec::new();
        for character in &self.roster {
            if character.is_in_party() && !without.contains(&character.id) {
                candidates.push(self.candidate(check, character, given)?);
            }
        }

        let Some(picked) = pick_candidate(&candidates, kind) else {
            return Err(refused(
                "no member of the party is present; mark a character as present first",
            ));
        };
        if let Err(refusal) = &picked.odds {
            return Err(refusal.clone());
        }

        let who = picked.character.id;
        let mut filled = picked.filled.clone();
        let helpers = self.add_group_help(check, kind, picked, &candidates, &mut filled)?;
        let chances = candidates
            .iter()
            .map(|candidate| (candidate.character.id, candidate.success()))
            .collect();
        Ok(GroupPick {
            who,
            filled,
            helpers,
            chances,
        })
    }

    /// Adds the help of the other members to the fields of the picked character. Returns the members that share the
    /// consequences.
    fn add_group_help(
        &self,
        check: &'static CheckSpec,
        kind: GroupKind,
        picked: &Candidate<'_>,
        candidates: &[Candidate<'_>],
        filled: &mut Filled,
    ) -> Result<Vec<CharacterId>> {
        let who = picked.character.id;
        let other_members: Vec<&Candidate<'_>> = candidates
            .iter()
            .filter(|candidate| candidate.character.id != who)
            .collect();
        let ids: Vec<CharacterId> = other_members
            .iter()
            .map(|other| other.character.id)
            .collect();

        if kind == GroupKind::Best
            && let Some(field) = check.field("group")
        {
            let mut sum = 0;
            let mut characters = Vec::new();
            for other in &other_members {
                sum += group_bonus(&other.filled);
                characters.push(other.character);
            }
            let value = Value::Number(bounded(field, sum));
            let source = Origin::all_of(&characters);
            filled.put(field, SourcedValue::new(value, source))?;
            return Ok(ids);
        }

        let Some(helping) = check.helping else {
            return Ok(Vec::new());
        };
        if helping.shares == SharedConsequences::WhatGoesWrong {
            self.help(filled, Some(who), &ids)?;
            return Ok(ids);
        }
        if kind == GroupKind::Best && helping.brings == HelpEffect::Told {
            // All members spend their action, one rolls, and they split the consequences (Gnosis, Working Together).
            return Ok(ids);
        }
        Ok(Vec::new())
    }

    /// Returns the fields for a call, so that the called player makes exactly the check by which the character was
    /// picked: the given fields, the fields that were picked by name from the sheet, and the help of the others.
    pub fn called_with(
        &self,
        pick: &GroupPick,
        given: &[(String, String)],
    ) -> Vec<(String, String)> {
        let mut fields = given.to_vec();
        let character = self.character(pick.who);
        for field in pick.filled.fields.spec().fields {
            let mut given_ids = given.iter().map(|(id, _)| id);
            let is_given = given_ids.any(|id| id == field.id);
            let has_name = field.whose == Whose::Own && field.spends.is_none();
            if is_given || !has_name {
                continue;
            }

            if let Some(name) = pick.filled.name_of(field.id) {
                let name = name.to_owned();
                let names_to_pick = self.picks(character, field);
                if names_to_pick.contains(&name) {
                    fields.push((field.id.to_owned(), name));
                }
            }
        }

        let group_value = pick.filled.fields.value("group");
        if let Some(Value::Number(group)) = group_value {
            fields.retain(|(id, _)| id != "group");
            let group_text = group.to_string();
            fields.push(("group".to_owned(), group_text));
        }
        fields
    }

    /// Fills in the fields of a check for a character. If only other characters have a named skill, the field gets its
    /// lowest value.
    pub fn adapt_call(
        &self,
        check: &'static CheckSpec,
        who: CharacterId,
        given: &[(String, String)],
    ) -> Result<AdaptedCall> {
        let mut filled = self.fill(check, Some(who));
        let mut fields = given.to_vec();
        let mut lacking = Vec::new();
        for (name, text) in &mut fields {
            let field = filled.field(name)?;
            let Err(refusal) = self.fill_in(&mut filled, Some(who), field, text) else {
                continue;
            };

            let is_known_to_others = self.roster.iter().any(|character| {
                let value = self.find_on_sheet(character, field, text.trim());
                value.is_some()
            });
            if field.whose != Whose::Own || !is_known_to_others {
                return Err(refusal);
            }

            let least_value = least(field);
            let least_text = least_value.to_string();
            filled.put(field, SourcedValue::new(least_value, String::new()))?;
            lacking.push(std::mem::replace(text, least_text));
        }
        Ok(AdaptedCall {
            filled,
            fields,
            lacking,
        })
    }

    fn candidate<'a>(
        &self,
        check: &'static CheckSpec,
        character: &'a Character,
        given: &[(String, String)],
    ) -> Result<Candidate<'a>> {
        // A character whom a field names as a helper does not help in their own roll.
        let is_own_help = |(name, text): &(String, String)| {
            let is_lent = check.field(name).is_some_and(Field::is_lent);
            match self.split_character_name(text.trim()) {
                Some((helper, _)) => is_lent && helper.id == character.id,
                None => false,
            }
        };
        let given_by_others: Vec<(String, String)> = given
            .iter()
            .filter(|field| !is_own_help(field))
            .cloned()
            .collect();

        let mut filled = self
            .adapt_call(check, character.id, &given_by_others)?
            .filled;
        fill_with_best_ranks(character, &mut filled)?;
        filled.fields.complete()?;
        let odds = self.odds_of(filled.fields.clone());
        Ok(Candidate {
            character,
            filled,
            odds,
        })
    }
}

/// Picks the worst or best candidate. Of equal candidates, the first of the roster is picked.
fn pick_candidate<'a, 'b>(
    candidates: &'b [Candidate<'a>],
    kind: GroupKind,
) -> Option<&'b Candidate<'a>> {
    match kind {
        GroupKind::Worst => candidates
            .iter()
            .min_by_key(|candidate| candidate.merit(kind)),
        // `max_by_key` returns the last of equal elements.
        GroupKind::Best => candidates
            .iter()
            .rev()
            .max_by_key(|candidate| candidate.merit(kind)),
    }
}

/// Fills each required field without a value with the best rank of the sheet.
fn fill_with_best_ranks(character: &Character, filled: &mut Filled) -> Result<()> {
    for field in filled.fields.spec().fields {
        let has_value = filled.fields.value(field.id).is_some();
        let is_open = field.is_required() && !has_value;
        if !is_open || field.whose != Whose::Own {
            continue;
        }
        let ValueSource::Ranked { list, .. } = field.source else {
            continue;
        };

        let ranks = character.sheet.ranks(list).iter();
        let best = match ranks.max_by_key(|(_, rank)| *rank) {
            Some((name, rank)) => {
                let value = Value::Number(*rank);
                SourcedValue::new(value, name.clone())
            }
            None => SourcedValue::new(least(field), String::new()),
        };
        filled.put(field, best)?;
    }
    Ok(())
}

/// The sum of Attribute, Competency and Specialisation, which counts before the odds if the members add up their values
/// (HFRPG, Group Rolls).
fn added_values(candidate: &Candidate<'_>, kind: GroupKind) -> i32 {
    let fields = &candidate.filled.fields;
    let has_group_field = fields.spec().field("group").is_some();
    if kind != GroupKind::Best || !has_group_field {
        return 0;
    }
    let attribute = fields.maybe_number("attribute").unwrap_or(0);
    attribute + group_bonus(&candidate.filled)
}

/// The bonus that a member adds to the roll of another: Competency and Specialisation.
pub(super) fn group_bonus(filled: &Filled) -> i32 {
    let number = |name| filled.fields.maybe_number(name).unwrap_or(0);
    number("competency") + number("specialisation")
}

/// Limits a number to the range of a field.
pub(super) fn bounded(field: &Field, number: i32) -> i32 {
    if let Kind::Number { min, max } = field.kind {
        number.clamp(min, max)
    } else {
        number
    }
}

/// Returns the value of a field for a character whose sheet does not have the named skill.
fn least(field: &Field) -> Value {
    if let Some(start) = &field.start {
        return start.clone();
    }
    match field.kind {
        Kind::Die => Value::Die(tableside_dice::Die::D4),
        Kind::Number { min, .. } => Value::Number(min),
        Kind::Flag => Value::Flag(false),
        Kind::Word(words) => {
            let first = words.first().copied();
            Value::from(first.unwrap_or_default())
        }
        Kind::Text | Kind::Ranks { .. } => Value::from(""),
    }
}
