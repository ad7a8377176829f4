//! How a field's value is stepped, typed, and begun.

use std::sync::Arc;

use crate::dice::Die;
use crate::rules::{CheckSpec, Field, Kind, Preset, RuleError, Source, TokenKind, Value, Whose};
use crate::screen::dialog::form::around;
use crate::session::{CharacterId, Filled, PoolKind, TokenPool};
use crate::table::{Entry, SeatView};

/// What a person decided for a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Given {
    /// This name on the sheet.
    Pick(String),
    Value(Value),
    /// Nothing: it is left out.
    Nothing,
}

/// The field's next value, or the one before; nothing where it cannot be stepped.
pub(super) fn step(
    field: &'static Field,
    by: i32,
    (filled, is_given): (&Filled, bool),
    who: Option<CharacterId>,
    seen: &SeatView<'_>,
) -> Option<Given> {
    let now = filled.fields.value(field.id);
    let picks = seen.picks(who, field);
    let plain: Vec<Value> = match field.kind {
        Kind::Flag => return Some(Given::Value(Value::Flag(now != Some(&Value::Flag(true))))),
        Kind::Text | Kind::Ranks { .. } => return None,
        Kind::Number { min, max } if picks.is_empty() => {
            let next = match now {
                Some(Value::Number(number)) => number.saturating_add(by).clamp(min, max),
                _ => middle(field),
            };
            return Some(Given::Value(Value::Number(next)));
        }
        Kind::Number { .. } => field.preset_value().into_iter().collect(),
        Kind::Die if picks.is_empty() => Die::LADDER.map(Value::Die).to_vec(),
        // A plain die is typed.
        Kind::Die => Vec::new(),
        Kind::Word(words) => words.iter().map(|word| Value::from(*word)).collect(),
    };
    if picks.is_empty() {
        // A scale has ends.
        let at = now.and_then(|now| plain.iter().position(|value| value == now));
        let at = match at {
            Some(at) if by < 0 => at.saturating_sub(1),
            Some(at) => (at + 1).min(plain.len() - 1),
            None => 0,
        };
        return plain.into_iter().nth(at).map(Given::Value);
    }
    // Names on the sheet go round, with words after them; for numbers, which are typed, the preset stands
    // before them.
    let picks = picks.into_iter().map(Given::Pick);
    let plain = plain.into_iter().map(Given::Value);
    let all: Vec<Given> = if matches!(field.kind, Kind::Number { .. }) {
        plain.chain(picks).collect()
    } else {
        picks.chain(plain).collect()
    };
    let is_now = |given: &Given| match given {
        Given::Value(value) => filled.source(field.id).is_none() && Some(value) == now,
        Given::Pick(name) => {
            let mut tried = filled.clone();
            seen.fill_in(&mut tried, who, field, name).is_ok()
                && filled.source(field.id).is_some()
                && tried.source(field.id) == filled.source(field.id)
                && tried.fields.value(field.id) == now
        }
        Given::Nothing => now.is_none(),
    };
    // What nobody said is not in the row yet: from there a step leads to a name.
    let said = is_given || filled.source(field.id).is_some();
    let is_pick = |given: &Given| matches!(given, Given::Pick(_));
    let next = match all.iter().position(is_now).filter(|_| said) {
        Some(at) => around(at, by, all.len()),
        None if by < 0 => all.iter().rposition(is_pick)?,
        None => all.iter().position(is_pick)?,
    };
    all.into_iter().nth(next)
}

/// A value as it is typed: a die by its number alone.
pub(super) fn read(field: &Field, typed: &str) -> Result<Value, String> {
    let typed = typed.trim();
    let read = match field.kind {
        Kind::Die => field.parse(&format!("d{}", typed.trim_start_matches('d'))),
        Kind::Number { .. } | Kind::Flag | Kind::Word(_) | Kind::Text | Kind::Ranks { .. } => {
            field.parse(typed)
        }
    };
    read.map_err(|error| match error {
        RuleError::Wrong { takes, .. } => format!("must be {takes}"),
        error => error.to_string(),
    })
}

/// Whether a die's number is only begun: the 1 of 10 and 12, the 2 of 20.
pub(super) fn begins_a_die(field: &Field, typed: &str) -> bool {
    let begins = |die: &Die| {
        let number = die.name().trim_start_matches('d');
        number.starts_with(typed.trim())
    };
    matches!(field.kind, Kind::Die) && Die::LADDER.iter().any(begins)
}

/// What the fields begin with that nothing fills: the last number used for this check, else something
/// in the middle, so that the check can be rolled at once.
pub(in crate::screen::dialog) fn starts(
    check: &'static CheckSpec,
    who: Option<CharacterId>,
    seen: &SeatView<'_>,
) -> Vec<(&'static str, Value)> {
    let filled = seen.fill(check, who);
    let open = |field: &&Field| filled.fields.value(field.id).is_none();
    let mut starts = Vec::new();
    for field in check.fields.iter().filter(open) {
        let last = last_used(check, field, who, seen);
        let value = match field.preset {
            Preset::Required => last.unwrap_or_else(|| begin(field)),
            // Of two that may be left out, one must be given: the one used last, else the first.
            Preset::Optional => match (last, field.excludes) {
                (Some(last), _) => last,
                (None, Some(other)) => {
                    let other = check.field(other);
                    let before = other.is_some_and(|other| {
                        starts.iter().any(|(id, _)| *id == other.id)
                            || last_used(check, other, who, seen).is_some()
                    });
                    if before {
                        continue;
                    }
                    begin(field)
                }
                (None, None) => continue,
            },
            Preset::House(..)
            | Preset::Number(_)
            | Preset::Die(_)
            | Preset::Word(_)
            | Preset::Off
            | Preset::Empty => continue,
        };
        let taken = field
            .excludes
            .is_some_and(|other| starts.iter().any(|(id, _)| *id == other));
        if !taken {
            starts.push((field.id, value));
        }
    }
    starts
}

/// So many entries back a value is looked for.
const MEMORY: usize = 200;

fn last_used(
    check: &CheckSpec,
    field: &Field,
    who: Option<CharacterId>,
    seen: &SeatView<'_>,
) -> Option<Value> {
    // Of two that exclude each other only the last roll counts.
    let entry = last_roll(check, who, seen)?;
    let last = entry.roll()?;
    let found = last.fields.iter().find(|(id, _)| id == field.id);
    let came = last.sources.iter().any(|(id, _)| id == field.id);
    let value = found.map(|(_, value)| value.clone()).filter(|_| !came)?;
    field.kind.coerce(field.id, value).ok()
}

/// The last roll of this check: the character's own, else anybody's.
fn last_roll(
    check: &CheckSpec,
    who: Option<CharacterId>,
    seen: &SeatView<'_>,
) -> Option<Arc<Entry>> {
    let same = |entry: &Arc<Entry>| entry.roll().is_some_and(|roll| roll.check == check.id);
    let own = |entry: &Arc<Entry>| entry.roll().is_some_and(|roll| roll.id == who);
    let mut rolls = seen.log().take(MEMORY).filter(same);
    rolls
        .find(own)
        .or_else(|| seen.log().take(MEMORY).find(same))
}

/// What the character picked from the own sheet for this check the last time: Agility, Athletics.
pub(super) fn usual_picks(
    check: &'static CheckSpec,
    who: Option<CharacterId>,
    seen: &SeatView<'_>,
) -> Vec<(&'static Field, String)> {
    let last = last_roll(check, who, seen).filter(|_| who.is_some());
    let roll = last
        .as_ref()
        .and_then(|entry| entry.roll())
        .filter(|roll| roll.id == who);
    let sources = roll.map_or(&[][..], |roll| &roll.sources);
    let usual = |field: &&Field| {
        field.whose == Whose::Own
            && matches!(
                field.source,
                Source::OneOf(_) | Source::Derived | Source::Ranked { offer: true, .. }
            )
    };
    let fields = check.fields.iter().filter(usual);
    fields
        .filter_map(|field| {
            let (_, name) = sources.iter().find(|(id, _)| id == field.id)?;
            Some((field, name.name()?.to_owned()))
        })
        .collect()
}

fn begin(field: &Field) -> Value {
    match field.kind {
        Kind::Die => Value::Die(Die::D8),
        Kind::Number { .. } => Value::Number(middle(field)),
        Kind::Flag => Value::Flag(false),
        Kind::Word(words) => {
            let at = words.len().saturating_sub(1) / 2;
            Value::from(words.get(at).copied().unwrap_or_default())
        }
        Kind::Text | Kind::Ranks { .. } => Value::from(""),
    }
}

/// The number in the middle of those that have names, else of all.
fn middle(field: &Field) -> i32 {
    let Kind::Number { min, max } = field.kind else {
        return 0;
    };
    let at = field.names.len().saturating_sub(1) / 2;
    let named = field.names.get(at).map(|(number, _)| *number);
    // Most values are low ones: a skill of 50, a trait of 10.
    let begins = field.begins.or(named);
    begins.unwrap_or(min + (max - min) / 4)
}

/// The rules' pool of a character, else the table's.
pub(super) fn pool<'a>(
    kind: TokenKind,
    who: CharacterId,
    seen: &SeatView<'a>,
) -> Option<&'a TokenPool> {
    let of = |owner| {
        let mut pools = seen.pools_of(owner);
        pools.find(|pool| pool.kind == PoolKind::Rule(kind))
    };
    of(Some(who)).or_else(|| of(None))
}
