//! The exact odds of a parsed expression.

use std::sync::Arc;

use thiserror::Error;

use super::{KeepDice, Notation, Stack, Term, Value};
use crate::dice::kept_sum::{Class, End, kept_sum};
use crate::dice::{Distribution, Fraction, Memo, Natural, Series};

/// The exact odds of an expression's total.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotationOdds {
    /// The totals. Chains are followed until going on is less likely than one in a million million;
    /// what lies further is not listed, and [`Distribution::beyond`] is its exact chance.
    pub spread: Distribution,
    /// The mean, chains included without limit; nothing where only the highest or lowest of exploding
    /// dice count, of which no closed form is known here.
    pub mean: Option<Fraction>,
    /// The smallest total; nothing where chains are subtracted.
    pub min: Option<i64>,
    /// The largest total; nothing where chains are added.
    pub max: Option<i64>,
}

/// The odds would take too long to work out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "the exact odds of so many dice are too much to work out; the dice can be rolled all the same"
)]
pub struct OddsTooLarge;

/// At most so many multiplications of 64 bits, a second or two.
const MOST_WORK: u64 = 400_000_000;
/// At most so many words of 64 bits in one spread.
const MOST_WORDS: u64 = 4_000_000;

impl Notation {
    /// Forgets the terms worked out lately, so that a bench can see what they cost.
    pub fn forget() {
        KNOWN.forget();
    }

    /// Its exact odds.
    pub fn odds(&self) -> Result<NotationOdds, OddsTooLarge> {
        let mut values = Stack(Vec::new());
        for op in &self.program {
            values.step(op, Term::known_odds)?;
        }
        let value: Odds = values.result();
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
            spread: Distribution::certain(number),
            mean: Some(Fraction::from(number)),
        }
    }

    fn negated(self) -> Self {
        Self {
            spread: self.spread.with(&Distribution::certain(-1), |a, b| a * b),
            mean: self.mean.map(|mean| -mean),
        }
    }

    fn plus(self, other: Self) -> Result<Self, OddsTooLarge> {
        self.affordable(&other)?;
        Ok(Self {
            spread: self.spread.plus(&other.spread),
            mean: self.mean.zip(other.mean).map(|(a, b)| &a + &b),
        })
    }

    fn times(self, other: Self) -> Result<Self, OddsTooLarge> {
        self.affordable(&other)?;
        Ok(Self {
            spread: self.spread.with(&other.spread, |a, b| a * b),
            mean: self.mean.zip(other.mean).map(|(a, b)| &a * &b),
        })
    }
}

impl Odds {
    /// How many totals it has, and how many words the ways of one fill at most.
    fn size(&self) -> (u64, u64) {
        let values = u64::try_from(self.spread.ways().len()).unwrap_or(u64::MAX);
        (values, words(self.spread.whole().bits()))
    }

    fn affordable(&self, other: &Self) -> Result<(), OddsTooLarge> {
        let ((values_a, words_a), (values_b, words_b)) = (self.size(), other.size());
        let pairs = values_a.saturating_mul(values_b);
        affordable(pairs.saturating_mul(words_a * words_b + 8), pairs)
    }
}

fn words(bits: u64) -> u64 {
    bits / 64 + 1
}

fn affordable(work: u64, words: u64) -> Result<(), OddsTooLarge> {
    if work <= MOST_WORK && words <= MOST_WORDS {
        Ok(())
    } else {
        Err(OddsTooLarge)
    }
}

/// The terms worked out lately: who types `10d10!kh5 + 2` asks for the dice again at every key. Each
/// weighs the words of 64 bits that its odds fill, four megabytes together.
static KNOWN: Memo<Term, Odds> = Memo::new(500_000);

impl Term {
    /// Its odds, worked out once for equal terms that follow each other closely.
    fn known_odds(&self) -> Result<Odds, OddsTooLarge> {
        let weigh = |odds: &Odds| {
            let (totals, words) = odds.size();
            usize::try_from(totals * words).unwrap_or(usize::MAX)
        };
        let known = KNOWN.answer(self, || self.odds(), weigh)?;
        Ok(Arc::unwrap_or_clone(known))
    }

    fn odds(&self) -> Result<Odds, OddsTooLarge> {
        let links = self.links();
        let throws = self.throws();
        self.affordable(&throws, links)?;
        let count = usize::try_from(self.count).unwrap_or(usize::MAX);
        let class = Class {
            count,
            faces: self.chain(&throws, links),
        };
        let whole = throws.total().pow(links * self.count);
        let keep = usize::try_from(self.kept()).unwrap_or(usize::MAX);
        let series = match self.keep {
            KeepDice::All | KeepDice::Highest(_) => kept_sum(&[class], End::High, keep),
            KeepDice::Lowest(_) => kept_sum(&[class], End::Low, keep),
        };
        let first = i64::from(self.lowest) * i64::from(self.kept());
        let spread = Distribution::new((first..).zip(series.0).collect(), whole);
        let mean = if !self.explodes {
            Some(spread.mean())
        } else if self.kept() == self.count {
            Some(self.chain_mean(&throws))
        } else {
            None
        };
        Ok(Odds { spread, mean })
    }

    /// Refuses what would take too long, before anything is worked out.
    fn affordable(&self, throws: &Throws, links: u32) -> Result<(), OddsTooLarge> {
        let (count, kept) = (u64::from(self.count), u64::from(self.kept()));
        let bits = u64::from(links) * count * throws.total().bits();
        let values = u64::from(links) * u64::from(self.sides);
        // Fair dice are added by a running sum; others by multiplying each value with each.
        let times = if throws.is_fair() && links == 1 {
            1
        } else {
            values
        };
        let sums = values * kept;
        let work = if kept < count {
            // For each threshold the sums of 0, 1, 2 … dice beyond it, and what the others may show.
            let beyond = sums.saturating_mul(kept).saturating_mul(times) / 4;
            values.saturating_mul(beyond.saturating_add(kept * count))
        } else if times == 1 {
            16 * sums
        } else {
            sums.saturating_mul(times)
                .saturating_mul(count.saturating_sub(1))
                / 2
        };
        let words = words(bits);
        affordable(work.saturating_mul(words), sums.saturating_mul(words))
    }

    /// How many rolls of a chain are followed: until the rest is less likely than one in 10¹².
    fn links(&self) -> u32 {
        if !self.explodes {
            return 1;
        }
        let throws = self.throws();
        let (highest, all) = (throws.highest(), throws.total());
        let million = Natural::from(1_000_000_000_000_u64);
        let (mut stays, mut any, mut links) = (highest.clone(), all.clone(), 1);
        while &stays * &million > any && links < super::LONGEST_CHAIN {
            (stays, any, links) = (&stays * &highest, &any * &all, links + 1);
        }
        links
    }

    fn throws(&self) -> Throws {
        let among = |(from, to): (i32, i32)| {
            let (from, to) = (from.max(self.lowest), to.min(self.highest()));
            u32::try_from(to - from + 1).unwrap_or(0)
        };
        Throws {
            sides: self.sides,
            lowest: self.lowest,
            reroll: self.reroll,
            again: self.reroll.map_or(0, among),
        }
    }

    /// The ways of one die with its chain to make each value from its lowest face up.
    fn chain(&self, throws: &Throws, links: u32) -> Vec<Natural> {
        let top = i64::from(self.highest());
        let lowest = i64::from(self.lowest);
        let values = usize::try_from(top * i64::from(links) - lowest + 1).unwrap_or(0);
        let mut ways = vec![Natural::ZERO; values];
        let mut before = Natural::ONE;
        for link in 0..links {
            let after = throws.total().pow(links - 1 - link);
            let scale = &before * &after;
            for face in self.lowest..=self.highest() {
                if self.explodes && face == self.highest() {
                    continue;
                }
                let value = i64::from(link) * top + i64::from(face) - lowest;
                if let Some(sum) = usize::try_from(value).ok().and_then(|at| ways.get_mut(at)) {
                    sum.add_product(&scale, &throws.ways(face));
                }
            }
            before = &before * &throws.highest();
        }
        while ways.last().is_some_and(Natural::is_zero) {
            ways.pop();
        }
        ways
    }

    /// The mean of all dice with chains that go on without limit: each roll is followed by another
    /// with the chance of the highest face.
    fn chain_mean(&self, throws: &Throws) -> Fraction {
        let faces = self.lowest..=self.highest();
        let ways = faces.map(|face| (i64::from(face), throws.ways(face)));
        let roll = Distribution::new(ways.collect(), throws.total()).mean();
        let ends = &throws.total() - &throws.highest();
        let rolls = Fraction::new(&(&throws.total() * &Natural::from(self.count)), &ends);
        &roll * &rolls
    }
}

/// One roll of one die, with its re-roll: the ways to each face.
struct Throws {
    sides: u32,
    lowest: i32,
    reroll: Option<(i32, i32)>,
    /// How many faces are rolled once more.
    again: u32,
}

impl Throws {
    fn is_fair(&self) -> bool {
        self.again == 0
    }

    fn total(&self) -> Natural {
        let sides = Natural::from(self.sides);
        if self.is_fair() {
            sides
        } else {
            &sides * &sides
        }
    }

    fn ways(&self, face: i32) -> Natural {
        if self.is_fair() {
            return Natural::ONE;
        }
        let stays = self
            .reroll
            .is_none_or(|(from, to)| !(from..=to).contains(&face));
        Natural::from(if stays {
            self.sides + self.again
        } else {
            self.again
        })
    }

    fn highest(&self) -> Natural {
        self.ways(self.lowest + self.sides.cast_signed() - 1)
    }
}

impl Distribution {
    /// How the sum of this number and another, rolled apart, is spread.
    fn plus(&self, other: &Self) -> Self {
        let dense = |spread: &Self| -> Option<(i64, Series)> {
            let (min, max) = spread.min().zip(spread.max())?;
            let len = usize::try_from(max - min).ok()? + 1;
            if len > 4 * spread.ways().len() {
                return None;
            }
            let mut series = vec![Natural::ZERO; len];
            for (value, ways) in spread.ways() {
                series[usize::try_from(value - min).ok()?] = ways.clone();
            }
            Some((min, Series(series)))
        };
        match (dense(self), dense(other)) {
            (Some((a_min, a)), Some((b_min, b))) => {
                let sums = (a_min + b_min..).zip(a.times(&b).0);
                Self::new(sums.collect(), self.whole() * other.whole())
            }
            _ => self.with(other, |a, b| a + b),
        }
    }
}
