//! `tableside roll`: resolves one check, by itself or in a session.

mod in_session;
mod print;
mod standalone;

use super::ask::Answer;
use super::check_args::{Asked, CheckArgs, OfCheck};
use super::{App, CliError, dice};
use crate::rules::{Answer as Given, Ask, Choices, DynCheck};
use crate::session::EventKind;
use crate::table::{Request, Response};

/// Resolves a check, or rolls free dice.
pub(super) fn run(app: &mut App<'_>, args: &OfCheck<true>) -> Result<(), CliError> {
    match args.read()? {
        Asked::Dice(args) => dice::roll(app, &args),
        Asked::Check(args) => match &args.session {
            Some(session) => in_session::roll(app, &args, session),
            None => standalone::roll(app, &args),
        },
    }
}

impl App<'_> {
    /// Whether choices are asked for: only on a terminal, and not among JSON.
    fn asks(&self, args: &CheckArgs) -> bool {
        self.can_ask && !args.json
    }

    /// Puts a choice to the person at the terminal, with the dice so far.
    fn put(
        &mut self,
        machine: &dyn DynCheck,
        trail: &[Given],
        what: &Choices,
    ) -> Result<String, CliError> {
        let dice = print::dice_in_line(&machine.outcome(trail).dice);
        self.out.line(&dice)?;
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

    /// Puts the choices that a check of the session waits for, one after the other.
    pub(super) fn put_choices(
        &mut self,
        session: &str,
        mut done: Response,
    ) -> Result<Response, CliError> {
        while let (EventKind::Incomplete(roll), Some(check)) =
            (&done.entry.event.what, done.waiting)
        {
            let machine = roll.machine(done.system)?;
            let Ask::Choose { what, .. } = machine.after(&roll.trail)? else {
                break;
            };
            let chose = self.put(&*machine, &roll.trail, &what)?;
            let answer = Request::Answer { check, chose };
            done = self.send(session, &answer)?;
        }
        Ok(done)
    }

    /// Prints the notices of a session that was opened.
    pub(super) fn tell_notices(&mut self) -> Result<(), CliError> {
        let notices = std::mem::take(&mut self.notices);
        notices.iter().try_for_each(|notice| self.out.line(notice))
    }
}
