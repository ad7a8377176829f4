//! Tables over SSH: players join with a plain `ssh`, and need nothing else.
//!
//! [`Server::start`] opens one table to others, [`Server::host`] all games of a data folder, with a lobby. A
//! connection passes input to the mailbox of its screen and sends whole frames. The screen is the same as on this machine, with a seat of its own. Each screen is a task, on other
//! threads than the connections, so that a slow, dead or failing one disturbs nobody. One thread handles files.

mod accept;
mod access;
mod admission;
mod audit_log;
mod client_task;
mod connection;
mod door;
mod file_worker;
mod game;
mod game_host;
mod gatekeeper;
mod hostkey;
mod invitation;
mod latency;
mod lobby;
mod mailbox;
mod seat_index;
mod settings;
mod shared;
mod status_socket;

use std::io;
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, Utc};
use parking_lot::Mutex;
use tokio::net::{TcpListener, TcpSocket};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::watch;
use tokio::time::timeout;

pub use access::{Access, Limits, SeatEntry};
pub use admission::{Admission, ConnectionSlot, LoginStage, arrive};
pub use audit_log::Echo;
pub use game::OpenTable;
pub use game_host::{HostOpening, OpenGame};
pub use invitation::{Invitation, TRIES, join_command};
pub use status_socket::host_status;

use access::AccessFile;
use audit_log::AuditLog;
use door::{Behind, Door};
use file_worker::FileWorker;
use game::HostedGame;
use game_host::GameHost;
use seat_index::SeatIndex;
use shared::{LobbyParts, Shared};
use tableside_store::{GameLocation, Name, Sidecar, Storage};
use tableside_table::{
    Gatekeeper as _, Invited, RequestError, Seat, SeatRole, SeatView, Table, TimeSource, Watching,
};
use tableside_tui::Setup;

/// How long closing waits for the screens.
const FAREWELL: Duration = Duration::from_secs(2);

/// Connections that may wait to be accepted.
const BACKLOG: u32 = 512;

/// Bytes that may be on their way to a client that does not read; the system doubles it.
const SEND_BUFFER: u32 = 64 * 1024;

/// How a table is opened to others.
pub struct ServerOpening {
    /// Where people join.
    pub address: SocketAddr,
    /// Whether anybody may watch.
    pub open_watchers: bool,
    /// Whether only key exchanges are spoken that a quantum computer could not open.
    pub pq_only: bool,
    /// What every screen begins with, except for its seat.
    pub setup: Setup,
    /// Also gets each line of `joins.log`.
    pub echo: Option<Echo>,
    /// The seat whose screens panic when they hear Ctrl-\; for tests alone.
    #[cfg(debug_assertions)]
    pub panic_seat: Option<String>,
}

/// A table that is open to others, until this is dropped.
pub struct Server {
    door: Arc<Door>,
    /// Runs connections and screens; taken out when it ends.
    runtime: Option<Runtime>,
    /// Keeps the games of a host up to date with its clocks.
    following: Option<Watching>,
}

impl Server {
    /// Opens a table to others.
    pub fn start(table: &Arc<Table>, opening: ServerOpening) -> Result<Self, RequestError> {
        if table.is_view() {
            let view = "a game opened with --view cannot be hosted; leave out --view";
            return Err(RequestError::failed(view));
        }
        table.keep_now()?;
        let no_folder = "there is no folder for the game; give one with --data";
        let place = table
            .place()
            .ok_or_else(|| RequestError::failed(no_folder))?;
        let access = AccessFile::open(&place)?;
        let from = (&place, access.known().limits, table.clock());
        let server = Self::open(from, opening, None, |shared| {
            Behind::Game(HostedGame::new(
                place.clone(),
                String::new(),
                access,
                shared,
            ))
        })?;
        if let Behind::Game(game) = &server.door.behind {
            game.open(|| Ok((Arc::clone(table), Box::new(()))))?;
        }
        Ok(server)
    }

    /// Opens all games of a data folder to others.
    pub fn host(host: HostOpening, opening: ServerOpening) -> Result<Self, RequestError> {
        let place = host.storage.host_files();
        let access = AccessFile::of_host(&place)?;
        let from = (&place, access.known().limits, host.table.clock());
        let (seats, woken) = SeatIndex::new(host.storage.clone());
        let seats = Arc::new(seats);
        let lobby = Some(LobbyParts {
            table: Arc::clone(&host.table),
            seats: Arc::clone(&seats),
        });
        let mut server = Self::open(from, opening, lobby, |shared| {
            Behind::Host(Arc::new(GameHost::new(host, access, shared, seats)))
        })?;
        if let (Behind::Host(host), Some(runtime)) = (&server.door.behind, &server.runtime) {
            status_socket::open(runtime, host)?;
            host.keep_seats_indexed(woken)
                .map_err(|error| threadless(&error))?;
            server.following = Some(host.follow_in_games().map_err(|error| threadless(&error))?);
        }
        Ok(server)
    }

    fn open(
        (place, limits, clock): (&GameLocation, Limits, TimeSource),
        mut opening: ServerOpening,
        lobby: Option<LobbyParts>,
        behind: impl FnOnce(Arc<Shared>) -> Behind,
    ) -> Result<Self, RequestError> {
        let key = hostkey::open(place)?;
        let threads =
            std::thread::available_parallelism().map_or(2, |count| count.get().clamp(2, 8));
        // Screens and connections share the threads: a frame goes out on the thread that painted it.
        let mut runtime = Builder::new_multi_thread();
        runtime.worker_threads(threads).max_blocking_threads(8);
        let runtime = runtime.thread_name("server").enable_all().build();
        let runtime = runtime.map_err(|error| threadless(&error))?;
        let (listener, address) = listen(&runtime, opening.address)?;
        let (worker, jobs) = FileWorker::new();
        let shared = Arc::new(Shared {
            address,
            fingerprint: access::fingerprint(key.public_key()),
            clock,
            admission: Arc::default(),
            worker,
            audit_log: Mutex::new(AuditLog::new(clock, opening.echo.take())),
            runtime: runtime.handle().clone(),
            latency: Default::default(),
            lobby,
        });
        shared.admission.lock().limits = limits;
        let config = settings::settings(key, &limits, opening.pq_only);
        let door = Arc::new(Door {
            behind: behind(Arc::clone(&shared)),
            shared,
            opening,
            closing: watch::Sender::default(),
        });
        let [here, there] = [Arc::downgrade(&door), Arc::downgrade(&door)];
        let is_awake = move || here.upgrade().is_some_and(|door| door.is_awake());
        let reread = move || there.upgrade().iter().for_each(|door| door.reread());
        file_worker::start(jobs, is_awake, reread).map_err(|error| threadless(&error))?;
        address_file(place).replace(&format!("{address}\n"))?;
        runtime.spawn(accept::accept(
            listener,
            Arc::new(config),
            Arc::clone(&door),
        ));
        Ok(Self {
            door,
            runtime: Some(runtime),
            following: None,
        })
    }

    /// Where people join; the port is known even where any would do.
    pub fn address(&self) -> SocketAddr {
        self.door.shared.address
    }

    /// Where people join and how they know this table, in a sentence.
    pub fn describe(&self) -> String {
        match &self.door.behind {
            Behind::Game(game) => game.describe(),
            Behind::Host(host) => host.describe(),
        }
    }

    /// Whether nobody could join as things stand.
    pub fn has_no_seats(&self) -> bool {
        let Behind::Game(game) = &self.door.behind else {
            return false;
        };
        !self.door.opening.open_watchers && game.access().seats.is_empty()
    }
}

fn threadless(error: &io::Error) -> RequestError {
    RequestError::failed(format!("cannot start the server: {error}"))
}

/// Takes connections at an address, each with a bound on what waits for who does not read; says which address that is
/// where any free port was wanted.
pub fn listen(
    runtime: &Runtime,
    wanted: SocketAddr,
) -> Result<(TcpListener, SocketAddr), RequestError> {
    let _inside = runtime.enter();
    let listen = || {
        let socket = if wanted.is_ipv4() {
            TcpSocket::new_v4()
        } else {
            TcpSocket::new_v6()
        }?;
        socket.set_reuseaddr(true)?;
        socket.set_send_buffer_size(SEND_BUFFER)?;
        socket.bind(wanted)?;
        let listener = socket.listen(BACKLOG)?;
        let address = listener.local_addr()?;
        Ok((listener, address))
    };
    let refused = |error: io::Error| format!("cannot listen at {wanted}: {error}");
    listen().map_err(|error| RequestError::failed(refused(error)))
}

impl Drop for Server {
    fn drop(&mut self) {
        let door = Arc::clone(&self.door);
        drop(self.following.take());
        door.closing.send_replace(true);
        let goodbye = async { timeout(FAREWELL, door.closing.closed()).await };
        drop(door.shared.runtime.block_on(goodbye));
        let runtime = self.runtime.take().into_iter();
        runtime.for_each(|runtime| runtime.shutdown_timeout(Duration::from_millis(200)));
        let of_worker = Arc::clone(&door);
        let sum_up = move || {
            let place = of_worker.place();
            of_worker.shared.audit_log.lock().sum_up(&place);
        };
        door.shared.worker.ask_and_wait(sum_up);
        address_file(&door.place()).remove();
        match &door.behind {
            Behind::Game(game) => {
                if let Some(table) = game.table() {
                    table.list(None);
                }
            }
            Behind::Host(host) => host.close(),
        }
    }
}

/// Tells other commands where people join while the table is open.
fn address_file(place: &GameLocation) -> Sidecar {
    Sidecar::new(place, "address")
}

/// Where the table of that game is open to others now.
pub fn open_at(place: &GameLocation) -> Option<SocketAddr> {
    let file = address_file(place);
    let text = file.stamp().and_then(|_| file.read().ok().flatten())?;
    let address = text.trim().parse().ok()?;
    // A killed program leaves the file behind.
    let there = TcpStream::connect_timeout(&address, Duration::from_millis(300));
    there.is_ok().then_some(address)
}

/// Whether there is a seat of that name in the game that is kept there.
pub fn has_seat(place: &GameLocation, name: &str) -> Result<bool, RequestError> {
    Ok(AccessFile::open(place)?.known().by_name(name).is_some())
}

/// Reads the seats of a saved game, with the characters that they play in `view`. Does not change its files.
pub fn seats(place: &GameLocation, view: &SeatView<'_>) -> Result<Vec<Seat>, RequestError> {
    let mut access = access::read_access(place)?;
    // A seat that was added by hand has no id until the server writes one. Without an id, it would match all seats
    // without one.
    access.number();
    let seats = access.seats.iter().map(|entry| entry.seat(view));
    Ok(seats.collect())
}

/// Makes an invitation to the game of that name, also while the table is open. A new seat plays that character.
pub fn invite(
    (storage, game): (&Storage, &Name),
    (name, role, plays): (&str, Option<SeatRole>, Option<&str>),
    now: DateTime<Utc>,
) -> Result<Invited, RequestError> {
    let (place, host) = (storage.location(game), storage.host_files());
    let access = AccessFile::open(&place)?;
    // Players reach the game through the host if the host is open.
    let is_behind = open_at(&place).is_none() && open_at(&host).is_some();
    let (door, game) = if is_behind {
        (&host, game.as_str())
    } else {
        (&place, "")
    };
    let fingerprint = access::fingerprint(hostkey::open(door)?.public_key());
    let whence = (open_at(door), game, &*fingerprint);
    access.invite(&place, (name, role, plays), now, whence)
}

/// Makes an invitation to the lobby of the host.
pub fn invite_to_host(
    storage: &Storage,
    name: &str,
    now: DateTime<Utc>,
) -> Result<Invited, RequestError> {
    let host = storage.host_files();
    let access = AccessFile::of_host(&host)?;
    let fingerprint = access::fingerprint(hostkey::open(&host)?.public_key());
    let whence = (open_at(&host), "", &*fingerprint);
    access.invite(&host, (name, None, None), now, whence)
}
