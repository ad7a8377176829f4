//! A resolved check in plain lines: outcome, dice, and what follows.

use super::error::CliError;
use super::output::{Ink, Output};
use crate::rules::{CheckSpec, Key, Outcome, ShownDie};
use crate::session::die_in_words;

/// The outcome with total and target; the dice, and what they say beside it; an effect a line.
pub(super) fn print_roll(
    out: &mut Output<'_>,
    check: &CheckSpec,
    outcome: &Outcome,
) -> Result<(), CliError> {
    let level = check.outcome(outcome.outcome);
    let told = check.told(outcome.outcome, outcome.success);
    let total = outcome.total.map(|total| format!("  {total}"));
    let target = outcome.target.map(|target| {
        let gap = if total.is_some() { " " } else { "  " };
        format!("{gap}against {target}")
    });
    let numbers = total.into_iter().chain(target).collect::<String>();
    out.inked(&[(Ink::Outcome(told.tone), level.id), (Ink::Plain, &numbers)])?;
    let keys: Vec<String> = outcome.keys.iter().filter_map(describe_key).collect();
    let mut dice = pieces(&outcome.dice);
    if !keys.is_empty() {
        dice.push((Ink::Plain, format!("; {}", keys.join(", "))));
    }
    let dice = dice.iter().map(|(ink, text)| (*ink, text.as_str()));
    out.inked(&dice.collect::<Vec<_>>())?;
    let mut effects = outcome.effects.iter();
    effects.try_for_each(|effect| out.line(&effect.to_string()))
}

fn describe_key((name, key): &(&'static str, Key)) -> Option<String> {
    let name = name.replace('-', " ");
    Some(match key {
        Key::Number(number) => format!("{name} {number}").replace('-', "−"),
        Key::Flag(true) => name,
        Key::Flag(false) => return None,
        Key::Words(words) => format!("{name} {}", words.join(" and ")),
    })
}

fn pieces(dice: &[ShownDie]) -> Vec<(Ink, String)> {
    if dice.is_empty() {
        return vec![(Ink::Plain, "no dice".to_owned())];
    }
    let pieces = dice.iter().enumerate().flat_map(|(at, die)| {
        let gap = if at == 0 { "" } else { ", " };
        let ink = if die.kept { Ink::Plain } else { Ink::Faint };
        [(Ink::Plain, gap.to_owned()), (ink, die_in_words(die))]
    });
    pieces.collect()
}

/// The dice in a line; in brackets those that do not count.
pub(super) fn dice_in_line(dice: &[ShownDie]) -> String {
    pieces(dice).into_iter().map(|(_, text)| text).collect()
}
