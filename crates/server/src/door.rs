//! The door that people come through, and the games behind it.

use std::sync::Arc;

use russh::keys::PublicKey;
use tokio::sync::watch;

use super::ServerOpening;
use super::access::{Access, Limits, SeatEntry};
use super::game::HostedGame;
use super::game_host::GameHost;
use super::shared::Shared;
use tableside_store::GameLocation;

pub(super) struct Door {
    pub(super) shared: Arc<Shared>,
    pub(super) opening: ServerOpening,
    /// Each connection with a screen subscribes until it has said goodbye; true once the door closes.
    pub(super) closing: watch::Sender<bool>,
    pub(super) behind: Behind,
}

/// What is behind a door.
pub(super) enum Behind {
    Game(Arc<HostedGame>),
    Host(Arc<GameHost>),
}

/// Where somebody wants to go who logs in.
#[derive(Clone)]
pub(super) enum Goal {
    Game(Arc<HostedGame>),
    Lobby(Arc<GameHost>),
    /// There is no such game: nobody gets in, and it looks and takes as long as with one.
    Nowhere,
}

impl Door {
    /// Where a user's name leads to, and the name of the seat in it: `friday+mira`, or `mira` alone.
    pub(super) async fn goal(self: &Arc<Self>, user: &str) -> (Goal, String) {
        let host = match &self.behind {
            Behind::Game(game) => return (Goal::Game(Arc::clone(game)), user.to_owned()),
            Behind::Host(host) => host,
        };
        let Some((game, seat)) = user.rsplit_once('+') else {
            return (Goal::Lobby(Arc::clone(host)), user.to_owned());
        };
        let (host, game) = (Arc::clone(host), game.to_owned());
        let find = move || host.game(&game);
        let found = self.shared.worker.ask(find).await.flatten();
        (found.map_or(Goal::Nowhere, Goal::Game), seat.to_owned())
    }

    /// Where the files of the door itself are.
    pub(super) fn place(&self) -> GameLocation {
        match &self.behind {
            Behind::Game(game) => game.place(),
            Behind::Host(host) => host.place(),
        }
    }

    /// Whether somebody is there, so that files are worth looking at.
    pub(super) fn is_awake(&self) -> bool {
        match &self.behind {
            Behind::Game(game) => !game.screens.lock().open.is_empty(),
            Behind::Host(host) => host.is_awake(),
        }
    }

    /// Reads what was edited. Only the worker calls it.
    pub(super) fn reread(&self) {
        match &self.behind {
            Behind::Game(game) => game.reread(),
            Behind::Host(host) => host.reread(),
        }
    }

    /// The limits of the door.
    pub(super) fn limits(&self) -> Limits {
        match &self.behind {
            Behind::Game(game) => game.access().limits,
            Behind::Host(host) => host.access().limits,
        }
    }
}

impl Goal {
    /// Who may come there, as the files are now.
    pub(super) async fn access_now(&self) -> Arc<Access> {
        match self {
            Self::Game(game) => game.access_now().await,
            Self::Lobby(host) => host.access(),
            Self::Nowhere => Arc::default(),
        }
    }

    /// Reads again what was edited, so that [`Self::lists`] knows it.
    pub(super) async fn look_at_files(&self) {
        match self {
            Self::Game(game) => drop(game.access_now().await),
            Self::Lobby(host) => host.refresh_access().await,
            Self::Nowhere => {}
        }
    }

    /// True if a seat there lists that key: a seat of the game, or in the lobby of the host and of any of its games.
    /// No file is read.
    pub(super) fn lists(&self, key: &PublicKey, name: &str) -> bool {
        match self {
            Self::Game(game) => game.access().by_key(key, name).is_some(),
            Self::Lobby(host) => host.knows(key, name),
            Self::Nowhere => false,
        }
    }

    /// Whom a key opens the way to: a seat, or in the lobby whoever it is in any game of the host.
    pub(super) async fn by_key(&self, key: &PublicKey, name: &str) -> Option<SeatEntry> {
        match self {
            Self::Lobby(host) => host.by_key(key, name).await,
            goal => goal.access_now().await.by_key(key, name).cloned(),
        }
    }

    /// The game, where it is one.
    pub(super) fn game(&self) -> Option<&Arc<HostedGame>> {
        match self {
            Self::Game(game) => Some(game),
            Self::Lobby(_) | Self::Nowhere => None,
        }
    }
}
