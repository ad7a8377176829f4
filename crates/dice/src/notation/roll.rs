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
    pub status: DieStatus,
    /// True if it was rolled because the previous die exploded.
    pub chain: bool,
}

/// Whether a die counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DieStatus {
    /// It counts.
    Kept,
    /// It does not count, because other dice are kept or because it does not show a counted number.
    Dropped,
    /// The next die replaces it.
    Rerolled,
}

impl RolledNotation {
    /// The total of each repetition. A single total if the expression does not repeat.
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
    pub fn starts_later_repetition(&self, index: usize) -> bool {
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
    /// Rolls the expression.
    pub fn roll<D: Dice + ?Sized>(&self, dice: &mut D) -> RolledNotation {
        let mut rolled = RolledNotation::default();
        self.roll_into(dice, &mut rolled);
        rolled
    }

    /// Rolls the expression and replaces an earlier result, so that its memory is used again.
    pub fn roll_into<D: Dice + ?Sized>(&self, dice: &mut D, rolled: &mut RolledNotation) {
        let mut next_face = |term: &DiceTerm| {
            let side = dice.up_to(term.sides).cast_signed();
            term.lowest + side - 1
        };
        self.resolve(&mut next_face, rolled);
    }

    /// Computes the result and writes it to `rolled`. `next_face` returns the face of each die.
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
    /// Rolls its dice, appends them to `dice`, and returns the total. The parser has checked that no total overflows.
    fn roll<F: FnMut(&DiceTerm) -> i32>(
        &self,
        next_face: &mut F,
        dice: &mut Vec<RolledDie>,
    ) -> i64 {
        match self {
            Self::Number(number) => *number,
            Self::Dice(term) => term.roll(next_face, dice),
            Self::Negative(part) => -part.roll(next_face, dice),
            Self::Sum(parts) => {
                let mut total = 0;
                for part in parts {
                    total += part.roll(next_face, dice);
                }
                total
            }
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
    /// The index of its first die among all dice.
    start: usize,
    /// The index after its last die.
    end: usize,
}

/// If dropping dice one by one takes more comparisons than this, the dice are sorted instead, which allocates memory.
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
        for _ in 0..self.count {
            let face = next_face(self);
            dice.push(self.new_die(face, false));
        }

        let dice = &mut dice[first..];
        if self.keep != Keep::All {
            self.drop_plain(dice);
        }
        if self.counted.is_some() {
            return self.count_dice(dice);
        }
        let mut total = 0;
        for die in dice {
            if die.status == DieStatus::Kept {
                total += i64::from(die.face);
            }
        }
        total
    }

    /// Marks the dice that are not kept. Of equal dice the later one is dropped.
    fn drop_plain(&self, dice: &mut [RolledDie]) {
        let keeps_highest = matches!(self.keep, Keep::Highest(_));
        // The dice with the lowest ranks are dropped.
        let rank = |die: &RolledDie| if keeps_highest { die.face } else { -die.face };
        let dropped = dice.len() - self.kept_size();

        if dropped * dice.len() > MOST_COMPARISONS {
            let mut best_first: Vec<&mut RolledDie> = dice.iter_mut().collect();
            // The sort is stable, so the later of equal dice stays behind.
            best_first.sort_by_key(|die| -rank(die));
            for die in best_first.into_iter().rev().take(dropped) {
                die.status = DieStatus::Dropped;
            }
            return;
        }

        for _ in 0..dropped {
            let kept = dice.iter_mut().filter(|die| die.status == DieStatus::Kept);
            // Of equal dice, the search from the end finds the later one first.
            let worst = kept.rev().min_by_key(|die| rank(die));
            if let Some(die) = worst {
                die.status = DieStatus::Dropped;
            }
        }
    }

    /// Counts the dice or groups of digits that show a counted number, and marks the other dice.
    fn count_dice(&self, dice: &mut [RolledDie]) -> i64 {
        let mut count = 0;
        if self.digits > 1 {
            let digits = usize::try_from(self.digits).unwrap_or(1);
            for group in dice.chunks_mut(digits) {
                let mut number = 0;
                for die in &*group {
                    number = number * 10 + i64::from(die.face);
                }
                if self.counts(number) {
                    count += 1;
                } else {
                    drop_dice(group);
                }
            }
            return count;
        }

        for die in dice.iter_mut().filter(|die| die.status == DieStatus::Kept) {
            if self.counts(die.face.into()) {
                count += 1;
            } else {
                die.status = DieStatus::Dropped;
            }
        }
        count
    }

    /// Adds up or counts the kept groups, and marks the dice of the other groups.
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
            if is_kept && self.counted.is_none() {
                total += group.total;
            } else if is_kept && self.counts(group.total) {
                total += 1;
            } else {
                drop_dice(&mut dice[group.start..group.end]);
            }
        }
        total
    }

    /// True if dice with this number are counted.
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
            status: DieStatus::Kept,
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
                    status: DieStatus::Rerolled,
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

/// Marks dice as dropped. Re-rolled dice stay marked as re-rolled.
fn drop_dice(dice: &mut [RolledDie]) {
    for die in dice {
        if die.status == DieStatus::Kept {
            die.status = DieStatus::Dropped;
        }
    }
}
