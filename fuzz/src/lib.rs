//! Fuzz targets for everything in Tableside that reads input from outside.
//!
//! No input may make a parser panic or hang. What is read can be written and read again, and text on the screen
//! contains no control characters.
//!
//! Start with [`TARGETS`]. [`run`](runner::run) runs a target with mutated inputs of its corpus on stable Rust;
//! `fuzz_targets/any.rs` runs the same targets with libFuzzer.

pub mod corpus;
mod mutation;
pub mod runner;
mod samples;
mod targets;

pub use targets::{TARGETS, Target};
