//! The screen as a person sees it: keys pressed, whole frames looked at through a terminal of our own.

#![cfg(test)]

mod away;
mod bench;
mod bytes;
mod cards;
mod colours;
mod dialogs;
mod export;
mod first_minute;
mod games;
mod internal_names;
mod kept;
#[path = "../support/keys.rs"]
mod keys;
mod offered;
#[path = "../support/opened.rs"]
mod opened;
mod own_sheet;
mod panels;
mod pictures;
#[path = "../support/played.rs"]
mod played;
mod random_tables;
mod room;
mod scripts;
mod selected;
mod strokes;
mod whole;
