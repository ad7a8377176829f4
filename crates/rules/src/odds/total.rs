//! The odds of a total.

use super::{CheckSpec, Evaluation};
use tableside_dice::{Distribution, Fraction, Natural, ratio};

/// The distribution of a check's total.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TotalOdds {
    /// The totals, without the further rolls of dice that are still exploding.
    pub spread: Distribution,
    /// The mean, with all further rolls of exploding dice.
    pub mean: Fraction,
    /// The lowest total.
    pub min: i64,
    /// The highest total, or `None` if dice of the check can explode without end.
    pub max: Option<i64>,
}

impl TotalOdds {
    /// Reads the total from every way a check can end. `None` if the check has no total.
    pub(super) fn of(spec: &CheckSpec, evaluation: &Evaluation) -> Option<Self> {
        let mut total_ways = Natural::ZERO;
        let mut ways_to = Vec::with_capacity(evaluation.ends.len());
        let mut exploding = ExplodingDice::default();
        for (_, score, ways) in &evaluation.ends {
            let Some(total) = score.total else { continue };
            total_ways += ways;
            ways_to.push((i64::from(total), ways.clone()));

            if let Some((sides, count)) = score.open {
                exploding.add(sides, ways * &Natural::from(usize::from(count)));
            }
        }

        let spread = Distribution::new(ways_to, total_ways);
        let min = spread.min()?;
        let largest = spread.max()?;
        Some(Self {
            mean: &spread.mean() + &exploding.mean(spread.total()),
            min,
            max: if spec.explodes { None } else { Some(largest) },
            spread,
        })
    }
}

/// The dice that still explode when a check ends.
#[derive(Default)]
struct ExplodingDice {
    /// For each number of sides, the number of such dice. A die counts once for each way that leads to the end it
    /// belongs to.
    ways_by_sides: Vec<(u8, Natural)>,
}

impl ExplodingDice {
    fn add(&mut self, sides: u8, ways: Natural) {
        for (other_sides, sum) in &mut self.ways_by_sides {
            if *other_sides == sides {
                *sum += &ways;
                return;
            }
        }
        self.ways_by_sides.push((sides, ways));
    }

    /// Returns the mean of all further rolls. `total` is the number of ways to all ends together.
    fn mean(&self, total: &Natural) -> Fraction {
        let mut mean = Fraction::ZERO;
        for (sides, ways) in &self.ways_by_sides {
            let share = ratio(ways, total);
            mean = &mean + &(&further_mean(*sides) * &share);
        }
        mean
    }
}

/// The mean that an exploding die with m sides adds by its further rolls: (m + 1) / 2 · m / (m − 1).
fn further_mean(sides: u8) -> Fraction {
    let sides = u128::from(sides);
    ratio(&(sides * (sides + 1)).into(), &(2 * (sides - 1)).into())
}
