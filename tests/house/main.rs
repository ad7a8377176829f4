//! The source itself: which part may use which.

#![cfg(test)]

mod arrows;
mod source;
