//! The smallest and the largest total of an expression.

/// The smallest and the largest total.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct TotalRange {
    pub min: i64,
    pub max: i64,
}

impl TotalRange {
    pub(super) const fn of_number(number: i64) -> Self {
        Self {
            min: number,
            max: number,
        }
    }

    pub(super) const fn negative(self) -> Self {
        Self {
            min: -self.max,
            max: -self.min,
        }
    }

    /// Returns the range of a sum. `None` if a total would not fit in 64 bits.
    pub(super) fn plus(self, other: Self) -> Option<Self> {
        Self::around([
            self.min.checked_add(other.min),
            self.max.checked_add(other.max),
        ])
    }

    /// Returns the range of a product. `None` if a total would not fit in 64 bits.
    pub(super) fn times(self, other: Self) -> Option<Self> {
        Self::around([
            self.min.checked_mul(other.min),
            self.min.checked_mul(other.max),
            self.max.checked_mul(other.min),
            self.max.checked_mul(other.max),
        ])
    }

    /// Returns the range of a quotient that is rounded down. The divisor must not contain 0.
    pub(super) fn divided_by(self, divisor: Self) -> Option<Self> {
        Self::around([
            Some(divide_down(self.min, divisor.min)),
            Some(divide_down(self.min, divisor.max)),
            Some(divide_down(self.max, divisor.min)),
            Some(divide_down(self.max, divisor.max)),
        ])
    }

    pub(super) const fn contains_zero(self) -> bool {
        self.min <= 0 && 0 <= self.max
    }

    /// Returns the smallest range that contains these totals. `None` if a total is missing, or if it or its negative does
    /// not fit in 64 bits.
    fn around<const N: usize>(totals: [Option<i64>; N]) -> Option<Self> {
        let mut range = Self {
            min: i64::MAX,
            max: i64::MIN,
        };
        for total in totals {
            let total = total?;
            if total == i64::MIN || total == i64::MAX {
                return None;
            }
            range.min = range.min.min(total);
            range.max = range.max.max(total);
        }
        Some(range)
    }
}

/// Divides and rounds down, toward negative infinity. The divisor must not be 0.
pub(super) const fn divide_down(dividend: i64, divisor: i64) -> i64 {
    let quotient = dividend / divisor;
    let has_remainder = dividend % divisor != 0;
    if has_remainder && (dividend < 0) != (divisor < 0) {
        quotient - 1
    } else {
        quotient
    }
}
