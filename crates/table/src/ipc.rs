//! Requests from other processes: who has a game open runs them for others of the same person.
//!
//! It is a Unix socket in the game's folder, which only its owner may enter. A call is a few lines of JSON: the
//! server greets, the client sends one request, the server takes it, runs it and answers. What ends before it
//! was taken was not done, and may be sent again. What is too long, too slow or no request ends the call and
//! nothing else. The server sleeps while nobody calls.

mod client;
mod server;

use std::fs;
use std::io::{self, BufRead as _, BufReader, ErrorKind, Write as _};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::Table;
pub use client::{CallError, call, has_server};
pub(super) use server::IpcServer;

/// What both sides must agree on.
const VERSION: u32 = 1;

/// The socket's name in the game's folder.
const SOCKET: &str = "socket";

/// The longest path that every system takes for a socket, in bytes.
const LONGEST: usize = 100;

/// The longest that the other side may take for a line.
const PATIENCE: Duration = Duration::from_secs(5);

/// Runs the request of another process at a table. Both the request and the returned answer are JSON.
pub type RequestHandler = fn(&Arc<Table>, &[u8]) -> serde_json::Result<Vec<u8>>;

/// What the server says first.
#[derive(Debug, Serialize, Deserialize)]
struct Greeting {
    tableside: u32,
}

/// What the server says once it has a request that it is going to run.
#[derive(Debug, Serialize, Deserialize)]
struct Taken {
    taken: bool,
}

fn send_line(stream: &UnixStream, what: &impl Serialize) -> io::Result<()> {
    send_json(stream, serde_json::to_vec(what)?)
}

fn send_json(mut stream: &UnixStream, mut line: Vec<u8>) -> io::Result<()> {
    line.push(b'\n');
    stream.write_all(&line)
}

/// Reads a line of at most so many bytes, in at most that time however it drips.
fn read_line(
    reader: &mut BufReader<&UnixStream>,
    longest: usize,
    patience: Duration,
) -> io::Result<Vec<u8>> {
    let until = Instant::now() + patience;
    let mut line = Vec::new();
    loop {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(ErrorKind::TimedOut.into());
        }
        reader.get_ref().set_read_timeout(Some(left))?;
        let bytes = match reader.fill_buf() {
            // A process that was stopped and goes on reads on: a wait with an end is interrupted by that.
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            bytes => bytes?,
        };
        if bytes.is_empty() || line.len() > longest {
            return Err(ErrorKind::UnexpectedEof.into());
        }
        let end = memchr::memchr(b'\n', bytes);
        line.extend(bytes.iter().take(end.unwrap_or(bytes.len())));
        let taken = end.map_or(bytes.len(), |end| end + 1);
        reader.consume(taken);
        if end.is_some() {
            return Ok(line);
        }
    }
}

/// Does something with a path that leads to a socket in that folder and is short enough: a socket's may be only
/// about a hundred bytes long, a game's much longer.
pub fn at_socket<T>(
    folder: &Path,
    name: &str,
    act: impl Fn(&Path) -> io::Result<T>,
) -> io::Result<T> {
    let path = folder.join(name);
    if path.as_os_str().as_bytes().len() <= LONGEST {
        return act(&path);
    }
    // A detour: a link to the folder under a short name, for as long as it takes.
    let folder = fs::canonicalize(folder)?;
    let places = [std::env::temp_dir(), "/tmp".into()];
    let mut refused = io::Error::from(io::ErrorKind::InvalidInput);
    for place in places {
        let detour = tempfile::Builder::new().prefix("ts-").tempdir_in(&place);
        let tried = detour.and_then(|detour| {
            let link = detour.path().join("s");
            symlink(&folder, &link)?;
            act(&link.join(name))
        });
        match tried {
            Ok(done) => return Ok(done),
            Err(error) => refused = error,
        }
    }
    Err(refused)
}

#[cfg(test)]
mod tests;
