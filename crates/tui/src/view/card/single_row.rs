//! The places on a card with one row.

use ratatui::layout::Rect;

use crate::view::card::face::{Face, FaceLayout, LEAST_NAME, LEAST_STATE, ValuePlace};
use crate::view::card::name_row::split_name;
use tableside_rules::CardEntry;

/// The columns of a name and of the conditions that come before the values of `then` and before bars.
const ROOMY_NAME: u16 = 16;
const ROOMY_STATE: u16 = 16;

/// The values of a card with one row.
struct SingleRow {
    entries: Vec<CardEntry>,
    /// The columns of the values, each with a blank.
    width: u16,
    has_bars: bool,
}

impl FaceLayout<'_> {
    /// Returns how many of the values fit in a row beside the name and the conditions. At least the first one does.
    pub(super) fn values_in_row(&self, values: &[CardEntry]) -> usize {
        let reserved = LEAST_NAME + 1 + LEAST_STATE + self.turn_width + 1;
        let mut free = self.width.saturating_sub(reserved);
        let mut count = 0;
        for entry in values {
            let needed = self.columns_of(*entry, 0) + 1;
            if needed > free && count > 0 {
                break;
            }
            free = free.saturating_sub(needed);
            count += 1;
        }
        count
    }

    /// Places everything in one row: the name, the conditions, the values, and the turn.
    pub(super) fn single_row(&self) -> Face {
        let row = self.choose_row_values();
        let turn_x = self.width.saturating_sub(self.turn_width);
        let values_x = turn_x.saturating_sub(row.width);
        let (name, state) = split_name(values_x);

        let first_count = self.first_values().len();
        let mut x = values_x;
        let mut places = Vec::new();
        for (index, entry) in row.entries.into_iter().enumerate() {
            let is_first = index < first_count;
            let bar = self.bar_if(entry, row.has_bars && is_first);
            let columns = self.columns_of(entry, bar);
            let width = columns.min(turn_x.saturating_sub(x));
            let area = Rect::new(x, 0, width, 1);
            places.push(ValuePlace { entry, area, bar });
            x += columns + 1;
        }

        Face {
            name,
            state,
            values: places,
            list: Rect::ZERO,
            turn: self.turn_place(turn_x),
            rows_of_first: 1,
        }
    }

    /// Chooses the values of a card with one row.
    ///
    /// Bars and the values of `then` come once the name and the conditions have enough room.
    fn choose_row_values(&self) -> SingleRow {
        let mut entries = self.first_values();
        let first_count = entries.len();
        entries.truncate(self.values_in_row(&entries));
        let mut width: u16 = entries
            .iter()
            .map(|entry| self.columns_of(*entry, 0) + 1)
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
            let needed = self.columns_of(entry, 0) + 1;
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
