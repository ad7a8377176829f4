//! A check by itself: nobody's, and logged nowhere.

use super::{shown, too_few};
use crate::cli::order::Order;
use crate::cli::{CliError, Desk};
use crate::rules::{Answer, AnswerSource, Ask, ChosenBy, DynCheck, Progress, Trail, resolve};
use crate::table::roll_json;

pub(super) fn roll(desk: &mut Desk<'_>, order: &Order<'_>) -> Result<(), CliError> {
    let mut fields = order.plain_fields()?;
    let house = order.house()?;
    fields.decide(&house);
    let machine = (order.check.prepare)(&fields, &house)?;
    let trail = walk(desk, order, &*machine)?;
    let outcome = machine.outcome(&trail);
    if order.json {
        let document = roll_json(&fields, &[], &outcome, &trail);
        return desk.out.json(&document);
    }
    shown::tell(&mut desk.out, order.check, &outcome)?;
    shown::tell_defaults(&mut desk.out, &*machine, &trail)
}

/// Walks the check to its end, asking where somebody sits there to be asked.
pub(super) fn walk(
    desk: &mut Desk<'_>,
    order: &Order<'_>,
    machine: &dyn DynCheck,
) -> Result<Trail, CliError> {
    let mut luck = match order.faces {
        Some(_) => None,
        None => Some(order.luck()?),
    };
    let mut dealer = match (&mut luck, &order.faces) {
        (Some(luck), _) => AnswerSource::rolling(&mut **luck),
        (None, faces) => AnswerSource::by_hand(faces.as_deref().unwrap_or_default()),
    };
    dealer.answers = order.choose.iter().cloned().collect();
    dealer.by = ChosenBy::Command;
    dealer.defaults = !desk.asks(order);
    let mut trail = Vec::new();
    loop {
        match resolve(machine, &mut trail, &mut dealer)? {
            Progress::Waits(Ask::Choose { what, .. }) => {
                let chose = desk.put(machine, &trail, &what)?;
                trail.push(Answer::Chose {
                    choice: what.choice.to_owned(),
                    chose,
                    by: ChosenBy::Command,
                });
            }
            Progress::Waits(Ask::Roll { pool, .. }) => return Err(too_few(&pool, &trail)),
            Progress::Done | Progress::Waits(Ask::Done(..)) => return Ok(trail),
        }
    }
}
