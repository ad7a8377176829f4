//! A game at the table, without a screen: what people do, what each seat sees of it, and what is found
//! again.

#![cfg(test)]

mod around;
mod evenings;
mod fights;
mod host;
#[path = "../support/opened.rs"]
mod opened;
#[path = "../support/played.rs"]
mod played;
mod properties;
mod recap;
mod search;
mod statistics;
mod table;
