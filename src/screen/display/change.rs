//! What differs between two pictures, cell by cell.
//!
//! ratatui's own `Buffer::diff` looks at every cell of both and asks for its width, which takes half the time
//! of a small frame. Most lines of a frame are what they were: here they are compared and left at that.

use ratatui::buffer::{Buffer, Cell, CellWidth as _};
use ratatui::layout::Rect;

/// The cells that are to be written, line by line: those that are otherwise, but for what a wide letter
/// covers, and those that a wide letter covered before. Only that area is looked at.
pub(super) fn changes<'next>(
    before: &Buffer,
    next: &'next Buffer,
    area: Rect,
) -> Vec<(u16, u16, &'next Cell)> {
    let width = usize::from(next.area.width.max(1));
    let columns = usize::from(area.left())..usize::from(area.right());
    let lines = before.content.chunks(width).zip(next.content.chunks(width));
    let lines = lines
        .zip(0..)
        .skip(area.top().into())
        .take(area.height.into());
    let mut changed = Vec::new();
    for ((old, new), y) in lines {
        let part = (old.get(columns.clone()), new.get(columns.clone()));
        let (Some(old), Some(new)) = part else {
            continue;
        };
        let alike = |(was, is): (&Cell, &Cell)| was == is;
        let alike_at_start = old.iter().zip(new).take_while(|pair| alike(*pair));
        let alike_at_start = alike_at_start.count();
        if alike_at_start == old.len() {
            continue;
        }
        let start = area.left() + u16::try_from(alike_at_start).unwrap_or(0);
        let alike_at_end = old.iter().zip(new).rev().take_while(|pair| alike(*pair));
        let end = area.right() - u16::try_from(alike_at_end.count()).unwrap_or(0);
        // Up to which column a wide letter covers what is there now, and bares what was covered.
        let (mut covered, mut bared) = (0, 0);
        for ((was, is), x) in old.iter().zip(new).zip(area.left()..) {
            if x >= end.max(bared).max(covered) {
                break;
            }
            let (differs, is_hidden) = (x >= start && was != is, x < covered);
            if differs || is_hidden {
                bared = bared.max(x + columns_of(was));
            }
            if is_hidden {
                continue;
            }
            covered = x + columns_of(is);
            if differs || x < bared {
                changed.push((x, y, is));
            }
        }
    }
    changed
}

/// How many columns a cell's letter takes.
pub(super) fn columns_of(cell: &Cell) -> u16 {
    // Most are plain letters.
    if cell.symbol().len() == 1 {
        1
    } else {
        cell.cell_width()
    }
}
