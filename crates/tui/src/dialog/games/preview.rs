//! The preview of a game as blocks.

use crate::Role;
use crate::dialog::reading::{BlockCell, CellClock};
use crate::dialog::{Block, StyledText};
use crate::view::{GamePreview, PreviewBar, PreviewCard, PreviewClock};

/// The number of cells of a bar on a card.
const BAR_CELLS: i32 = 8;

/// Returns the blocks of a preview: the scene, the cards, and the clocks.
pub(super) fn preview_blocks(preview: GamePreview) -> Vec<Block> {
    let mut blocks = Vec::new();
    if let Some(warning) = &preview.warning {
        blocks.push(Block::words(Role::Warning, warning));
    }
    if let Some(head) = &preview.head {
        blocks.push(Block::muted(head));
    }

    if !preview.cards.is_empty() {
        if !blocks.is_empty() {
            blocks.push(Block::Gap);
        }
        let others = preview.describe_others();
        blocks.push(Block::Cells(preview.cards.iter().map(card_cell).collect()));
        blocks.extend(others.map(Block::muted));
    }
    if !preview.clocks.is_empty() {
        blocks.push(Block::Gap);
        blocks.push(Block::Cells(
            preview.clocks.into_iter().map(clock_cell).collect(),
        ));
    }
    blocks
}

fn card_cell(card: &PreviewCard) -> BlockCell {
    let mut lines = vec![vec![(card.role, card.name.clone())]];
    for bar in &card.bars {
        lines.push(bar_line(bar));
    }
    if !card.values.is_empty() {
        lines.push(vec![(Role::Muted, card.values.join("  "))]);
    }
    if !card.marks.is_empty() {
        let mut marks: Vec<StyledText> = Vec::new();
        for (mark, role) in &card.marks {
            if !marks.is_empty() {
                marks.push((Role::Muted, ", ".to_owned()));
            }
            marks.push((*role, mark.clone()));
        }
        lines.push(marks);
    }
    BlockCell { clock: None, lines }
}

/// Returns a value with its maximum: `HP ▰▰▰▰▱▱▱▱ 14/30`.
fn bar_line(bar: &PreviewBar) -> Vec<StyledText> {
    let full = match (bar.now, bar.most) {
        (..=0, _) | (_, ..=0) => 0,
        (now, most) => (now.saturating_mul(BAR_CELLS) / most).clamp(1, BAR_CELLS),
    };
    let signs = |sign: &str, count: i32| sign.repeat(usize::try_from(count).unwrap_or(0));
    let bar_role = match bar.role {
        Role::Text => Role::Success,
        role => role,
    };
    vec![
        (Role::Muted, format!("{} ", bar.name)),
        (bar_role, signs("▰", full)),
        (Role::TokenEmpty, signs("▱", BAR_CELLS - full)),
        (bar.role, format!(" {}", bar.text)),
    ]
}

fn clock_cell(clock: PreviewClock) -> BlockCell {
    let count = match clock.filled {
        Some(filled) => format!("{filled}/{}", clock.segments),
        None => format!("?/{}", clock.segments),
    };
    BlockCell {
        clock: Some(CellClock {
            filled: clock.filled,
            segments: clock.segments,
            role: clock.role,
            is_pulled: clock.is_pulled,
        }),
        lines: vec![vec![(Role::Text, clock.name)], vec![(Role::Muted, count)]],
    }
}
