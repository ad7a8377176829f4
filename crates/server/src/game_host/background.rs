//! The two background threads of a host.

use std::io;
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Arc, Weak};
use std::thread;

use super::GameHost;
use crate::seat_index;
use tableside_table::Watching;

impl GameHost {
    /// Starts the thread that applies changes of the host clocks to all open games. It ends when the returned value is
    /// dropped.
    pub(crate) fn follow_in_games(self: &Arc<Self>) -> io::Result<Watching> {
        // One pending signal is enough: the thread reads all changes since its last turn.
        let (signal, changes) = sync_channel(1);
        let watching = self.table.watch(Box::new(move |_| {
            // A full channel means that the thread is about to run anyway.
            signal.try_send(()).ok();
        }));

        let host = Arc::downgrade(self);
        thread::Builder::new()
            .name("host".to_owned())
            .spawn(move || apply_host_changes(&host, &changes))?;
        Ok(watching)
    }

    /// Starts the thread that keeps the seat index fresh. It ends with the host.
    pub(crate) fn keep_seats_indexed(self: &Arc<Self>, requests: Receiver<()>) -> io::Result<()> {
        let host = Arc::downgrade(self);
        let refresh = move || {
            let Some(host) = host.upgrade() else {
                return false;
            };
            if host.seats.refresh() {
                host.shared.tell_lobby();
            }
            true
        };
        thread::Builder::new()
            .name("seats".to_owned())
            .spawn(move || seat_index::run(&requests, refresh))?;

        // Fill the index before the first login.
        self.seats.ask();
        Ok(())
    }
}

fn apply_host_changes(host: &Weak<GameHost>, changes: &Receiver<()>) {
    let mut last_entry = 0;
    while changes.recv().is_ok() {
        let Some(host) = host.upgrade() else {
            return;
        };

        // Entering and leaving the lobby are changes without a log entry.
        let newest_entry = host.table.last_event();
        if newest_entry == last_entry {
            continue;
        }
        last_entry = newest_entry;

        for game in host.requested_games() {
            if let Some(table) = game.table() {
                // A game that cannot be saved now follows with the next change, or when it is opened again.
                table.follow_host().ok();
            }
        }
    }
}
