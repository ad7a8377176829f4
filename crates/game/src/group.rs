//! Group checks: who of the party rolls for all, found by exact odds against this very number.

use std::sync::Arc;

use super::filled::SourcedValue;
use super::{Character, CharacterId, Filled, Game, Origin, Result, refused};
use tableside_dice::Fraction;
use tableside_rules::{
    CheckSpec, Field, HelpEffect, Kind, Odds, SharedConsequences, Value, ValueSource, Whose,
};

/// Who rolls for a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GroupKind {
    /// The weakest link: the worst one rolls, and a failure is everybody's.
    Worst,
    /// Working together: the best one rolls.
    Best,
}

/// Who rolls for the group, with what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupPick {
    /// Who rolls.
    pub who: CharacterId,
    /// That one's fields, with what the others add.
    pub filled: Filled,
    /// The others, who share what goes wrong; nobody where the rules know no group check.
    pub helpers: Vec<CharacterId>,
    /// Every member with the chance of success alone, in the order of the roster.
    pub chances: Vec<(CharacterId, Option<Fraction>)>,
}

/// The fields of a call as they are for one of those called.
pub struct Trained {
    pub filled: Filled,
    /// The fields as a person writes them.
    pub fields: Vec<(String, String)>,
    /// What is not on that one's sheet, by name.
    pub lacking: Vec<String>,
}

struct Candidate<'a> {
    character: &'a Character,
    filled: Filled,
    /// What the rules forbid has none.
    odds: Result<Arc<Odds>>,
}

impl Candidate<'_> {
    fn success(&self) -> Option<Fraction> {
        let odds = self.odds.as_ref();
        odds.map_or(Some(Fraction::ZERO), |odds| odds.success.clone())
    }

    fn mean(&self) -> Option<Fraction> {
        let total = self.odds.as_ref().ok()?.total.as_ref()?;
        Some(total.mean.clone())
    }
}

impl Game {
    /// Finds who of the party members present rolls for all. Fields are given as a person writes them;
    /// who does not have what is named has the least of it. Those of `without` take no part.
    pub fn group(
        &self,
        check: &'static CheckSpec,
        kind: GroupKind,
        given: &[(String, String)],
        without: &[CharacterId],
    ) -> Result<GroupPick> {
        let party = |one: &&Character| one.is_in_party() && !without.contains(&one.id);
        let members = self.roster.iter().filter(party);
        let candidates = members.map(|one| self.candidate(check, one, given));
        let candidates: Vec<Candidate<'_>> = candidates.collect::<Result<_>>()?;
        let chances = candidates.iter();
        let chances = chances.map(|one| (one.character.id, one.success()));
        let chances = chances.collect();
        // Of equals `min_by` and `max_by` differ in whom they take; the first of the roster is wanted.
        let merit = |one: &Candidate<'_>| (adding_up(one, kind), one.success(), one.mean());
        let ranked = candidates.iter().rev();
        let picked = match kind {
            GroupKind::Worst => candidates.iter().min_by_key(|one| merit(one)),
            GroupKind::Best => ranked.max_by_key(|one| merit(one)),
        };
        let nobody = "nobody of the party is here; mark somebody as present first";
        let picked = picked.ok_or_else(|| refused(nobody))?;
        let who = picked.character;
        let mut filled = picked.filled.clone();
        if let Err(refusal) = &picked.odds {
            return Err(refusal.clone());
        }
        let others = candidates.iter();
        let others: Vec<_> = others.filter(|one| one.character.id != who.id).collect();
        let mut helpers: Vec<CharacterId> = Vec::new();
        let helping = check.helping;
        let brings = helping.map(|helping| helping.brings);
        let ids = || others.iter().map(|one| one.character.id);
        if let (Some(field), GroupKind::Best) = (check.field("group"), kind) {
            let adds: Vec<i32> = others.iter().map(|one| added(&one.filled)).collect();
            let names: Vec<&Character> = others.iter().map(|one| one.character).collect();
            let value = bounded(field, adds.iter().sum());
            filled.put(
                field,
                SourcedValue::new(Value::Number(value), Origin::all_of(&names)),
            )?;
            helpers = ids().collect();
        } else if helping.is_some_and(|helping| helping.shares == SharedConsequences::WhatGoesWrong)
        {
            helpers = ids().collect();
            self.help(&mut filled, Some(who.id), &helpers)?;
        } else if kind == GroupKind::Best && brings == Some(HelpEffect::Told) {
            // All spend the action, one rolls, and consequences are split (Gnosis, Working Together).
            helpers = ids().collect();
        }
        Ok(GroupPick {
            who: who.id,
            filled,
            helpers,
            chances,
        })
    }

    /// The fields of a call that opens the very check by which that one was found: what was given, what
    /// was read by name off the sheet, and what the others add.
    pub fn called_with(
        &self,
        pick: &GroupPick,
        given: &[(String, String)],
    ) -> Vec<(String, String)> {
        let mut fields = given.to_vec();
        let who = self.character(pick.who);
        let spec = pick.filled.fields.spec();
        let is_given = |id: &str| given.iter().any(|(known, _)| known == id);
        for field in spec.fields.iter().filter(|field| !is_given(field.id)) {
            let by_name = field.whose == Whose::Own && field.spends.is_none();
            let source = pick.filled.name_of(field.id).filter(|_| by_name);
            let named =
                source.filter(|source| self.picks(who, field).iter().any(|pick| pick == source));
            fields.extend(named.map(|name| (field.id.to_owned(), name.to_owned())));
        }
        if let Some(Value::Number(group)) = pick.filled.fields.value("group") {
            fields.retain(|(id, _)| id != "group");
            fields.push(("group".to_owned(), group.to_string()));
        }
        fields
    }

    /// The check with these fields for that character. A skill that only others have counts as its least value.
    pub fn as_far_as_trained(
        &self,
        check: &'static CheckSpec,
        who: CharacterId,
        given: &[(String, String)],
    ) -> Result<Trained> {
        let mut filled = self.fill(check, Some(who));
        let (mut fields, mut lacking) = (given.to_vec(), Vec::new());
        for (name, text) in &mut fields {
            let field = filled.field(name)?;
            let mut others = self.roster.iter();
            let is_known = |one: &Character| self.find_on_sheet(one, field, text.trim()).is_some();
            match self.fill_in(&mut filled, Some(who), field, text) {
                Ok(()) => {}
                Err(_) if field.whose == Whose::Own && others.any(is_known) => {
                    filled.put(field, SourcedValue::new(least(field), String::new()))?;
                    lacking.push(std::mem::replace(text, least(field).to_string()));
                }
                Err(refusal) => return Err(refusal),
            }
        }
        Ok(Trained {
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
        // The character whom a field names as a helper rolls without that help when it is their turn.
        let is_own_help = |(name, text): &&(String, String)| {
            let is_lent = check.field(name).is_some_and(Field::is_lent);
            let helper = self.split_character_name(text.trim());
            is_lent && helper.is_some_and(|(helper, _)| helper.id == character.id)
        };
        let given: Vec<(String, String)> = given
            .iter()
            .filter(|field| !is_own_help(field))
            .cloned()
            .collect();
        let mut filled = self.as_far_as_trained(check, character.id, &given)?.filled;
        best_of_what_is_open(character, &mut filled)?;
        filled.fields.complete()?;
        let odds = self.odds_of(filled.fields.clone());
        Ok(Candidate {
            character,
            filled,
            odds,
        })
    }
}

/// What nobody named is the best that is on the sheet, by its name.
fn best_of_what_is_open(character: &Character, filled: &mut Filled) -> Result<()> {
    for field in filled.fields.spec().fields {
        let is_open = field.is_required() && filled.fields.value(field.id).is_none();
        let (ValueSource::Ranked { list, .. }, true) =
            (field.source, is_open && field.whose == Whose::Own)
        else {
            continue;
        };
        let ranks = character.sheet.ranks(list).iter();
        let best = match ranks.max_by_key(|(_, rank)| *rank) {
            Some((name, rank)) => SourcedValue::new(Value::Number(*rank), name.clone()),
            None => SourcedValue::new(least(field), String::new()),
        };
        filled.put(field, best)?;
    }
    Ok(())
}

/// What decides before the odds where all add up: the highest Attribute, Competency and Specialisation
/// together (HFRPG, Group Rolls).
fn adding_up(one: &Candidate<'_>, kind: GroupKind) -> i32 {
    let fields = &one.filled.fields;
    let adds_up = kind == GroupKind::Best && fields.spec().field("group").is_some();
    if !adds_up {
        return 0;
    }
    fields.maybe_number("attribute").unwrap_or(0) + added(&one.filled)
}

/// What somebody else's roll gains in a group: Competency and Specialisation.
pub(super) fn added(filled: &Filled) -> i32 {
    let number = |name| filled.fields.maybe_number(name).unwrap_or(0);
    number("competency") + number("specialisation")
}

pub(super) fn bounded(field: &Field, number: i32) -> i32 {
    match field.kind {
        Kind::Number { min, max } => number.clamp(min, max),
        Kind::Die | Kind::Flag | Kind::Word(_) | Kind::Text | Kind::Ranks { .. } => number,
    }
}

/// What a field is for somebody whose sheet does not have what it names.
fn least(field: &Field) -> Value {
    if let Some(start) = &field.start {
        return start.clone();
    }
    match field.kind {
        Kind::Die => Value::Die(tableside_dice::Die::D4),
        Kind::Number { min, .. } => Value::Number(min),
        Kind::Flag => Value::Flag(false),
        Kind::Word(words) => Value::from(words.first().copied().unwrap_or_default()),
        Kind::Text | Kind::Ranks { .. } => Value::from(""),
    }
}
