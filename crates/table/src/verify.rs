//! Verifies a journal: computes every roll again from its fields and its dice.

use std::error::Error;

use super::pool_ledger::{PoolLedger, RollClaims};
use super::workers::map_files;
use super::{Entry, journal_entry};
use tableside_game::{
    Event, EventKind, Initiative, InitiativeRoll, Roll, Thrown, price_of, same_faces,
};
use tableside_rules::{Ask, Effect, Outcome, Progress, System};
use tableside_store::{Block, Reader, Record, StoreError};

/// The reason why an entry is wrong.
type Wrong = Box<dyn Error>;

/// The result of verifying a journal.
#[derive(Debug, Default)]
pub struct Verified {
    /// The number of events.
    pub events: u64,
    /// The number of rolls that were computed again.
    pub rolls: u64,
    /// The number of the last event.
    pub last: u64,
    /// The wrong entries with the reasons, by number.
    pub wrong: Vec<(u64, String)>,
}

/// A file of the journal whose rolls were computed again.
struct CheckedFile {
    damage: Vec<(u64, String)>,
    entries: Vec<CheckedEntry>,
}

/// An entry whose roll was computed again.
struct CheckedEntry {
    number: u64,
    /// The number of rolls that were computed again.
    rolls: u64,
    /// The part of the entry that depends on the entries before it, and is not checked yet. Other events are freed on
    /// the thread that read them, because freeing them on another thread takes longer than reading them.
    tokens: Option<UncheckedTokens>,
    check: Result<(), String>,
}

/// An event that moves or claims tokens.
struct UncheckedTokens {
    event: Event,
    claims: Result<Option<RollClaims>, String>,
}

/// Computes every roll of a journal again with the house rules that applied then, on all cores. Also reports lines that were
/// changed, removed or moved.
pub fn verify(reader: &Reader, system: System) -> Result<Verified, StoreError> {
    let mut verified = Verified::default();
    let mut pools = PoolLedger::default();
    let check = |block: Block| check_file(&block, reader, system);
    map_files(reader, check, |file: Result<CheckedFile, StoreError>| {
        let file = file?;
        verified.wrong.extend(file.damage);
        for entry in &file.entries {
            verified.add(entry, &mut pools, system);
        }
        Ok::<_, StoreError>(())
    })?;

    verified.wrong.sort_by_key(|(number, _)| *number);
    Ok(verified)
}

impl Verified {
    fn add(&mut self, checked: &CheckedEntry, pools: &mut PoolLedger, system: System) {
        let expected = self.last + 1;
        if expected < checked.number && !self.is_reported(expected) {
            let number = checked.number;
            let reason =
                format!("the event is missing; the next event in the journal is #{number}");
            self.wrong.push((expected, reason));
        }
        self.last = checked.number;
        self.events += 1;

        let mut result = checked.check.clone();
        self.rolls += checked.rolls;
        if let Some(tokens) = &checked.tokens {
            let paid = pools.check_and_apply(&tokens.event, &tokens.claims, system);
            result = result.and(paid);
        }
        if let Err(what) = result {
            self.wrong.push((checked.number, what));
        }
    }

    fn is_reported(&self, number: u64) -> bool {
        let mut numbers = self.wrong.iter().map(|(number, _)| *number);
        numbers.any(|reported| reported == number)
    }
}

fn check_file(block: &Block, reader: &Reader, system: System) -> Result<CheckedFile, StoreError> {
    let damage = block
        .damage()
        .iter()
        .map(|damage| {
            let first_bad = damage.last_good + 1;
            (first_bad, damage.to_string())
        })
        .collect();

    let mut entries = Vec::new();
    for record in block.records() {
        entries.push(check_entry(&record?, reader, system));
    }
    Ok(CheckedFile { damage, entries })
}

fn check_entry(record: &Record, reader: &Reader, system: System) -> CheckedEntry {
    let Some(entry) = journal_entry::read(record) else {
        return CheckedEntry {
            number: record.n,
            rolls: 0,
            tokens: None,
            check: Err("this version of the program cannot read the event".to_owned()),
        };
    };

    let event = entry.event;
    // An entry has one reason at most, so the tokens of a wrong roll need no check.
    let (check, claims) = match check_event(&event, reader, system) {
        Ok(outcome) => (Ok(()), RollClaims::of(&event, outcome, system)),
        Err(wrong) => (Err(wrong.to_string()), Ok(None)),
    };
    CheckedEntry {
        number: record.n,
        rolls: count_rolls(&event),
        tokens: if PoolLedger::checks(&event, &claims) {
            Some(UncheckedTokens { event, claims })
        } else {
            None
        },
        check,
    }
}

/// Counts the rolls of an event that are computed again.
fn count_rolls(event: &Event) -> u64 {
    match &event.what {
        EventKind::Initiative { rolls, .. } => u64::try_from(rolls.len()).unwrap_or(u64::MAX),
        kind => u64::from(kind.resolved().is_some()),
    }
}

/// Computes the roll of an event again, or the total of its free dice, and compares the result with the recorded one.
/// Returns the outcome of the roll.
fn check_event(event: &Event, reader: &Reader, system: System) -> Result<Option<Outcome>, Wrong> {
    if let EventKind::Thrown(thrown) = &event.what {
        check_free_dice(thrown)?;
    }
    if let EventKind::Initiative { rolls, .. } = &event.what {
        for rolled in rolls {
            check_initiative(rolled, event, system)?;
        }
    }
    let Some(roll) = event.what.resolved() else {
        return Ok(None);
    };

    let amended_entry = read_amended(event, reader)?;
    let amended = amended_entry
        .as_ref()
        .and_then(|entry| entry.event.what.resolved());
    if let Some(amended) = amended
        && !same_faces(amended, roll, system)?
    {
        return Err("the faces differ from those of the roll that the entry amends".into());
    }

    let outcome = derive_whole(roll, system)?;
    check_outcome(roll, &outcome, system)?;
    check_effects(roll, amended, &outcome, event, system)?;
    Ok(Some(outcome))
}

/// Computes the outcome of a roll again. Refuses a roll whose dice or answers are missing.
fn derive_whole(roll: &Roll, system: System) -> Result<Outcome, Wrong> {
    let machine = roll.machine(system)?;
    match machine.after(&roll.trail)? {
        Progress::Done(..) => Ok(machine.outcome(&roll.trail)),
        Progress::Waits(Ask::Roll { pool, .. }) => {
            let dice = pool.describe();
            Err(format!("the faces of {dice} are missing").into())
        }
        Progress::Waits(Ask::Choose { choices, .. }) => {
            let choice = choices.choice;
            Err(format!("the answer to {choice} is missing").into())
        }
    }
}

/// Computes a roll for initiative again, and compares the place in the order of turns with its total.
fn check_initiative(rolled: &InitiativeRoll, event: &Event, system: System) -> Result<(), Wrong> {
    let roll = &rolled.roll;
    let outcome = derive_whole(roll, system)?;
    check_outcome(roll, &outcome, system)?;
    check_effects(roll, None, &outcome, event, system)?;

    // Decimals separate equal totals.
    let recorded = rolled.initiative;
    let lowest = Initiative::from(roll.total.unwrap_or(0).clamp(-999, 999));
    if recorded < lowest || recorded >= lowest.stepped(1) {
        let who = &roll.who;
        return Err(format!(
            "{who} rolled {lowest}, but the entry records the initiative {recorded}"
        )
        .into());
    }
    Ok(())
}

fn check_free_dice(thrown: &Thrown) -> Result<(), Wrong> {
    for roll in thrown.all() {
        let recorded = roll.total;
        let derived = roll.rolled().map(|rolled| rolled.total);
        if derived != Some(recorded) {
            let reason = match derived {
                Some(derived) => format!(
                    "the recorded total is {recorded}, but the dice give the total {derived}"
                ),
                None => {
                    format!("the recorded total is {recorded}, but these dice cannot be rolled")
                }
            };
            return Err(reason.into());
        }
    }
    Ok(())
}

/// Compares the outcome and the total with the recorded ones.
fn check_outcome(roll: &Roll, outcome: &Outcome, system: System) -> Result<(), Wrong> {
    let spec = roll.spec(system)?;
    let derived_id = spec.outcome(outcome.outcome).id;
    let recorded_id = roll.outcome_name(system);
    if derived_id != recorded_id {
        let label = |id: &str| match spec.outcome_named(id) {
            Some(outcome) => spec.outcome(outcome).label,
            None => "unknown",
        };
        let derived = label(derived_id);
        let recorded = label(recorded_id);
        return Err(format!(
            "the rules give the outcome {derived}, but the entry records {recorded}"
        )
        .into());
    }

    if outcome.total != roll.total {
        let derived = describe_total(outcome.total);
        let recorded = describe_total(roll.total);
        return Err(format!(
            "the rules give the total {derived}, but the entry records {recorded}"
        )
        .into());
    }
    Ok(())
}

fn describe_total(total: Option<impl ToString>) -> String {
    match total {
        Some(total) => total.to_string(),
        None => "none".to_owned(),
    }
}

/// Reads the entry that an event amends. `None` if the event is not an amendment.
fn read_amended(event: &Event, reader: &Reader) -> Result<Option<Entry>, Wrong> {
    let EventKind::Amended { entry: number, .. } = &event.what else {
        return Ok(None);
    };
    let record = reader.event(*number)?;
    if let Some(record) = record
        && let Some(entry) = journal_entry::read(&record)
        && entry.event.what.resolved().is_some()
    {
        return Ok(Some(entry));
    }
    Err(format!("the entry amends #{number}, which is not a roll").into())
}

/// Compares the effects with those of the rules. The name of an opponent may differ, and a limit may reduce an effect.
fn check_effects(
    roll: &Roll,
    amended: Option<&Roll>,
    outcome: &Outcome,
    event: &Event,
    system: System,
) -> Result<(), String> {
    // A Favor was paid for this roll, or for the roll that it amends.
    let is_paid = match event.what {
        EventKind::Rerolled { .. } => true,
        _ => amended.is_some_and(|amended| price_of(amended).is_some()),
    };
    let price = price_of(roll).filter(|_| is_paid);
    if is_paid && price.is_none() {
        return Err("the entry does not record the Favor that was paid to roll again".to_owned());
    }
    if let Some(unpaid) = roll.unpaid(outcome) {
        return Err(unpaid.describe(system));
    }

    let mut recorded = roll
        .effects
        .iter()
        .filter(|effect| !is_added_by_table(effect))
        .peekable();
    for due in price.into_iter().chain(&outcome.effects) {
        let is_recorded = recorded
            .next_if(|recorded| is_same_effect(roll, due, recorded))
            .is_some();
        // A limit may have prevented the effect. Then the next recorded effect belongs to a later effect of the rules.
        if is_recorded || is_amount_applied(roll, due, 0) {
            continue;
        }

        let due_text = due.text(system);
        return Err(match recorded.next() {
            Some(other) => {
                let recorded_text = other.text(system);
                format!(
                    "the rules give the effect {due_text:?}, but the entry records {recorded_text:?}"
                )
            }
            None => {
                format!("the rules give the effect {due_text:?}, but the entry does not record it")
            }
        });
    }

    match recorded.next() {
        Some(extra) => {
            let extra_text = extra.text(system);
            Err(format!(
                "the entry records the effect {extra_text:?}, but the rules do not give it"
            ))
        }
        None => Ok(()),
    }
}

/// True for an effect that the program adds to those of the check: shared tokens, thresholds of pools, linked clocks, and
/// targets that were not chosen.
fn is_added_by_table(effect: &Effect) -> bool {
    matches!(
        effect,
        Effect::SharedWith { .. }
            | Effect::Reached { .. }
            | Effect::ClockMessage { .. }
            | Effect::NoRecipient { .. }
    )
}

/// True if the recorded effect is the one that the rules demand.
fn is_same_effect(roll: &Roll, due: &Effect, recorded: &Effect) -> bool {
    match (due, recorded) {
        (
            Effect::Token { pool, owner, .. },
            Effect::Token {
                pool: recorded_pool,
                owner: recorded_owner,
                amount,
            },
        ) if pool == recorded_pool => {
            // The rules name the side of the other character, whereas the record names the character.
            let is_own = recorded_owner.as_deref().unwrap_or_default() == roll.who;
            due == recorded || (owner.is_some() || is_own) && is_amount_applied(roll, due, *amount)
        }
        (Effect::Lock { about, .. }, Effect::Lock { about: other, .. }) => about == other,
        _ => due == recorded,
    }
}

/// True if the number of tokens is the amount of the effect, or the smaller amount that a limit allowed.
fn is_amount_applied(roll: &Roll, due: &Effect, applied: i32) -> bool {
    let Effect::Token { amount, .. } = due else {
        return false;
    };
    applied == *amount || is_limited(roll, *amount, applied)
}

/// True if the roll records that a limit reduced the number of tokens.
fn is_limited(roll: &Roll, due: i32, applied: i32) -> bool {
    let message = format!("{applied} of {due} gained, ");
    roll.effects.iter().any(|effect| match effect {
        Effect::Reached { told, .. } => told.starts_with(&message),
        _ => false,
    })
}
