//! Clock forecasts: how many rolls of a check fill a clock, and which end a tug-of-war reaches. A clock is a progress
//! counter with a number of segments. A tug-of-war is a clock that moves both ways, and ends when it is full or empty.

mod mean;
mod race;

use std::convert::Infallible;
use std::sync::Arc;

use tableside_dice::{Distribution, Fraction, Memo, Natural, ratio};

use mean::mean_rolls;
pub use race::{Race, Runner, race, side_by_side};

/// How soon a clock is full.
#[derive(Clone, Debug, PartialEq)]
pub struct Forecast {
    /// The chance that the clock is full after 1, 2, 3, … rolls. The list ends when the chance is above 99 %, or after
    /// [`MOST_ROLLS`].
    pub rolls: Vec<Fraction>,
    /// The mean number of rolls until the clock is full. `None` if no roll can fill it.
    pub mean: Option<f64>,
}

impl Forecast {
    /// Returns the result of [`forecast`], from a cache if possible, since screens need it for every frame.
    pub fn cached(levels: &Distribution, filled: u8, segments: u8) -> Arc<Self> {
        // Enough for every clock of a busy table.
        static CACHE: Memo<(Distribution, u8, u8), Arc<Forecast>> = Memo::new(128);

        let question = (levels.clone(), filled, segments);
        let compute = || Ok::<_, Infallible>(Arc::new(forecast(levels, filled, segments)));
        let Ok(forecast) = CACHE.get_or_compute(&question, compute, |_| 1);
        forecast
    }
}

/// The most rolls that a forecast computes.
pub const MOST_ROLLS: usize = 100;

/// Computes how soon a clock is full. `levels` is the distribution of the number of segments that one roll fills. A
/// number below 0 empties segments.
///
/// A full clock stays full, and an empty one can fill again.
pub fn forecast(levels: &Distribution, filled: u8, segments: u8) -> Forecast {
    let clock = FollowedClock {
        filled,
        segments,
        empty_is_end: false,
    };
    Forecast {
        rolls: clock.follow(levels).full,
        mean: mean_rolls(levels, filled, segments),
    }
}

/// How soon a tug-of-war is decided, and for which end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tug {
    /// The chance that the right end is reached after 1, 2, 3, … rolls. The list ends when the chance of either end is
    /// above 99 %, or after [`MOST_ROLLS`].
    pub right: Vec<Fraction>,
    /// The same for the left end.
    pub left: Vec<Fraction>,
}

/// Computes how soon a tug-of-war is decided. `pulls` is the distribution of the number of segments that one roll moves
/// it: above 0 to the right, below 0 to the left.
pub fn tug(pulls: &Distribution, filled: u8, segments: u8) -> Tug {
    let clock = FollowedClock {
        filled,
        segments,
        empty_is_end: true,
    };
    let chances = clock.follow(pulls);
    Tug {
        right: chances.full,
        left: chances.empty,
    }
}

/// A clock whose chances are computed roll by roll.
struct FollowedClock {
    filled: u8,
    segments: u8,
    /// True for a tug-of-war, which also ends when the clock is empty.
    empty_is_end: bool,
}

/// The chances that a clock is empty, and that it is full, after 1, 2, 3, … rolls.
#[derive(Default)]
struct EndChances {
    empty: Vec<Fraction>,
    full: Vec<Fraction>,
}

impl FollowedClock {
    /// Computes the chances roll by roll, until the chance that the clock has ended is above 99 %, or for
    /// [`MOST_ROLLS`].
    fn follow(&self, levels: &Distribution) -> EndChances {
        let last = usize::from(self.segments);
        let start = usize::from(self.filled.min(self.segments));
        let enough = ratio(&99_u128.into(), &100_u128.into());
        let moves = Moves::new(levels, self.segments);

        // For each number of filled segments, the number of ways to reach it. All numbers add up to `total`.
        let mut ways_to = vec![Natural::ZERO; last + 1];
        ways_to[start] = Natural::ONE;
        let mut total = Natural::ONE;

        let mut chances = EndChances::default();
        for _ in 0..MOST_ROLLS {
            ways_to = self.roll(&ways_to, &moves);
            total = &total * &moves.total;

            chances.empty.push(ratio(&ways_to[0], &total));
            chances.full.push(ratio(&ways_to[last], &total));

            let mut ended = ways_to[last].clone();
            if self.empty_is_end {
                ended += &ways_to[0];
            }
            if ratio(&ended, &total) > enough {
                break;
            }
        }
        chances
    }

    /// Returns the number of ways to reach each number of filled segments after one more roll.
    fn roll(&self, ways_to: &[Natural], moves: &Moves) -> Vec<Natural> {
        let last = ways_to.len() - 1;
        let mut ways_after = vec![Natural::ZERO; ways_to.len()];

        for (filled, ways) in ways_to.iter().enumerate() {
            if ways.is_zero() {
                continue;
            }
            if filled == last || self.empty_is_end && filled == 0 {
                ways_after[filled].add_product(ways, &moves.total);
                continue;
            }
            for (step, step_ways) in &moves.steps {
                let filled_after = filled.saturating_add_signed(*step).min(last);
                ways_after[filled_after].add_product(ways, step_ways);
            }
        }
        ways_after
    }
}

/// The moves that a roll can make, each with its number of ways. All numbers of ways add up to `total`.
struct Moves {
    steps: Vec<(isize, Natural)>,
    total: Natural,
}

impl Moves {
    /// Limits each move to the segments of the clock, and divides all numbers of ways by their common divisor. It is
    /// large for a pool of many dice, since such a pool has few different moves.
    fn new(levels: &Distribution, segments: u8) -> Self {
        let mut limited_ways = Vec::new();
        for (level, ways) in levels.ways() {
            let limited_level = limit_move(*level, segments);
            limited_ways.push((limited_level, ways.clone()));
        }
        let limited = Distribution::new(limited_ways, levels.total().clone());

        let mut divisor = limited.total().clone();
        for (_, ways) in limited.ways() {
            divisor = divisor.gcd(ways);
        }

        let mut steps = Vec::new();
        for (level, ways) in limited.ways() {
            let step = isize::try_from(*level).unwrap_or(0);
            steps.push((step, ways / &divisor));
        }
        Self {
            steps,
            total: limited.total() / &divisor,
        }
    }
}

/// Limits a move to the number of segments of the clock, in either direction. A larger move has the same result.
fn limit_move(level: i64, segments: u8) -> i64 {
    let segments = i64::from(segments);
    level.clamp(-segments, segments)
}

/// Returns the moves that a roll can make, with their chances as floating-point numbers.
fn float_moves(levels: &Distribution, segments: u8) -> Vec<(isize, f64)> {
    let mut moves = Vec::new();
    for (level, chance) in levels.chances() {
        let limited_level = limit_move(level, segments);
        let step = isize::try_from(limited_level).unwrap_or(0);
        let chance = chance.to_f64().value();
        if chance > 0.0 {
            moves.push((step, chance));
        }
    }
    moves
}

#[cfg(test)]
mod test_support {
    use tableside_dice::Distribution;

    /// Returns the distribution of these values, each with its number of ways.
    pub(super) fn distribution(ways: &[(i64, u128)]) -> Distribution {
        let mut total: u128 = 0;
        let mut ways_to = Vec::new();
        for (value, ways) in ways {
            total += ways;
            ways_to.push((*value, (*ways).into()));
        }
        Distribution::new(ways_to, total.into())
    }
}

#[cfg(test)]
mod tests {
    use super::test_support::distribution as spread;
    use super::*;
    use tableside_dice::{Dice, SystemDice};

    fn words(chances: &[Fraction]) -> Vec<String> {
        chances.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_coin_takes_two_rolls_on_average_to_fill_a_segment() {
        let forecast = forecast(&spread(&[(0, 1), (1, 1)]), 3, 4);
        assert_eq!(words(&forecast.rolls[..3]), ["1/2", "3/4", "7/8"]);
        assert_eq!(forecast.rolls.len(), 7, "127/128 is the first above 99 %");
        assert_eq!(forecast.mean, Some(2.0));
    }

    #[test]
    fn a_roll_stops_at_full_and_at_empty() {
        let levels = spread(&[(-1, 1), (0, 1), (1, 1), (3, 1)]);
        let forecast = forecast(&levels, 0, 2);
        // From 0: a quarter is full at once, half stays, a quarter is at 1. From 1: half is full.
        assert_eq!(words(&forecast.rolls[..2]), ["1/4", "1/2"]);
        // m0 = 1 + m0/2 + m1/4; m1 = 1 + m0/4 + m1/4.
        assert!((forecast.mean.unwrap() - 3.2).abs() < 1e-12);
    }

    #[test]
    fn a_clock_with_setbacks_agrees_with_simulated_rolls() {
        let levels = spread(&[(-2, 1), (-1, 2), (0, 1), (1, 3), (2, 1)]);
        let forecast = forecast(&levels, 1, 6);
        let faces = [-2, -1, -1, 0, 1, 1, 1, 2];
        let mut dice = SystemDice::from_key([7; 32]);
        let clocks = 20_000;
        let (mut total_rolls, mut within_ten) = (0.0, 0.0);
        for _ in 0..clocks {
            let (mut filled, mut rolls) = (1_i32, 0_u32);
            while filled < 6 {
                let face = usize::try_from(dice.up_to(8) - 1).unwrap();
                filled = (filled + faces[face]).max(0);
                rolls += 1;
            }
            total_rolls += f64::from(rolls);
            within_ten += f64::from(u8::from(rolls <= 10));
        }
        let clocks = f64::from(clocks);
        let mean = forecast.mean.unwrap();
        assert!(
            (total_rolls / clocks - mean).abs() < mean / 30.0,
            "{} {mean}",
            total_rolls / clocks
        );
        let ten = forecast.rolls[9].to_f64().value();
        assert!(
            (within_ten / clocks - ten).abs() < 0.02,
            "{} {ten}",
            within_ten / clocks
        );
    }

    #[test]
    fn a_full_clock_stays_full_and_one_without_ticks_stays_empty() {
        let full = forecast(&spread(&[(0, 1)]), 4, 4);
        assert_eq!(words(&full.rolls), ["1"]);
        assert_eq!(full.mean, Some(0.0));
        let dead = forecast(&spread(&[(0, 1)]), 0, 4);
        assert_eq!(dead.rolls.len(), MOST_ROLLS);
        assert_eq!(dead.mean, None);
    }

    #[test]
    fn a_fair_tug_from_the_middle_favours_neither_side() {
        let pulls = spread(&[(-1, 1), (1, 1)]);
        let tug = tug(&pulls, 2, 4);
        assert_eq!(tug.right, tug.left);
        // After two rolls: both the same way.
        assert_eq!(tug.right[1].to_string(), "1/4");
        assert_eq!(tug.right[3].to_string(), "3/8");
        let last = tug.right.last().unwrap();
        assert!(last.to_f64().value() * 2.0 > 0.99);
    }
}
