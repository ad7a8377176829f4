//! Blocks of text, dice and odds, which are drawn from top to bottom and scroll if they do not fit.

mod cells;
mod odds_block;

use std::cell::Cell;

use ratatui::buffer::{self, Buffer};
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

pub(super) use self::cells::{BlockCell, CellClock};
use self::cells::{cells_height, draw_cells};
pub(super) use self::odds_block::{OddsBlock, labelled_list};
use crate::dialog::Canvas;
use crate::widget::{
    Appearance, DiceRow, DieBox, MoreRows, after, columns, wrap, wrap_height, wrap_line,
    wrap_line_height,
};
use crate::{Action, Role};

/// The minimum and the maximum width of a dialog of blocks, in columns.
const MIN_DIALOG_COLUMNS: u16 = 74;
const MAX_DIALOG_COLUMNS: u16 = 100;

/// The maximum width of a dialog that sets up a check, in columns.
const MAX_CHECK_COLUMNS: u16 = 148;

/// With fewer rows than this, blocks that do not fit are drawn in the low layout.
const LOW: u16 = 8;

/// Returns the width of a dialog. It grows with the screen.
pub(super) fn dialog_width(screen: Rect, is_check: bool) -> u16 {
    let max_columns = if is_check {
        MAX_CHECK_COLUMNS
    } else {
        MAX_DIALOG_COLUMNS
    };
    (screen.width / 6 * 5).clamp(MIN_DIALOG_COLUMNS, max_columns)
}

/// A part of a line, with its role.
pub(super) type StyledText = (Role, String);

/// How blocks are drawn.
#[derive(Clone, Copy)]
struct BlockLayout<'a> {
    width: u16,
    look: Appearance<'a>,
    /// True in the low layout, for few rows: dice are drawn in one line, and odds as a short bar above their
    /// percentages.
    is_low: bool,
}

#[derive(Clone, Debug)]
pub enum Block {
    Dice(Vec<DieBox>),
    Odds(OddsBlock),
    /// A line of several styles, which wraps.
    Parts(Vec<StyledText>),
    /// A sentence, which wraps. All its lines are indented by the width of the lead.
    Words {
        role: Role,
        /// The text before the sentence: a number, a bullet.
        lead: String,
        words: String,
    },
    /// Cells in as many columns as fit.
    Cells(Vec<BlockCell>),
    /// An empty line.
    Gap,
}

impl Block {
    pub(super) fn text(words: impl Into<String>) -> Self {
        Self::words(Role::Text, words)
    }

    pub(super) fn muted(words: impl Into<String>) -> Self {
        Self::words(Role::Muted, words)
    }

    pub(super) fn heading(words: impl Into<String>) -> Self {
        Self::words(Role::Heading, words)
    }

    pub(super) fn words(role: Role, words: impl Into<String>) -> Self {
        Self::led(role, "", words)
    }

    pub(super) fn led(role: Role, lead: impl Into<String>, words: impl Into<String>) -> Self {
        Self::Words {
            role,
            lead: lead.into(),
            words: words.into(),
        }
    }

    fn height(&self, layout: BlockLayout<'_>) -> u16 {
        let BlockLayout { width, look, .. } = layout;
        match self {
            Self::Dice(_) if layout.is_low => 1,
            Self::Dice(dice) => DiceRow { dice, look }.height(width),
            Self::Odds(odds) => odds.height(layout),
            Self::Parts(parts) => to_rows(wrap_line_height(&styled_line(parts, look), width)),
            Self::Words { lead, words, .. } => {
                let text_width = width.saturating_sub(columns(lead));
                to_rows(wrap_height(words, text_width))
            }
            Self::Cells(cells) => cells_height(cells, layout),
            Self::Gap => 1,
        }
    }

    fn draw(&self, area: Rect, layout: BlockLayout<'_>, buffer: &mut Buffer) {
        let look = layout.look;
        match self {
            Self::Dice(dice) => {
                let dice_row = DiceRow { dice, look };
                if layout.is_low {
                    look.put(&dice_row.line(), area, buffer);
                } else {
                    (&dice_row).render(area, buffer);
                }
            }
            Self::Odds(odds) => odds.draw(area, layout, buffer),
            Self::Parts(parts) => {
                let lines = wrap_line(&styled_line(parts, look), area.width);
                draw_lines(&lines, area, look, buffer);
            }
            Self::Words { role, lead, words } => {
                let lead_line = Line::styled(lead.as_str(), look.style(Role::Muted));
                look.put(&lead_line, area, buffer);

                let text_area = after(area, columns(lead).min(area.width));
                for (text, place) in wrap(words, text_area.width).iter().zip(text_area.rows()) {
                    let line = Line::styled(text.as_str(), look.style(*role));
                    look.put(&line, place, buffer);
                }
            }
            Self::Cells(cells) => draw_cells(cells, area, layout, buffer),
            Self::Gap => {}
        }
    }

    /// Returns true for dice that fill all rows of the area.
    fn is_dice_filling(&self, area: Rect, look: Appearance<'_>) -> bool {
        let layout = BlockLayout {
            width: area.width,
            look,
            is_low: false,
        };
        matches!(self, Self::Dice(_)) && self.height(layout) >= area.height
    }
}

fn styled_line(parts: &[StyledText], look: Appearance<'_>) -> Line<'static> {
    let mut line = Line::default();
    for (role, text) in parts {
        line.push_span(Span::styled(text.clone(), look.style(*role)));
    }
    line
}

fn draw_lines(lines: &[Line<'_>], area: Rect, look: Appearance<'_>, buffer: &mut Buffer) {
    for (line, place) in lines.iter().zip(area.rows()) {
        look.put(line, place, buffer);
    }
}

fn to_rows(count: usize) -> u16 {
    u16::try_from(count).unwrap_or(u16::MAX)
}

/// Returns the height of all blocks, in rows.
pub(super) fn blocks_height(blocks: &[Block], width: u16, look: Appearance<'_>) -> u16 {
    height_of_all(
        blocks,
        BlockLayout {
            width,
            look,
            is_low: false,
        },
    )
}

fn height_of_all(blocks: &[Block], layout: BlockLayout<'_>) -> u16 {
    let mut height: u16 = 0;
    for block in blocks {
        height = height.saturating_add(block.height(layout));
    }
    height
}

/// Draws signs on the frame of an area if there is more text above or below.
pub(super) fn draw_scroll_signs(more: MoreRows, area: Rect, canvas: &mut Canvas<'_>) {
    let edge = Rect::new(area.right() + 1, area.y, 1, area.height);
    let visible_edge = edge.intersection(canvas.buffer.area);
    let look = canvas.look;
    look.put_more(more, visible_edge, Role::BorderFocus, canvas.buffer);
}

/// The scroll position of blocks.
#[derive(Clone, Debug, Default)]
pub(super) struct Scroll {
    offset: u16,
    /// The largest offset. It is known only after drawing, because it depends on the area.
    max_offset: Cell<u16>,
    /// The number of visible rows when it was drawn.
    page: Cell<u16>,
    /// A row that stays visible.
    kept_row: Cell<Option<u16>>,
}

impl Scroll {
    /// Scrolls. Returns false if the action does not scroll.
    pub(super) fn apply(&mut self, action: Action) -> bool {
        let page = self.page.get().saturating_sub(1).max(1);
        let max_offset = self.max_offset.get();
        let offset = self.offset.min(max_offset);
        self.offset = match action {
            Action::Up | Action::PreviousField => offset.saturating_sub(1),
            Action::Down | Action::NextField => (offset + 1).min(max_offset),
            Action::PageUp => offset.saturating_sub(page),
            Action::PageDown => offset.saturating_add(page).min(max_offset),
            Action::First => 0,
            Action::Last => max_offset,
            _ => return false,
        };
        true
    }

    /// Keeps a row of the blocks visible. `None` keeps no row.
    pub(super) fn keep_in_sight(&self, row: Option<u16>) {
        self.kept_row.set(row);
    }

    /// Returns the first visible row, if this number of rows fits.
    fn first_row(&self, rows: u16) -> u16 {
        let first_row = self.offset.min(self.max_offset.get());
        match self.kept_row.get() {
            Some(kept_row) if kept_row < first_row => kept_row,
            Some(kept_row) => first_row.max((kept_row + 1).saturating_sub(rows)),
            None => first_row,
        }
    }

    /// Returns true if the blocks did not fit when they were drawn.
    pub(super) fn has_more(&self) -> bool {
        self.max_offset.get() > 0
    }

    /// Draws the rows that fit, with signs if there is more text above or below.
    pub(super) fn draw(&self, blocks: &[Block], area: Rect, canvas: &mut Canvas<'_>) {
        if area.is_empty() {
            return;
        }

        let layout = BlockLayout {
            width: area.width,
            look: canvas.look,
            is_low: is_low(blocks, area, canvas.look),
        };
        let placed_blocks = place_blocks(blocks, layout);
        let height = placed_blocks.last().map_or(0, PlacedBlock::end);
        self.max_offset.set(height.saturating_sub(area.height));
        self.page.set(area.height);

        let first_row = self.first_row(area.height);
        let end_row = first_row.saturating_add(area.height);
        let window = ScrolledWindow {
            area,
            first_row,
            ground: canvas.buffer[(area.x, area.y)].clone(),
        };
        for placed in placed_blocks {
            if placed.row < end_row && placed.end() > first_row {
                placed.draw(&window, layout, canvas.buffer);
            }
        }

        let has_more_below = end_row < height;
        let more = MoreRows {
            above: first_row > 0,
            below: has_more_below,
        };
        draw_scroll_signs(more, area, canvas);
    }
}

/// Returns true if the blocks do not fit and the area has few rows. Players decide by the text, so it is more important
/// than the dice.
fn is_low(blocks: &[Block], area: Rect, look: Appearance<'_>) -> bool {
    let has_filling_dice = blocks.iter().any(|block| block.is_dice_filling(area, look));
    let has_few_rows = area.height < LOW || has_filling_dice;
    has_few_rows && blocks_height(blocks, area.width, look) > area.height
}

/// The area that shows a part of the text.
struct ScrolledWindow {
    area: Rect,
    /// The first row of the text in the area.
    first_row: u16,
    /// An empty cell of the area.
    ground: buffer::Cell,
}

/// A block and its place in the whole text.
struct PlacedBlock<'a> {
    block: &'a Block,
    /// The first row, counted from the start of the text.
    row: u16,
    height: u16,
}

impl PlacedBlock<'_> {
    fn end(&self) -> u16 {
        self.row.saturating_add(self.height)
    }

    /// Draws the visible part of the block.
    fn draw(&self, window: &ScrolledWindow, layout: BlockLayout<'_>, buffer: &mut Buffer) {
        let ScrolledWindow {
            area, first_row, ..
        } = *window;
        let hidden_above = first_row.saturating_sub(self.row);
        let y = area.y + self.row.saturating_sub(first_row);
        let height = (self.height - hidden_above).min(area.bottom() - y);
        let place = Rect { y, height, ..area };
        if height == self.height {
            self.block.draw(place, layout, buffer);
            return;
        }

        // The area cuts the block off, so the whole block is drawn in a buffer of its own.
        let paper_area = Rect::new(0, 0, area.width, self.height);
        let mut paper = Buffer::filled(paper_area, window.ground.clone());
        self.block.draw(paper_area, layout, &mut paper);
        copy_rows(&paper, hidden_above, place, buffer);
    }
}

fn place_blocks<'a>(blocks: &'a [Block], layout: BlockLayout<'_>) -> Vec<PlacedBlock<'a>> {
    let mut row: u16 = 0;
    let mut placed_blocks = Vec::new();
    for block in blocks {
        let height = block.height(layout);
        placed_blocks.push(PlacedBlock { block, row, height });
        row = row.saturating_add(height);
    }
    placed_blocks
}

/// Copies rows of a buffer, starting at `first_row`, into an area of the same width.
fn copy_rows(paper: &Buffer, first_row: u16, area: Rect, buffer: &mut Buffer) {
    let skipped_cells = usize::from(first_row) * usize::from(area.width);
    let cells = paper.content.iter().skip(skipped_cells);
    let places = area.rows().flat_map(Rect::columns);
    for (place, cell) in places.zip(cells) {
        buffer[(place.x, place.y)] = cell.clone();
    }
}
