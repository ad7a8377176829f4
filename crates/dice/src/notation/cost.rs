//! Estimates how long exact odds take, before anything is computed.
//!
//! The times were measured on one core of a 2023 server. They need not be exact: refused odds take at least a few
//! times as long as odds that are computed between two keys.

use super::dice_odds::ExplodingSeries;
use super::odds::{MOST_SPARSE, OddsTooLarge};
use super::syntax::{DiceTerm, Node};
use super::weights::DieWeights;
use crate::Keep;
use crate::power::WeightRun;

/// Odds that take longer are refused, in nanoseconds.
const MOST_TIME: f64 = 2e9;
/// Odds that take longer are not computed between two keys, in nanoseconds.
const QUICK_TIME: f64 = 5e6;
/// The most words of 64 bits that a distribution may fill.
const MOST_WORDS: f64 = 4e6;

/// An estimate of a distribution, and of the time that computing it takes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cost {
    /// The number of possible totals.
    totals: f64,
    /// The number of integers from the smallest total to the largest.
    span: f64,
    /// The length of the number of all ways, in bits.
    bits: f64,
    /// In nanoseconds, with the time of all parts.
    time: f64,
}

impl Cost {
    pub(super) fn is_quick(&self) -> bool {
        self.time <= QUICK_TIME
    }

    /// Estimates a part of an expression.
    pub(super) fn of_node(node: &Node) -> Result<Self, OddsTooLarge> {
        let cost = match node {
            Node::Number(_) => Self {
                totals: 1.0,
                span: 1.0,
                bits: 1.0,
                time: 100.0,
            },
            Node::Dice(term) => Self::of_dice(term)?,
            Node::Negative(part) => Self::of_node(part)?,
            Node::Sum(parts) => {
                let mut sum = Self::of_node(&Node::Number(0))?;
                for part in parts {
                    sum = sum.plus(Self::of_node(part)?);
                    sum.check()?;
                }
                sum
            }
            Node::Product(first, factors) => {
                let mut product = Self::of_node(first)?;
                for factor in factors {
                    product = product.times(Self::of_node(&factor.operand)?);
                    product.check()?;
                }
                product
            }
        };
        cost.check()?;
        Ok(cost)
    }

    fn check(&self) -> Result<(), OddsTooLarge> {
        if self.time <= MOST_TIME && self.totals * words(self.bits) <= MOST_WORDS {
            Ok(())
        } else {
            Err(OddsTooLarge)
        }
    }

    fn plus(self, other: Self) -> Self {
        let span = self.span + other.span - 1.0;
        let pairs = self.totals * other.totals;
        let most_sparse = f64::from(u32::try_from(MOST_SPARSE).unwrap_or(0));
        let is_sparse = |cost: &Self| cost.span > cost.totals * most_sparse;
        let step = if is_sparse(&self) || is_sparse(&other) {
            hash_time(self.bits, other.bits)
        } else {
            product_time(self.bits, other.bits)
        };
        Self {
            totals: pairs.min(span),
            span,
            bits: self.bits + other.bits,
            time: self.time + other.time + pairs * step,
        }
    }

    fn times(self, other: Self) -> Self {
        let pairs = self.totals * other.totals;
        Self {
            totals: pairs,
            // An upper bound of the span would need the totals themselves. The sum of a sparse one takes longer.
            span: f64::INFINITY,
            bits: self.bits + other.bits,
            time: self.time + other.time + pairs * hash_time(self.bits, other.bits),
        }
    }

    fn of_dice(term: &DiceTerm) -> Result<Self, OddsTooLarge> {
        let weights = DieWeights::of(term);
        let count = f64::from(term.count);
        let roll_bits = log2(weights.whole);
        let values = f64::from(term.highest_value().abs_diff(term.lowest_value())) + 1.0;

        match (term.counted, term.explode) {
            (Some(counted), Some(_)) if !term.compounds => {
                let series = ExplodingSeries::of_hits(&weights, counted, term.count)?;
                Ok(Self::of_series(&series))
            }
            (Some(counted), explode) => {
                let chain = if explode.is_some() {
                    let highest = if counted.to == i32::MAX {
                        counted.from
                    } else {
                        counted.to
                    };
                    f64::from(highest.max(1))
                } else {
                    1.0
                };
                let bits = count * roll_bits * chain;
                let kept = f64::from(term.kept());
                // A hit at the end of the die, as in 5d6kh3>=5, has no better faces that could be kept before it.
                let has_better = match term.keep {
                    Keep::All => false,
                    Keep::Highest(_) => counted.to < term.highest_value(),
                    Keep::Lowest(_) => counted.from > term.lowest_value(),
                };
                let levels = if has_better { kept } else { 1.0 };
                Ok(Self {
                    totals: kept + 1.0,
                    span: kept + 1.0,
                    bits,
                    time: chain * chain * step_time(roll_bits * chain)
                        + levels * count * 2.0 * step_time(bits),
                })
            }
            (None, _) if term.kept() < term.count => {
                let (values, roll_bits) = match term.explode {
                    Some(_) => {
                        let series = ExplodingSeries::of_sum(&weights, 1)?;
                        let rolls = float(series.longest) + 1.0;
                        (float(series.limit) + 1.0, rolls * roll_bits)
                    }
                    None => (values, roll_bits),
                };
                let is_fair = term.explode.is_none() && weights.faces.len() == 1;
                Ok(Self::of_kept(term, values, roll_bits, is_fair))
            }
            (None, Some(_)) => {
                let series = ExplodingSeries::of_sum(&weights, term.count)?;
                Ok(Self::of_series(&series))
            }
            (None, None) => {
                let totals = count * (values - 1.0) + 1.0;
                let bits = count * roll_bits;
                Ok(Self {
                    totals,
                    span: totals,
                    bits,
                    time: totals * runs_time(&weights.ends(), bits) + totals * 100.0,
                })
            }
        }
    }

    fn of_series(series: &ExplodingSeries) -> Self {
        let totals = float(series.limit) + 1.0;
        let count = f64::from(series.count);
        let roll_bits = log2(series.whole);
        let ends_bits = count * roll_bits;
        let chain_bits = float(series.longest) * roll_bits;

        let highest_end = series.ends.last().map_or(0, |run| run.to);
        let ends = (count * float(highest_end) + 1.0).min(totals);
        let chains = match series.explosions.as_slice() {
            [run] if run.from == run.to => totals / float(run.from) + 1.0,
            _ => totals,
        };
        let bits = ends_bits + chain_bits;
        Self {
            totals,
            span: totals,
            bits,
            time: ends * runs_time(&series.ends, ends_bits)
                + totals * runs_time(&series.explosions, bits)
                + ends * chains * product_time(ends_bits, chain_bits)
                + totals * 100.0,
        }
    }

    /// The sum of kept dice, which is computed for each threshold and each number of dice beyond it.
    fn of_kept(term: &DiceTerm, values: f64, roll_bits: f64, is_fair: bool) -> Self {
        let count = f64::from(term.count);
        let kept = f64::from(term.kept());
        let bits = count * roll_bits;
        let kept_bits = kept * roll_bits;
        let totals = kept * (values - 1.0) + 1.0;

        let added = values * values * kept * kept / 4.0;
        let widened = if is_fair {
            added
        } else {
            values * values * (kept * kept * kept / 12.0 + kept * kept / 2.0)
        };
        let binomials = values * kept * count;
        Self {
            totals,
            span: totals,
            bits,
            time: added * product_time(kept_bits, bits - kept_bits)
                + widened * product_time(kept_bits, 64.0)
                + binomials * product_time(bits / 2.0, bits / 2.0) * 2.0
                + totals * 100.0,
        }
    }
}

/// The time to compute one coefficient of a power, with a division.
fn runs_time(runs: &[WeightRun], bits: f64) -> f64 {
    (float(runs.len()) + 1.0) * 3.0 * step_time(bits)
}

/// The time of an addition or of a product with a small number.
fn step_time(bits: f64) -> f64 {
    if bits <= 120.0 {
        8.0
    } else {
        80.0 + 2.0 * words(bits)
    }
}

/// The time to multiply two numbers and to add the product.
fn product_time(lhs: f64, rhs: f64) -> f64 {
    if lhs + rhs <= 120.0 {
        6.0
    } else {
        80.0 + words(lhs) * words(rhs)
    }
}

/// The time to find a total in a hash map, and to add a product to its ways.
fn hash_time(lhs: f64, rhs: f64) -> f64 {
    30.0 + product_time(lhs, rhs)
}

fn words(bits: f64) -> f64 {
    bits / 64.0 + 1.0
}

#[expect(clippy::cast_precision_loss, reason = "an estimate")]
fn log2(number: u64) -> f64 {
    libm::log2(number as f64)
}

#[expect(clippy::cast_precision_loss, reason = "an estimate")]
const fn float(number: usize) -> f64 {
    number as f64
}
