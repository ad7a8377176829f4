//! The program as a shell and a terminal see it.

#![cfg(test)]

mod aloud;
mod book;
mod carrying;
mod cli;
mod completions;
mod doing;
mod hooks;
#[path = "../support/keys.rs"]
mod keys;
#[path = "../support/machine.rs"]
mod machine;
#[path = "../support/not_run.rs"]
mod not_run;
#[path = "../support/opened.rs"]
mod opened;
#[path = "../support/pty.rs"]
mod pty;
#[path = "../support/running.rs"]
mod running;
#[path = "../support/ssh_client.rs"]
mod ssh_client;
mod terminal;
mod told;
#[path = "../support/transcripts.rs"]
mod transcripts;
