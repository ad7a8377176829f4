//! The ids of the rows of the roll dialog, except those of the fields.

use crate::dialog::RowId;

pub(super) const WHO: RowId = RowId::Row("who");
pub(super) const CHECK: RowId = RowId::Row("check");
pub(super) const AGAINST: RowId = RowId::Row("against");
pub(super) const HELPERS: RowId = RowId::Row("helpers");
pub(super) const CLOCK: RowId = RowId::Row("clock");

/// The visibility of the roll.
pub(super) const SEEN_BY: RowId = RowId::Row("seen_by");

/// Whether other players see that a hidden roll was made.
pub(super) const NOTICED: RowId = RowId::Row("noticed");

/// The names of other players from whom the roll is hidden.
pub(super) const OTHERS: RowId = RowId::Row("others");

/// The row that stands for the folded rows.
pub(super) const MORE: RowId = RowId::Row("more");

/// The list of the possible helpers. A row's number is the id of the character.
pub(super) const HELPER: &str = "helper";

/// The list of the players from whom the roll can be hidden.
pub(super) const PLAYER: &str = "player";
