//! The program as a shell and a terminal see it.

#![cfg(test)]

mod aloud;
mod book;
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
#[path = "../support/ssh_client.rs"]
mod ssh_client;
mod terminal;
mod told;
mod transcripts;
