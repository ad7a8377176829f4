//! People join with the stock SSH client: what they see, may do, are refused, and what is left of it.
//! Without such a client on the machine the tests say that they did not run, and fail where `CI` is set.

#![cfg(test)]

mod attacks;
mod bench;
mod doors;
mod lobby;
mod requests;
mod table;

#[path = "../support/machine.rs"]
mod machine;
#[path = "../support/not_run.rs"]
mod not_run;
#[path = "../support/pty.rs"]
mod pty;
#[path = "../support/running.rs"]
mod running;
#[path = "../support/ssh_client.rs"]
mod ssh_client;
#[path = "../support/trusting.rs"]
mod trusting;
