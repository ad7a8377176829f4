//! Clock forecasts: how soon a clock is full when a check fills it or pulls it both ways, and who wins a
//! race.

use std::convert::Infallible;
use std::sync::Arc;

use tableside_dice::{Distribution, Fraction, Memo, Natural, ratio};

/// How soon a clock is full.
#[derive(Clone, Debug, PartialEq)]
pub struct Forecast {
    /// The chance that it is full after 1, 2, 3, … rolls, until that passes 99 % or it has been
    /// followed for [`MOST_ROLLS`].
    pub rolls: Vec<Fraction>,
    /// The mean number of rolls until it is full; nothing if no roll ever fills it.
    pub mean: Option<f64>,
}

impl Forecast {
    /// What [`forecast`] says, worked out once for equal questions that follow each other closely: a
    /// screen shows the same one with every frame.
    pub fn known(levels: &Distribution, filled: u8, segments: u8) -> Arc<Self> {
        // Every clock of a busy table.
        static KNOWN: Memo<(Distribution, u8, u8), Arc<Forecast>> = Memo::new(128);
        let question = (levels.clone(), filled, segments);
        let work_out = || Ok::<_, Infallible>(Arc::new(forecast(levels, filled, segments)));
        let Ok(known) = KNOWN.get_or_compute(&question, work_out, |_| 1);
        known
    }
}

/// A clock is followed for at most so many rolls.
pub const MOST_ROLLS: usize = 100;

/// Follows a clock of `segments`, of which `filled` are, when each roll fills it by these levels, or sets it
/// back by those below 0. What is full is final.
pub fn forecast(levels: &Distribution, filled: u8, segments: u8) -> Forecast {
    let [_, rolls] = follow(levels, filled, segments, false);
    let mean = mean_rolls(&steps(levels, segments), filled, segments);
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
    let steps = levels.ways().iter();
    let steps = steps.map(|(by, ways)| ((*by).clamp(-reach, reach), ways.clone()));
    let steps = Distribution::new(steps.collect(), levels.total().clone());
    // Few levels and many dice leave much to cancel.
    let all_ways = steps.ways().iter().map(|(_, ways)| ways);
    let common = all_ways.fold(steps.total().clone(), |a, b| a.gcd(b));
    let whole = steps.total() / &common;
    let steps = steps.ways().iter();
    let steps: Vec<(isize, Natural)> = steps
        .map(|(by, ways)| (isize::try_from(*by).unwrap_or(0), ways / &common))
        .collect();
    // The ways to stand at each place, out of whole^rolls.
    let mut places = vec![Natural::ZERO; most + 1];
    places[at] = Natural::ONE;
    let mut all = Natural::ONE;
    let enough = ratio(&99_u128.into(), &100_u128.into());
    let (mut empty, mut full) = (Vec::new(), Vec::new());
    for _ in 0..MOST_ROLLS {
        let mut next = vec![Natural::ZERO; most + 1];
        let open = places.iter().enumerate();
        for (place, ways) in open.filter(|(_, ways)| !ways.is_zero()) {
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

/// What a roll moves a clock by, at most by all its segments, each with its chance.
fn steps(levels: &Distribution, segments: u8) -> Vec<(isize, f64)> {
    let reach = i64::from(segments);
    let steps = levels.chances().map(|(by, chance)| {
        let by = isize::try_from(by.clamp(-reach, reach)).unwrap_or(0);
        (by, chance.to_f64().value())
    });
    steps.filter(|(_, chance)| *chance > 0.0).collect()
}

/// The mean number of rolls until all segments are filled: that of a place is 1 and the mean of those that a roll
/// leads to, for each place an equation, solved by elimination. None where the last segment is out of reach.
fn mean_rolls(steps: &[(isize, f64)], filled: u8, segments: u8) -> Option<f64> {
    let (most, at) = (usize::from(segments), usize::from(filled.min(segments)));
    if at == most {
        return Some(0.0);
    }
    if steps.iter().all(|(by, _)| *by <= 0) {
        return None;
    }
    // A row holds the weights of the places that are not full, and what they add up to.
    let row = |place: usize| {
        let mut row = vec![0.0; most + 1];
        row[place] = 1.0;
        row[most] = 1.0;
        for (by, chance) in steps {
            let to = place.saturating_add_signed(*by);
            if to < most {
                row[to] -= chance;
            }
        }
        row
    };
    let mut rows: Vec<Vec<f64>> = (0..most).map(row).collect();
    for pivot in 0..most {
        let (above, below) = rows.split_at_mut(pivot + 1);
        let known = &above[pivot];
        for row in below.iter_mut().filter(|row| row[pivot] != 0.0) {
            let times = row[pivot] / known[pivot];
            for (cell, known) in row.iter_mut().zip(known).skip(pivot) {
                *cell -= times * known;
            }
        }
    }
    let mut means = vec![0.0; most];
    for place in (0..most).rev() {
        let later = (place + 1..most).map(|to| rows[place][to] * means[to]);
        means[place] = (rows[place][most] - later.sum::<f64>()) / rows[place][place];
    }
    Some(means[at])
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
    let moves = runners.iter().map(|one| steps(one.levels, one.segments));
    let moves: Vec<_> = moves.collect();
    let left = |runner: &Runner<'_>| usize::from(runner.segments.saturating_sub(runner.filled));
    // The chance that so many segments are still to fill, for each.
    let open = runners.iter().map(|runner| {
        let mut open = vec![0.0; usize::from(runner.segments) + 1];
        open[left(runner)] = 1.0;
        open
    });
    let mut open: Vec<Vec<f64>> = open.collect();
    let is_full = |runner: &&Runner<'_>| left(runner) == 0;
    let full = runners.iter().filter(is_full).count();
    let wins = runners.iter().map(|runner| is_full(&runner) && full == 1);
    let mut wins: Vec<f64> = wins.map(|wins| f64::from(u8::from(wins))).collect();
    let mut tie = f64::from(u8::from(full > 1));
    let is_open = full == 0 && moves.iter().flatten().any(|(by, _)| *by > 0);
    let rounds = if is_open { MOST_ROUNDS } else { 0 };
    for _ in 0..rounds {
        let before: Vec<f64> = open.iter().map(|open| 1.0 - open[0]).collect();
        for (open, moves) in open.iter_mut().zip(&moves) {
            roll(open, moves);
        }
        let after: Vec<f64> = open.iter().map(|open| 1.0 - open[0]).collect();
        let mut alone = 0.0;
        for (index, won) in wins.iter_mut().enumerate() {
            let others = after.iter().enumerate();
            let others = others.filter(|(other, _)| *other != index);
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

/// Which of two clocks is full first when each roll counts for both: what its ends move them by, each with its
/// chance, and how many segments are filled, of how many.
pub fn side_by_side(ends: &[([i32; 2], f64)], stand: [(u8, u8); 2]) -> Race {
    let most = stand.map(|(_, of)| usize::from(of));
    let moved = |at: usize, by: i32, most: usize| {
        let by = isize::try_from(by).unwrap_or(0);
        at.saturating_add_signed(by).min(most)
    };
    let width = most[1] + 1;
    let mut open = vec![0.0; (most[0] + 1) * width];
    let [one, other] = stand.map(|(filled, of)| usize::from(filled.min(of)));
    open[one * width + other] = 1.0;
    let mut race = Race {
        wins: vec![0.0; 2],
        tie: 0.0,
    };
    // As long as that takes no longer than a person waits for.
    let work = open.len() * ends.len().max(1);
    for _ in 0..=MOST_ROUNDS.min(100_000_000 / work) {
        // Who is full by now has come first.
        for (place, chance) in open.iter_mut().enumerate() {
            let is_full = [place / width == most[0], place % width == most[1]];
            let won = match is_full {
                [true, true] => &mut race.tie,
                [true, false] => &mut race.wins[0],
                [false, true] => &mut race.wins[1],
                [false, false] => continue,
            };
            *won += std::mem::take(chance);
        }
        let can_move = ends.iter().any(|(by, _)| by.iter().any(|by| *by > 0));
        if !can_move || open.iter().sum::<f64>() < SMALL {
            break;
        }
        let mut next = vec![0.0; open.len()];
        for (place, chance) in open.iter().enumerate().filter(|(_, chance)| **chance > 0.0) {
            for ([one, other], way) in ends {
                let one = moved(place / width, *one, most[0]);
                next[one * width + moved(place % width, *other, most[1])] += chance * way;
            }
        }
        open = next;
    }
    race
}

fn roll(open: &mut Vec<f64>, moves: &[(isize, f64)]) {
    let most = open.len() - 1;
    let mut next = vec![0.0; open.len()];
    next[0] = open[0];
    let rolled = open.iter().enumerate().skip(1);
    for (left, chance) in rolled.filter(|(_, chance)| **chance > 0.0) {
        for (by, way) in moves {
            next[left.saturating_add_signed(-by).min(most)] += chance * way;
        }
    }
    *open = next;
}

#[cfg(test)]
mod tests {
    use super::*;
    use tableside_dice::{Dice, SystemDice};

    fn spread(ways: &[(i64, u128)]) -> Distribution {
        let whole: u128 = ways.iter().map(|(_, ways)| ways).sum();
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
        assert_eq!(forecast.mean, Some(2.0));
    }

    #[test]
    fn a_roll_may_fill_more_than_is_left_and_set_back_no_further_than_empty() {
        let levels = spread(&[(-1, 1), (0, 1), (1, 1), (3, 1)]);
        let forecast = forecast(&levels, 0, 2);
        // From 0: a quarter is full at once, half stays, a quarter is at 1. From 1: half is full.
        assert_eq!(words(&forecast.rolls[..2]), ["1/4", "1/2"]);
        // m0 = 1 + m0/2 + m1/4; m1 = 1 + m0/4 + m1/4.
        assert!((forecast.mean.unwrap() - 3.2).abs() < 1e-12);
    }

    /// Two clocks that a roll moves together, against such clocks rolled for.
    #[test]
    fn clocks_beside_each_other_come_out_as_when_they_are_rolled_for() {
        let faces = [[2, 0], [1, 0], [1, 1], [0, 1], [0, 2], [0, -1]];
        let ends = faces.map(|by| (by, 1.0 / 6.0));
        let told = side_by_side(&ends, [(1, 5), (0, 4)]);
        let mut dice = SystemDice::from_key([8; 32]);
        let (games, mut came) = (20_000, [0_u32; 3]);
        for _ in 0..games {
            let (mut one, mut other) = (1, 0);
            while one < 5 && other < 4 {
                let [by, beside] = faces[usize::try_from(dice.up_to(6) - 1).unwrap()];
                (one, other) = (one + by, (other + beside).max(0));
            }
            came[usize::from(other >= 4) + usize::from(one >= 5 && other >= 4)] += 1;
        }
        let shares = came.map(|count| f64::from(count) / f64::from(games));
        for (share, chance) in shares.iter().zip([told.wins[0], told.wins[1], told.tie]) {
            assert!((share - chance).abs() < 0.015, "{shares:?} {told:?}");
        }
        assert!((told.wins[0] + told.wins[1] + told.tie - 1.0).abs() < 1e-9);
    }

    /// Setbacks, floors and ends, against clocks that are simply rolled for.
    #[test]
    fn a_clock_with_setbacks_comes_out_as_when_it_is_rolled_for() {
        let levels = spread(&[(-2, 1), (-1, 2), (0, 1), (1, 3), (2, 1)]);
        let forecast = forecast(&levels, 1, 6);
        let faces = [-2, -1, -1, 0, 1, 1, 1, 2];
        let mut dice = SystemDice::from_key([7; 32]);
        let (clocks, mut all, mut within_ten) = (20_000, 0.0, 0.0);
        for _ in 0..clocks {
            let (mut filled, mut rolls) = (1_i32, 0_u32);
            while filled < 6 {
                let face = usize::try_from(dice.up_to(8) - 1).unwrap();
                filled = (filled + faces[face]).max(0);
                rolls += 1;
            }
            all += f64::from(rolls);
            within_ten += f64::from(u8::from(rolls <= 10));
        }
        let clocks = f64::from(clocks);
        let mean = forecast.mean.unwrap();
        assert!(
            (all / clocks - mean).abs() < mean / 30.0,
            "{} {mean}",
            all / clocks
        );
        let ten = forecast.rolls[9].to_f64().value();
        assert!(
            (within_ten / clocks - ten).abs() < 0.02,
            "{} {ten}",
            within_ten / clocks
        );
    }

    #[test]
    fn a_full_clock_is_full_and_a_dead_one_never_is() {
        let full = forecast(&spread(&[(0, 1)]), 4, 4);
        assert_eq!(words(&full.rolls), ["1"]);
        assert_eq!(full.mean, Some(0.0));
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
