//! One person's screen, the same for the local terminal and for a player who comes over SSH.
//!
//! [`Screen`] hears an [`Input`], lets [`ScreenState`] settle what it means, hands what changes the
//! table to [`Table::submit`](crate::table::Table::submit), and draws a frame as bytes. It owns no
//! thread and reads no clock: [`run`] does, for the terminal at this machine.

pub mod action;
mod availability;
mod background;
pub mod color_depth;
pub mod dialog;
pub mod display;
mod inbox;
pub mod input;
pub mod keymap;
mod layout;
mod list;
mod one;
mod roll_requests;
mod rows;
pub mod run;
pub mod setup;
mod state;
pub mod terminal;
pub mod theme;
mod tone;
mod update;
mod view;
pub mod widget;

pub use background::{Job, JobResult, LogJob, LogQuestion};
pub use inbox::{ExitReason, Flow, Input};
pub use one::{Kept, Place, Screen};
pub use setup::{Memory, Setup, Zone};
pub use state::{ScreenState, Tab};
