//! The one thread that reads and writes the server's files. Nobody who plays or joins waits for a disk, or for
//! what somebody put in a file's place, longer than [`PATIENCE`].

use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Weak, mpsc};
use std::thread;
use std::time::Duration;

use tokio::sync::oneshot;

use super::state::ServerState;

/// The most jobs that wait; more are dropped.
const MOST: usize = 1000;

/// How often `access.toml` is looked at while somebody is at the table; a login looks in any case.
const LOOK: Duration = Duration::from_secs(1);

/// While nobody is, only a job wakes the worker.
const IDLE: Duration = Duration::from_hours(1);

/// How long something may take that is waited for.
const PATIENCE: Duration = Duration::from_secs(5);

pub(super) type FileJob = Box<dyn FnOnce(&ServerState) + Send>;

/// Hands jobs to the thread.
#[derive(Debug)]
pub(super) struct FileWorker {
    jobs: SyncSender<FileJob>,
}

impl FileWorker {
    /// A worker, and the jobs that [`start`] is to do.
    pub(super) fn new() -> (Self, Receiver<FileJob>) {
        let (jobs, heard) = sync_channel(MOST);
        (Self { jobs }, heard)
    }

    /// Queues a job.
    pub(super) fn hand_in(&self, work: impl FnOnce(&ServerState) + Send + 'static) {
        self.jobs.try_send(Box::new(work)).unwrap_or_default();
    }

    /// Queues a job and waits for its result; `None` after [`PATIENCE`].
    pub(super) async fn ask<T: Send + 'static>(
        &self,
        work: impl FnOnce(&ServerState) -> T + Send + 'static,
    ) -> Option<T> {
        let (tell, told) = oneshot::channel();
        self.hand_in(move |state| drop(tell.send(work(state))));
        tokio::time::timeout(PATIENCE, told).await.ok()?.ok()
    }

    /// As [`ask`](Self::ask), outside of a task.
    pub(super) fn ask_and_wait<T: Send + 'static>(
        &self,
        work: impl FnOnce(&ServerState) -> T + Send + 'static,
    ) -> Option<T> {
        let (tell, told) = mpsc::channel();
        self.hand_in(move |state| tell.send(work(state)).unwrap_or_default());
        // A screen's task may call it, too: the other tasks go on meanwhile.
        tokio::task::block_in_place(|| told.recv_timeout(PATIENCE).ok())
    }
}

/// Does the jobs on a thread of its own until the state is gone. Each [`LOOK`] without a job, while somebody has a
/// screen here, it looks whether `access.toml` was edited.
pub(super) fn start(jobs: Receiver<FileJob>, state: Weak<ServerState>) -> io::Result<()> {
    let work = move || {
        loop {
            let is_open = |state: Arc<ServerState>| !state.screens.lock().open.is_empty();
            let is_awake = state.upgrade().is_some_and(is_open);
            let next = jobs.recv_timeout(if is_awake { LOOK } else { IDLE });
            let Some(state) = state.upgrade() else {
                return;
            };
            match next {
                Ok(job) => job(&state),
                Err(RecvTimeoutError::Timeout) => state.look(),
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    };
    let worker = thread::Builder::new().name("worker".into());
    worker.spawn(work).map(drop)
}
