//! The rows that each panel of the table asks for.

use ratatui::layout::Size;

use crate::app::list::ListId;
use crate::view::card::{CardHeights, CardLists, LIST_ROWS, card_heights};
use crate::view::layout::panels::{Lines, OwnSheet, sheet_width};
use crate::widget::GUTTER;
use tableside_rules::SystemSpec;

/// The least columns of a card, with the gutter before it.
const CARD_WIDTH: u16 = 30;
/// Wider cards would have long rows with gaps between the values and the right end.
const MAX_CARD_WIDTH: u16 = 64;
/// The most rows by which a long list makes cards higher.
const MOST_LIST_ROWS: u16 = 12;
/// The least columns of a pool.
const POOL_WIDTH: u16 = 30;
/// The rows of a pool with its bar and its next threshold.
const POOL_HEIGHT: u16 = 3;
/// The quality of a panel that shows all cards. It is more than any number of rows with some of them.
const ALL_CARDS: u16 = 1_000;
/// The quality of a row of the own character. It is more than any quality of the other characters.
const LARGE_ROW: u16 = 1_200;
/// The least rows of the other characters below a whole sheet.
const LEAST_BESIDE_SHEET: u16 = 3;
/// The least rows of the cell of the own character.
pub(super) const LEAST_LARGE: u16 = 2;
/// The least rows of the newest roll above the list: the dice, and a blank row.
pub(super) const LEAD_ROWS: u16 = 4;
/// The rolls in the list below the newest one, before the list counts as cut.
const USEFUL_ROLLS: u16 = 3;

/// A height at which a panel shows more than at any lower height.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step {
    /// The rows inside the frame.
    pub(super) rows: u16,
    /// The least size of a cell of the panel.
    pub(super) cell: Size,
    /// The rows of a cell below the first heading: the cards of opponents may be lower than those of the party.
    pub(super) later_height: u16,
    /// The rows above the cells for the newest roll.
    pub(super) lead: u16,
    /// The rows of the first cell if it is as wide as the panel. 0 if it is like the others.
    pub(super) large: u16,
}

/// The heights that a panel asks for at some width. The steps ascend.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Demand {
    pub(super) steps: Vec<Step>,
    /// Each entry is in sight.
    pub(super) all: u16,
    /// Each entry shows the least that the panel is for.
    pub(super) min: u16,
    /// Nothing that a GM looks for is cut.
    pub(super) useful: u16,
    /// Everything is shown.
    pub(super) full: u16,
}

/// A way to show the entries of a panel. Better ones have a higher quality.
pub(super) struct Candidate {
    pub(super) step: Step,
    pub(super) level: Level,
    pub(super) quality: u16,
}

/// What a panel shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    /// Only a part of the entries.
    Part,
    /// All entries, but less about them than the panel is for.
    All,
    /// All entries, but not everything about them.
    Min,
    Useful,
    Full,
}

impl Demand {
    /// Keeps the candidates that show more than all lower ones.
    pub(super) fn from_candidates(mut candidates: Vec<Candidate>) -> Self {
        candidates.sort_by_key(|candidate| {
            let rank = (candidate.level, candidate.quality);
            (candidate.step.rows, std::cmp::Reverse(rank))
        });

        let mut steps: Vec<Step> = Vec::new();
        let mut best: Option<(Level, u16)> = None;
        let mut first_rows = [None; 5];
        for candidate in candidates {
            let rank = (candidate.level, candidate.quality);
            if best.is_some_and(|best| rank <= best) {
                continue;
            }

            best = Some(rank);
            steps.push(candidate.step);
            for rows in first_rows.iter_mut().take(candidate.level as usize + 1) {
                rows.get_or_insert(candidate.step.rows);
            }
        }

        let most = steps.last().map_or(0, |step| step.rows);
        let rows_of = |level: Level| first_rows[level as usize].unwrap_or(most);
        Self {
            all: rows_of(Level::All),
            min: rows_of(Level::Min),
            useful: rows_of(Level::Useful),
            full: rows_of(Level::Full),
            steps,
        }
    }

    /// Returns the best step that fits into these rows, or the lowest one.
    pub(super) fn step_within(&self, rows: u16) -> Option<Step> {
        let fitting = self.steps.iter().rfind(|step| step.rows <= rows);
        fitting.or_else(|| self.steps.first()).copied()
    }

    /// Returns the missing rows if something is cut at this height.
    pub(super) fn cut_rows(&self, rows: u16) -> u16 {
        self.useful.saturating_sub(rows)
    }

    /// Returns the rows of the highest step.
    pub(super) fn most(&self) -> u16 {
        self.steps.last().map_or(0, |step| step.rows)
    }
}

/// The data from which the heights of cards are computed.
#[derive(Clone, Copy)]
pub(super) struct CardContents<'a> {
    pub(super) spec: &'a SystemSpec,
    pub(super) lists: &'a CardLists,
}

/// A size of the first cell of the party, for a player's own character.
#[derive(Clone, Copy, Debug)]
pub(super) struct LargeCell {
    rows: u16,
    level: Level,
}

/// Returns the sizes of the cell of a player's own character in a panel of this width: as a card, and as a whole sheet.
pub(super) fn large_cells(spec: &SystemSpec, frame_width: u16, sheet: &OwnSheet) -> Vec<LargeCell> {
    let card = card_heights(spec, sheet_width(frame_width));
    let least = card.minimum.max(LEAST_LARGE);
    let mut cells = Vec::new();
    for rows in least..=card.compact.max(least) {
        cells.push(LargeCell {
            rows,
            level: Level::Min,
        });
    }

    let height = sheet
        .heights
        .iter()
        .find(|height| height.frame_width == frame_width);
    match height {
        Some(height) => {
            cells.push(LargeCell {
                rows: height.rows,
                level: Level::Useful,
            });
            // A blank row separates the sheet from the other characters.
            cells.push(LargeCell {
                rows: height.rows + 1,
                level: Level::Full,
            });
        }
        None => {
            if let Some(cell) = cells.last_mut() {
                cell.level = Level::Full;
            }
        }
    }
    cells
}

/// Returns the demand of the party in this number of columns. `large_cells` are the sizes of the first cell, and empty if
/// it is like the others.
pub(super) fn party_demand(
    lines: Lines<'_>,
    width: u16,
    contents: CardContents<'_>,
    large_cells: &[LargeCell],
) -> Demand {
    let max_columns = (width / CARD_WIDTH).max(1);
    let min_columns = width.div_ceil(MAX_CARD_WIDTH).min(max_columns);
    let Some((_, others)) = lines.split_first().filter(|_| !large_cells.is_empty()) else {
        let mut candidates = part_candidates(lines, max_columns, width);
        candidates.extend(card_candidates(lines, width, contents));
        return Demand::from_candidates(candidates);
    };

    let mut candidates = Vec::new();
    let cards = card_candidates(others, width, contents);
    let parts = part_candidates(others, max_columns, width);
    for large in large_cells {
        let without_others = Candidate {
            step: Step {
                rows: 0,
                cell: Size::new(width / min_columns, 1),
                later_height: 1,
                lead: 0,
                large: 0,
            },
            level: if others.is_empty() {
                Level::Full
            } else {
                Level::Part
            },
            quality: 0,
        };
        for other in parts.iter().chain(&cards).chain([&without_others]) {
            let is_sheet = large.level >= Level::Useful;
            let hides_others = other.step.rows < LEAST_BESIDE_SHEET && other.level == Level::Part;
            if is_sheet && hides_others && other.quality < ALL_CARDS {
                continue;
            }

            // The own character leaves less room for the others.
            let level_of_others = if other.quality >= ALL_CARDS {
                other.level.max(Level::Min)
            } else {
                other.level
            };
            candidates.push(Candidate {
                step: Step {
                    rows: large.rows + other.step.rows,
                    large: large.rows,
                    ..other.step
                },
                level: level_of_others.min(large.level),
                // The own character comes before the others.
                quality: large
                    .rows
                    .saturating_mul(LARGE_ROW)
                    .saturating_add(other.quality.min(LARGE_ROW - 1)),
            });
        }
    }
    Demand::from_candidates(candidates)
}

/// Returns the ways to show all characters as cards. The cards below the first heading are as high as the ones above it, or
/// one row lower.
fn card_candidates(lines: Lines<'_>, width: u16, contents: CardContents<'_>) -> Vec<Candidate> {
    let max_columns = (width / CARD_WIDTH).max(1);
    let min_columns = width.div_ceil(MAX_CARD_WIDTH).min(max_columns);
    if lines.is_empty() {
        return Vec::new();
    }

    let mut candidates = Vec::new();
    // Of equals the one with more columns wins, so that more characters stay together.
    for columns in (min_columns..=max_columns).rev() {
        // A card has a gutter before it and a blank after it.
        let card_width = (width / columns).saturating_sub(GUTTER + 1);
        let card = card_heights(contents.spec, card_width);
        let more_list_rows = contents.lists.rows(card_width).saturating_sub(LIST_ROWS);
        for height in 1..=card.full + more_list_rows.min(MOST_LIST_ROWS) {
            // Wide cards with one row show more.
            let spare_columns = if height == 1 {
                max_columns - columns
            } else {
                0
            };
            for later_height in height.saturating_sub(1).max(1)..=height {
                let step = Step {
                    later_height,
                    ..cells_step(lines, columns, Size::new(width / columns, height))
                };
                candidates.push(Candidate {
                    step: Step {
                        rows: rows_needed(lines, columns, step),
                        ..step
                    },
                    level: level_of_cards(card, height, later_height),
                    quality: ALL_CARDS + (height + later_height) * 5 + spare_columns,
                });
            }
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
        Level::All
    }
}

/// Returns the demand of the combatants in a fight: a row for each.
pub(super) fn combatants_demand(lines: Lines<'_>, width: u16) -> Demand {
    let mut candidates = part_candidates(lines, 1, width);
    candidates.push(Candidate {
        step: cells_step(lines, 1, Size::new(width, 1)),
        level: Level::Full,
        quality: 0,
    });
    Demand::from_candidates(candidates)
}

/// Returns the demand of the tokens: lines, and then a bar and the next threshold of each pool.
pub(super) fn tokens_demand(lines: Lines<'_>, width: u16) -> Demand {
    let columns = (width / POOL_WIDTH).max(1);
    let mut candidates = part_candidates(lines, columns, width);
    for height in 1..=POOL_HEIGHT {
        let level = if height < POOL_HEIGHT {
            Level::Useful
        } else {
            Level::Full
        };
        candidates.push(Candidate {
            step: cells_step(lines, columns, Size::new(width / columns, height)),
            level,
            quality: height,
        });
    }
    Demand::from_candidates(candidates)
}

/// Returns the demand of the last rolls. `lead` is the number of rows of the newest roll with its dice, or 0 if there is
/// no roll to show large.
pub(super) fn rolls_demand(lines: Lines<'_>, width: u16, lead: u16) -> Demand {
    let count = entries(lines);
    let cell = Size::new(width, 1);
    let plain = |rows| Step {
        rows,
        cell,
        later_height: 1,
        lead: 0,
        large: 0,
    };

    let mut candidates = Vec::new();
    let useful_list = count.min(USEFUL_ROLLS);
    for rows in 1..=count {
        candidates.push(Candidate {
            step: plain(rows),
            level: if rows < useful_list {
                Level::Part
            } else {
                Level::Min
            },
            quality: rows,
        });
    }

    // The newest roll is not in the list a second time, but the list has a row for the cursor.
    let count = count.saturating_sub(1).max(1);
    let useful_list = count.min(USEFUL_ROLLS);
    let mut leads = vec![lead.min(LEAD_ROWS), lead];
    leads.retain(|rows| *rows > 0);
    for lead in &leads {
        let is_whole = Some(lead) == leads.last();
        for list_rows in useful_list..=count {
            let level = if !is_whole {
                Level::Min
            } else if list_rows == count {
                Level::Full
            } else {
                Level::Useful
            };
            candidates.push(Candidate {
                step: Step {
                    rows: lead + list_rows,
                    cell,
                    later_height: 1,
                    lead: *lead,
                    large: 0,
                },
                level,
                quality: 100 + list_rows,
            });
        }
    }
    Demand::from_candidates(candidates)
}

/// Returns the steps that show only a part of the entries, each in one row.
pub(super) fn part_candidates(lines: Lines<'_>, columns: u16, width: u16) -> Vec<Candidate> {
    let cell = Size::new(width / columns, 1);
    let all_rows = cells_step(lines, columns, cell).rows;
    (1..all_rows)
        .map(|rows| Candidate {
            step: Step {
                rows,
                cell,
                later_height: 1,
                lead: 0,
                large: 0,
            },
            level: Level::Part,
            quality: rows,
        })
        .collect()
}

pub(super) fn cells_step(lines: Lines<'_>, columns: u16, cell: Size) -> Step {
    let step = Step {
        rows: 0,
        cell,
        later_height: cell.height,
        lead: 0,
        large: 0,
    };
    Step {
        rows: rows_needed(lines, columns, step),
        ..step
    }
}

pub(super) fn entries(lines: Lines<'_>) -> u16 {
    let count = lines.iter().flatten().count();
    u16::try_from(count).unwrap_or(u16::MAX)
}

/// Returns the rows of these lines in the cells of a step, with a row for each heading.
fn rows_needed(lines: Lines<'_>, columns: u16, step: Step) -> u16 {
    let columns = usize::from(columns);
    let mut rows = 0;
    let mut cell_height = step.cell.height;
    for (index, group) in lines.split(Option::<ListId>::is_none).enumerate() {
        rows += usize::from(index > 0);
        rows += group.len().div_ceil(columns) * usize::from(cell_height);
        if !group.is_empty() {
            cell_height = step.later_height;
        }
    }
    u16::try_from(rows).unwrap_or(u16::MAX)
}
