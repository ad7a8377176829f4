//! The page in browsers: what it answers, what it tells as it happens, what it withstands, and what a browser shows.
//! Without a browser on the machine the tests of one say that they did not run, and fail where `CI` is set.

#![cfg(test)]

mod attacks;
mod browser;
mod client;
mod events;
#[path = "../support/machine.rs"]
mod machine;
#[path = "../support/not_run.rs"]
mod not_run;
mod program;
mod routes;
#[path = "../support/running.rs"]
mod running;
