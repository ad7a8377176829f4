//! Group checks: who of the party rolls for all, found by exact odds against this very number.

use super::fill::Known;
use super::helper::listed;
use super::{Allegiance, Character, CharacterId, Filled, Refusal, Session};
use crate::dice::Fraction;
use crate::rules::{CheckSpec, Field, Kind, Odds, Policy, Preset, System, Value, Walk};

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

struct Candidate<'a> {
    character: &'a Character,
    filled: Filled,
    machine: Result<Box<dyn Walk>, Refusal>,
    success: Option<Fraction>,
    mean: Option<Fraction>,
}

impl Session {
    /// Finds who of the party members present rolls for all. Fields are given as a person writes them;
    /// who does not have what is named has the least of it.
    pub fn group(
        &self,
        check: &'static CheckSpec,
        kind: GroupKind,
        given: &[(String, String)],
    ) -> Result<GroupPick, Refusal> {
        self.group_knowing(check, kind, given, &|_| true)
    }

    pub(crate) fn group_knowing(
        &self,
        check: &'static CheckSpec,
        kind: GroupKind,
        given: &[(String, String)],
        known: Known<'_>,
    ) -> Result<GroupPick, Refusal> {
        let party = |one: &&Character| one.side == Allegiance::Party && one.is_here() && known(one);
        let members: Vec<&Character> = self.roster.iter().filter(party).collect();
        let candidates = self.candidates(check, &members, given, known)?;
        let chances = candidates.iter();
        let chances = chances.map(|one| (one.character.id, one.success.clone()));
        let chances = chances.collect();
        // Of equals `min_by` and `max_by` differ in whom they take; the first of the roster is wanted.
        let merit =
            |one: &Candidate<'_>| (adding_up(one, kind), one.success.clone(), one.mean.clone());
        let ranked = candidates.iter().rev();
        let picked = match kind {
            GroupKind::Worst => candidates.iter().min_by_key(|one| merit(one)),
            GroupKind::Best => ranked.max_by_key(|one| merit(one)),
        };
        let picked = picked.ok_or_else(nobody)?;
        let who = picked.character;
        let mut filled = picked.filled.clone();
        if let Err(refusal) = &picked.machine {
            return Err(refusal.clone());
        }
        let others: Vec<&Candidate<'_>> = candidates
            .iter()
            .filter(|one| one.character.id != who.id)
            .collect();
        let mut helpers: Vec<CharacterId> = Vec::new();
        let ids = || others.iter().map(|one| one.character.id);
        if let (Some(field), GroupKind::Best) = (check.field("group"), kind) {
            let adds: Vec<i32> = others.iter().map(|one| added(&one.filled)).collect();
            let names: Vec<&Character> = others.iter().map(|one| one.character).collect();
            let value = bounded(field, adds.iter().sum());
            filled.put(field, (Value::Number(value), listed(&names)))?;
            helpers = ids().collect();
        } else if check.field("helped").is_some() {
            helpers = ids().collect();
            self.help(&mut filled, Some(who.id), &helpers)?;
        } else if self.system == System::Gnosis && kind == GroupKind::Best {
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

    fn candidates<'a>(
        &self,
        check: &'static CheckSpec,
        members: &[&'a Character],
        given: &[(String, String)],
        known: Known<'_>,
    ) -> Result<Vec<Candidate<'a>>, Refusal> {
        let mut filled: Vec<Filled> = members
            .iter()
            .map(|one| self.fill(check, Some(one.id)))
            .collect();
        for (name, text) in given {
            let Some(field) = check.field(name) else {
                // Says which fields there are.
                filled.first_mut().map_or(Ok(()), |first| {
                    first.fields.set(name, Value::from(text.as_str()))
                })?;
                continue;
            };
            let mut refused = None;
            let mut anybody = false;
            for (one, filled) in members.iter().zip(&mut filled) {
                match self.fill_in_knowing(filled, Some(one.id), field, text, known) {
                    Ok(()) => anybody = true,
                    Err(refusal) => {
                        refused = Some(refusal);
                        filled.put(field, (least(field), String::new()))?;
                    }
                }
            }
            if let (Some(refusal), false) = (refused, anybody) {
                return Err(refusal);
            }
        }
        let candidates = members.iter().zip(filled).map(|(character, filled)| {
            filled.fields.complete()?;
            let machine = (check.prepare)(&filled.fields, &self.house).map_err(Refusal::from);
            let odds = match &machine {
                Ok(machine) => {
                    let mut fields = filled.fields.clone();
                    fields.decide(&self.house);
                    let policy = Policy::default();
                    Some(Odds::known(&**machine, &fields, &self.house, &policy)?)
                }
                // What the rules forbid has no chance.
                Err(_) => None,
            };
            let total = odds.as_ref().and_then(|odds| odds.total.as_ref());
            Ok(Candidate {
                character,
                mean: total.map(|total| total.mean.clone()),
                success: match &odds {
                    Some(odds) => odds.success.clone(),
                    None => Some(Fraction::ZERO),
                },
                filled,
                machine,
            })
        });
        candidates.collect()
    }
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
        Kind::Die | Kind::Flag | Kind::Word(_) | Kind::Text => number,
    }
}

/// What a field is for somebody whose sheet does not have what it names.
fn least(field: &Field) -> Value {
    if let Some(preset) = field
        .preset_value()
        .filter(|_| field.preset != Preset::Required)
    {
        return preset;
    }
    match field.kind {
        Kind::Die => Value::Die(crate::dice::Die::D4),
        Kind::Number { min, .. } => Value::Number(min),
        Kind::Flag => Value::Flag(false),
        Kind::Word(words) => Value::from(words.first().copied().unwrap_or_default()),
        Kind::Text => Value::from(""),
    }
}

fn nobody() -> Refusal {
    Refusal::Rules(crate::rules::Refused(
        "nobody of the party is here; mark somebody as present first".to_owned(),
    ))
}
