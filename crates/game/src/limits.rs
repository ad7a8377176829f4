//! Refuses rolls that the rules forbid: a locked attempt, missing or owed tokens, an aspect beyond its rank.

use super::fill_fields::{check_rank, rank_of};
use super::{Character, CharacterId, CommandError, Filled, Game, Result, Roll, refused};
use tableside_rules::{Field, Fields, RuleError, Value, ValueSource, Whose};
use tableside_text::{is_same_name, join};

impl Game {
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

        self.may_use_aspects(roll, fields)
    }

    /// Refuses an aspect beyond its rank, or one that is used both ways at once.
    fn may_use_aspects(&self, roll: &Roll, fields: &Fields) -> Result<()> {
        for (field, value) in fields.iter() {
            let holder = match field.whose {
                Whose::Own => roll.id.and_then(|id| self.character(id)),
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

    /// Refuses a call for a roll that would itself be refused as the game is now: for fields that exclude each other, or
    /// for points and tokens that its character lacks. Fields may still be open.
    pub(super) fn may_call(&self, who: &Character, filled: &Filled) -> Result<()> {
        let mut fields = filled.fields.clone();
        fields.decide(&self.house);
        fields
            .check_exclusions()
            .map_err(|error| self.explain_conflict(Some(who.id), &fields, error))?;

        let roll = Roll {
            who: who.name.clone(),
            id: Some(who.id),
            check: fields.spec().id.to_owned(),
            sources: filled.sources.clone(),
            house: self.house.clone(),
            ..Roll::default()
        };
        self.may_use_aspects(&roll, &fields)?;
        self.may_pay(&roll, &fields, |_| true)?;
        self.owes(roll.id, &fields)
    }

    /// Explains two fields that exclude each other, if one of them was filled in because the character owes tokens.
    fn explain_conflict(
        &self,
        who: Option<CharacterId>,
        fields: &Fields,
        error: RuleError,
    ) -> CommandError {
        let RuleError::Both(first, second) = error else {
            return error.into();
        };
        let Some(character) = who.and_then(|id| self.character(id)) else {
            return error.into();
        };

        for (owed_id, other_id) in [(first, second), (second, first)] {
            let Some(field) = fields.spec().field(owed_id) else {
                continue;
            };
            let ValueSource::Tokens { kind, owed: true } = field.source else {
                continue;
            };
            let offered = self.offered(character, field).map(|(value, _)| value);
            if let Some(Value::Number(due)) = offered
                && fields.maybe_number(owed_id) == Some(due)
            {
                let tokens = self.system.spec().tokens(kind, -due);
                let words = format!(
                    "{} owes {tokens} and must use all of it, so leave {other_id} out",
                    character.name
                );
                return RuleError::Said(words).into();
            }
        }

        error.into()
    }

    /// Explains why a roll is refused, if its fields conflict or if the values at fault may come from a call.
    pub fn explain_refusal(
        &self,
        who: Option<CharacterId>,
        fields: &Fields,
        error: CommandError,
    ) -> CommandError {
        let explained = match error {
            CommandError::Rule(error @ RuleError::Both(..)) => {
                self.explain_conflict(who, fields, error)
            }
            other => other,
        };
        self.name_call(who, fields.spec().id, explained)
    }

    /// Adds to the refusal of a roll which values come from the call that the roll answers, and how to change them.
    pub fn name_call(
        &self,
        who: Option<CharacterId>,
        check: &str,
        error: CommandError,
    ) -> CommandError {
        let call = who.and_then(|id| self.call_for(id, check));
        let Some(call) = call.filter(|call| !call.fields.is_empty()) else {
            return error;
        };

        // A field may name a character who is hidden from the player that rolls.
        let names_another = |id: &str| {
            call.named.iter().any(|(field, origin)| {
                field == id && origin.of.iter().any(|named| named.id != call.who)
            })
        };
        let values = call
            .fields
            .iter()
            .filter(|(id, _)| !names_another(id))
            .map(|(id, value)| format!("{id}={value}"));
        let values = match join(values, " ") {
            none if none.is_empty() => "a value".to_owned(),
            values => values,
        };
        let name = self.owner_name(Some(call.who));
        let words = format!(
            "{error}; {values} comes from the call for this roll: give another value in the roll, or say: cancel call {name}"
        );
        match error {
            CommandError::Rule(_) => RuleError::Said(words).into(),
            _ => refused(words),
        }
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
