//! What a server's connections, games and screens share.

use std::net::SocketAddr;
use std::sync::Arc;

use parking_lot::Mutex;
use tokio::runtime::Handle;

use super::admission::Admission;
use super::audit_log::AuditLog;
use super::file_worker::FileWorker;
use super::latency::Latency;
use super::seat_index::SeatIndex;
use tableside_table::{Table, TimeSource};

pub(super) struct Shared {
    pub(super) address: SocketAddr,
    pub(super) fingerprint: String,
    pub(super) clock: TimeSource,
    pub(super) admission: Arc<Mutex<Admission>>,
    pub(super) worker: FileWorker,
    /// Runs connections and screens.
    pub(super) runtime: Handle,
    pub(super) audit_log: Mutex<AuditLog>,
    /// How long it takes to a screen's frame, from a key and from a change.
    pub(super) latency: [Latency; 2],
    /// The shared parts of a host's games; `None` for a single table.
    pub(super) lobby: Option<LobbyParts>,
}

/// The shared parts of a host's games.
pub(super) struct LobbyParts {
    /// Where those are who have not gone to a table yet.
    pub(super) table: Arc<Table>,
    /// Which games know a key or expect a name.
    pub(super) seats: Arc<SeatIndex>,
}

impl Shared {
    /// Has those who are in the lobby look anew; not on this thread, for one of them may wait for it.
    pub(super) fn tell_lobby(&self) {
        if let Some(lobby) = &self.lobby {
            let table = Arc::clone(&lobby.table);
            drop(self.runtime.spawn_blocking(move || table.refresh_screens()));
        }
    }
}
