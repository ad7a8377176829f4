//! The rules of the five systems: worked examples, printed probabilities, and a second count of them all.

#![cfg(test)]

mod agreement;
mod broken_files;
mod by_faces;
mod creatures;
mod odds;
mod scenarios;
