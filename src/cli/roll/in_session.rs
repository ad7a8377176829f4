//! A check in a session: fields from a character's sheet, the roll logged, what follows booked.

use super::{print, standalone};
use crate::cli::check_args::CheckArgs;
use crate::cli::{App, CliError};
use crate::rules::Answer;
use crate::table::{Request, RollRequest, Seat, roll_json};

pub(super) fn roll(app: &mut App<'_>, args: &CheckArgs, session: &str) -> Result<(), CliError> {
    let asks = app.asks(args);
    let mut request = args.request.clone();
    if request.faces.is_some() && asks {
        request.choose = look_ahead(app, args, session, &request)?;
    } else {
        request.wait = asks;
    }
    let mut done = app.send(session, &Request::Roll(Box::new(request)))?;
    if !args.json {
        app.tell_notices()?;
    }
    if asks {
        done = app.put_choices(session, done)?;
    }
    if let Some(roll) = done.entry.roll() {
        let system = done.system;
        let mut outcome = roll.derive(system)?;
        outcome.effects.clone_from(&roll.effects);
        if args.json {
            let fields = roll.all_fields(system)?;
            let document = roll_json(&fields, &roll.sources, &outcome, &roll.trail);
            app.out.json(&document)?;
        } else {
            print::outcome(&mut app.out, args.check, &outcome)?;
            print::defaults(&mut app.out, &*roll.machine(system)?, &roll.trail)?;
        }
    }
    app.out.finish()?;
    Ok(done.saved()?)
}

/// Walks typed faces to the last of them before anything is logged; returns the answers that were chosen.
fn look_ahead(
    app: &mut App<'_>,
    args: &CheckArgs,
    session: &str,
    request: &RollRequest,
) -> Result<Vec<String>, CliError> {
    let (table, _) = app.open(session, true)?;
    let house = table.session().house;
    let mut fields = table.roll_command(&Seat::gm(), request)?.fields;
    fields.decide(&house);
    let machine = (args.check.prepare)(&fields, &house)?;
    let trail = standalone::walk(app, args, &*machine)?;
    let chosen = trail.into_iter().filter_map(|answer| match answer {
        Answer::Chose { chose, .. } => Some(chose),
        Answer::Faces(_) => None,
    });
    Ok(chosen.collect())
}
