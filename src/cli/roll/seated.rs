//! A check in a session: fields from a character's sheet, the roll logged, what follows booked.

use super::{alone, shown, too_few};
use crate::cli::order::Order;
use crate::cli::{CliError, Desk};
use crate::rules::{Answer, Ask};
use crate::session::{EventKind, Roll};
use crate::table::{Request, Response, RollRequest, Seat, roll_json};

pub(super) fn roll(desk: &mut Desk<'_>, order: &Order<'_>, session: &str) -> Result<(), CliError> {
    let mut errand = RollRequest {
        system: order.system().spec().id.to_owned(),
        check: order.check.id.to_owned(),
        who: order.who.map(str::to_owned),
        fields: order
            .fields
            .iter()
            .map(|(field, written)| (field.id.to_owned(), (*written).to_owned()))
            .collect(),
        faces: order.faces.clone(),
        choose: order.choose.clone(),
        clock: order.clock.map(str::to_owned),
        seed: order.seed.map(str::to_owned),
        wait: false,
    };
    if order.faces.is_some() && desk.asks(order) {
        errand.choose = look_ahead(desk, order, session, &errand)?;
    } else {
        errand.wait = desk.asks(order);
    }
    let luck = || order.luck();
    let mut done = desk.send_with(session, &Request::Roll(Box::new(errand)), luck)?;
    if !order.json {
        let notices = std::mem::take(&mut desk.notices);
        notices
            .iter()
            .try_for_each(|notice| desk.out.line(notice))?;
    }
    while let (EventKind::Incomplete(roll), Some(check)) = (&done.entry.event.what, done.waiting) {
        let Some(chose) = ask(desk, &done, roll)? else {
            break;
        };
        let answer = Request::Answer {
            check,
            chose,
            seed: None,
        };
        done = desk.send(session, &answer)?;
    }
    if let Some(roll) = done.entry.roll() {
        tell(desk, order, roll)?;
    }
    desk.out.finish()?;
    Ok(done.saved()?)
}

/// Typed faces are looked at to the last before anything is written down; answers with what was chosen.
fn look_ahead(
    desk: &mut Desk<'_>,
    order: &Order<'_>,
    session: &str,
    errand: &RollRequest,
) -> Result<Vec<String>, CliError> {
    let (table, _) = desk.open(session, true)?;
    let planned = table.read(&Seat::gm(), |seen| {
        errand
            .plan(seen, session)
            .map(|command| (command, seen.house().clone()))
    });
    let (command, house) = planned?;
    let mut fields = command.fields;
    fields.decide(&house);
    let machine = (order.check.prepare)(&fields, &house)?;
    let trail = alone::walk(desk, order, &*machine)?;
    Ok(answers_in(trail))
}

fn answers_in(trail: Vec<Answer>) -> Vec<String> {
    let chosen = trail.into_iter().filter_map(|answer| match answer {
        Answer::Chose { chose, .. } => Some(chose),
        Answer::Faces(_) => None,
    });
    chosen.collect()
}

/// Puts the choice that the check waits for; nothing where it waits for none.
fn ask(desk: &mut Desk<'_>, done: &Response, roll: &Roll) -> Result<Option<String>, CliError> {
    let machine = roll.machine(done.system)?;
    match machine.after(&roll.trail)? {
        Ask::Choose { what, .. } => Ok(Some(desk.put(&*machine, &roll.trail, &what)?)),
        Ask::Roll { pool, .. } => Err(too_few(&pool, &roll.trail)),
        Ask::Done(..) => Ok(None),
    }
}

/// Shows the roll as it was booked.
fn tell(desk: &mut Desk<'_>, order: &Order<'_>, roll: &Roll) -> Result<(), CliError> {
    let system = order.system();
    let fields = roll.all_fields(system)?;
    let mut outcome = roll.derive(system)?;
    outcome.effects.clone_from(&roll.effects);
    if order.json {
        let document = roll_json(&fields, &roll.sources, &outcome, &roll.trail);
        return desk.out.json(&document);
    }
    shown::tell(&mut desk.out, order.check, &outcome)?;
    shown::tell_defaults(&mut desk.out, &*roll.machine(system)?, &roll.trail)
}
