//! The exact distribution of the sum of the highest or lowest few of some dice.

use super::{Keep, Natural, Series, choose};

/// Equal dice: how many, and in how many ways one of them shows each value from 0 up.
pub(crate) struct WeightedDice {
    /// How many dice.
    pub count: usize,
    /// The ways of one of them to show 0, 1, 2 …
    pub faces: Vec<Natural>,
}

impl WeightedDice {
    /// Dice with each face from `lowest` to `highest` once.
    pub(crate) fn fair(count: usize, lowest: usize, highest: usize) -> Self {
        let mut faces = vec![Natural::ZERO; highest + 1];
        faces[lowest..].fill(Natural::ONE);
        Self { count, faces }
    }
}

/// How many ways there are to each sum of the kept of all these dice; panics where none is kept.
pub(crate) fn kept_sum(classes: &[WeightedDice], keep: Keep) -> Series {
    let all: usize = classes.iter().map(|class| class.count).sum();
    let (keep, is_high) = (keep.of(all), matches!(keep, Keep::Highest(_)));
    if keep == all {
        return sum(classes);
    }
    let values = classes.iter().map(|class| class.faces.len()).max();
    let values = values.unwrap_or(0);
    if is_high {
        return highest(classes, keep, values);
    }
    // Seen from the other end, the lowest are the highest.
    let mirrored = classes.iter().map(|class| {
        let mut faces = class.faces.clone();
        faces.resize(values, Natural::ZERO);
        faces.reverse();
        while faces.pop_if(|ways| ways.is_zero()).is_some() {}
        WeightedDice { faces, ..*class }
    });
    let mut sums = highest(&mirrored.collect::<Vec<_>>(), keep, values);
    sums.0.resize(keep * (values - 1) + 1, Natural::ZERO);
    sums.0.reverse();
    sums
}

/// How many ways there are to each sum of all these dice.
fn sum(classes: &[WeightedDice]) -> Series {
    let sums = classes.iter().map(|class| {
        let lowest = class.faces.iter().take_while(|ways| ways.is_zero()).count();
        let faces = &class.faces[lowest..];
        let dice = if faces.iter().all(|ways| *ways == Natural::ONE) {
            Series::equal_dice(class.count, faces.len())
        } else {
            let die = Series(faces.to_vec());
            (0..class.count).fold(Series::one(), |sums, _| sums.times(&die).into_owned())
        };
        let mut moved = Series(vec![Natural::ZERO; class.count * lowest]);
        moved.0.extend(dice.0);
        moved
    });
    let together = sums.reduce(|sums, more| sums.times(&more).into_owned());
    together.unwrap_or_else(Series::one)
}

/// The sums of the `keep` highest.
///
/// It goes by the worst value that is still kept, the threshold: `many` dice lie beyond it (fewer than are
/// kept), the rest of the kept ones show it, and at least that many do. So the sum is one of `many` dice
/// that are free beyond the threshold, moved by a constant, and everything else is a number.
fn highest(classes: &[WeightedDice], keep: usize, values: usize) -> Series {
    let mut sums = Series(Vec::new());
    // Of each class the sums of 0, 1, 2 … dice beyond the threshold, a die just beyond it counted as 0.
    let none = |class: &WeightedDice| {
        let mut beyond = vec![Series(Vec::new()); class.count.min(keep - 1) + 1];
        beyond[0] = Series::one();
        beyond
    };
    let mut beyond: Vec<Vec<Series>> = classes.iter().map(none).collect();
    for threshold in (0..values).rev() {
        let at =
            |class: &WeightedDice| class.faces.get(threshold).cloned().unwrap_or(Natural::ZERO);
        let split = classes.iter().zip(&beyond).map(|(class, beyond)| {
            let behind = class.faces.iter().take(threshold).sum();
            let rest = (0..beyond.len()).map(|many| {
                let ways = choose(class.count, many);
                binomial(class.count - many, &behind, &at(class), &ways)
            });
            beyond.iter().zip(rest).collect()
        });
        let level = Level {
            threshold,
            keep,
            split: split.collect(),
        };
        level.add(0, 0, &Series::one(), &Series::one(), &mut sums);
        for (class, beyond) in classes.iter().zip(&mut beyond) {
            widen(class, threshold, beyond);
        }
    }
    sums
}

/// Lets the threshold lie beyond as well: some of the dice show it, the others what they showed.
fn widen(class: &WeightedDice, threshold: usize, beyond: &mut [Series]) {
    let Some((ways, others)) = class.faces[threshold.min(class.faces.len())..].split_first() else {
        return;
    };
    if *ways == Natural::ONE && others.iter().all(|ways| *ways == Natural::ONE) {
        for many in 1..beyond.len() {
            beyond[many] = beyond[many - 1].with_fair_die(1 + others.len());
        }
        return;
    }
    let mut powers = vec![Natural::ONE];
    for many in 1..beyond.len() {
        powers.push(&powers[many - 1] * ways);
    }
    for many in (1..beyond.len()).rev() {
        let mut wider = Series(Vec::new());
        for (here, power) in powers.iter().enumerate().take(many + 1) {
            let others = &beyond[many - here];
            if !power.is_zero() && !others.0.is_empty() {
                // What lay beyond is one further from where counting begins now.
                wider.add(others, many - here, &(power * &choose(many, here)));
            }
        }
        beyond[many] = wider;
    }
}

/// How many of `count` dice come out one way, in `one` ways each, where each may come out otherwise in `other`
/// ways; every number times `ways`.
pub(super) fn binomial(count: usize, other: &Natural, one: &Natural, ways: &Natural) -> Series {
    let mut powers = vec![ways.clone()];
    for many in 0..count {
        powers.push(&powers[many] * other);
    }
    // The ways to pick those dice, and for each of them the ways to come out so.
    let mut picked = Natural::ONE;
    let ways = (0..=count).map(|many| {
        let ways = &picked * &powers[count - many];
        let more = &Natural::from(count - many) * one;
        picked = &(&picked * &more) / &Natural::from(many + 1);
        ways
    });
    Series(ways.collect())
}

/// All dice at one threshold.
struct Level<'a> {
    threshold: usize,
    keep: usize,
    /// Of each class, for each number of its dice beyond the threshold: their sums, and how many of the
    /// others show the threshold itself.
    split: Vec<Vec<(&'a Series, Series)>>,
}

impl Level<'_> {
    /// Adds everything with `many` dice of the classes before this one beyond the threshold: `sums` is
    /// their series, `rest` says how many of the others show the threshold.
    fn add(&self, class: usize, many: usize, sums: &Series, rest: &Series, to: &mut Series) {
        let Some(split) = self.split.get(class) else {
            let needed = self.keep - many;
            let ways = rest.0.iter().skip(needed).sum();
            to.add(sums, self.keep * self.threshold + many, &ways);
            return;
        };
        for (more, (sums_here, rest_here)) in split.iter().enumerate().take(self.keep - many) {
            if !sums_here.0.is_empty() {
                let (sums, rest) = (sums.times(sums_here), rest.times(rest_here));
                self.add(class + 1, many + more, &sums, &rest, to);
            }
        }
    }
}
