//! `tableside odds`: the exact chance of every outcome of a check, or of every total of free dice.

use clap::ArgMatches;
use serde_json::{Map, Value as Json, json};

use super::roll::notation_of;
use super::roll_args::{RollArgs, Subject};
use super::{App, CliError, Ink, Output, object};
use tableside_dice::{Fraction, percent};
use tableside_rules::{CheckSpec, Odds, Policy};

/// Prints the exact odds of a check, or of free dice.
pub(super) fn run(app: &mut App<'_>, matches: &ArgMatches) -> Result<(), CliError> {
    let args = RollArgs::read(app, matches)?;
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
    let outcomes = outcomes.map(|(id, chance)| (check.outcome(*id).id.to_owned(), chance.clone()));
    let outcomes: Vec<(String, Fraction)> = outcomes.collect();
    if !args.json {
        return print(&mut app.out, &outcomes);
    }
    let fields = fields.shown();
    let fields = fields.map(|(name, value)| (name.to_owned(), json!(value)));
    let success = odds.success.as_ref();
    let success = success.map(|chance| json!({"success": chance.to_f64().value()}));
    let total = odds.total.as_ref().map(
        |total| json!({"mean": total.mean.to_f64().value(), "min": total.min, "max": total.max}),
    );
    app.out.json(&object([
        json!({
            "system": args.request.system,
            "check": args.request.check,
            "fields": fields.collect::<Map<String, Json>>(),
            "outcomes": outcomes_json(&outcomes),
        }),
        success.unwrap_or_default(),
        json!({"total": total}),
    ]))
}

fn odds_of_dice(app: &mut App<'_>, args: &RollArgs, notation: &str) -> Result<(), CliError> {
    let dice = notation_of(notation)?;
    let odds = dice
        .odds()
        .map_err(|error| CliError::failed(error.to_string()))?;
    let outcomes: Vec<(String, Fraction)> = odds
        .distribution
        .chances()
        .map(|(total, chance)| (total.to_string(), chance))
        .collect();

    if !args.json {
        print(&mut app.out, &outcomes)?;
        if dice.repetitions() > 1 {
            let repetitions = dice.repetitions();
            let note = format!("Each of the {repetitions} rolls has these odds.");
            app.out.line(&note)?;
        }
        return Ok(());
    }

    let mean = odds.mean.as_ref().map(|mean| mean.to_f64().value());
    let mut document = object([json!({
        "notation": notation,
        "outcomes": outcomes_json(&outcomes),
        "total": {"mean": mean, "min": odds.min, "max": odds.max},
    })]);
    if dice.repetitions() > 1
        && let Json::Object(keys) = &mut document
    {
        keys.insert("repetitions".into(), json!(dice.repetitions()));
    }
    app.out.json(&document)
}

/// Prints a line for each outcome: its name, the exact fraction, and per cent.
fn print(out: &mut Output<'_>, outcomes: &[(String, Fraction)]) -> Result<(), CliError> {
    let names = outcomes.iter().map(|(outcome, _)| outcome.len());
    let name_width = names.max().unwrap_or(0);
    // A longer fraction is better out of line than pushing all the others aside.
    let lengths = outcomes.iter().map(|(_, chance)| chance.to_string().len());
    let fraction_width = lengths.filter(|length| *length <= 30).max().unwrap_or(0);
    outcomes.iter().try_for_each(|(outcome, chance)| {
        let (fraction, percent) = (chance.to_string(), percent(chance));
        out.inked(&[
            (Ink::Strong, &format!("{outcome:name_width$}")),
            (
                Ink::Plain,
                &format!("  {fraction:<fraction_width$}  {percent:>7}"),
            ),
        ])
    })
}

/// The exact fraction, and the double that is nearest to it.
pub(super) fn chance_json(chance: &Fraction) -> Json {
    json!({"fraction": chance.to_string(), "probability": chance.to_f64().value()})
}

/// Each outcome with its chance, in their order.
pub(super) fn outcomes_json(outcomes: &[(String, Fraction)]) -> Vec<Json> {
    let outcomes = outcomes.iter();
    let outcomes = outcomes
        .map(|(outcome, chance)| object([json!({"outcome": outcome}), chance_json(chance)]));
    outcomes.collect()
}
