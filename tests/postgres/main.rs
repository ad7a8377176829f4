//! Games in PostgreSQL: several processes at one game, a database that goes away, and games carried there and back.
//! Each test has a server of its own, in a temporary folder and at a Unix socket.

#![cfg(test)]
#![cfg(feature = "postgres")]
#![expect(clippy::disallowed_methods, reason = "threads of a test need no name")]
#![expect(
    clippy::redundant_closure_for_method_calls,
    reason = "the method alone is not general enough"
)]

mod carrying;
mod fence;
mod lost;
mod nodes;
mod server;
