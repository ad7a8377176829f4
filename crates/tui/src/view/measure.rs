//! Measures the dice of the newest roll, the lists on the cards, the names of clocks and the player's own sheet, which
//! decide the layout of the table.

use std::hash::BuildHasher as _;

use rustc_hash::FxBuildHasher;

use crate::view::card::CardLists;
use crate::view::clocks;
use crate::view::context::ViewContext;
use crate::view::entry::dice_as_they_lie;
use crate::view::layout::{NewestDice, OwnSheet};
use crate::view::own_sheet::{self, own_character};
use crate::view::{FrameCache, FrameInput};
use crate::widget::DiceRow;
use tableside_game::EntityKind;
use tableside_table::SeatView;

/// The number of rolls that are searched for the newest valid one.
const SEARCHED_ROLLS: usize = 30;

/// The sizes of the contents of the table.
#[derive(Debug, Default)]
pub(crate) struct MeasuredTable {
    /// A hash of everything that the sizes depend on.
    pub(crate) key: u64,
    pub(crate) newest_dice: NewestDice,
    pub(crate) card_lists: CardLists,
    /// The columns of the longest name of a clock.
    pub(crate) longest_clock_name: u16,
    /// The sheet of the player's own character. `None` for a seat without one.
    pub(crate) own_sheet: Option<OwnSheet>,
}

/// Measures the table again if it has changed. Returns `None` if the old sizes are still valid.
pub(crate) fn measure_table(
    input: FrameInput<'_>,
    frame_cache: &FrameCache,
) -> Option<MeasuredTable> {
    let FrameInput { view, state, setup } = input;
    let newest = newest_roll(view);
    let own_character = own_character(view);
    // A sheet changes with any event, and its height with the width of the screen.
    let sheet_key = own_character.map(|character| (character.id, view.revision(), state.size));
    let cards_revision = view.revision_of(EntityKind::Character);
    let clocks_revision = view.revision_of(EntityKind::Clock);
    let key = FxBuildHasher.hash_one((
        newest,
        state.is_covered,
        sheet_key,
        cards_revision,
        clocks_revision,
    ));
    if state.table.measured.key == key {
        return None;
    }

    let box_widths = newest.map(|number| {
        let Some(entry) = view.entry(number) else {
            return Vec::new();
        };
        let dice = dice_as_they_lie(&entry, view);
        let row = DiceRow {
            dice: &dice,
            look: setup.look(),
        };
        row.box_widths().collect()
    });
    let context = ViewContext {
        view,
        state,
        setup,
        look: setup.look(),
        values: &frame_cache.values,
    };
    Some(MeasuredTable {
        key,
        newest_dice: NewestDice { box_widths },
        card_lists: CardLists::measure(context),
        longest_clock_name: clocks::longest_name(context),
        own_sheet: own_character.map(|character| own_sheet::measure(character, context)),
    })
}

/// Returns the newest roll that was not undone.
fn newest_roll(view: &SeatView<'_>) -> Option<u64> {
    view.rolled()
        .take(SEARCHED_ROLLS)
        .find(|number| !view.is_struck(*number))
}
