//! Exact whole numbers from 0 up: how many ways there are.

use std::cmp::Ordering;
use std::fmt;
use std::iter::Sum;
use std::ops::{AddAssign, Div, Mul, Sub};

use num_bigint::BigUint;

/// A whole number from 0 up, exact at any size.
///
/// Nearly every count of ways fits 128 bits and is kept in them; the few that do not (all tiers 6
/// against twenty Pain dice) move to a big integer, and back when they become small again.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Natural(Size);

#[derive(Clone, PartialEq, Eq, Hash)]
enum Size {
    Small(u128),
    /// Always above `u128::MAX`: every number has one form, so equality is of forms.
    Big(BigUint),
}
use Size::{Big, Small};

impl Natural {
    /// None.
    pub const ZERO: Self = Self(Small(0));
    /// One.
    pub const ONE: Self = Self(Small(1));

    /// Whether it is 0.
    pub fn is_zero(&self) -> bool {
        *self == Self::ZERO
    }

    /// How many bits it has; 0 has none.
    pub(crate) fn bits(&self) -> u64 {
        match &self.0 {
            Small(small) => u64::from(u128::BITS - small.leading_zeros()),
            Big(big) => big.bits(),
        }
    }

    /// Itself, multiplied with itself so often.
    #[must_use]
    pub fn pow(&self, times: u32) -> Self {
        match &self.0 {
            Small(small) => small
                .checked_pow(times)
                .map_or_else(|| BigUint::from(*small).pow(times).into(), Self::from),
            Big(big) => big.pow(times).into(),
        }
    }

    /// How many times `by` goes into it, and what is left.
    ///
    /// # Panics
    /// When `by` is 0.
    pub fn div_rem(&self, by: &Self) -> (Self, Self) {
        if let (Small(number), Small(by)) = (&self.0, &by.0) {
            return ((number / by).into(), (number % by).into());
        }
        let (number, by) = (self.to_big(), by.to_big());
        ((&number / &by).into(), (number % by).into())
    }

    /// The greatest number that divides both.
    #[must_use]
    pub fn gcd(&self, other: &Self) -> Self {
        let (mut a, mut b) = (self.clone(), other.clone());
        loop {
            if let (Small(a), Small(b)) = (&a.0, &b.0) {
                return gcd_small(*a, *b).into();
            }
            if b.is_zero() {
                return a;
            }
            let (_, rest) = a.div_rem(&b);
            (a, b) = (b, rest);
        }
    }

    /// The least number that both divide; neither may be 0.
    pub(crate) fn lcm(&self, other: &Self) -> Self {
        if self == other {
            return self.clone();
        }
        &(self / &self.gcd(other)) * other
    }

    /// Adds `a` times `b`.
    pub(crate) fn add_product(&mut self, a: &Self, b: &Self) {
        if let (Small(sum), Small(a), Small(b)) = (&mut self.0, &a.0, &b.0)
            && let Some(new) = a
                .checked_mul(*b)
                .and_then(|product| sum.checked_add(product))
        {
            *sum = new;
            return;
        }
        *self += &(a * b);
    }

    /// Itself times two to the power of `bits`.
    pub(crate) fn shifted(&self, bits: u64) -> Self {
        match &self.0 {
            Small(small) if bits <= u64::from(small.leading_zeros()) && bits < 128 => {
                (small << bits).into()
            }
            Small(_) | Big(_) => (self.to_big() << bits).into(),
        }
    }

    /// Itself as a 64-bit number, where it fits.
    pub(crate) fn to_u64(&self) -> Option<u64> {
        match &self.0 {
            Small(small) => u64::try_from(*small).ok(),
            Big(_) => None,
        }
    }

    fn to_big(&self) -> BigUint {
        match &self.0 {
            Small(small) => BigUint::from(*small),
            Big(big) => big.clone(),
        }
    }
}

/// Stein's algorithm: shifts and subtractions, where division of 128 bits is slow.
fn gcd_small(mut a: u128, mut b: u128) -> u128 {
    if a == 0 || b == 0 {
        return a | b;
    }
    let twos = (a | b).trailing_zeros();
    a >>= a.trailing_zeros();
    loop {
        b >>= b.trailing_zeros();
        (a, b) = (a.min(b), a.max(b));
        b -= a;
        if b == 0 {
            return a << twos;
        }
    }
}

/// How many ways there are to pick `some` of `all`.
pub(crate) fn choose(all: usize, some: usize) -> Natural {
    if some > all {
        return Natural::ZERO;
    }
    (0..some.min(all - some)).fold(Natural::ONE, |ways, picked| {
        &(&ways * &Natural::from(all - picked)) / &Natural::from(picked + 1)
    })
}

impl From<u128> for Natural {
    fn from(number: u128) -> Self {
        Self(Small(number))
    }
}

impl From<u64> for Natural {
    fn from(number: u64) -> Self {
        Self(Small(number.into()))
    }
}

impl From<u32> for Natural {
    fn from(number: u32) -> Self {
        Self(Small(number.into()))
    }
}

impl From<u8> for Natural {
    fn from(number: u8) -> Self {
        Self(Small(number.into()))
    }
}

impl From<usize> for Natural {
    fn from(number: usize) -> Self {
        Self(Small(number as u128))
    }
}

impl From<BigUint> for Natural {
    fn from(number: BigUint) -> Self {
        match u128::try_from(&number) {
            Ok(small) => Self(Small(small)),
            Err(_too_large) => Self(Big(number)),
        }
    }
}

impl AddAssign<&Self> for Natural {
    fn add_assign(&mut self, other: &Self) {
        match (&mut self.0, &other.0) {
            (Small(a), Small(b)) => match a.checked_add(*b) {
                Some(sum) => *a = sum,
                None => self.0 = Big(BigUint::from(*a) + b),
            },
            (Big(a), Big(b)) => *a += b,
            (Big(a), Small(b)) => *a += *b,
            (Small(a), Big(b)) => self.0 = Big(b + *a),
        }
    }
}

impl<'a> Sum<&'a Self> for Natural {
    fn sum<I: Iterator<Item = &'a Self>>(numbers: I) -> Self {
        numbers.fold(Self::ZERO, |mut sum, number| {
            sum += number;
            sum
        })
    }
}

impl Sub for &Natural {
    type Output = Natural;

    fn sub(self, other: Self) -> Natural {
        match (&self.0, &other.0) {
            (Small(a), Small(b)) => (a - b).into(),
            (Big(a), Big(b)) => (a - b).into(),
            (Big(a), Small(b)) => (a - *b).into(),
            (Small(_), Big(_)) => (self.to_big() - other.to_big()).into(),
        }
    }
}

impl Mul for &Natural {
    type Output = Natural;

    fn mul(self, other: Self) -> Natural {
        match (&self.0, &other.0) {
            (Small(a), Small(b)) => a
                .checked_mul(*b)
                .map_or_else(|| Natural(Big(BigUint::from(*a) * *b)), Natural::from),
            (Big(a), Big(b)) => Natural(Big(a * b)),
            (Big(big), Small(small)) | (Small(small), Big(big)) => match u64::try_from(*small) {
                Ok(0) => Natural::ZERO,
                Ok(small) => Natural(Big(big * small)),
                Err(_too_large) => Natural(Big(big * *small)),
            },
        }
    }
}

impl Div for &Natural {
    type Output = Natural;

    fn div(self, by: Self) -> Natural {
        match (&self.0, &by.0) {
            (Small(a), Small(b)) => (a / b).into(),
            (Big(big), Small(small)) => match u64::try_from(*small) {
                Ok(small) => (big / small).into(),
                Err(_too_large) => (big / *small).into(),
            },
            (Big(a), Big(b)) => (a / b).into(),
            (Small(_), Big(_)) => Natural::ZERO,
        }
    }
}

impl Ord for Natural {
    fn cmp(&self, other: &Self) -> Ordering {
        match (&self.0, &other.0) {
            (Small(a), Small(b)) => a.cmp(b),
            (Big(a), Big(b)) => a.cmp(b),
            (Small(_), Big(_)) => Ordering::Less,
            (Big(_), Small(_)) => Ordering::Greater,
        }
    }
}

impl PartialOrd for Natural {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Natural {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Small(small) => fmt::Display::fmt(small, formatter),
            Big(big) => fmt::Display::fmt(big, formatter),
        }
    }
}

impl fmt::Debug for Natural {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Numbers of every size around the 128 bits where the form changes.
    fn naturals() -> impl Strategy<Value = (Natural, BigUint)> {
        (any::<u128>(), 0_u32..128, 0_u32..100).prop_map(|(bits, right, left)| {
            let big = BigUint::from(bits >> right) << left;
            (big.clone().into(), big)
        })
    }

    proptest! {
        #[test]
        fn arithmetic_is_that_of_big_integers((a, big_a) in naturals(), (b, big_b) in naturals()) {
            let mut sum = a.clone();
            sum += &b;
            prop_assert_eq!(&sum, &Natural::from(&big_a + &big_b));
            prop_assert_eq!(&sum - &b, a.clone());
            prop_assert_eq!(&a * &b, Natural::from(&big_a * &big_b));
            prop_assert_eq!(a.cmp(&b), big_a.cmp(&big_b));
            prop_assert_eq!(a.to_string(), big_a.to_string());
            prop_assert_eq!(a.bits(), big_a.bits());
            prop_assert_eq!(a.shifted(77), Natural::from(&big_a << 77));
            let mut fused = a.clone();
            fused.add_product(&a, &b);
            prop_assert_eq!(fused, Natural::from(&big_a + &big_a * &big_b));
            if !b.is_zero() {
                let (whole, rest) = a.div_rem(&b);
                prop_assert_eq!(&whole, &Natural::from(&big_a / &big_b));
                prop_assert_eq!(&whole, &(&a / &b));
                prop_assert_eq!(rest, Natural::from(&big_a % &big_b));
                let divisor = a.gcd(&b);
                prop_assert!(a.div_rem(&divisor).1.is_zero());
                prop_assert!(b.div_rem(&divisor).1.is_zero());
                let (a, b) = (&a / &divisor, &b / &divisor);
                prop_assert!(a.is_zero() || a.gcd(&b) == Natural::ONE);
            }
        }
    }
}
