//! `tableside roll`: resolves one check, by itself or in a session.

mod alone;
mod seated;
mod shown;

use clap::ArgMatches;

use super::ask::Answer;
use super::new::system_named;
use super::order::Order;
use super::output::Ink;
use super::{CliError, Desk, dice};
use crate::rules::{Answer as Given, Choices, DynCheck, WalkError};

/// Resolves a check.
pub(super) fn run(desk: &mut Desk<'_>, matches: &ArgMatches) -> Result<(), CliError> {
    let (system, matches) = matches.subcommand().unwrap_or(("", matches));
    if system == "dice" {
        return dice::roll(desk, matches);
    }
    let (check, matches) = matches.subcommand().unwrap_or(("", matches));
    let order = Order::read(system_named(system)?.check(check)?, matches)?;
    match order.session {
        Some(session) => seated::roll(desk, &order, session),
        None => alone::roll(desk, &order),
    }
}

impl Desk<'_> {
    /// Whether choices are asked for: only on a terminal, and not among JSON.
    fn asks(&self, order: &Order<'_>) -> bool {
        self.can_ask && !order.json
    }

    /// Puts a choice to whoever sits at the terminal, with the dice so far.
    pub(in crate::cli) fn put(
        &mut self,
        machine: &dyn DynCheck,
        trail: &[Given],
        what: &Choices,
    ) -> Result<String, CliError> {
        let outcome = machine.outcome(trail);
        self.out
            .inked(&[(Ink::Plain, &shown::dice_in_line(&outcome.dice))])?;
        let answers: Vec<Answer<'_>> = what
            .options
            .iter()
            .map(|option| Answer {
                word: &option.name,
                label: &option.label,
            })
            .collect();
        let index = self.choose(&format!("{}?", what.choice), &answers, what.default)?;
        let picked = what.options.get(index).unwrap_or_else(|| what.fallback());
        Ok(picked.name.clone())
    }
}

/// The faces that are still missing where typed ones ran out.
fn too_few(pool: &crate::dice::Pool, trail: &[Given]) -> CliError {
    let before = trail.iter().map(|answer| match answer {
        Given::Faces(faces) => faces.len(),
        Given::Chose { .. } => 0,
    });
    match pool.check(&[], before.sum()) {
        Err(error) => WalkError::Faces(error).into(),
        Ok(()) => CliError::usage("faces are missing"),
    }
}
