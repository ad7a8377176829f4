//! The sum of the highest or lowest so many of some dice, exactly.

use std::borrow::Cow;
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

    /// Whether each value that it has at all comes in one way.
    fn is_fair(&self) -> bool {
        let mut faces = self.faces.iter().skip_while(|ways| ways.is_zero());
        faces.all(|ways| *ways == Natural::ONE)
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
    let values = values.unwrap_or(0);
    let mut sums = Series(Vec::new());
    let mut known: Vec<BeyondSums> = classes.iter().map(|_| BeyondSums::none(keep)).collect();
    for step in 0..values {
        // From the end that counts, so that one value more lies beyond at each step.
        let threshold = match end {
            End::High => values - 1 - step,
            End::Low => step,
        };
        let split: Vec<Split<'_>> = classes
            .iter()
            .zip(&known)
            .map(|(class, known)| Split::at(class, end, threshold, keep, known))
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
        for (class, known) in classes.iter().zip(&mut known) {
            known.widen(class, end, threshold);
        }
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
struct Split<'a>(Vec<(Cow<'a, Series>, Series)>);

impl<'a> Split<'a> {
    /// For each number of dice beyond: the sums of these, and how many of the others show the
    /// threshold itself.
    fn at(class: &Class, end: End, threshold: usize, keep: usize, known: &'a BeyondSums) -> Self {
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
        let is_fair = class.is_fair();
        let split = (0..=most).map(|many| {
            if is_fair && many > 0 {
                sums = sums.times(&die);
            }
            let ways = choose(class.count, many);
            let rest = showing(class.count - many, &at, &behind, &ways);
            let sums = if is_fair {
                Cow::Owned(sums.clone())
            } else {
                Cow::Borrowed(&known.0[many])
            };
            (sums, rest)
        });
        Self(split.collect())
    }
}

/// The sums of 0, 1, 2 … dice beyond a threshold, counted from the smallest value beyond it; kept from
/// one threshold to the next for dice that are not fair, which no running sum adds up.
struct BeyondSums(Vec<Series>);

impl BeyondSums {
    /// No value lies beyond.
    fn none(keep: usize) -> Self {
        let mut sums = vec![Series(Vec::new()); keep];
        if let Some(none) = sums.first_mut() {
            *none = Series::one();
        }
        Self(sums)
    }

    /// Lets the threshold lie beyond as well: some of the dice show it, the others what they showed.
    fn widen(&mut self, class: &Class, end: End, threshold: usize) {
        if class.is_fair() {
            return;
        }
        let ways = class.ways(threshold..threshold + 1);
        for many in (1..self.0.len()).rev() {
            let mut wider = Series(Vec::new());
            let mut showing = Natural::ONE;
            for here in 0..=many {
                let others = &self.0[many - here];
                let shift = match end {
                    // What lay beyond is one further from where counting begins now.
                    End::High => many - here,
                    End::Low => here * threshold,
                };
                let times = &showing * &choose(many, here);
                if !times.is_zero() && !others.0.is_empty() {
                    wider.add(others, shift, &times);
                }
                showing = &showing * &ways;
            }
            self.0[many] = wider;
        }
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
    fn add(&self, split: &[Split<'_>], many: usize, sums: &Series, rest: &Series, to: &mut Series) {
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
