//! Converts the times of clocks and files to dates.
//!
//! A clock may be before 1970 or far in the future, and file systems store any time. The conversions of the standard
//! library and of chrono panic outside their ranges, so every conversion uses the functions of this module.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use chrono::{DateTime, Utc};

/// The first and the last second of the years 0 to 9999, counted from 1970. These years have four digits.
const FIRST_SECOND: i64 = -62_167_219_200;
const LAST_SECOND: i64 = 253_402_300_799;

/// Converts a time to a date, clamped to the years 0 to 9999.
pub fn date_of(moment: SystemTime) -> DateTime<Utc> {
    let (seconds, nanoseconds) = match moment.duration_since(UNIX_EPOCH) {
        Ok(since) => (whole_seconds(since), since.subsec_nanos()),
        // Fractions of a second before 1970 are dropped.
        Err(error) => (-whole_seconds(error.duration()), 0),
    };

    let representable = seconds.clamp(FIRST_SECOND, LAST_SECOND);
    DateTime::from_timestamp(representable, nanoseconds).unwrap_or_default()
}

fn whole_seconds(duration: Duration) -> i64 {
    i64::try_from(duration.as_secs()).unwrap_or(i64::MAX)
}

/// Clamps a date to the years 0 to 9999 and to whole seconds.
pub(crate) fn clamp_to_seconds(date: DateTime<Utc>) -> DateTime<Utc> {
    let seconds = date.timestamp().clamp(FIRST_SECOND, LAST_SECOND);
    DateTime::from_timestamp(seconds, 0).unwrap_or_default()
}

/// Converts seconds since 1970 to a time. Returns 1970 if this machine cannot represent the time.
pub fn from_epoch(seconds: i64) -> SystemTime {
    let distance = Duration::from_secs(seconds.unsigned_abs());
    let moment = if seconds < 0 {
        UNIX_EPOCH.checked_sub(distance)
    } else {
        UNIX_EPOCH.checked_add(distance)
    };
    moment.unwrap_or(UNIX_EPOCH)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_clock_has_a_date() {
        for (seconds, date) in [
            (0, "1970-01-01T00:00:00+00:00"),
            (-1, "1969-12-31T23:59:59+00:00"),
            (-86_400 * 365 * 70, "1900-01-18T00:00:00+00:00"),
            (i64::MIN + 1, "0000-01-01T00:00:00+00:00"),
            (4_102_444_800, "2100-01-01T00:00:00+00:00"),
            (8_999_999_999_999, "9999-12-31T23:59:59+00:00"),
            (i64::MAX, "9999-12-31T23:59:59+00:00"),
        ] {
            assert_eq!(date_of(from_epoch(seconds)).to_rfc3339(), date, "{seconds}");
        }
    }
}
