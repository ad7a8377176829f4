//! The places on a card with one row.

use ratatui::layout::Rect;

use crate::view::card::name_row::split_name;
use crate::view::card::places::{CardPlaces, LEAST_NAME, LEAST_STATE, ValuePlace};
use crate::view::card::planner::CardPlanner;
use tableside_rules::CardEntry;

/// The columns of a name and of the conditions. Bars and the values of `then` get only the columns beyond these.
const ROOMY_NAME: u16 = 16;
const ROOMY_STATE: u16 = 16;

/// The values of a card with one row.
struct SingleRow {
    entries: Vec<CardEntry>,
    /// The columns of the values, each with a space.
    width: u16,
    has_bars: bool,
}

impl CardPlanner<'_> {
    /// Returns the number of values that fit in a row beside the name and the conditions. It is at least 1.
    pub(super) fn values_in_row(&self, values: &[CardEntry]) -> usize {
        let reserved = LEAST_NAME + 1 + LEAST_STATE + self.turn_width + 1;
        let mut free = self.width.saturating_sub(reserved);
        let mut count = 0;
        for entry in values {
            let needed = self.columns_without_bar(*entry) + 1;
            if needed > free && count > 0 {
                break;
            }
            free = free.saturating_sub(needed);
            count += 1;
        }
        count
    }

    /// Places everything in one row: the name, the conditions, the values, and the turn.
    pub(super) fn single_row(&self) -> CardPlaces {
        let row = self.choose_row_values();
        let turn = self.turn_place();
        let values_x = turn.x.saturating_sub(row.width);
        let (name, state) = split_name(values_x);

        let first_count = self.first_values().len();
        let mut x = values_x;
        let mut values = Vec::new();
        for (index, entry) in row.entries.into_iter().enumerate() {
            let is_first = index < first_count;
            let bar_cells = if row.has_bars && is_first {
                self.bar_cells(entry)
            } else {
                0
            };
            let slot = self.slot(entry, bar_cells);
            let visible_columns = slot.width.min(turn.x.saturating_sub(x));
            let area = Rect::new(x, 0, visible_columns, 1);
            values.push(ValuePlace::new(slot, area));
            x += slot.width + 1;
        }

        CardPlaces {
            name,
            state,
            values,
            list: Rect::ZERO,
            turn,
            rows_of_first: 1,
        }
    }

    /// Chooses the values of a card with one row. The name and the conditions come before bars and the values of
    /// `then`.
    fn choose_row_values(&self) -> SingleRow {
        let mut entries = self.first_values();
        let first_count = entries.len();
        entries.truncate(self.values_in_row(&entries));
        let mut width: u16 = entries
            .iter()
            .map(|entry| self.columns_without_bar(*entry) + 1)
            .sum();

        if entries.len() < first_count {
            return SingleRow {
                entries,
                width,
                has_bars: false,
            };
        }

        let reserved = ROOMY_NAME + ROOMY_STATE + self.turn_width + 2;
        let bars_width: u16 = entries.iter().map(|entry| self.bar_cells(*entry) + 1).sum();
        let has_bars = reserved + width + bars_width <= self.width;
        if has_bars {
            width += bars_width;
        }

        for entry in self.then_values() {
            let needed = self.columns_without_bar(entry) + 1;
            if reserved + width + needed > self.width {
                break;
            }
            width += needed;
            entries.push(entry);
        }

        SingleRow {
            entries,
            width,
            has_bars,
        }
    }
}
