//! What a person did at the terminal.

use super::key::Key;

/// What a person did at the terminal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Typed {
    /// A key was pressed.
    Key(Key),
    /// The mouse was pressed, released, dragged or its wheel turned.
    Mouse(Mouse),
    /// Text was pasted, as the terminal gave it: it must still be sanitised.
    Paste(String),
}

/// One report of the mouse; the top left cell is column 0, row 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Mouse {
    /// What the mouse did.
    pub kind: MouseKind,
    /// The cell's column.
    pub column: u16,
    /// The cell's row.
    pub row: u16,
}

/// What the mouse did; only the first button counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MouseKind {
    /// The button went down.
    Press,
    /// The button came up.
    Release,
    /// The mouse moved with the button down.
    Drag,
    /// The wheel turned away from the hand.
    ScrollUp,
    /// The wheel turned towards the hand.
    ScrollDown,
}
