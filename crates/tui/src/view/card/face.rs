//! The places of the values on a card.
//!
//! They follow from the system and the size of the card alone. So a value has the same place on every card, and
//! it stays there when it changes, and when a condition is added.

use ratatui::layout::{Rect, Size};

use crate::view::card::heights::LIST_ROWS;
use crate::view::card::name_row::split_name;
use crate::view::card::pen::Pen;
use crate::view::card::stops::Stops;
use crate::view::card::value::ValueSlot;
use crate::view::card::value_width::{has_own_place, token_signs, value_columns};
use crate::widget::columns;
use tableside_rules::{CardEntry, CardOrder, CardSpec, Kind, SystemSpec};

/// The blanks between two values. On a narrow card they are fewer, if that saves a row.
const GAP: u16 = 2;
const NARROW_GAP: u16 = 1;
/// The least columns of a name.
pub(super) const LEAST_NAME: u16 = 9;
/// The least columns of the conditions.
pub(super) const LEAST_STATE: u16 = 4;
/// The most columns of a name on a card with one row.
pub(super) const MOST_NAME: u16 = 24;
/// The columns for the sign that a character has acted, and for the initiative.
const TURN: u16 = 1;
const INITIATIVE: u16 = 5;
/// The cells of the bar of a stat with a maximum, on a wide and on a narrow card.
const BAR: u16 = 8;
const LEAST_BAR: u16 = 3;
/// The rows of a card that has rows to spare for a second row of texts.
const SPARE_ROWS_FOR_TEXTS: u16 = 2;

/// The place of a value on a card.
#[derive(Clone, Copy, Debug)]
pub(super) struct ValuePlace {
    pub(super) entry: CardEntry,
    /// The area, counted from the corner of the card.
    pub(super) area: Rect,
    /// The cells of its bar; 0 if it has none.
    pub(super) bar: u16,
}

impl ValuePlace {
    pub(super) fn slot(&self) -> ValueSlot {
        ValueSlot {
            entry: self.entry,
            bar_cells: self.bar,
            width: self.area.width,
        }
    }
}

/// The places on a card, counted from its corner. An area without room is empty.
#[derive(Clone, Debug)]
pub(super) struct Face {
    pub(super) name: Rect,
    /// The conditions, and the texts and lists of `first`.
    pub(super) state: Rect,
    pub(super) values: Vec<ValuePlace>,
    /// The texts and lists of `then`. If `then` is ordered by height, also its other values.
    pub(super) list: Rect,
    /// The initiative, and the sign that the character has acted.
    pub(super) turn: Rect,
    /// The rows below the values of `first` and the conditions.
    pub(super) rows_of_first: u16,
}

impl Face {
    /// Returns true if the conditions follow the name in its row.
    pub(super) fn has_state_beside_name(&self) -> bool {
        self.state.y == self.name.y && self.state.width > 0
    }
}

/// Computes the places on a card of this size. `has_turns` is true if any character has an initiative.
pub(super) fn face(spec: &SystemSpec, size: Size, has_turns: bool) -> Face {
    let layout = FaceLayout::new(spec, size.width, has_turns);
    if size.height < 2 {
        layout.single_row()
    } else {
        layout.several_rows(size.height)
    }
}

/// The system and the width, from which the places follow.
pub(super) struct FaceLayout<'a> {
    spec: &'a SystemSpec,
    card: &'a CardSpec,
    pub(super) width: u16,
    pub(super) turn_width: u16,
    /// The blanks between two values.
    gap: u16,
}

/// How a card with several rows uses them.
struct RowPlan {
    /// The cells of the bar of each value of `first`.
    bars: Vec<u16>,
    /// The first row below the values of `first`.
    state_y: u16,
    /// The rows of the state. If it has no row, it follows the name.
    state_rows: u16,
}

impl<'a> FaceLayout<'a> {
    pub(super) fn new(spec: &'a SystemSpec, width: u16, has_turns: bool) -> Self {
        let mut layout = Self {
            spec,
            card: &spec.card,
            width,
            turn_width: if has_turns { INITIATIVE } else { TURN },
            gap: NARROW_GAP,
        };

        let first = layout.first_values();
        let rows_if_narrow = layout.rows_of(&first, false);
        layout.gap = GAP;
        if rows_if_narrow < layout.rows_of(&first, false) {
            layout.gap = NARROW_GAP;
        }
        layout
    }

    pub(super) fn first_values(&self) -> Vec<CardEntry> {
        self.card
            .first
            .iter()
            .copied()
            .filter(|entry| has_own_place(*entry))
            .collect()
    }

    /// Returns the values of `then` that have places of their own.
    pub(super) fn then_values(&self) -> Vec<CardEntry> {
        if self.card.order == CardOrder::Highest {
            return Vec::new();
        }
        self.card
            .then
            .iter()
            .copied()
            .filter(|entry| has_own_place(*entry))
            .collect()
    }

    /// Returns true if `first` has texts, which need more room than conditions and lists.
    pub(super) fn has_texts(&self) -> bool {
        self.card
            .first
            .iter()
            .any(|entry| matches!(entry, CardEntry::Stat(stat) if stat.kind == Kind::Text))
    }

    fn has_list(&self) -> bool {
        if self.card.order == CardOrder::Highest {
            return true;
        }
        self.card
            .then
            .iter()
            .any(|entry| !has_own_place(*entry) && !matches!(entry, CardEntry::Conditions))
    }

    fn pen_at(&self, y: u16) -> Pen {
        Pen {
            width: self.width,
            gap: self.gap,
            x: 0,
            y,
        }
    }

    pub(super) fn bar_cells(&self, entry: CardEntry) -> u16 {
        match entry {
            CardEntry::Stat(stat) if self.spec.has_maximum(stat) => BAR,
            CardEntry::Pool(pool) => token_signs(pool),
            CardEntry::Clock(clock) => clock.segments.into(),
            CardEntry::Stat(_) | CardEntry::Conditions => 0,
        }
    }

    /// Returns the columns of the abbreviation, the bar and the value.
    pub(super) fn columns_of(&self, entry: CardEntry, bar: u16) -> u16 {
        let label_columns = columns(entry.short()) + 1;
        let bar_columns = if bar > 0 { bar + 1 } else { 0 };
        label_columns + bar_columns + value_columns(entry, self.spec)
    }

    pub(super) fn bar_if(&self, entry: CardEntry, has_bars: bool) -> u16 {
        if has_bars { self.bar_cells(entry) } else { 0 }
    }

    pub(super) fn rows_of(&self, entries: &[CardEntry], has_bars: bool) -> u16 {
        let bars: Vec<u16> = entries
            .iter()
            .map(|entry| self.bar_if(*entry, has_bars))
            .collect();
        self.rows_with(entries, &bars)
    }

    /// Returns the rows of these values with these cells of bars.
    fn rows_with(&self, entries: &[CardEntry], bars: &[u16]) -> u16 {
        let mut pen = self.pen_at(0);
        for (entry, bar) in entries.iter().zip(bars) {
            pen.place(self.columns_of(*entry, *bar));
        }
        pen.next_row()
    }

    /// Returns the cells of the bars that fit in this number of rows. The first values get theirs first, and stats may get
    /// shorter ones.
    fn bars_within(&self, entries: &[CardEntry], rows: u16) -> Vec<u16> {
        let mut bars = vec![0; entries.len()];
        for (index, entry) in entries.iter().enumerate() {
            let full = self.bar_cells(*entry);
            let least = if matches!(entry, CardEntry::Stat(_)) {
                full.min(LEAST_BAR)
            } else {
                full
            };
            for cells in (least..=full).rev() {
                bars[index] = cells;
                if self.rows_with(entries, &bars) <= rows {
                    break;
                }
                bars[index] = 0;
            }
        }
        bars
    }

    /// Places the values of `first` with these bars below the name.
    fn place_first(&self, pen: &mut Pen, bars: &[u16]) -> Vec<ValuePlace> {
        let mut places = Vec::new();
        for (entry, bar) in self.first_values().into_iter().zip(bars.iter().copied()) {
            let area = pen.place(self.columns_of(entry, bar));
            places.push(ValuePlace { entry, area, bar });
        }
        places
    }

    /// Returns the columns at which the values of `then` begin below these of `first`.
    fn stops(&self, first: &[ValuePlace]) -> Stops {
        let then = self.then_values();
        let widest = then.iter().map(|entry| self.columns_of(*entry, 0)).max();
        Stops::new(first, widest.unwrap_or(0) + NARROW_GAP, self.width)
    }

    /// Returns the rows of the values of `then` below those of `first` with their bars.
    fn rows_of_then(&self) -> u16 {
        let first = self.first_values();
        let bars = self.bars_within(&first, self.rows_of(&first, true));
        let stops = self.stops(&self.place_first(&mut self.pen_at(1), &bars));
        let mut pen = self.pen_at(0);
        for entry in self.then_values() {
            pen.place_at_stop(self.columns_of(entry, 0), &stops);
        }
        pen.next_row()
    }

    /// Returns the rows of a card that shows everything.
    pub(super) fn full_height(&self, rows_of_first: u16) -> u16 {
        let then_rows = self.rows_of_then();
        let list_rows = if self.has_list() { LIST_ROWS } else { 0 };
        1 + rows_of_first + 1 + then_rows + list_rows
    }

    /// Returns the rows of a card that shows everything, but whose conditions have no row of their own unless texts need it.
    pub(super) fn compact_height(&self, rows_of_first: u16) -> u16 {
        let then_rows = self.rows_of_then();
        1 + rows_of_first + u16::from(self.has_texts()) + then_rows + u16::from(self.has_list())
    }

    pub(super) fn turn_place(&self, x: u16) -> Rect {
        Rect::new(x, 0, self.turn_width, 1)
    }

    /// Divides the rows of a card between the values of `first`, the state, and the rest.
    fn plan_rows(&self, height: u16) -> RowPlan {
        let first = self.first_values();
        let value_rows = height - 1;
        let first_rows = self.rows_for_first(&first, value_rows);
        let bars = self.bars_within(&first, first_rows);

        let full_height = self.full_height(first_rows);
        let is_full = height >= full_height;
        let has_state_row = value_rows > first_rows && (self.has_texts() || is_full);
        let spare_rows = height.saturating_sub(full_height);
        let has_second_row = self.has_texts() && spare_rows >= SPARE_ROWS_FOR_TEXTS;
        let state_rows = match (has_state_row, has_second_row) {
            (false, _) => 0,
            (true, false) => 1,
            (true, true) => 2,
        };

        RowPlan {
            bars,
            state_y: 1 + first_rows,
            state_rows,
        }
    }

    /// Places the name, the values of `first` and the state. A sheet below this head shows everything else.
    pub(super) fn head(&self) -> Face {
        let mut face = self.several_rows(self.head_rows());
        let first_count = self.first_values().len();
        face.values.truncate(first_count);
        face.list = Rect::ZERO;
        face
    }

    /// Returns the rows of the head. It has a row below the name even if the system puts no value first.
    pub(super) fn head_rows(&self) -> u16 {
        let first = self.first_values();
        let rows_below_name = self.rows_of(&first, true) + u16::from(self.has_texts());
        1 + rows_below_name.max(1)
    }

    /// Returns the rows for the values of `first`, with bars if the card has rows for them.
    fn rows_for_first(&self, first: &[CardEntry], value_rows: u16) -> u16 {
        let rows_with_bars = self.rows_of(first, true);
        let rows_without_bars = self.rows_of(first, false);
        let text_rows = u16::from(self.has_texts());

        let needs_no_row_for_bars = rows_with_bars == rows_without_bars;
        let has_room_for_bars = rows_with_bars + text_rows <= value_rows;
        let has_bars = rows_with_bars <= value_rows && (needs_no_row_for_bars || has_room_for_bars);
        if has_bars {
            rows_with_bars
        } else {
            rows_without_bars.min(value_rows)
        }
    }

    /// Places the name in the first row, and the values below it.
    fn several_rows(&self, height: u16) -> Face {
        let plan = self.plan_rows(height);
        let rows_of_first = plan.state_y + plan.state_rows;

        let mut pen = self.pen_at(1);
        let mut places = self.place_first(&mut pen, &plan.bars);
        let free_after_first = pen.free();

        // If not everything fits, the values of `then` continue in the last row of `first`.
        let then = self.then_values();
        let stops = self.stops(&places);
        let needed_rows = rows_of_first + self.rows_of_then();
        let continues_in_row = plan.state_rows == 0 && needed_rows > height;
        if !continues_in_row {
            pen.x = 0;
            pen.y = rows_of_first;
        }
        for entry in then {
            let area = pen.place_at_stop(self.columns_of(entry, 0), &stops);
            let bar = 0;
            places.push(ValuePlace { entry, area, bar });
        }
        places.retain(|place| place.area.y < height);

        let list_y = pen.next_row().clamp(rows_of_first, height);
        let list = if self.has_list() {
            self.list_place(list_y, height, free_after_first)
        } else {
            Rect::ZERO
        };

        let turn_x = self.width.saturating_sub(self.turn_width);
        let head_width = turn_x.saturating_sub(1);
        let (name, state) = if plan.state_rows > 0 {
            let name = Rect::new(0, 0, head_width, 1);
            let state = Rect::new(0, plan.state_y, self.width, plan.state_rows);
            (name, state)
        } else {
            split_name(turn_x)
        };

        Face {
            name,
            state,
            values: places,
            list,
            turn: self.turn_place(turn_x),
            rows_of_first,
        }
    }

    /// Returns the rows from `y` on. Without a free row, a list that is ordered by height follows the values of `first`.
    fn list_place(&self, y: u16, height: u16, free_after_first: Rect) -> Rect {
        if y < height {
            return Rect::new(0, y, self.width, height - y);
        }
        match self.card.order {
            CardOrder::Highest => free_after_first,
            CardOrder::AsListed => Rect::ZERO,
        }
    }
}
