//! What all connections share: the table, who may come, who is there.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::runtime::Handle;
use tokio::sync::watch;

use super::Opening;
use super::access::{Access, AccessError, AccessFile, SeatEntry};
use super::admission::Admission;
use super::audit_log::AuditLog;
use super::file_worker::FileWorker;
use super::screens::Screens;
use super::token_bucket::TokenBucket;
use crate::table::{Listed, Seat, SeatId, Table};

/// A disk that takes so long to show a file hangs, and a login goes on with what is known.
const HANGING: Duration = Duration::from_secs(1);

/// What all connections share.
pub(super) struct ServerState {
    pub(super) table: Arc<Table>,
    pub(super) address: SocketAddr,
    pub(super) fingerprint: String,
    pub(super) opening: Opening,
    pub(super) admission: Arc<Mutex<Admission>>,
    pub(super) worker: FileWorker,
    pub(super) audit_log: Mutex<AuditLog>,
    /// Where screens hear and draw: no connection waits for one that has much to do.
    pub(super) painters: Handle,
    pub(super) access: AccessFile,
    pub(super) screens: Mutex<Screens>,
    /// Each connection that shows a screen listens to it, until it has said goodbye.
    pub(super) showing: watch::Sender<()>,
    pub(super) invitations: Mutex<TokenBucket>,
}

impl ServerState {
    /// Where the game is; it is kept from the start.
    pub(super) fn folder(&self) -> PathBuf {
        self.table.folder().unwrap_or_default()
    }

    /// Who may join, as the file said when it was looked at last.
    pub(super) fn access(&self) -> Arc<Access> {
        self.access.known()
    }

    /// Who may join, as the file says now, or said last where the disk hangs.
    pub(super) async fn access_now(&self) -> Arc<Access> {
        let looked = tokio::time::timeout(HANGING, self.worker.ask(Self::look));
        looked.await.ok();
        self.access()
    }

    /// Looks whether the file says something else; what follows from it holds from now on. It is the worker's.
    pub(super) fn look(&self) {
        if self.access.look(&self.folder()) {
            self.spread();
        }
    }

    /// Whether somebody has a screen here.
    pub(super) fn has_guests(&self) -> bool {
        !self.screens.lock().open.is_empty()
    }

    /// Tells everybody whom it concerns who may join and what they may.
    pub(super) fn spread(&self) {
        let access = self.access();
        self.admission.lock().limits = access.limits;
        self.table.allow(access.allowed());
        let mut listed = access.listed();
        let mut screens = self.screens.lock();
        let has_role = |id: &SeatId, role| access.by_id(*id).is_some_and(|one| one.role == role);
        screens.kept.retain(|id, (role, _)| has_role(id, *role));
        for open in &screens.open {
            match open.ends(&access) {
                Some(why) => open.mailbox.close(why),
                // Its name or its characters may be others.
                None => open.mailbox.change(),
            }
            if open.is_visitor {
                let visitor = SeatEntry {
                    name: open.seat.name.clone(),
                    id: Some(open.seat.id),
                    role: open.seat.role,
                    ..SeatEntry::default()
                };
                listed.push(Listed {
                    is_passing: true,
                    ..visitor.listed()
                });
            }
        }
        // Whoever spreads after this says what is newer.
        self.table.list(Some(listed));
        drop(screens);
    }

    pub(super) fn change<T>(
        &self,
        change: impl FnOnce(&mut Access) -> Result<T, AccessError>,
    ) -> Result<T, AccessError> {
        let answer = self.access.change(&self.folder(), change)?;
        self.spread();
        Ok(answer)
    }

    /// A seat as the file said when it was looked at last; None if it was taken away.
    pub(super) fn seat(&self, seat: SeatId) -> Option<Seat> {
        Some(self.seat_of(self.access().by_id(seat)?))
    }

    pub(super) fn seat_of(&self, entry: &SeatEntry) -> Seat {
        self.table.read(&Seat::gm(), |seen| entry.seat(seen))
    }
}
