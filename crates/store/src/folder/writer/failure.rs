//! Failures of saving.

use std::io;
use std::time::{Duration, Instant};

use crate::file::describe_io_error;

/// The pauses before the first retry and at most before any retry.
const FIRST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// The reason why the open file of the journal is no longer used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Distrust {
    /// A write or a sync failed. The next sync may succeed although the bytes are not on the disk.
    Failed,
    /// Another program wrote to the file, renamed or removed it. The file is kept under another name.
    Overwritten,
}

/// A failure of saving, and the time of the next retry.
#[derive(Debug)]
pub(in crate::folder) struct Trouble {
    pub(super) reason: String,
    pub(super) retry_at: Instant,
    pause: Duration,
}

impl Trouble {
    /// Records a failure. Each repetition doubles the pause before the next retry.
    pub(super) fn record(trouble: &mut Option<Self>, reason: String) {
        let pause = match trouble {
            Some(previous) => LONGEST_PAUSE.min(previous.pause * 2),
            None => FIRST_PAUSE,
        };
        *trouble = Some(Self {
            reason,
            retry_at: Instant::now() + pause,
            pause,
        });
    }
}

/// Describes a failed operation for a message.
pub(super) fn describe_failure(operation: &str, error: &io::Error) -> String {
    format!("cannot {operation}: {}", describe_io_error(error))
}
