//! What comes to a screen. Bytes in, keys out: one parser for the local terminal and for SSH.
//!
//! A terminal sends keys as bytes that may be cut anywhere. [`Parser`] keeps what is unfinished, gives
//! out what is whole, and swallows sequences that it does not know, so that none is taken for typing.

mod key;
mod parser;

use ratatui::layout::Position;

use crate::app::background::JobResult;

pub use key::{Key, KeyCode, KeyModifiers, KeyNameError};
pub use parser::Parser;

/// What a person did at the terminal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Typed {
    /// A key was pressed.
    Key(Key),
    /// The mouse was pressed here; the top left cell is column 0, row 0.
    Press(Position),
    /// The mouse's wheel was turned: 1 is towards the hand, -1 away from it.
    Wheel(isize),
    /// Text was pasted, as the terminal gave it: it must still be sanitised.
    Paste(String),
}

/// Something that came to a screen.
#[derive(Clone, Debug)]
pub enum Input {
    /// Bytes from the terminal.
    Bytes(Vec<u8>),
    /// The terminal's new columns and rows.
    Resize(u16, u16),
    /// The table changed.
    Changed,
    /// The saving has news.
    Saving,
    /// What was worked out beside the screen.
    JobDone(JobResult),
    /// A signal.
    Signal(i32),
    /// No more bytes will come.
    Closed,
    /// Nothing came for as long as [`patience`](crate::Screen::patience) said.
    Silence,
}

/// Why a screen leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitReason {
    /// The person wants to.
    Quit,
    /// The person wants another game.
    Games,
    /// A signal says so.
    Signal(i32),
    /// The terminal is gone.
    InputClosed,
}

impl ExitReason {
    /// What the program tells who called it: 0, or 128 and the signal that ended it.
    pub fn exit_code(self) -> u8 {
        match self {
            Self::Quit | Self::Games => 0,
            Self::Signal(signal) => u8::try_from(128 + signal).unwrap_or(u8::MAX),
            // As if the terminal had hung up, for so it has.
            Self::InputClosed => 128 + 1,
        }
    }
}

/// What a screen wants of the terminal that it is on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Flow {
    /// To go on.
    #[default]
    Stay,
    /// To step out to the shell.
    Suspend,
    /// To have a text written in the person's own editor.
    Write,
    /// To take the terminal over again, after the shell had it.
    Resume,
    /// To leave.
    Leave(ExitReason),
}

impl Flow {
    /// Wants something else from here on; who wants to leave is not kept by anything.
    ///
    /// A terminal that hangs up says so with `SIGHUP` and then lets the process go on with `SIGCONT`.
    pub fn turn(&mut self, to: Self) {
        if !matches!(self, Self::Leave(_)) {
            *self = to;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_leaves_is_not_kept_by_what_comes_later() {
        let mut wish = Flow::Stay;
        wish.turn(Flow::Resume);
        assert_eq!(wish, Flow::Resume);
        wish.turn(Flow::Leave(ExitReason::Signal(1)));
        wish.turn(Flow::Resume);
        assert_eq!(wish, Flow::Leave(ExitReason::Signal(1)));
    }
}
