//! What the page shows, as bytes that all who look share, and what is sent to them when it changes.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use futures_util::Stream;
use futures_util::stream::unfold;
use parking_lot::{Mutex, RwLock};
use rand::RngExt as _;
use serde_json::{Map, Value as Json};
use subtle::ConstantTimeEq as _;
use tokio::sync::watch;
use tokio::time::timeout;

use super::page_key;
use tableside_store::FileStamp;
use tableside_table::{PublicPage, RequestError, Seat, StatusLine, Table, status_lines};
use tableside_text::escape_json;
use tableside_tui::table_json;

/// How long silence lasts before a comment tells that the connection holds.
const SILENCE: Duration = Duration::from_secs(30);

/// Letters of the part that nobody guesses: 131 bits.
pub(super) const LETTERS: usize = 28;

/// What the page shows at one moment.
pub(super) struct Shown {
    /// How often what is seen changed.
    count: u64,
    parts: Map<String, Json>,
    /// All of it.
    pub(super) json: Bytes,
    /// The same as an event.
    state: Bytes,
    /// The parts that are not as they were before, as an event.
    change: Bytes,
    /// All of it in plain lines.
    pub(super) told: Vec<StatusLine>,
}

/// What all connections share.
pub(super) struct Feed {
    table: Arc<Table>,
    address: SocketAddr,
    way: RwLock<Way>,
    /// The stamp of the key's file when it was last read or written.
    key_stamp: Mutex<Option<FileStamp>>,
}

/// How one gets there. Another way ends what came by this one, because its sender is gone.
struct Way {
    /// The part of the path that nobody guesses; empty where only this machine can ask.
    key: String,
    shown: watch::Sender<Arc<Shown>>,
}

impl Feed {
    /// Creates a feed for the page at that address. With a key, the path contains the stored key of the game.
    pub(super) fn new(
        table: Arc<Table>,
        address: SocketAddr,
        has_key: bool,
    ) -> Result<Self, RequestError> {
        let (parts, told) = look(&table);
        let shown = Shown::new(0, parts, told, &Map::new());
        let key = if has_key {
            key_of(&table)?
        } else {
            String::new()
        };
        let way = Way {
            key,
            shown: watch::Sender::new(Arc::new(shown)),
        };
        Ok(Self {
            table,
            address,
            way: RwLock::new(way),
            key_stamp: Mutex::default(),
        })
    }

    /// Uses the key of the game's file if it changed, because another process may have opened the page, too. Writes the
    /// file if it is missing, for example after a new game was saved for the first time.
    pub(super) fn follow_key(&self) {
        let place = self.table.place().filter(|_| !self.is_local());
        let Some(place) = place else {
            return;
        };
        let file = page_key::file(&place);
        let stamp = file.stamp();
        if stamp.is_some() && stamp == *self.key_stamp.lock() {
            return;
        }

        let own_key = self.way.read().key.clone();
        match page_key::read(&file) {
            Ok(Some(key)) if key != own_key => self.go_by(key),
            // A failed attempt is repeated at the next look, because there is no stamp.
            Ok(None) => drop(file.create(&page_key::text_of(&own_key))),
            // The page keeps its address. An error is reported when the page is opened the next time.
            Ok(Some(_)) | Err(_) => {}
        }
        *self.key_stamp.lock() = stamp;
    }

    /// Changes the key, which ends what was opened by the old one.
    fn go_by(&self, key: String) {
        let mut way = self.way.write();
        let shown = Arc::clone(&way.shown.borrow());
        *way = Way {
            key,
            shown: watch::Sender::new(shown),
        };
        drop(way);
        // What changed meanwhile went the old way.
        self.show();
    }

    /// Shows what changed. What players do not see is no change.
    pub(super) fn show(&self) {
        let (parts, told) = look(&self.table);
        self.way.read().shown.send_if_modified(|shown| {
            let is_seen = shown.parts != parts;
            if is_seen || shown.told != told {
                *shown = Arc::new(Shown::new(shown.count + 1, parts, told, &shown.parts));
            }
            is_seen
        });
    }

    /// What is shown now.
    pub(super) fn now(&self) -> Arc<Shown> {
        Arc::clone(&self.way.read().shown.borrow())
    }

    /// Whether only this machine can ask.
    pub(super) fn is_local(&self) -> bool {
        self.way.read().key.is_empty()
    }

    /// Whether somebody who asks for that path was told the address, in constant time.
    pub(super) fn knows(&self, path: &str) -> bool {
        let given = path.strip_prefix("/t/");
        let given = given.and_then(|rest| rest.split_once('/'));
        let way = self.way.read();
        let is_it = |given: &str| way.key.as_bytes().ct_eq(given.as_bytes()).into();
        way.key.is_empty() || given.is_some_and(|(given, _)| is_it(given))
    }

    /// What somebody gets who begins to look now.
    pub(super) fn subscribe(&self) -> watch::Receiver<Arc<Shown>> {
        self.way.read().shown.subscribe()
    }
}

/// The events for somebody who begins to look: all of it once, then each change. Who was too slow for a change gets all
/// of it again; nothing waits for anybody.
pub(super) fn events(
    shown: watch::Receiver<Arc<Shown>>,
) -> impl Stream<Item = Result<Bytes, Infallible>> {
    unfold((shown, None::<u64>), |(mut shown, last)| async move {
        let changed = match last {
            None => Ok(Ok(())),
            Some(_) => timeout(SILENCE, shown.changed()).await,
        };
        let (bytes, count) = match changed {
            Err(_silence) => (Bytes::from_static(b":\n\n"), last),
            Ok(Err(_over)) => return None,
            Ok(Ok(())) => {
                let now = Arc::clone(&shown.borrow_and_update());
                let is_next = last.is_some_and(|last| last + 1 == now.count);
                let bytes = if is_next { &now.change } else { &now.state };
                (bytes.clone(), Some(now.count))
            }
        };
        Some((Ok(bytes), (shown, count)))
    })
}

impl PublicPage for Feed {
    fn address(&self) -> String {
        let port = self.address.port();
        // This machine listens at all its addresses; people know which one leads here.
        let host = if self.address.ip().is_unspecified() {
            format!("HOST:{port}")
        } else {
            self.address.to_string()
        };
        match self.way.read().key.as_str() {
            "" => format!("http://{host}/"),
            key => format!("http://{host}/t/{key}/"),
        }
    }

    fn renew(&self) -> Result<String, String> {
        if self.is_local() {
            let words = "only this machine can open the page; it needs no other address";
            return Err(words.to_owned());
        }
        let key = random_letters();
        if let Some(place) = self.table.place() {
            let file = page_key::file(&place);
            let written = file.replace(&page_key::text_of(&key));
            written.map_err(|error| format!("the page keeps its address: {error}"))?;
            *self.key_stamp.lock() = file.stamp();
        }
        self.go_by(key);
        Ok(self.address())
    }
}

impl Shown {
    fn new(
        count: u64,
        parts: Map<String, Json>,
        told: Vec<StatusLine>,
        before: &Map<String, Json>,
    ) -> Self {
        let is_new = |(part, told): &(&String, &Json)| before.get(*part) != Some(*told);
        let changed = parts.iter().filter(is_new);
        let changed = changed.map(|(part, told)| (part.clone(), told.clone()));
        let write = |parts: &Map<String, Json>| {
            let json = serde_json::to_string(parts).unwrap_or_default();
            escape_json(&json).into_owned()
        };
        let event = |name: &str, json: &str| format!("event: {name}\ndata: {json}\n\n");
        let json = write(&parts);
        // A browser that loses the connection tries again after two seconds.
        let state = format!("retry: 2000\n{}", event("state", &json));
        let change = event("change", &write(&changed.collect()));
        Self {
            count,
            parts,
            json: json.into(),
            state: state.into(),
            change: change.into(),
            told,
        }
    }
}

/// Returns the stored key of the game. An unsaved game gets a temporary key, and so does a game opened with `--view` if
/// the key cannot be read or written.
fn key_of(table: &Table) -> Result<String, RequestError> {
    let Some(place) = table.place() else {
        return Ok(random_letters());
    };
    match page_key::open(&place) {
        Err(_) if table.is_view() => Ok(random_letters()),
        key => key,
    }
}

/// What everybody may see of the table.
fn look(table: &Table) -> (Map<String, Json>, Vec<StatusLine>) {
    let name = table.name();
    table.read(&Seat::onlooker(), |seen| {
        (table_json(&name, seen), status_lines(&name, seen))
    })
}

/// Letters that nobody guesses.
pub(super) fn random_letters() -> String {
    let mut luck: rand::rngs::StdRng = rand::make_rng();
    let letters = (0..LETTERS).map(|_| char::from(luck.random_range(b'a'..=b'z')));
    letters.collect()
}
