//! Exact fractions: a chance, a mean.

use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, Mul, Neg, Sub};

use super::Natural;

/// An exact fraction in lowest terms.
///
/// Written as odds print it: `5/12`, and `0` or `1` where it is whole.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Fraction {
    /// Never set for 0.
    negative: bool,
    numerator: Natural,
    /// Never 0, and without a divisor in common with the numerator.
    denominator: Natural,
}

impl Fraction {
    /// Nothing; what cannot happen.
    pub const ZERO: Self = Self {
        negative: false,
        numerator: Natural::ZERO,
        denominator: Natural::ONE,
    };
    /// The whole; what is certain.
    pub const ONE: Self = Self {
        negative: false,
        numerator: Natural::ONE,
        denominator: Natural::ONE,
    };

    /// `part` of `whole`, in lowest terms.
    ///
    /// # Panics
    /// When `whole` is 0.
    pub fn new(part: &Natural, whole: &Natural) -> Self {
        assert!(!whole.is_zero(), "a fraction of nothing");
        let divisor = part.gcd(whole);
        Self {
            negative: false,
            numerator: part / &divisor,
            denominator: whole / &divisor,
        }
    }

    /// Whether it is 0.
    pub fn is_zero(&self) -> bool {
        self.numerator.is_zero()
    }

    fn signed(self, negative: bool) -> Self {
        Self {
            negative: negative && !self.numerator.is_zero(),
            ..self
        }
    }

    /// The nearest double, ties to even: the exact quotient, rounded once.
    pub fn to_f64(&self) -> f64 {
        let bits = |number: &Natural| i32::try_from(number.bits()).unwrap_or(i32::MAX);
        // The quotient is taken in units of 2^-scale, so that it has about 100 bits.
        let scale = 100 + bits(&self.denominator) - bits(&self.numerator);
        let numerator = self.numerator.shifted(scale.max(0).unsigned_abs().into());
        let denominator = self.denominator.shifted(scale.min(0).unsigned_abs().into());
        let (quotient, rest) = numerator.div_rem(&denominator);
        // An odd last bit says that it is not a tie.
        let quotient = quotient.to_u128().unwrap_or(0) | u128::from(!rest.is_zero());
        #[expect(clippy::cast_precision_loss, reason = "this is the rounding")]
        let size = quotient as f64 * 2_f64.powi(-scale);
        if self.negative { -size } else { size }
    }

    /// In per cent with one decimal, rounded half up: `41.7 %`. What is possible is never called 0 and
    /// what may fail is never called 100.
    pub fn percent(&self) -> String {
        let thousand = Natural::from(1_000_u64);
        let mut doubled = &(&self.numerator * &thousand) * &Natural::from(2_u64);
        doubled += &self.denominator;
        let (tenths, _) = doubled.div_rem(&self.denominator.shifted(1));
        let sign = if self.negative { "−" } else { "" };
        if tenths.is_zero() && !self.is_zero() {
            return format!("{sign}<0.1 %");
        }
        if tenths == thousand && self.numerator < self.denominator {
            return format!("{sign}>99.9 %");
        }
        let (whole, tenth) = tenths.div_rem(&Natural::from(10_u64));
        format!("{sign}{whole}.{tenth} %")
    }
}

impl From<i64> for Fraction {
    fn from(number: i64) -> Self {
        Self::new(&Natural::from(number.unsigned_abs()), &Natural::ONE).signed(number < 0)
    }
}

impl Neg for Fraction {
    type Output = Self;

    fn neg(self) -> Self {
        let negative = !self.negative;
        self.signed(negative)
    }
}

impl Add for &Fraction {
    type Output = Fraction;

    fn add(self, other: Self) -> Fraction {
        let a = &self.numerator * &other.denominator;
        let b = &other.numerator * &self.denominator;
        let whole = &self.denominator * &other.denominator;
        if self.negative == other.negative {
            let mut sum = a;
            sum += &b;
            return Fraction::new(&sum, &whole).signed(self.negative);
        }
        match a.cmp(&b) {
            Ordering::Less => Fraction::new(&(&b - &a), &whole).signed(other.negative),
            Ordering::Equal => Fraction::ZERO,
            Ordering::Greater => Fraction::new(&(&a - &b), &whole).signed(self.negative),
        }
    }
}

impl Sub for &Fraction {
    type Output = Fraction;

    fn sub(self, other: Self) -> Fraction {
        self + &-other.clone()
    }
}

impl Mul for &Fraction {
    type Output = Fraction;

    fn mul(self, other: Self) -> Fraction {
        let part = &self.numerator * &other.numerator;
        let whole = &self.denominator * &other.denominator;
        Fraction::new(&part, &whole).signed(self.negative != other.negative)
    }
}

impl Ord for Fraction {
    fn cmp(&self, other: &Self) -> Ordering {
        let sizes =
            || (&self.numerator * &other.denominator).cmp(&(&other.numerator * &self.denominator));
        match (self.negative, other.negative) {
            (false, false) => sizes(),
            (true, true) => sizes().reverse(),
            (false, true) => Ordering::Greater,
            (true, false) => Ordering::Less,
        }
    }
}

impl PartialOrd for Fraction {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Fraction {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.negative { "-" } else { "" };
        let (numerator, denominator) = (&self.numerator, &self.denominator);
        if *denominator == Natural::ONE {
            formatter.pad(&format!("{sign}{numerator}"))
        } else {
            formatter.pad(&format!("{sign}{numerator}/{denominator}"))
        }
    }
}

impl fmt::Debug for Fraction {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn of(part: u128, whole: u128) -> Fraction {
        Fraction::new(&part.into(), &whole.into())
    }

    #[test]
    fn sums_and_products_are_exact_with_either_sign() {
        let (a, b) = (of(1, 6), -of(1, 4));
        assert_eq!((&a + &b).to_string(), "-1/12");
        assert_eq!((&b + &a).to_string(), "-1/12");
        assert_eq!((&a - &b).to_string(), "5/12");
        assert_eq!((&a * &b).to_string(), "-1/24");
        assert_eq!((&a + &-of(2, 12)).to_string(), "0");
        assert!(b < a && -a.clone() > b);
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
            assert_eq!(fraction.percent(), percent, "{fraction}");
        }
    }

    proptest! {
        /// What 53 bits hold, the processor divides exactly and rounds once.
        #[test]
        fn the_double_is_the_nearest(part in 0_u64..1 << 53, whole in 1_u64..1 << 53) {
            #[expect(clippy::cast_precision_loss, reason = "both are below 2^53")]
            let expected = part as f64 / whole as f64;
            let fraction = of(part.into(), whole.into());
            prop_assert_eq!(fraction.to_f64().to_bits(), expected.to_bits());
            // The same value out of big integers.
            let large = Natural::from(7_u64).pow(90);
            let big = Fraction::new(&(&Natural::from(part) * &large), &(&Natural::from(whole) * &large));
            prop_assert_eq!(big, fraction);
        }
    }
}
