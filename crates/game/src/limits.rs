//! What may not be tried, or not so: a lock, tokens that are not there or are owed, an aspect beyond its rank.

use super::fill_fields::{check_rank, rank_of};
use super::{Character, CharacterId, Result, Roll, Session, refused};
use tableside_rules::{Field, Fields, Value, ValueSource, Whose};
use tableside_text::{is_same_name, join};

impl Session {
    /// Refuses what may not be tried: a lock, an aspect beyond its rank or both ways at once.
    pub(super) fn may_be_tried(&self, roll: &Roll, fields: &Fields) -> Result<()> {
        let Some(id) = roll.id else {
            return Ok(());
        };
        // Only what locks is locked: the same door may still be tried by force (Friday Night Dungeon,
        // Repeating Challenges).
        for lock in fields.spec().may_lock(fields, &roll.house) {
            let about = lock.about.trim();
            if let Some(field) = lock.field.filter(|_| about.is_empty()) {
                return Err(refused(format!(
                    "{} is missing: say in a word or two what is tried, for what fails is locked by that name",
                    field.id
                )));
            }
            let is_this = |lock: &&(CharacterId, String)| {
                let (who, what) = lock;
                *who == id && is_same_name(what.trim(), about)
            };
            if let Some(found) = self.locks.iter().find(is_this) {
                let leave = format!("the {}'s leave", self.system.spec().gm);
                let until = if self.gm_locks.contains(found) {
                    &leave
                } else {
                    lock.until
                };
                let elsewhere = lock.field.map(|field| field.label);
                let elsewhere = elsewhere.map_or_else(String::new, |label| {
                    format!("; if it is about something else, say so at {label}")
                });
                return Err(refused(format!(
                    "{} failed at this before ({about}); it takes {until} first{elsewhere}",
                    roll.who
                )));
            }
        }
        for (field, value) in fields.iter() {
            let holder = match field.whose {
                Whose::Own => self.character(id),
                Whose::Opponent => self.opponent(fields.spec(), &roll.sources),
                Whose::Helper | Whose::OpponentHelper => None,
            };
            let (Some(holder), Some(Value::Number(given @ 1..))) = (holder, value) else {
                continue;
            };
            if field.spends.is_some() {
                one_way(roll, fields, field)?;
                may_spend(roll, (field, *given), holder)?;
            } else if field.gains.is_some() {
                is_whole_rank((field, *given), holder)?;
            }
        }
        Ok(())
    }

    /// Refuses fewer or more tokens than the pool says must be used (HFRPG, Bonuses & Penalties).
    pub(super) fn owes(&self, who: Option<CharacterId>, fields: &Fields) -> Result<()> {
        let Some(character) = who.and_then(|id| self.character(id)) else {
            return Ok(());
        };
        for (field, value) in fields.iter() {
            let ValueSource::Tokens { kind, owed: true } = field.source else {
                continue;
            };
            let due = self.offered(character, field).map(|(due, _)| due);
            let (Some(Value::Number(given)), Some(Value::Number(due))) = (value, due) else {
                continue;
            };
            let owed = self.system.spec().tokens(kind, -due);
            let (name, id) = (&character.name, field.id);
            if *given != due {
                return Err(refused(match due {
                    0 => format!("{name} owes no tokens; leave {id} out"),
                    _ => format!(
                        "{name} owes {owed} and must use all of it; leave {id} out, for it is filled in"
                    ),
                }));
            }
        }
        Ok(())
    }
}

/// Refuses an aspect that would help and hinder one roll at once.
fn one_way(roll: &Roll, fields: &Fields, field: &Field) -> Result<()> {
    let Some(aspect) = roll.sources.get(field.id) else {
        return Ok(());
    };
    let against = |other: &Field| {
        let hinders = other.gains.is_some() && other.whose == field.whose;
        hinders && roll.sources.get(other.id) == Some(aspect)
    };
    let mut others = fields.iter().map(|(other, _)| other);
    let other = others.find(|other| against(other));
    other.map_or(Ok(()), |Field { id, .. }| {
        Err(refused(format!(
            "{aspect} cannot help and hinder the same roll; leave out {} or {id}",
            field.id
        )))
    })
}

/// Refuses more points than the rank of the aspect that is named, or of the highest there is (Heart Rush,
/// Using Aspects).
fn may_spend(roll: &Roll, (field, given): (&Field, i32), holder: &Character) -> Result<()> {
    let ValueSource::Ranked { list, .. } = field.source else {
        return Ok(());
    };
    let named = roll.sources.get(field.id).and_then(|source| {
        let name = &source.what;
        Some((name, rank_of(holder, field, name)?))
    });
    let aspects = holder.sheet.ranks(list).iter();
    let highest = aspects.max_by_key(|(_, rank)| *rank);
    match named.or_else(|| highest.map(|(name, rank)| (name, *rank))) {
        Some((aspect, rank)) => check_rank(aspect, rank, given),
        None => Err(refused(format!(
            "{} has no aspect to spend points on",
            holder.name
        ))),
    }
}

/// Refuses a penalty that is the rank of no aspect. Wounds are aspects too, but only ever against who bears
/// them (Heart Rush, Using Aspects, Wounds).
fn is_whole_rank((field, given): (&Field, i32), holder: &Character) -> Result<()> {
    let ValueSource::Ranked { list, .. } = field.source else {
        return Ok(());
    };
    let ranks = [list, "wounds"].map(|list| holder.sheet.ranks(list));
    let ranks: Vec<&(String, i32)> = ranks.into_iter().flatten().collect();
    if ranks.iter().any(|(_, rank)| *rank == given) {
        return Ok(());
    }
    let ranks = ranks.iter().map(|(name, rank)| format!("{name} {rank}"));
    let ranks = match join(ranks, ", ") {
        none if none.is_empty() => "no aspect".to_owned(),
        ranks => ranks,
    };
    Err(refused(format!(
        "{} takes the whole rank of an aspect, and {given} was given; {} has {ranks}",
        field.id, holder.name
    )))
}
