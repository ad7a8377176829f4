//! Games that are played in words, and kept.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tableside::rules::System;
use tableside::session::Session;
use tableside::table::{OnEdit, Request, Seat, Table};

use super::opened::{noon, opening};

/// How long a disk is waited for.
pub(crate) const PATIENCE: Duration = Duration::from_mins(1);

/// A new game, which is in the folder `unsaved-1`.
pub(crate) fn begin(data: &Path, system: System) -> Arc<Table> {
    let (session, dice) = (Session::new(system), opening(OnEdit::Ask).dice);
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
