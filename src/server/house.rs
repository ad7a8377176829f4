//! A house: all games of a folder behind one door. A game is opened when the first comes, and put away when
//! nobody has been there for a while.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::sync_channel;
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use parking_lot::Mutex;
use russh::keys::PublicKey;
use serde_json::{Value as Json, json};

use super::access::{Access, AccessFile, SeatEntry, fresh_id};
use super::game::{Game, OpenTable};
use super::latency::Latency;
use super::shared::Shared;
use crate::rules::System;
use crate::screen::Library;
use crate::store::{Name, Place, Storage};
use crate::table::{RequestError, SeatRole, Table, Watching};

/// So long a table waits for somebody to come back.
const IDLE: Duration = Duration::from_mins(1);

/// How a house is opened.
pub struct HouseOpening {
    /// Where all its games are kept.
    pub storage: Storage,
    /// A folder of this machine's own, where others ask how the house stands.
    pub folder: PathBuf,
    /// The house's own game: its clocks, and where those in the lobby are.
    pub table: Arc<Table>,
    /// Opens a game, with all that belongs to it.
    pub open: OpenGame,
    /// Makes games and knows their systems.
    pub library: Arc<dyn Library>,
    /// How long a table waits for somebody to come back; a minute where nothing is said.
    pub idle: Option<Duration>,
}

/// Opens the game that is kept there.
pub type OpenGame = Box<dyn Fn(&Place) -> Result<OpenTable, RequestError> + Send + Sync>;

pub(super) struct House {
    opening: HouseOpening,
    pub(super) table: Arc<Table>,
    access: AccessFile,
    shared: Arc<Shared>,
    /// Games by name, once somebody asked for them.
    games: Mutex<HashMap<String, Arc<Game>>>,
    /// How long opening and putting away took, the longest of each.
    took: Mutex<[Duration; 2]>,
}

impl House {
    pub(super) fn new(opening: HouseOpening, access: AccessFile, shared: Arc<Shared>) -> Self {
        Self {
            access,
            table: Arc::clone(&opening.table),
            opening,
            shared,
            games: Mutex::default(),
            took: Mutex::default(),
        }
    }

    /// Where the files of the house itself are.
    pub(super) fn place(&self) -> Place {
        self.opening.storage.house_files()
    }

    /// Where it tells others of this machine how it stands.
    pub(super) fn folder(&self) -> &Path {
        &self.opening.folder
    }

    /// What makes games and knows systems.
    pub(super) fn library(&self) -> &Arc<dyn Library> {
        &self.opening.library
    }

    /// `host.toml` as it was read last.
    pub(super) fn access(&self) -> Arc<Access> {
        self.access.known()
    }

    /// Where people join and how they know this house, in a sentence.
    pub(super) fn describe(&self) -> String {
        let problem = self.access.problem();
        let problem = problem.map_or(String::new(), |problem| format!(" BUT: {problem}"));
        let Shared {
            address,
            fingerprint,
            ..
        } = &*self.shared;
        format!("The house is open at {address}; its host key is {fingerprint}.{problem}")
    }

    /// The game of that name, if there is one. It waits for the disk.
    pub(super) fn game(&self, name: &str) -> Option<Arc<Game>> {
        let name = Name::new(name, &[]).ok()?;
        let place = self.opening.storage.place(&name);
        let mut games = self.games.lock();
        if !place.is_there() {
            // It was renamed or put into the archive.
            let gone = games.get(name.as_str());
            if gone.is_some_and(|game| game.table().is_none()) {
                games.remove(name.as_str());
            }
            return None;
        }
        if let Some(game) = games.get(name.as_str()) {
            return Some(Arc::clone(game));
        }
        let access = AccessFile::open(&place).ok()?;
        let game = Game::new(place, name.to_string(), access, Arc::clone(&self.shared));
        games.insert(name.to_string(), Arc::clone(&game));
        Some(game)
    }

    /// The games that somebody asked for so far.
    fn known(&self) -> Vec<Arc<Game>> {
        self.games.lock().values().map(Arc::clone).collect()
    }

    /// All games, the last played first, as their files are now. It waits for the disk.
    pub(super) fn games(&self) -> Vec<(Arc<Game>, SystemTime)> {
        let listed = self.opening.storage.sessions().unwrap_or_default();
        let games = listed.iter().filter_map(|listed| {
            let game = self.game(&listed.name)?;
            game.reread();
            Some((game, listed.played))
        });
        games.collect()
    }

    /// The seat that a key opens in a game.
    pub(super) fn seat_in(game: &Game, key: &PublicKey, name: &str) -> Option<SeatEntry> {
        game.access().by_key(key, name).cloned()
    }

    /// Whoever has that key in the house, or in any of its games.
    pub(super) async fn by_key(self: &Arc<Self>, key: &PublicKey, name: &str) -> Option<SeatEntry> {
        let (house, key, name) = (Arc::clone(self), key.clone(), name.to_owned());
        let find = move || {
            house.read_access();
            let known = house.access().by_key(&key, &name).cloned();
            known.or_else(|| {
                let games = house.games().into_iter();
                let mut seats = games.filter_map(|(game, _)| Self::seat_in(&game, &key, &name));
                let first = seats.next()?;
                let named = seats.find(|seat| !first.is_called(&name) && seat.is_called(&name));
                Some(named.unwrap_or(first))
            })
        };
        self.shared.worker.ask(find).await.flatten()
    }

    /// Redeems a code that belongs to the house, or to a seat of that name in any game, which it returns, too. It
    /// waits for the disk.
    pub(super) fn redeem(&self, name: &str, code: &str) -> Option<(Option<Arc<Game>>, SeatEntry)> {
        let clock = self.shared.clock;
        let of_house = self.access.redeem(&self.place(), (name, code), clock());
        if let (Some(entry), _) = of_house {
            return Some((None, entry));
        }
        let waits = |game: &Game| game.access().expects(name, clock());
        let mut games = self.games().into_iter().filter(|(game, _)| waits(game));
        games.find_map(|(game, _)| {
            let entry = game.redeem(name, code)?;
            Some((Some(game), entry))
        })
    }

    /// Changes `host.toml`.
    pub(super) fn change<T>(
        &self,
        change: impl FnMut(&mut Access) -> Result<T, RequestError>,
    ) -> Result<T, RequestError> {
        self.access.change(&self.place(), change)
    }

    /// Opens a game's table where it is not open. It waits for the disk.
    pub(super) fn open(&self, game: &Arc<Game>) -> Result<Arc<Table>, RequestError> {
        let most = self.access().open_games.unwrap_or(u32::MAX);
        let games = self.known();
        let open = games.iter().filter(|game| game.table().is_some()).count();
        if game.table().is_none() && open >= usize::try_from(most).unwrap_or(usize::MAX) {
            return Err(RequestError::failed(format!(
                "{open} games are open in this house, and more may not be; try again later"
            )));
        }
        let (place, began) = (game.place(), Instant::now());
        let mut took = None;
        let table = game.open(|| {
            let opened = (self.opening.open)(&place);
            took = Some(began.elapsed());
            opened
        })?;
        if let Some(took) = took {
            // The house may have moved between its opening and its place here.
            table.follow_house()?;
            self.note(0, took, &game.name, "opened");
        }
        Ok(table)
    }

    /// Has all games that are open follow what happens in the house, on a thread of its own, for as long as the answer
    /// is kept.
    pub(super) fn have_followed(self: &Arc<Self>) -> io::Result<Watching> {
        let (tell, told) = sync_channel(1);
        let watching = self.table.watch(Box::new(move |_| {
            tell.try_send(()).unwrap_or_default();
        }));
        let house = Arc::downgrade(self);
        let follow = move || {
            let mut last = 0;
            while told.recv().is_ok()
                && let Some(house) = house.upgrade()
            {
                let now = house.table.last_event();
                // Who sits in the lobby is no news for the games.
                if std::mem::replace(&mut last, now) == now {
                    continue;
                }
                for table in house.known().iter().filter_map(|game| game.table()) {
                    // What cannot be saved now is followed with the next change, or when the game is opened again.
                    table.follow_house().unwrap_or_default();
                }
            }
        };
        let thread = thread::Builder::new().name("house".to_owned());
        thread.spawn(follow).map(|_running| watching)
    }

    /// Makes a game whose GM is the person of that name, by that key.
    pub(super) fn begin(
        &self,
        (name, system, sample): (&str, System, bool),
        (gm, key): (&str, Option<&PublicKey>),
    ) -> Result<(), String> {
        self.opening.library.create(name, system, sample)?;
        let game = self.game(name).ok_or("the game was made, and is gone")?;
        let seated = game.change(|access| {
            let id = fresh_id();
            access.seats.push(SeatEntry::new(gm, id, SeatRole::Gm));
            key.map_or(Ok(()), |key| access.remember(id, key))
        });
        seated.map_err(|error| error.what)
    }

    /// Whether some table is open, so that there is something to look after.
    pub(super) fn is_awake(&self) -> bool {
        self.table.sitting() > 0 || self.known().iter().any(|game| game.table().is_some())
    }

    /// Reads `host.toml` again if it changed. Only the worker calls it.
    pub(super) fn read_access(&self) {
        if self.access.reread(&self.place()) {
            self.shared.admission.lock().limits = self.access().limits;
            self.shared.tell_lobby();
        }
    }

    /// Reads what was edited, and puts away what nobody needs. Only the worker calls it.
    pub(super) fn reread(&self) {
        self.read_access();
        for game in self.known() {
            if game.screens.lock().open.is_empty() {
                let began = Instant::now();
                if game.put_away(self.opening.idle.unwrap_or(IDLE)) {
                    self.note(1, began.elapsed(), &game.name, "put away");
                }
            } else {
                game.reread();
            }
        }
    }

    /// Puts everything away at the end.
    pub(super) fn close(&self) {
        for game in self.known() {
            game.put_away(Duration::ZERO);
        }
    }

    /// Remembers how long opening or putting away took, and says so.
    fn note(&self, which: usize, took: Duration, game: &str, what: &str) {
        let mut longest = self.took.lock();
        if let Some(longest) = longest.get_mut(which) {
            *longest = took.max(*longest);
        }
        drop(longest);
        let line = format!("{what} game={game:?} in {:.1} ms", millis(took));
        let mut audit_log = self.shared.audit_log.lock();
        audit_log.note(&self.place(), true, &line);
        drop(audit_log);
        self.shared.tell_lobby();
    }

    /// How the house stands, as `tableside host --status` tells it.
    pub(super) fn status(&self) -> Json {
        let known = self.known();
        let seats = |game: &Game| game.screens.lock().open.len();
        let open = known.iter().filter_map(|game| {
            let table = game.table()?;
            let events = table.last_event();
            Some(json!({"name": game.name, "screens": seats(game), "events": events}))
        });
        let open: Vec<Json> = open.collect();
        let screens: usize = known.iter().map(|game| seats(game)).sum();
        let [key, change] = &self.shared.latency;
        let told = |latency: &Latency| {
            let [middle, slow] = [500, 990].map(|share| latency.within(share));
            json!({"count": latency.total(), "p50-ms": middle, "p99-ms": slow})
        };
        let [opening, putting] = self.took.lock().map(millis);
        json!({
            "address": self.shared.address.to_string(),
            "games-open": open.len(),
            "screens": screens,
            "in-lobby": self.table.sitting(),
            "memory-kib": resident(),
            "key-to-frame": told(key),
            "change-to-frame": told(change),
            "longest-opening-ms": opening,
            "longest-putting-away-ms": putting,
            "games": open,
        })
    }
}

fn millis(took: Duration) -> f64 {
    (took.as_secs_f64() * 10_000.0).round() / 10.0
}

/// The memory of this process, in KiB; none where the system does not tell.
fn resident() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().trim_end_matches(" kB").parse().ok()
}
