//! The number of rows that the token pools of the table ask for.

use ratatui::layout::Size;

use crate::view::layout::contents::Lines;
use crate::view::layout::demand::{Candidate, Demand, Level, Quality, Step, part_candidates};

/// The least columns of a pool.
const POOL_WIDTH: u16 = 30;
/// The number of rows of a pool with its bar and its next threshold.
const POOL_HEIGHT: u16 = 3;

/// Returns the demand of the tokens: lines, and then a bar and the next threshold of each pool.
pub(in crate::view::layout) fn tokens_demand(lines: Lines<'_>, width: u16) -> Demand {
    let columns = (width / POOL_WIDTH).max(1);
    let mut candidates = part_candidates(lines, columns, width);

    for height in 1..=POOL_HEIGHT {
        let cell = Size::new(width / columns, height);
        let level = if height < POOL_HEIGHT {
            Level::Useful
        } else {
            Level::Full
        };
        candidates.push(Candidate {
            step: Step::of_lines(lines, columns, cell),
            level,
            quality: Quality::of_rows(height),
        });
    }

    Demand::from_candidates(candidates)
}
