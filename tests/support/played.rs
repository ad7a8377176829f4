//! Games that are played in words, and kept.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tableside::commands::Request;
use tableside::game::Game;
use tableside::rules::System;
use tableside::table::{Entry, OnEdit, Seat, Table};

use super::opened::{noon, opening};

/// How long a disk is waited for.
pub(crate) const PATIENCE: Duration = Duration::from_mins(1);

/// A new game, which is in the folder `unsaved-1`.
pub(crate) fn begin(data: &Path, system: System) -> Arc<Table> {
    let (game, dice) = (Game::new(system), opening(OnEdit::Ask).dice);
    Table::unsaved("t", game, Vec::new(), Some(data.into()), noon, dice)
}

/// Somebody does that, in the words of `tableside do`; or it is refused in such words.
pub(crate) fn run_command_as(
    table: &Arc<Table>,
    seat: &Seat,
    words: &str,
) -> Result<Entry, String> {
    let (words, wait) = (words.to_owned(), false);
    let done = Request::Say {
        words,
        wait,
        text: None,
    }
    .run(table, seat);
    done.map(|done| done.entry).map_err(|error| error.what)
}

/// The GM does it; returns the number of the entry.
pub(crate) fn run_command(table: &Arc<Table>, words: &str) -> u64 {
    run_command_as(table, &Seat::gm(), words).unwrap().number
}
