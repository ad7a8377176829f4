//! The door of a session that is open: other processes of the same person hand their errands in here,
//! and whoever has the session open runs them.
//!
//! It is a Unix socket in the session's folder, which only its owner may enter. A call is a few lines: the
//! holder greets, the caller hands in one errand, the holder takes it, runs it and answers. What ends
//! before it was taken was not done, and may be handed in again. What is too long, too slow or no errand
//! ends the call and nothing else. Nobody calls, nobody wakes.

mod client;
mod socket_path;

use std::fs;
use std::io::{self, BufRead as _, BufReader, ErrorKind, Write as _};
use std::os::unix::fs::{FileTypeExt as _, PermissionsExt as _};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::thread;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

pub use client::{CallError, call};

use super::request::RequestError;
use super::{Request, Seat, Table};
use crate::store::Store;

/// What both sides must agree on.
const VERSION: u32 = 1;

/// The longest errand, in bytes: a party of many words.
const LONGEST_ERRAND: usize = 4 << 20;

/// The longest that a caller may take for a line.
const PATIENCE: Duration = Duration::from_secs(5);

/// The most calls at a time; more are sent away, and come again.
const MOST_CALLS: usize = 16;

/// What the holder says first.
#[derive(Debug, Serialize, Deserialize)]
struct Greeting {
    tableside: u32,
}

/// What the holder says once it has heard an errand that it is going to run.
#[derive(Debug, Serialize, Deserialize)]
struct Taken {
    taken: bool,
}

/// An open door; dropping it closes it, after what was taken has been answered.
#[derive(Debug)]
pub(super) struct Door {
    store: Arc<Store>,
    work: Arc<Work>,
}

impl Door {
    /// Opens the door of the session that the store holds. Only who holds the lock may: what lies in the
    /// way is left behind by somebody who is gone.
    pub(super) fn open(table: Weak<Table>, store: Arc<Store>) -> io::Result<Self> {
        let folder = store.folder();
        let path = folder.join(socket_path::FILE);
        let in_the_way = fs::symlink_metadata(&path);
        if in_the_way.is_ok_and(|metadata| metadata.file_type().is_socket()) {
            fs::remove_file(&path)?;
        }
        let listener = socket_path::at(&folder, |path| UnixListener::bind(path))?;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600))?;
        let work = Arc::new(Work::default());
        let taken = Arc::clone(&work);
        thread::Builder::new()
            .name("door".to_owned())
            .spawn(move || attend(&listener, &table, &taken))?;
        Ok(Self { store, work })
    }
}

impl Drop for Door {
    fn drop(&mut self) {
        self.work.close(PATIENCE);
        let folder = self.store.folder();
        // Wakes the one who waits for callers, who then sees that the door is closed.
        socket_path::at(&folder, |path| UnixStream::connect(path).map(drop)).unwrap_or_default();
        fs::remove_file(folder.join(socket_path::FILE)).unwrap_or_default();
    }
}

/// Waits for callers until the door is closed or the table is gone.
fn attend(listener: &UnixListener, table: &Weak<Table>, work: &Arc<Work>) {
    // Each call holds one more of it.
    let calls = Arc::new(());
    let mut failures = 0;
    loop {
        let accepted = listener.accept();
        if work.state().is_closed {
            return;
        }
        match accepted {
            Ok(_) if Arc::strong_count(&calls) > MOST_CALLS => {}
            Ok((stream, _)) => {
                failures = 0;
                let (table, work) = (Weak::clone(table), Arc::clone(work));
                let call = Arc::clone(&calls);
                let serving = move || {
                    // Who calls in a way that nobody understands hears nothing.
                    serve(&stream, &table, &work).unwrap_or_default();
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

/// The errands that were taken and are not answered yet.
#[derive(Debug, Default)]
struct Work {
    state: Mutex<WorkState>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct WorkState {
    is_closed: bool,
    running: usize,
}

impl Work {
    fn state(&self) -> MutexGuard<'_, WorkState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes an errand, unless the door is closed; it is running until what this answers is dropped.
    fn take(&self) -> Option<Running<'_>> {
        let mut state = self.state();
        if state.is_closed {
            return None;
        }
        state.running += 1;
        Some(Running(self))
    }

    /// Takes no more, and waits at most so long for what is running.
    fn close(&self, limit: Duration) {
        let mut state = self.state();
        state.is_closed = true;
        // Whatever takes longer than that is left to itself: its caller hears that no answer came.
        let (_state, _timed_out) = self
            .changed
            .wait_timeout_while(state, limit, |state| state.running > 0)
            .unwrap_or_else(PoisonError::into_inner);
    }
}

/// An errand that is running.
struct Running<'a>(&'a Work);

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.0.state().running -= 1;
        self.0.changed.notify_all();
    }
}

/// One call.
fn serve(stream: &UnixStream, table: &Weak<Table>, work: &Work) -> io::Result<()> {
    stream.set_write_timeout(Some(PATIENCE))?;
    say(stream, &Greeting { tableside: VERSION })?;
    let line = hear(&mut BufReader::new(stream), LONGEST_ERRAND, PATIENCE)?;
    let Some(table) = table.upgrade() else {
        return Ok(());
    };
    // Let go of before the table is: the last one who has a table closes its door.
    let Some(_running) = work.take() else {
        return Ok(());
    };
    say(stream, &Taken { taken: true })?;
    let answer = match serde_json::from_slice::<Request>(&line) {
        Ok(errand) => table.run(&Seat::gm(), &errand),
        Err(error) => Err(RequestError::failed(format!("that is no errand: {error}"))),
    };
    say(stream, &answer)
}

/// Says a line.
fn say(mut stream: &UnixStream, what: &impl Serialize) -> io::Result<()> {
    let mut line = serde_json::to_vec(what)?;
    line.push(b'\n');
    stream.write_all(&line)
}

/// Hears a line of at most so many bytes, in at most that time however it drips.
fn hear(
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
        let heard = match reader.fill_buf() {
            // Whoever was stopped and goes on hears on: a wait with an end is interrupted by that.
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            heard => heard?,
        };
        if heard.is_empty() || line.len() > longest {
            return Err(ErrorKind::UnexpectedEof.into());
        }
        let end = memchr::memchr(b'\n', heard);
        line.extend(heard.iter().take(end.unwrap_or(heard.len())));
        let taken = end.map_or(heard.len(), |end| end + 1);
        reader.consume(taken);
        if end.is_some() {
            return Ok(line);
        }
    }
}

/// Whether a session folder has a door; whether anybody stands behind it shows a call.
pub fn has_door(folder: &Path) -> bool {
    let metadata = fs::symlink_metadata(folder.join(socket_path::FILE));
    metadata.is_ok_and(|metadata| metadata.file_type().is_socket())
}

#[cfg(test)]
mod tests;
