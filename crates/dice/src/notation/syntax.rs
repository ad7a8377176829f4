//! The syntax tree of a dice expression.

use super::{LONGEST_CHAIN, TotalRange};
use crate::Keep;

/// A part of an expression.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Node {
    Number(i64),
    Dice(DiceTerm),
    Negative(Box<Self>),
    /// The sum of all parts. A difference is a sum with a negative part.
    Sum(Vec<Self>),
    /// The first factor, which the others multiply or divide, from left to right.
    Product(Box<Self>, Vec<Factor>),
}

/// The right-hand side of a multiplication or division.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Factor {
    pub operator: FactorOperator,
    pub operand: Node,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum FactorOperator {
    Multiply,
    /// Divides and rounds down, toward negative infinity.
    Divide,
}

/// Equal dice, rolled together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct DiceTerm {
    pub count: u32,
    /// The lowest face: −1 for a Fate die, else 1.
    pub lowest: i32,
    pub sides: u32,
    /// The number of dice that are read as the digits of one number: 2 for d66, 3 for d666, else 1.
    pub digits: u32,
    /// A die with one of these faces is rolled again, once.
    pub reroll: Option<FaceRange>,
    /// After one of these faces the die is rolled again, and the new face is added.
    pub explode: Option<FaceRange>,
    /// True if the total of a die and its explosions is compared, as in `5d6>=8!!`, and not each roll.
    pub compounds: bool,
    pub keep: Keep,
    /// The numbers of the dice that are counted. `None` if dice are summed.
    pub counted: Option<FaceRange>,
}

/// The faces from `from` to `to`, both included. Empty if `from` is greater than `to`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct FaceRange {
    pub from: i32,
    pub to: i32,
}

impl FaceRange {
    pub(super) const EMPTY: Self = Self { from: 1, to: 0 };

    pub(super) const fn is_empty(self) -> bool {
        self.from > self.to
    }

    /// Returns the faces in both ranges.
    pub(super) fn intersect(self, other: Self) -> Self {
        Self {
            from: self.from.max(other.from),
            to: self.to.min(other.to),
        }
    }

    pub(super) fn contains(self, face: i64) -> bool {
        i64::from(self.from) <= face && face <= i64::from(self.to)
    }
}

impl Node {
    /// Calls `visit` with each dice term, from left to right.
    pub(super) fn visit_dice<'a>(&'a self, visit: &mut impl FnMut(&'a DiceTerm)) {
        match self {
            Self::Number(_) => {}
            Self::Dice(term) => visit(term),
            Self::Negative(part) => part.visit_dice(visit),
            Self::Sum(parts) => {
                for part in parts {
                    part.visit_dice(visit);
                }
            }
            Self::Product(first, factors) => {
                first.visit_dice(visit);
                for factor in factors {
                    factor.operand.visit_dice(visit);
                }
            }
        }
    }

    /// Calls `visit` with each dice term, from left to right, to change it.
    pub(super) fn visit_dice_mut(&mut self, visit: &mut impl FnMut(&mut DiceTerm)) {
        match self {
            Self::Number(_) => {}
            Self::Dice(term) => visit(term),
            Self::Negative(part) => part.visit_dice_mut(visit),
            Self::Sum(parts) => {
                for part in parts {
                    part.visit_dice_mut(visit);
                }
            }
            Self::Product(first, factors) => {
                first.visit_dice_mut(visit);
                for factor in factors {
                    factor.operand.visit_dice_mut(visit);
                }
            }
        }
    }

    pub(super) fn rolls_dice(&self) -> bool {
        let mut rolls_dice = false;
        self.visit_dice(&mut |_| rolls_dice = true);
        rolls_dice
    }

    pub(super) fn explodes(&self) -> bool {
        let mut explodes = false;
        self.visit_dice(&mut |term| explodes |= term.explode.is_some());
        explodes
    }
}

impl DiceTerm {
    /// Dice without modifiers.
    pub(super) const fn new(count: u32, lowest: i32, sides: u32) -> Self {
        Self {
            count,
            lowest,
            sides,
            digits: 1,
            reroll: None,
            explode: None,
            compounds: false,
            keep: Keep::All,
            counted: None,
        }
    }

    pub(super) const fn highest(&self) -> i32 {
        self.lowest + self.sides.cast_signed() - 1
    }

    pub(super) const fn all_faces(&self) -> FaceRange {
        FaceRange {
            from: self.lowest,
            to: self.highest(),
        }
    }

    /// The smallest value that one die, or one group of digits, can show.
    pub(super) fn lowest_value(&self) -> i32 {
        repeat_digit(self.lowest, self.digits)
    }

    /// The largest value that one roll of a die, or one group of digits, can show.
    pub(super) fn highest_value(&self) -> i32 {
        repeat_digit(self.highest(), self.digits)
    }

    /// The number of dice before re-rolls and explosions.
    pub(super) const fn dice_count(&self) -> u32 {
        self.count.saturating_mul(self.digits)
    }

    /// The number of dice that are kept.
    pub(super) fn kept(&self) -> u32 {
        match self.keep {
            Keep::All => self.count,
            Keep::Highest(kept) | Keep::Lowest(kept) => kept.min(self.count),
        }
    }

    /// True if each die is rolled exactly once and is no digit of a number.
    pub(super) const fn is_plain(&self) -> bool {
        self.reroll.is_none() && self.explode.is_none() && self.digits == 1
    }

    pub(super) fn rerolls(&self, face: i32) -> bool {
        self.reroll.is_some_and(|faces| faces.contains(face.into()))
    }

    pub(super) fn explodes(&self, face: i32) -> bool {
        self.explode
            .is_some_and(|faces| faces.contains(face.into()))
    }

    /// The smallest and the largest total.
    pub(super) fn range(&self) -> TotalRange {
        let kept = i64::from(self.kept());
        let rolls = if self.explode.is_some() {
            i64::from(LONGEST_CHAIN)
        } else {
            1
        };

        if self.counted.is_some() {
            let per_die = if self.compounds { 1 } else { rolls };
            return TotalRange {
                min: 0,
                max: kept * per_die,
            };
        }

        TotalRange {
            min: kept * i64::from(self.lowest_end()),
            max: kept * i64::from(self.highest_value()) * rolls,
        }
    }

    /// The lowest face that does not explode, so that the die is not rolled again.
    fn lowest_end(&self) -> i32 {
        match self.explode {
            Some(faces) if faces.contains(self.lowest.into()) => faces.to.saturating_add(1),
            _ => self.lowest_value(),
        }
    }
}

/// Returns the number that is written with the same digit several times: 6 and 2 give 66.
fn repeat_digit(digit: i32, digits: u32) -> i32 {
    let mut number = digit;
    for _ in 1..digits {
        number = number * 10 + digit;
    }
    number
}
