//! `tableside forecast`: the chance that a clock is full after 1, 2, 3, … rolls of its check.

use serde_json::{Value as Json, json};

use super::App;
use super::error::CliError;
use super::odds::Chance;
use super::output::{Ink, Output, many, object};
use crate::dice::Fraction;
use crate::session::{ClockId, Prospect, RaceProspect, Unforeseen};
use crate::table::command_language::clock_named;
use crate::table::{RequestError, Seat, SeatView};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The session
    session: String,
    /// The clock
    clock: String,
    /// As one JSON document
    #[arg(long)]
    json: bool,
}

/// Prints the forecast of a clock.
pub(super) fn run(app: &mut App<'_>, args: &Args) -> Result<(), CliError> {
    let (table, _) = app.open(&args.session, true)?;
    let out = &mut app.out;
    table.read(&Seat::gm(), |seen| {
        let id = clock_named(&args.clock, seen).map_err(RequestError::from)?;
        let missing = || CliError::failed("that clock is not there any more");
        let prospect = seen
            .forecast(id)
            .ok_or_else(missing)?
            .map_err(|why| unforeseen(&why))?;
        let race = seen.race_forecast(id).transpose();
        if args.json {
            let race = race.ok().flatten();
            out.json(&to_json(seen, id, &prospect, race.as_ref()))
        } else {
            tell(out, seen, id, &prospect)?;
            match race {
                Ok(Some(race)) => tell_race(out, &race),
                Ok(None) => Ok(()),
                Err(why) => {
                    out.line("")?;
                    out.line(&format!("Who is first is not foreseen: {why}."))
                }
            }
        }
    })
}

fn unforeseen(why: &Unforeseen) -> CliError {
    let hint = match why {
        Unforeseen::NoCheck(_) => {
            "attach one on the screen: open the clock with Enter, and pick it at Filled by"
        }
        Unforeseen::Unready { .. } => {
            "open the clock on the screen with Enter, and mend its check there"
        }
    };
    CliError::failed(why.to_string()).hint(hint)
}

fn tell(
    out: &mut Output<'_>,
    seen: &SeatView<'_>,
    id: ClockId,
    prospect: &Prospect,
) -> Result<(), CliError> {
    let Some(one) = seen.clock(id) else {
        return Ok(());
    };
    let (filled, of) = (one.clock.filled, one.clock.segments.count());
    let who = prospect
        .who
        .map(|who| format!(", rolled by {}", seen.owner_name(Some(who))));
    let who = who.unwrap_or_default();
    let check = prospect.check.label;
    out.inked(&[
        (Ink::Strong, &one.clock.name),
        (
            Ink::Plain,
            &format!(": {filled} of {of}, filled by {check}{who}."),
        ),
    ])?;
    if one.clock.is_full() {
        return out.line("It is full already.");
    }
    if let Some(tug) = &prospect.tug {
        let [left, right] = one.clock.end_names();
        for ((at_right, at_left), roll) in tug.right.iter().zip(&tug.left).zip(1..) {
            let (at_right, at_left) = (at_right.percent(), at_left.percent());
            let rolls = many(roll, "roll");
            out.line(&format!(
                "  after {rolls}: {right} {at_right}, {left} {at_left}"
            ))?;
        }
        return Ok(());
    }
    let forecast = &prospect.forecast;
    if forecast.rolls.last().is_some_and(Fraction::is_zero) {
        return out.line("No roll of this check ever fills it.");
    }
    for (chance, roll) in forecast.rolls.iter().zip(1..) {
        let (rolls, percent) = (many(roll, "roll"), chance.percent());
        out.line(&format!("  after {rolls:<9} {percent:>7}"))?;
    }
    match &forecast.mean {
        Some(mean) => out.line(&format!("In the mean it takes {:.2} rolls.", mean.to_f64())),
        None => Ok(()),
    }
}

fn tell_race(out: &mut Output<'_>, race: &RaceProspect) -> Result<(), CliError> {
    out.line("")?;
    out.inked(&[(Ink::Strong, "Who is first, when each rolls once a round")])?;
    for place in &race.places {
        out.line(&format!("  {}: {:.1} %", place.name, place.chance * 100.0))?;
    }
    out.line(&format!("  a tie: {:.1} %", race.race.tie * 100.0))
}

fn rolls_json(rolls: &[Fraction]) -> Json {
    let rolls = rolls.iter().zip(1..);
    rolls
        .map(|(chance, roll)| object([json!({"roll": roll}), json!(Chance::from(chance))]))
        .collect()
}

fn to_json(
    seen: &SeatView<'_>,
    id: ClockId,
    prospect: &Prospect,
    race: Option<&RaceProspect>,
) -> Json {
    let tug = prospect.tug.as_ref();
    let tug = tug.map(|tug| json!({"left": rolls_json(&tug.left)}));
    let race = race.map(|race| json!({"race": race_json(race)}));
    object([
        json!({
            "clock": seen.clock(id).map(|one| &one.clock.name),
            "check": prospect.check.id,
            "rolls": rolls_json(&prospect.forecast.rolls),
            "mean": prospect.forecast.mean.as_ref().map(Fraction::to_f64),
        }),
        tug.unwrap_or_default(),
        race.unwrap_or_default(),
    ])
}

fn race_json(race: &RaceProspect) -> Json {
    let places = race.places.iter();
    let wins = places.map(|place| json!({"clock": place.name, "probability": place.chance}));
    json!({
        "wins": wins.collect::<Vec<_>>(),
        "tie": {"probability": race.race.tie},
    })
}
