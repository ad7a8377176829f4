//! Every command with what it does, by what it acts on.

mod checks;
mod clocks;
mod game;
mod party;
mod tokens;

use super::spec::{CommandSpec, Place};

/// Every command, in the order of the help.
pub const PLACES: [Place; 5] = [
    place("Checks", checks::COMMANDS),
    place("Clocks", clocks::COMMANDS),
    place("Party", party::COMMANDS),
    place("Tokens", tokens::COMMANDS),
    place("The game", game::COMMANDS),
];

const fn place(title: &'static str, commands: &'static [CommandSpec]) -> Place {
    Place { title, commands }
}
