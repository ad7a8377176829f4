//! The screen, its state, and the actions of its keys. This layer does not draw.

pub mod action;
pub(crate) mod attention;
pub(crate) mod background;
pub mod keymap;
pub(crate) mod list;
pub(crate) mod notice;
pub(crate) mod offered;
pub(crate) mod roll_requests;
pub(crate) mod rows;
mod screen;
pub mod setup;
pub(crate) mod state;
pub(crate) mod update;

pub use action::{Action, Context};
pub use attention::Notify;
pub use background::{DiceOdds, Job, JobResult, LogQuestion};
pub use screen::{CursorPosition, SavedState, Screen};
pub use setup::{Memory, Setup, Zone};
pub use state::{ScreenState, Tab};
