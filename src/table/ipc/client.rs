//! The other side of the door: whoever finds a session open hands the errand in.

use std::io::{self, BufReader};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

use thiserror::Error;

use super::{Greeting, PATIENCE, Taken, VERSION, hear, say, socket_path};
use crate::table::{Request, RequestError, Response};

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
    /// Whoever is there is another version of the program.
    #[error("it is open in another version of tableside, which speaks {theirs:?}")]
    Version {
        /// What they said.
        theirs: String,
    },
    /// The errand was taken, and no answer came back.
    #[error("it was handed to whoever has the session open, and no answer came: {0}")]
    Lost(io::Error),
    /// It was answered: it cannot be.
    #[error("{}", .0.what)]
    RequestError(RequestError),
}

/// Has whoever holds the session in that folder run the errand.
pub fn call(folder: &Path, errand: &Request) -> Result<Response, CallError> {
    call_within(folder, errand, LONG_PATIENCE)
}

/// The same, waiting at most so long for the errand to be taken.
pub(super) fn call_within(
    folder: &Path,
    errand: &Request,
    patience: Duration,
) -> Result<Response, CallError> {
    let stream = socket_path::at(folder, |path| UnixStream::connect(path));
    let stream = stream.map_err(|_gone| CallError::Nobody)?;
    let mut reader = BufReader::new(&stream);
    let greeting = hear(&mut reader, 1024, PATIENCE).map_err(|_gone| CallError::Nobody)?;
    match serde_json::from_slice::<Greeting>(&greeting) {
        Ok(Greeting { tableside: VERSION }) => {}
        _ => {
            return Err(CallError::Version {
                theirs: String::from_utf8_lossy(&greeting)
                    .chars()
                    .take(40)
                    .collect(),
            });
        }
    }
    let mut hand_in = || -> io::Result<Taken> {
        stream.set_write_timeout(Some(PATIENCE))?;
        say(&stream, errand)?;
        let taken = hear(&mut reader, 1024, patience).or_else(|_too_slow| {
            // From here on nobody can take it any more; whether somebody just did stands in what was heard.
            stream.shutdown(Shutdown::Read)?;
            hear(&mut reader, 1024, PATIENCE)
        });
        Ok(serde_json::from_slice(&taken?)?)
    };
    // Whoever goes before taking an errand has not touched it.
    let Ok(Taken { taken: true }) = hand_in() else {
        return Err(CallError::Nobody);
    };
    let mut answer = || -> io::Result<Result<Response, RequestError>> {
        let line = hear(&mut reader, LONGEST_ANSWER, LONG_PATIENCE)?;
        Ok(serde_json::from_slice(&line)?)
    };
    answer()
        .map_err(CallError::Lost)?
        .map_err(CallError::RequestError)
}
