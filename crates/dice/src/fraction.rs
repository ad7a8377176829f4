//! Exact fractions, for probabilities and means.

use dashu_int::{IBig, UBig};
use dashu_ratio::ops::Abs as _;

use super::Natural;

/// An exact fraction in lowest terms.
///
/// It is displayed as `5/12`, or as `2` if it is a whole number. `to_f64().value()` returns the nearest double.
pub use dashu_ratio::RBig as Fraction;

/// Returns `part` / `total` in lowest terms.
///
/// # Panics
/// If `total` is 0.
pub fn ratio(part: &Natural, total: &Natural) -> Fraction {
    Fraction::from_parts(IBig::from(UBig::from(part)), total.into())
}

/// Formats a fraction in per cent with one decimal, rounded half up: `41.7 %`.
///
/// A probability above 0 that would be rounded to 0 is formatted as `<0.1 %`, and one below 1 that would be rounded to
/// 100 % as `>99.9 %`.
pub fn percent(fraction: &Fraction) -> String {
    let size = fraction.clone().abs();
    let sign = if *fraction < Fraction::ZERO {
        "−"
    } else {
        ""
    };

    let tenths = (&size * Fraction::from(1_000)).round();
    if tenths.is_zero() && !size.is_zero() {
        return format!("{sign}<0.1 %");
    }
    if tenths == IBig::from(1_000) && size < Fraction::ONE {
        return format!("{sign}>99.9 %");
    }
    format!("{sign}{}.{} %", &tenths / 10, &tenths % 10)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn fraction(part: u128, total: u128) -> Fraction {
        ratio(&part.into(), &total.into())
    }

    #[test]
    fn a_chance_near_0_or_1_is_not_rounded_to_it() {
        let cases = [
            (fraction(5, 12), "41.7 %"),
            (fraction(1, 2), "50.0 %"),
            (fraction(0, 1), "0.0 %"),
            (fraction(1, 1), "100.0 %"),
            (fraction(1, 100_000), "<0.1 %"),
            (fraction(99_999, 100_000), ">99.9 %"),
            (fraction(1, 2_000), "0.1 %"),
        ];
        for (fraction, expected) in cases {
            assert_eq!(percent(&fraction), expected, "{fraction}");
        }
    }

    proptest! {
        /// The processor rounds the quotient of two integers of 53 bits once.
        #[test]
        fn the_double_is_the_nearest(part in 0_u128..1 << 53, whole in 1_u128..1 << 53) {
            #[expect(clippy::cast_precision_loss, reason = "both are below 2^53")]
            let expected = part as f64 / whole as f64;
            let fraction = fraction(part, whole);
            prop_assert_eq!(fraction.to_f64().value().to_bits(), expected.to_bits());
            // The same value out of big integers.
            let large = Natural::from(7_u128).pow(90);
            let big = ratio(&(&Natural::from(part) * &large), &(&Natural::from(whole) * &large));
            prop_assert_eq!(big, fraction);
        }
    }
}
