//! One person's screen, the same for the local terminal and for a player who comes over SSH.

pub mod action;
pub mod backend;
pub mod depth;
pub mod dialog;
pub mod input;
pub mod keymap;
pub mod terminal;
pub mod theme;
pub mod widget;
