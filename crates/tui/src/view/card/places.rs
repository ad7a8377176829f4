//! The places of everything on a card.

use ratatui::layout::Rect;

use crate::view::card::heights::LIST_ROWS;
use crate::view::card::name_row::split_name;
use crate::view::card::pen::Pen;
use crate::view::card::planner::CardPlanner;
use crate::view::card::stops::Stops;
use crate::view::card::value::ValueSlot;
use tableside_rules::CardEntry;

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
    /// The texts and lists of `then`. If `then` is ordered by height, also its other values. Without a row of their own
    /// they follow the values of `first`.
    pub(super) list: Rect,
    /// The initiative, and the sign that the character has acted.
    pub(super) turn: Rect,
    /// The number of rows down to the last value of `first` and the conditions.
    pub(super) rows_of_first: u16,
}

impl CardPlaces {
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
    /// Computes the places on a card of this height.
    pub(super) fn places(&self, height: u16) -> CardPlaces {
        if height < 2 {
            self.single_row()
        } else {
            self.several_rows(height)
        }
    }

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

        let stops = self.stops(&values);
        let pen_below = self.pen_at(rows_of_first);
        let continues_in_row =
            plan.state_rows == 0 && self.continues_in_row(pen, pen_below, &stops, height);
        if !continues_in_row {
            pen = pen_below;
        }
        values.extend(self.place_then(&mut pen, &stops));
        values.retain(|place| place.area.y < height);

        let list_y = pen.next_row().clamp(rows_of_first, height);
        let list = if !self.has_list() {
            Rect::ZERO
        } else if list_y < height {
            Rect::new(0, list_y, self.width, height - list_y)
        } else if continues_in_row {
            Rect::ZERO
        } else {
            free_after_first
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

    /// Returns true if the values of `then` continue in the last row of `first`: if not all of them fit below it, or if
    /// the list gets a row more. The two pens are at the end of that row and below it.
    fn continues_in_row(
        &self,
        mut pen_in_row: Pen,
        mut pen_below: Pen,
        stops: &Stops,
        height: u16,
    ) -> bool {
        self.place_then(&mut pen_in_row, stops);
        self.place_then(&mut pen_below, stops);
        let next_row_below = pen_below.next_row();
        if next_row_below > height {
            return true;
        }

        let saves_row = pen_in_row.next_row() < next_row_below;
        let is_list_cut = height - next_row_below < LIST_ROWS;
        self.has_list() && saves_row && is_list_cut
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
}
