//! The columns of a grid.

/// The contents of a column, which decide how its cells are aligned and cut.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum CellKind {
    Words,
    Numbers,
    /// Names and rolls. A cut keeps the number of a name and the outcome of a roll.
    Ends,
    /// Words such as conditions, each in a span of its own. A number such as `+2` stands for the ones that do not fit.
    Parts,
}

/// A column. It is as wide as its widest cell, within its bounds.
///
/// The columns keep their widths while a list scrolls if all its rows are laid out, visible or not.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    pub(super) title: &'static str,
    /// The minimum width.
    pub(super) min_width: u16,
    /// The maximum width.
    pub(super) max_width: u16,
    /// The maximum width in the first pass. A second pass distributes the remaining room.
    pub(super) at_first: u16,
    pub(super) grows: bool,
    /// True if the text of a cell continues into empty cells after it.
    pub(super) spills: bool,
    pub(super) kind: CellKind,
    /// Columns with the highest number are dropped first. Columns with 0 are never dropped.
    pub(super) priority: u8,
    /// True if the width does not depend on the cells, so that they are composed only when they are drawn.
    pub(super) is_constant: bool,
}

impl Column {
    /// Returns a column of text that is never dropped.
    pub const fn new(title: &'static str, (min_width, max_width): (u16, u16)) -> Self {
        Self {
            title,
            min_width,
            max_width,
            at_first: max_width,
            grows: false,
            spills: false,
            kind: CellKind::Words,
            priority: 0,
            is_constant: false,
        }
    }

    /// Returns a column with a fixed width.
    pub const fn fixed(title: &'static str, width: u16) -> Self {
        Self::new(title, (width, width))
    }

    /// Returns a column with a fixed width that counts as filled, so that its cells need not be composed to measure it.
    pub const fn constant(title: &'static str, width: u16) -> Self {
        Self {
            is_constant: true,
            ..Self::fixed(title, width)
        }
    }

    pub const fn min_width(&self) -> u16 {
        self.min_width
    }

    /// Limits the width in the first pass. A second pass distributes the remaining room.
    pub const fn at_first(self, at_first: u16) -> Self {
        Self { at_first, ..self }
    }

    /// Gives the column the room that no other column needs, and lets its text spill.
    pub const fn grows(self) -> Self {
        let growing = Self {
            grows: true,
            ..self
        };
        growing.spills()
    }

    /// Lets the text of a cell continue into empty cells after it.
    pub const fn spills(self) -> Self {
        Self {
            spills: true,
            ..self
        }
    }

    /// Aligns its cells to the right, as numbers.
    pub const fn right(self) -> Self {
        Self {
            kind: CellKind::Numbers,
            ..self
        }
    }

    /// Cuts its cells as names and rolls: the number of a name and the outcome of a roll stay visible.
    pub const fn ends(self) -> Self {
        Self {
            kind: CellKind::Ends,
            ..self
        }
    }

    /// Cuts its cells between two parts, such as conditions. A number such as `+2` stands for the parts that do not fit.
    pub const fn parts(self) -> Self {
        Self {
            kind: CellKind::Parts,
            ..self
        }
    }

    /// Sets the priority. Columns with a higher number are dropped first.
    pub const fn priority(self, priority: u8) -> Self {
        Self { priority, ..self }
    }
}
