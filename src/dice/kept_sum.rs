//! The sum of the highest or lowest so many of some dice, exactly.

use std::ops::Range;

use super::natural::choose;
use super::{Natural, Series};

/// Equal dice: how many, and in how many ways one of them shows each value from 0 up.
pub(crate) struct Class {
    /// How many dice.
    pub(crate) count: usize,
    /// The ways of one of them to show 0, 1, 2 …
    pub(crate) faces: Vec<Natural>,
}

impl Class {
    /// Dice with each face from `lowest` to `highest` once.
    pub(crate) fn fair(count: usize, lowest: usize, highest: usize) -> Self {
        let mut faces = vec![Natural::ZERO; highest + 1];
        faces[lowest..].fill(Natural::ONE);
        Self { count, faces }
    }

    /// The ways of one die to show these values; it need not have them all.
    fn among(&self, values: Range<usize>) -> &[Natural] {
        let last = self.faces.len();
        &self.faces[values.start.min(last)..values.end.min(last)]
    }

    fn ways(&self, values: Range<usize>) -> Natural {
        self.among(values).iter().sum()
    }
}

/// Which end counts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// The highest.
    High,
    /// The lowest.
    Low,
}

/// How many ways there are to each sum of the `keep` highest or lowest of all these dice.
///
/// It goes by the worst value that is still kept, the threshold: `j` dice lie beyond it (fewer than
/// are kept), the rest of the kept ones show it, and at least that many do. So the sum is one of `j`
/// dice that are free beyond the threshold, moved by a constant, and everything else is a number.
pub(crate) fn kept_sum(classes: &[Class], end: End, keep: usize) -> Series {
    let all: usize = classes.iter().map(|class| class.count).sum();
    if keep >= all {
        return sum(classes);
    }
    if keep == 0 {
        let ways = classes.iter().fold(Natural::ONE, |ways, class| {
            &ways * &power(&class.ways(0..class.faces.len()), class.count)
        });
        return Series(vec![ways]);
    }
    let values = classes.iter().map(|class| class.faces.len()).max();
    let mut sums = Series(Vec::new());
    for threshold in 0..values.unwrap_or(0) {
        let split: Vec<Split> = classes
            .iter()
            .map(|class| Split::at(class, end, threshold, keep))
            .collect();
        let beyond = Beyond {
            threshold,
            keep,
            offset: match end {
                End::High => threshold + 1,
                End::Low => 0,
            },
        };
        beyond.add(&split, 0, &Series::one(), &Series::one(), &mut sums);
    }
    sums
}

/// How many ways there are to each sum of all these dice.
pub(crate) fn sum(classes: &[Class]) -> Series {
    classes.iter().fold(Series::one(), |sums, class| {
        let lowest = class.faces.iter().take_while(|ways| ways.is_zero()).count();
        let faces = &class.faces[lowest..];
        let dice = if faces.iter().all(|ways| *ways == Natural::ONE) {
            Series::equal_dice(class.count, faces.len())
        } else {
            let die = Series(faces.to_vec());
            (0..class.count).fold(Series::one(), |sums, _| sums.times(&die))
        };
        let mut moved = Series(Vec::new());
        moved.add(&dice, class.count * lowest, &Natural::ONE);
        if sums.0.len() == 1 {
            moved
        } else {
            sums.times(&moved)
        }
    })
}

fn power(base: &Natural, times: usize) -> Natural {
    base.pow(u32::try_from(times).unwrap_or(u32::MAX))
}

/// One class of dice, split at a threshold, for each number of its dice that lie beyond it.
struct Split(Vec<(Series, Series)>);

impl Split {
    /// For each number of dice beyond: the sums of these, and how many of the others show the
    /// threshold itself.
    fn at(class: &Class, end: End, threshold: usize, keep: usize) -> Self {
        let values = class.faces.len();
        let (beyond, behind) = match end {
            End::High => (threshold + 1..values, 0..threshold),
            End::Low => (0..threshold, threshold + 1..values),
        };
        let die = Series(class.among(beyond).to_vec());
        let most = if die.0.is_empty() {
            0
        } else {
            class.count.min(keep - 1)
        };
        let at = class.ways(threshold..threshold + 1);
        let behind = class.ways(behind);
        let mut sums = Series::one();
        let split = (0..=most).map(|many| {
            if many > 0 {
                sums = sums.times(&die);
            }
            let ways = choose(class.count, many);
            let rest = showing(class.count - many, &at, &behind, &ways);
            (sums.clone(), rest)
        });
        Self(split.collect())
    }
}

/// How many of so many dice are `at`, the others `behind`, in each case times `ways`.
fn showing(count: usize, at: &Natural, behind: &Natural, ways: &Natural) -> Series {
    let mut powers = vec![ways.clone()];
    for _ in 0..count {
        let next = powers.last().map_or(Natural::ZERO, |last| last * behind);
        powers.push(next);
    }
    let mut picks = Natural::ONE;
    let showing = (0..=count).map(|many| {
        let here = &(&picks * &powers[count - many]) * &power(at, many);
        picks = &(&picks * &Natural::from(count - many)) / &Natural::from(many + 1);
        here
    });
    Series(showing.collect())
}

/// The dice beyond a threshold, class by class.
struct Beyond {
    threshold: usize,
    keep: usize,
    /// The smallest value beyond the threshold: where the series of one such die begins.
    offset: usize,
}

impl Beyond {
    /// Adds everything with `many` dice beyond so far: `sums` is their series, `rest` says how many
    /// of the others show the threshold.
    fn add(&self, split: &[Split], many: usize, sums: &Series, rest: &Series, to: &mut Series) {
        let Some((first, others)) = split.split_first() else {
            let needed = self.keep - many;
            let ways = Series(rest.0.get(needed..).unwrap_or_default().to_vec()).total();
            if !ways.is_zero() {
                to.add(sums, many * self.offset + needed * self.threshold, &ways);
            }
            return;
        };
        for (more, (sums_here, rest_here)) in first.0.iter().enumerate() {
            if many + more >= self.keep {
                break;
            }
            // Most pools have one class only, and then nothing is multiplied.
            let sums = if many == 0 {
                sums_here
            } else {
                &sums.times(sums_here)
            };
            let rest = if rest.0.len() == 1 && rest.0[0] == Natural::ONE {
                rest_here
            } else {
                &rest.times(rest_here)
            };
            self.add(others, many + more, sums, rest, to);
        }
    }
}
