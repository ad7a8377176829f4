//! The client: sends a request to the process that has a game open.

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

use super::{Acceptance, Greeting, LINE_TIMEOUT, SOCKET, VERSION, at_socket, read_line, send_line};
use crate::{RequestError, load_kept_rules};

/// The longest answer that the client accepts, in bytes. Answers are usually much shorter.
const LONGEST_ANSWER: usize = 16 * 1024 * 1024;

/// The longest greeting and the longest acceptance, in bytes.
const LONGEST_REPLY: usize = 1024;

/// The maximum length of an unknown greeting in an error message, in characters.
const LONGEST_SHOWN_GREETING: usize = 40;

/// The time limit for the server to accept a request, and then to run it.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(30);

/// A call failed.
#[derive(Debug, Error)]
pub enum CallError {
    /// No process has the game open, or that process is too busy. The request was not run.
    #[error("the program that has the game open does not answer")]
    NoAnswer,
    #[error(
        "the game is open in another version of tableside (it answers {theirs:?}); close it there, or use that version"
    )]
    Version { theirs: String },
    /// The request was accepted, and the connection broke before the answer. The request may have been run.
    #[error(
        "the program that has the game open accepted the request, but the connection broke before its answer: {0}"
    )]
    AnswerLost(io::Error),
    /// The server refused the request.
    #[error("{}", .0.what)]
    Refused(RequestError),
}

/// Sends a request to the process that has the game in a folder open, and returns its answer.
pub fn call<A: DeserializeOwned>(folder: &Path, request: &impl Serialize) -> Result<A, CallError> {
    call_within(folder, request, ANSWER_TIMEOUT)
}

/// Like [`call`], but waits at most `acceptance_timeout` for the server to accept the request.
pub(super) fn call_within<A: DeserializeOwned>(
    folder: &Path,
    request: &impl Serialize,
    acceptance_timeout: Duration,
) -> Result<A, CallError> {
    let stream = at_socket(folder, SOCKET, |path| UnixStream::connect(path))
        .map_err(|_error| CallError::NoAnswer)?;
    let mut reader = BufReader::new(&stream);
    read_greeting(&mut reader)?;

    // A server that ends the call before it accepts the request has not run it.
    match hand_over(&stream, &mut reader, request, acceptance_timeout) {
        Ok(Acceptance { taken: true }) => {}
        Ok(_) | Err(_) => return Err(CallError::NoAnswer),
    }

    let answer =
        read_line(&mut reader, LONGEST_ANSWER, ANSWER_TIMEOUT).map_err(CallError::AnswerLost)?;
    // The answer may refer to rules that only the game's folder contains.
    load_kept_rules(&folder.into());
    let result: Result<A, RequestError> =
        serde_json::from_slice(&answer).map_err(|error| CallError::AnswerLost(error.into()))?;
    result.map_err(CallError::Refused)
}

/// Reads the greeting of the server and compares the versions.
fn read_greeting(reader: &mut BufReader<&UnixStream>) -> Result<(), CallError> {
    let line = read_line(reader, LONGEST_REPLY, LINE_TIMEOUT);
    let greeting = line.map_err(|_error| CallError::NoAnswer)?;
    match serde_json::from_slice(&greeting) {
        Ok(Greeting { tableside: VERSION }) => Ok(()),
        Ok(_) | Err(_) => {
            let theirs = String::from_utf8_lossy(&greeting);
            Err(CallError::Version {
                theirs: theirs.chars().take(LONGEST_SHOWN_GREETING).collect(),
            })
        }
    }
}

/// Sends the request, and waits until the server accepts it.
fn hand_over(
    stream: &UnixStream,
    reader: &mut BufReader<&UnixStream>,
    request: &impl Serialize,
    acceptance_timeout: Duration,
) -> io::Result<Acceptance> {
    stream.set_write_timeout(Some(LINE_TIMEOUT))?;
    send_line(stream, request)?;

    let acceptance = match read_line(reader, LONGEST_REPLY, acceptance_timeout) {
        Ok(acceptance) => acceptance,
        Err(_too_slow) => {
            // From now on the server cannot accept the request. If the server has just accepted it, the acceptance is
            // in the buffer of the socket.
            stream.shutdown(Shutdown::Read)?;
            read_line(reader, LONGEST_REPLY, LINE_TIMEOUT)?
        }
    };
    Ok(serde_json::from_slice(&acceptance)?)
}

/// Returns true if the folder of a game contains a socket. Only a call shows whether a process answers there.
pub fn has_server(folder: &Path) -> bool {
    let metadata = fs::symlink_metadata(folder.join(SOCKET));
    metadata.is_ok_and(|metadata| metadata.file_type().is_socket())
}
