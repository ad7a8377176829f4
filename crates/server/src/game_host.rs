//! A host: all games of a data folder behind one port.
//!
//! A game is opened for its first player and closed some time after its last player has left.

mod background;
mod codes;
mod new_games;
mod status;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use parking_lot::Mutex;
use russh::keys::PublicKey;

use super::access::{Access, AccessFile, SeatEntry};
use super::game::{HostedGame, OpenTable};
use super::seat_index::{IndexedSeat, SeatIndex};
use super::shared::Shared;
use codes::CodeTries;
use new_games::NewGameLimits;
use status::SlowestTimes;
use tableside_store::{GameLocation, Name, Storage};
use tableside_table::{RequestError, Table};
use tableside_tui::Library;

pub(super) use new_games::NewGm;

/// How long a game without players stays open.
const IDLE: Duration = Duration::from_mins(1);

/// How a host is opened.
pub struct HostOpening {
    /// Where all games are saved.
    pub storage: Storage,
    /// A folder of this machine with the socket for `tableside host --status`.
    pub folder: PathBuf,
    /// The table of the host's own game, with the host clocks and the players in the lobby.
    pub table: Arc<Table>,
    pub open: OpenGame,
    /// Creates games and finds their systems.
    pub library: Arc<dyn Library>,
    /// How long a game without players stays open; a minute by default.
    pub idle: Option<Duration>,
}

/// Opens the game that is saved at a place.
pub type OpenGame = Box<dyn Fn(&GameLocation) -> Result<OpenTable, RequestError> + Send + Sync>;

/// An open host.
pub(super) struct GameHost {
    opening: HostOpening,
    pub(super) table: Arc<Table>,
    access: AccessFile,
    shared: Arc<Shared>,
    /// The seats of all games, by key and by name.
    seats: Arc<SeatIndex>,
    new_games: NewGameLimits,
    code_tries: CodeTries,
    /// All requested games by name, open or closed.
    games: Mutex<HashMap<String, Arc<HostedGame>>>,
    slowest: Mutex<SlowestTimes>,
}

impl GameHost {
    pub(super) fn new(
        opening: HostOpening,
        access: AccessFile,
        shared: Arc<Shared>,
        seats: Arc<SeatIndex>,
    ) -> Self {
        Self {
            access,
            table: Arc::clone(&opening.table),
            opening,
            shared,
            seats,
            new_games: NewGameLimits::default(),
            code_tries: CodeTries::default(),
            games: Mutex::default(),
            slowest: Mutex::default(),
        }
    }

    /// The place of the host's own files, such as `host.toml`.
    pub(super) fn place(&self) -> GameLocation {
        self.opening.storage.host_files()
    }

    /// The folder with the status socket.
    pub(super) fn folder(&self) -> &Path {
        &self.opening.folder
    }

    pub(super) fn library(&self) -> &Arc<dyn Library> {
        &self.opening.library
    }

    /// The contents of `host.toml` when it was last read.
    pub(super) fn access(&self) -> Arc<Access> {
        self.access.known()
    }

    /// Describes the address and the host key in a sentence, and a problem of `host.toml`.
    pub(super) fn describe(&self) -> String {
        let Shared {
            address,
            fingerprint,
            ..
        } = &*self.shared;
        let sentence = format!("The host is open at {address}; its host key is {fingerprint}.");
        match self.access.problem() {
            Some(problem) => format!("{sentence} BUT: {problem}"),
            None => sentence,
        }
    }

    /// Returns the game of that name, if it exists. Waits for the disk.
    pub(super) fn game(&self, name: &str) -> Option<Arc<HostedGame>> {
        let name = self.opening.storage.find(name, &[]).ok()?;
        let place = self.opening.storage.location(&name);
        let mut games = self.games.lock();

        if !place.exists() {
            // The game was renamed or archived. An open table stays until its players have left.
            if let Some(game) = games.get(name.as_str())
                && game.table().is_none()
            {
                games.remove(name.as_str());
            }
            return None;
        }

        if let Some(game) = games.get(name.as_str()) {
            return Some(Arc::clone(game));
        }
        let access = AccessFile::open(&place).ok()?;
        let game = HostedGame::new(place, name.to_string(), access, Arc::clone(&self.shared));
        games.insert(name.to_string(), Arc::clone(&game));
        Some(game)
    }

    /// All requested games, open or closed.
    fn requested_games(&self) -> Vec<Arc<HostedGame>> {
        self.games.lock().values().map(Arc::clone).collect()
    }

    /// Returns when a game was last saved, or `None` if it does not exist. Waits for the disk.
    pub(super) fn last_saved(&self, name: &str) -> Option<SystemTime> {
        let name = Name::new(name, &[]).ok()?;
        self.opening.storage.location(&name).last_saved()
    }

    /// Returns the table of a game, if it is open.
    pub(super) fn open_table(&self, name: &str) -> Option<Arc<Table>> {
        self.games.lock().get(name)?.table()
    }

    /// Returns the seat of a game that lists a key.
    pub(super) fn seat_in(game: &HostedGame, key: &PublicKey, name: &str) -> Option<SeatEntry> {
        game.access().by_key(key, name).cloned()
    }

    /// Returns the indexed seats that list a key, one for each game.
    pub(super) fn seats_of(&self, key: &PublicKey, name: &str) -> Vec<IndexedSeat> {
        self.seats.seats_of(key, name)
    }

    /// Requests a refresh of the seat index. The lobby is notified if the index changes.
    pub(super) fn refresh_seats(&self) {
        self.seats.ask();
    }

    /// Waits until the seat index matches the files.
    pub(super) async fn seats_refreshed(&self) {
        self.seats.refreshed().await;
    }

    /// Waits until the seat index matches the files, outside of a task.
    pub(super) fn wait_for_seats(&self) {
        let runtime = &self.shared.runtime;
        tokio::task::block_in_place(|| runtime.block_on(self.seats.refreshed()));
    }

    /// True if a seat of the host or of any game lists the key. Reads no file.
    pub(super) fn knows(&self, key: &PublicKey, name: &str) -> bool {
        self.access().by_key(key, name).is_some() || self.seats.knows(key)
    }

    /// Returns the seat of the host or of any game that lists the key, according to the present files.
    pub(super) async fn by_key(self: &Arc<Self>, key: &PublicKey, name: &str) -> Option<SeatEntry> {
        let (host, key, name) = (Arc::clone(self), key.clone(), name.to_owned());
        let find_seat = move || host.read_seat(&key, &name);
        self.shared.worker.ask(find_seat).await.flatten()
    }

    /// Reads `host.toml` and the access files of the games in the index, and returns the first seat that lists the key.
    fn read_seat(&self, key: &PublicKey, name: &str) -> Option<SeatEntry> {
        self.read_access();
        if let Some(entry) = self.access().by_key(key, name) {
            return Some(entry.clone());
        }

        for seat in self.seats_of(key, name) {
            let Some(game) = self.game(&seat.game) else {
                continue;
            };
            // The index may be older than the file.
            game.reread();
            if let Some(entry) = Self::seat_in(&game, key, name) {
                return Some(entry);
            }
        }
        None
    }

    /// Changes `host.toml`.
    pub(super) fn change<T>(
        &self,
        change: impl FnMut(&mut Access) -> Result<T, RequestError>,
    ) -> Result<T, RequestError> {
        self.access.change(&self.place(), change)
    }

    /// Returns the table of a game and opens it if necessary. Waits for the disk.
    pub(super) fn open(&self, game: &Arc<HostedGame>) -> Result<Arc<Table>, RequestError> {
        if game.table().is_none() {
            self.check_open_games()?;
        }

        let place = game.place();
        let began = Instant::now();
        let mut time_to_open = None;
        let table = game.open(|| {
            let opened = (self.opening.open)(&place);
            time_to_open = Some(began.elapsed());
            opened
        })?;

        if let Some(time) = time_to_open {
            // The host's clocks may have changed after the table was opened and before it was listed here.
            table.follow_host()?;
            self.record_opening(&game.name, time);
        }
        Ok(table)
    }

    /// Refuses to open another game if `open-games` of `host.toml` is reached.
    fn check_open_games(&self) -> Result<(), RequestError> {
        let Some(limit) = self.access().open_games else {
            return Ok(());
        };
        let games = self.requested_games();
        let open = games.iter().filter(|game| game.table().is_some()).count();
        if open < usize::try_from(limit).unwrap_or(usize::MAX) {
            return Ok(());
        }
        Err(RequestError::failed(format!(
            "{open} games are open on this host, which is the limit; try again later"
        )))
    }

    /// True if a table is open or a player is in the lobby, so that files must be watched.
    pub(super) fn is_awake(&self) -> bool {
        let has_open_game = || {
            let games = self.requested_games();
            games.iter().any(|game| game.table().is_some())
        };
        self.table.sitting() > 0 || has_open_game()
    }

    /// Reads `host.toml` if it changed. Only the worker thread calls it.
    pub(super) fn read_access(&self) {
        if self.access.reread(&self.place()) {
            self.shared.admission.lock().limits = self.access().limits;
            self.shared.tell_lobby();
        }
    }

    /// Reads `host.toml` if it changed, on the worker thread.
    pub(super) async fn refresh_access(self: &Arc<Self>) {
        let host = Arc::clone(self);
        self.shared.worker.ask(move || host.read_access()).await;
    }

    /// Reads the files that changed and closes idle games. Only the worker thread calls it.
    pub(super) fn reread(&self) {
        self.read_access();
        // Players in the lobby see a changed file within a second.
        if self.table.sitting() > 0 {
            self.seats.ask();
        }

        for game in self.requested_games() {
            let has_screens = !game.screens.lock().open.is_empty();
            if has_screens {
                game.reread();
                continue;
            }

            let began = Instant::now();
            if game.put_away(self.opening.idle.unwrap_or(IDLE)) {
                self.record_closing(&game.name, began.elapsed());
            }
        }
    }

    /// Closes all games, when the server ends.
    pub(super) fn close(&self) {
        for game in self.requested_games() {
            game.put_away(Duration::ZERO);
        }
    }
}
