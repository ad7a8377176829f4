//! Clocks that are filled side by side, and a clock that is pulled both ways.

use super::{MOST_ROLLS, Runner, Step, Turns, win};
use crate::dice::{Distribution, Fraction, Natural};

/// Who wins a race in which everybody rolls once a round.
#[derive(Clone, Debug, PartialEq)]
pub struct Race {
    /// The chance of each to be full in an earlier round than all others.
    pub wins: Vec<f64>,
    /// The chance that two or more are full in the same round, before all others.
    pub tie: f64,
    /// The same as fractions, the tie last, where there are two clocks of ordinary size.
    pub exact: Option<Vec<Fraction>>,
}

/// A race of two is counted exactly up to so many squares of its board.
const MOST_SQUARES: usize = 1_024;
/// Longer than so many rounds no race is followed, and no further than to so small a rest.
const MOST_ROUNDS: usize = 20_000;
const SMALL: f64 = 1e-13;

/// The chances of a race in which everybody rolls once a round. All are 0 if nobody ever gets anywhere;
/// who is full already has won, or shares it with who is, too.
pub fn race_of(runners: &[Runner<'_>]) -> Race {
    let needed: Vec<usize> = runners
        .iter()
        .map(|runner| runner.segments.saturating_sub(runner.filled).into())
        .collect();
    let steps: Vec<Step> = runners
        .iter()
        .zip(&needed)
        .map(|(runner, needed)| Step::of(runner.levels, *needed))
        .collect();
    let full = needed.iter().filter(|needed| **needed == 0).count();
    if full > 0 {
        let won = |needed: &usize| f64::from(u8::from(*needed == 0 && full == 1));
        return Race {
            wins: needed.iter().map(won).collect(),
            tie: f64::from(u8::from(full > 1)),
            exact: None,
        };
    }
    let exact = exact(&steps, &needed);
    if let Some(exact) = exact {
        let chances: Vec<f64> = exact.iter().map(Fraction::to_f64).collect();
        let (tie, wins) = chances
            .split_last()
            .map_or((0.0, &[][..]), |(tie, wins)| (*tie, wins));
        return Race {
            wins: wins.to_vec(),
            tie,
            exact: Some(exact),
        };
    }
    followed(&steps, &needed)
}

fn exact(steps: &[Step], needed: &[usize]) -> Option<Vec<Fraction>> {
    let ([me, you], [mine, yours]) = (steps, needed) else {
        return None;
    };
    if mine * yours > MOST_SQUARES || !(me.fills() || you.fills()) {
        return None;
    }
    let first = win(me, you, *mine, *yours, Turns::Both);
    let second = win(you, me, *yours, *mine, Turns::Both);
    let tie = &Fraction::ONE - &(&first + &second);
    Some(vec![first, second, tie])
}

/// The race round by round.
fn followed(steps: &[Step], needed: &[usize]) -> Race {
    let chances: Vec<Vec<f64>> = steps
        .iter()
        .map(|step| {
            let chance = |ways: &Natural| Fraction::new(ways, &step.whole).to_f64();
            step.ways.iter().map(chance).collect()
        })
        .collect();
    // The chance that so many segments are still to fill, for each.
    let mut open: Vec<Vec<f64>> = needed
        .iter()
        .map(|needed| {
            let mut open = vec![0.0; needed + 1];
            open[*needed] = 1.0;
            open
        })
        .collect();
    let mut wins = vec![0.0; steps.len()];
    let mut tie = 0.0;
    for _ in 0..MOST_ROUNDS {
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
        if rest < SMALL || steps.iter().all(|step| !step.fills()) {
            break;
        }
    }
    Race {
        wins,
        tie,
        exact: None,
    }
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
    let (most, at) = (usize::from(segments), usize::from(filled.min(segments)));
    let mut places = vec![Natural::ZERO; most + 1];
    places[at] = Natural::ONE;
    let mut all = Natural::ONE;
    let mut done = Tug {
        right: Vec::new(),
        left: Vec::new(),
    };
    let enough = Fraction::new(&99_u8.into(), &100_u8.into());
    for _ in 0..MOST_ROLLS {
        let mut next = vec![Natural::ZERO; most + 1];
        for (place, ways) in places
            .iter()
            .enumerate()
            .filter(|(_, ways)| !ways.is_zero())
        {
            if place == 0 || place == most {
                next[place].add_product(ways, pulls.whole());
                continue;
            }
            for (by, chance) in pulls.ways() {
                let by = isize::try_from(*by).unwrap_or(0);
                let to = place.saturating_add_signed(by).min(most);
                next[to].add_product(ways, chance);
            }
        }
        places = next;
        all = &all * pulls.whole();
        done.right.push(Fraction::new(&places[most], &all));
        done.left.push(Fraction::new(&places[0], &all));
        let ends: Natural = [&places[most], &places[0]].into_iter().sum();
        let decided = Fraction::new(&ends, &all);
        if decided > enough {
            break;
        }
    }
    done
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spread(ways: &[(i64, u8)]) -> Distribution {
        let whole: u32 = ways.iter().map(|&(_, ways)| u32::from(ways)).sum();
        let ways = ways.iter().map(|&(value, ways)| (value, ways.into()));
        Distribution::new(ways.collect(), whole.into())
    }

    const fn runner(levels: &Distribution, filled: u8, segments: u8) -> Runner<'_> {
        Runner {
            levels,
            filled,
            segments,
        }
    }

    #[test]
    fn following_a_race_comes_to_the_same_as_counting_it() {
        let (slow, fast) = (spread(&[(0, 2), (1, 3)]), spread(&[(0, 4), (1, 2), (2, 1)]));
        let runners = [runner(&slow, 0, 3), runner(&fast, 1, 5)];
        let counted = race_of(&runners);
        let steps = [Step::of(&slow, 3), Step::of(&fast, 4)];
        let walked = followed(&steps, &[3, 4]);
        for (a, b) in counted.wins.iter().zip(&walked.wins) {
            assert!((a - b).abs() < 1e-9, "{counted:?} {walked:?}");
        }
        assert!((counted.tie - walked.tie).abs() < 1e-9);
        // One that never moves takes nothing from the others.
        let dead = spread(&[(0, 1)]);
        let three = race_of(&[runners[0], runners[1], runner(&dead, 0, 4)]);
        assert!((three.wins[0] - counted.wins[0]).abs() < 1e-9 && three.wins[2] < 1e-9);
        assert!((three.wins.iter().sum::<f64>() + three.tie - 1.0).abs() < 1e-9);
    }

    #[test]
    fn who_is_full_has_won_and_where_nobody_moves_nobody_wins() {
        let (coin, dead) = (spread(&[(0, 1), (1, 1)]), spread(&[(0, 1)]));
        let race = race_of(&[runner(&coin, 4, 4), runner(&coin, 3, 4)]);
        assert_eq!((race.wins, race.tie), (vec![1.0, 0.0], 0.0));
        let race = race_of(&[runner(&dead, 0, 4), runner(&dead, 0, 4)]);
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
        assert!(last.to_f64() * 2.0 > 0.99);
    }
}
