//! A game's files: what is written, cut, damaged, edited from outside, and checked.

#![cfg(test)]

mod journal;
mod session_folder;
mod torn;
mod verify;
