//! A message for a hook.

use std::sync::Arc;
use std::time::Instant;

use rand::RngExt as _;

use tableside_table::HookNews;

/// The longest text that an argument or a message holds, in characters.
pub(super) const LONGEST_TEXT: usize = 1900;

/// An event, queued for one hook.
pub(super) struct Message {
    pub(super) news: Arc<HookNews>,
    /// Unique for each message.
    pub(super) key: String,
    pub(super) queued: Instant,
}

impl Message {
    pub(super) fn new(news: &Arc<HookNews>) -> Self {
        let mut luck: rand::rngs::StdRng = rand::make_rng();
        Self {
            news: Arc::clone(news),
            key: format!("{:032x}", luck.random::<u128>()),
            queued: Instant::now(),
        }
    }
}
