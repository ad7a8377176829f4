//! A rate limit that allows short bursts.

use std::time::Instant;

/// A bucket of tokens that fills at a steady rate.
#[derive(Debug)]
pub struct TokenBucket {
    /// The tokens in the bucket.
    pub left: f64,
    /// When the bucket was last filled.
    pub filled: Instant,
}

impl TokenBucket {
    /// Returns a full bucket.
    pub fn full(capacity: f64, now: Instant) -> Self {
        Self {
            left: capacity,
            filled: now,
        }
    }

    /// Fills the bucket by `rate` tokens a second up to its capacity, then takes `amount`. Returns false if there are too
    /// few tokens.
    pub fn take(&mut self, amount: f64, (rate, capacity): (f64, f64), now: Instant) -> bool {
        let seconds = now.saturating_duration_since(self.filled).as_secs_f64();
        self.left = (self.left + seconds * rate).min(capacity);
        self.filled = now;

        if self.left < amount {
            return false;
        }
        self.left -= amount;
        true
    }
}
