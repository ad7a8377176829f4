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
    /// Reads the total from the ends of a check. `None` if the check has no total.
    pub(super) fn of(spec: &CheckSpec, evaluation: &Evaluation) -> Option<Self> {
        let mut whole = Natural::ZERO;
        let mut totals = Vec::with_capacity(evaluation.ends.len());
        let mut chains: Vec<(u8, Natural)> = Vec::new();
        for (_, score, ways) in &evaluation.ends {
            let Some(total) = score.total else { continue };
            whole += ways;
            totals.push((i64::from(total), ways.clone()));
            let Some((sides, count)) = score.open else {
                continue;
            };
            let ways = ways * &Natural::from(usize::from(count));
            match chains.iter_mut().find(|(known, _)| *known == sides) {
                Some((_, all)) => *all += &ways,
                None => chains.push((sides, ways)),
            }
        }
        let spread = Distribution::new(totals, whole);
        let (min, max) = (spread.min()?, spread.max()?);
        let mean = chains.iter().fold(spread.mean(), |mean, (sides, ways)| {
            &mean + &(&chain_mean(*sides) * &ratio(ways, spread.total()))
        });
        Some(Self {
            mean,
            min,
            max: (!spec.explodes).then_some(max),
            spread,
        })
    }
}

/// The mean that an exploding die with m sides adds by its further rolls: (m + 1) / 2 · m / (m − 1).
fn chain_mean(sides: u8) -> Fraction {
    let sides = u128::from(sides);
    ratio(&(sides * (sides + 1)).into(), &(2 * (sides - 1)).into())
}
