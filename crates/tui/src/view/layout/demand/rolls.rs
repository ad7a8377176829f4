//! The number of rows that the last rolls ask for.

use ratatui::layout::Size;

use crate::view::layout::contents::Lines;
use crate::view::layout::demand::{Candidate, Demand, Level, Quality, Step, count_entries};

/// The least number of rows of the newest roll above the list: the dice, and a blank row.
pub(in crate::view::layout) const LEAD_ROWS: u16 = 4;
/// A list with fewer rolls than this counts as cut.
const USEFUL_ROLLS: u16 = 3;

/// Returns the demand of the last rolls. `lead_rows` is the number of rows of the newest roll with its dice, or 0 if
/// there is no roll to show large.
pub(in crate::view::layout) fn rolls_demand(
    lines: Lines<'_>,
    width: u16,
    lead_rows: u16,
) -> Demand {
    let count = count_entries(lines);
    let cell = Size::new(width, 1);
    let mut candidates = list_candidates(count, cell);

    // The newest roll is not in the list a second time, but the list has a row for the cursor.
    let count_below_lead = count.saturating_sub(1).max(1);
    if lead_rows > LEAD_ROWS {
        let low_leads = lead_candidates(LEAD_ROWS, count_below_lead, cell);
        candidates.extend(low_leads.map(|candidate| Candidate {
            level: Level::Min,
            ..candidate
        }));
    }
    if lead_rows > 0 {
        candidates.extend(lead_candidates(lead_rows, count_below_lead, cell));
    }

    Demand::from_candidates(candidates)
}

/// Returns the lists of the newest of `count` rolls, without a large picture of the newest one.
fn list_candidates(count: u16, cell: Size) -> Vec<Candidate> {
    let useful_rows = count.min(USEFUL_ROLLS);
    let mut candidates = Vec::new();
    for rows in 1..=count {
        let level = if rows < useful_rows {
            Level::Part
        } else {
            Level::Min
        };
        candidates.push(Candidate {
            step: Step::of_cells(rows, cell),
            level,
            quality: Quality::of_rows(rows),
        });
    }
    candidates
}

/// Returns the lists of the newest of `count` rolls, below a picture of the newest one.
fn lead_candidates(lead_rows: u16, count: u16, cell: Size) -> impl Iterator<Item = Candidate> {
    let useful_rows = count.min(USEFUL_ROLLS);
    (useful_rows..=count).map(move |list_rows| {
        let rows = lead_rows + list_rows;
        let level = if list_rows == count {
            Level::Full
        } else {
            Level::Useful
        };
        Candidate {
            step: Step {
                lead_rows,
                ..Step::of_cells(rows, cell)
            },
            level,
            quality: Quality {
                large_rows: lead_rows,
                rows: list_rows,
                preference: 0,
            },
        }
    })
}
