//! The exact odds of a parsed expression.

use thiserror::Error;

use super::Notation;
use super::cost::Cost;
use super::range::divide_down;
use super::syntax::{FactorOperator, Node};
use crate::{Distribution, Fraction, Natural, Series};

/// The exact odds of an expression's total.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotationOdds {
    /// The totals with their exact chances.
    ///
    /// Exploding dice have no largest total, so some totals are not listed. The chance of all unlisted totals together is
    /// below one in a million million. If exploding dice are kept, this bound holds for the chance that a single die has
    /// an unlisted value.
    pub distribution: Distribution,
    /// The exact mean, unlisted totals included. `None` if exploding dice are kept or divided, because their mean would be
    /// an infinite sum.
    pub mean: Option<Fraction>,
    /// The smallest total. `None` if exploding dice are subtracted.
    pub min: Option<i64>,
    /// The largest total. `None` if exploding dice are added.
    pub max: Option<i64>,
}

/// The error for odds that would take too long to compute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the exact odds of these dice take too long to compute; the dice can still be rolled")]
pub struct OddsTooLarge;

impl Notation {
    /// True if the exact odds take at most a few milliseconds, so that a program can compute them after each key.
    pub fn is_quick(&self) -> bool {
        Cost::of_node(&self.root).is_ok_and(|cost| cost.is_quick())
    }

    /// True if the exact odds do not take too long to compute.
    pub fn has_odds(&self) -> bool {
        Cost::of_node(&self.root).is_ok()
    }

    /// True if both expressions are the same apart from comments and repetitions, so that their odds are equal.
    pub fn has_same_odds(&self, other: &Self) -> bool {
        self.root == other.root
    }

    /// Computes the exact odds of the total. For a repeated expression, these are the odds of one repetition.
    ///
    /// # Errors
    /// If the computation would take more than about two seconds. The time is estimated before the computation starts.
    pub fn odds(&self) -> Result<NotationOdds, OddsTooLarge> {
        Cost::of_node(&self.root)?;

        let odds = self.root.odds()?;
        // If dice explode, the smallest or largest listed total may only be the last that is listed. It is the true
        // smallest or largest total if the range of the expression ends there.
        let has_open_end = self.root.explodes();
        let (min, max) = self.range();
        Ok(NotationOdds {
            min: odds
                .distribution
                .min()
                .filter(|total| !has_open_end || *total == min),
            max: odds
                .distribution
                .max()
                .filter(|total| !has_open_end || *total == max),
            distribution: odds.distribution,
            mean: odds.mean,
        })
    }
}

/// The odds of a part of an expression.
///
/// The dice of different parts are independent, so means are multiplied as well as added.
pub(super) struct PartOdds {
    pub distribution: Distribution,
    /// The mean, unlisted totals included.
    pub mean: Option<Fraction>,
}

impl Node {
    fn odds(&self) -> Result<PartOdds, OddsTooLarge> {
        match self {
            Self::Number(number) => Ok(PartOdds {
                distribution: Distribution::constant(*number),
                mean: Some(Fraction::from(*number)),
            }),
            Self::Dice(term) => term.odds(),
            Self::Negative(part) => Ok(part.odds()?.negative()),
            Self::Sum(parts) => {
                let mut sum = Self::Number(0).odds()?;
                for part in parts {
                    sum = sum.plus(part.odds()?);
                }
                Ok(sum)
            }
            Self::Product(first, factors) => {
                let mut product = first.odds()?;
                for factor in factors {
                    let operand = factor.operand.odds()?;
                    product = match factor.operator {
                        FactorOperator::Multiply => product.times(operand),
                        FactorOperator::Divide => product.divided_by(&operand),
                    };
                }
                Ok(product)
            }
        }
    }
}

impl PartOdds {
    fn negative(self) -> Self {
        let ways = self
            .distribution
            .ways()
            .iter()
            .rev()
            .map(|(total, ways)| (-total, ways.clone()))
            .collect();
        Self {
            distribution: Distribution::new(ways, self.distribution.total().clone()),
            mean: self.mean.map(|mean| -mean),
        }
    }

    fn plus(self, other: Self) -> Self {
        Self {
            distribution: sum(&self.distribution, &other.distribution),
            mean: self.mean.zip(other.mean).map(|(lhs, rhs)| lhs + rhs),
        }
    }

    fn times(self, other: Self) -> Self {
        Self {
            distribution: self
                .distribution
                .combine(&other.distribution, |lhs, rhs| lhs * rhs),
            mean: self.mean.zip(other.mean).map(|(lhs, rhs)| lhs * rhs),
        }
    }

    fn divided_by(self, divisor: &Self) -> Self {
        let distribution = self
            .distribution
            .combine(&divisor.distribution, divide_down);
        // The mean of rounded quotients must be computed from all totals, so it is unknown if some are not listed.
        let is_complete = distribution.chance(|_| true) == Fraction::ONE;
        let mean = if is_complete {
            Some(distribution.mean())
        } else {
            None
        };
        Self { distribution, mean }
    }
}

/// The distribution of a sum is computed as a product of series if at least one in this many of their coefficients is
/// not 0, otherwise from every pair of totals.
pub(super) const MOST_SPARSE: usize = 4;

/// The distribution of a sum.
fn sum(lhs: &Distribution, rhs: &Distribution) -> Distribution {
    let (Some(lhs_series), Some(rhs_series)) = (to_series(lhs), to_series(rhs)) else {
        return lhs.combine(rhs, |lhs, rhs| lhs + rhs);
    };

    let lowest_sum = lhs.min().unwrap_or(0) + rhs.min().unwrap_or(0);
    let product = rhs_series.times(&lhs_series);
    let ways = (lowest_sum..).zip(product.into_owned().0).collect();
    Distribution::new(ways, lhs.total() * rhs.total())
}

/// Returns the number of ways to roll each total, from the smallest total to the largest. `None` if most totals between
/// them are impossible.
fn to_series(distribution: &Distribution) -> Option<Series> {
    let lowest = distribution.min()?;
    let highest = distribution.max()?;
    let length = usize::try_from(highest - lowest).ok()? + 1;
    if length > distribution.ways().len() * MOST_SPARSE {
        return None;
    }

    let mut series = vec![Natural::ZERO; length];
    for (total, ways) in distribution.ways() {
        let index = usize::try_from(total - lowest).ok()?;
        series[index].clone_from(ways);
    }
    Some(Series(series))
}
