//! The screen of a seat. It is the same on the GM's terminal and over SSH.
//!
//! [`Screen`] takes an [`Input`], changes its [`ScreenState`], passes commands to
//! [`Table::submit`](tableside_table::Table::submit), and draws a frame as bytes. It starts no thread and reads no
//! clock; [`terminal::run`] does both for the terminal of this machine.
//!
//! The modules form layers. Each uses only those below it:
//!
//! | module | contents |
//! |---|---|
//! | [`app`] | the screen, its state, keys and their actions, and what each action does; no drawing |
//! | [`dialog`] | one module for each dialog: its state, what its keys do, and how it looks |
//! | `view` | the layout of the screen, and the tabs and panels |
//! | [`widget`] | clock faces, dice, bars, grids and text fields |
//! | [`theme`] | colours by their meaning |
//! | [`terminal`] | the input parser, the difference of two frames as bytes, and the terminal of this machine |
//!
//! To follow a key, start reading at `Screen::handle` in `app/screen.rs`; to follow a frame, at `Screen::frame` there.

pub mod app;
pub mod dialog;
#[cfg(test)]
mod fixtures;
pub mod terminal;
pub mod theme;
mod view;
pub mod widget;

pub use app::{
    Action, Context, CursorPosition, DiceOdds, Job, JobResult, LogQuestion, Memory, Notify,
    SavedState, Screen, ScreenState, Setup, Tab, Zone,
};
pub use dialog::games::{AboutGame, GameEntry, Library, NewGame};
pub use terminal::input::{ExitReason, Flow, Input};
pub use theme::{Role, Theme};
pub use view::{GamePreview, table_json};
