//! Terminals: bytes to keys, frames to bytes, and the terminal of this machine.

pub mod color_depth;
pub mod display;
pub mod input;
pub mod local;
pub mod run;

pub use local::{ENTER, LEAVE, restore};
