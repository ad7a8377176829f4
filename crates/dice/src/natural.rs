//! Exact whole numbers from 0 up: how many ways there are.

use std::borrow::Cow;
use std::iter::Sum;
use std::mem::take;
use std::ops::{AddAssign, Div, Mul, SubAssign};

use dashu_int::UBig;
use dashu_int::ops::{BitTest as _, Gcd as _};

/// A whole number from 0 up, exact at any size.
///
/// Nearly every count of ways fits 128 bits and is kept in them; the few that do not (all tiers 6
/// against twenty Pain dice) move to a big integer, and back when they become small again.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, derive_more::Display)]
#[display("{}", self.big())]
pub struct Natural(Size);

/// Every number has one form, and small ones stand first: equality and order are those of forms.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Size {
    Small(u128),
    /// Always above `u128::MAX`.
    Big(UBig),
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
    pub fn bits(&self) -> usize {
        self.big().bit_len()
    }

    /// Itself, multiplied with itself so often.
    pub fn pow(&self, times: usize) -> Self {
        let small = match &self.0 {
            Small(small) => u32::try_from(times).map_or(None, |times| small.checked_pow(times)),
            Big(_) => None,
        };
        small.map_or_else(|| self.big().pow(times).into(), Self::from)
    }

    /// The greatest number that divides both.
    pub fn gcd(&self, other: &Self) -> Self {
        self.op(other, |a, b| Some(a.gcd(b)), |a, b| a.gcd(b))
    }

    /// Adds `a` times `b`.
    #[inline]
    pub fn add_product(&mut self, a: &Self, b: &Self) {
        if let (Small(sum), Small(a), Small(b)) = (&mut self.0, &a.0, &b.0)
            && let Some(product) = product(*a, *b)
            && let Some(new) = sum.checked_add(product)
        {
            *sum = new;
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

    /// What an operation comes to: in 128 bits where it fits, else in big integers.
    #[inline]
    fn op(
        &self,
        other: &Self,
        small: impl Fn(u128, u128) -> Option<u128>,
        big: impl Fn(&UBig, &UBig) -> UBig,
    ) -> Self {
        if let (Small(a), Small(b)) = (&self.0, &other.0)
            && let Some(fits) = small(*a, *b)
        {
            return fits.into();
        }
        big(&self.big(), &other.big()).into()
    }
}

/// The product, where it fits. Of numbers that fit half as many bits it takes one multiplication, and nearly all do.
#[inline]
fn product(a: u128, b: u128) -> Option<u128> {
    match (u64::try_from(a), u64::try_from(b)) {
        (Ok(a), Ok(b)) => Some(u128::from(a) * u128::from(b)),
        _ => a.checked_mul(b),
    }
}

/// How many ways there are to pick `some` of `all`.
pub fn choose(all: usize, some: usize) -> Natural {
    if some > all {
        return Natural::ZERO;
    }
    (0..some.min(all - some)).fold(Natural::ONE, |ways, picked| {
        &(&ways * &Natural::from(all - picked)) / &Natural::from(picked + 1)
    })
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
        u128::try_from(&number).map_or(Self(Big(number)), Self::from)
    }
}

impl AddAssign<&Self> for Natural {
    #[inline]
    fn add_assign(&mut self, other: &Self) {
        match (&mut self.0, &other.0) {
            (Small(a), Small(b)) if let Some(sum) = a.checked_add(*b) => *a = sum,
            (Big(a), Big(b)) => *a += b,
            (Big(a), Small(b)) => *a += *b,
            _ => *self = self.op(other, u128::checked_add, |a, b| a + b),
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

impl SubAssign<&Self> for Natural {
    #[inline]
    fn sub_assign(&mut self, other: &Self) {
        *self = match (&mut self.0, &other.0) {
            (Big(a), Big(b)) => (take(a) - b).into(),
            _ => self.op(other, u128::checked_sub, |a, b| a - b),
        }
    }
}

impl Mul for &Natural {
    type Output = Natural;

    #[inline]
    fn mul(self, other: Self) -> Natural {
        self.op(other, product, |a, b| a * b)
    }
}

impl Div for &Natural {
    type Output = Natural;

    fn div(self, by: Self) -> Natural {
        self.op(by, u128::checked_div, |a, b| a / b)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Numbers of every size around the 128 bits where the form changes.
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
