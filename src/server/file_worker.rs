//! The one thread that reads and writes the server's files. Nobody who plays or joins waits for a disk, or for
//! what somebody put in a file's place, longer than [`PATIENCE`].

use std::io;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

use tokio::sync::oneshot;

/// The most jobs that wait; more are dropped.
const MOST: usize = 1000;

/// How often `access.toml` is looked at while somebody is at the table; a login looks in any case.
const LOOK: Duration = Duration::from_secs(1);

/// While nobody is, only a job wakes the worker.
const IDLE: Duration = Duration::from_hours(1);

/// How long something may take that is waited for.
const PATIENCE: Duration = Duration::from_secs(5);

pub(super) type FileJob = Box<dyn FnOnce() + Send>;

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
    pub(super) fn hand_in(&self, work: impl FnOnce() + Send + 'static) {
        self.jobs.try_send(Box::new(work)).unwrap_or_default();
    }

    /// Queues a job and waits for its result; `None` after [`PATIENCE`].
    pub(super) async fn ask<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Option<T> {
        let (tell, told) = oneshot::channel();
        self.hand_in(move || drop(tell.send(work())));
        tokio::time::timeout(PATIENCE, told).await.ok()?.ok()
    }

    /// As [`ask`](Self::ask), outside of a task.
    pub(super) fn ask_and_wait<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Option<T> {
        let (tell, told) = mpsc::channel();
        self.hand_in(move || tell.send(work()).unwrap_or_default());
        // A screen's task may call it, too: the other tasks go on meanwhile.
        tokio::task::block_in_place(|| told.recv_timeout(PATIENCE).ok())
    }
}

/// Does the jobs on a thread of its own until nobody can hand in any. Each [`LOOK`] without a job, while somebody is
/// awake, it looks after things.
pub(super) fn start(
    jobs: Receiver<FileJob>,
    is_awake: impl Fn() -> bool + Send + 'static,
    reread: impl Fn() + Send + 'static,
) -> io::Result<()> {
    let work = move || {
        loop {
            match jobs.recv_timeout(if is_awake() { LOOK } else { IDLE }) {
                Ok(job) => job(),
                Err(RecvTimeoutError::Timeout) => reread(),
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    };
    let worker = thread::Builder::new().name("worker".into());
    worker.spawn(work).map(drop)
}
