//! Games that are played in words.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, Utc};
use tableside::dice::SystemDice;
use tableside::rules::System;
use tableside::session::Session;
use tableside::table::{OnEdit, Opening, Request, Seat, Table};

pub(crate) const PATIENCE: Duration = Duration::from_mins(1);

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

/// A new game, which is in the folder `unsaved-1`.
pub(crate) fn begin(data: &Path, system: System) -> Arc<Table> {
    let session = Session::new(system);
    let dice = Box::new(SystemDice::from_key([1; 32]));
    Table::unsaved("t", session, Vec::new(), Some(data.into()), noon, dice)
}

/// The GM does that, in the words of `tableside do`; returns the number of the entry.
pub(crate) fn say(table: &Arc<Table>, words: &str) -> u64 {
    let request = Request::Say {
        words: words.to_owned(),
        wait: false,
    };
    table.run(&Seat::gm(), &request).unwrap().entry.number
}
