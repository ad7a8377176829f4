//! Rolling a parsed expression.

use std::convert::Infallible;
use std::ops::Range;

use super::{KeepDice, LONGEST_CHAIN, Notation, Stack, Term, Value};
use crate::dice::Dice;

/// Where faces come from: dice that fall, or faces that are typed in.
pub(super) trait Source {
    /// The next face of a die of that term.
    fn face(&mut self, term: &Term) -> i32;
}

/// Dice that fall.
struct Falling<'a, D: ?Sized>(&'a mut D);

impl<D: Dice + ?Sized> Source for Falling<'_, D> {
    fn face(&mut self, term: &Term) -> i32 {
        term.lowest + self.0.up_to(term.sides).cast_signed() - 1
    }
}

/// A rolled expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rolled {
    /// What it adds up to.
    pub total: i64,
    /// Every die, in rolled order.
    pub dice: Vec<RolledDie>,
}

/// One rolled die.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RolledDie {
    /// How many sides it has; a Fate die has 3.
    pub sides: u32,
    /// The face: −1, 0 or 1 on a Fate die.
    pub face: i32,
    /// What became of it.
    pub fate: Fate,
    /// Whether it was rolled because the one before it exploded; the two count as one die.
    pub chain: bool,
}

/// What became of a die.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fate {
    /// It counts.
    Kept,
    /// Others were kept instead.
    Dropped,
    /// The next die was rolled instead of it.
    Rerolled,
}

impl Notation {
    /// Rolls it.
    pub fn roll<D: Dice + ?Sized>(&self, luck: &mut D) -> Rolled {
        self.resolve(&mut Falling(luck))
    }

    /// Adds up what its dice show, wherever the faces come from.
    pub(super) fn resolve(&self, faces: &mut impl Source) -> Rolled {
        let mut dice = Vec::with_capacity(8);
        let mut values = Stack(Vec::new());
        for op in &self.program {
            let Ok(()) = values.step(op, |term| Ok(term.roll(faces, &mut dice)));
        }
        Rolled {
            total: values.result(),
            dice,
        }
    }
}

/// The total of a roll. Its bounds were checked when it was parsed: nothing here can run over.
impl Value for i64 {
    type Error = Infallible;

    fn number(number: i64) -> Self {
        number
    }

    fn negated(self) -> Self {
        -self
    }

    fn plus(self, other: Self) -> Result<Self, Infallible> {
        Ok(self + other)
    }

    fn times(self, other: Self) -> Result<Self, Infallible> {
        Ok(self * other)
    }
}

impl Term {
    fn roll(&self, faces: &mut impl Source, dice: &mut Vec<RolledDie>) -> i64 {
        let first = dice.len();
        dice.reserve(usize::try_from(self.count).unwrap_or(0));
        if self.explodes || self.reroll.is_some() {
            (0..self.count).for_each(|_| self.throw(faces, dice));
        } else {
            dice.extend((0..self.count).map(|_| self.one(faces)));
        }
        let mine = &mut dice[first..];
        match self.keep {
            KeepDice::All => {}
            KeepDice::Highest(keep) => drop_all_but(mine, keep, |value| -value),
            KeepDice::Lowest(keep) => drop_all_but(mine, keep, |value| value),
        }
        let kept = mine.iter().filter(|die| die.fate == Fate::Kept);
        kept.map(|die| i64::from(die.face)).sum()
    }

    fn one(&self, faces: &mut impl Source) -> RolledDie {
        RolledDie {
            sides: self.sides,
            face: faces.face(self),
            fate: Fate::Kept,
            chain: false,
        }
    }

    /// Rolls one die with whatever follows from its face.
    fn throw(&self, faces: &mut impl Source, dice: &mut Vec<RolledDie>) {
        for link in 0..LONGEST_CHAIN {
            let chain = link > 0;
            let mut rolled = self.one(faces);
            if self
                .reroll
                .is_some_and(|(from, to)| (from..=to).contains(&rolled.face))
            {
                let fate = Fate::Rerolled;
                dice.push(RolledDie {
                    fate,
                    chain,
                    ..rolled
                });
                rolled = self.one(faces);
            }
            dice.push(RolledDie { chain, ..rolled });
            if !self.explodes || rolled.face < self.highest() {
                return;
            }
        }
    }
}

/// Drops all but the first so many dice by that order, the later one of equals; a chain is one die.
fn drop_all_but(dice: &mut [RolledDie], keep: u32, order: impl Fn(i64) -> i64) {
    let keep = usize::try_from(keep).unwrap_or(usize::MAX);
    let mut chains = chains(dice);
    chains.sort_by_key(|&(value, _)| order(value));
    for (_, chain) in chains.into_iter().skip(keep) {
        let dropped = dice[chain].iter_mut();
        dropped
            .filter(|die| die.fate == Fate::Kept)
            .for_each(|die| die.fate = Fate::Dropped);
    }
}

/// The dice that count as one: each value with its place.
fn chains(dice: &[RolledDie]) -> Vec<(i64, Range<usize>)> {
    let mut chains: Vec<(i64, Range<usize>)> = Vec::new();
    let mut open = false;
    for (index, die) in dice.iter().enumerate() {
        let counts = die.fate == Fate::Kept;
        let value = if counts { i64::from(die.face) } else { 0 };
        match chains.last_mut() {
            Some((sum, chain)) if open || die.chain => {
                *sum += value;
                chain.end = index + 1;
            }
            _ => chains.push((value, index..index + 1)),
        }
        // What replaces a re-rolled die belongs to it.
        open = !counts;
    }
    chains
}
