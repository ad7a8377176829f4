//! Free dice: `4d6kh3 + 2`, as players know it from other rollers.
//!
//! | written | means |
//! |---|---|
//! | `3d6`, `d20`, `d%`, `4dF` | three d6, one d20, one d100, four Fate dice (−1, 0, +1) |
//! | `d66`, `d666` | two or three d6, read as the digits of one number: 11 to 66, or 111 to 666 |
//! | `kh3`, `kl1`, `dh1`, `dl1` | keep or drop the highest or lowest so many, one unless it says; `k` is `kh`, `d` is `dl` |
//! | `!` | a die that shows its highest face is rolled again and added, at most 1,000 rolls to a chain |
//! | `r`, `r2`, `r<3`, `r>=5` | a die that shows that is rolled once more; `r` alone means its lowest face |
//! | `+ - * ( )` | arithmetic |
//!
//! Whatever the order in which they are written, dice are re-rolled first, then explode, then are kept: a
//! chain counts as one die, and its further rolls may be re-rolled as well.
//!
//! The parser is our own. Of the crates that do this, tyche is under the LGPL, caith parses anew at each
//! roll, and xdy, the one with exact odds, needs 5–8 µs to compile an expression and knows neither
//! explosions nor re-rolls; none of them bounds what it is asked for before it begins. What is parsed is a
//! flat program in postfix order, and brackets nest at most 100 deep, so that nothing exhausts a stack.

mod odds;
mod parse;
mod throw;

use std::str::FromStr;

pub use odds::{NotationOdds, OddsTooLarge};
pub use parse::{NotationError, ascii_form};
pub use throw::{Fate, Rolled, RolledDie};

use super::Keep;

/// At most so many dice in one expression.
pub const MOST_DICE: u32 = 10_000;
/// At most so many sides to a die.
pub const MOST_SIDES: u32 = 1_000_000;
/// At most so many rolls in an exploding chain.
pub const LONGEST_CHAIN: u32 = 1_000;

/// A dice expression, parsed: what is rolled, and how it adds up.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Notation {
    /// In postfix order.
    program: Vec<Op>,
    /// The smallest and the largest total.
    range: (i64, i64),
}

/// One step: it takes values off the stack and puts one on it. What is subtracted is multiplied with −1 and
/// added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Op {
    Number(i64),
    Roll(Term),
    Add,
    Multiply,
}

/// What an expression is evaluated to: the totals that it can have, or their odds.
trait Value: Sized {
    /// Why two values do not go together.
    type Error;

    fn number(number: i64) -> Self;
    fn plus(self, other: Self) -> Result<Self, Self::Error>;
    fn times(self, other: Self) -> Result<Self, Self::Error>;
}

/// The values that are open while a program is evaluated.
struct Stack<V>(Vec<V>);

impl<V: Value> Stack<V> {
    /// Takes a step of the program, with what its dice come to.
    fn step(
        &mut self,
        op: &Op,
        roll: impl FnOnce(&Term) -> Result<V, V::Error>,
    ) -> Result<(), V::Error> {
        let value = match op {
            Op::Number(number) => V::number(*number),
            Op::Roll(term) => roll(term)?,
            Op::Add => {
                let last = self.pop();
                self.pop().plus(last)?
            }
            Op::Multiply => {
                let last = self.pop();
                self.pop().times(last)?
            }
        };
        self.0.push(value);
        Ok(())
    }

    fn pop(&mut self) -> V {
        self.0.pop().unwrap_or_else(|| V::number(0))
    }
}

/// The smallest and the largest total; of dice that fell, both are what they show.
struct Range(i64, i64);

/// A total that no 64 bits hold.
#[derive(Debug)]
struct TotalTooLarge;

impl Value for Range {
    type Error = TotalTooLarge;

    fn number(number: i64) -> Self {
        Self(number, number)
    }

    fn plus(self, other: Self) -> Result<Self, TotalTooLarge> {
        let sums = [(self.0, other.0), (self.1, other.1)];
        Self::around(sums.map(|(a, b)| a.checked_add(b)))
    }

    fn times(self, other: Self) -> Result<Self, TotalTooLarge> {
        let (lows, highs) = ((self.0, other.0), (self.1, other.1));
        let corners = [lows, (self.0, other.1), (self.1, other.0), highs];
        Self::around(corners.map(|(a, b)| a.checked_mul(b)))
    }
}

impl Range {
    /// From the least to the most of these, which must leave room for their negatives.
    fn around<const N: usize>(totals: [Option<i64>; N]) -> Result<Self, TotalTooLarge> {
        let fits = |total: &i64| total.unsigned_abs() < i64::MAX.unsigned_abs();
        let (mut least, mut most) = (i64::MAX, i64::MIN);
        for total in totals {
            let total = total.filter(fits).ok_or(TotalTooLarge)?;
            (least, most) = (least.min(total), most.max(total));
        }
        Ok(Self(least, most))
    }
}

/// Equal dice, rolled together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Term {
    count: u32,
    /// The lowest face: −1 for a Fate die, else 1.
    lowest: i32,
    sides: u32,
    /// How many dice are read as the digits of one number: 2 for d66, 3 for d666, else 1.
    digits: u32,
    /// Faces from one to the other are rolled once more.
    reroll: Option<(i32, i32)>,
    explodes: bool,
    keep: Keep,
}

impl Term {
    const fn highest(&self) -> i32 {
        self.lowest + self.sides.cast_signed() - 1
    }

    /// The smallest number that one die, or one group of digits, shows.
    fn lowest_value(&self) -> i32 {
        join_digits(self.lowest, self.digits)
    }

    /// The largest number that one die, or one group of digits, shows on a single roll.
    fn highest_value(&self) -> i32 {
        join_digits(self.highest(), self.digits)
    }

    /// How many dice are rolled, without re-rolls and explosions.
    const fn dice_count(&self) -> u32 {
        self.count.saturating_mul(self.digits)
    }

    /// How many dice count.
    fn kept(&self) -> u32 {
        let count = usize::try_from(self.count).unwrap_or(usize::MAX);
        u32::try_from(self.keep.of(count)).unwrap_or(self.count)
    }

    /// Whether a die that shows this face is rolled once more.
    fn rolls_again(&self, face: i32) -> bool {
        self.reroll
            .is_some_and(|(from, to)| (from..=to).contains(&face))
    }

    /// The smallest and the largest sum.
    fn range(&self) -> Range {
        let kept = i64::from(self.kept());
        let rolls = if self.explodes { LONGEST_CHAIN } else { 1 };
        let most = i64::from(self.highest_value()) * i64::from(rolls);
        Range(kept * i64::from(self.lowest_value()), kept * most)
    }
}

/// The number that is written with the same digit several times: 6 and 2 give 66.
fn join_digits(digit: i32, digits: u32) -> i32 {
    (1..digits).fold(digit, |number, _| number * 10 + digit)
}

/// True if `text` begins like a dice expression, even one with a mistake: `7d6/2`, `(d20`, `10d10>=8`, `3d`.
///
/// It decides which error is reported after all other readings of the text failed, so a name such as `D4rk` may
/// resemble dice as well.
pub fn resembles_dice(text: &str) -> bool {
    let text: String = text.trim().chars().map(ascii_form).collect();
    let behind_signs = text.trim_start_matches(['(', '+', '-', ' ']);
    let behind_count = behind_signs.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let has_count = behind_count.len() < behind_signs.len();

    let Some(sides) = behind_count.trim_start().strip_prefix(['d', 'D']) else {
        return false;
    };
    match sides.chars().next() {
        Some(letter) if letter.is_ascii_digit() || letter == '%' => true,
        Some('f' | 'F') | None => has_count,
        Some(letter) => has_count && !letter.is_alphabetic(),
    }
}

impl FromStr for Notation {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Self, NotationError> {
        parse::parse(text)
    }
}

impl Notation {
    /// The smallest and the largest total that it can roll.
    pub fn range(&self) -> (i64, i64) {
        self.range
    }

    /// The same expression with `d66` as one die of 66 sides, as logs before version 0.1.0 recorded it.
    pub fn with_d66_as_one_die(mut self) -> Self {
        for op in &mut self.program {
            if let Op::Roll(term) = op
                && term.digits > 1
            {
                term.sides = term.highest_value().unsigned_abs();
                term.digits = 1;
            }
        }
        self
    }

    fn explodes(&self) -> bool {
        let mut program = self.program.iter();
        program.any(|op| matches!(op, Op::Roll(term) if term.explodes))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use rstest::rstest;

    use super::*;
    use crate::{Dice, Fraction};
    use tableside_testing::assert_mistakes;

    fn read(text: &str) -> Notation {
        text.parse().unwrap()
    }

    /// Faces that fall in this order, over and over.
    struct Scripted(Vec<u32>, usize);

    impl Dice for Scripted {
        fn up_to(&mut self, sides: u32) -> u32 {
            let face = self.0[self.1 % self.0.len()];
            self.1 += 1;
            assert!((1..=sides).contains(&face), "{face} on a d{sides}");
            face
        }
    }

    fn roll(text: &str, faces: &[u32]) -> Rolled {
        let mut luck = Scripted(faces.to_vec(), 0);
        let rolled = read(text).roll(&mut luck);
        assert_eq!(luck.1, faces.len(), "faces used by {text}");
        rolled
    }

    /// Of each line: the expression, the faces that fall, the total, and what it shows.
    #[test]
    fn an_expression_adds_up() {
        for line in include_str!("notation/totals.txt").lines() {
            let columns: Vec<&str> = line.split(" | ").collect();
            let faces = columns[1].split_whitespace();
            let faces: Vec<u32> = faces.map(|face| face.parse().unwrap()).collect();
            assert_eq!(
                roll(columns[0], &faces).total.to_string(),
                columns[2],
                "{line}"
            );
        }
    }

    #[test]
    fn every_die_says_what_became_of_it() {
        let rolled = roll("3d6!r1kh2", &[1, 2, 6, 3, 5]);
        let told: Vec<(i32, Fate, bool)> = rolled
            .dice
            .iter()
            .map(|rolled| (rolled.face, rolled.fate, rolled.chain))
            .collect();
        assert_eq!(
            told,
            [
                (1, Fate::Rerolled, false),
                (2, Fate::Dropped, false),
                (6, Fate::Kept, false),
                (3, Fate::Kept, true),
                (5, Fate::Kept, false),
            ]
        );
        assert_eq!(rolled.total, 14);
    }

    #[test]
    fn what_cannot_be_read_says_why_and_where() {
        assert_mistakes(include_str!("notation/mistakes.txt"), |text| {
            text.parse::<Notation>().unwrap_err().to_string()
        });
    }

    #[test]
    fn no_nesting_exhausts_the_stack_and_no_length_the_memory() {
        let deep = |depth: usize| format!("{}1{}", "(".repeat(depth), ")".repeat(depth));
        assert_eq!(roll(&deep(100), &[]).total, 1);
        let error = deep(4_999).parse::<Notation>().unwrap_err();
        assert_eq!(
            error.to_string(),
            "brackets stand in each other at most 100 deep (column 101)"
        );
        assert_eq!(roll(&format!("{}1", "-".repeat(9_998)), &[]).total, 1);
        let error = "(".repeat(10_001).parse::<Notation>().unwrap_err();
        let error = error.to_string();
        assert!(error.contains("at most 10,000 characters"), "{error}");
    }

    #[test]
    fn a_chain_is_exact_as_far_as_it_is_followed_and_says_what_is_beyond() {
        let odds = read("1d6!").odds().unwrap();
        assert_eq!(odds.mean.unwrap().to_string(), "21/5");
        assert_eq!((odds.min, odds.max), (Some(1), None));
        assert_eq!(odds.spread.chance(|total| total == 13).to_string(), "1/216");
        let beyond = &Fraction::ONE - &odds.spread.chance(|_| true);
        assert!(!beyond.is_zero() && beyond.to_f64().value() < 1e-12);
        assert!(beyond.to_string().starts_with("1/"));
        let two = read("10 - 2d10!kh1").odds().unwrap();
        assert_eq!((two.min, two.max, two.mean), (None, Some(9), None));
    }

    #[test]
    fn odds_that_cannot_be_worked_out_in_time_are_refused_at_once() {
        for text in [
            "10000d1000000",
            "10000d6",
            "500d1000kh250",
            "d1000000 * d1000000",
        ] {
            assert_eq!(read(text).odds(), Err(OddsTooLarge), "{text}");
        }
        assert!(read("1d1000000 + 5").odds().is_ok());
        assert!(read("1d1000000!").odds().is_ok());
    }

    /// Every way the dice of an expression can fall, counted by rolling it with each: chains and re-rolls
    /// ask for more dice as they go.
    fn count_every_fall(text: &str) -> BTreeMap<i64, Fraction> {
        struct Counter<'a> {
            script: &'a [u32],
            at: usize,
            asked: Vec<u32>,
        }
        impl Dice for Counter<'_> {
            fn up_to(&mut self, sides: u32) -> u32 {
                let face = self.script.get(self.at).copied().unwrap_or(1);
                self.at += 1;
                self.asked.push(sides);
                face
            }
        }
        let notation = read(text);
        let mut totals: BTreeMap<i64, Fraction> = BTreeMap::new();
        let mut script: Vec<u32> = Vec::new();
        loop {
            let mut counter = Counter {
                script: &script,
                at: 0,
                asked: Vec::new(),
            };
            let total = notation.roll(&mut counter).total;
            let asked = counter.asked;
            script.resize(asked.len(), 1);
            let ways = asked
                .iter()
                .map(|&sides| u128::from(sides))
                .product::<u128>();
            let chance = crate::ratio(&1_u128.into(), &ways.into());
            let sum = totals.entry(total).or_insert(Fraction::ZERO);
            *sum = &*sum + &chance;
            while script
                .last()
                .is_some_and(|face| *face == asked[script.len() - 1])
            {
                script.pop();
            }
            let Some(last) = script.last_mut() else {
                return totals;
            };
            *last += 1;
        }
    }

    #[rstest]
    #[case("3d6kh2")]
    #[case("4d4kl3")]
    #[case("3d4r1kh1")]
    #[case("2d6r>4 - d4")]
    #[case("(d4 + 1) * d6 + 2dF")]
    #[case("3dFkl2")]
    #[case("3d3r<=2dh1 * 2")]
    #[case("d66")]
    #[case("2d66kh1 - d666")]
    #[case("2d66")]
    fn odds_are_what_rolling_every_fall_gives(#[case] text: &str) {
        let odds = read(text).odds().unwrap();
        let counted: Vec<(i64, Fraction)> = count_every_fall(text).into_iter().collect();
        assert_eq!(odds.spread.chances().collect::<Vec<_>>(), counted);
        assert_eq!(odds.spread.chance(|_| true), Fraction::ONE);
        assert_eq!(odds.mean, Some(odds.spread.mean()));
    }

    #[test]
    fn d66_has_36_results_and_d666_216() {
        for (dice, range, count) in [("d66", (11, 66), 36), ("d666", (111, 666), 216)] {
            let notation = read(dice);
            assert_eq!(notation.range(), range);
            assert!(notation.is_quick());
            let odds = notation.odds().unwrap();
            assert_eq!(odds.spread.chances().count(), count);
        }
        assert_eq!(
            read("d66").odds().unwrap().mean.unwrap().to_string(),
            "77/2"
        );
    }

    #[test]
    fn a_d66_that_was_logged_as_one_die_is_read_as_one() {
        let rolled = read("d66 + 1").with_d66_as_one_die().read(&[17]).unwrap();
        assert_eq!(rolled.total, 18);
    }

    #[rstest]
    #[case("7d6/2", true)]
    #[case(" (d20 oops", true)]
    #[case("10d10>=8", true)]
    #[case("−2d8", true)]
    #[case("3d", true)]
    #[case("4dF", true)]
    #[case("d%", true)]
    #[case("２ｄ６", true)]
    #[case("D4rk", true)]
    #[case("dF", false)]
    #[case("Dara", false)]
    #[case("5e", false)]
    #[case("d", false)]
    #[case("12", false)]
    #[case("3dogs", false)]
    #[case("", false)]
    fn text_that_begins_like_dice_is_told_from_names(#[case] text: &str, #[case] expected: bool) {
        assert_eq!(resembles_dice(text), expected);
    }

    #[test]
    fn odds_that_are_told_between_two_keys_are_few() {
        let is_quick = |text: &str| text.parse::<Notation>().unwrap().is_quick();
        for text in
            "d20 2d6+1 4d6kh3 3d6! 10d10kl3 4d6kh3+2d8-1 2d6*3 30d100 d6!+d6!+d6!-1".split(' ')
        {
            assert!(is_quick(text), "{text}");
        }
        for text in "100d100 1d1000000 30d100*30d100 200d20kh100 50d6!kl3 10000d6 d4!*d4!*d4!*d4! 0d6+10d100*9d100*9d100".split(' ') {
            assert!(!is_quick(text), "{text}");
        }
    }
}
