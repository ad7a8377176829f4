//! `tableside odds`: the exact chance of every outcome of a check, or of every total of free dice.

use clap::ArgMatches;
use serde::Serialize;
use serde_json::{Map, Value as Json, json};

use super::App;
use super::error::CliError;
use super::output::{Ink, Output, object};
use super::roll::notation_of;
use super::roll_args::{RollArgs, Subject};
use crate::dice::{Fraction, percent};
use crate::rules::{CheckSpec, Odds, Policy};

/// The exact fraction, and the double that is nearest to it.
#[derive(Serialize)]
pub(super) struct Chance {
    fraction: String,
    probability: f64,
}

impl From<&Fraction> for Chance {
    fn from(chance: &Fraction) -> Self {
        Self {
            fraction: chance.to_string(),
            probability: chance.to_f64().value(),
        }
    }
}

#[derive(Serialize)]
struct OutcomeOdds {
    outcome: String,
    #[serde(flatten)]
    chance: Chance,
    #[serde(skip)]
    percent: String,
}

impl OutcomeOdds {
    fn new(outcome: &impl ToString, chance: &Fraction) -> Self {
        Self {
            outcome: outcome.to_string(),
            chance: chance.into(),
            percent: percent(chance),
        }
    }
}

/// Prints the exact odds of a check, or of free dice.
pub(super) fn run(app: &mut App<'_>, matches: &ArgMatches) -> Result<(), CliError> {
    let args = RollArgs::read(matches)?;
    match &args.subject {
        Subject::Check(check) => odds_of_check(app, &args, check),
        Subject::Dice(notation) => odds_of_dice(app, &args, notation),
    }
}

fn odds_of_check(
    app: &mut App<'_>,
    args: &RollArgs,
    check: &'static CheckSpec,
) -> Result<(), CliError> {
    let (machine, fields) = args.prepare(&*args.table(app, check.system)?)?;
    let policy = Policy::new(args.request.choose.iter().cloned());
    let odds = Odds::of(check, &*machine, &policy)?;
    let outcomes = odds.outcomes.iter();
    let outcomes = outcomes.map(|(id, chance)| OutcomeOdds::new(&check.outcome(*id).id, chance));
    let outcomes: Vec<OutcomeOdds> = outcomes.collect();
    if !args.json {
        return print(&mut app.out, &outcomes);
    }
    let fields = fields.shown();
    let fields = fields.map(|(name, value)| (name.to_owned(), json!(value)));
    let success = odds.success.as_ref();
    let total = odds.total.as_ref().map(
        |total| json!({"mean": total.mean.to_f64().value(), "min": total.min, "max": total.max}),
    );
    app.out.json(&object([
        json!({
            "system": args.request.system,
            "check": args.request.check,
            "fields": fields.collect::<Map<String, Json>>(),
            "outcomes": outcomes,
        }),
        success.map_or(
            Json::Null,
            |chance| json!({"success": chance.to_f64().value()}),
        ),
        json!({"total": total}),
    ]))
}

fn odds_of_dice(app: &mut App<'_>, args: &RollArgs, notation: &str) -> Result<(), CliError> {
    let odds = notation_of(notation)?.odds();
    let odds = odds.map_err(|error| CliError::failed(error.to_string()))?;
    let outcomes = odds.spread.chances();
    let outcomes = outcomes.map(|(total, chance)| OutcomeOdds::new(&total, &chance));
    let outcomes: Vec<OutcomeOdds> = outcomes.collect();
    if !args.json {
        return print(&mut app.out, &outcomes);
    }
    let mean = odds.mean.as_ref().map(|mean| mean.to_f64().value());
    app.out.json(&json!({
        "notation": notation,
        "outcomes": outcomes,
        "total": {"mean": mean, "min": odds.min, "max": odds.max},
    }))
}

/// A line an outcome: its name, the fraction, per cent.
fn print(out: &mut Output<'_>, outcomes: &[OutcomeOdds]) -> Result<(), CliError> {
    let names = outcomes.iter().map(|one| one.outcome.len());
    let name = names.max().unwrap_or(0);
    // A fraction as long as a line is better alone than pushing all the others aside.
    let lengths = outcomes.iter().map(|one| one.chance.fraction.len());
    let wide = lengths.filter(|length| *length <= 30).max().unwrap_or(0);
    outcomes.iter().try_for_each(|one| {
        let (fraction, percent) = (&one.chance.fraction, &one.percent);
        out.inked(&[
            (Ink::Strong, &format!("{:name$}", one.outcome)),
            (Ink::Plain, &format!("  {fraction:<wide$}  {percent:>7}")),
        ])
    })
}
