//! Free dice: `tableside roll dice '4d6kh3'` and `tableside odds dice '4d6kh3'`.

use serde_json::json;

use super::check_args::{DiceArgs, seeded};
use super::odds::{outcomes_json, tell as tell_odds};
use super::output::Ink;
use super::{App, CliError};
use crate::dice::Fraction;
use crate::dice::notation::Notation;
use crate::session::{EventKind, free_dice_in_words};
use crate::table::{Request, thrown_json};

fn read(written: &str) -> Result<Notation, CliError> {
    let read = written.parse::<Notation>();
    read.map_err(|error| CliError::usage(format!("{written:?}: {error}")))
}

/// Rolls free dice; in a session the throw is logged.
pub(super) fn roll(app: &mut App<'_>, args: &DiceArgs) -> Result<(), CliError> {
    let notation = read(&args.notation)?;
    let rolled = match (&args.session, &args.faces) {
        (Some(session), faces) => {
            let request = Request::Throw {
                who: args.who.clone(),
                notation: args.notation.clone(),
                faces: faces.clone(),
                seed: args.seed.clone(),
            };
            let done = app.send(session, &request)?;
            let rolled = match &done.entry.event.what {
                EventKind::Thrown(thrown) => thrown.rolled(),
                _ => None,
            };
            rolled.ok_or_else(|| CliError::failed("the dice are not as they were logged"))?
        }
        (None, Some(faces)) => notation
            .read(faces)
            .map_err(|error| CliError::usage(error.to_string()))?,
        (None, None) => notation.roll(&mut *seeded(args.seed.as_deref())?),
    };
    if args.json {
        return app
            .out
            .json(&thrown_json(&args.notation, &rolled.dice, rolled.total));
    }
    app.out.inked(&[(Ink::Strong, &rolled.total.to_string())])?;
    app.out.line(&free_dice_in_words(&rolled.dice))
}

/// Prints the exact odds of every total.
pub(super) fn odds(app: &mut App<'_>, args: &DiceArgs) -> Result<(), CliError> {
    let odds = read(&args.notation)?.odds();
    let odds = odds.map_err(|error| CliError::failed(error.to_string()))?;
    let chances: Vec<(i64, Fraction)> = odds.spread.chances().collect();
    let outcomes: Vec<(String, &Fraction)> = chances
        .iter()
        .map(|(total, chance)| (total.to_string(), chance))
        .collect();
    if args.json {
        let mean = odds.mean.as_ref().map(Fraction::to_f64);
        return app.out.json(&json!({
            "notation": args.notation,
            "outcomes": outcomes_json(&outcomes),
            "total": {"mean": mean, "min": odds.min, "max": odds.max},
        }));
    }
    tell_odds(app, &outcomes)
}
