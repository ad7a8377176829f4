//! The commands of GMs and players, named by ids or typed in plain words.
//!
//! Keys, the palette and `tableside do` run the same commands. A key names a [`CommandId`] and a [`Target`]; typed
//! words such as `tick the alarm 2` are parsed into a command and the values of its slots. Both become an `Act`, which
//! the caller submits to the table. Only [`Request::run`] and [`handle_request`] submit acts themselves. The crate
//! draws no screens.
//!
//! A [`CommandSpec`] describes a command by its form, its help and its function; [`SECTIONS`] lists all of them. Names are
//! found without regard to case, by their beginning, or by some of their letters in order. If several targets have a
//! matching name, the error lists them, and for an unknown name it suggests the nearest one.
//!
//! Start reading with `clocks`, a list of commands, then `parse` and `matcher`, which fit words into their forms.
//! [`Request`] carries commands and rolls from one process to another.

mod any_target;
mod calls;
mod catalog;
mod characters;
mod check_candidates;
mod check_reader;
mod clock_checks;
mod clocks;
mod conditions;
mod creatures;
mod earlier_rolls;
mod error;
mod fit_failure;
mod form;
mod free_dice;
mod game;
mod id;
mod known_names;
mod matcher;
mod name_lookup;
mod notes;
mod parse;
mod pending_rolls;
mod readers;
mod request;
mod roll_options;
mod roll_request;
mod rolls;
mod slot_values;
mod slots;
mod spec;
mod target;
mod target_lookup;
mod tokens;
mod turns;

pub use catalog::{CommandSection, SECTIONS, choose_command, commands};
pub use conditions::with_conditions;
pub use creatures::{
    command_for, creatures_command, describe_creatures, example_creatures, read_creatures,
};
pub use error::ParseError;
pub use free_dice::{FreeDice, parse_free_dice};
pub use id::CommandId;
pub use known_names::{character_named, clock_named};
pub use parse::{ParsedCommand, parse, parse_act};
pub use readers::readers_named;
pub use request::{Request, Response, act_in_words, handle_request};
pub use roll_options::RollOptions;
pub use roll_request::RollRequest;
pub use rolls::roll_on_table;
pub use spec::CommandSpec;
pub use target::Target;
pub use turns::InitiativeGroup;

use slots::{Args, Slots};

#[cfg(test)]
mod tests;
