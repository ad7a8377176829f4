//! Dice notation: `4d6kh3 + 2`, in the form that other programs use.
//!
//! | written | meaning |
//! |---|---|
//! | `3d6`, `d20`, `d%`, `4dF` | three d6, one d20, one d100, four Fate dice (−1, 0, +1) |
//! | `d66`, `d666` | two or three d6, read as the digits of one number: 11 to 66, or 111 to 666 |
//! | `kh3`, `kl1`, `dh1`, `dl1` | keep or drop the highest or lowest dice, one if no number follows; `k` is `kh`, `d` is `dl` |
//! | `adv`, `dis` | `2d20kh1` and `2d20kl1`; also `d20 adv + 5` and `d20 + 5 adv` |
//! | `!`, `!5`, `!>=5`, `!<=2` | explode: after its highest face, or one of the given faces, a die is rolled again and the new face is added, at most 1,000 rolls for one die |
//! | `r`, `r2`, `r<3`, `r>=5` | re-roll: a die with one of the given faces is rolled again, once; `r` alone re-rolls the lowest face |
//! | `>=8`, `>8`, `<3`, `<=3`, `=6` | the number of dice with such a face; each roll of an exploding die counts |
//! | `>=8!!` | the number of exploding dice with such a total |
//! | `>=8!`, `!>=5>=8` | the number of rolls of exploding dice with such a face; a comparison right after `!` selects the faces that explode, so the comparison that counts comes before `!` or is the second |
//! | `+ - * / ( )` | arithmetic; `/` rounds down; `x` multiplies, too |
//! | `6x 4d6kh3` | rolls the expression six times |
//! | `# to hit` | a comment, at the end |
//!
//! Modifiers may be written in any order. Dice are first re-rolled, then they explode, then they are kept, then they are
//! counted. A die and the rolls that its explosions add are a chain, which is kept or dropped as one die. The added rolls
//! can be re-rolled as well.
//!
//! The crate has its own notation because none of the existing crates for notation limits the work of an expression before
//! it begins. Besides, tyche is under the LGPL, caith parses an expression at each roll, and xdy, which computes exact
//! odds, supports neither explosions nor re-rolls. Here brackets nest at most 100 deep, so that no expression exhausts
//! the stack, and odds that would take too long are refused.

mod cost;
mod dice_odds;
mod error;
mod exploding;
mod faces;
mod hits;
mod letters;
mod modifiers;
mod odds;
mod parse;
mod range;
mod roll;
mod scan;
mod suggest;
mod syntax;
#[cfg(test)]
mod tests;
mod weights;

use std::str::FromStr;

pub use error::NotationError;
pub use letters::{ascii_form, compact, resembles_dice};
pub use odds::{NotationOdds, OddsTooLarge};
use range::TotalRange;
pub use roll::{DieStatus, Repetition, RolledDie, RolledNotation};
use syntax::Node;

/// The most dice in one expression.
pub const MOST_DICE: u32 = 10_000;
/// The most sides of a die.
pub const MOST_SIDES: u32 = 1_000_000;
/// The most rolls of an exploding die.
pub const LONGEST_CHAIN: u32 = 1_000;
/// The most repetitions of an expression.
pub const MOST_REPETITIONS: u32 = 100;

/// A parsed dice expression.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Notation {
    root: Node,
    /// The smallest and the largest total of one repetition.
    range: TotalRange,
    repetitions: u32,
    comment: String,
}

impl FromStr for Notation {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Self, NotationError> {
        parse::parse(text)
    }
}

impl Notation {
    /// The smallest and the largest total of one repetition.
    pub fn range(&self) -> (i64, i64) {
        (self.range.min, self.range.max)
    }

    /// The number of times that the expression is rolled: 6 for `6x 4d6kh3`.
    pub fn repetitions(&self) -> u32 {
        self.repetitions
    }

    /// The comment after `#`. Empty without a comment.
    pub fn comment(&self) -> &str {
        &self.comment
    }

    /// True if the expression contains dice, and not only numbers.
    pub fn rolls_dice(&self) -> bool {
        self.root.rolls_dice()
    }

    /// The same expression with `d66` as one die of 66 sides, as logs before version 0.1.0 recorded it.
    pub fn with_d66_as_one_die(mut self) -> Self {
        self.root.visit_dice_mut(&mut |term| {
            if term.digits > 1 {
                term.sides = term.highest_value().unsigned_abs();
                term.digits = 1;
            }
        });
        self
    }
}
