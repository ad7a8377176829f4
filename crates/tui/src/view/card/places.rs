//! The places of everything on a card.

use ratatui::layout::{Rect, Size};

use crate::view::card::name_row::split_name;
use crate::view::card::planner::CardPlanner;
use crate::view::card::value::ValueSlot;
use tableside_rules::{CardEntry, CardOrder, SystemSpec};

/// The least columns of a name.
pub(super) const LEAST_NAME: u16 = 9;
/// The least columns of the conditions.
pub(super) const LEAST_STATE: u16 = 4;
/// The most columns of a name on a card with one row.
pub(super) const MOST_NAME: u16 = 24;
/// A card with at least this number of spare rows has a second row for texts.
const SPARE_ROWS_FOR_TEXTS: u16 = 2;

/// The place of a value on a card.
#[derive(Clone, Copy, Debug)]
pub(super) struct ValuePlace {
    pub(super) slot: ValueSlot,
    /// The area, counted from the corner of the card.
    pub(super) area: Rect,
}

impl ValuePlace {
    /// Places a value. If the area is narrower than the slot, so is the slot.
    pub(super) fn new(slot: ValueSlot, area: Rect) -> Self {
        let slot = ValueSlot {
            width: area.width,
            ..slot
        };
        Self { slot, area }
    }
}

/// The places on a card, counted from its corner. An area without room is empty.
#[derive(Clone, Debug)]
pub(super) struct CardPlaces {
    pub(super) name: Rect,
    /// The conditions, and the texts and lists of `first`.
    pub(super) state: Rect,
    pub(super) values: Vec<ValuePlace>,
    /// The texts and lists of `then`. If `then` is ordered by height, also its other values.
    pub(super) list: Rect,
    /// The initiative, and the sign that the character has acted.
    pub(super) turn: Rect,
    /// The number of rows down to the last value of `first` and the conditions.
    pub(super) rows_of_first: u16,
}

impl CardPlaces {
    /// Computes the places on a card of this size. `has_turns` is true if any character has an initiative.
    pub(super) fn new(spec: &SystemSpec, size: Size, has_turns: bool) -> Self {
        let planner = CardPlanner::new(spec, size.width, has_turns);
        if size.height < 2 {
            planner.single_row()
        } else {
            planner.several_rows(size.height)
        }
    }

    /// Returns true if the conditions follow the name in its row.
    pub(super) fn has_state_beside_name(&self) -> bool {
        self.state.y == self.name.y && self.state.width > 0
    }
}

/// How a card with several rows uses them.
struct RowPlan {
    /// The cells of the bar of each value of `first`.
    bars: Vec<u16>,
    /// The first row below the values of `first`.
    state_y: u16,
    /// The number of rows of the state. If it has no row, it follows the name.
    state_rows: u16,
}

impl CardPlanner<'_> {
    /// Returns the number of rows of the head of a sheet. It has a row below the name even if the system puts no value
    /// first.
    pub(super) fn head_rows(&self) -> u16 {
        let first = self.first_values();
        let rows_below_name = self.value_rows(&first, true) + self.text_rows();
        1 + rows_below_name.max(1)
    }

    /// Places the name, the values of `first` and the state. A sheet below this head shows everything else.
    pub(super) fn head(&self) -> CardPlaces {
        let mut places = self.several_rows(self.head_rows());
        let first_count = self.first_values().len();
        places.values.truncate(first_count);
        places.list = Rect::ZERO;
        places
    }

    /// Places the name in the first row, and the values below it.
    fn several_rows(&self, height: u16) -> CardPlaces {
        let plan = self.plan_rows(height);
        let rows_of_first = plan.state_y + plan.state_rows;

        let mut pen = self.pen_at(1);
        let mut values = self.place_first(&mut pen, &plan.bars);
        let free_after_first = pen.free();

        // If not everything fits, the values of `then` continue in the last row of `first`.
        let needed_rows = rows_of_first + self.rows_of_then();
        let continues_in_row = plan.state_rows == 0 && needed_rows > height;
        if !continues_in_row {
            pen.x = 0;
            pen.y = rows_of_first;
        }
        let stops = self.stops(&values);
        values.extend(self.place_then(&mut pen, &stops));
        values.retain(|place| place.area.y < height);

        let list_y = pen.next_row().clamp(rows_of_first, height);
        let list = if self.has_list() {
            self.list_place(list_y, height, free_after_first)
        } else {
            Rect::ZERO
        };

        let turn = self.turn_place();
        let (name, state) = if plan.state_rows > 0 {
            let name = Rect::new(0, 0, turn.x.saturating_sub(1), 1);
            let state = Rect::new(0, plan.state_y, self.width, plan.state_rows);
            (name, state)
        } else {
            split_name(turn.x)
        };

        CardPlaces {
            name,
            state,
            values,
            list,
            turn,
            rows_of_first,
        }
    }

    /// Divides the rows of a card between the values of `first`, the state, and everything else.
    fn plan_rows(&self, height: u16) -> RowPlan {
        let first = self.first_values();
        let rows_below_name = height - 1;
        let first_rows = self.rows_for_first(&first, rows_below_name);
        let full_height = self.full_height(first_rows);

        let is_full = height >= full_height;
        let has_state_row = rows_below_name > first_rows && (self.has_texts() || is_full);
        let spare_rows = height.saturating_sub(full_height);
        let has_second_row = self.has_texts() && spare_rows >= SPARE_ROWS_FOR_TEXTS;
        let state_rows = match (has_state_row, has_second_row) {
            (false, _) => 0,
            (true, false) => 1,
            (true, true) => 2,
        };

        RowPlan {
            bars: self.bars_within(&first, first_rows),
            state_y: 1 + first_rows,
            state_rows,
        }
    }

    /// Returns the number of rows for the values of `first`, with bars if the card has rows for them.
    fn rows_for_first(&self, first: &[CardEntry], rows_below_name: u16) -> u16 {
        let rows_with_bars = self.value_rows(first, true);
        let rows_without_bars = self.value_rows(first, false);

        let needs_row_for_bars = rows_with_bars > rows_without_bars;
        let text_rows = if needs_row_for_bars {
            self.text_rows()
        } else {
            0
        };
        let has_bars = rows_with_bars + text_rows <= rows_below_name;
        if has_bars {
            rows_with_bars
        } else {
            rows_without_bars.min(rows_below_name)
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
