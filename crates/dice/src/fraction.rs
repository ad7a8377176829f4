//! Exact fractions: a chance, a mean.

use dashu_int::{IBig, UBig};
use dashu_ratio::ops::Abs as _;

use super::Natural;

/// An exact fraction in lowest terms.
///
/// Written as odds print it: `5/12`, and `0` or `1` where it is whole.
pub use dashu_ratio::RBig as Fraction;

/// `part` of `whole`, in lowest terms.
///
/// # Panics
/// When `whole` is 0.
pub fn ratio(part: &Natural, whole: &Natural) -> Fraction {
    Fraction::from_parts(IBig::from(UBig::from(part)), whole.into())
}

/// In per cent with one decimal, rounded half up: `41.7 %`. What is possible is never called 0 and
/// what may fail is never called 100.
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

    fn of(part: u128, whole: u128) -> Fraction {
        ratio(&part.into(), &whole.into())
    }

    #[test]
    fn per_cent_never_promises_what_is_only_nearly_so() {
        let words = [
            (of(5, 12), "41.7 %"),
            (of(1, 2), "50.0 %"),
            (of(0, 1), "0.0 %"),
            (of(1, 1), "100.0 %"),
            (of(1, 100_000), "<0.1 %"),
            (of(99_999, 100_000), ">99.9 %"),
            (of(1, 2_000), "0.1 %"),
        ];
        for (fraction, percent) in words {
            assert_eq!(super::percent(&fraction), percent, "{fraction}");
        }
    }

    proptest! {
        /// What 53 bits hold, the processor divides exactly and rounds once.
        #[test]
        fn the_double_is_the_nearest(part in 0_u128..1 << 53, whole in 1_u128..1 << 53) {
            #[expect(clippy::cast_precision_loss, reason = "both are below 2^53")]
            let expected = part as f64 / whole as f64;
            let fraction = of(part, whole);
            prop_assert_eq!(fraction.to_f64().value().to_bits(), expected.to_bits());
            // The same value out of big integers.
            let large = Natural::from(7_u128).pow(90);
            let big = ratio(&(&Natural::from(part) * &large), &(&Natural::from(whole) * &large));
            prop_assert_eq!(big, fraction);
        }
    }
}
