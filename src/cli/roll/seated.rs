//! A check in a session: fields from a character's sheet, the roll logged, what follows booked.

use std::sync::Arc;

use super::{alone, shown, too_few};
use crate::cli::order::Order;
use crate::cli::{Desk, Trouble, open};
use crate::rules::{Answer, Ask, ChosenBy};
use crate::session::{
    CharacterId, ClockId, Command, Faces, Refusal, Roll, RollCommand, UnfinishedId, What, Who,
};
use crate::table::{Entry, Seat, Seen, Table, roll_json};
use crate::text::nearest;

pub(super) fn roll(desk: &mut Desk<'_>, order: &Order<'_>, session: &str) -> Result<(), Trouble> {
    let luck = order.luck()?;
    let opened = desk.open_with(session, false, luck);
    let (table, notices) = opened.map_err(|trouble| match trouble {
        Trouble::Held(error) => {
            Trouble::failed(error.to_string()).hint("roll on the screen there, or close it first")
        }
        other => other,
    })?;
    let seat = Seat::gm();
    let (system, house) = table.read(&seat, |seen| (seen.system(), seen.house().clone()));
    if system != order.system() {
        return Err(Trouble::usage(format!(
            "{session} is a game of {system}, and {} is none of its checks",
            order.check.id
        )));
    }
    if !order.json {
        notices
            .iter()
            .try_for_each(|notice| desk.out.line(notice))?;
    }
    let mut command = table.read(&seat, |seen| plan(seen, order))?;
    if order.faces.is_some() && desk.asks(order) {
        // Typed faces are looked at to the last before anything is written down.
        let mut fields = command.fields.clone();
        fields.decide(&house);
        let machine = (order.check.prepare)(&fields, &house)?;
        let trail = alone::walk(desk, order, &*machine)?;
        command.choose = answers_in(trail);
    } else {
        command.wait = desk.asks(order);
    }
    let act = Command::Roll(Box::new(command));
    let entry = table.submit(&seat, &act.into())?;
    let entry = answer_all(desk, order, &table, &seat, entry)?;
    open::close(&table)?;
    match entry.roll() {
        Some(roll) => tell(desk, order, roll),
        None => Ok(()),
    }
}

/// The roll as it is to be made: the sheet's values, what was written over them.
fn plan(seen: &Seen<'_>, order: &Order<'_>) -> Result<RollCommand, Trouble> {
    let mut who = order.who.map(|name| character(seen, name)).transpose()?;
    let for_clock = order.clock.map(|name| clock(seen, name)).transpose()?;
    let attached = for_clock.and_then(|id| seen.clock(id)?.clock.check.as_ref());
    let attached = attached.filter(|attached| attached.check == order.check.id);
    who = who.or_else(|| attached?.who);
    let mut filled = seen.fill(order.check, who);
    // A clock's own check brings its fields; what is written counts more.
    for (name, given) in attached.iter().flat_map(|attached| &attached.fields) {
        if let Some(field) = order.check.field(name) {
            seen.fill_in(&mut filled, who, field, given)?;
        }
    }
    for (field, written) in &order.fields {
        seen.fill_in(&mut filled, who, field, written)?;
    }
    filled.fields.complete()?;
    Ok(RollCommand {
        who: who.map_or(Who::Nobody, Who::Character),
        fields: filled.fields,
        sources: filled.sources,
        faces: order.faces.clone().map_or(Faces::Rolled, Faces::Typed),
        choose: order.choose.clone(),
        by: ChosenBy::Command,
        wait: false,
        hidden_from: Vec::new(),
        noticed: false,
        clock: for_clock,
        helpers: Vec::new(),
    })
}

fn character(seen: &Seen<'_>, name: &str) -> Result<CharacterId, Trouble> {
    let found = seen.character_named(name).map(|character| character.id);
    found.ok_or_else(|| {
        let names = seen.roster().map(|one| one.name.as_str());
        unknown("character", name, &names.collect::<Vec<_>>())
    })
}

fn clock(seen: &Seen<'_>, name: &str) -> Result<ClockId, Trouble> {
    let same = |known: &str| known.to_lowercase() == name.to_lowercase();
    let found = seen.clocks().find(|one| same(&one.clock.name));
    found.map(|one| one.clock.id).ok_or_else(|| {
        let names = seen.clocks().map(|one| one.clock.name.as_str());
        unknown("clock", name, &names.collect::<Vec<_>>())
    })
}

/// Something of that name is not in the session.
fn unknown(kind: &'static str, given: &str, known: &[&str]) -> Trouble {
    let known = match (nearest(given, known.iter().copied()), known) {
        (Some(near), _) => format!("; did you mean {near}?"),
        (None, []) => String::new(),
        (None, known) => format!("; there are {}", known.join(", ")),
    };
    let refusal = Refusal::Unknown {
        kind,
        given: given.to_owned(),
        known,
    };
    Trouble::failed(refusal.to_string())
}

fn answers_in(trail: Vec<Answer>) -> Vec<String> {
    let chosen = trail.into_iter().filter_map(|answer| match answer {
        Answer::Chose { chose, .. } => Some(chose),
        Answer::Faces(_) => None,
    });
    chosen.collect()
}

/// Puts every choice that the check waits for, until it is resolved.
fn answer_all(
    desk: &mut Desk<'_>,
    order: &Order<'_>,
    table: &Arc<Table>,
    seat: &Seat,
    mut entry: Arc<Entry>,
) -> Result<Arc<Entry>, Trouble> {
    while let What::Begun(roll) = &entry.event.what {
        let machine = roll.machine(order.system())?;
        let what = match machine.after(&roll.trail)? {
            Ask::Choose { what, .. } => what,
            Ask::Roll { pool, .. } => return Err(too_few(&pool, &roll.trail)),
            Ask::Done(..) => break,
        };
        let Some(check) = waiting(table, seat, roll) else {
            break;
        };
        let answer = Command::Answer {
            check,
            chose: desk.put(&*machine, &roll.trail, &what)?,
            by: ChosenBy::Command,
            faces: Faces::Rolled,
        };
        entry = table.submit(seat, &answer.into())?;
    }
    Ok(entry)
}

fn waiting(table: &Arc<Table>, seat: &Seat, roll: &Roll) -> Option<UnfinishedId> {
    table.read(seat, |seen| {
        let mut unfinished = seen.unfinished();
        unfinished
            .find(|waiting| waiting.roll == *roll)
            .map(|waiting| waiting.id)
    })
}

/// Shows the roll as it was booked.
fn tell(desk: &mut Desk<'_>, order: &Order<'_>, roll: &Roll) -> Result<(), Trouble> {
    let system = order.system();
    let fields = roll.all_fields(system)?;
    let mut outcome = roll.derive(system)?;
    outcome.effects.clone_from(&roll.effects);
    if order.json {
        let document = roll_json(&fields, &roll.sources, &outcome, &roll.trail);
        return desk.out.json(&document);
    }
    shown::tell(&mut desk.out, order.check, &outcome)
}
