//! Holds a frame of which only a part was painted anew against a whole one.

use ratatui::buffer::Buffer;

use crate::screen::display::Display;
use crate::screen::setup::Setup;
use crate::screen::state::ScreenState;
use crate::screen::update::mouse::HitMap;
use crate::screen::view;
use crate::table::SeatView;

/// What is shown is what would be shown if everything were painted anew, for the mouse, too.
pub(super) fn hold_against_whole(
    (seen, state, setup): (&SeatView<'_>, &ScreenState, &Setup),
    display: &Display,
    touched: &HitMap,
) {
    let mut whole = Buffer::empty(display.shown().area);
    let mut spots = HitMap::default();
    view::draw(seen, state, setup, None, (&mut whole, &mut spots));
    assert!(*display.shown() == whole, "a part of the screen is stale");
    assert!(spots.are(touched), "a place for the mouse is stale");
}
