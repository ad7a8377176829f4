//! Host clocks: clocks of the host's own game that all games of the host show and tick.
//!
//! The host's game owns the clocks. Every other game has copies of them, which are linked to the clocks of the host by
//! [`Clock::host_clock`]. Information flows in both directions:
//!
//! - `requests`: an act that would move a copy becomes a [`GameRequest`] to the host. A request that a link or a roll
//!   causes is saved with the game first, so that it is sent later if the host is out of reach.
//! - `updates`: the entries of the host's log become events of the game and move its copies.
//! - `undo`: an undo of such an event is performed by the host, and an undo at the host is followed here.
//!
//! A game saves the number of the last host entry that it has followed. Two processes may follow the same
//! entry; the second time has no effect. No table is locked while it calls another table.

mod requests;
mod undo;
mod updates;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Act, Entry, Problem, Seat, SeatId, Table};
use tableside_game::{Author, Clock, CommandError, GameActor, HostAction, HostRequest, SharedList};
use tableside_store::StoreError;

use updates::{DeclinedRequest, Pace};

pub(super) use undo::describe_reversal;
pub use updates::HostUpdate;

/// The maximum number of host entries that a game follows one by one. If there are more, it copies only the clocks that result from the older entries.
const MOST_FOLLOWED: u64 = 10_000;

/// The table of the host's own game, as the tables of its other games use it.
pub trait HostTable: Send + Sync {
    /// Performs an action for a game, and returns the number of the host's log entry. [`Problem::Refused`] is final;
    /// after any other error the request is sent again later.
    fn perform(&self, request: &GameRequest) -> Result<u64, Problem>;

    /// Returns the changes since an entry of the host's log. `entry` is 0 for a game that has never followed the host;
    /// then the changes have no entries.
    fn changes_since(&self, entry: u64) -> Result<HostChanges, Problem>;
}

/// A request from a game to its host.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct GameRequest {
    /// The name of the requesting player or GM, and the game.
    #[serde(rename = "at")]
    pub actor: GameActor,
    /// The seat in that game.
    pub seat: SeatId,
    #[serde(rename = "act")]
    pub action: HostAction,
}

/// Changes of the host's own game.
#[derive(Debug)]
pub struct HostChanges {
    /// The new log entries, oldest first.
    pub entries: Vec<Arc<Entry>>,
    /// All clocks after the newest entry.
    pub clocks: SharedList<Clock>,
    /// The number of the newest entry.
    pub last: u64,
}

impl HostTable for Arc<Table> {
    fn perform(&self, request: &GameRequest) -> Result<u64, Problem> {
        let author = Author::new(request.actor.to_string(), request.seat);
        let act = Act::ForGame(Box::new(request.clone()));
        let gm = Seat::gm();
        let entry = self.submit_by(&gm, &author, &act, None)?;
        Ok(entry.number)
    }

    fn changes_since(&self, entry: u64) -> Result<HostChanges, Problem> {
        Ok(self.host_changes(entry)?)
    }
}

impl Table {
    /// Returns the changes of this table, which is the host's own, since a log entry. See
    /// [`HostTable::changes_since`].
    pub fn host_changes(&self, since: u64) -> Result<HostChanges, StoreError> {
        let last = self.look().history.last();
        let oldest_followed = last.saturating_sub(MOST_FOLLOWED);
        let first = if since == 0 {
            last + 1
        } else {
            since.max(oldest_followed) + 1
        };
        self.reach_back(first.min(last))?;

        let inner = self.look();
        Ok(HostChanges {
            entries: inner.history.since(first).cloned().collect(),
            clocks: inner.game.clocks.clone(),
            last: inner.history.last(),
        })
    }

    /// Joins this game to a host, and follows the host's changes since the game was closed. One event sums them up.
    /// Only undos of entries that the game has followed before are separate events.
    pub fn join_host(self: &Arc<Self>, host: Arc<dyn HostTable>) -> Result<(), Problem> {
        *self.host.lock() = Some(host);
        self.sync_with_host(Pace::SumUp)
    }

    /// Follows each entry of the host since the last call. Call it after each change of the host, on any thread, but
    /// never within a [watcher](Self::watch), because it may send requests to the host.
    pub fn follow_host(self: &Arc<Self>) -> Result<(), Problem> {
        self.sync_with_host(Pace::EachEntry)
    }

    /// Follows the host and sends the saved requests, until all requests are sent.
    fn sync_with_host(self: &Arc<Self>, pace: Pace) -> Result<(), Problem> {
        let Some(host) = self.host.lock().clone() else {
            return Ok(());
        };

        loop {
            self.follow_changes(&*host, pace)?;
            let requests = self.look().game.host_requests.clone();
            if requests.is_empty() {
                return Ok(());
            }

            let declined = self.send_requests(&*host, &requests)?;
            // This also removes the requests that another process of the game has sent already.
            self.follow_changes(&*host, pace)?;
            self.apply_host_update(HostUpdate::Declined(declined))?;
        }
    }

    fn follow_changes(self: &Arc<Self>, host: &dyn HostTable, pace: Pace) -> Result<(), Problem> {
        let followed = self.look().game.followed;
        let changes = host.changes_since(followed)?;
        for update in changes.into_updates(followed, pace) {
            self.apply_host_update(update)?;
        }
        Ok(())
    }

    /// Sends requests to the host, and returns those that the host has refused.
    fn send_requests(
        &self,
        host: &dyn HostTable,
        requests: &[HostRequest],
    ) -> Result<Vec<DeclinedRequest>, Problem> {
        let mut declined = Vec::new();
        for request in requests {
            let game_request = self.look().game_request(request);
            match host.perform(&game_request) {
                Ok(_) => {}
                Err(Problem::Refused(refusal)) => {
                    let reason = refusal.to_string();
                    let id = request.id;
                    declined.push(DeclinedRequest { id, reason });
                }
                Err(problem) => return Err(problem),
            }
        }
        Ok(declined)
    }

    fn apply_host_update(self: &Arc<Self>, update: HostUpdate) -> Result<(), Problem> {
        let actor = update.actor(&self.name());
        let author = Author::new(&actor.name, actor.seat);
        let act = Act::FollowHost(Box::new(update));
        let gm = Seat::gm();
        match self.submit_here(&gm, &author, &act, None) {
            // If the game is unchanged, another process has updated it already, or it has no copy of the clocks.
            Ok(_) | Err(Problem::Refused(CommandError::Unchanged)) => Ok(()),
            Err(problem) => Err(problem),
        }
    }
}
