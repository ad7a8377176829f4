//! Measures the contents of the table, which decide its layout: the system with its cards, and the newest dice.

use std::hash::BuildHasher as _;

use rustc_hash::FxBuildHasher;

use crate::view::FrameInput;
use crate::view::context::ViewContext;
use crate::view::entry::dice_as_they_lie;
use crate::view::frame_cache::ValueCache;
use crate::view::layout::NewestDice;
use crate::widget::DiceRow;
use tableside_rules::System;
use tableside_table::SeatView;

/// The sizes of the contents of the table.
#[derive(Debug, Default)]
pub(crate) struct MeasuredTable {
    /// A hash of everything that the sizes depend on.
    pub(crate) key: u64,
    /// The system, which decides the sizes of the cards. `None` before the first measurement.
    pub(crate) system: Option<System>,
    pub(crate) newest_dice: NewestDice,
}

/// The number of rolls that are searched for the newest valid one.
const SEARCHED_ROLLS: usize = 30;

/// Measures the table again if it has changed. Returns `None` if the old sizes are still valid.
pub(crate) fn measure_table(input: FrameInput<'_>) -> Option<MeasuredTable> {
    let FrameInput { view, state, setup } = input;
    let newest = newest_roll(view);
    let system = view.system();
    let key = FxBuildHasher.hash_one((system, newest, state.is_covered));
    if state.table.measured.key == key {
        return None;
    }

    let values = ValueCache::default();
    let context = ViewContext {
        view,
        state,
        setup,
        look: setup.look(),
        values: &values,
    };
    Some(MeasuredTable {
        key,
        system: Some(system),
        newest_dice: NewestDice {
            box_widths: newest.map(|number| die_widths(number, context)),
        },
    })
}

/// Returns the newest roll that was not undone.
fn newest_roll(view: &SeatView<'_>) -> Option<u64> {
    view.rolled()
        .take(SEARCHED_ROLLS)
        .find(|number| !view.is_struck(*number))
}

fn die_widths(number: u64, context: ViewContext<'_>) -> Vec<u16> {
    let Some(entry) = context.view.entry(number) else {
        return Vec::new();
    };
    let dice = dice_as_they_lie(&entry, context.view);
    let row = DiceRow {
        dice: &dice,
        look: context.look,
    };
    row.box_widths().collect()
}
