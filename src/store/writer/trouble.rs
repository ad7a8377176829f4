//! What failed, since when, and when it is tried again.

use std::time::{Duration, Instant};

use super::Report;

const FIRST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// Something that failed and is tried again.
#[derive(Debug, Clone)]
pub(super) struct Trouble {
    pub(super) since: Instant,
    pub(super) reason: String,
    pub(super) again: Instant,
    pause: Duration,
    is_told: bool,
}

impl Trouble {
    /// The report of it, once.
    pub(super) fn tell(&mut self) -> Option<Report> {
        let is_news = !std::mem::replace(&mut self.is_told, true);
        is_news.then(|| Report::Failing {
            since: self.since,
            reason: self.reason.clone(),
        })
    }

    /// The same trouble again, or a new one.
    pub(super) fn grown(before: Option<&Self>, reason: String) -> Self {
        let now = Instant::now();
        match before {
            Some(before) => {
                let pause = before.pause.saturating_mul(2).min(LONGEST_PAUSE);
                let is_told = before.is_told && before.reason == reason;
                Self {
                    since: before.since,
                    reason,
                    again: now + pause,
                    pause,
                    is_told,
                }
            }
            None => Self {
                since: now,
                reason,
                again: now + FIRST_PAUSE,
                pause: FIRST_PAUSE,
                is_told: false,
            },
        }
    }
}
