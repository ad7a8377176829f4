//! `tableside forecast`: the chance that a clock is full after 1, 2, 3, … rolls of its check.

use serde_json::{Value as Json, json};

use super::odds::chance_json;
use super::{App, CliError, Ink, Output, object, pluralise};
use tableside_commands::clock_named;
use tableside_dice::{Fraction, percent};
use tableside_game::{Clock, ClockForecast, NoForecast};
use tableside_table::{Seat, SeatView};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The game
    game: String,
    /// The clock
    clock: String,
    /// As one JSON document
    #[arg(long)]
    json: bool,
}

/// The chance that the clock is full after 1, 2, 3, … rolls.
fn rolls(chances: &[Fraction]) -> Vec<Json> {
    let rolls = (1..).zip(chances);
    let rolls =
        rolls.map(|(roll, chance): (u32, _)| object([json!({"roll": roll}), chance_json(chance)]));
    rolls.collect()
}

/// Prints the forecast of a clock.
pub(super) fn run(app: &mut App<'_>, args: &Args) -> Result<(), CliError> {
    let table = app.look_at(&app.name(&args.game)?)?;
    let out = &mut app.out;
    table.read(&Seat::gm(), |seen| {
        let missing = || CliError::failed("that clock was deleted");
        let id = clock_named(&args.clock, seen)?;
        let clock = seen.clock(id).ok_or_else(missing)?.clock;
        let prospect = seen.forecast(id).ok_or_else(missing)?;
        let prospect = prospect.map_err(|why| unforeseen(&why))?;
        if !args.json {
            return print(out, seen, clock, &prospect);
        }
        let forecast = &prospect.forecast;
        // Of a tug-of-war, the chances of its left end.
        let left = prospect.tug.as_ref();
        out.json(&object([
            json!({
                "clock": clock.name,
                "check": prospect.by.id(),
                "rolls": rolls(&forecast.rolls),
                "mean": forecast.mean,
            }),
            left.map_or(Json::Null, |tug| json!({"left": rolls(&tug.left)})),
        ]))
    })
}

fn unforeseen(why: &NoForecast) -> CliError {
    let hint = match why {
        NoForecast::NoCheck(_) => {
            "attach one on the screen: open the clock, and pick it at Filled by"
        }
        NoForecast::Unready { .. } => "open the clock on the screen, and correct its check there",
    };
    CliError::failed(why.to_string()).hint(hint)
}

fn print(
    out: &mut Output<'_>,
    seen: &SeatView<'_>,
    clock: &Clock,
    prospect: &ClockForecast,
) -> Result<(), CliError> {
    let (filled, of) = (clock.filled, clock.segments.count());
    let by = prospect.who.map(|who| seen.owner_name(Some(who)));
    let by = by.map_or(String::new(), |who| format!(", rolled by {who}"));
    let (check, unit) = (prospect.by.label(), prospect.by.unit());
    let about = format!(": {filled} of {of}, filled by {check}{by}.");
    out.inked(&[(Ink::Strong, &clock.name), (Ink::Plain, &about)])?;
    let forecast = &prospect.forecast;
    if clock.is_full() {
        return out.line("The clock is already full.");
    }
    if prospect.tug.is_none() && forecast.rolls.last().is_some_and(Fraction::is_zero) {
        return out.line(&format!("No {unit} can fill it."));
    }
    let [left, right] = clock.end_names();
    for (index, chance) in forecast.rolls.iter().enumerate() {
        let rolls = pluralise(index + 1, unit);
        let other = prospect.tug.as_ref().and_then(|tug| tug.left.get(index));
        out.line(&match (percent(chance), other.map(percent)) {
            (chance, None) => format!("  after {rolls:<9} {chance:>7}"),
            (chance, Some(other)) => format!("  after {rolls}: {right} {chance}, {left} {other}"),
        })?;
    }
    match forecast.mean {
        Some(mean) if prospect.tug.is_none() => {
            out.line(&format!("On average it takes {mean:.2} {unit}s."))
        }
        _ => Ok(()),
    }
}
