//! How tests open a game of a folder.

use std::path::Path;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use tableside::dice::SystemDice;
use tableside::table::{OnEdit, Opening, Table};

pub(crate) fn noon() -> DateTime<Utc> {
    "2026-11-20T12:00:00Z".parse().unwrap()
}

pub(crate) fn opening(on_edit: OnEdit) -> Opening {
    Opening {
        clock: noon,
        dice: Box::new(SystemDice::from_key([1; 32])),
        view: false,
        on_edit,
    }
}

pub(crate) fn open(folder: &Path) -> Arc<Table> {
    Table::open(folder, opening(OnEdit::Ask)).unwrap().0
}
