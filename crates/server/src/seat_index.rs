//! Which games of a host know a key or expect a name, so that a login costs the same however many games there are.
//!
//! The index holds what every `access.toml` says about seats. A thread of its own compares the stamps of all these files
//! with the stamps that it has read, and reads the files that changed. It does so when somebody asks for a fresh index:
//! a login whose key the index does not know, and a typed code. Many who ask at once wait for the same refresh. A key
//! that the index knows waits for none. What this process writes into an `access.toml` is in the index at once.
//!
//! The seats are also kept in a file of the data folder, so that the first refresh reads only the files that changed since
//! another process read them. This file never admits a player: a login reads the `access.toml` of the game itself.

use std::collections::{BTreeSet, HashMap};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::{Duration, Instant, SystemTime};

use chrono::{DateTime, Utc};
use parking_lot::{Mutex, RwLock};
use russh::keys::ssh_key::Fingerprint;
use russh::keys::{HashAlg, PublicKey};
use serde::{Deserialize, Serialize};
use tokio::sync::watch;
use tokio::time::timeout;

use super::access::{Access, read_access};
use super::invitation::Invitation;
use tableside_store::{ACCESS_FILE, FileStamp, GameFile, GameIndex, Storage, date_of};
use tableside_table::SeatRole;
use tableside_text::is_same_name;

/// How long a login waits for a fresh index before it goes on with the index as it is.
const PATIENCE: Duration = Duration::from_secs(5);

/// After a refresh the thread rests so many times as long as the refresh took: it takes a tenth of a core at most.
const REST: u32 = 9;

/// The longest rest between two refreshes that are asked for.
const LONGEST_REST: Duration = Duration::from_secs(1);

/// The part of the file name of the saved index.
const SAVED_INDEX: &str = "seats";

/// The saved index. Games with invitations are not in it, so that no code, not even its hash, has a copy.
type SavedIndex = GameIndex<FileStamp, Vec<SavedSeat>>;

/// A seat in the saved index.
#[derive(Clone, Serialize, Deserialize)]
struct SavedSeat {
    name: String,
    role: SeatRole,
    /// The fingerprints of the keys, as text.
    keys: Vec<String>,
}

impl SavedSeat {
    fn new(seat: &IndexedSeat) -> Self {
        Self {
            name: seat.name.clone(),
            role: seat.role,
            keys: seat.keys.iter().map(ToString::to_string).collect(),
        }
    }

    /// Returns the seat in memory. Returns `None` if a fingerprint cannot be parsed.
    fn restore(&self, game: &str) -> Option<IndexedSeat> {
        let mut keys = Vec::with_capacity(self.keys.len());
        for key in &self.keys {
            keys.push(key.parse().ok()?);
        }
        Some(IndexedSeat {
            game: game.to_owned(),
            name: self.name.clone(),
            role: self.role,
            keys,
            invitation: None,
        })
    }
}

/// A seat of a game, as the index knows it.
#[derive(Clone, Debug)]
pub(super) struct IndexedSeat {
    /// The game's name.
    pub(super) game: String,
    /// The seat's name.
    pub(super) name: String,
    pub(super) role: SeatRole,
    keys: Vec<Fingerprint>,
    invitation: Option<Invitation>,
}

/// The seats of one game.
struct IndexedGame {
    /// What the game's file was when it was read.
    stamp: Option<FileStamp>,
    seats: Vec<IndexedSeat>,
    /// False if the file of this stamp could not be read, so that the seats are those of an earlier version.
    is_readable: bool,
}

/// The games by what a login asks for.
#[derive(Default)]
struct Contents {
    games: HashMap<String, IndexedGame>,
    by_key: HashMap<Fingerprint, BTreeSet<String>>,
    /// The games that have a seat with an invitation.
    inviting: BTreeSet<String>,
}

/// A file that has another stamp than the index has of it.
struct ChangedFile<'a> {
    file: &'a GameFile,
    /// The stamp in the index when the files were compared.
    before: Option<FileStamp>,
}

/// The seats of all games of a host.
pub(super) struct SeatIndex {
    storage: Storage,
    contents: RwLock<Contents>,
    /// True once the saved index was read.
    is_restored: AtomicBool,
    /// How many refreshes have begun.
    begun: Mutex<u64>,
    /// The number of the last refresh that is done.
    done: watch::Sender<u64>,
    /// Wakes the thread.
    wake: SyncSender<()>,
}

impl SeatIndex {
    /// An empty index, and the wake-ups that [`run`](Self::run) waits for.
    pub(super) fn new(storage: Storage) -> (Self, Receiver<()>) {
        let (wake, woken) = sync_channel(1);
        let index = Self {
            storage,
            contents: RwLock::default(),
            is_restored: AtomicBool::new(false),
            begun: Mutex::default(),
            done: watch::Sender::default(),
            wake,
        };
        (index, woken)
    }

    /// Asks for a refresh, and does not wait for it. Returns the number of a refresh that begins after this call.
    pub(super) fn ask(&self) -> u64 {
        let next = *self.begun.lock() + 1;
        // Where the channel is full, a wake-up is waiting already.
        self.wake.try_send(()).unwrap_or_default();
        next
    }

    /// Waits for a refresh that began after this call.
    pub(super) async fn refreshed(&self) {
        let wanted = self.ask();
        let mut done = self.done.subscribe();
        let waiting = done.wait_for(|number| *number >= wanted);
        // Where the disk hangs, the index as it is has to do.
        drop(timeout(PATIENCE, waiting).await);
    }

    /// Refreshes the index once. Returns true if anything changed. Only the index's own thread calls it.
    pub(super) fn refresh(&self) -> bool {
        let number = {
            let mut begun = self.begun.lock();
            *begun += 1;
            *begun
        };
        // A folder that cannot be listed now is listed at the next refresh.
        let has_changed = match self.storage.files_beside_games(ACCESS_FILE) {
            Ok(files) => {
                if !self.is_restored.swap(true, Ordering::Relaxed) {
                    self.restore(&files);
                }
                self.take_in(&files)
            }
            Err(_) => false,
        };
        if has_changed {
            self.save();
        }
        self.done.send_replace(number);
        has_changed
    }

    /// Takes the seats of all unchanged files from the saved index.
    fn restore(&self, files: &[GameFile]) {
        let saved: SavedIndex = GameIndex::read(&self.storage, SAVED_INDEX);
        let mut contents = self.contents.write();
        for file in files {
            let Some(entry) = saved.get(&file.game) else {
                continue;
            };
            if entry.stamp != file.stamp || contents.stamp_of(&file.game).is_some() {
                continue;
            }

            let seats: Option<Vec<IndexedSeat>> = entry
                .summary
                .iter()
                .map(|seat| seat.restore(&file.game))
                .collect();
            if let Some(seats) = seats {
                contents.put_seats(&file.game, Some(file.stamp), seats);
            }
        }
    }

    /// Writes the saved index.
    fn save(&self) {
        let now = date_of(SystemTime::now());
        let mut saved: SavedIndex = GameIndex::empty(&self.storage, SAVED_INDEX);
        let contents = self.contents.read();
        for (game, indexed) in &contents.games {
            // A file that could not be read is read again after a start.
            if let Some(stamp) = indexed.stamp
                && indexed.is_readable
                && !contents.inviting.contains(game)
            {
                let seats = indexed.seats.iter().map(SavedSeat::new).collect();
                saved.insert(game, stamp, seats, now);
            }
        }
        drop(contents);
        saved.write();
    }

    fn take_in(&self, files: &[GameFile]) -> bool {
        let mut changed = Vec::new();
        let mut gone = Vec::new();
        {
            let contents = self.contents.read();
            for file in files {
                let before = contents.stamp_of(&file.game);
                if before != Some(file.stamp) {
                    changed.push(ChangedFile { file, before });
                }
            }

            let listed: BTreeSet<&str> = files.iter().map(|file| &*file.game).collect();
            for game in contents.games.keys() {
                if !listed.contains(&**game) {
                    gone.push(game.clone());
                }
            }
        }

        for ChangedFile { file, before } in &changed {
            // Logins look into the index while files are read.
            let access = read_access(&file.location);
            let mut contents = self.contents.write();
            if contents.stamp_of(&file.game) != *before {
                // This process has written the file meanwhile, and put that into the index.
                continue;
            }
            match access {
                Ok(access) => contents.put(&file.game, Some(file.stamp), &access),
                // A file that cannot be read counts as it was before.
                Err(_) => contents.keep(&file.game, file.stamp),
            }
        }
        let mut contents = self.contents.write();
        for game in &gone {
            contents.remove(game);
        }
        !(changed.is_empty() && gone.is_empty())
    }

    /// Takes in what this process has read or written of a game's file.
    pub(super) fn put(&self, game: &str, stamp: Option<FileStamp>, access: &Access) {
        self.contents.write().put(game, stamp, access);
    }

    /// True if a seat of any game lists that key.
    pub(super) fn knows(&self, key: &PublicKey) -> bool {
        let key = key.fingerprint(HashAlg::Sha256);
        self.contents.read().by_key.contains_key(&key)
    }

    /// The seats that a key opens, one for each game: where it opens several, the one of that name. Seats of that name
    /// come first.
    pub(super) fn seats_of(&self, key: &PublicKey, name: &str) -> Vec<IndexedSeat> {
        let key = key.fingerprint(HashAlg::Sha256);
        let contents = self.contents.read();

        let mut named = Vec::new();
        let mut others = Vec::new();
        for game in contents.by_key.get(&key).into_iter().flatten() {
            let Some(game) = contents.games.get(game) else {
                continue;
            };
            let mut opened = game.seats.iter().filter(|seat| seat.keys.contains(&key));
            let Some(first) = opened.next() else {
                continue;
            };
            let is_called = |seat: &&IndexedSeat| is_same_name(&seat.name, name.trim());
            match std::iter::once(first).chain(opened).find(is_called) {
                Some(seat) => named.push(seat.clone()),
                None => others.push(first.clone()),
            }
        }
        named.append(&mut others);
        named
    }

    /// The game with an invitation for that name that has that code. Nothing is counted.
    pub(super) fn invited_by(&self, name: &str, code: &str, now: DateTime<Utc>) -> Option<String> {
        let contents = self.contents.read();

        for game in &contents.inviting {
            let seats = contents.games.get(game).map_or(&[][..], |game| &game.seats);
            for seat in seats {
                let is_called = is_same_name(&seat.name, name.trim());
                let invitation = seat.invitation.as_ref().filter(|_| is_called);
                if invitation.is_some_and(|it| it.holds(now) && it.is(code)) {
                    return Some(game.clone());
                }
            }
        }
        None
    }
}

impl Contents {
    fn stamp_of(&self, game: &str) -> Option<FileStamp> {
        self.games.get(game)?.stamp
    }

    fn put(&mut self, game: &str, stamp: Option<FileStamp>, access: &Access) {
        let mut seats = Vec::new();
        for entry in &access.seats {
            seats.push(IndexedSeat {
                game: game.to_owned(),
                name: entry.name.clone(),
                role: entry.role,
                keys: entry
                    .public_keys()
                    .map(|key| key.fingerprint(HashAlg::Sha256))
                    .collect(),
                invitation: entry.invitation.clone(),
            });
        }
        self.put_seats(game, stamp, seats);
    }

    fn put_seats(&mut self, game: &str, stamp: Option<FileStamp>, seats: Vec<IndexedSeat>) {
        self.remove(game);

        for seat in &seats {
            for key in &seat.keys {
                let games = self.by_key.entry(*key).or_default();
                games.insert(game.to_owned());
            }
            if seat.invitation.is_some() {
                self.inviting.insert(game.to_owned());
            }
        }
        let indexed = IndexedGame {
            stamp,
            seats,
            is_readable: true,
        };
        self.games.insert(game.to_owned(), indexed);
    }

    /// Notes a file's stamp, and keeps the seats that the game had.
    fn keep(&mut self, game: &str, stamp: FileStamp) {
        let indexed = self.games.entry(game.to_owned());
        let indexed = indexed.or_insert(IndexedGame {
            stamp: None,
            seats: Vec::new(),
            is_readable: false,
        });
        indexed.stamp = Some(stamp);
        indexed.is_readable = false;
    }

    fn remove(&mut self, game: &str) {
        let Some(indexed) = self.games.remove(game) else {
            return;
        };
        self.inviting.remove(game);

        for key in indexed.seats.iter().flat_map(|seat| &seat.keys) {
            if let Some(games) = self.by_key.get_mut(key) {
                games.remove(game);
                if games.is_empty() {
                    self.by_key.remove(key);
                }
            }
        }
    }
}

/// Waits for wake-ups and has `refresh` run after each, until the index is gone or `refresh` says that it is over.
pub(super) fn run(woken: &Receiver<()>, mut refresh: impl FnMut() -> bool) {
    // The first refresh reads all files. Logins that came meanwhile are not kept waiting any longer.
    let mut is_first = true;

    while woken.recv().is_ok() {
        let began = Instant::now();
        if !refresh() {
            return;
        }
        if !is_first {
            std::thread::sleep((began.elapsed() * REST).min(LONGEST_REST));
        }
        is_first = false;
        // Whoever asked during the refresh or the rest is served by the next one, which has still to begin.
    }
}
