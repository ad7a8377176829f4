//! A check without a session: it is logged nowhere.

use super::print;
use crate::cli::check_args::{CheckArgs, seeded};
use crate::cli::{App, CliError};
use crate::dice::Pool;
use crate::rules::{
    Answer, AnswerSource, Ask, ChosenBy, DynCheck, Progress, RuleError, Trail, resolve,
};
use crate::table::roll_json;

pub(super) fn roll(app: &mut App<'_>, args: &CheckArgs) -> Result<(), CliError> {
    let (machine, fields) = args.prepare()?;
    let trail = walk(app, args, &*machine)?;
    let outcome = machine.outcome(&trail);
    if args.json {
        let document = roll_json(&fields, &[], &outcome, &trail);
        return app.out.json(&document);
    }
    print::outcome(&mut app.out, args.check, &outcome)?;
    print::defaults(&mut app.out, &*machine, &trail)
}

/// Walks the check to its end, asking for choices on a terminal.
pub(super) fn walk(
    app: &mut App<'_>,
    args: &CheckArgs,
    machine: &dyn DynCheck,
) -> Result<Trail, CliError> {
    let request = &args.request;
    let mut luck = seeded(request.seed.as_deref())?;
    let mut source = match &request.faces {
        Some(faces) => AnswerSource::by_hand(faces),
        None => AnswerSource::rolling(&mut *luck),
    };
    source.answers = request.choose.iter().cloned().collect();
    source.by = ChosenBy::Command;
    source.defaults = !app.asks(args);
    let mut trail = Vec::new();
    loop {
        match resolve(machine, &mut trail, &mut source)? {
            Progress::Waits(Ask::Choose { what, .. }) => {
                let chose = app.put(machine, &trail, &what)?;
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

/// The faces that are still missing where typed ones ran out.
fn too_few(pool: &Pool, trail: &[Answer]) -> CliError {
    let before = trail.iter().map(|answer| match answer {
        Answer::Faces(faces) => faces.len(),
        Answer::Chose { .. } => 0,
    });
    match pool.check(&[], before.sum()) {
        Err(error) => RuleError::from(error).into(),
        Ok(()) => CliError::usage("faces are missing"),
    }
}
