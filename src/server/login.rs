//! How far a connection has come.

use std::sync::atomic::{AtomicU8, Ordering};

use tokio::sync::Notify;

const TYPING: u8 = 1;
const IN: u8 = 2;
const OPENED: u8 = 3;
const CLOSED: u8 = 4;

/// How far a connection has come; it only goes on.
#[derive(Debug, Default)]
pub(super) struct Stage {
    reached: AtomicU8,
    news: Notify,
}

impl Stage {
    fn reach(&self, stage: u8) {
        self.reached.fetch_max(stage, Ordering::Relaxed);
        self.news.notify_one();
    }

    fn has_reached(&self, stage: u8) -> bool {
        self.reached.load(Ordering::Relaxed) >= stage
    }

    /// Somebody is asked for a code.
    pub(super) fn type_code(&self) {
        self.reach(TYPING);
    }

    /// Somebody is in.
    pub(super) fn enter(&self) {
        self.reach(IN);
    }

    /// A screen is open, or what was asked for is being said.
    pub(super) fn open(&self) {
        self.reach(OPENED);
    }

    /// All is said.
    pub(super) fn close(&self) {
        self.reach(CLOSED);
    }

    pub(super) fn is_typing(&self) -> bool {
        self.has_reached(TYPING)
    }

    pub(super) fn is_in(&self) -> bool {
        self.has_reached(IN)
    }

    /// Waits until it may have gone on.
    pub(super) async fn next(&self) {
        self.news.notified().await;
    }

    async fn wait_for(&self, stage: u8) {
        while !self.has_reached(stage) {
            self.next().await;
        }
    }

    pub(super) async fn opened(&self) {
        self.wait_for(OPENED).await;
    }

    pub(super) async fn closed(&self) {
        self.wait_for(CLOSED).await;
    }
}
