//! Clock forecasts: how soon a clock is full when a check fills it, and who wins a race.

mod side_by_side;

pub use side_by_side::{Race, Tug, race_of, tug};

use std::convert::Infallible;
use std::sync::Arc;

use crate::dice::{Distribution, Fraction, Memo, Natural};

/// How soon a clock is full.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Forecast {
    /// The chance that it is full after 1, 2, 3, … rolls, until that passes 99 % or it has been
    /// followed for [`MOST_ROLLS`].
    pub rolls: Vec<Fraction>,
    /// The mean number of rolls until it is full; nothing if no roll ever fills it.
    pub mean: Option<Fraction>,
}

impl Forecast {
    /// What [`forecast`] says, worked out once for equal questions that follow each other closely: a
    /// screen shows the same one with every frame.
    pub fn known(levels: &Distribution, filled: u8, segments: u8) -> Arc<Self> {
        // Every clock of a busy table.
        static KNOWN: Memo<(Distribution, u8, u8), Forecast> = Memo::new(128);
        let question = (levels.clone(), filled, segments);
        let work_out = || Ok::<_, Infallible>(forecast(levels, filled, segments));
        let Ok(known) = KNOWN.answer(&question, work_out, |_| 1);
        known
    }
}

/// A clock is followed for at most so many rolls.
pub const MOST_ROLLS: usize = 100;

/// Follows a clock of `segments`, of which `filled` are, when each roll fills it by these levels. No roll
/// empties a clock: what is below 0 counts as 0.
pub fn forecast(levels: &Distribution, filled: u8, segments: u8) -> Forecast {
    let needed = usize::from(segments.saturating_sub(filled));
    let step = Step::of(levels, needed);
    // The ways in which so many segments are still to fill, out of whole^rolls.
    let mut open = vec![Natural::ZERO; needed + 1];
    open[needed] = Natural::ONE;
    let mut all = Natural::ONE;
    let mut rolls = Vec::new();
    let enough = Fraction::new(&99_u8.into(), &100_u8.into());
    while rolls.len() < MOST_ROLLS && rolls.last().is_none_or(|chance| *chance <= enough) {
        let mut next = vec![Natural::ZERO; needed + 1];
        for (left, ways) in open.iter().enumerate().filter(|(_, ways)| !ways.is_zero()) {
            for (by, chance) in step.ways.iter().enumerate() {
                next[left.saturating_sub(by)].add_product(ways, chance);
            }
        }
        open = next;
        all = &all * &step.whole;
        rolls.push(Fraction::new(&open[0], &all));
    }
    Forecast {
        rolls,
        mean: step.mean_rolls(needed),
    }
}

/// What one roll does to a clock.
struct Step {
    /// The ways to fill 0, 1, 2 … segments, at most as many as are open.
    ways: Vec<Natural>,
    whole: Natural,
}

impl Step {
    fn of(levels: &Distribution, needed: usize) -> Self {
        let mut ways = vec![Natural::ZERO; needed + 1];
        for (by, more) in levels.ways() {
            let by = usize::try_from(*by).unwrap_or(0);
            ways[by.min(needed)] += more;
        }
        // Few levels and many dice leave much to cancel.
        let common = ways.iter().fold(levels.whole().clone(), |a, b| a.gcd(b));
        Self {
            ways: ways.iter().map(|ways| ways / &common).collect(),
            whole: levels.whole() / &common,
        }
    }

    fn none(&self) -> &Natural {
        &self.ways[0]
    }

    fn fills(&self) -> bool {
        *self.none() < self.whole
    }

    /// The mean number of rolls until so many segments are filled.
    ///
    /// With q the ways that fill anything, mean(n) · q is whole + Σ ways(l) · mean(n − l); here mean(n) is
    /// kept as a count over qⁿ.
    fn mean_rolls(&self, needed: usize) -> Option<Fraction> {
        if needed == 0 {
            return Some(Fraction::ZERO);
        }
        if !self.fills() {
            return None;
        }
        let moves = &self.whole - self.none();
        let mut powers = vec![Natural::ONE];
        let mut means = vec![Natural::ZERO];
        for left in 1..=needed {
            let mut mean = &self.whole * &powers[left - 1];
            for by in 1..left {
                let later = &means[left - by] * &powers[by - 1];
                mean.add_product(&later, &self.ways[by]);
            }
            means.push(mean);
            powers.push(&powers[left - 1] * &moves);
        }
        Some(Fraction::new(&means[needed], &powers[needed]))
    }
}

/// One runner of a race: a clock and what a roll fills it by.
#[derive(Clone, Copy, Debug)]
pub struct Runner<'a> {
    /// What a roll fills it by.
    pub levels: &'a Distribution,
    /// How many segments are filled.
    pub filled: u8,
    /// How many there are.
    pub segments: u8,
}

/// The chances of the first and of the second to have the full clock first, when they roll in turn and
/// the first begins. Both are 0 if neither ever gets anywhere.
pub fn race(first: Runner<'_>, second: Runner<'_>) -> [Fraction; 2] {
    let needed = |runner: Runner<'_>| usize::from(runner.segments.saturating_sub(runner.filled));
    let (mine, yours) = (needed(first), needed(second));
    match (mine, yours) {
        (0, _) => return [Fraction::ONE, Fraction::ZERO],
        (_, 0) => return [Fraction::ZERO, Fraction::ONE],
        _ => {}
    }
    let (me, you) = (Step::of(first.levels, mine), Step::of(second.levels, yours));
    if !me.fills() && !you.fills() {
        return [Fraction::ZERO, Fraction::ZERO];
    }
    let win = win(&me, &you, mine, yours, Turns::First);
    let loss = &Fraction::ONE - &win;
    [win, loss]
}

/// In which order two runners roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Turns {
    /// The first before the second: full is full.
    First,
    /// Both at once: who is full in the same round shares it.
    Both,
}

/// The chance that the first wins, with so many segments left to both.
///
/// A round in which neither moves changes nothing, so each square of the board is its neighbours
/// over what is left of a round. Kept as counts over moves^(mine + yours − 1): every round that moves
/// takes a segment off one of the two.
fn win(me: &Step, you: &Step, mine: usize, yours: usize, turns: Turns) -> Fraction {
    let round = &me.whole * &you.whole;
    let moves = &round - &(me.none() * you.none());
    let mut powers = vec![Natural::ONE];
    for exponent in 1..mine + yours {
        powers.push(&powers[exponent - 1] * &moves);
    }
    let mut board = vec![vec![Natural::ZERO; yours + 1]; mine + 1];
    for a in 1..=mine {
        for b in 1..=yours {
            let mut ways = Natural::ZERO;
            let now: Natural = me.ways[a..].iter().sum();
            let others = match turns {
                Turns::First => you.whole.clone(),
                Turns::Both => you.ways[..b].iter().sum(),
            };
            ways.add_product(&(&now * &others), &powers[a + b - 2]);
            for by in 0..a {
                for back in usize::from(by == 0)..b {
                    let both = &me.ways[by] * &you.ways[back];
                    if !both.is_zero() {
                        let later = &board[a - by][b - back] * &powers[by + back - 1];
                        ways.add_product(&later, &both);
                    }
                }
            }
            board[a][b] = ways;
        }
    }
    Fraction::new(&board[mine][yours], &powers[mine + yours - 1])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spread(ways: &[(i64, u8)]) -> Distribution {
        let whole: u32 = ways.iter().map(|&(_, ways)| u32::from(ways)).sum();
        let ways = ways.iter().map(|&(value, ways)| (value, ways.into()));
        Distribution::new(ways.collect(), whole.into())
    }

    fn words(chances: &[Fraction]) -> Vec<String> {
        chances.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_coin_fills_a_segment_after_two_rolls_in_the_mean() {
        let forecast = forecast(&spread(&[(0, 1), (1, 1)]), 3, 4);
        assert_eq!(words(&forecast.rolls[..3]), ["1/2", "3/4", "7/8"]);
        assert_eq!(forecast.rolls.len(), 7, "127/128 is the first above 99 %");
        assert_eq!(forecast.mean.unwrap().to_string(), "2");
    }

    #[test]
    fn a_roll_may_fill_more_than_is_left_and_never_empties() {
        let levels = spread(&[(-1, 1), (0, 1), (1, 1), (3, 1)]);
        let forecast = forecast(&levels, 0, 2);
        assert_eq!(words(&forecast.rolls[..2]), ["1/4", "1/2"]);
        // m1 = 2, m2 = 2 + m1 / 2.
        assert_eq!(forecast.mean.unwrap().to_string(), "3");
    }

    #[test]
    fn a_full_clock_is_full_and_a_dead_one_never_is() {
        let full = forecast(&spread(&[(0, 1)]), 4, 4);
        assert_eq!(words(&full.rolls), ["1"]);
        assert_eq!(full.mean, Some(Fraction::ZERO));
        let dead = forecast(&spread(&[(0, 1)]), 0, 4);
        assert_eq!(dead.rolls.len(), MOST_ROLLS);
        assert_eq!(dead.mean, None);
    }

    #[test]
    fn the_one_who_begins_wins_two_coin_races_of_three() {
        let coin = spread(&[(0, 1), (1, 1)]);
        let runner = Runner {
            levels: &coin,
            filled: 3,
            segments: 4,
        };
        assert_eq!(words(&race(runner, runner)), ["2/3", "1/3"]);
        let ahead = Runner {
            filled: 4,
            ..runner
        };
        assert_eq!(words(&race(runner, ahead)), ["0", "1"]);
    }
}
