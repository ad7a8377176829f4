//! Undoing a follow-up or an entry from its explanation.

use crate::dialog::explain::ExplainDialog;
use tableside_table::{Act, Entry, SeatView};

impl ExplainDialog {
    /// Returns the act that undoes the last follow-up, or the roll itself if no follow-up is left.
    pub(super) fn undo_act(&self, view: &SeatView<'_>) -> Result<Act, &'static str> {
        let last_follow_up = self
            .follow_up_entries
            .iter()
            .rev()
            .find(|entry| !view.is_struck(entry.number));
        undo_entry(
            last_follow_up.map_or(self.number, |entry| entry.number),
            view,
        )
    }
}

/// Returns the act that undoes an entry.
///
/// For the GM, an entry before other acts is struck out. A player has to undo the later entries first.
pub(in crate::dialog) fn undo_entry(entry: u64, view: &SeatView<'_>) -> Result<Act, &'static str> {
    if view.is_struck(entry) {
        return Err("it is already undone");
    }

    let has_later_act = view
        .log_since(entry + 1)
        .any(|later| is_own_act(&later, view));
    if !has_later_act {
        return Ok(Act::Undo);
    }
    if view.seat().sees_all() {
        let reason = String::new();
        return Ok(Act::Strike { entry, reason });
    }
    Err("undo your later changes first, on the table")
}

/// Returns true if the entry is an act that this seat can undo.
fn is_own_act(entry: &Entry, view: &SeatView<'_>) -> bool {
    let seat = view.seat();
    let is_own = seat.sees_all() || entry.by == seat.name;
    is_own && entry.is_an_act() && !view.is_struck(entry.number)
}
