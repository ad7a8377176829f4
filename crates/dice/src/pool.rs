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
/// The odds of a measure that tells less, such as the sum instead of the kept dice, are computed faster.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Measure {
    /// The faces of the kept dice, and the number of all dice that show at most this face.
    KeptDice(Face),
    /// The sum of the kept dice.
    Sum,
    /// The readings of a query, which ignores [`Pool::keep`].
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
    /// For a query that [is final](PoolQuery::is_final): the result of each reading. Only [`Pool::observations`] returns
    /// this; [`Pool::read`] returns the rolled query.
    Results(Box<[i32]>),
}

/// All dice of a pool that are the same die, whatever their roles.
pub(crate) struct DiceKind {
    pub die: Die,
    pub count: usize,
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
            Self::Highest(count) | Self::Lowest(count) => {
                let count = usize::try_from(count).unwrap_or(total);
                count.min(total)
            }
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
            Self::Kept { dice, .. } => {
                let mut sum = 0;
                for (face, _) in dice {
                    sum += i32::from(*face);
                }
                sum
            }
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
        let dice = vec![EqualDice::new(die, 1, role)];
        Self::all(dice, Measure::Sum)
    }

    /// Creates a pool of the pending dice of a query. `roles` holds the role of each group.
    pub fn from_query(query: PoolQuery, roles: &[DieRole]) -> Self {
        let mut dice = Vec::with_capacity(query.groups.len());
        for (group, role) in query.groups.iter().zip(roles) {
            let faces = group.pending.len() * group.faces_per_die();
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

    /// Returns each die without its role.
    fn dice_in_order(&self) -> impl Iterator<Item = Die> + '_ {
        self.each_die().map(|(die, _)| die)
    }

    /// Returns the number of dice.
    pub fn len(&self) -> usize {
        let mut count = 0;
        for equal in &self.dice {
            count += usize::from(equal.count);
        }
        count
    }

    /// Returns true if the pool has no dice.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the number of dice of each kind, in the order of their first appearance.
    pub(crate) fn kinds(&self) -> Vec<DiceKind> {
        let mut kinds: Vec<DiceKind> = Vec::new();
        for equal in &self.dice {
            if equal.count == 0 {
                continue;
            }
            let count = usize::from(equal.count);
            match kinds.iter_mut().find(|kind| kind.die == equal.die) {
                Some(kind) => kind.count += count,
                None => kinds.push(DiceKind {
                    die: equal.die,
                    count,
                }),
            }
        }
        kinds
    }

    /// Describes the dice: `d8 + 3d6`.
    pub fn describe(&self) -> String {
        let mut terms = Vec::new();
        for DiceKind { die, count } in self.kinds() {
            terms.push(match count {
                1 => die.to_string(),
                _ => format!("{count}{die}"),
            });
        }
        terms.join(" + ")
    }

    /// Returns true if dice that do not count were dropped in favour of kept dice.
    ///
    /// Some queries drop no dice: if a query counts sixes, the other dice do not count, but they are not dropped.
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

        // The dice, to be sorted so that those that are kept come first.
        let mut ranking: Vec<RankedDie> = self
            .dice_in_order()
            .zip(faces)
            .enumerate()
            .map(|(index, (die, face))| RankedDie {
                index,
                face: *face,
                highest: die.highest(),
            })
            .collect();
        // The sort is stable, so the earlier of equal dice stays in front.
        match self.keep {
            Keep::All => {}
            Keep::Highest(_) => {
                ranking.sort_by_key(|die| (Reverse(die.face), Reverse(die.highest)));
            }
            Keep::Lowest(_) => ranking.sort_by_key(|die| (die.face, Reverse(die.highest))),
        }

        let mut is_kept = vec![false; ranking.len()];
        let kept = self.keep.of(ranking.len());
        for die in &ranking[..kept] {
            is_kept[die.index] = true;
        }
        is_kept
    }

    /// Returns the observation of these faces, which are given in rolled order.
    pub fn read(&self, faces: &[Face]) -> Observation {
        match &self.measure {
            Measure::Query(query) => Observation::Query(Box::new(query.read(faces))),
            Measure::Sum => Observation::Sum(self.kept_sum(faces)),
            Measure::KeptDice(low) => self.observe_kept_dice(faces, *low),
        }
    }

    fn observe_kept_dice(&self, faces: &[Face], low: Face) -> Observation {
        let mut dice: Vec<(Face, u8)> = Vec::new();
        let faces_of_dice = self.dice_in_order().zip(faces);
        for ((die, face), is_kept) in faces_of_dice.zip(self.kept(faces)) {
            if is_kept {
                dice.push((*face, die.sides()));
            }
        }
        dice.sort_unstable_by(|a, b| b.cmp(a));

        let low_dice = faces.iter().filter(|face| **face <= low).count();
        Observation::Kept {
            dice,
            low: u8::try_from(low_dice).unwrap_or(u8::MAX),
        }
    }

    /// Returns the sum of the kept faces. It does not matter which of equal faces are kept.
    ///
    /// Up to [`MOST_ON_STACK`] dice are sorted without an allocation.
    fn kept_sum(&self, faces: &[Face]) -> i32 {
        let dice = self.len().min(faces.len());
        let faces = &faces[..dice];
        let kept = self.keep.of(dice);
        if kept == dice {
            return sum_of(faces);
        }

        let mut on_stack = [0; MOST_ON_STACK];
        let mut on_heap;
        let sorted = if let Some(part) = on_stack.get_mut(..dice) {
            part.copy_from_slice(faces);
            part
        } else {
            on_heap = faces.to_vec();
            &mut on_heap[..]
        };
        sorted.sort_unstable();

        match self.keep {
            Keep::Lowest(_) => sum_of(&sorted[..kept]),
            Keep::All | Keep::Highest(_) => sum_of(&sorted[dice - kept..]),
        }
    }

    /// Translates faces printed on real dice, given in rolled order: the 0 of a ten-sided die is a 10.
    pub fn faces_from_printed(&self, printed: &[Face]) -> Vec<Face> {
        let mut faces = printed.to_vec();
        for (face, die) in faces.iter_mut().zip(self.dice_in_order()) {
            *face = die.face_from_printed(*face);
        }
        faces
    }

    /// Checks faces that were entered by hand. `given_before` faces of earlier rolls were entered before them; error
    /// messages count all of them.
    ///
    /// # Errors
    /// If there are too few or too many faces, or if a die does not have its face.
    pub fn check(&self, faces: &[Face], given_before: usize) -> Result<(), FaceError> {
        let needed = self.len();
        let all_needed = given_before + needed;
        let all_given = given_before + faces.len();

        if faces.len() < needed {
            let dice = self.describe();
            return Err(FaceError::too_few(all_needed, all_given, &dice));
        }
        if faces.len() > needed {
            return Err(FaceError::too_many(all_needed, all_given));
        }

        let mut position = given_before;
        for (die, face) in self.dice_in_order().zip(faces) {
            position += 1;
            die.check(*face, position)?;
        }
        Ok(())
    }
}

/// The largest number of dice that are sorted on the stack.
const MOST_ON_STACK: usize = 32;

/// A rolled die, to be ranked among others.
struct RankedDie {
    /// Its position in rolled order.
    index: usize,
    face: Face,
    /// The highest face that the die can show.
    highest: Face,
}

fn sum_of(faces: &[Face]) -> i32 {
    let mut sum = 0;
    for face in faces {
        sum += i32::from(*face);
    }
    sum
}
