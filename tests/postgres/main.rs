//! Games in a database: several processes at one game, a database that goes away, and games carried there and back.
//! Each test has a server of its own, in a temporary folder and at a Unix socket.

#![cfg(test)]
#![cfg(feature = "postgres")]

mod carrying;
mod encrypted;
mod fence;
mod lost;
mod nodes;
mod saving;
mod schema;
mod server;
mod storm;

#[path = "../support/machine.rs"]
mod machine;
#[path = "../support/not_run.rs"]
mod not_run;
#[path = "../support/running.rs"]
mod running;
#[path = "../support/transcripts.rs"]
mod transcripts;
#[path = "../support/trusting.rs"]
mod trusting;
