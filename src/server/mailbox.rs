//! What a connection has for its screen: bytes, sizes, news. Handing over never waits and never grows: the
//! newest size counts, changes are one change, and whoever types faster than allowed is not heard.

use std::mem;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use tokio::sync::Notify;

use crate::screen::Input;
use crate::screen::JobResult;

/// So many bytes wait for a screen at most.
const MOST: usize = 256 * 1024;

/// Where a connection puts what it has for its screen.
#[derive(Debug)]
pub(in crate::server) struct Mailbox {
    heard: Mutex<Inner>,
    news: Notify,
    /// So many bytes a second are heard.
    rate: f64,
}

#[derive(Debug)]
struct Inner {
    bytes: Vec<u8>,
    size: Option<(u16, u16)>,
    changed: bool,
    learned: Vec<JobResult>,
    /// Whether something is being worked out.
    is_thinking: bool,
    closed: Option<CloseReason>,
    budget: f64,
    at: Instant,
}

/// Why a screen is to close.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::server) enum CloseReason {
    /// The line is cut.
    Cut,
    /// The table closes.
    Over,
    /// The seat was taken away.
    Dismissed,
    /// The seat is another than it was: its role, or the keys that open it.
    Changed,
}

impl Mailbox {
    /// Mailbox that hear so many bytes a second, and four times as many at once.
    pub(in crate::server) fn new(bytes_per_second: u32) -> Self {
        let rate = f64::from(bytes_per_second);
        Self {
            heard: Mutex::new(Inner {
                bytes: Vec::new(),
                size: None,
                changed: false,
                learned: Vec::new(),
                is_thinking: false,
                closed: None,
                budget: 4.0 * rate,
                at: Instant::now(),
            }),
            news: Notify::new(),
            rate,
        }
    }

    fn put(&self, put: impl FnOnce(&mut Inner)) {
        put(&mut self.heard());
        self.news.notify_one();
    }

    fn heard(&self) -> MutexGuard<'_, Inner> {
        self.heard.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Somebody types. What is too much is dropped.
    pub(in crate::server) fn type_in(&self, bytes: &[u8]) {
        self.put(|heard| {
            let now = Instant::now();
            let since = now.saturating_duration_since(heard.at).as_secs_f64();
            heard.budget = (heard.budget + since * self.rate).min(4.0 * self.rate);
            heard.at = now;
            let size = u32::try_from(bytes.len()).map_or(f64::MAX, f64::from);
            if size <= heard.budget && heard.bytes.len() + bytes.len() <= MOST {
                heard.budget -= size;
                heard.bytes.extend_from_slice(bytes);
            }
        });
    }

    /// The far end has another size.
    pub(in crate::server) fn resize(&self, size: (u16, u16)) {
        self.put(|heard| heard.size = Some(size));
    }

    /// The table changed, or its saving has news.
    pub(in crate::server) fn change(&self) {
        self.put(|heard| heard.changed = true);
    }

    /// Something is to be worked out; not while something else is, which is said here.
    pub(in crate::server) fn may_think(&self) -> bool {
        !mem::replace(&mut self.heard().is_thinking, true)
    }

    /// All that was being worked out is.
    pub(in crate::server) fn learn(&self, learned: Vec<JobResult>) {
        self.put(|heard| {
            heard.is_thinking = false;
            heard.learned.extend(learned);
        });
    }

    /// The screen is to close; the first reason counts.
    pub(in crate::server) fn close(&self, why: CloseReason) {
        self.put(|heard| heard.closed = heard.closed.or(Some(why)));
    }

    /// Whether the screen is to close.
    pub(in crate::server) fn closed(&self) -> Option<CloseReason> {
        self.heard().closed
    }

    /// Waits until there is something.
    pub(in crate::server) async fn listen(&self) {
        self.news.notified().await;
    }

    /// Takes all there is, and whether the screen is to close.
    pub(in crate::server) fn take(
        &self,
        revision: impl FnOnce() -> u64,
    ) -> (Vec<Input>, Option<CloseReason>) {
        let mut heard = self.heard();
        let size = heard.size.take();
        let changed = mem::take(&mut heard.changed);
        let bytes = mem::take(&mut heard.bytes);
        let learned = mem::take(&mut heard.learned);
        let closed = heard.closed;
        drop(heard);
        let mut inputs = Vec::new();
        inputs.extend(size.map(|(columns, rows)| Input::Resize(columns, rows)));
        if changed {
            inputs.push(Input::Changed(revision()));
        }
        inputs.extend(learned.into_iter().map(Input::Learned));
        if !bytes.is_empty() {
            inputs.push(Input::Bytes(bytes));
        }
        (inputs, closed)
    }
}

/// A size that a frame can have: it is the far end's number.
pub(in crate::server) fn bounded(columns: u32, rows: u32) -> (u16, u16) {
    let bound = |given: u32, (least, most): (u16, u16), usual: u16| {
        if given == 0 {
            return usual;
        }
        u16::try_from(given).unwrap_or(most).clamp(least, most)
    };
    (bound(columns, (20, 500), 80), bound(rows, (5, 200), 24))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::screen::LogQuestion;
    use crate::table::Found;

    #[test]
    fn any_number_is_a_size() {
        assert_eq!(bounded(0, 0), (80, 24));
        assert_eq!(bounded(65_535, 65_536), (500, 200));
        assert_eq!(bounded(1, 1), (20, 5));
        assert_eq!(bounded(120, 40), (120, 40));
    }

    #[test]
    fn the_newest_size_counts_and_changes_are_one_change() {
        let mailbox = Mailbox::new(100);
        mailbox.resize((80, 24));
        mailbox.change();
        mailbox.resize((120, 40));
        mailbox.change();
        mailbox.type_in(b"a");
        mailbox.type_in(b"b");
        let (inputs, closed) = mailbox.take(|| 7);
        assert_eq!(closed, None);
        assert!(matches!(
            inputs.as_slice(),
            [Input::Resize(120, 40), Input::Changed(7), Input::Bytes(bytes)] if bytes == b"ab"
        ));
        assert!(mailbox.take(|| 7).0.is_empty());
    }

    #[test]
    fn no_answer_is_lost_and_one_thing_at_a_time_is_worked_out() {
        let mailbox = Mailbox::new(100);
        let answer = || JobResult::Log(LogQuestion::default(), Found::default());
        assert!(mailbox.may_think());
        assert!(!mailbox.may_think());
        mailbox.learn(vec![answer(), answer()]);
        assert!(mailbox.may_think());
        mailbox.learn(vec![answer()]);
        assert_eq!(mailbox.take(|| 0).0.len(), 3);
    }

    #[test]
    fn who_types_faster_than_allowed_is_not_heard() {
        let mailbox = Mailbox::new(10);
        for _ in 0..100 {
            mailbox.type_in(b"0123456789");
        }
        let (inputs, _) = mailbox.take(|| 0);
        let [Input::Bytes(bytes)] = inputs.as_slice() else {
            panic!("{inputs:?}");
        };
        assert_eq!(bytes.len(), 40);
    }
}
