//! Where the panels of the table stand: below each other or side by side.

use ratatui::layout::Rect;

use crate::app::state::Panel;
use crate::widget::{after, below, left, top};

/// The rows that the frame of a panel takes.
pub(super) const FRAME_ROWS: u16 = 2;
/// The columns that the frame of a panel takes, with the blanks beside its contents.
pub(super) const FRAME_COLUMNS: u16 = 4;

/// A part of the table: a panel, or several parts together.
#[derive(Clone, Debug)]
pub(super) enum Block {
    Panel(Panel),
    /// An empty panel, which is one line with its hint.
    Hint(Panel),
    /// Parts below each other.
    Stack(Vec<Self>),
    /// Two parts side by side.
    Beside {
        left: Box<Self>,
        right: Box<Self>,
        left_width: u16,
    },
}

impl Block {
    pub(super) fn beside(left: Self, right: Self, left_width: u16) -> Self {
        Self::Beside {
            left: Box::new(left),
            right: Box::new(right),
            left_width,
        }
    }

    /// Returns the rows of the block with its frames, if the panels have these rows inside their frames.
    pub(super) fn height(&self, rows: [u16; 4]) -> u16 {
        match self {
            Self::Panel(panel) => rows[*panel as usize].saturating_add(FRAME_ROWS),
            Self::Hint(_) => 1,
            Self::Stack(blocks) => blocks
                .iter()
                .map(|block| block.height(rows))
                .fold(0, u16::saturating_add),
            Self::Beside { left, right, .. } => left.height(rows).max(right.height(rows)),
        }
    }

    /// Finds the widths of all panels, with their frames.
    pub(super) fn widths(&self, width: u16, widths: &mut [u16; 4]) {
        match self {
            Self::Panel(panel) | Self::Hint(panel) => widths[*panel as usize] = width,
            Self::Stack(blocks) => {
                for block in blocks {
                    block.widths(width, widths);
                }
            }
            Self::Beside {
                left,
                right,
                left_width,
            } => {
                left.widths(*left_width, widths);
                right.widths(width.saturating_sub(*left_width), widths);
            }
        }
    }

    /// Finds the places of all panels, with their frames. Rows to spare go to the last rolls, or else to the first part.
    pub(super) fn place(&self, area: Rect, rows: [u16; 4], places: &mut [Rect; 4]) {
        match self {
            Self::Panel(panel) | Self::Hint(panel) => places[*panel as usize] = area,
            Self::Stack(blocks) => {
                let spare_rows = area.height.saturating_sub(self.height(rows));
                let stretched = blocks
                    .iter()
                    .position(|block| matches!(block, Self::Panel(Panel::Rolls)))
                    .or_else(|| {
                        let mut blocks = blocks.iter();
                        blocks.position(|block| !matches!(block, Self::Hint(_)))
                    });

                let mut free = area;
                for (index, block) in blocks.iter().enumerate() {
                    let extra_rows = if Some(index) == stretched {
                        spare_rows
                    } else {
                        0
                    };
                    let height = block.height(rows).saturating_add(extra_rows);
                    block.place(top(free, height), rows, places);
                    free = below(free, height);
                }
            }
            Self::Beside {
                left: left_block,
                right: right_block,
                left_width,
            } => {
                left_block.place(left(area, *left_width), rows, places);
                right_block.place(after(area, *left_width), rows, places);
            }
        }
    }
}
