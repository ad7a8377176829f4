//! How a command changes a session: by opening it, or through the process that has it open.

use std::thread;
use std::time::{Duration, Instant};

use super::{App, CliError, open};
use crate::store::StoreError;
use crate::table::ipc::{CallError, call, has_server};
use crate::table::{Request, Response, Seat};

/// How long to wait for a session whose holder does not answer: other commands hold one for a moment only.
const PATIENCE: Duration = Duration::from_secs(20);

/// How long to wait for one and the same holder that has no socket.
const PATIENCE_WITH_ONE: Duration = Duration::from_secs(5);

impl App<'_> {
    /// Runs the request in that session, wherever it is open.
    pub(super) fn send(&mut self, given: &str, request: &Request) -> Result<Response, CliError> {
        let folder = open::name(given)?.in_folder(self.config.data()?);
        let until = Instant::now() + PATIENCE;
        let mut holder = (None, Instant::now());
        loop {
            let held = match self.open_now(given, false) {
                Ok((table, notices)) => {
                    // What is read from the answer stays what it is: notices go beside it.
                    self.notices.extend(notices);
                    let done = table.run(&Seat::gm(), request);
                    open::close(&table)?;
                    return Ok(done?);
                }
                Err(CliError::Held(held)) => held,
                Err(error) => return Err(error),
            };
            if let StoreError::Held { by, .. } = &held
                && holder.0 != by.pid
            {
                holder = (by.pid, Instant::now());
            }
            let stays = !has_server(&folder) && holder.1.elapsed() > PATIENCE_WITH_ONE;
            match call(&folder, request) {
                Ok(done) => return Ok(done),
                Err(CallError::RequestError(undone)) => return Err(undone.into()),
                Err(CallError::Nobody) if !stays && Instant::now() < until => {
                    thread::sleep(open::PAUSE);
                }
                Err(error) => {
                    let (what, hint) = match error {
                        CallError::Nobody if has_server(&folder) => (
                            format!("{held}, and nobody answers there"),
                            "wait until it has time, or close it there first".to_owned(),
                        ),
                        CallError::Nobody => (
                            held.to_string(),
                            "do it there, or close it there first".to_owned(),
                        ),
                        CallError::Version { .. } => (
                            error.to_string(),
                            "do it on the screen there, or close it there first".to_owned(),
                        ),
                        CallError::Lost(_) | CallError::RequestError(_) => (
                            error.to_string(),
                            format!("`tableside log {given}` shows whether it was done"),
                        ),
                    };
                    return Err(CliError::failed(what).hint(hint));
                }
            }
        }
    }
}
