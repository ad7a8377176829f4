//! A pool: which dice are rolled together, which are kept, and what the rule looks at.

use thiserror::Error;

use super::{Die, Face, Role};

/// Some equal dice of a pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Group {
    /// The die.
    pub die: Die,
    /// How many of it.
    pub count: u8,
    /// What they are in the check.
    pub role: Role,
}

/// Which of the rolled dice count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Keep {
    /// All of them.
    All,
    /// The highest so many. Of equal faces the smaller die is dropped first, then the later one.
    Highest(u8),
    /// The lowest so many. Of equal faces the smaller die is dropped first, then the later one.
    Lowest(u8),
    /// The highest so many. Of equal faces the larger die is dropped first, then the later one.
    HighestOfSmaller(u8),
    /// The lowest so many. Of equal faces the larger die is dropped first, then the later one.
    LowestOfSmaller(u8),
}

impl Keep {
    /// Whether of equal faces the larger die is dropped first.
    pub(super) const fn prefers_smaller(self) -> bool {
        matches!(self, Self::HighestOfSmaller(_) | Self::LowestOfSmaller(_))
    }
}

/// What the rule looks at: the less, the more ways to fall are one and the same to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum See {
    /// Every face, in rolled order.
    Faces,
    /// The kept dice with their faces, in no order.
    Kept,
    /// The kept dice with their faces, and how many of all dice show at most this face.
    KeptAndLow(Face),
    /// The same, and the face of the best dropped die.
    KeptLowAndNext(Face),
    /// The sum of the kept dice.
    Sum,
    /// The sum of the kept dice and the highest of them.
    SumAndMax,
    /// All faces, in no order: how often each fell.
    Counts,
}

/// Dice rolled together.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Pool {
    /// The dice, in the order in which faces are given.
    pub dice: Vec<Group>,
    /// Which count.
    pub keep: Keep,
    /// What the rule looks at.
    pub see: See,
}

/// A rolled pool, as far as the rule looks at it.
#[derive(Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Reading {
    /// Every face, in rolled order.
    Faces(Vec<Face>),
    /// The kept dice, by face and die from the highest down, how many of all dice are low, and which face
    /// comes next (0 unless the pool asks for them).
    Kept {
        /// The kept dice, highest face first, then largest die.
        dice: Vec<(Face, Die)>,
        /// How many of all dice show at most the face asked for.
        low: u8,
        /// The face of the die that would be kept next.
        next: Face,
    },
    /// The sum of the kept dice.
    Sum(i32),
    /// The sum of the kept dice and the highest of them.
    SumAndMax {
        /// The sum.
        sum: i32,
        /// The highest kept face, 0 in an empty pool.
        max: Face,
    },
    /// All faces from the highest down.
    Counts(Vec<Face>),
}

impl Clone for Reading {
    fn clone(&self) -> Self {
        match self {
            Self::Faces(faces) => Self::Faces(faces.clone()),
            Self::Kept { dice, low, next } => Self::Kept {
                dice: dice.clone(),
                low: *low,
                next: *next,
            },
            Self::Sum(sum) => Self::Sum(*sum),
            Self::SumAndMax { sum, max } => Self::SumAndMax {
                sum: *sum,
                max: *max,
            },
            Self::Counts(faces) => Self::Counts(faces.clone()),
        }
    }

    /// Odds go through readings by the ten thousand, one after the other in the same place.
    fn clone_from(&mut self, source: &Self) {
        match (self, source) {
            (Self::Faces(mine), Self::Faces(faces)) | (Self::Counts(mine), Self::Counts(faces)) => {
                mine.clone_from(faces);
            }
            (mine, source) => *mine = source.clone(),
        }
    }
}

/// From one face to another, in words.
fn span(lowest: i32, highest: i32) -> String {
    if lowest < 0 {
        format!("{lowest} to {highest}")
    } else {
        format!("{lowest}–{highest}")
    }
}

/// Faces that do not belong to the dice asked for.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FaceError {
    /// Fewer faces than dice.
    #[error("too few faces: {needed} needed so far ({asked}), {given} given")]
    TooFew {
        /// The number needed up to and with the dice asked for.
        needed: usize,
        /// The number given.
        given: usize,
        /// The dice asked for when the faces ran out, in words.
        asked: String,
    },
    /// More faces than dice.
    #[error("too many faces: {needed} needed, {given} given")]
    TooMany {
        /// The number needed.
        needed: usize,
        /// The number given.
        given: usize,
    },
    /// A face that the die does not have.
    #[error("face {position} is {face}, and a {die} has the faces {}", span(*lowest, *highest))]
    NoSuchFace {
        /// Which of the faces given, counted from 1.
        position: usize,
        /// The face.
        face: i32,
        /// The die.
        die: String,
        /// Its lowest face.
        lowest: i32,
        /// Its highest face.
        highest: i32,
    },
}

impl FaceError {
    /// That die does not have the face that was given in that place, counted from 1.
    pub fn no_such_face(position: usize, face: Face, die: Die) -> Self {
        Self::NoSuchFace {
            position,
            face: i32::from(face),
            die: die.name().to_owned(),
            lowest: i32::from(die.lowest()),
            highest: i32::from(die.highest()),
        }
    }
}

impl Pool {
    /// A pool in which every die counts.
    pub fn all(dice: Vec<Group>, see: See) -> Self {
        Self {
            dice,
            keep: Keep::All,
            see,
        }
    }

    /// A single die, of which the rule sees the face.
    pub fn one(die: Die, role: Role) -> Self {
        let group = Group {
            die,
            count: 1,
            role,
        };
        Self::all(vec![group], See::Sum)
    }

    /// Each die in the order in which faces are given, with its role.
    pub fn order(&self) -> impl Iterator<Item = (Die, Role)> + '_ {
        self.dice
            .iter()
            .flat_map(|group| (0..group.count).map(|_| (group.die, group.role)))
    }

    /// The number of dice.
    pub fn len(&self) -> usize {
        self.dice.iter().map(|group| usize::from(group.count)).sum()
    }

    /// Whether there is no die in it.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The dice in words: `d8 + 3d6`.
    pub fn describe(&self) -> String {
        let mut counts: Vec<(Die, u32)> = Vec::new();
        for group in self.dice.iter().filter(|group| group.count > 0) {
            match counts.iter_mut().find(|(die, _)| *die == group.die) {
                Some((_, count)) => *count += u32::from(group.count),
                None => counts.push((group.die, u32::from(group.count))),
            }
        }
        let words: Vec<String> = counts
            .into_iter()
            .map(|(die, count)| match count {
                1 => die.to_string(),
                _ => format!("{count}{die}"),
            })
            .collect();
        words.join(" + ")
    }

    /// Which of these faces, given in rolled order, are kept.
    pub fn kept(&self, faces: &[Face]) -> Vec<bool> {
        let dice: Vec<(Die, Face)> = self
            .order()
            .map(|(die, _)| die)
            .zip(faces.iter().copied())
            .collect();
        let mut ranked: Vec<usize> = (0..dice.len()).collect();
        // First what is dropped last: the larger die (or the smaller), then the earlier one, of equal
        // faces.
        let prefers_smaller = self.keep.prefers_smaller();
        let larger_first = |&a: &usize, &b: &usize| {
            let ((die_a, _), (die_b, _)) = (dice[a], dice[b]);
            let larger = die_b.highest().cmp(&die_a.highest());
            let by_size = if prefers_smaller {
                larger.reverse()
            } else {
                larger
            };
            by_size.then(a.cmp(&b))
        };
        let count = match self.keep {
            Keep::All => dice.len(),
            Keep::Highest(count) | Keep::HighestOfSmaller(count) => {
                ranked.sort_by(|a, b| {
                    let by_face = dice[*b].1.cmp(&dice[*a].1);
                    by_face.then(larger_first(a, b))
                });
                usize::from(count)
            }
            Keep::Lowest(count) | Keep::LowestOfSmaller(count) => {
                ranked.sort_by(|a, b| {
                    let by_face = dice[*a].1.cmp(&dice[*b].1);
                    by_face.then(larger_first(a, b))
                });
                usize::from(count)
            }
        };
        let mut kept = vec![false; dice.len()];
        for &index in ranked.iter().take(count) {
            kept[index] = true;
        }
        kept
    }

    /// What the rule sees of these faces, given in rolled order.
    pub fn read(&self, faces: &[Face]) -> Reading {
        let kept = self.kept(faces);
        let kept_faces = || {
            faces
                .iter()
                .zip(&kept)
                .filter(|&(_, &kept)| kept)
                .map(|(&face, _)| face)
        };
        let sum = || kept_faces().map(i32::from).sum();
        match self.see {
            See::Faces => Reading::Faces(faces.to_vec()),
            See::Kept => self.read_kept(faces, &kept, 0, 0),
            See::KeptAndLow(bound) => self.read_kept(faces, &kept, how_many_low(faces, bound), 0),
            See::KeptLowAndNext(bound) => {
                let next = self.next(faces, &kept);
                self.read_kept(faces, &kept, how_many_low(faces, bound), next)
            }
            See::Sum => Reading::Sum(sum()),
            See::SumAndMax => Reading::SumAndMax {
                sum: sum(),
                max: kept_faces().max().unwrap_or(0),
            },
            See::Counts => {
                let mut faces = faces.to_vec();
                faces.sort_unstable_by(|a, b| b.cmp(a));
                Reading::Counts(faces)
            }
        }
    }

    /// The face of the dropped die that would be kept next, 0 where none is dropped.
    fn next(&self, faces: &[Face], kept: &[bool]) -> Face {
        let both = faces.iter().copied().zip(kept);
        let dropped = both.filter(|&(_, &kept)| !kept).map(|(face, _)| face);
        let next = match self.keep {
            Keep::Lowest(_) | Keep::LowestOfSmaller(_) => dropped.min(),
            Keep::All | Keep::Highest(_) | Keep::HighestOfSmaller(_) => dropped.max(),
        };
        next.unwrap_or(0)
    }

    fn read_kept(&self, faces: &[Face], kept: &[bool], low: u8, next: Face) -> Reading {
        let mut dice: Vec<(Face, Die)> = self
            .order()
            .zip(faces)
            .zip(kept)
            .filter(|&(_, &kept)| kept)
            .map(|(((die, _), &face), _)| (face, die))
            .collect();
        dice.sort_unstable_by(|a, b| b.cmp(a));
        Reading::Kept { dice, low, next }
    }

    /// The faces meant by those read off real dice, in rolled order.
    pub fn as_read(&self, printed: &[Face]) -> Vec<Face> {
        let mut dice = self.order().map(|(die, _)| die);
        let mean = |&face| dice.next().map_or(face, |die| die.as_read(face));
        printed.iter().map(mean).collect()
    }

    /// Checks the faces against the dice; `given_before` faces were used by earlier rolls.
    pub fn check(&self, faces: &[Face], given_before: usize) -> Result<(), FaceError> {
        let needed = self.len();
        if faces.len() < needed {
            return Err(FaceError::TooFew {
                needed: given_before + needed,
                given: given_before + faces.len(),
                asked: self.describe(),
            });
        }
        if faces.len() > needed {
            return Err(FaceError::TooMany {
                needed: given_before + needed,
                given: given_before + faces.len(),
            });
        }
        let stranger = self
            .order()
            .zip(faces)
            .enumerate()
            .find(|(_, ((die, _), face))| !die.has(**face));
        match stranger {
            Some((index, ((die, _), &face))) => {
                Err(FaceError::no_such_face(given_before + index + 1, face, die))
            }
            None => Ok(()),
        }
    }
}

fn how_many_low(faces: &[Face], bound: Face) -> u8 {
    let low = faces.iter().filter(|&&face| face <= bound).count();
    u8::try_from(low).unwrap_or(u8::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pool(dice: &[(Die, u8)], keep: Keep, see: See) -> Pool {
        let dice = dice
            .iter()
            .map(|&(die, count)| Group {
                die,
                count,
                role: Role::Pool,
            })
            .collect();
        Pool { dice, keep, see }
    }

    #[test]
    fn the_portcullis_keeps_eight_and_six() {
        let pool = pool(&[(Die::D8, 1), (Die::D6, 3)], Keep::Highest(2), See::Sum);
        assert_eq!(pool.read(&[8, 6, 5, 1]), Reading::Sum(14));
        assert_eq!(pool.kept(&[8, 6, 5, 1]), [true, true, false, false]);
    }

    #[test]
    fn the_heart_die_can_be_the_one_that_is_dropped() {
        let pool = pool(&[(Die::D8, 1), (Die::D6, 3)], Keep::Highest(2), See::Sum);
        assert_eq!(pool.kept(&[3, 6, 5, 1]), [false, true, true, false]);
    }

    #[test]
    fn of_equal_lowest_faces_the_smaller_die_is_dropped_first() {
        let pool = pool(&[(Die::D6, 2), (Die::D8, 1)], Keep::Highest(2), See::Kept);
        assert_eq!(pool.kept(&[5, 1, 1]), [true, false, true]);
        assert_eq!(
            pool.read(&[5, 1, 1]),
            Reading::Kept {
                dice: vec![(5, Die::D6), (1, Die::D8)],
                low: 0,
                next: 0
            }
        );
    }

    #[test]
    fn the_next_die_is_the_best_of_those_dropped() {
        let see = See::KeptLowAndNext(1);
        let dice = [(Die::D6, 2), (Die::D8, 2)];
        let next = |keep, faces: &[Face]| match pool(&dice, keep, see).read(faces) {
            Reading::Kept { low, next, .. } => (low, next),
            other => panic!("{other:?}"),
        };
        assert_eq!(next(Keep::Highest(2), &[5, 1, 7, 3]), (1, 3));
        assert_eq!(next(Keep::Lowest(2), &[5, 1, 7, 1]), (2, 5));
        assert_eq!(next(Keep::All, &[5, 1, 7, 1]), (2, 0));
    }

    #[test]
    fn a_face_above_its_die_is_named_with_its_place() {
        let pool = pool(&[(Die::D8, 1), (Die::D6, 1)], Keep::All, See::Sum);
        let error = pool.check(&[8, 7], 2).unwrap_err();
        assert_eq!(error.to_string(), "face 4 is 7, and a d6 has the faces 1–6");
    }

    #[test]
    fn a_pool_is_described_by_size_not_by_role() {
        let pool = pool(
            &[(Die::D8, 1), (Die::D6, 1), (Die::D6, 2)],
            Keep::All,
            See::Sum,
        );
        assert_eq!(pool.describe(), "d8 + 3d6");
    }
}
