//! The number of rows that each panel of the table asks for.

mod clocks;
mod party;
mod rolls;
mod tokens;

use std::cmp::Reverse;

use ratatui::layout::Size;

use crate::app::list::ListId;
use crate::view::layout::contents::Lines;

pub(crate) use clocks::clock_name_width;
pub(super) use clocks::{ClockContents, clocks_demand};
pub(super) use party::{
    CardContents, LEAST_LARGE_ROWS, LargeCell, combatants_demand, large_cells, party_demand,
};
pub(super) use rolls::{LEAD_ROWS, rolls_demand};
pub(super) use tokens::tokens_demand;

/// A height at which a panel shows more than at any lower height.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step {
    /// The number of rows inside the frame.
    pub(super) rows: u16,
    /// The least size of a cell of the panel.
    pub(super) cell: Size,
    /// The height of a cell below the first heading. The cards of opponents may be lower than the cards of the party.
    pub(super) later_height: u16,
    /// The number of rows above the cells for the newest roll.
    pub(super) lead_rows: u16,
    /// The height of the first cell if it is as wide as the panel. 0 if it is like the others.
    pub(super) large_rows: u16,
}

impl Step {
    /// Returns a step whose cells are all alike.
    pub(super) fn of_cells(rows: u16, cell: Size) -> Self {
        Self {
            rows,
            cell,
            later_height: cell.height,
            lead_rows: 0,
            large_rows: 0,
        }
    }

    /// Returns a step that shows these lines in cells of this size, with `columns` cells in a row.
    pub(super) fn of_lines(lines: Lines<'_>, columns: u16, cell: Size) -> Self {
        let step = Self::of_cells(0, cell);
        step.with_rows_for(lines, columns)
    }

    /// Returns the step with the number of rows that these lines need, with a row for each heading.
    fn with_rows_for(self, lines: Lines<'_>, columns: u16) -> Self {
        let columns = usize::from(columns);
        let mut rows = 0;
        let mut cell_height = self.cell.height;

        for (index, group) in lines.split(Option::<ListId>::is_none).enumerate() {
            let has_heading = index > 0;
            rows += usize::from(has_heading);

            let rows_of_cells = group.len().div_ceil(columns);
            rows += rows_of_cells * usize::from(cell_height);
            if !group.is_empty() {
                cell_height = self.later_height;
            }
        }

        Self {
            rows: u16::try_from(rows).unwrap_or(u16::MAX),
            ..self
        }
    }
}

/// How much of its entries a panel shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    /// Only some of the entries.
    Part,
    /// All entries, but not what the panel is mainly there to show.
    InSight,
    /// The essentials of each entry: for a card, the values of `first`.
    Min,
    /// Everything that a GM looks for.
    Useful,
    Full,
}

/// Compares the ways to show entries at the same level. The first field that differs decides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Quality {
    /// The number of rows of the entry that is shown large: a player's own character, or the newest roll.
    pub(super) large_rows: u16,
    /// The number of rows that the other entries use: all of them together, or each one if all are in sight.
    pub(super) rows: u16,
    /// Decides between equal numbers of rows. Better ways have a higher number.
    pub(super) preference: u16,
}

impl Quality {
    pub(super) fn of_rows(rows: u16) -> Self {
        Self {
            rows,
            ..Self::default()
        }
    }
}

/// A way to show the entries of a panel.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) step: Step,
    pub(super) level: Level,
    pub(super) quality: Quality,
}

impl Candidate {
    /// Candidates with a higher rank show more.
    fn rank(&self) -> (Level, Quality) {
        (self.level, self.quality)
    }
}

/// The heights that a panel asks for if it has a certain width.
///
/// The numbers are the heights of the first steps that reach a [`Level`]. If no step reaches it, they are the height of
/// the last step.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Demand {
    /// The steps, the lowest first.
    pub(super) steps: Vec<Step>,
    /// The number of rows at which all entries are in sight.
    pub(super) in_sight: u16,
    /// The number of rows at which each entry shows its essentials.
    pub(super) min: u16,
    /// The number of rows at which nothing that a GM looks for is cut.
    pub(super) useful: u16,
    /// The number of rows at which everything is shown.
    pub(super) full: u16,
}

impl Demand {
    /// Keeps the candidates that show more than all lower ones.
    pub(super) fn from_candidates(mut candidates: Vec<Candidate>) -> Self {
        candidates.sort_by_key(|candidate| (candidate.step.rows, Reverse(candidate.rank())));

        let mut kept: Vec<Candidate> = Vec::new();
        for candidate in candidates {
            let shows_more = match kept.last() {
                Some(best) => candidate.rank() > best.rank(),
                None => true,
            };
            if shows_more {
                kept.push(candidate);
            }
        }

        let most_rows = kept.last().map_or(0, |candidate| candidate.step.rows);
        let rows_of = |level: Level| {
            let first = kept.iter().find(|candidate| candidate.level >= level);
            first.map_or(most_rows, |candidate| candidate.step.rows)
        };
        Self {
            in_sight: rows_of(Level::InSight),
            min: rows_of(Level::Min),
            useful: rows_of(Level::Useful),
            full: rows_of(Level::Full),
            steps: kept.iter().map(|candidate| candidate.step).collect(),
        }
    }

    /// Returns the best step that fits into these rows, or the lowest one.
    pub(super) fn step_within(&self, rows: u16) -> Option<Step> {
        let fitting = self.steps.iter().rfind(|step| step.rows <= rows);
        fitting.or_else(|| self.steps.first()).copied()
    }

    /// Returns the number of missing rows if something is cut at this height.
    pub(super) fn cut_rows(&self, rows: u16) -> u16 {
        self.useful.saturating_sub(rows)
    }

    /// Returns the height of the last step.
    pub(super) fn most(&self) -> u16 {
        self.steps.last().map_or(0, |step| step.rows)
    }
}

/// Returns the ways to show only some of the entries, each in one row.
fn part_candidates(lines: Lines<'_>, columns: u16, width: u16) -> Vec<Candidate> {
    let cell = Size::new(width / columns, 1);
    let all_rows = Step::of_lines(lines, columns, cell).rows;

    (1..all_rows)
        .map(|rows| Candidate {
            step: Step::of_cells(rows, cell),
            level: Level::Part,
            quality: Quality::of_rows(rows),
        })
        .collect()
}

/// Returns the number of lines that are not headings.
fn count_entries(lines: Lines<'_>) -> u16 {
    let count = lines.iter().flatten().count();
    u16::try_from(count).unwrap_or(u16::MAX)
}
