//! The areas inside the frame of a form: the list, the message and the blocks.

use ratatui::layout::{Constraint, Layout, Rect};

use crate::dialog::form::Form;
use crate::dialog::form::draw::to_lines;

/// The number of rows that get lines before the blocks and the help do. Only an error comes before them.
const MIN_ROW_LINES: u16 = 4;

/// The number of rows that get lines before the blocks receive all of theirs.
const SOME_ROWS: u16 = 8;

/// The maximum number of lines of the message, which is an error or the help.
pub(super) const MAX_MESSAGE_LINES: u16 = 5;

/// The areas inside the frame.
#[derive(Default)]
pub(super) struct Areas {
    pub(super) list: Rect,
    pub(super) message: Rect,
    pub(super) blocks: Rect,
}

/// A part of a form that takes up lines.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FormPart {
    List,
    ListGap,
    Message,
    MessageGap,
    Blocks,
}

/// The heights of the parts, while they are distributed.
struct Heights {
    heights: Vec<(FormPart, u16)>,
    lines_left: u16,
}

impl Heights {
    fn new(lines: u16) -> Self {
        Self {
            heights: Vec::new(),
            lines_left: lines,
        }
    }

    fn of(&self, part: FormPart) -> u16 {
        self.heights
            .iter()
            .filter(|(known, _)| *known == part)
            .map(|(_, lines)| lines)
            .sum()
    }

    /// Raises the height of a part to `lines`, if enough lines are left.
    fn raise(&mut self, part: FormPart, lines: u16) {
        let missing = lines.saturating_sub(self.of(part));
        let added = missing.min(self.lines_left);
        self.heights.push((part, added));
        self.lines_left -= added;
    }
}

impl Form {
    /// Divides the area inside the frame. If there are too few lines, each part receives some lines before any part
    /// receives more.
    pub(super) fn areas(
        &self,
        inner: Rect,
        is_error: bool,
        message_lines: u16,
        (min_block_lines, block_lines): (u16, u16),
    ) -> Areas {
        let row_lines = to_lines(self.list_lines().len());
        let min_message_lines = u16::from(self.has_message());
        let message_lines = message_lines.clamp(min_message_lines, MAX_MESSAGE_LINES);

        let mut heights = Heights::new(inner.height);
        if is_error {
            heights.raise(FormPart::Message, message_lines.min(2));
        }
        heights.raise(FormPart::List, row_lines.min(MIN_ROW_LINES));
        heights.raise(FormPart::Blocks, min_block_lines);
        heights.raise(FormPart::Message, min_message_lines);
        heights.raise(FormPart::List, row_lines.min(SOME_ROWS));
        heights.raise(FormPart::Blocks, block_lines);
        heights.raise(FormPart::Message, message_lines);
        heights.raise(FormPart::List, row_lines);
        heights.raise(FormPart::ListGap, min_message_lines);
        heights.raise(FormPart::MessageGap, block_lines.min(1));
        // The message fills the remaining lines, so that the blocks stay at the bottom.
        heights.raise(FormPart::Message, u16::MAX);

        let order = if self.layout.has_blocks_on_top {
            [
                FormPart::Blocks,
                FormPart::MessageGap,
                FormPart::List,
                FormPart::ListGap,
                FormPart::Message,
            ]
        } else {
            [
                FormPart::List,
                FormPart::ListGap,
                FormPart::Message,
                FormPart::MessageGap,
                FormPart::Blocks,
            ]
        };
        let constraints = order.map(|part| Constraint::Length(heights.of(part)));
        let parts: [Rect; 5] = Layout::vertical(constraints).areas(inner);

        let mut areas = Areas::default();
        for (part, area) in order.into_iter().zip(parts) {
            match part {
                FormPart::List => areas.list = area,
                FormPart::Message => areas.message = area,
                FormPart::Blocks => areas.blocks = area,
                FormPart::ListGap | FormPart::MessageGap => {}
            }
        }
        areas
    }
}
