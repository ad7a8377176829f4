//! The number of rows that the party asks for: as cards, or as a list of combatants.

use std::ops::RangeInclusive;

use ratatui::layout::Size;

use crate::view::card::{CardHeights, CardLists, LIST_ROWS, card_heights};
use crate::view::layout::contents::{Lines, OwnSheet, sheet_width};
use crate::view::layout::demand::{Candidate, Demand, Level, Quality, Step, part_candidates};
use crate::widget::GUTTER;
use tableside_rules::SystemSpec;

/// The least columns of a card, with the gutter before it.
const CARD_WIDTH: u16 = 30;
/// The columns of a card at which names and conditions are rarely cut. A panel that has room for two such cards beside each
/// other has no narrower ones, as far as the rows allow.
const ROOMY_CARD_WIDTH: u16 = 44;
/// Wider cards would have long rows with gaps between the values and the right end.
const MAX_CARD_WIDTH: u16 = 64;
/// The maximum number of rows that a long list adds to the cards.
const MOST_LIST_ROWS: u16 = 12;
/// The least number of rows of the other characters below a whole sheet, if not all of them are in sight.
const LEAST_BESIDE_SHEET: u16 = 3;
/// The least number of rows of the cell of the player's own character.
pub(in crate::view::layout) const LEAST_LARGE_ROWS: u16 = 2;

/// The data from which the heights of cards are computed.
#[derive(Clone, Copy)]
pub(in crate::view::layout) struct CardContents<'a> {
    pub(in crate::view::layout) spec: &'a SystemSpec,
    pub(in crate::view::layout) lists: &'a CardLists,
}

/// A possible height of the first cell of the party, for a player's own character.
#[derive(Clone, Copy, Debug)]
pub(in crate::view::layout) struct LargeCell {
    rows: u16,
    level: Level,
}

/// Returns the possible heights of the cell of a player's own character in a panel of this width: as a card, and as a
/// whole sheet.
pub(in crate::view::layout) fn large_cells(
    spec: &SystemSpec,
    frame_width: u16,
    sheet: &OwnSheet,
) -> Vec<LargeCell> {
    let card = card_heights(spec, sheet_width(frame_width));
    let least_rows = card.minimum.max(LEAST_LARGE_ROWS);
    let most_rows = card.compact.max(least_rows);
    let sheet_rows = sheet.rows_at(frame_width);

    let mut cells = Vec::new();
    for rows in least_rows..=most_rows {
        let is_last = rows == most_rows;
        let level = if is_last && sheet_rows.is_none() {
            Level::Full
        } else {
            Level::Min
        };
        cells.push(LargeCell { rows, level });
    }

    if let Some(sheet_rows) = sheet_rows {
        cells.push(LargeCell {
            rows: sheet_rows,
            level: Level::Useful,
        });
        // A blank row separates the sheet from the other characters.
        cells.push(LargeCell {
            rows: sheet_rows + 1,
            level: Level::Full,
        });
    }
    cells
}

/// Returns the demand of the party as cards. `large_cells` has the possible heights of the first cell. It is empty if
/// the first cell is like the others.
pub(in crate::view::layout) fn party_demand(
    lines: Lines<'_>,
    width: u16,
    contents: CardContents<'_>,
    large_cells: &[LargeCell],
) -> Demand {
    let others = match lines {
        [_, others @ ..] if !large_cells.is_empty() => others,
        _ => {
            let candidates = cell_candidates(lines, width, contents);
            return Demand::from_candidates(candidates);
        }
    };

    let mut candidates_of_others = cell_candidates(others, width, contents);
    candidates_of_others.push(without_cells(others, width));

    let mut candidates = Vec::new();
    for large in large_cells {
        for other in &candidates_of_others {
            candidates.extend(large.above(other));
        }
    }
    Demand::from_candidates(candidates)
}

impl LargeCell {
    /// Returns the way to show this cell above the cells of the others. `None` if a sheet would leave too little of
    /// them.
    fn above(self, others: &Candidate) -> Option<Candidate> {
        let is_sheet = self.level >= Level::Useful;
        let has_hidden = others.level == Level::Part;
        if is_sheet && has_hidden && others.step.rows < LEAST_BESIDE_SHEET {
            return None;
        }

        // The player's own character leaves the others less room, so low cards are good enough for them.
        let level_of_others = match others.level {
            Level::InSight => Level::Min,
            level => level,
        };
        Some(Candidate {
            step: Step {
                rows: self.rows + others.step.rows,
                large_rows: self.rows,
                ..others.step
            },
            level: level_of_others.min(self.level),
            // The own character comes before the others.
            quality: Quality {
                large_rows: self.rows,
                ..others.quality
            },
        })
    }
}

/// Returns the candidate that shows none of these characters.
fn without_cells(lines: Lines<'_>, width: u16) -> Candidate {
    let cell_width = width / card_columns(width).start();
    let level = if lines.is_empty() {
        Level::Full
    } else {
        Level::Part
    };
    Candidate {
        step: Step::of_cells(0, Size::new(cell_width, 1)),
        level,
        quality: Quality::default(),
    }
}

/// Returns the possible numbers of cards in a row.
fn card_columns(width: u16) -> RangeInclusive<u16> {
    let most = (width / CARD_WIDTH).max(1);
    let least = width.div_ceil(MAX_CARD_WIDTH).min(most);
    least..=most
}

/// Returns the ways to show some of the characters, or all of them.
fn cell_candidates(lines: Lines<'_>, width: u16, contents: CardContents<'_>) -> Vec<Candidate> {
    if lines.is_empty() {
        return Vec::new();
    }

    let columns = card_columns(width);
    let mut candidates = part_candidates(lines, *columns.end(), width);
    // Of equal candidates the first one wins. With more columns, more characters stay together.
    for columns in columns.rev() {
        candidates.extend(card_candidates(lines, columns, width, contents));
    }
    candidates
}

/// Returns the ways to show all characters as cards in this number of columns. Below the first heading, cards are as
/// high as above it, or one row lower.
fn card_candidates(
    lines: Lines<'_>,
    columns: u16,
    width: u16,
    contents: CardContents<'_>,
) -> Vec<Candidate> {
    let cell_width = width / columns;
    // A card has a gutter before it and a space after it.
    let card_width = cell_width.saturating_sub(GUTTER + 1);
    let card = card_heights(contents.spec, card_width);
    let list_rows = contents.lists.rows(card_width);
    let more_list_rows = list_rows.saturating_sub(LIST_ROWS).min(MOST_LIST_ROWS);

    let has_wide_panel = width >= 2 * ROOMY_CARD_WIDTH;
    let is_cramped = has_wide_panel && cell_width < ROOMY_CARD_WIDTH;

    let mut candidates = Vec::new();
    for height in 1..=card.full + more_list_rows {
        // Cards with one row show more if they are wide.
        let preference = if height == 1 { cell_width } else { 0 };
        let least_later_height = height.saturating_sub(1).max(1);

        for later_height in least_later_height..=height {
            let step = Step {
                later_height,
                ..Step::of_cells(0, Size::new(cell_width, height))
            };
            let mut level = level_of_cards(card, height, later_height);
            if is_cramped {
                level = level.min(Level::Min);
            }
            candidates.push(Candidate {
                step: step.with_rows_for(lines, columns),
                level,
                quality: Quality {
                    rows: height + later_height,
                    preference,
                    ..Quality::default()
                },
            });
        }
    }
    candidates
}

/// Returns the level of cards with these heights. The party decides, since its players look at their own cards.
fn level_of_cards(card: CardHeights, height: u16, later_height: u16) -> Level {
    if later_height >= card.full {
        Level::Full
    } else if height >= card.useful {
        Level::Useful
    } else if height >= card.minimum {
        Level::Min
    } else {
        Level::InSight
    }
}

/// Returns the demand of the combatants in a fight: a row for each.
pub(in crate::view::layout) fn combatants_demand(lines: Lines<'_>, width: u16) -> Demand {
    let mut candidates = part_candidates(lines, 1, width);
    candidates.push(Candidate {
        step: Step::of_lines(lines, 1, Size::new(width, 1)),
        level: Level::Full,
        quality: Quality::default(),
    });
    Demand::from_candidates(candidates)
}
