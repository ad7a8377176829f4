//! The program as a shell and a terminal see it.

#![cfg(test)]

mod aloud;
mod carrying;
mod cli;
mod completions;
mod doing;
mod house;
mod machine;
mod own_systems;
#[path = "../support/pty.rs"]
mod pty;
mod random_tables;
mod readme;
mod terminal;
mod told;
mod transcripts;
mod tutorial;
