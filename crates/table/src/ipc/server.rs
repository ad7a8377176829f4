//! The side that has the game open.

use std::collections::VecDeque;
use std::fs;
use std::io::{self, BufReader, ErrorKind};
use std::net::Shutdown;
use std::os::unix::fs::{FileTypeExt as _, PermissionsExt as _};
use std::os::unix::net::{UnixListener, UnixStream};
use std::sync::{Arc, PoisonError, RwLock, Weak};
use std::thread;
use std::time::Duration;

use parking_lot::Mutex;

use super::{
    Greeting, PATIENCE, RequestHandler, SOCKET, Taken, VERSION, at_socket, read_line, send_json,
    send_line,
};
use crate::Table;
use tableside_store::GameStore;

/// The longest request, in bytes: a party of many words.
pub(super) const LONGEST_REQUEST: usize = 4 << 20;

/// The most calls at a time. A further call takes the place of the oldest one that has not sent its whole request;
/// where all requests are running, the further call is sent away, and comes again.
const MOST_CALLS: usize = 16;

/// The calls that are being served.
#[derive(Debug, Default)]
struct Calls {
    next: u64,
    /// Calls whose request has not come yet, the oldest first.
    waiting: VecDeque<WaitingCall>,
    /// How many requests are running.
    running: usize,
}

#[derive(Debug)]
struct WaitingCall {
    number: u64,
    /// Another handle of the call's socket, by which it is ended.
    stream: UnixStream,
}

impl Calls {
    /// Takes a place for a call, and returns the call's number; none where there is no place.
    fn arrive(&mut self, stream: UnixStream) -> Option<u64> {
        if self.waiting.len() + self.running >= MOST_CALLS {
            let silent = self.waiting.pop_front()?;
            // The thread that reads from it ends. It is gone already where that fails.
            silent.stream.shutdown(Shutdown::Both).unwrap_or_default();
        }

        let number = self.next;
        self.next += 1;
        self.waiting.push_back(WaitingCall { number, stream });
        Some(number)
    }

    /// Notes that a call's request has come. Returns false if the call had to give way before.
    fn begin(&mut self, number: u64) -> bool {
        let place = self.waiting.iter().position(|call| call.number == number);
        let Some(place) = place else {
            return false;
        };
        self.waiting.remove(place);
        self.running += 1;
        true
    }
}

/// A call's place; given up when dropped.
struct CallPlace {
    calls: Arc<Mutex<Calls>>,
    number: u64,
    is_running: bool,
}

impl CallPlace {
    /// Notes that the request has come. Returns false if the call had to give way before.
    fn begin(&mut self) -> bool {
        self.is_running = self.calls.lock().begin(self.number);
        self.is_running
    }
}

impl Drop for CallPlace {
    fn drop(&mut self) {
        let mut calls = self.calls.lock();
        if self.is_running {
            calls.running -= 1;
        } else {
            calls.waiting.retain(|call| call.number != self.number);
        }
    }
}

/// Takes requests until it is dropped; what was taken by then is answered.
#[derive(Debug)]
pub(crate) struct IpcServer {
    store: Arc<dyn GameStore>,
    /// Whether requests are taken; read while one runs.
    is_open: Arc<RwLock<bool>>,
}

impl IpcServer {
    /// Serves the game that the store holds. Only the holder of its lock may: a socket that is there already
    /// was left behind.
    pub(crate) fn start(
        table: Weak<Table>,
        store: Arc<dyn GameStore>,
        handler: RequestHandler,
    ) -> io::Result<Self> {
        let place = store.location();
        let folder = place.folder().ok_or(ErrorKind::Unsupported)?;
        let path = folder.join(SOCKET);
        let in_the_way = fs::symlink_metadata(&path);
        if in_the_way.is_ok_and(|metadata| metadata.file_type().is_socket()) {
            fs::remove_file(&path)?;
        }
        let listener = at_socket(folder, SOCKET, |path| UnixListener::bind(path))?;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600))?;
        let is_open = Arc::new(RwLock::new(true));
        let open = Arc::clone(&is_open);
        thread::Builder::new()
            .name("ipc".to_owned())
            .spawn(move || listen(&listener, &table, handler, &open))?;
        Ok(Self { store, is_open })
    }
}

impl Drop for IpcServer {
    fn drop(&mut self) {
        // It waits for what is running: a moment, and at most as long as an answer may take.
        *self.is_open.write().unwrap_or_else(PoisonError::into_inner) = false;
        let place = self.store.location();
        let Some(folder) = place.folder() else {
            return;
        };
        // Wakes the thread that waits for calls, which then sees that it is over.
        at_socket(folder, SOCKET, |path| UnixStream::connect(path).map(drop)).unwrap_or_default();
        fs::remove_file(folder.join(SOCKET)).unwrap_or_default();
    }
}

fn is_over(open: &RwLock<bool>) -> bool {
    !*open.read().unwrap_or_else(PoisonError::into_inner)
}

/// Waits for calls until the server is dropped.
fn listen(
    listener: &UnixListener,
    table: &Weak<Table>,
    handler: RequestHandler,
    open: &Arc<RwLock<bool>>,
) {
    let calls = Arc::new(Mutex::new(Calls::default()));
    let mut failures = 0;
    loop {
        let accepted = listener.accept();
        if is_over(open) {
            return;
        }
        match accepted {
            Ok((stream, _)) => {
                failures = 0;
                let Ok(handle) = stream.try_clone() else {
                    continue;
                };
                let Some(number) = calls.lock().arrive(handle) else {
                    continue;
                };
                let mut place = CallPlace {
                    calls: Arc::clone(&calls),
                    number,
                    is_running: false,
                };
                let (table, open) = (Weak::clone(table), Arc::clone(open));
                let serving = move || {
                    // A caller that nobody understands hears nothing.
                    serve(&stream, &mut place, &table, handler, &open).unwrap_or_default();
                };
                // Without a thread for it the call ends unheard, and comes again.
                let thread = thread::Builder::new().name("call".to_owned());
                thread.spawn(serving).map(drop).unwrap_or_default();
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            // Too many files are open, for one; that passes.
            Err(_) if failures < 50 => {
                failures += 1;
                thread::sleep(Duration::from_millis(100));
            }
            Err(_) => return,
        }
    }
}

/// One call.
fn serve(
    stream: &UnixStream,
    place: &mut CallPlace,
    table: &Weak<Table>,
    handler: RequestHandler,
    open: &RwLock<bool>,
) -> io::Result<()> {
    stream.set_write_timeout(Some(PATIENCE))?;
    send_line(stream, &Greeting { tableside: VERSION })?;
    let line = read_line(&mut BufReader::new(stream), LONGEST_REQUEST, PATIENCE)?;
    if !place.begin() {
        return Ok(());
    }
    let Some(table) = table.upgrade() else {
        return Ok(());
    };
    // Released before the table is: dropping the last one drops the server, which waits for this.
    let open = open.read().unwrap_or_else(PoisonError::into_inner);
    if !*open {
        return Ok(());
    }
    send_line(stream, &Taken { taken: true })?;
    send_json(stream, handler(&table, &line)?)
}
