//! Whoever writes and reads files for the server: one thread, so that nobody who plays or joins waits for a
//! disk, or for what somebody put in a file's place. What it cannot do in time is not waited for.

use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Weak, mpsc};
use std::thread;
use std::time::Duration;

use tokio::sync::oneshot;

use super::state::ServerState;

/// So much waits for it at most; what is more is left undone.
const MOST: usize = 1000;

/// How often `access.toml` is looked at while somebody is at the table; a login looks in any case.
const LOOK: Duration = Duration::from_secs(1);

/// While there is nothing to look after, what is handed in wakes it.
const IDLE: Duration = Duration::from_hours(1);

/// How long something may take that is waited for.
const PATIENCE: Duration = Duration::from_secs(5);

type Job = Box<dyn FnOnce(&ServerState) + Send>;

/// The way to the worker.
#[derive(Debug)]
pub(super) struct FileWorker {
    jobs: SyncSender<Job>,
}

impl FileWorker {
    /// A worker, and what it is to do once there is something to serve.
    pub(super) fn new() -> (Self, Receiver<Job>) {
        let (jobs, heard) = sync_channel(MOST);
        (Self { jobs }, heard)
    }

    /// Has something done, some time.
    pub(super) fn hand_in(&self, work: impl FnOnce(&ServerState) + Send + 'static) {
        self.jobs.try_send(Box::new(work)).unwrap_or_default();
    }

    /// Has something done and waits for it; None if it takes too long.
    pub(super) async fn ask<T: Send + 'static>(
        &self,
        work: impl FnOnce(&ServerState) -> T + Send + 'static,
    ) -> Option<T> {
        let (tell, told) = oneshot::channel();
        self.hand_in(move |state| drop(tell.send(work(state))));
        tokio::time::timeout(PATIENCE, told).await.ok()?.ok()
    }

    /// The same for whoever is no task.
    pub(super) fn ask_and_wait<T: Send + 'static>(
        &self,
        work: impl FnOnce(&ServerState) -> T + Send + 'static,
    ) -> Option<T> {
        let (tell, told) = mpsc::channel();
        self.hand_in(move |state| tell.send(work(state)).unwrap_or_default());
        // It may be a screen's task all the same: the others go on meanwhile.
        tokio::task::block_in_place(|| told.recv_timeout(PATIENCE).ok())
    }
}

/// Does what is handed in, until the state is gone.
pub(super) fn start(jobs: Receiver<Job>, state: Weak<ServerState>) -> io::Result<()> {
    let work = move || {
        loop {
            let is_awake =
                |state: &ServerState| state.has_guests() || state.audit_log.lock().leaves_out();
            let is_awake = state.upgrade().is_some_and(|state| is_awake(&state));
            let next = jobs.recv_timeout(if is_awake { LOOK } else { IDLE });
            let Some(state) = state.upgrade() else {
                return;
            };
            match next {
                Ok(job) => job(&state),
                Err(RecvTimeoutError::Timeout) => {
                    state.look();
                    state.audit_log.lock().close_minute(false);
                }
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    };
    let worker = thread::Builder::new().name("worker".into());
    worker.spawn(work).map(drop)
}
