//! The possible arrangements of the panels on the table.

use ratatui::layout::Rect;

use crate::app::state::Panel;
use crate::view::layout::block::{Block, FRAME_COLUMNS};
use crate::view::layout::contents::TableContents;
use crate::view::layout::{clock_name_width, left_widths};

/// Returns the arrangements for a fight on a wide screen: with the clocks next to the tokens or above them.
pub(super) fn fight_arrangements(body: Rect, contents: &TableContents<'_>) -> Vec<Block> {
    let panels = [Panel::Clocks, Panel::Tokens, Panel::Rolls];
    let mut blocks = vec![block_of(Panel::Party, contents)];
    blocks.extend(filled_panels(&panels, contents));
    blocks.extend(hints(body.width, contents));
    vec![stacked(body, contents), Block::Stack(blocks)]
}

/// Stacks three rows: the party, the clocks next to the tokens, and the rolls.
pub(super) fn stacked(body: Rect, contents: &TableContents<'_>) -> Block {
    let mut blocks = vec![block_of(Panel::Party, contents)];
    let has_both = !contents.is_empty(Panel::Clocks) && !contents.is_empty(Panel::Tokens);
    if has_both {
        let clocks = Block::Panel(Panel::Clocks);
        let tokens = Block::Panel(Panel::Tokens);
        let clocks_width = clocks_width(body.width, contents);
        blocks.push(Block::beside(clocks, tokens, clocks_width));
    } else {
        blocks.extend(filled_panels(&[Panel::Clocks, Panel::Tokens], contents));
    }
    blocks.extend(filled_panels(&[Panel::Rolls], contents));
    blocks.extend(hints(body.width, contents));
    Block::Stack(blocks)
}

/// Returns the width of the clocks if the tokens are next to them: half of the width, or more if only that shows all names whole.
fn clocks_width(width: u16, contents: &TableContents<'_>) -> u16 {
    let has_whole_names = |clocks_width: u16| {
        let line_width = clocks_width.saturating_sub(FRAME_COLUMNS);
        clock_name_width(line_width) >= contents.longest_clock_name
    };

    let half = width / 2;
    let larger_part = width * 3 / 5;
    if !has_whole_names(half) && has_whole_names(larger_part) {
        larger_part
    } else {
        half
    }
}

/// Returns the arrangements for a wide screen. The usual one comes first.
pub(super) fn wide_arrangements(body: Rect, contents: &TableContents<'_>) -> Vec<Block> {
    let rolls = filled_panels(&[Panel::Rolls], contents);
    let hints = hints(body.width, contents);
    let with_rolls_below = |upper: Block| {
        let mut blocks = vec![upper];
        blocks.extend(rolls.clone());
        blocks.extend(hints.clone());
        Block::Stack(blocks)
    };

    if contents.is_empty(Panel::Party) || contents.is_empty(Panel::Clocks) {
        return vec![stacked(body, contents)];
    }

    let mut arrangements = Vec::new();
    for left_width in left_widths(body.width) {
        let clocks = Block::Panel(Panel::Clocks);
        let party_and_tokens =
            Block::Stack(filled_panels(&[Panel::Party, Panel::Tokens], contents));
        let usual = Block::beside(party_and_tokens, clocks, left_width);
        arrangements.push(with_rolls_below(usual));

        // If the party needs many rows, the clocks and tokens go to its right.
        let party = Block::Panel(Panel::Party);
        let clocks_and_tokens =
            Block::Stack(filled_panels(&[Panel::Clocks, Panel::Tokens], contents));
        let long_party = Block::beside(party, clocks_and_tokens, left_width);
        arrangements.push(with_rolls_below(long_party));
    }
    arrangements.push(stacked(body, contents));
    arrangements
}

/// Returns the block of a panel: a frame, or a line if it is empty.
fn block_of(panel: Panel, contents: &TableContents<'_>) -> Block {
    if contents.is_empty(panel) {
        Block::Hint(panel)
    } else {
        Block::Panel(panel)
    }
}

/// Returns the blocks of those panels that are not empty.
fn filled_panels(panels: &[Panel], contents: &TableContents<'_>) -> Vec<Block> {
    panels
        .iter()
        .copied()
        .filter(|panel| !contents.is_empty(*panel))
        .map(Block::Panel)
        .collect()
}

/// Returns the hints of the empty panels below the party, side by side in one line. `None` if no such panel is empty.
fn hints(width: u16, contents: &TableContents<'_>) -> Option<Block> {
    let mut empty_panels = vec![Panel::Clocks, Panel::Tokens, Panel::Rolls];
    empty_panels.retain(|panel| contents.is_empty(*panel));
    let (first, others) = empty_panels.split_first()?;

    // The hint of the tokens is the longest one.
    let ends: &[u16] = match empty_panels.len() {
        3 => &[width * 8 / 24, width * 17 / 24],
        _ => &[width / 2],
    };
    let mut hints = Block::Hint(*first);
    for (panel, end) in others.iter().zip(ends) {
        hints = Block::beside(hints, Block::Hint(*panel), *end);
    }
    Some(hints)
}
