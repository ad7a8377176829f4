//! `tableside odds`: the exact chance of every outcome of a check.

use serde_json::{Map, Value as Json, json};

use super::check_args::{Asked, OfCheck};
use super::output::{Ink, object};
use super::{App, CliError, dice};
use crate::dice::Fraction;
use crate::rules::{Odds, Policy};

/// Prints the exact odds of a check, or of free dice.
pub(super) fn run(app: &mut App<'_>, args: &OfCheck<false>) -> Result<(), CliError> {
    let args = match args.read()? {
        Asked::Dice(args) => return dice::odds(app, &args),
        Asked::Check(args) => args,
    };
    let (machine, fields) = args.prepare()?;
    let policy = Policy::new(args.request.choose.iter().cloned());
    let odds = Odds::of(args.check, &*machine, &policy)?;
    let outcomes = odds.outcomes.iter();
    let outcomes = outcomes.map(|(id, chance)| (args.check.outcome(*id).id.to_owned(), chance));
    let outcomes: Vec<(String, &Fraction)> = outcomes.collect();
    if !args.json {
        return tell(app, &outcomes);
    }
    let fields = fields.shown();
    let fields: Map<String, Json> = fields
        .map(|(name, value)| (name.to_owned(), json!(value)))
        .collect();
    let success = odds.success.as_ref();
    let total = odds.total.as_ref();
    app.out.json(&object([
        json!({
            "system": args.request.system,
            "check": args.request.check,
            "fields": fields,
            "outcomes": outcomes_json(&outcomes),
        }),
        success.map_or(Json::Null, |chance| json!({"success": chance.to_f64()})),
        json!({"total": total.map(
            |total| json!({"mean": total.mean.to_f64(), "min": total.min, "max": total.max})
        )}),
    ]))
}

/// A line an outcome: its name, the fraction, per cent.
pub(super) fn tell(app: &mut App<'_>, outcomes: &[(String, &Fraction)]) -> Result<(), CliError> {
    let fractions: Vec<String> = outcomes
        .iter()
        .map(|(_, chance)| chance.to_string())
        .collect();
    let names = outcomes.iter().map(|(outcome, _)| outcome.len());
    let name = names.max().unwrap_or(0);
    // A fraction as long as a line is better alone than pushing all the others aside.
    let lengths = fractions.iter().map(String::len);
    let wide = lengths.filter(|length| *length <= 30).max().unwrap_or(0);
    for ((outcome, chance), fraction) in outcomes.iter().zip(&fractions) {
        let percent = chance.percent();
        app.out.inked(&[
            (Ink::Strong, &format!("{outcome:name$}")),
            (Ink::Plain, &format!("  {fraction:<wide$}  {percent:>7}")),
        ])?;
    }
    Ok(())
}

/// The exact fraction, and the double that is nearest to it.
pub(super) fn chance_json(chance: &Fraction) -> Json {
    json!({"fraction": chance.to_string(), "probability": chance.to_f64()})
}

/// The outcomes with their chances.
pub(super) fn outcomes_json(outcomes: &[(String, &Fraction)]) -> Json {
    let outcomes = outcomes.iter();
    outcomes
        .map(|(outcome, chance)| object([json!({"outcome": outcome}), chance_json(chance)]))
        .collect()
}
