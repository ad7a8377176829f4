//! The exact odds of a parsed expression.

use thiserror::Error;

use super::{Notation, Op, Stack, Term, Value};
use crate::kept_sum::{WeightedDice, kept_sum};
use crate::{Distribution, Fraction, Natural, ratio};

/// The exact odds of an expression's total.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotationOdds {
    /// The totals. Chains are followed until going on is less likely than one in a million million;
    /// what lies further is not listed.
    pub spread: Distribution,
    /// The mean, chains included without limit; `None` if only the highest or lowest of exploding
    /// dice count: no closed form is known here.
    pub mean: Option<Fraction>,
    /// The smallest total; `None` if chains are subtracted.
    pub min: Option<i64>,
    /// The largest total; `None` if chains are added.
    pub max: Option<i64>,
}

/// The odds would take too long to work out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "the exact odds of so many dice are too much to work out; the dice can be rolled all the same"
)]
pub struct OddsTooLarge;

/// At most so many multiplications of 64 bits, a second or two.
const MOST_WORK: usize = 400_000_000;
/// So many multiplications, for so many terms with dice of so many sides, are worked out between two keys.
const QUICK_WORK: usize = 300_000;
const QUICK_TERMS: usize = 10;
const QUICK_SIDES: u32 = 200;
/// At most so many words of 64 bits in one spread.
const MOST_WORDS: usize = 4_000_000;

impl Notation {
    /// Whether its exact odds are worked out between two keys: a few milliseconds.
    pub fn is_quick(&self) -> bool {
        let terms = self.program.iter().filter_map(|op| match op {
            Op::Roll(term) => Some(term),
            Op::Number(_) | Op::Add | Op::Multiply => None,
        });
        let terms: Vec<&Term> = terms.collect();
        // Each total of a term is put together with each of the others. Sums of exploding dice often come to the same,
        // products do not: there each roll of a chain counts.
        let is_product = |ops: &[Op]| matches!(ops, [Op::Roll(_) | Op::Add, Op::Multiply]);
        let multiplies = self.program.windows(2).any(is_product);
        let pairs = terms.iter().try_fold(1_usize, |pairs, term| {
            let links = term.quick_links()?;
            let totals =
                size(term.kept()) * term.value_count() * if multiplies { links } else { 1 };
            Some(pairs.saturating_mul(totals.max(1)))
        });
        pairs.is_some_and(|pairs| pairs <= QUICK_WORK) && terms.len() <= QUICK_TERMS
    }

    /// Its exact odds.
    pub fn odds(&self) -> Result<NotationOdds, OddsTooLarge> {
        let mut values = Stack(Vec::new());
        for op in &self.program {
            values.step(op, Term::odds)?;
        }
        let value: Odds = values.pop();
        let (min, max) = self.range;
        let open = self.explodes();
        Ok(NotationOdds {
            min: value.spread.min().filter(|least| !open || *least == min),
            max: value.spread.max().filter(|most| !open || *most == max),
            spread: value.spread,
            mean: value.mean,
        })
    }
}

/// What stands on the stack: a spread, and the mean with unlimited chains. Dice of different terms fall
/// apart from each other, so means multiply as well as add.
#[derive(Clone)]
struct Odds {
    spread: Distribution,
    mean: Option<Fraction>,
}

impl Value for Odds {
    type Error = OddsTooLarge;

    fn number(number: i64) -> Self {
        Self {
            spread: Distribution::constant(number),
            mean: Some(Fraction::from(number)),
        }
    }

    fn plus(self, other: Self) -> Result<Self, OddsTooLarge> {
        self.with(other, |a, b| a + b, |a, b| a + b)
    }

    fn times(self, other: Self) -> Result<Self, OddsTooLarge> {
        self.with(other, |a, b| a * b, |a, b| a * b)
    }
}

impl Odds {
    /// How many totals it has, and how many words the ways of one fill at most.
    fn size(&self) -> (usize, usize) {
        let values = self.spread.ways().len();
        (values, words(self.spread.total().bits()))
    }

    fn with(
        self,
        other: Self,
        totals: impl Fn(i64, i64) -> i64,
        means: impl Fn(Fraction, Fraction) -> Fraction,
    ) -> Result<Self, OddsTooLarge> {
        let ((values_a, words_a), (values_b, words_b)) = (self.size(), other.size());
        let pairs = values_a.saturating_mul(values_b);
        let words = pairs.saturating_mul(words_a + words_b);
        affordable(pairs.saturating_mul(words_a * words_b + 8), words)?;
        Ok(Self {
            spread: self.spread.combine(&other.spread, totals),
            mean: self.mean.zip(other.mean).map(|(a, b)| means(a, b)),
        })
    }
}

fn size(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

fn words(bits: usize) -> usize {
    bits / 64 + 1
}

fn affordable(work: usize, words: usize) -> Result<(), OddsTooLarge> {
    if work <= MOST_WORK && words <= MOST_WORDS {
        Ok(())
    } else {
        Err(OddsTooLarge)
    }
}

impl Term {
    fn odds(&self) -> Result<Odds, OddsTooLarge> {
        let faces = self.faces();
        let total = faces.iter().sum();
        let links = self.links(&faces, &total);
        let (work, words) = self.work(&total, links);
        affordable(work, words)?;
        let class = WeightedDice {
            count: size(self.count),
            faces: self.chain(&faces, &total, links),
        };
        let series = kept_sum(&[class], self.keep);
        let first = i64::from(self.lowest_value()) * i64::from(self.kept());
        let whole = total.pow(links * size(self.count));
        let spread = Distribution::new((first..).zip(series.0).collect(), whole);
        let mean = if !self.explodes {
            Some(spread.mean())
        } else if self.kept() == self.count {
            Some(self.chain_mean(faces, total))
        } else {
            None
        };
        Ok(Odds { spread, mean })
    }

    /// How many numbers lie from the lowest to the highest that one die shows; of d66 those without a face count, too.
    fn value_count(&self) -> usize {
        size(self.highest_value().abs_diff(self.lowest_value())) + 1
    }

    /// One roll of one die, with its re-roll: the ways to each number, from the lowest.
    fn faces(&self) -> Vec<Natural> {
        if self.digits > 1 {
            return self.digit_faces();
        }

        let all = self.lowest..=self.highest();
        let again = all.clone().filter(|face| self.rolls_again(*face)).count();
        let once = if again > 0 { size(self.sides) } else { 1 };
        let ways = all.map(|face| {
            if self.rolls_again(face) {
                again
            } else {
                once + again
            }
        });
        ways.map(Natural::from).collect()
    }

    /// The ways to each number of a d66 or d666, from the lowest: one if all its digits are faces, else none.
    fn digit_faces(&self) -> Vec<Natural> {
        let is_face = |digit: char| {
            let digit = digit.to_digit(10).map_or(0, u32::cast_signed);
            (self.lowest..=self.highest()).contains(&digit)
        };

        let mut ways = Vec::new();
        for number in self.lowest_value()..=self.highest_value() {
            let is_shown = number.to_string().chars().all(is_face);
            ways.push(Natural::from(usize::from(is_shown)));
        }
        ways
    }

    /// How many rolls of a chain are followed; none where its odds are not worked out between two keys.
    fn quick_links(&self) -> Option<usize> {
        if self.value_count() > size(QUICK_SIDES) && self.digits == 1 {
            return None;
        }
        let faces = self.faces();
        let total = faces.iter().sum();
        let links = self.links(&faces, &total);
        (self.work(&total, links).0 <= QUICK_WORK).then_some(links)
    }

    /// How many multiplications of 64 bits it takes to work it out, and how many words of 64 bits.
    fn work(&self, total: &Natural, links: usize) -> (usize, usize) {
        let (count, kept) = (size(self.count), size(self.kept()));
        let values = links * self.value_count();
        let sums = values * kept;
        // Fair dice are added by running sums; others by multiplying each value with each.
        let is_fair = self.reroll.is_none() && links == 1 && self.digits == 1;
        let work = if kept < count {
            // For each threshold the sums of 0, 1, 2 … dice beyond it, and what the others may show.
            let each = if is_fair { kept / 4 } else { kept * kept / 6 };
            let beyond = sums.saturating_mul(each);
            values.saturating_mul(beyond.saturating_add(kept * count))
        } else if is_fair {
            16 * sums
        } else {
            let pairs = sums.saturating_mul(values);
            pairs.saturating_mul(count.saturating_sub(1)) / 2
        };
        let words = words(links * count * total.bits());
        (work.saturating_mul(words), sums.saturating_mul(words))
    }

    /// How many rolls of a chain are followed: until the rest is less likely than one in 10¹².
    fn links(&self, faces: &[Natural], total: &Natural) -> usize {
        let Some(highest) = faces.last().filter(|_| self.explodes) else {
            return 1;
        };
        let million_million = Natural::from(1_000_000_000_000_u128);
        let (mut stays, mut any, mut links) = (highest.clone(), total.clone(), 1);
        while &stays * &million_million > any && links < size(super::LONGEST_CHAIN) {
            (stays, any, links) = (&stays * highest, &any * total, links + 1);
        }
        links
    }

    /// The ways of one die with its chain to make each value from its lowest face up.
    fn chain(&self, faces: &[Natural], total: &Natural, links: usize) -> Vec<Natural> {
        let Some((highest, others)) = faces.split_last().filter(|_| self.explodes) else {
            return faces.to_vec();
        };
        let top = usize::try_from(self.highest()).expect("a die that explodes shows more than 0");
        let mut ways = Vec::new();
        let (mut before, mut first) = (Natural::ONE, 0);
        for after in (0..links).rev() {
            let scale = &before * &total.pow(after);
            ways.resize(first + others.len(), Natural::ZERO);
            for (value, one) in ways[first..].iter_mut().zip(others) {
                value.add_product(one, &scale);
            }
            before = &before * highest;
            first += top;
        }
        ways
    }

    /// The mean of all dice with chains that go on without limit: each roll is followed by another
    /// with the chance of the highest face.
    fn chain_mean(&self, faces: Vec<Natural>, total: Natural) -> Fraction {
        let ends = faces.iter().rev().skip(1).sum();
        let rolls = &total * &Natural::from(size(self.count));
        let faces = (i64::from(self.lowest)..).zip(faces);
        let roll = Distribution::new(faces.collect(), total).mean();
        roll * ratio(&rolls, &ends)
    }
}
