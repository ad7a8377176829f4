//! Measures calls.

use std::time::Instant;

/// The calls of one measurement of [`calls_per_second`].
const CALLS: u32 = 20_000;

/// Returns the time of one call in microseconds.
pub fn time(call: impl FnOnce()) -> f64 {
    let start = Instant::now();
    call();
    start.elapsed().as_secs_f64() * 1e6
}

/// Returns the median time of a call in microseconds, from half a second of calls. Two more calls fill caches before.
pub fn median(mut call: impl FnMut()) -> f64 {
    let first = time(&mut call);
    let second = time(&mut call);
    let estimate = (first + second) / 2.0;

    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a number of calls"
    )]
    let calls = (0.5e6 / estimate).clamp(5.0, 2001.0) as usize;
    let mut times: Vec<f64> = (0..calls).map(|_| time(&mut call)).collect();
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// Returns the largest number of calls per second in 40 measurements.
pub fn calls_per_second(mut call: impl FnMut()) -> f64 {
    let mut fastest = f64::MAX;
    for _ in 0..40 {
        let microseconds = time(|| {
            for _ in 0..CALLS {
                call();
            }
        });
        fastest = fastest.min(microseconds);
    }
    f64::from(CALLS) / fastest * 1e6
}
