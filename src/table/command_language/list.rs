//! Every phrase with what comes of it, by what it acts on.

mod befalls;
mod checks;
mod clocks;
#[expect(clippy::unnecessary_wraps, reason = "all makers are of one kind")]
mod game;
#[expect(clippy::unnecessary_wraps, reason = "all makers are of one kind")]
mod party;
mod scenes;
#[expect(clippy::unnecessary_wraps, reason = "all makers are of one kind")]
mod tokens;

use super::said::Parsed;
use super::{ParseError, Phrase, Place};
use crate::session::{CharacterId, Command, CommandError};
use crate::table::{Act, SeatView};

/// All phrases.
pub(super) const PHRASES: &[&[Phrase]] = &[
    checks::PHRASES,
    clocks::PHRASES,
    party::PHRASES,
    tokens::PHRASES,
    scenes::PHRASES,
    game::PHRASES,
];

type Made = Result<Act, ParseError>;

/// The same to each of the characters named, as one act.
fn each(said: &Parsed, make: impl Fn(CharacterId) -> Command) -> Made {
    all(said.all().iter().copied().map(make).collect())
}

/// Commands as one act.
fn all(commands: Vec<Command>) -> Made {
    if commands.is_empty() {
        return Err(gone("character"));
    }
    Ok(Command::together(commands).into())
}

/// What a form promised and is not there any more.
const fn gone(what: &'static str) -> ParseError {
    ParseError::Refused(CommandError::Gone(what))
}

const fn phrase(
    place: Place,
    form: &'static str,
    help: &'static str,
    example: &'static str,
    make: fn(&Parsed, &SeatView<'_>) -> Made,
) -> Phrase {
    Phrase {
        place,
        help,
        example,
        form,
        make,
    }
}
