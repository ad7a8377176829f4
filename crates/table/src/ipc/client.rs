//! The side that finds a game open elsewhere, and sends its request there.

use std::fs;
use std::io::{self, BufReader};
use std::net::Shutdown;
use std::os::unix::fs::FileTypeExt as _;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

use super::{Greeting, PATIENCE, SOCKET, Taken, VERSION, at_socket, read_line, send_line};
use crate::{RequestError, rules_beside};

/// The longest answer that is read, in bytes; an event is far shorter.
const LONGEST_ANSWER: usize = 16 * 1024 * 1024;

/// The longest that an answer is waited for.
const LONG_PATIENCE: Duration = Duration::from_secs(30);

/// Why a call came to nothing.
#[derive(Debug, Error)]
pub enum CallError {
    /// Nobody is there, or nobody has time now; nothing was done.
    #[error("nobody answers there")]
    Nobody,
    #[error("it is open in another version of tableside, which speaks {theirs:?}")]
    Version { theirs: String },
    /// The request was taken, and no answer came back.
    #[error("it was handed to the program that has the game open, and no answer came: {0}")]
    Lost(io::Error),
    /// The answer: it cannot be.
    #[error("{}", .0.what)]
    RequestError(RequestError),
}

/// Has the process that holds the game in that folder run the request.
pub fn call<A: DeserializeOwned>(folder: &Path, request: &impl Serialize) -> Result<A, CallError> {
    call_within(folder, request, LONG_PATIENCE)
}

/// The same, waiting at most so long for the request to be taken.
pub(super) fn call_within<A: DeserializeOwned>(
    folder: &Path,
    request: &impl Serialize,
    patience: Duration,
) -> Result<A, CallError> {
    let stream = at_socket(folder, SOCKET, |path| UnixStream::connect(path));
    let stream = stream.map_err(|_gone| CallError::Nobody)?;
    let mut reader = BufReader::new(&stream);
    let greeting = read_line(&mut reader, 1024, PATIENCE).map_err(|_gone| CallError::Nobody)?;
    let Ok(Greeting { tableside: VERSION }) = serde_json::from_slice(&greeting) else {
        let theirs = String::from_utf8_lossy(&greeting);
        return Err(CallError::Version {
            theirs: theirs.chars().take(40).collect(),
        });
    };
    let mut hand_in = || -> io::Result<Taken> {
        stream.set_write_timeout(Some(PATIENCE))?;
        send_line(&stream, request)?;
        let taken = read_line(&mut reader, 1024, patience).or_else(|_too_slow| {
            // From here on nobody can take it any more; whether somebody just did stands in what was sent.
            stream.shutdown(Shutdown::Read)?;
            read_line(&mut reader, 1024, PATIENCE)
        });
        Ok(serde_json::from_slice(&taken?)?)
    };
    // A server that goes before taking a request has not touched it.
    let Ok(Taken { taken: true }) = hand_in() else {
        return Err(CallError::Nobody);
    };
    let mut answer = || -> io::Result<Result<A, RequestError>> {
        let line = read_line(&mut reader, LONGEST_ANSWER, LONG_PATIENCE)?;
        // It may name rules that only the game's folder has.
        rules_beside(&folder.into());
        Ok(serde_json::from_slice(&line)?)
    };
    let answered = answer().map_err(CallError::Lost)?;
    answered.map_err(CallError::RequestError)
}

/// Whether a game's folder has a socket; only a call shows whether anybody answers there.
pub fn has_server(folder: &Path) -> bool {
    let metadata = fs::symlink_metadata(folder.join(SOCKET));
    metadata.is_ok_and(|metadata| metadata.file_type().is_socket())
}
