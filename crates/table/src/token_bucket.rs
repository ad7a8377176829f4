//! Limits a rate and lets short bursts through.

use std::time::Instant;

/// A bucket that fills at a steady rate.
#[derive(Debug)]
pub struct TokenBucket {
    pub left: f64,
    pub filled: Instant,
}

impl TokenBucket {
    pub fn full(most: f64, now: Instant) -> Self {
        Self {
            left: most,
            filled: now,
        }
    }

    /// Refills by `rate` a second up to `most`, then takes that much if it is there.
    pub fn take(&mut self, amount: f64, (rate, most): (f64, f64), now: Instant) -> bool {
        let since = now.saturating_duration_since(self.filled).as_secs_f64();
        self.left = (self.left + since * rate).min(most);
        self.filled = now;
        let is_there = self.left >= amount;
        if is_there {
            self.left -= amount;
        }
        is_there
    }
}
