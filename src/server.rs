//! The table over SSH: players join with a plain `ssh`, and need nothing else.
//!
//! [`Server::start`] opens a table to others. A connection passes input to the mailbox of its screen and sends
//! whole frames. The screen is the same as on this machine, with a seat of its own. Each screen is a task, on other
//! threads than the connections, so that a slow, dead or failing one disturbs nobody. One thread handles files.

mod accept;
mod access;
mod admission;
mod audit_log;
mod client_task;
mod connection;
mod file_worker;
mod gatekeeper;
mod hostkey;
mod invitation;
mod mailbox;
mod settings;
mod state;

use std::io;
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use tokio::net::{TcpListener, TcpSocket};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::watch;
use tokio::time::timeout;

pub use access::{Access, Limits, SeatEntry};
pub use audit_log::Echo;
pub use gatekeeper::join_command;
pub use invitation::{Invitation, TRIES};

use crate::screen::Setup;
use crate::store::Sidecar;
use crate::table::{Gatekeeper as _, Invited, RequestError, SeatRole, Table, TokenBucket};
use access::AccessFile;
use audit_log::AuditLog;
use file_worker::FileWorker;
use mailbox::CloseReason;
use state::ServerState;

/// How long closing waits for the screens.
const FAREWELL: Duration = Duration::from_secs(2);

/// Connections that may wait to be accepted.
const BACKLOG: u32 = 512;

/// Bytes that may be on their way to a client that does not read; the system doubles it.
const SEND_BUFFER: u32 = 64 * 1024;

/// How a table is opened to others.
pub struct Opening {
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
    state: Arc<ServerState>,
    /// One for the connections and one for the screens.
    runtimes: Vec<Runtime>,
}

impl Server {
    /// Opens a table to others.
    pub fn start(table: &Arc<Table>, mut opening: Opening) -> Result<Self, RequestError> {
        if table.is_view() {
            let view =
                "a game that is only looked at cannot be opened to others; leave --view away";
            return Err(RequestError::failed(view));
        }
        table.keep_now()?;
        let no_folder =
            "there is no folder to keep the game and its guests in; give one with --data";
        let folder = table
            .folder()
            .ok_or_else(|| RequestError::failed(no_folder))?;
        let threadless = |error| RequestError::failed(format!("cannot start the server: {error}"));
        let access = AccessFile::open(&folder)?;
        let key = hostkey::open(&folder)?;
        let threads =
            std::thread::available_parallelism().map_or(2, |count| count.get().clamp(2, 8));
        let threads = |name: &str| {
            Builder::new_multi_thread()
                .worker_threads(threads)
                .max_blocking_threads(4)
                .thread_name(name)
                .enable_all()
                .build()
                .map_err(threadless)
        };
        let (runtime, painters) = (threads("server")?, threads("screens")?);
        let (listener, address) = listen(&runtime, opening.address)?;
        let (worker, jobs) = FileWorker::new();
        let invitations = access.known().limits.invitations_per_minute;
        let state = Arc::new(ServerState {
            table: Arc::clone(table),
            address,
            fingerprint: access::fingerprint(key.public_key()),
            admission: Arc::default(),
            worker,
            audit_log: Mutex::new(AuditLog::new(Arc::clone(table), opening.echo.take())),
            painters: painters.handle().clone(),
            access,
            opening,
            screens: Mutex::default(),
            showing: watch::Sender::default(),
            invitations: Mutex::new(TokenBucket::full(invitations.into(), Instant::now())),
        });
        let weak = Arc::downgrade(&state);
        file_worker::start(jobs, weak).map_err(threadless)?;
        let door = Arc::downgrade(&state);
        table.set_gatekeeper(door);
        state.publish_access();
        address_file(&folder).replace(&format!("{address}\n"))?;
        let config = settings::settings(key, &state.access().limits, state.opening.pq_only);
        let accepting = accept::accept(listener, Arc::new(config), Arc::clone(&state));
        runtime.spawn(accepting);
        Ok(Self {
            state,
            runtimes: vec![runtime, painters],
        })
    }

    /// Where people join; the port is known even where any would do.
    pub fn address(&self) -> SocketAddr {
        self.state.address
    }

    /// Where people join and how they know this table, in a sentence.
    pub fn describe(&self) -> String {
        self.state.describe()
    }

    /// Whether nobody could join as things stand.
    pub fn has_no_seats(&self) -> bool {
        !self.state.opening.open_watchers && self.state.access().seats.is_empty()
    }
}

/// Takes connections at an address, each with a bound on what waits for who does not read; says which address that is
/// where any free port was wanted.
pub(crate) fn listen(
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
        for guest in &self.state.screens.lock().open {
            guest.mailbox.close(CloseReason::Over);
        }
        let goodbye = async { timeout(FAREWELL, self.state.showing.closed()).await };
        drop(self.state.painters.block_on(goodbye));
        for runtime in self.runtimes.drain(..) {
            runtime.shutdown_timeout(Duration::from_millis(200));
        }
        let sum_up = |state: &ServerState| state.audit_log.lock().sum_up();
        self.state.worker.ask_and_wait(sum_up);
        address_file(&self.state.folder()).remove();
        self.state.table.list(None);
    }
}

/// Tells other commands where people join while the table is open.
fn address_file(folder: &Path) -> Sidecar {
    Sidecar::new(folder, "address")
}

/// Where the table of that session is open to others now.
pub fn open_at(folder: &Path) -> Option<SocketAddr> {
    let file = address_file(folder);
    let text = file.stamp().and_then(|_| file.read().ok().flatten())?;
    let address = text.trim().parse().ok()?;
    // A killed program leaves the file behind.
    let there = TcpStream::connect_timeout(&address, Duration::from_millis(300));
    there.is_ok().then_some(address)
}

/// Whether there is a seat of that name in a session's folder.
pub fn has_seat(folder: &Path, name: &str) -> Result<bool, RequestError> {
    Ok(AccessFile::open(folder)?.known().by_name(name).is_some())
}

/// Makes an invitation in a session's folder, also while the table is open. A new seat plays that character.
pub fn invite(
    folder: &Path,
    (name, role, plays): (&str, Option<SeatRole>, Option<&str>),
    now: chrono::DateTime<chrono::Utc>,
) -> Result<Invited, RequestError> {
    let access = AccessFile::open(folder)?;
    let fingerprint = access::fingerprint(hostkey::open(folder)?.public_key());
    let whence = (open_at(folder), &*fingerprint);
    gatekeeper::invite_in(&access, folder, (name, role, plays), now, whence)
}
