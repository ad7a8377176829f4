//! Refuses rolls that the rules forbid: a locked attempt, missing or owed tokens, an aspect beyond its rank.

use super::fill_fields::{check_rank, rank_of};
use super::{Character, CharacterId, CommandError, Filled, Game, Result, Roll, refused};
use tableside_rules::{Field, Fields, Id, MayLock, RuleError, Value, ValueSource, Whose};
use tableside_text::{is_same_name, join};

/// Tokens that a character owes, for a field that takes all of them.
struct OwedTokens {
    /// The value that the field must have, never above 0.
    due: i32,
    /// The owed tokens in words: `2 penalty tokens`.
    description: String,
}

impl Game {
    /// Refuses an attempt that is locked, and aspects that the rules forbid.
    pub(super) fn validate_attempt(&self, roll: &Roll, fields: &Fields) -> Result<()> {
        let Some(roller) = roll.id else {
            return Ok(());
        };

        // Only the attempt that failed is locked: the same door may still be forced open (Friday Night Dungeon,
        // Repeating Challenges).
        for lock in fields.spec().may_lock(fields, &roll.house) {
            let attempt = lock.about.trim();
            if let Some(field) = lock.field
                && attempt.is_empty()
            {
                return Err(refused(format!(
                    "{} is missing: describe the attempt in a word or two, because a failed attempt is locked under \
                     that name",
                    field.id
                )));
            }

            let locked = self.locks.iter().find(|(character, locked_attempt)| {
                *character == roller && is_same_name(locked_attempt.trim(), attempt)
            });
            if let Some(locked) = locked {
                let is_locked_by_gm = self.gm_locks.contains(locked);
                return Err(self.refuse_locked_attempt(roll, &lock, is_locked_by_gm));
            }
        }

        self.validate_aspects(roll, fields)
    }

    fn refuse_locked_attempt(
        &self,
        roll: &Roll,
        lock: &MayLock,
        is_locked_by_gm: bool,
    ) -> CommandError {
        let requirement = if is_locked_by_gm {
            format!("the {}'s permission", self.system.spec().gm)
        } else {
            lock.until.to_owned()
        };
        let advice = match lock.field {
            Some(field) => format!("; for a different attempt, change {}", field.label),
            None => String::new(),
        };

        refused(format!(
            "{} already failed at this ({}); it takes {requirement} to try again{advice}",
            roll.who,
            lock.about.trim()
        ))
    }

    /// Refuses an aspect beyond its rank, and an aspect that helps and hinders the same roll.
    fn validate_aspects(&self, roll: &Roll, fields: &Fields) -> Result<()> {
        for (field, value) in fields.iter() {
            let holder = match field.whose {
                Whose::Own => self.optional_character(roll.id),
                Whose::Opponent => self.opponent(fields.spec(), &roll.sources),
                Whose::Helper | Whose::OpponentHelper => None,
            };
            let Some(holder) = holder else {
                continue;
            };
            let Some(Value::Number(points @ 1..)) = value else {
                continue;
            };

            if field.spends.is_some() {
                refuse_contrary_aspect(roll, fields, field)?;
                validate_spent_points(roll, field, *points, holder)?;
            } else if field.gains.is_some() {
                require_whole_rank(field, *points, holder)?;
            }
        }
        Ok(())
    }

    /// Refuses a call for a roll that would be refused in the present game, because fields exclude each other or the
    /// character lacks tokens. Required fields may still be empty.
    pub(super) fn validate_call(&self, character: &Character, filled: &Filled) -> Result<()> {
        let mut fields = filled.fields.clone();
        fields.decide(&self.house);
        fields
            .check_exclusions()
            .map_err(|error| self.explain_conflict(Some(character.id), &fields, error))?;

        let roll = Roll {
            who: character.name.clone(),
            id: Some(character.id),
            check: fields.spec().id.to_owned(),
            sources: filled.sources.clone(),
            house: self.house.clone(),
            ..Roll::default()
        };
        self.validate_aspects(&roll, &fields)?;
        self.require_claimed_tokens(&roll, &fields, |_| true)?;
        self.require_owed_tokens(roll.id, &fields)
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
        let Some(character) = self.optional_character(who) else {
            return error.into();
        };

        for (owed_id, other_id) in [(first, second), (second, first)] {
            let field = fields.spec().field(owed_id);
            let owed = field.and_then(|field| self.owed_tokens(character, field));
            let Some(owed) = owed else {
                continue;
            };
            if fields.maybe_number(owed_id) == Some(owed.due) {
                let explanation = format!(
                    "{} owes {} and must use them all, so leave {other_id} out",
                    character.name, owed.description
                );
                return RuleError::Said(explanation).into();
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
        self.mention_call(who, fields.spec().id, explained)
    }

    /// Adds to the refusal of a roll which values come from the call that the roll answers, and how to change them.
    pub fn mention_call(
        &self,
        who: Option<CharacterId>,
        check: &str,
        error: CommandError,
    ) -> CommandError {
        let call = who.and_then(|id| self.call_for(id, check));
        let Some(call) = call else {
            return error;
        };
        if call.fields.is_empty() {
            return error;
        }

        // A field may name a character that is hidden from the rolling player.
        let names_another = |id: &str| {
            call.named.iter().any(|(field, origin)| {
                field == id && origin.of.iter().any(|named| named.id != call.who)
            })
        };
        let shown_values = call
            .fields
            .iter()
            .filter(|(id, _)| !names_another(id))
            .map(|(id, value)| format!("{id}={value}"));
        let mut values = join(shown_values, " ");
        if values.is_empty() {
            values.push_str("a value");
        }

        let name = self.owner_name(Some(call.who));
        let message = format!(
            "{error}; the call for this roll sets {values}: type another value, or cancel the call with: cancel call \
             {name}"
        );
        match error {
            CommandError::Rule(_) => RuleError::Said(message).into(),
            _ => refused(message),
        }
    }

    /// Refuses a roll that uses fewer or more tokens than the character owes (HFRPG, Bonuses & Penalties).
    pub(super) fn require_owed_tokens(
        &self,
        who: Option<CharacterId>,
        fields: &Fields,
    ) -> Result<()> {
        let Some(character) = self.optional_character(who) else {
            return Ok(());
        };

        for (field, value) in fields.iter() {
            let Some(owed) = self.owed_tokens(character, field) else {
                continue;
            };
            let Some(Value::Number(number)) = value else {
                continue;
            };
            if *number == owed.due {
                continue;
            }

            let name = &character.name;
            let id = field.id;
            return Err(refused(if owed.due == 0 {
                format!("{name} owes no tokens; leave {id} out")
            } else {
                let tokens = owed.description;
                format!(
                    "{name} owes {tokens} and must use them all; leave {id} out; it is then filled in for you"
                )
            }));
        }
        Ok(())
    }

    /// The tokens that a character owes, if the field takes owed tokens.
    fn owed_tokens(&self, character: &Character, field: &Field) -> Option<OwedTokens> {
        let kind = owed_kind(field)?;
        let default = self.sheet_default(character, field)?;
        let owed_value = default.value.number()?;
        Some(OwedTokens {
            due: owed_value,
            description: self.system.spec().tokens(kind, -owed_value),
        })
    }
}

/// The kind of the tokens that a field takes because a character owes them.
const fn owed_kind(field: &Field) -> Option<Id> {
    match field.source {
        ValueSource::Tokens { kind, owed: true } => Some(kind),
        _ => None,
    }
}

/// Refuses an aspect that would help and hinder one roll at once.
fn refuse_contrary_aspect(roll: &Roll, fields: &Fields, field: &Field) -> Result<()> {
    let Some(aspect) = roll.sources.get(field.id) else {
        return Ok(());
    };

    for (other, _) in fields.iter() {
        let hinders = other.gains.is_some() && other.whose == field.whose;
        if hinders && roll.sources.get(other.id) == Some(aspect) {
            return Err(refused(format!(
                "{aspect} cannot help and hinder the same roll; leave out {} or {}",
                field.id, other.id
            )));
        }
    }
    Ok(())
}

/// Refuses more points than the rank of the named aspect, or than the highest rank if no aspect is named (Heart Rush,
/// Using Aspects).
fn validate_spent_points(
    roll: &Roll,
    field: &Field,
    points: i32,
    holder: &Character,
) -> Result<()> {
    let ValueSource::Ranked { list, .. } = field.source else {
        return Ok(());
    };

    if let Some(source) = roll.sources.get(field.id)
        && let Some(rank) = rank_of(holder, field, &source.what)
    {
        return check_rank(&source.what, rank, points);
    }

    let ranks = holder.sheet.ranks(list);
    match ranks.iter().max_by_key(|(_, rank)| *rank) {
        Some((aspect, rank)) => check_rank(aspect, *rank, points),
        None => Err(refused(format!(
            "{} has no aspect to spend points on",
            holder.name
        ))),
    }
}

/// Refuses a penalty that is not the full rank of an aspect. Wounds count as aspects that only hinder (Heart Rush, Using
/// Aspects, Wounds).
fn require_whole_rank(field: &Field, points: i32, holder: &Character) -> Result<()> {
    let ValueSource::Ranked { list, .. } = field.source else {
        return Ok(());
    };

    let aspects = holder.sheet.ranks(list);
    let wounds = holder.sheet.ranks("wounds");
    let mut choices = Vec::new();
    for (name, rank) in aspects.iter().chain(wounds) {
        if *rank == points {
            return Ok(());
        }
        choices.push(format!("{name} {rank}"));
    }

    let choices = if choices.is_empty() {
        "no aspect".to_owned()
    } else {
        choices.join(", ")
    };
    Err(refused(format!(
        "{} must be the full rank of an aspect, not {points}; {} has {choices}",
        field.id, holder.name
    )))
}
