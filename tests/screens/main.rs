//! The screen as a person sees it: keys pressed, whole frames looked at through a terminal of our own.

#![cfg(test)]

mod away;
mod bench;
mod bytes;
mod colours;
mod dialogs;
mod drafts;
mod export;
mod games;
mod kept;
mod keys;
mod meanings;
mod offered;
mod pictures;
mod room;
mod scripts;
mod strokes;
