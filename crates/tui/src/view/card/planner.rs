//! The widths, bars and rows of the values on a card.
//!
//! They follow from the system and the width of the card alone. So a value has the same place on every card, and it
//! stays there when it changes, and when a condition is added.

use ratatui::layout::Rect;

use crate::view::card::heights::LIST_ROWS;
use crate::view::card::pen::Pen;
use crate::view::card::places::ValuePlace;
use crate::view::card::stops::Stops;
use crate::view::card::value::ValueSlot;
use crate::view::card::value_width::{has_own_place, token_signs, value_columns};
use crate::widget::columns;
use tableside_rules::{CardEntry, CardOrder, CardSpec, Kind, SystemSpec};

/// The spaces between two values. On a narrow card they are fewer, if that saves a row.
const GAP: u16 = 2;
const NARROW_GAP: u16 = 1;
/// The columns for the sign that a character has acted.
const TURN: u16 = 1;
/// The columns for that sign and the initiative.
const INITIATIVE: u16 = 5;
/// The cells of the bar of a stat with a maximum.
const BAR: u16 = 8;
/// The least cells of such a bar.
const LEAST_BAR: u16 = 3;

/// Computes how many columns and rows the values of a system need on cards of one width.
pub(super) struct CardPlanner<'a> {
    spec: &'a SystemSpec,
    pub(super) card: &'a CardSpec,
    pub(super) width: u16,
    pub(super) turn_width: u16,
    /// The number of rows for the list. 0 if the card has none.
    list_rows: u16,
    /// The spaces between two values.
    gap: u16,
}

impl<'a> CardPlanner<'a> {
    /// `has_turns` is true if any character has an initiative.
    pub(super) fn new(spec: &'a SystemSpec, width: u16, has_turns: bool) -> Self {
        let mut planner = Self {
            spec,
            card: &spec.card,
            width,
            turn_width: if has_turns { INITIATIVE } else { TURN },
            list_rows: 0,
            gap: NARROW_GAP,
        };
        if planner.has_list() {
            planner.list_rows = LIST_ROWS;
        }

        let first = planner.first_values();
        let rows_if_narrow = planner.value_rows(&first, false);
        planner.gap = GAP;
        if rows_if_narrow < planner.value_rows(&first, false) {
            planner.gap = NARROW_GAP;
        }
        planner
    }

    /// Reserves as many rows as the longest list of all cards needs, and at least the usual number. So values keep
    /// their places while the first entries are added to a list.
    pub(super) fn with_list_rows(mut self, rows: u16) -> Self {
        if self.has_list() {
            self.list_rows = rows.max(LIST_ROWS);
        }
        self
    }

    /// Returns the values of `first` that have places of their own.
    pub(super) fn first_values(&self) -> Vec<CardEntry> {
        values_with_places(self.card.first)
    }

    /// Returns the values of `then` that have places of their own.
    pub(super) fn then_values(&self) -> Vec<CardEntry> {
        match self.card.order {
            CardOrder::Highest => Vec::new(),
            CardOrder::AsListed => values_with_places(self.card.then),
        }
    }

    /// Returns true if `first` has texts, which need more room than conditions and lists.
    pub(super) fn has_texts(&self) -> bool {
        self.card.first.iter().any(|entry| match entry {
            CardEntry::Stat(stat) => stat.kind == Kind::Text,
            CardEntry::Pool(_) | CardEntry::Clock(_) | CardEntry::Conditions => false,
        })
    }

    /// Returns the number of rows for the texts of `first`.
    pub(super) fn text_rows(&self) -> u16 {
        u16::from(self.has_texts())
    }

    /// Returns true if the card ends with a list: the texts and lists of `then`, or all its values ordered by height.
    pub(super) fn has_list(&self) -> bool {
        let is_in_list = |entry: &CardEntry| {
            let is_conditions = matches!(entry, CardEntry::Conditions);
            !has_own_place(*entry) && !is_conditions
        };
        match self.card.order {
            CardOrder::Highest => true,
            CardOrder::AsListed => self.card.then.iter().any(is_in_list),
        }
    }

    /// Returns a pen at the start of a row.
    pub(super) fn pen_at(&self, y: u16) -> Pen {
        Pen {
            width: self.width,
            gap: self.gap,
            x: 0,
            y,
        }
    }

    /// Returns the cells of a value's bar at its full length, or 0 if it has none.
    pub(super) fn bar_cells(&self, entry: CardEntry) -> u16 {
        match entry {
            CardEntry::Stat(stat) if self.spec.has_maximum(stat) => BAR,
            CardEntry::Pool(pool) => token_signs(pool),
            CardEntry::Clock(clock) => clock.segments.into(),
            CardEntry::Stat(_) | CardEntry::Conditions => 0,
        }
    }

    /// Returns a slot that holds the abbreviation, a bar of this length, and the value.
    pub(super) fn slot(&self, entry: CardEntry, bar_cells: u16) -> ValueSlot {
        let label_columns = columns(entry.short()) + 1;
        let bar_columns = if bar_cells > 0 { bar_cells + 1 } else { 0 };
        ValueSlot {
            entry,
            bar_cells,
            width: label_columns + bar_columns + value_columns(entry, self.spec),
        }
    }

    /// Returns the columns of the abbreviation and the value.
    pub(super) fn columns_without_bar(&self, entry: CardEntry) -> u16 {
        self.slot(entry, 0).width
    }

    /// Returns the number of rows of these values, with bars at their full length or without bars.
    pub(super) fn value_rows(&self, entries: &[CardEntry], has_bars: bool) -> u16 {
        let mut bars = vec![0; entries.len()];
        if has_bars {
            bars = entries.iter().map(|entry| self.bar_cells(*entry)).collect();
        }
        self.value_rows_with_bars(entries, &bars)
    }

    /// Returns the number of rows of these values. `bars` has the cells of the bar of each value.
    fn value_rows_with_bars(&self, entries: &[CardEntry], bars: &[u16]) -> u16 {
        let mut pen = self.pen_at(0);
        for (entry, bar_cells) in entries.iter().zip(bars) {
            let slot = self.slot(*entry, *bar_cells);
            pen.place(slot.width);
        }
        pen.next_row()
    }

    /// Returns the cells of the bars that fit in this number of rows. The first values get theirs first, and the bars
    /// of stats may be shorter.
    pub(super) fn bars_within(&self, entries: &[CardEntry], rows: u16) -> Vec<u16> {
        let mut bars = vec![0; entries.len()];
        for (index, entry) in entries.iter().enumerate() {
            let full = self.bar_cells(*entry);
            let least = match entry {
                CardEntry::Stat(_) => full.min(LEAST_BAR),
                CardEntry::Pool(_) | CardEntry::Clock(_) | CardEntry::Conditions => full,
            };
            for cells in (least..=full).rev() {
                bars[index] = cells;
                if self.value_rows_with_bars(entries, &bars) <= rows {
                    break;
                }
                bars[index] = 0;
            }
        }
        bars
    }

    /// Places the values of `first` with these bars.
    pub(super) fn place_first(&self, pen: &mut Pen, bars: &[u16]) -> Vec<ValuePlace> {
        let mut places = Vec::new();
        for (entry, bar_cells) in self.first_values().into_iter().zip(bars) {
            let slot = self.slot(entry, *bar_cells);
            let area = pen.place(slot.width);
            places.push(ValuePlace::new(slot, area));
        }
        places
    }

    /// Places the values of `then`, which have no bars.
    pub(super) fn place_then(&self, pen: &mut Pen, stops: &Stops) -> Vec<ValuePlace> {
        let mut places = Vec::new();
        for entry in self.then_values() {
            let slot = self.slot(entry, 0);
            let area = pen.place_at_stop(slot.width, stops);
            places.push(ValuePlace::new(slot, area));
        }
        places
    }

    /// Returns the columns at which the values of `then` begin, if the values of `first` have these places.
    pub(super) fn stops(&self, first: &[ValuePlace]) -> Stops {
        let then = self.then_values();
        let widths = then.iter().map(|entry| self.columns_without_bar(*entry));
        let widest = widths.max().unwrap_or(0);
        Stops::new(first, widest + NARROW_GAP, self.width)
    }

    /// Returns the number of rows of the values of `then`, below values of `first` with all their bars.
    pub(super) fn rows_of_then(&self) -> u16 {
        let first = self.first_values();
        let bars = self.bars_within(&first, self.value_rows(&first, true));
        let first_places = self.place_first(&mut self.pen_at(1), &bars);

        let stops = self.stops(&first_places);
        let mut pen = self.pen_at(0);
        self.place_then(&mut pen, &stops);
        pen.next_row()
    }

    /// Returns the height of a card that shows everything.
    pub(super) fn full_height(&self, rows_of_first: u16) -> u16 {
        let state_rows = 1;
        1 + rows_of_first + state_rows + self.rows_of_then() + self.list_rows
    }

    /// Returns the height of a card that shows everything, but whose conditions have no row of their own unless texts
    /// need it.
    pub(super) fn compact_height(&self, rows_of_first: u16) -> u16 {
        let list_rows = u16::from(self.has_list());
        1 + rows_of_first + self.text_rows() + self.rows_of_then() + list_rows
    }

    /// Returns the place for the initiative.
    pub(super) fn turn_place(&self) -> Rect {
        let x = self.width.saturating_sub(self.turn_width);
        Rect::new(x, 0, self.turn_width, 1)
    }
}

fn values_with_places(entries: &[CardEntry]) -> Vec<CardEntry> {
    let mut values = entries.to_vec();
    values.retain(|entry| has_own_place(*entry));
    values
}
