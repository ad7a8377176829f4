//! Deriving every logged roll again, from its fields and its faces, and naming each that does not hold.

use std::error::Error;

use super::pool_ledger::PoolLedger;
use super::{Entry, journal_entry};
use tableside_game::{Event, EventKind, Roll, Thrown, price_of, same_faces};
use tableside_rules::{Ask, Effect, Outcome, Progress, System};
use tableside_store::{Reader, StoreError};

/// What does not hold, in words.
type Wrong = Box<dyn Error>;

/// What came of deriving a journal again.
#[derive(Debug, Default)]
pub struct Verified {
    /// How many events were read.
    pub events: u64,
    /// How many rolls were derived again.
    pub rolls: u64,
    /// The number of the last event.
    pub last: u64,
    /// What does not hold: the entry, and what is wrong with it.
    pub wrong: Vec<(u64, String)>,
}

/// Derives every roll of a journal again, under the house rules recorded with it. Lines that are changed,
/// removed or moved are named too.
pub fn verify(reader: &Reader, system: System) -> Result<Verified, StoreError> {
    let mut verified = Verified::default();
    let mut pools = PoolLedger::default();
    for block in reader.iter_all()? {
        let block = block?;
        for damage in block.damage() {
            let place = damage.last_good + 1;
            verified.wrong.push((place, damage.to_string()));
        }
        for record in block.records() {
            let record = record?;
            verified.events += 1;
            let first = verified.last + 1;
            if first < record.n && verified.wrong.iter().all(|(at, _)| *at != first) {
                let what = format!("it is missing: the journal goes on with #{}", record.n);
                verified.wrong.push((first, what));
            }
            verified.last = record.n;
            let checked = match journal_entry::read(&record) {
                None => Err("this program does not know such an event".into()),
                Some(entry) => {
                    verified.rolls += u64::from(entry.event.what.resolved().is_some());
                    let paid = pools.follow(&entry.event, system);
                    check(&entry.event, reader, system).and_then(|()| Ok(paid?))
                }
            };
            if let Err(what) = checked {
                verified.wrong.push((record.n, what.to_string()));
            }
        }
    }
    verified.wrong.sort_by_key(|(number, _)| *number);
    Ok(verified)
}

fn check(event: &Event, reader: &Reader, system: System) -> Result<(), Wrong> {
    if let EventKind::Thrown(thrown) = &event.what {
        let is_wrong = |one: &&Thrown| one.rolled().map(|rolled| rolled.total) != Some(one.total);
        if let Some(wrong) = thrown.all().find(is_wrong) {
            return Err(format!("{} is not what its dice come to", wrong.total).into());
        }
    }
    let Some(roll) = event.what.resolved() else {
        return Ok(());
    };
    let before = read_before(event, reader)?;
    let before = before.as_ref().and_then(|one| one.event.what.resolved());
    if let Some(before) = before
        && !same_faces(before, roll, system)?
    {
        return Err("its faces are not those of the roll that it reads again".into());
    }
    let machine = roll.machine(system)?;
    match machine.after(&roll.trail)? {
        Progress::Done(..) => {}
        Progress::Waits(Ask::Roll { pool, .. }) => {
            return Err(format!("the faces of {} are missing", pool.describe()).into());
        }
        Progress::Waits(Ask::Choose { choices, .. }) => {
            return Err(format!("the answer to {} is missing", choices.choice).into());
        }
    }
    let outcome = machine.outcome(&roll.trail);
    let word = roll.spec(system)?.outcome(outcome.outcome).id;
    let recorded = roll.outcome_name(system);
    if word != recorded {
        let spec = roll.spec(system)?;
        let label = |id: &str| {
            let outcome = spec
                .outcome_named(id)
                .map(|outcome| spec.outcome(outcome).label);
            outcome.unwrap_or("unknown")
        };
        let (word, recorded) = (label(word), label(recorded));
        return Err(format!("the outcome is {word}, and {recorded} is recorded").into());
    }
    if outcome.total != roll.total {
        let shown = |total: Option<i32>| total.map_or_else(|| "none".to_owned(), |n| n.to_string());
        let (is, recorded) = (shown(outcome.total), shown(roll.total));
        return Err(format!("the total is {is}, and {recorded} is recorded").into());
    }
    Ok(check_effects(roll, before, &outcome, event, system)?)
}

/// The entry that an amended one reads again.
fn read_before(event: &Event, reader: &Reader) -> Result<Option<Entry>, Wrong> {
    let EventKind::Amended { entry, .. } = &event.what else {
        return Ok(None);
    };
    let before = reader.event(*entry)?.as_ref().and_then(journal_entry::read);
    let before = before.filter(|before| before.event.what.resolved().is_some());
    let missing = || format!("#{entry}, which it reads again, is no roll");
    Ok(Some(before.ok_or_else(missing)?))
}

/// What followed is what the rules say, but for what the opponent is called, and for what a limit cut short.
fn check_effects(
    roll: &Roll,
    before: Option<&Roll>,
    outcome: &Outcome,
    event: &Event,
    system: System,
) -> Result<(), String> {
    use Effect::{Led, Lock, NotBooked, Reached, SharedWith, Token};
    // A Favor was paid for this roll, or for the one that it reads again.
    let paid = match event.what {
        EventKind::Rerolled { .. } => true,
        _ => before.is_some_and(|before| price_of(before).is_some()),
    };
    let price = price_of(roll).filter(|_| paid);
    if paid && price.is_none() {
        return Err("the Favor that it was repeated for is not recorded".to_owned());
    }
    // Whom it is shared with, what a pool or a clock tells, and that nobody was named is the table's, not the check's.
    let is_the_tables = |effect: &&Effect| {
        matches!(
            effect,
            SharedWith { .. } | Reached { .. } | Led { .. } | NotBooked { .. }
        )
    };
    if let Some(unpaid) = roll.unpaid(outcome) {
        return Err(unpaid.describe(system));
    }
    let is_own = |owner: &Option<String>| owner.as_deref().unwrap_or_default() == roll.who;
    let recorded = roll.effects.iter();
    let mut recorded = recorded.filter(|effect| !is_the_tables(effect)).peekable();
    for due in price.into_iter().chain(&outcome.effects) {
        // A limit may have left less of it, or nothing: what is recorded next is then of another, maybe the opponent.
        let comes_to = |booked: i32| {
            matches!(due, Token { amount, .. } if booked == *amount
                || kept_back(roll, *amount, booked))
        };
        let is_due = |found: &&Effect| {
            matches!((due, *found), (Token { pool, owner: side, .. }, Token { pool: of, owner, amount })
                if pool == of && (side.is_some() || is_own(owner)) && comes_to(*amount))
                || due == *found
                || matches!((due, *found), (Lock { about, .. }, Lock { about: recorded, .. }) if about == recorded)
        };
        if recorded.next_if(is_due).is_none() && !comes_to(0) {
            let found = recorded.next().map(|found| found.text(system));
            let due = due.text(system);
            let differs = |found| format!("the effect is: {due}; recorded is: {found}");
            return Err(found.map_or_else(|| format!("the effect is not recorded: {due}"), differs));
        }
    }
    let extra = recorded.next().map(|extra| extra.text(system));
    extra.map_or(Ok(()), |extra| {
        Err(format!("no such effect follows: {extra}"))
    })
}

/// Whether the roll itself says that a limit kept back the rest.
fn kept_back(roll: &Roll, due: i32, booked: i32) -> bool {
    let words = format!("{booked} of {due} gained, ");
    let said = |effect: &Effect| matches!(effect, Effect::Reached { told, .. } if told.starts_with(&words));
    roll.effects.iter().any(said)
}
