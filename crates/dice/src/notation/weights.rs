//! The number of ways in which one die shows each number. Adjacent numbers that are equally likely form a run.

use super::syntax::{DiceTerm, FaceRange};
use crate::power::WeightRun;
use crate::{Natural, Series};

/// Chains are listed until a longer one is less likely than this.
pub(super) const UNLISTED_CHANCE: f64 = 1e-12;

/// Adjacent numbers that are equally likely after the re-roll of a die.
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

    /// Returns the part of the run that lies in the range.
    fn within(&self, range: FaceRange) -> Option<Self> {
        let faces = FaceRange {
            from: self.from,
            to: self.to,
        };
        let shared = faces.intersect(range);
        if shared.is_empty() {
            return None;
        }
        Some(Self {
            from: shared.from,
            to: shared.to,
            ..*self
        })
    }
}

impl WeightRun {
    /// A single exponent.
    pub(super) fn single(exponent: usize, weight: u64) -> Self {
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

        let all = self.all_faces();
        // The faces at which a run starts, because re-rolls or explosions begin or end there.
        let mut starts = vec![all.from];
        let special_faces = [self.reroll, self.explode];
        for faces in special_faces.into_iter().flatten() {
            starts.push(faces.from);
            starts.push(faces.to.saturating_add(1));
        }
        starts.retain(|start| all.contains(i64::from(*start)));
        starts.sort_unstable();
        starts.dedup();

        // A way consists of a first and a second roll. Each face that is re-rolled leads to all faces in one way. A face
        // that is not re-rolled counts at once, whatever the second roll would have shown.
        let ways_after_reroll = u64::from(self.rerolled_face_count());
        let ways_at_once = match ways_after_reroll {
            0 => 1,
            _ => u64::from(self.sides),
        };

        let mut weighted = Vec::with_capacity(starts.len());
        for (index, &from) in starts.iter().enumerate() {
            let to = match starts.get(index + 1) {
                Some(next_start) => next_start - 1,
                None => all.to,
            };
            let weight = if self.rerolls(from) {
                ways_after_reroll
            } else {
                ways_at_once + ways_after_reroll
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

    /// The numbers of a d66 or d666, a run for each choice of the digits before the last.
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

    fn rerolled_face_count(&self) -> u32 {
        let rerolled = self.reroll.unwrap_or(FaceRange::EMPTY);
        let shown = rerolled.intersect(self.all_faces());
        if shown.is_empty() {
            return 0;
        }
        shown.to.abs_diff(shown.from) + 1
    }
}

/// Joins adjacent runs of the same weight, and divides all weights by their greatest common divisor.
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

/// The numbers that one roll of a die can show, each with its number of ways.
#[derive(Clone, Debug)]
pub(super) struct DieWeights {
    /// The numbers, in runs of equal weight.
    pub faces: Vec<WeightedFaces>,
    /// The number of all ways of one roll.
    pub all_ways: u64,
    /// The number of ways in which one roll explodes.
    pub exploding: u64,
}

impl DieWeights {
    pub(super) fn of(term: &DiceTerm) -> Self {
        let faces = term.weighted_faces();
        let mut weights = Self {
            all_ways: 0,
            exploding: 0,
            faces: Vec::new(),
        };
        for run in &faces {
            let ways = run.count() * run.weight;
            weights.all_ways += ways;
            if run.explodes {
                weights.exploding += ways;
            }
        }
        weights.faces = faces;
        weights
    }

    /// The number of ways in which one roll shows a number in `range`.
    pub(super) fn within(&self, range: FaceRange) -> u64 {
        self.faces
            .iter()
            .filter_map(|run| run.within(range))
            .map(|run| run.count() * run.weight)
            .sum()
    }

    /// The number of ways in which one roll shows a number in `range` and explodes.
    pub(super) fn exploding_within(&self, range: FaceRange) -> u64 {
        self.faces
            .iter()
            .filter(|run| run.explodes)
            .filter_map(|run| run.within(range))
            .map(|run| run.count() * run.weight)
            .sum()
    }

    /// The smallest number that ends a chain of explosions.
    pub(super) fn lowest_end(&self) -> i32 {
        self.faces
            .iter()
            .find(|run| !run.explodes)
            .map_or(0, |run| run.from)
    }

    /// The numbers that end a chain of explosions, less the smallest of them, as exponents of a series.
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

    /// The numbers on which a die explodes, as exponents of a series.
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

    /// For each number from the lowest, the number of ways in which one roll shows it.
    pub(super) fn to_series(&self) -> Series {
        let mut ways = Vec::new();
        let lowest = self.faces.first().map_or(0, |run| run.from);

        for run in &self.faces {
            // A d66 has no numbers between 16 and 21.
            ways.resize(exponent(run.from, lowest), Natural::ZERO);
            ways.resize(exponent(run.to, lowest) + 1, natural(run.weight));
        }
        Series(ways)
    }
}

pub(super) fn natural(number: u64) -> Natural {
    Natural::from(u128::from(number))
}

fn exponent(face: i32, lowest: i32) -> usize {
    usize::try_from(face - lowest).expect("no face is below the lowest")
}

/// Returns a number of explosions that `count` dice exceed with a probability below [`UNLISTED_CHANCE`]. Each roll
/// explodes with the probability `chance`. `None` if the number is above `most`.
///
/// The number of explosions has a negative binomial distribution. As soon as its terms decrease, they decrease faster
/// than a geometric series, whose sum is an upper bound of the remaining terms.
pub(super) fn longest_explosions(count: u32, chance: f64, most: usize) -> Option<usize> {
    if chance <= 0.0 || count == 0 {
        return Some(0);
    }

    let dice = f64::from(count);
    // The probability of one more than `explosions`, divided by that of `explosions`.
    let ratio_of_terms = |explosions: f64| chance * (dice + explosions) / (explosions + 1.0);

    // The logarithm of the probability of exactly `explosions` explosions. The probability itself can be too small for
    // a double.
    let mut log_term = dice * libm::log1p(-chance);
    let mut explosions = 0.0;
    for number in 0..=most {
        let ratio = ratio_of_terms(explosions);
        log_term += libm::log(ratio);
        explosions += 1.0;

        if ratio < 1.0 {
            // The ratios of later terms lie between the next ratio and `chance`.
            let largest_ratio = ratio_of_terms(explosions).max(chance);
            let unlisted = libm::exp(log_term) / (1.0 - largest_ratio);
            if unlisted < UNLISTED_CHANCE {
                return Some(number);
            }
        }
    }
    None
}
