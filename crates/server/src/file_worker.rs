//! The one thread that reads and writes the server's files. Nobody who plays or joins waits for a disk, or for
//! what somebody put in a file's place, longer than [`PATIENCE`].

use std::io;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use tokio::sync::oneshot;

/// The most jobs that wait; more are dropped.
const MOST: usize = 1000;

/// How often `access.toml` is looked at while somebody is at the table, whatever else there is to do; a login looks in
/// any case.
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

/// Starts the thread that does the jobs, until no sender of jobs is left.
///
/// While somebody is at the table, `reread` runs every [`LOOK`], however many jobs are waiting: it is due between two
/// jobs, too. While nobody is there, it runs after a job at most, and at most every [`LOOK`].
pub(super) fn start(
    jobs: Receiver<FileJob>,
    is_awake: impl Fn() -> bool + Send + 'static,
    reread: impl Fn() + Send + 'static,
) -> io::Result<()> {
    let work = move || {
        let mut next_look = Instant::now() + LOOK;

        loop {
            let until_look = next_look.saturating_duration_since(Instant::now());
            let patience = if is_awake() { until_look } else { IDLE };

            match jobs.recv_timeout(patience) {
                Ok(job) => job(),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }

            if next_look <= Instant::now() {
                reread();
                next_look = Instant::now() + LOOK;
            }
        }
    };
    let worker = thread::Builder::new().name("worker".into());
    worker.spawn(work).map(drop)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;

    #[test]
    fn the_files_are_looked_at_while_jobs_never_stop_coming() {
        let (worker, jobs) = FileWorker::new();
        let has_looked = Arc::new(AtomicBool::new(false));
        let looked = Arc::clone(&has_looked);
        start(jobs, || true, move || looked.store(true, Ordering::Release)).unwrap();

        // There is always another job before a second without one could pass.
        let deadline = Instant::now() + Duration::from_mins(1);
        while !has_looked.load(Ordering::Acquire) {
            assert!(Instant::now() < deadline, "the files were never looked at");
            worker.hand_in(|| thread::sleep(Duration::from_millis(5)));
            thread::sleep(Duration::from_millis(5));
        }
    }
}
