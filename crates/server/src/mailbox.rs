//! The way from a connection and the table to a screen's task. Sending never waits: only the newest size counts,
//! several changes are one, and input beyond the allowed rate is dropped.

use std::time::Instant;

use parking_lot::Mutex;
use tokio::sync::{mpsc, watch};

use tableside_table::TokenBucket;

/// The most pieces of input that wait.
const MOST: usize = 4096;

/// Why a screen must close.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CloseReason {
    /// The connection broke.
    Cut,
    /// The table closes.
    Over,
    /// The seat was taken away.
    Dismissed,
    /// The seat has another role or other keys.
    Changed,
    /// As many are there as may be.
    Full,
}

/// What a screen learns besides input; only the newest counts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Signals {
    pub(super) size: (u16, u16),
    /// Counts changes of the table and of its saving.
    pub(super) changes: u64,
    /// When the first of those happened that no frame shows yet.
    pub(super) changed_at: Option<Instant>,
    /// The first reason to close.
    pub(super) closed: Option<CloseReason>,
}

/// The sending end.
#[derive(Debug)]
pub(super) struct Mailbox {
    signals: watch::Sender<Signals>,
    typed: mpsc::Sender<(Instant, Vec<u8>)>,
    budget: Mutex<TokenBucket>,
    /// Bytes a second; four times as many may come at once.
    rate: f64,
}

/// The receiving end.
#[derive(Debug)]
pub(super) struct Inbox {
    pub(super) signals: watch::Receiver<Signals>,
    /// What was typed, and when it came.
    pub(super) typed: mpsc::Receiver<(Instant, Vec<u8>)>,
}

impl Mailbox {
    pub(super) fn new(bytes_per_second: u32, size: (u16, u16)) -> (Self, Inbox) {
        let rate = f64::from(bytes_per_second);
        let (sender, signals) = watch::channel(Signals {
            size,
            changes: 0,
            changed_at: None,
            closed: None,
        });
        let (pieces, typed) = mpsc::channel(MOST);
        let mailbox = Self {
            signals: sender,
            typed: pieces,
            budget: Mutex::new(TokenBucket::full(4.0 * rate, Instant::now())),
            rate,
        };
        (mailbox, Inbox { signals, typed })
    }

    /// Sends input; drops what is beyond the rate.
    pub(super) fn type_in(&self, bytes: &[u8]) {
        let size = u32::try_from(bytes.len()).map_or(f64::MAX, f64::from);
        let bounds = (self.rate, 4.0 * self.rate);
        let now = Instant::now();
        if self.budget.lock().take(size, bounds, now) {
            let typed = (now, bytes.to_vec());
            self.typed.try_send(typed).unwrap_or_default();
        }
    }

    pub(super) fn resize(&self, size: (u16, u16)) {
        self.signals.send_modify(|signals| signals.size = size);
    }

    pub(super) fn change(&self) {
        self.signals.send_modify(|signals| {
            signals.changes += 1;
            signals.changed_at.get_or_insert_with(Instant::now);
        });
    }

    /// A frame begins that shows all changes; says when the first of them happened.
    pub(super) fn shows(&self) -> Option<Instant> {
        let mut since = None;
        self.signals.send_if_modified(|signals| {
            since = signals.changed_at.take();
            false
        });
        since
    }

    /// Opens it for another screen: reasons to close the one before are forgotten.
    pub(super) fn reopen(&self) {
        self.signals.send_if_modified(|signals| {
            signals.closed = signals.closed.filter(|why| *why == CloseReason::Cut);
            false
        });
    }

    /// Closes the screen; the first reason counts.
    pub(super) fn close(&self, why: CloseReason) {
        self.signals
            .send_modify(|signals| signals.closed = signals.closed.or(Some(why)));
    }
}

/// Bounds the size that a client claims.
pub(super) fn bounded(columns: u32, rows: u32) -> (u16, u16) {
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

    #[test]
    fn any_number_is_a_size() {
        assert_eq!(bounded(0, 0), (80, 24));
        assert_eq!(bounded(65_535, 65_536), (500, 200));
        assert_eq!(bounded(1, 1), (20, 5));
        assert_eq!(bounded(120, 40), (120, 40));
    }

    #[test]
    fn what_is_typed_faster_than_allowed_is_dropped_and_the_newest_size_counts() {
        let (mailbox, mut inbox) = Mailbox::new(10, (80, 24));
        for columns in 0..100 {
            mailbox.type_in(b"0123456789");
            mailbox.resize((columns, 40));
        }
        let heard: Vec<_> = std::iter::from_fn(|| inbox.typed.try_recv().ok()).collect();
        let heard: Vec<_> = heard.into_iter().map(|(_, bytes)| bytes).collect();
        assert_eq!(heard.concat().len(), 40);
        assert_eq!(inbox.signals.borrow_and_update().size, (99, 40));
        assert!(!inbox.signals.has_changed().unwrap());
    }
}
