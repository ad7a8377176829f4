//! The program as a shell and a terminal see it.

#![cfg(test)]

mod aloud;
mod book;
mod carrying;
mod cli;
mod completions;
mod doing;
mod machine;
#[path = "../support/opened.rs"]
mod opened;
#[path = "../support/pty.rs"]
mod pty;
#[path = "../support/ssh_client.rs"]
mod ssh_client;
mod terminal;
mod told;
mod transcripts;
