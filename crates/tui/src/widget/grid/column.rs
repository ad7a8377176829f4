//! The columns of a grid.

/// The contents of a column, which decide how its cells are aligned and cut.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum CellKind {
    Words,
    Numbers,
    /// Names and rolls. The number of a name and the outcome of a roll stay.
    Ends,
}

/// A column. It is as wide as its widest cell, within its bounds.
///
/// If all rows of a list are laid out, in sight or not, the columns keep their widths while the list scrolls.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    pub(super) title: &'static str,
    pub(super) least: u16,
    pub(super) most: u16,
    /// The greatest width that it gets in the first pass. A second pass distributes the remaining columns.
    pub(super) at_first: u16,
    pub(super) grows: bool,
    /// True if its text continues into the empty cells after it.
    pub(super) spills: bool,
    pub(super) kind: CellKind,
    /// Columns with the highest number are dropped first. Columns with 0 are never dropped.
    pub(super) priority: u8,
    /// True if the width does not depend on the cells, so that they are composed only when they are drawn.
    pub(super) is_constant: bool,
}

impl Column {
    /// Returns a column of text that is never dropped.
    pub const fn new(title: &'static str, (least, most): (u16, u16)) -> Self {
        Self {
            title,
            least,
            most,
            at_first: most,
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

    /// Returns a column with a fixed width whose cells are never empty in all rows.
    pub const fn constant(title: &'static str, width: u16) -> Self {
        Self {
            is_constant: true,
            ..Self::fixed(title, width)
        }
    }

    /// Returns the least width.
    pub const fn least(&self) -> u16 {
        self.least
    }

    /// Limits the width in the first pass. A second pass distributes the remaining columns.
    pub const fn at_first(self, at_first: u16) -> Self {
        Self { at_first, ..self }
    }

    /// Gives the column the width that no other column can use, and lets its text spill.
    pub const fn grows(self) -> Self {
        let growing = Self {
            grows: true,
            ..self
        };
        growing.spills()
    }

    /// Lets its text continue into the empty cells after it.
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

    /// Cuts its cells as names and rolls: the number of a name and the outcome of a roll stay.
    pub const fn ends(self) -> Self {
        Self {
            kind: CellKind::Ends,
            ..self
        }
    }

    /// Sets the priority. Columns with a higher number are dropped first.
    pub const fn priority(self, priority: u8) -> Self {
        Self { priority, ..self }
    }
}
