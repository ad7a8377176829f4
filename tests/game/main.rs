//! A game at the table, without a screen: what people do, what each seat sees of it, and what is found
//! again.

#![cfg(test)]

mod around;
mod evenings;
mod house;
mod properties;
mod search;
mod statistics;
mod table;
