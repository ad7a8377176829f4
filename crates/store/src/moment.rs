//! Moments of this machine's clock and of files, whatever the clock says.
//!
//! A clock may be before 1970 or far in the future, and a file system keeps any such moment. The conversions of the
//! standard library and of chrono panic outside of their ranges, so all moments come through here.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use chrono::{DateTime, Utc};

/// The seconds from 1970 of the first and of the last moment of the years 0 to 9999: these have four digits.
const YEARS_OF_FOUR_DIGITS: (i64, i64) = (-62_167_219_200, 253_402_300_799);

/// The date of a moment, held within years of four digits.
pub fn date_of(moment: SystemTime) -> DateTime<Utc> {
    let (first, last) = YEARS_OF_FOUR_DIGITS;
    let seconds_and_nanos = match moment.duration_since(UNIX_EPOCH) {
        Ok(after) => {
            let seconds = i64::try_from(after.as_secs()).unwrap_or(i64::MAX);
            (seconds, after.subsec_nanos())
        }
        // A part of a second before 1970 does not matter to anybody.
        Err(before) => {
            let seconds = i64::try_from(before.duration().as_secs()).unwrap_or(i64::MAX);
            (-seconds, 0)
        }
    };
    let (seconds, nanos) = seconds_and_nanos;
    DateTime::from_timestamp(seconds.clamp(first, last), nanos).unwrap_or_default()
}

/// The moment that many seconds after 1970, or before it; 1970 where this machine knows no such moment.
pub(super) fn from_epoch(seconds: i64) -> SystemTime {
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
