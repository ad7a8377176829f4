//! Where the panels of the table stand: below each other or side by side.

use ratatui::layout::Rect;

use crate::app::state::Panel;
use crate::view::layout::per_panel::PerPanel;
use crate::widget::{after, below, left, top};

/// The rows that the frame of a panel takes.
pub(super) const FRAME_ROWS: u16 = 2;
/// The columns that the frame of a panel takes, with the spaces beside its contents.
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

    /// Returns the height of the block with its frames, if the panels have these rows inside their frames.
    pub(super) fn height(&self, rows: PerPanel<u16>) -> u16 {
        match self {
            Self::Panel(panel) => rows[*panel].saturating_add(FRAME_ROWS),
            Self::Hint(_) => 1,
            Self::Stack(blocks) => blocks
                .iter()
                .map(|block| block.height(rows))
                .fold(0, u16::saturating_add),
            Self::Beside { left, right, .. } => left.height(rows).max(right.height(rows)),
        }
    }

    /// Returns the widths of all panels, with their frames. A panel outside of the block has no width.
    pub(super) fn widths(&self, width: u16) -> PerPanel<u16> {
        let mut widths = PerPanel::default();
        self.set_widths(width, &mut widths);
        widths
    }

    fn set_widths(&self, width: u16, widths: &mut PerPanel<u16>) {
        match self {
            Self::Panel(panel) | Self::Hint(panel) => widths[*panel] = width,
            Self::Stack(blocks) => {
                for block in blocks {
                    block.set_widths(width, widths);
                }
            }
            Self::Beside {
                left,
                right,
                left_width,
            } => {
                let right_width = width.saturating_sub(*left_width);
                left.set_widths(*left_width, widths);
                right.set_widths(right_width, widths);
            }
        }
    }

    /// Returns the places of all panels, with their frames, if the panels have these rows inside their frames. Spare
    /// rows go to the last rolls, or else to the first part.
    pub(super) fn places(&self, area: Rect, rows: PerPanel<u16>) -> PerPanel<Rect> {
        let mut places = PerPanel::default();
        self.set_places(area, rows, &mut places);
        places
    }

    fn set_places(&self, area: Rect, rows: PerPanel<u16>, places: &mut PerPanel<Rect>) {
        match self {
            Self::Panel(panel) | Self::Hint(panel) => places[*panel] = area,
            Self::Stack(blocks) => {
                let spare_rows = area.height.saturating_sub(self.height(rows));
                let stretched = stretched_block(blocks);

                let mut free = area;
                for (index, block) in blocks.iter().enumerate() {
                    let mut height = block.height(rows);
                    if Some(index) == stretched {
                        height = height.saturating_add(spare_rows);
                    }
                    block.set_places(top(free, height), rows, places);
                    free = below(free, height);
                }
            }
            Self::Beside {
                left: left_block,
                right: right_block,
                left_width,
            } => {
                left_block.set_places(left(area, *left_width), rows, places);
                right_block.set_places(after(area, *left_width), rows, places);
            }
        }
    }
}

/// Returns the index of the part of a stack that gets the spare rows. A hint has only one row.
fn stretched_block(blocks: &[Block]) -> Option<usize> {
    let is_rolls = |block: &Block| matches!(block, Block::Panel(Panel::Rolls));
    let is_hint = |block: &Block| matches!(block, Block::Hint(_));

    let rolls = blocks.iter().position(is_rolls);
    rolls.or_else(|| blocks.iter().position(|block| !is_hint(block)))
}
