//! The side that has the session open.

use std::fs;
use std::io::{self, BufReader, ErrorKind};
use std::os::unix::fs::{FileTypeExt as _, PermissionsExt as _};
use std::os::unix::net::{UnixListener, UnixStream};
use std::sync::{Arc, PoisonError, RwLock, Weak};
use std::thread;
use std::time::Duration;

use super::{Greeting, PATIENCE, SOCKET, Taken, VERSION, at_socket, read_line, send_line};
use crate::store::Store;
use crate::table::{Request, RequestError, Seat, Table};

/// The longest request, in bytes: a party of many words.
pub(super) const LONGEST_REQUEST: usize = 4 << 20;

/// The most calls at a time; more are sent away, and come again.
const MOST_CALLS: usize = 16;

/// Takes requests until it is dropped; what was taken by then is answered.
#[derive(Debug)]
pub(in crate::table) struct IpcServer {
    store: Arc<Store>,
    /// Whether requests are taken; read while one runs.
    is_open: Arc<RwLock<bool>>,
}

impl IpcServer {
    /// Serves the session that the store holds. Only the holder of its lock may: a socket that is there already
    /// was left behind.
    pub(in crate::table) fn start(table: Weak<Table>, store: Arc<Store>) -> io::Result<Self> {
        let place = store.place();
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
            .spawn(move || listen(&listener, &table, &open))?;
        Ok(Self { store, is_open })
    }
}

impl Drop for IpcServer {
    fn drop(&mut self) {
        // It waits for what is running: a moment, and at most as long as an answer may take.
        *self.is_open.write().unwrap_or_else(PoisonError::into_inner) = false;
        let place = self.store.place();
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
fn listen(listener: &UnixListener, table: &Weak<Table>, open: &Arc<RwLock<bool>>) {
    // Each call holds one more of it.
    let calls = Arc::new(());
    let mut failures = 0;
    loop {
        let accepted = listener.accept();
        if is_over(open) {
            return;
        }
        match accepted {
            Ok(_) if Arc::strong_count(&calls) > MOST_CALLS => {}
            Ok((stream, _)) => {
                failures = 0;
                let (table, open) = (Weak::clone(table), Arc::clone(open));
                let call = Arc::clone(&calls);
                let serving = move || {
                    // A caller that nobody understands hears nothing.
                    serve(&stream, &table, &open).unwrap_or_default();
                    drop(call);
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
fn serve(stream: &UnixStream, table: &Weak<Table>, open: &RwLock<bool>) -> io::Result<()> {
    stream.set_write_timeout(Some(PATIENCE))?;
    send_line(stream, &Greeting { tableside: VERSION })?;
    let line = read_line(&mut BufReader::new(stream), LONGEST_REQUEST, PATIENCE)?;
    let Some(table) = table.upgrade() else {
        return Ok(());
    };
    // Released before the table is: dropping the last one drops the server, which waits for this.
    let open = open.read().unwrap_or_else(PoisonError::into_inner);
    if !*open {
        return Ok(());
    }
    send_line(stream, &Taken { taken: true })?;
    let answer = match serde_json::from_slice::<Request>(&line) {
        Ok(request) => table.run(&Seat::gm(), &request),
        Err(error) => Err(RequestError::failed(format!("that is no request: {error}"))),
    };
    send_line(stream, &answer)
}
