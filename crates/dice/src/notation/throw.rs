//! Rolling a parsed expression, with dice that fall or faces that are typed in.

use super::{LONGEST_CHAIN, Notation, Range, Stack, Term};
use crate::{Dice, FaceError, Keep};

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
    /// re-roll and its chain, before the next. A printed 0 is a 10 on a d10 and a 100 on a d100. A d100 may also be two
    /// faces, tens and ones: `7,2` or `70,2` is 72, and `0,0` is 100.
    ///
    /// # Errors
    /// When there are too few or too many, or a die does not have its face.
    pub fn read(&self, faces: &[i32]) -> Result<Rolled, FaceError> {
        let as_given = self.read_faces(faces);
        if as_given.is_ok() {
            return as_given;
        }

        let joined = self.join_hundreds(faces);
        let as_pairs = joined.and_then(|joined| self.read_faces(&joined).ok());
        as_pairs.map_or(as_given, Ok)
    }

    /// The faces with the tens and ones of each d100 as one number. `None` if they are no such pairs, or too few.
    fn join_hundreds(&self, faces: &[i32]) -> Option<Vec<i32>> {
        let mut rest = faces.iter().copied();
        let mut joined = Vec::new();
        let mut is_wrong = false;
        self.resolve(&mut |term| {
            let mut face = rest.next();
            if term.lowest == 1 && term.sides == 100 {
                face = face
                    .zip(rest.next())
                    .and_then(|(tens, ones)| hundred(tens, ones));
            }
            is_wrong |= face.is_none();
            let face = face.unwrap_or(term.lowest);
            joined.push(face);
            term.as_read(face)
        });
        joined.extend(rest);
        (!is_wrong).then_some(joined)
    }

    /// Adds up faces of which each is a die.
    fn read_faces(&self, faces: &[i32]) -> Result<Rolled, FaceError> {
        let (mut used, mut wrong) = (0, None);
        let rolled = self.resolve(&mut |term| {
            let face = faces.get(used).map(|face| term.as_read(*face));
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
            let roll = |term: &Term| {
                let sum = term.roll(face, &mut dice);
                Ok(Range(sum, sum))
            };
            let stepped = values.step(op, roll);
            stepped.expect("the bounds of the total were checked when it was parsed");
        }
        let total = values.pop().0;
        Rolled { total, dice }
    }
}

impl Term {
    fn roll(&self, face: &mut impl FnMut(&Self) -> i32, dice: &mut Vec<RolledDie>) -> i64 {
        dice.reserve(usize::try_from(self.dice_count()).unwrap_or(0));
        let sign = match self.keep {
            Keep::All if !self.explodes && self.reroll.is_none() && self.digits == 1 => {
                let first = dice.len();
                dice.extend((0..self.count).map(|_| self.die(face(self), false)));
                return dice[first..].iter().map(|die| i64::from(die.face)).sum();
            }
            Keep::All => return (0..self.count).map(|_| self.throw(face, dice)).sum(),
            Keep::Highest(_) => -1,
            Keep::Lowest(_) => 1,
        };
        // What each die comes to with its chain, and where its rolls lie.
        let thrown = (0..self.count).map(|_| {
            let first = dice.len();
            (self.throw(face, dice), first..dice.len())
        });
        let mut thrown: Vec<_> = thrown.collect();
        // Of equals the later one is dropped.
        thrown.sort_by_key(|(sum, _)| sign * sum);
        let dropped = thrown.split_off(usize::try_from(self.kept()).unwrap_or(usize::MAX));
        for die in dropped.into_iter().flat_map(|(_, rolls)| rolls) {
            if dice[die].fate == Fate::Kept {
                dice[die].fate = Fate::Dropped;
            }
        }
        thrown.iter().map(|(sum, _)| sum).sum()
    }

    /// The face that a printed one means: a d10 has a 0 for 10, and a d100 has 00 for 100.
    const fn as_read(&self, printed: i32) -> i32 {
        match (self.lowest, self.sides, printed) {
            (1, 10, 0) => 10,
            (1, 100, 0) => 100,
            _ => printed,
        }
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

    const fn die(&self, face: i32, chain: bool) -> RolledDie {
        RolledDie {
            sides: self.sides,
            face,
            fate: Fate::Kept,
            chain,
        }
    }

    /// Rolls one die with whatever follows from its face, and returns what it comes to.
    fn throw(&self, face: &mut impl FnMut(&Self) -> i32, dice: &mut Vec<RolledDie>) -> i64 {
        if self.digits > 1 {
            return self.throw_digits(face, dice);
        }

        let mut sum = 0;
        for link in 0..LONGEST_CHAIN {
            let mut die = self.die(face(self), link > 0);
            if self.rolls_again(die.face) {
                let fate = Fate::Rerolled;
                dice.push(RolledDie { fate, ..die });
                die.face = face(self);
            }
            dice.push(die);
            sum += i64::from(die.face);
            if !self.explodes || die.face < self.highest() {
                break;
            }
        }
        sum
    }
}

impl Term {
    /// Rolls the dice of one d66 or d666, the highest digit first, and returns the number that they show.
    fn throw_digits(&self, face: &mut impl FnMut(&Self) -> i32, dice: &mut Vec<RolledDie>) -> i64 {
        let mut number = 0;
        for _ in 0..self.digits {
            let digit = self.die(face(self), false);
            dice.push(digit);
            number = number * 10 + i64::from(digit.face);
        }
        number
    }
}

/// The number that two ten-sided dice make as tens and ones; the tens may be printed as 70 or as 7.
fn hundred(tens: i32, ones: i32) -> Option<i32> {
    let tens = match tens {
        0..=9 => tens,
        10..=90 if tens % 10 == 0 => tens / 10,
        _ => return None,
    };
    match (tens, ones) {
        (0, 0) => Some(100),
        (_, 0..=9) => Some(10 * tens + ones),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tableside_testing::assert_mistakes;

    #[test]
    fn faces_that_are_not_the_dice_say_why() {
        assert_mistakes(include_str!("faces.txt"), |text| {
            let (notation, faces) = text.split_once(" as ").unwrap();
            let notation: Notation = notation.parse().unwrap();
            let faces = faces.split(' ').map(|face| face.parse().unwrap());
            let read = notation.read(&faces.collect::<Vec<i32>>());
            read.unwrap_err().to_string()
        });
    }
}
