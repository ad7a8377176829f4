//! The numbers of ways in which one die of a term shows each number, as runs of equally likely numbers.

use super::syntax::{DiceTerm, FaceRange};
use crate::Natural;
use crate::power::WeightRun;

/// Chains are listed until a longer one is less likely than this.
pub(super) const UNLISTED_CHANCE: f64 = 1e-12;

/// Neighbouring numbers that a die shows equally often, after its re-roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct WeightedFaces {
    pub from: i32,
    pub to: i32,
    /// The number of ways to show each of them.
    pub weight: u64,
    /// True if the die is rolled again and the new face is added.
    pub explodes: bool,
}

impl WeightedFaces {
    fn count(&self) -> u64 {
        u64::from(self.to.abs_diff(self.from)) + 1
    }

    fn within(&self, range: FaceRange) -> Option<Self> {
        let part = Self {
            from: self.from.max(range.from),
            to: self.to.min(range.to),
            ..*self
        };
        if part.from <= part.to {
            Some(part)
        } else {
            None
        }
    }
}

impl WeightRun {
    /// A single exponent.
    pub(super) fn one(exponent: usize, weight: u64) -> Self {
        Self {
            from: exponent,
            to: exponent,
            weight: natural(weight),
        }
    }
}

impl DiceTerm {
    /// Returns the numbers of one roll of a die, or of one group of digits, in order.
    pub(super) fn weighted_faces(&self) -> Vec<WeightedFaces> {
        if self.digits > 1 {
            return self.digit_faces();
        }

        let all = FaceRange {
            from: self.lowest,
            to: self.highest(),
        };
        let mut starts = vec![all.from];
        for faces in [self.reroll, self.explode].into_iter().flatten() {
            starts.push(faces.from);
            starts.push(faces.to.saturating_add(1));
        }
        starts.retain(|start| all.contains(i64::from(*start)));
        starts.sort_unstable();
        starts.dedup();

        let rerolled = u64::from(self.rerolled_faces());
        let (once, again) = match rerolled {
            0 => (1, 0),
            // Each first face has as many ways as the die has sides, and each re-rolled one leads to all faces.
            _ => (u64::from(self.sides), rerolled),
        };

        let mut weighted = Vec::with_capacity(starts.len());
        for (index, &from) in starts.iter().enumerate() {
            let to = starts.get(index + 1).map_or(all.to, |next| next - 1);
            let weight = if self.rerolls(from) {
                again
            } else {
                once + again
            };
            weighted.push(WeightedFaces {
                from,
                to,
                weight,
                explodes: self.explodes(from),
            });
        }
        reduce(&mut weighted);
        weighted
    }

    /// The numbers of a d66 or d666: each run is the last digit of some digits before it.
    fn digit_faces(&self) -> Vec<WeightedFaces> {
        let mut prefixes = vec![0];
        for _ in 1..self.digits {
            prefixes = prefixes
                .iter()
                .flat_map(|prefix| {
                    (self.lowest..=self.highest()).map(move |digit| prefix * 10 + digit)
                })
                .collect();
        }

        prefixes
            .iter()
            .map(|prefix| WeightedFaces {
                from: prefix * 10 + self.lowest,
                to: prefix * 10 + self.highest(),
                weight: 1,
                explodes: false,
            })
            .collect()
    }

    fn rerolled_faces(&self) -> u32 {
        let Some(faces) = self.reroll else {
            return 0;
        };
        let from = faces.from.max(self.lowest);
        let to = faces.to.min(self.highest());
        if from <= to { to.abs_diff(from) + 1 } else { 0 }
    }
}

/// Joins neighbouring runs of the same weight, and divides all weights by their greatest common divisor.
fn reduce(weighted: &mut Vec<WeightedFaces>) {
    weighted.dedup_by(|next, run| {
        let is_same = next.weight == run.weight && next.explodes == run.explodes;
        if is_same {
            run.to = next.to;
        }
        is_same
    });

    let divisor = weighted.iter().fold(0, |divisor, run| {
        greatest_common_divisor(divisor, run.weight)
    });
    for run in weighted {
        run.weight /= divisor.max(1);
    }
}

const fn greatest_common_divisor(mut lhs: u64, mut rhs: u64) -> u64 {
    while rhs != 0 {
        let remainder = lhs % rhs;
        lhs = rhs;
        rhs = remainder;
    }
    lhs
}

/// The ways of one roll, in groups.
#[derive(Clone, Debug)]
pub(super) struct DieWeights {
    pub faces: Vec<WeightedFaces>,
    /// All ways of one roll.
    pub whole: u64,
    /// The ways of one roll that explode.
    pub exploding: u64,
}

impl DieWeights {
    pub(super) fn of(term: &DiceTerm) -> Self {
        let faces = term.weighted_faces();
        let mut weights = Self {
            whole: 0,
            exploding: 0,
            faces: Vec::new(),
        };
        for run in &faces {
            let ways = run.count() * run.weight;
            weights.whole += ways;
            if run.explodes {
                weights.exploding += ways;
            }
        }
        weights.faces = faces;
        weights
    }

    /// The ways of one roll to show a number in `range`.
    pub(super) fn within(&self, range: FaceRange) -> u64 {
        self.faces
            .iter()
            .filter_map(|run| run.within(range))
            .map(|run| run.count() * run.weight)
            .sum()
    }

    /// The ways of one roll to show a number in `range` and to explode.
    pub(super) fn exploding_within(&self, range: FaceRange) -> u64 {
        self.faces
            .iter()
            .filter(|run| run.explodes)
            .filter_map(|run| run.within(range))
            .map(|run| run.count() * run.weight)
            .sum()
    }

    /// The smallest number on which a die ends.
    pub(super) fn lowest_end(&self) -> i32 {
        self.faces
            .iter()
            .find(|run| !run.explodes)
            .map_or(0, |run| run.from)
    }

    /// The numbers on which a die ends, as exponents from 0.
    pub(super) fn ends(&self) -> Vec<WeightRun> {
        let lowest = self.lowest_end();
        self.faces
            .iter()
            .filter(|run| !run.explodes)
            .map(|run| WeightRun {
                from: exponent(run.from, lowest),
                to: exponent(run.to, lowest),
                weight: natural(run.weight),
            })
            .collect()
    }

    /// The numbers on which a die explodes, as exponents.
    pub(super) fn explosions(&self) -> Vec<WeightRun> {
        self.faces
            .iter()
            .filter(|run| run.explodes)
            .map(|run| WeightRun {
                from: exponent(run.from, 0),
                to: exponent(run.to, 0),
                weight: natural(run.weight),
            })
            .collect()
    }

    /// The ways of one roll to show each number, from the lowest.
    pub(super) fn to_coefficients(&self) -> Vec<Natural> {
        let (Some(first), Some(last)) = (self.faces.first(), self.faces.last()) else {
            return Vec::new();
        };
        let mut coefficients = vec![Natural::ZERO; exponent(last.to, first.from) + 1];
        for run in &self.faces {
            coefficients[exponent(run.from, first.from)..=exponent(run.to, first.from)]
                .fill(natural(run.weight));
        }
        coefficients
    }
}

pub(super) fn natural(number: u64) -> Natural {
    Natural::from(u128::from(number))
}

fn exponent(face: i32, lowest: i32) -> usize {
    usize::try_from(face - lowest).expect("no face is below the lowest")
}

/// Returns a number of explosions that `count` dice exceed less often than [`UNLISTED_CHANCE`]. Each roll explodes with
/// the chance `chance`. `None` if the number is above `most`.
///
/// The number of explosions has a negative binomial distribution. Where its terms fall, they fall faster than a
/// geometric series, whose sum bounds the rest.
pub(super) fn longest_explosions(count: u32, chance: f64, most: usize) -> Option<usize> {
    if chance <= 0.0 || count == 0 {
        return Some(0);
    }

    let dice = f64::from(count);
    let mut explosions = 0.0;
    let mut log_term = dice * libm::log1p(-chance);
    for number in 0..=most {
        let ratio = chance * (dice + explosions) / (explosions + 1.0);
        log_term += libm::log(ratio);
        explosions += 1.0;
        if ratio < 1.0 {
            let next_ratio = chance * (dice + explosions) / (explosions + 1.0);
            let tail = libm::exp(log_term) / (1.0 - next_ratio.max(chance));
            if tail < UNLISTED_CHANCE {
                return Some(number);
            }
        }
    }
    None
}
