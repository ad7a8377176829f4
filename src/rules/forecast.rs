//! Clock forecasts: how soon a clock is full when a check fills it or pulls it both ways, and who wins a
//! race.

use std::convert::Infallible;
use std::sync::Arc;

use crate::dice::{Distribution, Fraction, Memo, Natural, ratio};

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
    let [_, rolls] = follow(levels, filled, segments, false);
    let runner = Runner {
        levels,
        filled,
        segments,
    };
    let mean = mean_rolls(&fills(runner));
    Forecast { rolls, mean }
}

/// How soon a tug-of-war is decided, and for whom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tug {
    /// The chance that it is at its right end after 1, 2, 3, … rolls, until it is decided with a chance
    /// above 99 % or was followed for [`MOST_ROLLS`].
    pub right: Vec<Fraction>,
    /// The same for its left end.
    pub left: Vec<Fraction>,
}

/// Follows a tug-of-war that each roll pulls by so much: right above 0, left below. An end that is
/// reached is final.
pub fn tug(pulls: &Distribution, filled: u8, segments: u8) -> Tug {
    let [left, right] = follow(pulls, filled, segments, true);
    Tug { right, left }
}

/// The chances to be empty and to be full after 1, 2, 3, … rolls, until it is decided with a chance above
/// 99 %. Only what is pulled goes down, and only then is empty an end.
fn follow(levels: &Distribution, filled: u8, segments: u8, pulled: bool) -> [Vec<Fraction>; 2] {
    let (most, at) = (usize::from(segments), usize::from(filled.min(segments)));
    let reach = i64::from(segments);
    let least = if pulled { -reach } else { 0 };
    let steps = levels.ways().iter();
    let steps = steps.map(|(by, ways)| ((*by).clamp(least, reach), ways.clone()));
    let steps = Distribution::new(steps.collect(), levels.whole().clone());
    // Few levels and many dice leave much to cancel.
    let all_ways = steps.ways().iter().map(|(_, ways)| ways);
    let common = all_ways.fold(steps.whole().clone(), |a, b| a.gcd(b));
    let whole = steps.whole() / &common;
    let steps = steps.ways().iter();
    let steps: Vec<(isize, Natural)> = steps
        .map(|(by, ways)| (isize::try_from(*by).unwrap_or(0), ways / &common))
        .collect();
    // The ways to stand at each place, out of whole^rolls.
    let mut places = vec![Natural::ZERO; most + 1];
    places[at] = Natural::ONE;
    let mut all = Natural::ONE;
    let enough = ratio(&99_u64.into(), &100_u64.into());
    let (mut empty, mut full) = (Vec::new(), Vec::new());
    for _ in 0..MOST_ROLLS {
        let mut next = vec![Natural::ZERO; most + 1];
        let open = places
            .iter()
            .enumerate()
            .filter(|(_, ways)| !ways.is_zero());
        for (place, ways) in open {
            if place == most || pulled && place == 0 {
                next[place].add_product(ways, &whole);
                continue;
            }
            for (by, chance) in &steps {
                let to = place.saturating_add_signed(*by).min(most);
                next[to].add_product(ways, chance);
            }
        }
        places = next;
        all = &all * &whole;
        empty.push(ratio(&places[0], &all));
        full.push(ratio(&places[most], &all));
        let mut decided = places[most].clone();
        if pulled {
            decided += &places[0];
        }
        if ratio(&decided, &all) > enough {
            break;
        }
    }
    [empty, full]
}

/// The chances that a roll fills 0, 1, 2 … segments, at most as many as are open.
fn fills(runner: Runner<'_>) -> Vec<Fraction> {
    let needed = usize::from(runner.segments.saturating_sub(runner.filled));
    let mut ways = vec![Natural::ZERO; needed + 1];
    for (by, more) in runner.levels.ways() {
        let by = usize::try_from(*by).unwrap_or(0);
        ways[by.min(needed)] += more;
    }
    let whole = runner.levels.whole();
    ways.iter().map(|ways| ratio(ways, whole)).collect()
}

/// The mean number of rolls until all segments are filled: mean(n) is 1 and the mean of what is left then.
fn mean_rolls(fills: &[Fraction]) -> Option<Fraction> {
    let mut means = vec![Fraction::ZERO];
    let moves = Fraction::ONE - &fills[0];
    for left in 1..fills.len() {
        let later = (1..left).map(|by| &fills[by] * &means[left - by]);
        let later = later.fold(Fraction::ONE, |sum, mean| sum + mean);
        means.push((!moves.is_zero()).then(|| later / &moves)?);
    }
    means.pop()
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

/// Who wins a race in which everybody rolls once a round.
#[derive(Clone, Debug, PartialEq)]
pub struct Race {
    /// The chance of each to be full in an earlier round than all others.
    pub wins: Vec<f64>,
    /// The chance that two or more are full in the same round, before all others.
    pub tie: f64,
}

/// Longer than so many rounds no race is followed, and no further than to so small a rest.
const MOST_ROUNDS: usize = 20_000;
const SMALL: f64 = 1e-13;

/// The chances of a race in which everybody rolls once a round. All are 0 if nobody ever gets anywhere;
/// who is full already has won, or shares it with who is, too.
pub fn race(runners: &[Runner<'_>]) -> Race {
    let chances = runners.iter().map(|runner| {
        let fills = fills(*runner);
        fills.iter().map(|chance| chance.to_f64().value()).collect()
    });
    let chances: Vec<Vec<f64>> = chances.collect();
    // The chance that so many segments are still to fill, for each.
    let open = chances.iter().map(|chances| {
        let mut open = vec![0.0; chances.len()];
        open[chances.len() - 1] = 1.0;
        open
    });
    let mut open: Vec<Vec<f64>> = open.collect();
    let is_full = |chances: &&Vec<f64>| chances.len() == 1;
    let full = chances.iter().filter(is_full).count();
    let wins = chances.iter().map(|chances| is_full(&chances) && full == 1);
    let mut wins: Vec<f64> = wins.map(|wins| f64::from(u8::from(wins))).collect();
    let mut tie = f64::from(u8::from(full > 1));
    let goes_on = chances.iter().flat_map(|chances| &chances[1..]);
    let is_open = full == 0 && goes_on.sum::<f64>() > 0.0;
    let rounds = if is_open { MOST_ROUNDS } else { 0 };
    for _ in 0..rounds {
        let before: Vec<f64> = open.iter().map(|open| 1.0 - open[0]).collect();
        for (open, chances) in open.iter_mut().zip(&chances) {
            roll(open, chances);
        }
        let after: Vec<f64> = open.iter().map(|open| 1.0 - open[0]).collect();
        let mut alone = 0.0;
        for (index, won) in wins.iter_mut().enumerate() {
            let others = after
                .iter()
                .enumerate()
                .filter(|(other, _)| *other != index);
            let others: f64 = others.map(|(_, rest)| rest).product();
            let now = (before[index] - after[index]) * others;
            *won += now;
            alone += now;
        }
        let rest: f64 = after.iter().product();
        let decided = before.iter().product::<f64>() - rest;
        tie += (decided - alone).max(0.0);
        if rest < SMALL {
            break;
        }
    }
    Race { wins, tie }
}

fn roll(open: &mut Vec<f64>, chances: &[f64]) {
    let mut next = vec![0.0; open.len()];
    for (left, chance) in open.iter().enumerate().filter(|(_, chance)| **chance > 0.0) {
        for (by, way) in chances.iter().enumerate() {
            next[left.saturating_sub(by)] += chance * way;
        }
    }
    *open = next;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spread(ways: &[(i64, u64)]) -> Distribution {
        let whole: u64 = ways.iter().map(|(_, ways)| ways).sum();
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

    const fn runner(levels: &Distribution, filled: u8, segments: u8) -> Runner<'_> {
        Runner {
            levels,
            filled,
            segments,
        }
    }

    #[test]
    fn a_race_is_followed_to_its_end() {
        let (coin, dead) = (spread(&[(0, 1), (1, 1)]), spread(&[(0, 1)]));
        let [one, other] = [runner(&coin, 3, 4); 2];
        let near = |a: f64, b: f64| (a - b).abs() < 1e-9;
        // Of the rounds in which anything happens a third goes to each and a third to both.
        let two = race(&[one, other]);
        assert!(near(two.wins[0], 1.0 / 3.0) && near(two.tie, 1.0 / 3.0));
        // One that never moves takes nothing from the others.
        let three = race(&[one, other, runner(&dead, 0, 4)]);
        assert!(near(three.wins[0], two.wins[0]) && near(three.wins[2], 0.0));
        assert!(near(three.wins.iter().sum::<f64>() + three.tie, 1.0));
    }

    #[test]
    fn who_is_full_has_won_and_where_nobody_moves_nobody_wins() {
        let (coin, dead) = (spread(&[(0, 1), (1, 1)]), spread(&[(0, 1)]));
        let race = super::race(&[runner(&coin, 4, 4), runner(&coin, 3, 4)]);
        assert_eq!((race.wins, race.tie), (vec![1.0, 0.0], 0.0));
        let race = super::race(&[runner(&dead, 0, 4), runner(&dead, 0, 4)]);
        assert_eq!((race.wins, race.tie), (vec![0.0, 0.0], 0.0));
    }

    #[test]
    fn a_fair_pull_from_the_middle_goes_either_way() {
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
