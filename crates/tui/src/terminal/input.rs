//! The inputs of a screen. The local terminal and SSH share one parser for keys.
//!
//! A terminal sends a key as one or several bytes, and they may arrive in several pieces. [`Parser`] keeps unfinished
//! sequences, and drops sequences that it cannot read, so that they do not become typed text.

mod key;
mod parser;

use ratatui::layout::Position;

use crate::app::background::JobResult;

pub use key::{Key, KeyCode, KeyModifiers, KeyNameError};
pub use parser::Parser;

/// A key, a mouse event or pasted text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Typed {
    Key(Key),
    /// A press of the first mouse button. The top left cell is in column 0 and row 0.
    Press(Position),
    /// A turn of the mouse wheel: 1 is down, -1 is up.
    Wheel(isize),
    /// Pasted text as the terminal sent it. It must still be sanitised.
    Paste(String),
}

/// An input of a screen.
#[derive(Clone, Debug)]
pub enum Input {
    /// Bytes from the terminal.
    Bytes(Vec<u8>),
    /// The new columns and rows of the terminal.
    Resize(u16, u16),
    /// The table changed.
    Changed,
    /// The state of saving changed.
    Saving,
    /// The background thread finished a job.
    JobDone(JobResult),
    /// A signal to the process.
    Signal(i32),
    /// The terminal closed its input.
    Closed,
    /// No input arrived for as long as [`patience`](crate::Screen::patience) allows.
    Silence,
}

/// The reason why a screen ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitReason {
    /// The user quit.
    Quit,
    /// The user asked for the list of games.
    Games,
    /// The process got a signal.
    Signal(i32),
    /// The terminal was closed.
    InputClosed,
}

impl ExitReason {
    /// The exit code of the process: 0, or 128 plus the number of the signal.
    pub fn exit_code(self) -> u8 {
        match self {
            Self::Quit | Self::Games => 0,
            Self::Signal(signal) => u8::try_from(128 + signal).unwrap_or(u8::MAX),
            // A closed terminal counts as SIGHUP, which is signal 1.
            Self::InputClosed => 128 + 1,
        }
    }
}

/// A request of a screen to its terminal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Flow {
    /// No request.
    #[default]
    Stay,
    /// Give the terminal back to the shell and stop the process.
    Suspend,
    /// Open a text in the user's editor.
    Write,
    /// Take over the terminal again.
    Resume,
    /// End the screen.
    Leave(ExitReason),
}

impl Flow {
    /// Replaces the request, unless the screen ends already.
    ///
    /// A closed terminal sends `SIGHUP`, and then `SIGCONT`, which must not cancel the end.
    pub fn turn(&mut self, request: Self) {
        if !matches!(self, Self::Leave(_)) {
            *self = request;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_requests_do_not_cancel_the_end() {
        let mut request = Flow::Stay;
        request.turn(Flow::Resume);
        assert_eq!(request, Flow::Resume);
        request.turn(Flow::Leave(ExitReason::Signal(1)));
        request.turn(Flow::Resume);
        assert_eq!(request, Flow::Leave(ExitReason::Signal(1)));
    }
}
