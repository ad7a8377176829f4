//! Whoever writes and reads files for the server: one thread, so that nobody who plays or joins waits for a
//! disk, or for what somebody put in a file's place. What it cannot do in time is not waited for.

use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Weak, mpsc};
use std::thread;
use std::time::Duration;

use tokio::sync::oneshot;

use super::audit_log::{AuditLog, Note};
use super::state::ServerState;

/// So much waits for it at most; what is more is left undone.
const MOST: usize = 1000;

/// How often `access.toml` is looked at while somebody is at the table; a login looks in any case.
const LOOK: Duration = Duration::from_secs(1);

/// How long something may take that is waited for.
const PATIENCE: Duration = Duration::from_secs(5);

type Work = Box<dyn FnOnce(&ServerState) + Send>;

enum Job {
    Note(Note),
    Work(Work),
    /// Nothing more comes; the answer is that all before is done.
    End(mpsc::Sender<()>),
}

/// The way to the worker.
#[derive(Debug)]
pub(super) struct FileWorker {
    jobs: SyncSender<Job>,
}

/// What the worker hears.
pub(super) struct Jobs(Receiver<Job>);

impl FileWorker {
    pub(super) fn new() -> (Self, Jobs) {
        let (jobs, heard) = sync_channel(MOST);
        (Self { jobs }, Jobs(heard))
    }

    /// Has something noted.
    pub(super) fn note(&self, note: Note) {
        self.jobs.try_send(Job::Note(note)).unwrap_or_default();
    }

    /// Has something done, some time.
    pub(super) fn hand_in(&self, work: impl FnOnce(&ServerState) + Send + 'static) {
        let work = Job::Work(Box::new(work));
        self.jobs.try_send(work).unwrap_or_default();
    }

    /// Has something done and waits for it; nothing where it takes too long.
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

    /// Waits until all is done that was handed in, or as long as for anything.
    pub(super) fn close(&self) {
        let (tell, told) = mpsc::channel();
        self.jobs.try_send(Job::End(tell)).unwrap_or_default();
        told.recv_timeout(PATIENCE).unwrap_or_default();
    }
}

impl Jobs {
    /// Does what comes, until the state is gone.
    pub(super) fn attend(
        self,
        state: Weak<ServerState>,
        mut audit_log: AuditLog,
    ) -> io::Result<()> {
        let attend = move || {
            loop {
                let look = state
                    .upgrade()
                    .filter(|state| state.has_guests())
                    .map(|_| LOOK);
                let next = match look.into_iter().chain(audit_log.due()).min() {
                    None => self
                        .0
                        .recv()
                        .map_err(|_gone| RecvTimeoutError::Disconnected),
                    Some(wait) => self.0.recv_timeout(wait),
                };
                match (next, state.upgrade()) {
                    (Ok(Job::Note(note)), _) => audit_log.note(&note),
                    (Ok(Job::Work(work)), Some(state)) => work(&state),
                    (Ok(Job::End(done)), _) => {
                        audit_log.close_minute(true);
                        return done.send(()).unwrap_or_default();
                    }
                    (Err(RecvTimeoutError::Timeout), Some(state)) => {
                        state.look();
                        audit_log.close_minute(false);
                    }
                    (Err(RecvTimeoutError::Disconnected), _) | (_, None) => break,
                }
            }
            audit_log.close_minute(true);
        };
        thread::Builder::new()
            .name("worker".into())
            .spawn(attend)
            .map(drop)
    }
}
