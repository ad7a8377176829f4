//! Numbers of options, with their bounds.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// Reads a whole number in that range, for options whose numbers have bounds. The error names the bounds, also for a
/// number that no integer type holds.
pub(super) fn number_from<T>(
    range: RangeInclusive<T>,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static
where
    T: FromStr + PartialOrd + Display + Clone + Send + Sync + 'static,
{
    move |given| {
        let number = given.parse::<T>().ok();
        number
            .filter(|number| range.contains(number))
            .ok_or_else(|| {
                let (least, most) = (range.start(), range.end());
                format!("it takes a whole number from {least} to {most}")
            })
    }
}
