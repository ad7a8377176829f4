//! Estimates how long exact odds take, before anything is computed.
//!
//! The times were measured on one core of a 2023 server, in nanoseconds. They need not be exact, because expressions
//! that people write are far from the limits.

use super::exploding::ExplodingSeries;
use super::odds::{MOST_SPARSE, OddsTooLarge};
use super::syntax::{DiceTerm, FaceRange, Node};
use super::weights::DieWeights;
use crate::Keep;
use crate::power::WeightRun;

/// Odds that take longer are refused, in nanoseconds.
const MOST_TIME: f64 = 2e9;
/// Odds that take longer are not computed while a person types, in nanoseconds.
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
    /// The time to compute the distribution and those of all its parts, in nanoseconds.
    time: f64,
}

impl Cost {
    const OF_NUMBER: Self = Self {
        totals: 1.0,
        span: 1.0,
        bits: 1.0,
        time: 100.0,
    };

    pub(super) fn is_quick(&self) -> bool {
        self.time <= QUICK_TIME
    }

    /// Estimates a part of an expression.
    pub(super) fn of_node(node: &Node) -> Result<Self, OddsTooLarge> {
        let cost = match node {
            Node::Number(_) => Self::OF_NUMBER,
            Node::Dice(term) => Self::of_dice(term)?,
            Node::Negative(part) => Self::of_node(part)?,
            Node::Sum(parts) => {
                let mut sum = Self::OF_NUMBER;
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

    /// True if sums are computed total by total, because most integers between the totals are impossible.
    fn is_sparse(&self) -> bool {
        self.span > self.totals * float(MOST_SPARSE)
    }

    fn plus(self, other: Self) -> Self {
        let span = self.span + other.span - 1.0;
        let pairs = self.totals * other.totals;
        let step = if self.is_sparse() || other.is_sparse() {
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
            // The span depends on the totals themselves, which are not known here. An infinite span makes the
            // distribution sparse, which takes longer, so the estimate stays an upper bound.
            span: f64::INFINITY,
            bits: self.bits + other.bits,
            time: self.time + other.time + pairs * hash_time(self.bits, other.bits),
        }
    }

    fn of_dice(term: &DiceTerm) -> Result<Self, OddsTooLarge> {
        let weights = DieWeights::of(term);
        let drops_dice = term.kept() < term.count;

        match (term.counted, term.explode) {
            (Some(counted), Some(_)) if !term.compounds => {
                let series = ExplodingSeries::of_hits(&weights, counted, term.count)?;
                Ok(Self::of_series(&series))
            }
            (Some(counted), _) => Ok(Self::of_hits(term, &weights, counted)),
            (None, Some(_)) if drops_dice => Self::of_kept_chains(term, &weights),
            (None, Some(_)) => {
                let series = ExplodingSeries::of_sum(&weights, term.count)?;
                Ok(Self::of_series(&series))
            }
            (None, None) if drops_dice => {
                let die = DieCost {
                    values: value_count(term),
                    bits: log2(weights.all_ways),
                    is_fair: weights.faces.len() == 1,
                };
                Ok(Self::of_kept(term, &die))
            }
            (None, None) => Ok(Self::of_sum(term, &weights)),
        }
    }

    /// The number of dice that show counted values, where each die is one hit at most.
    fn of_hits(term: &DiceTerm, weights: &DieWeights, counted: FaceRange) -> Self {
        let roll_bits = log2(weights.all_ways);
        let count = f64::from(term.count);
        let kept = f64::from(term.kept());

        // The odds of a chain are computed up to this total.
        let listed = if term.explode.is_none() {
            1.0
        } else if counted.to == i32::MAX {
            f64::from(counted.from.max(1))
        } else {
            f64::from(counted.to.max(1))
        };
        let die_bits = roll_bits * listed;
        let bits = count * die_bits;

        // If the best face of a die is counted, as in 5d6kh3>=5, no die can be better than a hit.
        let has_better = match term.keep {
            Keep::All => false,
            Keep::Highest(_) => counted.to < term.highest_value(),
            Keep::Lowest(_) => counted.from > term.lowest_value(),
        };
        let numbers_of_better_dice = if has_better { kept } else { 1.0 };

        let chain_time = listed * listed * step_time(die_bits);
        let hits_time = numbers_of_better_dice * count * 2.0 * step_time(bits);
        Self {
            totals: kept + 1.0,
            span: kept + 1.0,
            bits,
            time: chain_time + hits_time,
        }
    }

    fn of_sum(term: &DiceTerm, weights: &DieWeights) -> Self {
        let count = f64::from(term.count);
        let totals = count * (value_count(term) - 1.0) + 1.0;
        let bits = count * log2(weights.all_ways);
        Self {
            totals,
            span: totals,
            bits,
            time: totals * runs_time(&weights.ends(), bits) + totals * 100.0,
        }
    }

    fn of_series(series: &ExplodingSeries) -> Self {
        let totals = float(series.limit) + 1.0;
        let count = f64::from(series.count);
        let roll_bits = log2(series.all_ways);
        let ends_bits = count * roll_bits;
        let chain_bits = float(series.longest) * roll_bits;

        let bits = ends_bits + chain_bits;

        // The numbers of coefficients of both series. Zeros are skipped.
        let highest_end = series.ends.last().map_or(0, |run| run.to);
        let ends = (count * float(highest_end) + 1.0).min(totals);
        let chains = match series.explosions.as_slice() {
            [run] if run.from == run.to => totals / float(run.from) + 1.0,
            _ => totals,
        };

        let ends_time = ends * runs_time(&series.ends, ends_bits);
        let chains_time = totals * runs_time(&series.explosions, bits);
        let product_time = ends * chains * product_time(ends_bits, chain_bits);
        Self {
            totals,
            span: totals,
            bits,
            time: ends_time + chains_time + product_time + totals * 100.0,
        }
    }

    fn of_kept_chains(term: &DiceTerm, weights: &DieWeights) -> Result<Self, OddsTooLarge> {
        let chain = ExplodingSeries::of_sum(weights, 1)?;
        let rolls = float(chain.longest) + 1.0;
        let die = DieCost {
            values: float(chain.limit) + 1.0,
            bits: rolls * log2(weights.all_ways),
            is_fair: false,
        };
        Ok(Self::of_kept(term, &die))
    }

    /// The sum of kept dice. [`kept_sum`](crate::kept_sum) describes the computation.
    fn of_kept(term: &DiceTerm, die: &DieCost) -> Self {
        let count = f64::from(term.count);
        let kept = f64::from(term.kept());
        let kept_squared = kept * kept;
        let values_squared = die.values * die.values;

        let bits = count * die.bits;
        let kept_bits = kept * die.bits;
        let totals = kept * (die.values - 1.0) + 1.0;

        // The numbers of operations that add a series to the result, lower a threshold, and compute binomial terms.
        let added = values_squared * kept_squared / 4.0;
        let lowered = if die.is_fair {
            added
        } else {
            values_squared * (kept_squared * kept / 12.0 + kept_squared / 2.0)
        };
        let binomials = die.values * kept * count;

        let adding_time = added * product_time(kept_bits, bits - kept_bits);
        let lowering_time = lowered * product_time(kept_bits, 64.0);
        let binomials_time = binomials * product_time(bits / 2.0, bits / 2.0) * 2.0;
        Self {
            totals,
            span: totals,
            bits,
            time: adding_time + lowering_time + binomials_time + totals * 100.0,
        }
    }
}

/// The values of one die, of which some are kept.
struct DieCost {
    /// The number of values.
    values: f64,
    /// The length of the number of all ways of the die, in bits.
    bits: f64,
    /// True if all values are equally likely.
    is_fair: bool,
}

/// The number of values from the lowest to the highest of a die that does not explode.
fn value_count(term: &DiceTerm) -> f64 {
    let span = term.highest_value().abs_diff(term.lowest_value());
    f64::from(span) + 1.0
}

/// The time to compute one coefficient of a [power](crate::power), with a division.
fn runs_time(runs: &[WeightRun], bits: f64) -> f64 {
    (float(runs.len()) + 1.0) * 3.0 * step_time(bits)
}

/// The time of an addition, or of a product with a small number.
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

/// The time to find a total in a hash map, to multiply two numbers and to add the product to the ways of the total.
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
