//! Requests from other processes of the same user: the process that has a game open runs them.
//!
//! The server listens on a Unix socket in the game's folder, which only the owner of the folder can enter. A call consists of
//! lines of JSON: the server greets, the client sends one request, the server accepts it, runs it and answers. A request
//! that was not accepted was not run, and can be sent again. A request that is malformed, too long or too slow ends its call
//! and has no other effect. The server sleeps between calls.

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

/// The version of the protocol. Both sides must have the same version.
const VERSION: u32 = 1;

/// The name of the socket in the game's folder.
const SOCKET: &str = "socket";

/// The longest path of a socket that every operating system accepts, in bytes.
const LONGEST_SOCKET_PATH: usize = 100;

/// The time limit for the other side to send a line.
const LINE_TIMEOUT: Duration = Duration::from_secs(5);

/// Runs the request of another process at a table. Both the request and the returned answer are JSON.
pub type RequestHandler = fn(&Arc<Table>, &[u8]) -> serde_json::Result<Vec<u8>>;

/// The first line of the server.
#[derive(Debug, Serialize, Deserialize)]
struct Greeting {
    tableside: u32,
}

/// The line with which the server accepts a request, before it runs the request.
#[derive(Debug, Serialize, Deserialize)]
struct Acceptance {
    taken: bool,
}

fn send_line(stream: &UnixStream, message: &impl Serialize) -> io::Result<()> {
    send_json(stream, serde_json::to_vec(message)?)
}

fn send_json(mut stream: &UnixStream, mut line: Vec<u8>) -> io::Result<()> {
    line.push(b'\n');
    stream.write_all(&line)
}

/// Reads a line of at most `limit` bytes. The whole line must arrive within `timeout`.
fn read_line(
    reader: &mut BufReader<&UnixStream>,
    limit: usize,
    timeout: Duration,
) -> io::Result<Vec<u8>> {
    let deadline = Instant::now() + timeout;
    let mut line = Vec::new();
    loop {
        let remaining = deadline.saturating_duration_since(Instant::now());
        if remaining.is_zero() {
            return Err(ErrorKind::TimedOut.into());
        }

        reader.get_ref().set_read_timeout(Some(remaining))?;
        let bytes = match reader.fill_buf() {
            // The signal that continues a stopped process interrupts a read with a timeout.
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            bytes => bytes?,
        };
        if bytes.is_empty() {
            return Err(ErrorKind::UnexpectedEof.into());
        }

        let newline = memchr::memchr(b'\n', bytes);
        line.extend(bytes.iter().take(newline.unwrap_or(bytes.len())));
        let consumed = newline.map_or(bytes.len(), |newline| newline + 1);
        reader.consume(consumed);
        if line.len() > limit {
            return Err(ErrorKind::FileTooLarge.into());
        }
        if newline.is_some() {
            return Ok(line);
        }
    }
}

/// Calls `act` with a path to the socket in a folder. The path is short enough for the operating system: the path of a
/// socket may have only about a hundred bytes, and the path of a game can be longer.
pub fn at_socket<T>(
    folder: &Path,
    name: &str,
    act: impl Fn(&Path) -> io::Result<T>,
) -> io::Result<T> {
    let path = folder.join(name);
    if path.as_os_str().as_bytes().len() <= LONGEST_SOCKET_PATH {
        return act(&path);
    }

    // A temporary symbolic link gives the folder a short name.
    let absolute_folder = fs::canonicalize(folder)?;
    let temporary_folders = [std::env::temp_dir(), "/tmp".into()];
    let mut last_error = io::Error::from(ErrorKind::InvalidInput);
    for temporary_folder in temporary_folders {
        match at_linked_socket(&temporary_folder, &absolute_folder, name, &act) {
            Ok(result) => return Ok(result),
            Err(error) => last_error = error,
        }
    }
    Err(last_error)
}

/// Calls `act` with a path to the socket through a link in a temporary folder.
fn at_linked_socket<T>(
    temporary_folder: &Path,
    folder: &Path,
    name: &str,
    act: &impl Fn(&Path) -> io::Result<T>,
) -> io::Result<T> {
    let folder_of_link = tempfile::Builder::new()
        .prefix("ts-")
        .tempdir_in(temporary_folder)?;
    let link = folder_of_link.path().join("s");
    symlink(folder, &link)?;
    act(&link.join(name))
}

#[cfg(test)]
mod tests;
