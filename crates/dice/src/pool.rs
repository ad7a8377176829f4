//! A pool: which dice are rolled together, which are kept, and what the rule looks at.

use std::cmp::Reverse;
use std::sync::Arc;

use super::query::{PoolQuery, RolledQuery};
use super::{Die, DieRole, Face, FaceError};

/// Some equal dice of a pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EqualDice {
    /// The die.
    pub die: Die,
    /// How many of it.
    pub count: u8,
    /// What they are in the check.
    pub role: DieRole,
}

impl EqualDice {
    pub const fn new(die: Die, count: u8, role: DieRole) -> Self {
        Self { die, count, role }
    }
}

/// Which of the rolled dice count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Keep {
    /// All of them.
    All,
    /// The highest so many. Of equal faces the smaller die is dropped first, then the later one.
    Highest(u32),
    /// The lowest so many. Of equal faces the smaller die is dropped first, then the later one.
    Lowest(u32),
}

impl Keep {
    /// How many of so many dice count.
    pub fn of(self, all: usize) -> usize {
        match self {
            Self::All => all,
            Self::Highest(keep) | Self::Lowest(keep) => {
                usize::try_from(keep).map_or(all, |keep| keep.min(all))
            }
        }
    }
}

/// What the rule looks at: the less, the more ways to fall are one and the same to it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Measure {
    /// The kept dice with their faces, in no order, and how many of all dice show at most this face.
    KeptDice(Face),
    /// The sum of the kept dice.
    Sum,
    /// Readings of several groups of dice.
    Query(Arc<PoolQuery>),
}

/// Dice rolled together.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Pool {
    /// The dice, in the order in which faces are given.
    pub dice: Vec<EqualDice>,
    /// Which count.
    pub keep: Keep,
    /// What the rule looks at.
    pub measure: Measure,
}

/// A rolled pool, as far as the rule looks at it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Observation {
    /// The kept dice, and how many of all dice are low.
    Kept {
        /// What each of the kept dice shows, and how many sides it has: highest face first, then largest die.
        dice: Vec<(Face, u8)>,
        /// How many of all dice show at most the face asked for.
        low: u8,
    },
    /// The sum of the kept dice.
    Sum(i32),
    /// Readings of several groups of dice.
    Query(Box<RolledQuery>),
}

impl Observation {
    /// What readings of several groups are put together from, where the rule looks at them.
    pub const fn query(&self) -> Option<&RolledQuery> {
        match self {
            Self::Query(query) => Some(query),
            Self::Kept { .. } | Self::Sum(_) => None,
        }
    }

    /// What the kept dice add up to.
    #[inline]
    pub fn sum(&self) -> i32 {
        match self {
            Self::Sum(sum) => *sum,
            Self::Query(_) => 0,
            Self::Kept { dice, .. } => dice.iter().map(|(face, _)| i32::from(*face)).sum(),
        }
    }

    /// The kept dice and how many of all dice are low, where the rule looks at them.
    #[inline]
    pub fn kept(&self) -> (&[(Face, u8)], u8) {
        match self {
            Self::Sum(_) | Self::Query(_) => (&[], 0),
            Self::Kept { dice, low } => (dice, *low),
        }
    }
}

impl Pool {
    /// Heaps of dice, each with its name, of which the rule reads what the query says.
    pub fn from_query(query: PoolQuery, names: &[DieRole]) -> Self {
        let dice = query.groups.iter().zip(names).map(|(group, name)| {
            let count = group.pending.len() * if group.is_percentile { 2 } else { 1 };
            let count = u8::try_from(count).unwrap_or(u8::MAX);
            EqualDice::new(group.die, count, *name)
        });
        Self::all(dice.collect(), Measure::Query(Arc::new(query)))
    }

    pub const fn new(dice: Vec<EqualDice>, keep: Keep, measure: Measure) -> Self {
        Self {
            dice,
            keep,
            measure,
        }
    }

    /// A pool in which every die counts.
    pub fn all(dice: Vec<EqualDice>, measure: Measure) -> Self {
        Self::new(dice, Keep::All, measure)
    }

    /// A single die, of which the rule sees the face.
    pub fn single(die: Die, role: DieRole) -> Self {
        Self::all(vec![EqualDice::new(die, 1, role)], Measure::Sum)
    }

    /// Each die in the order in which faces are given, with its role.
    pub fn each_die(&self) -> impl Iterator<Item = (Die, DieRole)> + '_ {
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

    /// How many dice there are of each size, in the order in which the sizes come.
    pub(super) fn sizes(&self) -> Vec<(Die, usize)> {
        let mut sizes: Vec<(Die, usize)> = Vec::new();
        for group in self.dice.iter().filter(|group| group.count > 0) {
            match sizes.iter_mut().find(|(die, _)| *die == group.die) {
                Some((_, count)) => *count += usize::from(group.count),
                None => sizes.push((group.die, group.count.into())),
            }
        }
        sizes
    }

    /// The dice in words: `d8 + 3d6`.
    pub fn describe(&self) -> String {
        let words = self.sizes().into_iter().map(|(die, count)| match count {
            1 => die.to_string(),
            _ => format!("{count}{die}"),
        });
        words.collect::<Vec<String>>().join(" + ")
    }

    /// Whether dice that do not count are dropped; else they are only not what is counted.
    pub fn drops(&self) -> bool {
        match &self.measure {
            Measure::Query(query) => query.drops(),
            _ => true,
        }
    }

    /// Which of these faces, given in rolled order, are kept.
    pub fn kept(&self, faces: &[Face]) -> Vec<bool> {
        if let Measure::Query(query) = &self.measure {
            return query.kept(faces);
        }
        let dice: Vec<Die> = self.each_die().map(|(die, _)| die).collect();
        let mut ranked: Vec<usize> = (0..dice.len()).collect();
        // First what is dropped last: of equal faces the larger die, then the earlier one.
        let larger = |at: &usize| Reverse(dice[*at].highest());
        match self.keep {
            Keep::All => {}
            Keep::Highest(_) => ranked.sort_by_key(|at| (Reverse(faces[*at]), larger(at))),
            Keep::Lowest(_) => ranked.sort_by_key(|at| (faces[*at], larger(at))),
        }
        let mut kept = vec![false; dice.len()];
        for &index in &ranked[..self.keep.of(dice.len())] {
            kept[index] = true;
        }
        kept
    }

    /// What the rule sees of these faces, given in rolled order.
    pub fn read(&self, faces: &[Face]) -> Observation {
        let kept = || {
            let kept = self.each_die().zip(faces).zip(self.kept(faces));
            let kept = kept.filter(|(_, kept)| *kept);
            kept.map(|(((die, _), &face), _)| (face, die.sides()))
        };
        match &self.measure {
            Measure::Query(query) => Observation::Query(Box::new(query.read(faces))),
            Measure::KeptDice(bound) => {
                let mut dice: Vec<(Face, u8)> = kept().collect();
                dice.sort_unstable_by(|a, b| b.cmp(a));
                let low = faces.iter().filter(|&face| face <= bound).count();
                let low = u8::try_from(low).unwrap_or(u8::MAX);
                Observation::Kept { dice, low }
            }
            Measure::Sum => Observation::Sum(kept().map(|(face, _)| i32::from(face)).sum()),
        }
    }

    /// The faces meant by those read off real dice, in rolled order.
    pub fn faces_from_printed(&self, printed: &[Face]) -> Vec<Face> {
        let mut dice = self.each_die().map(|(die, _)| die);
        let mean = |&face| dice.next().map_or(face, |die| die.face_from_printed(face));
        printed.iter().map(mean).collect()
    }

    /// Checks the faces against the dice; `given_before` faces were used by earlier rolls.
    pub fn check(&self, faces: &[Face], given_before: usize) -> Result<(), FaceError> {
        let needed = self.len();
        let all = given_before + needed;
        let given = given_before + faces.len();
        if faces.len() < needed {
            return Err(FaceError::too_few(all, given, &self.describe()));
        }
        if faces.len() > needed {
            return Err(FaceError::too_many(all, given));
        }
        let dice = self.each_die().map(|(die, _)| die);
        dice.zip(faces)
            .zip(given_before + 1..)
            .try_for_each(|((die, &face), position)| die.check(face, position))
    }
}
