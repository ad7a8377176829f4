//! Rolls a parsed expression, with random dice or with faces that were rolled by hand.

use super::range::divide_down;
use super::syntax::{DiceTerm, FactorOperator, Node};
use super::{LONGEST_CHAIN, Notation};
use crate::{Dice, Keep};

/// A rolled expression.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RolledNotation {
    /// The total. Of a repeated expression, the sum of all repetitions.
    pub total: i64,
    /// Every die, in rolled order.
    pub dice: Vec<RolledDie>,
    /// Each repetition of an expression such as `6x 4d6kh3`. Empty if the expression does not repeat.
    pub repetitions: Vec<Repetition>,
}

/// One repetition of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repetition {
    /// Its total.
    pub total: i64,
    /// The number of its dice. They follow the dice of the repetitions before it.
    pub dice: usize,
}

/// One rolled die.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RolledDie {
    /// The number of sides; 3 for a Fate die.
    pub sides: u32,
    /// The face: −1, 0 or 1 on a Fate die.
    pub face: i32,
    /// Whether it counts.
    pub fate: Fate,
    /// True if it was rolled because the die before it exploded.
    pub chain: bool,
}

/// Whether a die counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fate {
    /// It counts.
    Kept,
    /// It does not count: other dice are kept, or it misses the number that is counted.
    Dropped,
    /// The next die was rolled instead of it.
    Rerolled,
}

impl RolledNotation {
    /// The totals of all repetitions; the one total if the expression does not repeat.
    pub fn totals(&self) -> Vec<i64> {
        if self.repetitions.is_empty() {
            vec![self.total]
        } else {
            self.repetitions
                .iter()
                .map(|repetition| repetition.total)
                .collect()
        }
    }

    /// True if the die at this index is the first of the second or a later repetition.
    pub fn starts_repetition(&self, index: usize) -> bool {
        let mut start = 0;
        for repetition in &self.repetitions {
            if start == index {
                return index > 0;
            }
            start += repetition.dice;
        }
        false
    }
}

impl Notation {
    /// Rolls it.
    pub fn roll<D: Dice + ?Sized>(&self, dice: &mut D) -> RolledNotation {
        let mut rolled = RolledNotation::default();
        self.roll_into(dice, &mut rolled);
        rolled
    }

    /// Rolls it, and puts the result in the place of an earlier one, whose memory it uses.
    pub fn roll_into<D: Dice + ?Sized>(&self, dice: &mut D, rolled: &mut RolledNotation) {
        self.resolve(
            &mut |term: &DiceTerm| term.lowest + dice.up_to(term.sides).cast_signed() - 1,
            rolled,
        );
    }

    /// Adds up the faces that `next_face` returns for each die, and replaces `rolled`.
    pub(super) fn resolve<F: FnMut(&DiceTerm) -> i32>(
        &self,
        next_face: &mut F,
        rolled: &mut RolledNotation,
    ) {
        rolled.dice.clear();
        rolled.repetitions.clear();

        if self.repetitions == 1 {
            rolled.total = self.root.roll(next_face, &mut rolled.dice);
            return;
        }

        rolled.total = 0;
        for _ in 0..self.repetitions {
            let dice_before = rolled.dice.len();
            let total = self.root.roll(next_face, &mut rolled.dice);
            rolled.total += total;
            rolled.repetitions.push(Repetition {
                total,
                dice: rolled.dice.len() - dice_before,
            });
        }
    }
}

impl Node {
    /// Rolls its dice, appends them to `dice`, and returns the total. The parser has checked that totals fit.
    fn roll<F: FnMut(&DiceTerm) -> i32>(
        &self,
        next_face: &mut F,
        dice: &mut Vec<RolledDie>,
    ) -> i64 {
        match self {
            Self::Number(number) => *number,
            Self::Dice(term) => term.roll(next_face, dice),
            Self::Negative(part) => -part.roll(next_face, dice),
            Self::Sum(parts) => parts.iter().map(|part| part.roll(next_face, dice)).sum(),
            Self::Product(first, factors) => {
                let mut total = first.roll(next_face, dice);
                for factor in factors {
                    let operand = factor.operand.roll(next_face, dice);
                    total = match factor.operator {
                        FactorOperator::Multiply => total * operand,
                        FactorOperator::Divide => divide_down(total, operand),
                    };
                }
                total
            }
        }
    }
}

/// The dice of one chain, or of one group of digits.
struct GroupSpan {
    total: i64,
    /// Where its dice begin and end among all dice.
    start: usize,
    end: usize,
}

/// Up to this number of comparisons, dropped dice are found by searching for each of them. It needs no memory.
const MOST_COMPARISONS: usize = 400;

impl DiceTerm {
    fn roll<F: FnMut(&Self) -> i32>(&self, next_face: &mut F, dice: &mut Vec<RolledDie>) -> i64 {
        if self.is_plain() {
            return self.roll_plain(next_face, dice);
        }

        let first = dice.len();
        if self.keep == Keep::All && !self.compounds {
            let mut total = 0;
            for _ in 0..self.count {
                total += self.roll_group(next_face, dice).total;
            }
            if self.counted.is_some() {
                total = self.count_dice(&mut dice[first..]);
            }
            return total;
        }

        let groups = (0..self.count)
            .map(|_| self.roll_group(next_face, dice))
            .collect();
        self.keep_groups(groups, dice)
    }

    /// Rolls dice that are neither re-rolled nor explode.
    fn roll_plain<F: FnMut(&Self) -> i32>(
        &self,
        next_face: &mut F,
        dice: &mut Vec<RolledDie>,
    ) -> i64 {
        let first = dice.len();
        dice.extend((0..self.count).map(|_| self.new_die(next_face(self), false)));

        let dice = &mut dice[first..];
        if self.keep != Keep::All {
            self.drop_plain(dice);
        }
        if self.counted.is_some() {
            return self.count_dice(dice);
        }
        dice.iter()
            .filter(|die| die.fate == Fate::Kept)
            .map(|die| i64::from(die.face))
            .sum()
    }

    /// Marks the dice that are not kept. Of equal dice the later one is dropped.
    fn drop_plain(&self, dice: &mut [RolledDie]) {
        let keeps_highest = matches!(self.keep, Keep::Highest(_));
        let is_worse = |face: i32, other: i32| {
            if keeps_highest {
                face <= other
            } else {
                face >= other
            }
        };
        let dropped = dice.len() - self.kept_size();

        if dropped * dice.len() > MOST_COMPARISONS {
            let mut worst_last: Vec<usize> = (0..dice.len()).collect();
            let sign = if keeps_highest { -1 } else { 1 };
            worst_last.sort_by_key(|index| sign * dice[*index].face);
            for index in worst_last.into_iter().rev().take(dropped) {
                dice[index].fate = Fate::Dropped;
            }
            return;
        }

        for _ in 0..dropped {
            let mut worst: Option<usize> = None;
            for (index, die) in dice.iter().enumerate() {
                if die.fate == Fate::Kept
                    && worst.is_none_or(|worst| is_worse(die.face, dice[worst].face))
                {
                    worst = Some(index);
                }
            }
            if let Some(worst) = worst {
                dice[worst].fate = Fate::Dropped;
            }
        }
    }

    /// Counts the dice with one of the counted faces, and marks the others.
    fn count_dice(&self, dice: &mut [RolledDie]) -> i64 {
        let mut count = 0;
        if self.digits > 1 {
            for group in dice.chunks_mut(usize::try_from(self.digits).unwrap_or(1)) {
                let number = group
                    .iter()
                    .fold(0, |number, die| number * 10 + i64::from(die.face));
                if self.counts(number) {
                    count += 1;
                } else {
                    drop_dice(group);
                }
            }
            return count;
        }

        for die in dice.iter_mut().filter(|die| die.fate == Fate::Kept) {
            if self.counts(die.face.into()) {
                count += 1;
            } else {
                die.fate = Fate::Dropped;
            }
        }
        count
    }

    /// Adds up the kept groups, or counts them, and marks the dice of the others.
    fn keep_groups(&self, mut groups: Vec<GroupSpan>, dice: &mut [RolledDie]) -> i64 {
        match self.keep {
            Keep::All => {}
            // The sort is stable, so of equal groups the later one is dropped.
            Keep::Highest(_) => groups.sort_by_key(|group| -group.total),
            Keep::Lowest(_) => groups.sort_by_key(|group| group.total),
        }

        let mut total = 0;
        for (index, group) in groups.iter().enumerate() {
            let is_kept = index < self.kept_size();
            if !is_kept || (self.counted.is_some() && !self.counts(group.total)) {
                drop_dice(&mut dice[group.start..group.end]);
            } else if self.counted.is_some() {
                total += 1;
            } else {
                total += group.total;
            }
        }
        total
    }

    fn counts(&self, number: i64) -> bool {
        self.counted.is_some_and(|counted| counted.contains(number))
    }

    fn kept_size(&self) -> usize {
        usize::try_from(self.kept()).unwrap_or(usize::MAX)
    }

    const fn new_die(&self, face: i32, chain: bool) -> RolledDie {
        RolledDie {
            sides: self.sides,
            face,
            fate: Fate::Kept,
            chain,
        }
    }

    /// Rolls one die with its re-roll and its explosions, or one group of digits.
    fn roll_group<F: FnMut(&Self) -> i32>(
        &self,
        next_face: &mut F,
        dice: &mut Vec<RolledDie>,
    ) -> GroupSpan {
        let start = dice.len();
        let total = if self.digits > 1 {
            self.roll_digits(next_face, dice)
        } else {
            self.roll_chain(next_face, dice)
        };
        GroupSpan {
            total,
            start,
            end: dice.len(),
        }
    }

    /// Rolls one die with its re-roll and its explosions, and returns the sum.
    fn roll_chain<F: FnMut(&Self) -> i32>(
        &self,
        next_face: &mut F,
        dice: &mut Vec<RolledDie>,
    ) -> i64 {
        let mut sum = 0;
        for link in 0..LONGEST_CHAIN {
            let mut die = self.new_die(next_face(self), link > 0);
            if self.rerolls(die.face) {
                dice.push(RolledDie {
                    fate: Fate::Rerolled,
                    ..die
                });
                die.face = next_face(self);
            }

            dice.push(die);
            sum += i64::from(die.face);
            if !self.explodes(die.face) {
                break;
            }
        }
        sum
    }

    /// Rolls the dice of one d66 or d666, the highest digit first, and returns their number.
    fn roll_digits<F: FnMut(&Self) -> i32>(
        &self,
        next_face: &mut F,
        dice: &mut Vec<RolledDie>,
    ) -> i64 {
        let mut number = 0;
        for _ in 0..self.digits {
            let digit = self.new_die(next_face(self), false);
            dice.push(digit);
            number = number * 10 + i64::from(digit.face);
        }
        number
    }
}

fn drop_dice(dice: &mut [RolledDie]) {
    for die in dice.iter_mut().filter(|die| die.fate == Fate::Kept) {
        die.fate = Fate::Dropped;
    }
}
