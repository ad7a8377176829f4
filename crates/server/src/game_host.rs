//! A host: all games of a folder behind one door. A game is opened when the first comes, and put away when
//! nobody has been there for a while.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use parking_lot::Mutex;
use russh::keys::ssh_key::Fingerprint;
use russh::keys::{HashAlg, PublicKey};
use serde_json::{Value as Json, json};

use super::access::{Access, AccessFile, SeatEntry, WrongCode, fresh_id};
use super::game::{HostedGame, OpenTable};
use super::invitation::TRIES;
use super::latency::Latency;
use super::seat_index::{self, IndexedSeat, SeatIndex};
use super::shared::Shared;
use tableside_rules::System;
use tableside_store::{GameLocation, Name, Storage};
use tableside_table::{RequestError, SeatId, SeatRole, Table, TokenBucket, Watching};
use tableside_tui::Library;

/// So long a table waits for somebody to come back.
const IDLE: Duration = Duration::from_mins(1);

/// How a host is opened.
pub struct HostOpening {
    /// Where all its games are kept.
    pub storage: Storage,
    /// A folder of this machine's own, where others ask how the host stands.
    pub folder: PathBuf,
    /// The host's own game: its clocks, and where those in the lobby are.
    pub table: Arc<Table>,
    /// Opens a game, with all that belongs to it.
    pub open: OpenGame,
    /// Makes games and knows their systems.
    pub library: Arc<dyn Library>,
    /// How long a table waits for somebody to come back; a minute where nothing is said.
    pub idle: Option<Duration>,
}

/// Opens the game that is kept there.
pub type OpenGame = Box<dyn Fn(&GameLocation) -> Result<OpenTable, RequestError> + Send + Sync>;

pub(super) struct GameHost {
    opening: HostOpening,
    pub(super) table: Arc<Table>,
    access: AccessFile,
    shared: Arc<Shared>,
    /// Which games know a key or expect a name.
    seats: Arc<SeatIndex>,
    /// How many games each person may begin now, by the person's seat in the host.
    new_games: Mutex<HashMap<SeatId, TokenBucket>>,
    /// How many wrong codes each person in the lobby may still type, by the key that the person came with.
    wrong_codes: Mutex<HashMap<Fingerprint, TokenBucket>>,
    /// Games by name, once somebody asked for them.
    games: Mutex<HashMap<String, Arc<HostedGame>>>,
    /// How long opening and putting away took, the longest of each.
    took: Mutex<[Duration; 2]>,
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
            new_games: Mutex::default(),
            wrong_codes: Mutex::default(),
            games: Mutex::default(),
            took: Mutex::default(),
        }
    }

    /// Where the files of the host itself are.
    pub(super) fn place(&self) -> GameLocation {
        self.opening.storage.host_files()
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

    /// Where people join and how they know this host, in a sentence.
    pub(super) fn describe(&self) -> String {
        let problem = self.access.problem();
        let problem = problem.map_or(String::new(), |problem| format!(" BUT: {problem}"));
        let Shared {
            address,
            fingerprint,
            ..
        } = &*self.shared;
        format!("The host is open at {address}; its host key is {fingerprint}.{problem}")
    }

    /// The game of that name, if there is one. It waits for the disk.
    pub(super) fn game(&self, name: &str) -> Option<Arc<HostedGame>> {
        let name = self.opening.storage.find(name, &[]).ok()?;
        let place = self.opening.storage.place(&name);
        let mut games = self.games.lock();
        if !place.exists() {
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
        let game = HostedGame::new(place, name.to_string(), access, Arc::clone(&self.shared));
        games.insert(name.to_string(), Arc::clone(&game));
        Some(game)
    }

    /// The games that somebody asked for so far.
    fn known(&self) -> Vec<Arc<HostedGame>> {
        self.games.lock().values().map(Arc::clone).collect()
    }

    /// When the game of that name was last saved; none where there is no such game. It waits for the disk.
    pub(super) fn played(&self, name: &str) -> Option<SystemTime> {
        let name = Name::new(name, &[]).ok()?;
        self.opening.storage.place(&name).last_saved()
    }

    /// The table of that game, if it is open.
    pub(super) fn open_table(&self, name: &str) -> Option<Arc<Table>> {
        self.games.lock().get(name)?.table()
    }

    /// The seat that a key opens in a game.
    pub(super) fn seat_in(game: &HostedGame, key: &PublicKey, name: &str) -> Option<SeatEntry> {
        game.access().by_key(key, name).cloned()
    }

    /// The seats that a key opens, one for each game, as the index has them.
    pub(super) fn seats_of(&self, key: &PublicKey, name: &str) -> Vec<IndexedSeat> {
        self.seats.seats_of(key, name)
    }

    /// Has the index of seats refreshed, and does not wait for it. The lobby is told where something changed.
    pub(super) fn refresh_seats(&self) {
        self.seats.ask();
    }

    /// Waits until the index of seats shows the files as they are now.
    pub(super) async fn seats_refreshed(&self) {
        self.seats.refreshed().await;
    }

    /// The same outside of a task.
    pub(super) fn wait_for_seats(&self) {
        let runtime = &self.shared.runtime;
        tokio::task::block_in_place(|| runtime.block_on(self.seats.refreshed()));
    }

    /// True if a seat of the host, or of any of its games, lists that key. No file is read.
    pub(super) fn knows(&self, key: &PublicKey, name: &str) -> bool {
        self.access().by_key(key, name).is_some() || self.seats.knows(key)
    }

    /// The seat in the host, or in any of its games, that lists that key in the file as it is now.
    pub(super) async fn by_key(self: &Arc<Self>, key: &PublicKey, name: &str) -> Option<SeatEntry> {
        let (host, key, name) = (Arc::clone(self), key.clone(), name.to_owned());
        let find = move || {
            host.read_access();
            if let Some(entry) = host.access().by_key(&key, &name) {
                return Some(entry.clone());
            }

            for seat in host.seats_of(&key, &name) {
                // The index may be behind the file.
                if let Some(game) = host.game(&seat.game) {
                    game.reread();
                    let entry = Self::seat_in(&game, &key, &name);
                    if entry.is_some() {
                        return entry;
                    }
                }
            }
            None
        };
        self.shared.worker.ask(find).await.flatten()
    }

    /// Redeems a code that belongs to the host, or to a seat of that name in any game, which it returns, too. It
    /// waits for the disk.
    ///
    /// In the lobby a wrong code counts against no invitation, because it does not tell which invitation it was meant
    /// for: people of one name would end each other's, and a stranger all of them. Guesses are bounded by the number of
    /// connections that log in at once, as each wrong code takes its connection a second.
    pub(super) fn redeem(
        &self,
        name: &str,
        code: &str,
    ) -> Option<(Option<Arc<HostedGame>>, SeatEntry)> {
        let now = (self.shared.clock)();

        self.read_access();
        if self.access().has_code(name, code, now) {
            let typed = (name, code);
            let uncounted = WrongCode::IsNotCounted;
            let (entry, _) = self.access.redeem(&self.place(), typed, now, uncounted);
            return Some((None, entry?));
        }

        let game = self.game(&self.seats.invited_by(name, code, now)?)?;
        let entry = game.redeem(name, code, WrongCode::IsNotCounted)?;
        Some((Some(game), entry))
    }

    /// Takes one of the wrong codes that the person with that key may type in the lobby; false where none is left.
    pub(super) fn take_code_try(&self, key: &PublicKey) -> bool {
        let now = Instant::now();
        let mut wrong_codes = self.wrong_codes.lock();
        // A bucket that is full again needs no entry.
        if wrong_codes.len() > 1000 {
            let fresh = Duration::from_mins(1);
            wrong_codes.retain(|_, tries| now.saturating_duration_since(tries.filled) < fresh);
        }
        let tries = f64::from(TRIES);
        let bucket = wrong_codes
            .entry(key.fingerprint(HashAlg::Sha256))
            .or_insert_with(|| TokenBucket::full(tries, now));
        bucket.take(1.0, (tries / 60.0, tries), now)
    }

    /// Gives a try back, because the code was right.
    pub(super) fn return_code_try(&self, key: &PublicKey) {
        let mut wrong_codes = self.wrong_codes.lock();
        if let Some(tries) = wrong_codes.get_mut(&key.fingerprint(HashAlg::Sha256)) {
            tries.left += 1.0;
        }
    }

    /// Changes `host.toml`.
    pub(super) fn change<T>(
        &self,
        change: impl FnMut(&mut Access) -> Result<T, RequestError>,
    ) -> Result<T, RequestError> {
        self.access.change(&self.place(), change)
    }

    /// Opens a game's table where it is not open. It waits for the disk.
    pub(super) fn open(&self, game: &Arc<HostedGame>) -> Result<Arc<Table>, RequestError> {
        let most = self.access().open_games.unwrap_or(u32::MAX);
        let games = self.known();
        let open = games.iter().filter(|game| game.table().is_some()).count();
        if game.table().is_none() && open >= usize::try_from(most).unwrap_or(usize::MAX) {
            return Err(RequestError::failed(format!(
                "{open} games are open in this host, and more may not be; try again later"
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
            // The host may have moved between its opening and its place here.
            table.follow_host()?;
            self.note(0, took, &game.name, "opened");
        }
        Ok(table)
    }

    /// Has all games that are open follow what happens in the host, on a thread of its own, for as long as the answer
    /// is kept.
    pub(super) fn follow_in_games(self: &Arc<Self>) -> io::Result<Watching> {
        let (tell, told) = sync_channel(1);
        let watching = self.table.watch(Box::new(move |_| {
            tell.try_send(()).unwrap_or_default();
        }));
        let host = Arc::downgrade(self);
        let follow = move || {
            let mut last = 0;
            while told.recv().is_ok()
                && let Some(host) = host.upgrade()
            {
                let now = host.table.last_event();
                // Who sits in the lobby is no news for the games.
                if std::mem::replace(&mut last, now) == now {
                    continue;
                }
                for table in host.known().iter().filter_map(|game| game.table()) {
                    // What cannot be saved now is followed with the next change, or when the game is opened again.
                    table.follow_host().unwrap_or_default();
                }
            }
        };
        let thread = thread::Builder::new().name("host".to_owned());
        thread.spawn(follow).map(|_running| watching)
    }

    /// Keeps the index of seats fresh, on a thread of its own, for as long as the host is there.
    pub(super) fn keep_seats_indexed(self: &Arc<Self>, woken: Receiver<()>) -> io::Result<()> {
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
        let thread = thread::Builder::new().name("seats".to_owned());
        thread.spawn(move || seat_index::run(&woken, refresh))?;
        // The first login finds it filled.
        self.seats.ask();
        Ok(())
    }

    /// Makes a game whose GM is the person of that name, by that key.
    pub(super) fn begin(
        &self,
        (name, system, sample): (&str, System, bool),
        (gm, key): (&str, Option<&PublicKey>),
    ) -> Result<(), String> {
        let access = self.access();
        let person = key
            .and_then(|key| access.gm_seat(key, gm))
            .ok_or("only who is named in host.toml begins a game, by a key that the host knows")?;

        // Held until the game is made, so that two people cannot both make the last one.
        let mut new_games = self.new_games.lock();
        let now = Instant::now();
        let most_per_minute = f64::from(access.new_games_per_minute());
        let bucket = new_games
            .entry(person.id())
            .or_insert_with(|| TokenBucket::full(most_per_minute, now));
        if !bucket.take(1.0, (most_per_minute / 60.0, most_per_minute), now) {
            return Err(format!(
                "you have begun {most_per_minute} games in a minute, and more may not be; wait a minute"
            ));
        }
        let made = self.make_game(name, system, sample, &access);
        if made.is_err() {
            bucket.left += 1.0;
        }
        drop(new_games);
        made?;

        let game = self.game(name).ok_or("the game was made, and is gone")?;
        let seated = game.change(|access| {
            let id = fresh_id();
            access.seats.push(SeatEntry::new(gm, id, SeatRole::Gm));
            key.map_or(Ok(()), |key| access.remember(id, key))
        });
        seated.map_err(|error| error.what)
    }

    /// Makes a game, unless there are as many as may be.
    fn make_game(
        &self,
        name: &str,
        system: System,
        sample: bool,
        access: &Access,
    ) -> Result<(), String> {
        let sessions = self.opening.storage.games();
        let games = sessions.map_err(|error| error.to_string())?.len();
        if games >= usize::try_from(access.most_games()).unwrap_or(usize::MAX) {
            return Err(format!(
                "there are {games} games here, and more may not be; ask whoever runs this server to archive some, or to raise most-games in host.toml"
            ));
        }
        self.opening.library.create(name, system, sample)
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

    /// The same, from a task.
    pub(super) async fn look_at_host_file(self: &Arc<Self>) {
        let host = Arc::clone(self);
        self.shared.worker.ask(move || host.read_access()).await;
    }

    /// Reads what was edited, and puts away what nobody needs. Only the worker calls it.
    pub(super) fn reread(&self) {
        self.read_access();
        // The lists of those in the lobby follow the files within a second.
        if self.table.sitting() > 0 {
            self.seats.ask();
        }
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

    /// How the host stands, as `tableside host --status` tells it.
    pub(super) fn status(&self) -> Json {
        let known = self.known();
        let seats = |game: &HostedGame| game.screens.lock().open.len();
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
