//! Rolling a parsed expression, with dice that fall or faces that are typed in.

use std::convert::Infallible;
use std::ops::Range;

use super::{KeepDice, LONGEST_CHAIN, Notation, Stack, Term, Value};
use crate::dice::{Dice, FaceError};

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
        self.resolve(&mut |term| term.lowest + luck.up_to(term.sides).cast_signed() - 1)
    }

    /// Adds up faces that were rolled by hand, in rolled order: each die with what follows from it, its
    /// re-roll and its chain, before the next.
    ///
    /// # Errors
    /// When there are too few or too many, or a die does not have its face.
    pub fn read(&self, faces: &[i32]) -> Result<Rolled, FaceError> {
        let (mut used, mut wrong) = (0, None);
        let rolled = self.resolve(&mut |term| {
            let face = faces.get(used).copied();
            used += 1;
            term.check(face, used, faces.len()).unwrap_or_else(|error| {
                wrong.get_or_insert(error);
                term.lowest
            })
        });
        match wrong {
            Some(wrong) => Err(wrong),
            None if used < faces.len() => Err(FaceError::too_many(used, faces.len())),
            None => Ok(rolled),
        }
    }

    /// Adds up what its dice show, wherever the faces come from.
    fn resolve(&self, face: &mut impl FnMut(&Term) -> i32) -> Rolled {
        let mut dice = Vec::with_capacity(8);
        let mut values = Stack(Vec::new());
        for op in &self.program {
            let Ok(()) = values.step(op, |term| Ok(term.roll(face, &mut dice)));
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
    fn roll(&self, face: &mut impl FnMut(&Self) -> i32, dice: &mut Vec<RolledDie>) -> i64 {
        let first = dice.len();
        dice.reserve(usize::try_from(self.count).unwrap_or(0));
        if self.explodes || self.reroll.is_some() {
            (0..self.count).for_each(|_| self.throw(face, dice));
        } else {
            dice.extend((0..self.count).map(|_| self.one(face)));
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

    /// A face that was typed in that place, of so many, if the die has it.
    fn check(&self, face: Option<i32>, place: usize, given: usize) -> Result<i32, FaceError> {
        let die = match self.lowest {
            1 => format!("d{}", self.sides),
            _ => "Fate die".to_owned(),
        };
        let faces = (self.lowest, self.highest());
        let face = face.ok_or_else(|| FaceError::too_few(place, given, &die))?;
        if (faces.0..=faces.1).contains(&face) {
            Ok(face)
        } else {
            Err(FaceError::no_such_face(place, face, &die, faces))
        }
    }

    fn one(&self, face: &mut impl FnMut(&Self) -> i32) -> RolledDie {
        RolledDie {
            sides: self.sides,
            face: face(self),
            fate: Fate::Kept,
            chain: false,
        }
    }

    /// Rolls one die with whatever follows from its face.
    fn throw(&self, face: &mut impl FnMut(&Self) -> i32, dice: &mut Vec<RolledDie>) {
        for link in 0..LONGEST_CHAIN {
            let chain = link > 0;
            let mut rolled = self.one(face);
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
                rolled = self.one(face);
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

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    fn read(text: &str, faces: &[i32]) -> Result<i64, String> {
        let notation: Notation = text.parse().unwrap();
        let rolled = notation.read(faces).map_err(|error| error.to_string())?;
        Ok(rolled.total)
    }

    #[rstest]
    #[case("2d6", &[3], "too few faces: 2 needed so far (d6), 1 given")]
    #[case("d6!", &[6], "too few faces: 2 needed so far (d6), 1 given")]
    #[case("2d6", &[3, 4, 5], "too many faces: 2 needed, 3 given")]
    #[case("2d6", &[3, 7], "face 2 is 7, and a d6 has the faces 1–6")]
    #[case("2d6", &[0, 9], "face 1 is 0, and a d6 has the faces 1–6")]
    #[case("dF", &[2], "face 1 is 2, and a Fate die has the faces -1 to 1")]
    fn faces_that_are_not_the_dice_say_why(
        #[case] text: &str,
        #[case] faces: &[i32],
        #[case] message: &str,
    ) {
        assert_eq!(read(text, faces), Err(message.to_owned()));
    }
}
