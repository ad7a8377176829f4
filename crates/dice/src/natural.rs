//! Exact natural numbers, for numbers of ways.

use std::borrow::Cow;
use std::iter::Sum;
use std::mem::take;
use std::ops::{AddAssign, Div, Mul, SubAssign};

use dashu_int::UBig;
use dashu_int::ops::{BitTest as _, Gcd as _};

/// A natural number of any size, including 0.
///
/// Nearly all numbers of ways fit in 128 bits and are stored as a `u128`. Larger numbers are stored as big integers, and as
/// a `u128` again when they become small enough.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, derive_more::Display)]
#[display("{}", self.big())]
pub struct Natural(Size);

/// Every number has exactly one representation, and small numbers come first. So equality and order can be derived.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Size {
    Small(u128),
    /// Always above `u128::MAX`.
    Big(UBig),
}
use Size::{Big, Small};

impl Natural {
    /// The number 0.
    pub const ZERO: Self = Self(Small(0));
    /// The number 1.
    pub const ONE: Self = Self(Small(1));

    /// Returns true if the number is 0.
    pub fn is_zero(&self) -> bool {
        *self == Self::ZERO
    }

    /// Returns the length in bits. The length of 0 is 0.
    pub fn bits(&self) -> usize {
        self.big().bit_len()
    }

    /// Raises the number to a power. `pow(0)` is 1.
    pub fn pow(&self, exponent: usize) -> Self {
        let small = match &self.0 {
            Small(small) => u32::try_from(exponent)
                .ok()
                .and_then(|exponent| small.checked_pow(exponent)),
            Big(_) => None,
        };
        match small {
            Some(power) => power.into(),
            None => self.big().pow(exponent).into(),
        }
    }

    /// Returns the greatest common divisor.
    ///
    /// # Panics
    /// If both numbers are 0.
    pub fn gcd(&self, other: &Self) -> Self {
        let small = |a: u128, b: u128| Some(a.gcd(b));
        self.compute(other, small, |a, b| a.gcd(b))
    }

    /// Adds `a` · `b`.
    #[inline]
    pub fn add_product(&mut self, a: &Self, b: &Self) {
        if let Small(sum) = &mut self.0
            && let Small(a) = a.0
            && let Small(b) = b.0
            && let Some(product) = product(a, b)
            && let Some(new_sum) = sum.checked_add(product)
        {
            *sum = new_sum;
            return;
        }
        *self += &(a * b);
    }

    fn big(&self) -> Cow<'_, UBig> {
        match &self.0 {
            Small(small) => Cow::Owned(UBig::from(*small)),
            Big(big) => Cow::Borrowed(big),
        }
    }

    /// Computes in 128 bits if `small` succeeds, otherwise in big integers.
    #[inline]
    fn compute(
        &self,
        other: &Self,
        small: impl Fn(u128, u128) -> Option<u128>,
        big: impl Fn(&UBig, &UBig) -> UBig,
    ) -> Self {
        if let Small(a) = self.0
            && let Small(b) = other.0
            && let Some(result) = small(a, b)
        {
            return result.into();
        }
        let result = big(&self.big(), &other.big());
        result.into()
    }
}

/// Returns the product if it fits in 128 bits. Factors of 64 bits, the usual case, take a single multiplication.
#[inline]
fn product(a: u128, b: u128) -> Option<u128> {
    if let Ok(a) = u64::try_from(a)
        && let Ok(b) = u64::try_from(b)
    {
        return Some(u128::from(a) * u128::from(b));
    }
    a.checked_mul(b)
}

/// Returns the binomial coefficient: the number of ways to choose `k` of `n` objects. It is 0 if `k` is larger than `n`.
pub fn choose(n: usize, k: usize) -> Natural {
    if k > n {
        return Natural::ZERO;
    }

    let mut ways = Natural::ONE;
    for chosen in 0..k.min(n - k) {
        let factor = Natural::from(n - chosen);
        let divisor = Natural::from(chosen + 1);
        ways = &(&ways * &factor) / &divisor;
    }
    ways
}

impl Default for Natural {
    fn default() -> Self {
        Self::ZERO
    }
}

impl From<u128> for Natural {
    #[inline]
    fn from(number: u128) -> Self {
        Self(Small(number))
    }
}

impl From<usize> for Natural {
    #[inline]
    fn from(number: usize) -> Self {
        Self(Small(number as u128))
    }
}

impl From<&Natural> for UBig {
    fn from(number: &Natural) -> Self {
        number.big().into_owned()
    }
}

impl From<UBig> for Natural {
    fn from(number: UBig) -> Self {
        match u128::try_from(&number) {
            Ok(small) => Self(Small(small)),
            Err(_) => Self(Big(number)),
        }
    }
}

impl AddAssign<&Self> for Natural {
    #[inline]
    fn add_assign(&mut self, other: &Self) {
        match (&mut self.0, &other.0) {
            (Small(a), Small(b)) if let Some(sum) = a.checked_add(*b) => *a = sum,
            (Big(a), Big(b)) => *a += b,
            (Big(a), Small(b)) => *a += *b,
            _ => *self = self.compute(other, u128::checked_add, |a, b| a + b),
        }
    }
}

impl<'a> Sum<&'a Self> for Natural {
    fn sum<I: Iterator<Item = &'a Self>>(numbers: I) -> Self {
        let mut sum = Self::ZERO;
        for number in numbers {
            sum += number;
        }
        sum
    }
}

/// Panics if the result would be negative.
impl SubAssign<&Self> for Natural {
    #[inline]
    fn sub_assign(&mut self, other: &Self) {
        *self = match (&mut self.0, &other.0) {
            (Big(a), Big(b)) => (take(a) - b).into(),
            _ => self.compute(other, u128::checked_sub, |a, b| a - b),
        }
    }
}

impl Mul for &Natural {
    type Output = Natural;

    #[inline]
    fn mul(self, other: Self) -> Natural {
        self.compute(other, product, |a, b| a * b)
    }
}

/// Rounds down. Panics if the divisor is 0.
impl Div for &Natural {
    type Output = Natural;

    fn div(self, by: Self) -> Natural {
        self.compute(by, u128::checked_div, |a, b| a / b)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Numbers around 128 bits, where the representation changes.
    fn naturals() -> impl Strategy<Value = (Natural, UBig)> {
        (any::<u128>(), 0_u32..128, 0_usize..100).prop_map(|(bits, right, left)| {
            let big = UBig::from(bits >> right) << left;
            (big.clone().into(), big)
        })
    }

    proptest! {
        #[test]
        fn arithmetic_is_that_of_big_integers((a, big_a) in naturals(), (b, big_b) in naturals()) {
            let mut sum = a.clone();
            sum += &b;
            prop_assert_eq!(&sum, &Natural::from(&big_a + &big_b));
            sum -= &b;
            prop_assert_eq!(&sum, &a);
            prop_assert_eq!(&a * &b, Natural::from(&big_a * &big_b));
            prop_assert_eq!(a.cmp(&b), big_a.cmp(&big_b));
            prop_assert_eq!(a.to_string(), big_a.to_string());
            prop_assert_eq!(a.bits(), big_a.bit_len());
            let mut fused = a.clone();
            fused.add_product(&a, &b);
            prop_assert_eq!(fused, Natural::from(&big_a + &big_a * &big_b));
            if !b.is_zero() {
                prop_assert_eq!(&a / &b, Natural::from(&big_a / &big_b));
                let divisor = a.gcd(&b);
                prop_assert!((UBig::from(&a) % UBig::from(&divisor)).is_zero());
                prop_assert!((UBig::from(&b) % UBig::from(&divisor)).is_zero());
                let (a, b) = (&a / &divisor, &b / &divisor);
                prop_assert!(a.is_zero() || a.gcd(&b) == Natural::ONE);
            }
        }
    }
}
