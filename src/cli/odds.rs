//! `tableside odds`: the exact chance of every outcome of a check.

use clap::ArgMatches;
use serde_json::{Map, Value as Json, json};

use super::new::system_named;
use super::order::Order;
use super::output::Ink;
use super::{CliError, Desk, dice};
use crate::dice::Fraction;
use crate::rules::{Odds, Policy};

/// Weighs a check.
pub(super) fn run(desk: &mut Desk<'_>, matches: &ArgMatches) -> Result<(), CliError> {
    let (system, matches) = matches.subcommand().unwrap_or(("", matches));
    if system == "dice" {
        return dice::odds(desk, matches);
    }
    let (check, matches) = matches.subcommand().unwrap_or(("", matches));
    let order = Order::read(system_named(system)?.check(check)?, matches)?;
    let mut fields = order.plain_fields()?;
    let house = order.house()?;
    fields.decide(&house);
    let machine = (order.check.prepare)(&fields, &house)?;
    let policy = Policy::new(order.choose.iter().cloned());
    let odds = Odds::of(order.check, &*machine, &policy)?;
    let outcomes = odds.outcomes.iter();
    let outcomes = outcomes.map(|(id, chance)| (order.check.outcome(*id).id.to_owned(), chance));
    let outcomes: Vec<(String, &Fraction)> = outcomes.collect();
    if !order.json {
        return tell(desk, &outcomes);
    }
    let shown = fields
        .shown()
        .map(|(name, value)| (name.to_owned(), json!(value)));
    let mut document = Map::new();
    document.insert("system".into(), json!(order.system().spec().id));
    document.insert("check".into(), json!(order.check.id));
    document.insert("fields".into(), Json::Object(shown.collect()));
    document.insert("outcomes".into(), outcomes_json(&outcomes));
    if let Some(success) = &odds.success {
        document.insert("success".into(), json!(success.to_f64()));
    }
    let total = odds
        .total
        .as_ref()
        .map(|total| json!({"mean": total.mean.to_f64(), "min": total.min, "max": total.max}));
    document.insert("total".into(), json!(total));
    desk.out.json(&document)
}

/// A line an outcome: its name, the fraction, per cent.
pub(super) fn tell(desk: &mut Desk<'_>, outcomes: &[(String, &Fraction)]) -> Result<(), CliError> {
    let fractions: Vec<String> = outcomes
        .iter()
        .map(|(_, chance)| chance.to_string())
        .collect();
    let longest = |lengths: &mut dyn Iterator<Item = usize>| lengths.max().unwrap_or(0);
    let name = longest(&mut outcomes.iter().map(|(outcome, _)| outcome.len()));
    // A fraction as long as a line is better alone than pushing all the others aside.
    let short = fractions
        .iter()
        .map(String::len)
        .filter(|length| *length <= 30);
    let wide = longest(&mut { short });
    for ((outcome, chance), fraction) in outcomes.iter().zip(&fractions) {
        let percent = chance.percent();
        desk.out.inked(&[
            (Ink::Strong, &format!("{outcome:name$}")),
            (Ink::Plain, &format!("  {fraction:<wide$}  {percent:>7}")),
        ])?;
    }
    Ok(())
}

/// The outcomes with their chances: the exact fraction, and the double that is nearest to it.
pub(super) fn outcomes_json(outcomes: &[(String, &Fraction)]) -> Json {
    let outcomes = outcomes.iter().map(|(outcome, chance)| {
        json!({
            "outcome": outcome,
            "fraction": chance.to_string(),
            "probability": chance.to_f64(),
        })
    });
    outcomes.collect()
}
