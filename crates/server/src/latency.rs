//! How long something takes, counted in steps of a fifth: enough to tell the middle and the slowest hundredth.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// From a microsecond on, so many steps to double; the last one is over an hour.
const STEPS: usize = 4;

/// Counts durations; counting costs a few nanoseconds, and nobody waits for anybody.
#[derive(Debug)]
pub(super) struct Latency([AtomicU64; 32 * STEPS]);

impl Default for Latency {
    fn default() -> Self {
        Self([const { AtomicU64::new(0) }; 32 * STEPS])
    }
}

impl Latency {
    pub(super) fn count(&self, took: Duration) {
        let micros = took.as_secs_f64() * 1e6;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "bounded just before"
        )]
        let step = (micros.max(1.0).log2() * 4.0).clamp(0.0, 127.0) as usize;
        if let Some(count) = self.0.get(step) {
            count.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// How many there were.
    pub(super) fn total(&self) -> u64 {
        self.0.iter().map(|one| one.load(Ordering::Relaxed)).sum()
    }

    /// The time within which so many of a thousand were, to a fifth, in milliseconds; none before the first.
    pub(super) fn within(&self, of_thousand: u64) -> Option<f64> {
        let wanted = self.total().checked_mul(of_thousand)?.div_ceil(1000);
        let mut seen = 0;
        let mut steps = (0_i32..).zip(&self.0);
        let (step, _) = steps.find(|(_, count)| {
            seen += count.load(Ordering::Relaxed);
            seen >= wanted && wanted > 0
        })?;
        Some((f64::from(step + 1) / 4.0).exp2() / 1000.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_and_the_slowest_are_told_to_a_fifth() {
        let latency = Latency::default();
        assert_eq!(latency.within(500), None);
        for micros in 1..=1000 {
            latency.count(Duration::from_micros(micros));
        }
        latency.count(Duration::from_secs(100_000));
        let near = |of_thousand, millis: f64| {
            let told = latency.within(of_thousand).unwrap();
            assert!(told >= millis && told < 1.2 * millis, "{told}");
        };
        near(500, 0.5);
        near(990, 0.99);
        assert_eq!(latency.total(), 1001);
    }
}
