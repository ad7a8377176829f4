//! The server, in the process that has the game open.

use std::collections::VecDeque;
use std::fs;
use std::io::{self, BufReader, ErrorKind};
use std::net::Shutdown;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::{UnixListener, UnixStream};
use std::sync::{Arc, PoisonError, RwLock, Weak};
use std::thread;
use std::time::Duration;

use parking_lot::Mutex;

use super::{
    Acceptance, Greeting, LINE_TIMEOUT, RequestHandler, SOCKET, VERSION, at_socket, read_line,
    send_json, send_line,
};
use crate::Table;
use crate::ipc::has_server;
use tableside_store::GameStore;

/// The maximum length of a request, in bytes. The longest requests add a party of characters.
pub(super) const LONGEST_REQUEST: usize = 4 << 20;

/// The maximum number of calls at a time. A further call replaces the oldest call that has not sent its whole request.
/// If all requests are running, the further call is closed without an answer.
const MOST_CALLS: usize = 16;

/// The server stops after this many consecutive failures to accept a call.
const MOST_FAILURES: u32 = 50;

/// The time that the server waits after it has failed to accept a call.
const FAILURE_PAUSE: Duration = Duration::from_millis(100);

/// The calls that are being served.
#[derive(Debug, Default)]
struct Calls {
    next_number: u64,
    /// Calls whose request has not arrived yet, the oldest first.
    waiting: VecDeque<WaitingCall>,
    /// The number of requests that are running.
    running: usize,
}

#[derive(Debug)]
struct WaitingCall {
    number: u64,
    /// A second handle of the connection, to close it.
    stream: UnixStream,
}

impl Calls {
    /// Adds a call, and returns its number. Returns `None` if all requests are running.
    fn add(&mut self, stream: UnixStream) -> Option<u64> {
        if self.waiting.len() + self.running >= MOST_CALLS {
            let silent = self.waiting.pop_front()?;
            // Closing the connection ends the thread of the call. An error means that the client has already closed it.
            let _closed = silent.stream.shutdown(Shutdown::Both);
        }

        let number = self.next_number;
        self.next_number += 1;
        self.waiting.push_back(WaitingCall { number, stream });
        Some(number)
    }

    /// Records that the request of a call has arrived. Returns false if a later call has replaced the call.
    fn begin(&mut self, number: u64) -> bool {
        let position = self.waiting.iter().position(|call| call.number == number);
        let Some(position) = position else {
            return false;
        };

        self.waiting.remove(position);
        self.running += 1;
        true
    }
}

/// A call that is being served. Dropping it removes the call from the list.
struct ServedCall {
    calls: Arc<Mutex<Calls>>,
    number: u64,
    is_running: bool,
}

impl ServedCall {
    /// Records that the request has arrived. Returns false if a later call has replaced the call.
    fn begin(&mut self) -> bool {
        self.is_running = self.calls.lock().begin(self.number);
        self.is_running
    }
}

impl Drop for ServedCall {
    fn drop(&mut self) {
        let mut calls = self.calls.lock();
        if self.is_running {
            calls.running -= 1;
        } else {
            calls.waiting.retain(|call| call.number != self.number);
        }
    }
}

/// A server that accepts requests until it is dropped. Requests that it has accepted before are still answered.
#[derive(Debug)]
pub(crate) struct IpcServer {
    store: Arc<dyn GameStore>,
    /// True if requests are accepted. Locked for reading while a request runs.
    is_open: Arc<RwLock<bool>>,
}

impl IpcServer {
    /// Starts a thread that serves a game. This process must have the game open for playing. If a socket exists already, a killed process has left it behind.
    pub(crate) fn start(
        table: Weak<Table>,
        store: Arc<dyn GameStore>,
        handler: RequestHandler,
    ) -> io::Result<Self> {
        let location = store.location();
        let folder = location.folder().ok_or(ErrorKind::Unsupported)?;
        let path = folder.join(SOCKET);
        if has_server(folder) {
            fs::remove_file(&path)?;
        }
        let listener = at_socket(folder, SOCKET, |path| UnixListener::bind(path))?;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600))?;

        let is_open = Arc::new(RwLock::new(true));
        let context = ServerContext {
            table,
            handler,
            is_open: Arc::clone(&is_open),
        };
        thread::Builder::new()
            .name("ipc".to_owned())
            .spawn(move || listen(&listener, &context))?;
        Ok(Self { store, is_open })
    }
}

impl Drop for IpcServer {
    fn drop(&mut self) {
        // The lock is free when no request is running. A request takes only a moment.
        *self.is_open.write().unwrap_or_else(PoisonError::into_inner) = false;
        let location = self.store.location();
        let Some(folder) = location.folder() else {
            return;
        };

        // A connection wakes the thread, which then sees that the server is closed. If the folder was removed, the thread
        // sleeps until the process ends.
        let _woken = at_socket(folder, SOCKET, |path| UnixStream::connect(path).map(drop));
        let _removed = fs::remove_file(folder.join(SOCKET));
    }
}

/// The data that all calls need.
#[derive(Clone)]
struct ServerContext {
    table: Weak<Table>,
    handler: RequestHandler,
    is_open: Arc<RwLock<bool>>,
}

impl ServerContext {
    fn is_closed(&self) -> bool {
        !*self.is_open.read().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Accepts calls until the server is dropped.
fn listen(listener: &UnixListener, context: &ServerContext) {
    let calls = Arc::new(Mutex::new(Calls::default()));
    let mut failures = 0;
    loop {
        let accepted = listener.accept();
        if context.is_closed() {
            return;
        }

        match accepted {
            Ok((stream, _)) => {
                failures = 0;
                start_call(stream, &calls, context);
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            // For example, the process may have too many open files for a moment.
            Err(_) if failures < MOST_FAILURES => {
                failures += 1;
                thread::sleep(FAILURE_PAUSE);
            }
            Err(_) => return,
        }
    }
}

/// Serves a call on a new thread. If the call cannot be served now, the connection is closed without an answer.
fn start_call(stream: UnixStream, calls: &Arc<Mutex<Calls>>, context: &ServerContext) {
    let Ok(handle) = stream.try_clone() else {
        return;
    };
    let Some(number) = calls.lock().add(handle) else {
        return;
    };

    let mut call = ServedCall {
        calls: Arc::clone(calls),
        number,
        is_running: false,
    };
    let context = context.clone();
    let serve_and_close = move || {
        // If the call fails, the connection is closed, and the client reports the error.
        let _served = serve(&stream, &mut call, &context);
    };
    // If the thread cannot start, the closure and its connection are dropped.
    let _thread = thread::Builder::new()
        .name("call".to_owned())
        .spawn(serve_and_close);
}

/// Reads the request of a call, accepts it, runs it, and sends the answer.
fn serve(stream: &UnixStream, call: &mut ServedCall, context: &ServerContext) -> io::Result<()> {
    stream.set_write_timeout(Some(LINE_TIMEOUT))?;
    send_line(stream, &Greeting { tableside: VERSION })?;

    let request = read_line(&mut BufReader::new(stream), LONGEST_REQUEST, LINE_TIMEOUT)?;
    if !call.begin() {
        return Ok(());
    }
    let Some(table) = context.table.upgrade() else {
        return Ok(());
    };

    // This lock must be released before `table`, and it is, because it is declared later: dropping the last reference to
    // the table drops the server, which waits for the lock.
    let is_open = context
        .is_open
        .read()
        .unwrap_or_else(PoisonError::into_inner);
    if !*is_open {
        return Ok(());
    }

    send_line(stream, &Acceptance { taken: true })?;
    let answer = (context.handler)(&table, &request)?;
    send_json(stream, answer)
}
