//! Dice that are rolled together.

use std::cmp::Reverse;
use std::sync::Arc;

use super::query::{PoolQuery, RolledQuery};
use super::{Die, DieRole, Face, FaceError};

/// Dice rolled together, with the rules for keeping and measuring them.
///
/// Faces of a pool are given in the order of [`Pool::dice`], group by group.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Pool {
    /// The dice, in the order in which faces are given.
    pub dice: Vec<EqualDice>,
    /// Which of the dice count.
    pub keep: Keep,
    /// The observation that a rolled pool gives.
    pub measure: Measure,
}

/// A number of equal dice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EqualDice {
    /// The die.
    pub die: Die,
    /// The number of dice.
    pub count: u8,
    /// The meaning of the dice in the roll.
    pub role: DieRole,
}

/// Which of the rolled dice count.
///
/// Of equal faces, the smaller die is dropped first, then the later one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Keep {
    /// All dice.
    All,
    /// That number of dice with the highest faces.
    Highest(u32),
    /// That number of dice with the lowest faces.
    Lowest(u32),
}

/// The kind of observation that a rolled pool gives.
///
/// The less is observed, the fewer observations differ and the faster odds are computed.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Measure {
    /// The faces of the kept dice, and the number of all dice that show at most this face.
    KeptDice(Face),
    /// The sum of the kept dice.
    Sum,
    /// The readings of a query. [`Pool::keep`] does not matter.
    Query(Arc<PoolQuery>),
}

/// An observation of a rolled pool, by its [`Measure`].
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Observation {
    /// For [`Measure::KeptDice`].
    Kept {
        /// The face and the number of sides of each kept die: highest face first, then largest die.
        dice: Vec<(Face, u8)>,
        /// The number of all dice that show at most the face of the measure.
        low: u8,
    },
    /// For [`Measure::Sum`].
    Sum(i32),
    /// For [`Measure::Query`]: the dice on the table and those that exploded.
    Query(Box<RolledQuery>),
    /// For a query that [is final](PoolQuery::is_final): the result of each reading. Only [`Pool::observations`] returns it.
    Results(Box<[i32]>),
}

impl EqualDice {
    /// Creates a number of equal dice.
    pub const fn new(die: Die, count: u8, role: DieRole) -> Self {
        Self { die, count, role }
    }
}

impl Keep {
    /// Returns the number of dice that count out of `total` dice.
    pub fn of(self, total: usize) -> usize {
        match self {
            Self::All => total,
            Self::Highest(count) | Self::Lowest(count) => match usize::try_from(count) {
                Ok(count) => count.min(total),
                Err(_) => total,
            },
        }
    }
}

impl Observation {
    /// Returns the rolled query, if the measure is a query.
    pub const fn query(&self) -> Option<&RolledQuery> {
        match self {
            Self::Query(rolled) => Some(rolled),
            Self::Kept { .. } | Self::Sum(_) | Self::Results(_) => None,
        }
    }

    /// Returns the results of the readings, if this is [`Observation::Results`].
    pub fn results(&self) -> Option<&[i32]> {
        match self {
            Self::Results(results) => Some(results),
            Self::Kept { .. } | Self::Sum(_) | Self::Query(_) => None,
        }
    }

    /// Returns the sum of the kept dice. It is 0 for a query.
    #[inline]
    pub fn sum(&self) -> i32 {
        match self {
            Self::Sum(sum) => *sum,
            Self::Kept { dice, .. } => dice.iter().map(|(face, _)| i32::from(*face)).sum(),
            Self::Query(_) | Self::Results(_) => 0,
        }
    }

    /// Returns the kept dice and the number of low dice. Both are empty unless the measure is [`Measure::KeptDice`].
    #[inline]
    pub fn kept(&self) -> (&[(Face, u8)], u8) {
        match self {
            Self::Kept { dice, low } => (dice, *low),
            Self::Sum(_) | Self::Query(_) | Self::Results(_) => (&[], 0),
        }
    }
}

impl Pool {
    /// Creates a pool.
    pub const fn new(dice: Vec<EqualDice>, keep: Keep, measure: Measure) -> Self {
        Self {
            dice,
            keep,
            measure,
        }
    }

    /// Creates a pool in which every die counts.
    pub fn all(dice: Vec<EqualDice>, measure: Measure) -> Self {
        Self::new(dice, Keep::All, measure)
    }

    /// Creates a pool of one die, of which the face is observed.
    pub fn single(die: Die, role: DieRole) -> Self {
        Self::all(vec![EqualDice::new(die, 1, role)], Measure::Sum)
    }

    /// Creates a pool of the pending dice of a query. `roles` holds the role of each group.
    pub fn from_query(query: PoolQuery, roles: &[DieRole]) -> Self {
        let mut dice = Vec::with_capacity(query.groups.len());
        for (group, role) in query.groups.iter().zip(roles) {
            let faces_per_die = if group.is_percentile { 2 } else { 1 };
            let faces = group.pending.len() * faces_per_die;
            let count = u8::try_from(faces).unwrap_or(u8::MAX);
            dice.push(EqualDice::new(group.die, count, *role));
        }
        Self::all(dice, Measure::Query(Arc::new(query)))
    }

    /// Returns each die with its role, in the order in which faces are given.
    pub fn each_die(&self) -> impl Iterator<Item = (Die, DieRole)> + '_ {
        self.dice
            .iter()
            .flat_map(|equal| (0..equal.count).map(|_| (equal.die, equal.role)))
    }

    /// Returns the number of dice.
    pub fn len(&self) -> usize {
        self.dice.iter().map(|equal| usize::from(equal.count)).sum()
    }

    /// Returns true if the pool has no dice.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the number of dice of each kind, in the order of their first appearance.
    pub(super) fn kinds(&self) -> Vec<(Die, usize)> {
        let mut kinds: Vec<(Die, usize)> = Vec::new();
        for equal in self.dice.iter().filter(|equal| equal.count > 0) {
            match kinds.iter_mut().find(|(die, _)| *die == equal.die) {
                Some((_, count)) => *count += usize::from(equal.count),
                None => kinds.push((equal.die, equal.count.into())),
            }
        }
        kinds
    }

    /// Describes the dice: `d8 + 3d6`.
    pub fn describe(&self) -> String {
        let mut terms = Vec::new();
        for (die, count) in self.kinds() {
            terms.push(match count {
                1 => die.to_string(),
                _ => format!("{count}{die}"),
            });
        }
        terms.join(" + ")
    }

    /// Returns true if dice that do not count are dropped dice.
    ///
    /// A query may also leave dice uncounted without dropping them, such as those that show no 6.
    pub fn drops(&self) -> bool {
        match &self.measure {
            Measure::Query(query) => query.drops_dice(),
            Measure::KeptDice(_) | Measure::Sum => true,
        }
    }

    /// Returns for each of these faces, in rolled order, whether its die is kept.
    pub fn kept(&self, faces: &[Face]) -> Vec<bool> {
        if let Measure::Query(query) = &self.measure {
            return query.kept(faces);
        }

        let dice: Vec<Die> = self.each_die().map(|(die, _)| die).collect();
        let mut ranking: Vec<usize> = (0..dice.len()).collect();

        // The dice that are dropped last come first. The sort is stable, so the earlier of equal dice stays in front.
        let larger_first = |index: &usize| Reverse(dice[*index].highest());
        match self.keep {
            Keep::All => {}
            Keep::Highest(_) => {
                ranking.sort_by_key(|index| (Reverse(faces[*index]), larger_first(index)));
            }
            Keep::Lowest(_) => ranking.sort_by_key(|index| (faces[*index], larger_first(index))),
        }

        let mut is_kept = vec![false; dice.len()];
        for &index in &ranking[..self.keep.of(dice.len())] {
            is_kept[index] = true;
        }
        is_kept
    }

    /// Returns the observation of these faces, which are given in rolled order.
    pub fn read(&self, faces: &[Face]) -> Observation {
        match &self.measure {
            Measure::Query(query) => Observation::Query(Box::new(query.read(faces))),
            Measure::Sum => Observation::Sum(self.kept_sum(faces)),
            Measure::KeptDice(low) => {
                let mut dice: Vec<(Face, u8)> = self
                    .each_die()
                    .zip(faces)
                    .zip(self.kept(faces))
                    .filter(|(_, is_kept)| *is_kept)
                    .map(|(((die, _), face), _)| (*face, die.sides()))
                    .collect();
                dice.sort_unstable_by(|a, b| b.cmp(a));

                let low_dice = faces.iter().filter(|face| *face <= low).count();
                Observation::Kept {
                    dice,
                    low: u8::try_from(low_dice).unwrap_or(u8::MAX),
                }
            }
        }
    }

    /// Returns the sum of the kept faces. It does not matter which of equal faces are kept.
    ///
    /// Up to [`MOST_ON_STACK`] dice are sorted without an allocation.
    fn kept_sum(&self, faces: &[Face]) -> i32 {
        let faces = &faces[..faces.len().min(self.len())];
        let kept = self.keep.of(faces.len());
        if kept == faces.len() {
            return sum_of(faces);
        }

        let mut on_stack = [0; MOST_ON_STACK];
        let mut on_heap;
        let sorted = if let Some(part) = on_stack.get_mut(..faces.len()) {
            part.copy_from_slice(faces);
            part
        } else {
            on_heap = faces.to_vec();
            &mut on_heap[..]
        };
        sorted.sort_unstable();

        match self.keep {
            Keep::Lowest(_) => sum_of(&sorted[..kept]),
            Keep::All | Keep::Highest(_) => sum_of(&sorted[sorted.len() - kept..]),
        }
    }

    /// Translates faces printed on real dice, given in rolled order: the 0 of a ten-sided die is a 10.
    pub fn faces_from_printed(&self, printed: &[Face]) -> Vec<Face> {
        let mut faces = printed.to_vec();
        for (face, (die, _)) in faces.iter_mut().zip(self.each_die()) {
            *face = die.face_from_printed(*face);
        }
        faces
    }

    /// Checks faces that were entered by hand. Error messages count positions after the `given_before` faces of earlier rolls.
    ///
    /// # Errors
    /// If there are too few or too many faces, or if a die does not have its face.
    pub fn check(&self, faces: &[Face], given_before: usize) -> Result<(), FaceError> {
        let needed = self.len();
        let all_needed = given_before + needed;
        let all_given = given_before + faces.len();

        if faces.len() < needed {
            return Err(FaceError::too_few(all_needed, all_given, &self.describe()));
        }
        if faces.len() > needed {
            return Err(FaceError::too_many(all_needed, all_given));
        }

        for (index, ((die, _), face)) in self.each_die().zip(faces).enumerate() {
            die.check(*face, given_before + 1 + index)?;
        }
        Ok(())
    }
}

/// The largest number of dice that are sorted on the stack.
const MOST_ON_STACK: usize = 32;

fn sum_of(faces: &[Face]) -> i32 {
    faces.iter().map(|face| i32::from(*face)).sum()
}
