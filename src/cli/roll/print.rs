//! A resolved check in plain lines: outcome, dice, and what follows.

use crate::cli::CliError;
use crate::cli::output::{Ink, Output};
use crate::rules::{Answer, CheckSpec, DynCheck, Key, Outcome, ShownDie};
use crate::session::{default_answers, die_in_words};

/// The outcome with total and target; the dice, and what they say beside it; an effect a line.
pub(super) fn outcome(
    out: &mut Output<'_>,
    check: &CheckSpec,
    outcome: &Outcome,
) -> Result<(), CliError> {
    let level = check.outcome(outcome.outcome);
    let told = check.told(outcome.outcome, outcome.success);
    let numbers = match (outcome.total, outcome.target) {
        (Some(total), Some(target)) => format!("  {total} against {target}"),
        (Some(total), None) => format!("  {total}"),
        (None, Some(target)) => format!("  against {target}"),
        (None, None) => String::new(),
    };
    out.inked(&[(Ink::Outcome(told.tone), level.id), (Ink::Plain, &numbers)])?;
    let keys: Vec<String> = outcome.keys.iter().filter_map(describe_key).collect();
    let mut dice = pieces(&outcome.dice);
    if !keys.is_empty() {
        dice.push((Ink::Plain, format!("; {}", keys.join(", "))));
    }
    let dice: Vec<(Ink, &str)> = dice
        .iter()
        .map(|(ink, text)| (*ink, text.as_str()))
        .collect();
    out.inked(&dice)?;
    outcome
        .effects
        .iter()
        .try_for_each(|effect| out.line(&effect.to_string()))
}

/// The choices that nobody made.
pub(super) fn defaults(
    out: &mut Output<'_>,
    machine: &dyn DynCheck,
    trail: &[Answer],
) -> Result<(), CliError> {
    let answers = default_answers(machine, trail);
    answers.iter().try_for_each(|words| out.line(words))
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
    let mut pieces = Vec::new();
    for die in dice {
        if !pieces.is_empty() {
            pieces.push((Ink::Plain, ", ".to_owned()));
        }
        let ink = if die.kept { Ink::Plain } else { Ink::Faint };
        pieces.push((ink, die_in_words(die)));
    }
    pieces
}

/// The dice in a line; in brackets those that do not count.
pub(super) fn dice_in_line(dice: &[ShownDie]) -> String {
    pieces(dice).into_iter().map(|(_, text)| text).collect()
}
