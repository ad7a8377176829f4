//! How a command changes a session: by opening it, or through whoever has it open.

use std::thread;
use std::time::{Duration, Instant};

use super::{App, CliError, open};
use crate::dice::Dice;
use crate::store::StoreError;
use crate::table::ipc::{CallError, call, has_door};
use crate::table::{Request, RequestError, Response, Seat};

/// The longest that a session is waited for whose holder does not answer: other commands hold one for a
/// moment only.
const PATIENCE: Duration = Duration::from_secs(20);

/// The longest that one and the same holder is waited for who has no door.
const PATIENCE_WITH_ONE: Duration = Duration::from_secs(5);

impl App<'_> {
    /// Has the errand run in that session, wherever it is open.
    pub(super) fn send(&mut self, given: &str, errand: &Request) -> Result<Response, CliError> {
        self.send_with(given, errand, open::luck)
    }

    /// The same, with these dice where the session is opened here.
    pub(super) fn send_with(
        &mut self,
        given: &str,
        errand: &Request,
        luck: impl Fn() -> Result<Box<dyn Dice + Send>, CliError>,
    ) -> Result<Response, CliError> {
        let folder = open::name(given)?.in_folder(self.config.data()?);
        let until = Instant::now() + PATIENCE;
        let mut holder = (None, Instant::now());
        loop {
            let held = match self.open_with(given, false, luck()?) {
                Ok((table, notices)) => {
                    // What is read from the answer stays what it is: notices go beside it.
                    self.notices.extend(notices);
                    let done = table.run(&Seat::gm(), errand);
                    open::close(&table)?;
                    return Ok(done?);
                }
                Err(CliError::Held(held)) => held,
                Err(trouble) => return Err(trouble),
            };
            if let StoreError::Held { pid, .. } = &held
                && holder.0 != *pid
            {
                holder = (*pid, Instant::now());
            }
            let stays = !has_door(&folder) && holder.1.elapsed() > PATIENCE_WITH_ONE;
            match call(&folder, errand) {
                Ok(done) => return Ok(done),
                Err(CallError::RequestError(undone)) => return Err(undone.into()),
                Err(CallError::Nobody) if !stays && Instant::now() < until => {
                    thread::sleep(open::PAUSE);
                }
                Err(CallError::Nobody) if has_door(&folder) => {
                    return Err(
                        CliError::failed(format!("{held}, and nobody answers there"))
                            .hint("wait until it has time, or close it there first"),
                    );
                }
                Err(CallError::Nobody) => {
                    return Err(CliError::failed(held.to_string())
                        .hint("do it there, or close it there first"));
                }
                Err(lost @ CallError::Lost(_)) => {
                    return Err(CliError::failed(lost.to_string())
                        .hint(format!("`tableside log {given}` shows whether it was done")));
                }
                Err(other @ CallError::Version { .. }) => {
                    return Err(CliError::failed(other.to_string())
                        .hint("do it on the screen there, or close it there first"));
                }
            }
        }
    }
}

impl From<RequestError> for CliError {
    fn from(undone: RequestError) -> Self {
        let trouble = if undone.misspoken {
            Self::usage(undone.what)
        } else {
            Self::failed(undone.what)
        };
        match undone.hint {
            Some(hint) => trouble.hint(hint),
            None => trouble,
        }
    }
}
