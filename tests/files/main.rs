//! A game's files: what is written, cut, damaged, edited from outside, and checked.

#![cfg(test)]

mod commands;
mod first_edition;
mod flipped_bits;
mod folder;
mod fuzz_corpus;
mod game_folder;
mod histories;
mod journal;
#[path = "../support/opened.rs"]
mod opened;
mod own_rules;
#[path = "../support/played.rs"]
mod played;
mod verify;
mod waiting_tokens;
