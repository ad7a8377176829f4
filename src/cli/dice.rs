//! Free dice: `tableside roll dice '4d6kh3'` and `tableside odds dice '4d6kh3'`.

use clap::ArgMatches;
use serde_json::json;

use super::odds::{outcomes_json, tell as tell_odds};
use super::order::{read_faces, seeded};
use super::output::Ink;
use super::{CliError, Desk};
use crate::dice::Fraction;
use crate::dice::notation::{Notation, Rolled};
use crate::session::{EventKind, free_dice_in_words};
use crate::table::{Request, ThrowRequest, thrown_json};

fn read(matches: &ArgMatches) -> Result<(&str, Notation), CliError> {
    let written = matches
        .get_one::<String>("notation")
        .map_or("", String::as_str);
    match written.parse() {
        Ok(notation) => Ok((written, notation)),
        Err(error) => Err(CliError::usage(format!("{written:?}: {error}"))),
    }
}

/// Rolls them.
pub(super) fn roll(desk: &mut Desk<'_>, matches: &ArgMatches) -> Result<(), CliError> {
    if let Some(session) = matches.get_one::<String>("session") {
        return at_table(desk, matches, session);
    }
    let (written, notation) = read(matches)?;
    let seed = matches.get_one::<String>("seed").map(String::as_str);
    let rolled = match matches.get_one::<String>("faces") {
        Some(faces) => notation
            .read(&read_faces(faces)?)
            .map_err(|error| CliError::usage(error.to_string()))?,
        None => notation.roll(&mut *seeded(seed)?),
    };
    tell(desk, matches.get_flag("json"), written, &rolled)
}

/// Rolls them at the table, where they are logged.
fn at_table(desk: &mut Desk<'_>, matches: &ArgMatches, session: &str) -> Result<(), CliError> {
    let (written, _) = read(matches)?;
    let word = |id| matches.get_one::<String>(id).map(String::as_str);
    let errand = ThrowRequest {
        who: word("as").map(str::to_owned),
        notation: written.to_owned(),
        faces: word("faces").map(read_faces).transpose()?,
        seed: word("seed").map(str::to_owned),
    };
    let done = desk.send(session, &Request::Throw(errand))?;
    let rolled = match &done.entry.event.what {
        EventKind::Thrown(thrown) => thrown.rolled(),
        _ => None,
    };
    let rolled = rolled.ok_or_else(|| CliError::failed("the dice are not as they were logged"))?;
    tell(desk, matches.get_flag("json"), written, &rolled)
}

fn tell(desk: &mut Desk<'_>, json: bool, written: &str, rolled: &Rolled) -> Result<(), CliError> {
    if json {
        return desk
            .out
            .json(&thrown_json(written, &rolled.dice, rolled.total));
    }
    desk.out
        .inked(&[(Ink::Strong, &rolled.total.to_string())])?;
    desk.out.line(&free_dice_in_words(&rolled.dice))
}

/// Weighs every total.
pub(super) fn odds(desk: &mut Desk<'_>, matches: &ArgMatches) -> Result<(), CliError> {
    let (written, notation) = read(matches)?;
    let odds = notation.odds();
    let odds = odds.map_err(|error| CliError::failed(error.to_string()))?;
    let chances: Vec<(i64, Fraction)> = odds.spread.chances().collect();
    let outcomes: Vec<(String, &Fraction)> = chances
        .iter()
        .map(|(total, chance)| (total.to_string(), chance))
        .collect();
    if matches.get_flag("json") {
        let mean = odds.mean.as_ref().map(Fraction::to_f64);
        return desk.out.json(&json!({
            "notation": written,
            "outcomes": outcomes_json(&outcomes),
            "total": {"mean": mean, "min": odds.min, "max": odds.max},
        }));
    }
    tell_odds(desk, &outcomes)
}
