//! The odds of a total.

use super::{CheckSpec, Evaluation};
use tableside_dice::{Distribution, Fraction, Natural, ratio};

/// How a check's total is spread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TotalOdds {
    /// The totals, without what chains that are still open would add.
    pub spread: Distribution,
    /// The mean, open chains included without limit.
    pub mean: Fraction,
    /// The smallest.
    pub min: i64,
    /// The largest; nothing for a check whose chains can go on for ever.
    pub max: Option<i64>,
}

impl TotalOdds {
    /// What the ends of a check say of its total, if it has one.
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

/// What one exploding chain adds in the mean: the die's own, and again after each of its highest faces.
/// (m + 1) / 2 · m / (m − 1).
fn chain_mean(sides: u8) -> Fraction {
    let sides = u128::from(sides);
    ratio(&(sides * (sides + 1)).into(), &(2 * (sides - 1)).into())
}
