//! The user behind a connection, and the place to which a login leads.

use std::sync::Arc;

use russh::keys::PublicKey;
use tokio::task::spawn_blocking;

use crate::access::SeatEntry;
use crate::door::{Behind, Door, Goal};
use crate::game::HostedGame;
use crate::lobby::Lobby;
use tableside_table::{Seat, Table};

/// A logged-in user.
#[derive(Clone)]
pub(crate) struct Arrival {
    pub(crate) name: String,
    /// The seat in the game, or in a lobby the user's seat in the host.
    pub(crate) seat: Option<SeatEntry>,
    /// True if the user watches without a seat.
    pub(crate) is_visitor: bool,
    /// The key that authenticated the user.
    pub(crate) key: Option<PublicKey>,
}

/// The place to which a login leads.
pub(crate) enum ArrivalPlace {
    Table { table: Arc<Table>, seat: Seat },
    Lobby(Lobby),
}

impl Arrival {
    /// Opens the place to which a login leads. The error is a sentence for the user.
    pub(crate) async fn arrive(
        &self,
        door: &Arc<Door>,
        goal: &Goal,
    ) -> Result<ArrivalPlace, String> {
        match goal {
            Goal::Nowhere => Err(seat_is_gone()),
            Goal::Lobby(host) => Ok(ArrivalPlace::Lobby(Lobby {
                shared: Arc::clone(&door.shared),
                host: Arc::clone(host),
                name: self.name.clone(),
                key: self.key.clone(),
            })),
            Goal::Game(game) => self.take_seat(door, game).await,
        }
    }

    async fn take_seat(
        &self,
        door: &Arc<Door>,
        game: &Arc<HostedGame>,
    ) -> Result<ArrivalPlace, String> {
        let mut entry = self.seat.clone();
        if !self.is_visitor {
            // The seat may have changed or gone since the login.
            let access = game.access_now().await;
            entry = entry.and_then(|entry| access.by_id(entry.id()).cloned());
        }
        let entry = entry.ok_or_else(seat_is_gone)?;

        let table = open_table(door, game).await?;
        let seat = table.read(&Seat::gm(), |view| entry.seat(view));
        Ok(ArrivalPlace::Table { table, seat })
    }
}

fn seat_is_gone() -> String {
    "This seat was removed.".to_owned()
}

/// Returns the table of a game. If it is closed, the host opens it.
async fn open_table(door: &Arc<Door>, game: &Arc<HostedGame>) -> Result<Arc<Table>, String> {
    if let Some(table) = game.table() {
        return Ok(table);
    }
    let Behind::Host(host) = &door.behind else {
        return Err("The table was closed.".to_owned());
    };

    let host = Arc::clone(host);
    let game = Arc::clone(game);
    match spawn_blocking(move || host.open(&game)).await {
        Ok(Ok(table)) => Ok(table),
        Ok(Err(error)) => Err(error.what),
        Err(_panic) => {
            let problem = "the game could not be opened because of a fault in Tableside";
            Err(problem.to_owned())
        }
    }
}
