//! Bytes from the network before a login.

use std::fs;
use std::io::{self, Read as _, Write as _};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpStream};
use std::panic;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use socket2::SockRef;
use tableside::rules::System;
use tableside::screen::Setup;
use tableside::server::{Server, ServerOpening};
use tempfile::TempDir;

use crate::samples::open_stored_table;

/// The server drops a silent client after one second.
const LIMITS: &str = "[limits]\nnew-per-second = 10000\nlogin-seconds = 1\n";

/// How long a client waits for the server.
const TIMEOUT: Duration = Duration::from_secs(1);

/// The most bytes that a client reads.
const MAX_ANSWER: u64 = 1 << 20;

/// The server's first line, before its version.
const GREETING: &[u8] = b"SSH-2.0-Tableside\r\n";

/// Counts the panics in all threads of the process. A panic in a thread of the server does not reach the target.
static PANICS: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    static SERVER: RunningServer = RunningServer::start();
}

/// Connects to a server and sends the input.
pub(super) fn connect(input: &[u8]) {
    let address = SERVER.with(|running| running.server.address());

    let answer = exchange(address, input).expect("the server accepts the connection");
    assert!(answer.is_empty() || answer.starts_with(GREETING));

    let panics = PANICS.swap(0, Ordering::SeqCst);
    assert_eq!(panics, 0, "a thread of the server panicked");
}

/// Sends bytes to the server and returns its answer.
fn exchange(address: SocketAddr, bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(TIMEOUT))?;
    stream.set_write_timeout(Some(TIMEOUT))?;
    // Without this, thousands of closed connections would use up all local ports.
    SockRef::from(&stream).set_linger(Some(Duration::ZERO))?;

    let mut answer = Vec::new();
    // The server may close the connection at any time, so these errors are expected.
    stream.write_all(bytes).ok();
    stream.shutdown(Shutdown::Write).ok();
    stream.take(MAX_ANSWER).read_to_end(&mut answer).ok();
    Ok(answer)
}

struct RunningServer {
    server: Server,
    /// Deleted after the server has stopped, because fields are dropped in order.
    _data: TempDir,
}

impl RunningServer {
    fn start() -> Self {
        count_panics();
        let data = tempfile::tempdir().expect("a temporary folder can be made");
        let server = start_server(data.path());
        Self {
            server,
            _data: data,
        }
    }
}

fn count_panics() {
    let previous_hook = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        PANICS.fetch_add(1, Ordering::SeqCst);
        previous_hook(info);
    }));
}

fn start_server(data: &Path) -> Server {
    let table = open_stored_table(System::HEART_RUSH, Some(data.into()));
    table
        .keep_now()
        .expect("the temporary folder can be written");
    let folder = table.folder().expect("the game is saved in a folder");
    fs::write(folder.join("access.toml"), LIMITS).expect("the temporary folder can be written");

    let opening = ServerOpening {
        address: (Ipv4Addr::LOCALHOST, 0).into(),
        open_watchers: false,
        pq_only: false,
        setup: Setup::gm(),
        echo: None,
        #[cfg(debug_assertions)]
        panic_seat: None,
    };
    Server::start(&table, opening).expect("a port is free")
}
