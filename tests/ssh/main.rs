//! People join with the stock SSH client: what they see, may do, are refused, and what is left of it.
//! Without such a client on the machine the tests say so and pass.

#![cfg(test)]

mod bench;
mod doors;
mod requests;
mod table;

#[path = "../support/pty.rs"]
mod pty;
