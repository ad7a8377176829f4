//! Implements "Exploding/Imploding Dice" of the HFRPG rules: the result of a rolled pool before its explosions are
//! rolled.
//!
//! 1. A die that shows its maximum explodes, and a die that shows 1 implodes.
//! 2. Each exploding die cancels one imploding die. A cancelled maximum no longer explodes, but it still counts as a die.
//! 3. Each remaining imploding die removes the highest die that is left. One die is always left.
//! 4. If dice explode, each adds its maximum and is rolled again. Otherwise the highest remaining die counts.
//!
//! A house rule ([`ExplosionRule`]) decides whether another die counts together with exploding dice.

use crate::HouseRules;
use tableside_dice::Face;

/// The die that counts together with exploding dice (a house rule).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ExplosionRule {
    /// No other die, except for a cancelled maximum.
    Once,
    /// The best other die.
    Apart,
    /// The highest die, which is an exploding die itself.
    Twice,
}

/// The result of a pool before its explosions are rolled.
///
/// Results are ordered by the number of exploding dice first: an exploding die adds its maximum and a further roll, which
/// is more than any single face. The greater of two results is at least as likely to reach any total, and has the higher
/// expected total.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct PoolResult {
    /// The number of exploding dice. Each adds its maximum and is rolled again.
    pub(super) exploding: u8,
    /// The face of the die that counts in addition, 0 if there is no such die.
    pub(super) counted_face: Face,
}

/// The numbers of dice that explosions depend on.
#[derive(Clone, Copy, Debug)]
pub(super) struct PoolCounts {
    /// The number of all dice in the pool.
    pub(super) dice: usize,
    /// The number of dice that show their maximum.
    pub(super) maximums: usize,
    /// The number of dice that show 1.
    pub(super) ones: usize,
}

/// A pool after cancelling and imploding.
#[derive(Clone, Copy, Debug)]
pub(super) struct ResolvedPool {
    pub(super) exploding: usize,
    /// The die that counts in addition to the exploding dice.
    pub(super) counted: CountedDie,
}

/// Identifies the die that counts in addition to the exploding dice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CountedDie {
    /// No die.
    None,
    /// A die that shows its maximum: a cancelled die, or an exploding die that counts twice.
    Maximum,
    /// The die with this index when the faces are sorted in descending order.
    Ranked(usize),
}

impl ExplosionRule {
    /// Returns the rule that the table plays by.
    pub(super) fn new(house: &HouseRules) -> Self {
        if house.is("explosion", "apart") {
            Self::Apart
        } else if house.is("explosion", "twice") {
            Self::Twice
        } else {
            Self::Once
        }
    }

    /// Reads the result of a pool. `faces` are in descending order.
    #[inline]
    pub(super) fn read_pool(self, faces: &[Face], maximum: Face) -> PoolResult {
        let dice = faces.len();
        let first_below_maximum = faces.iter().position(|face| *face != maximum);
        let last_above_one = faces.iter().rposition(|face| *face != 1);

        let pool = self.resolve(PoolCounts {
            dice,
            maximums: first_below_maximum.unwrap_or(dice),
            ones: match last_above_one {
                Some(place) => dice - 1 - place,
                None => dice,
            },
        });
        PoolResult {
            exploding: u8::try_from(pool.exploding).unwrap_or(u8::MAX),
            counted_face: match pool.counted {
                CountedDie::None => 0,
                CountedDie::Maximum => maximum,
                CountedDie::Ranked(place) => faces.get(place).copied().unwrap_or(0),
            },
        }
    }

    /// Cancels exploding dice against imploding dice, and determines which of the remaining dice explode, implode and
    /// count.
    #[inline]
    pub(super) fn resolve(self, counts: PoolCounts) -> ResolvedPool {
        let PoolCounts {
            dice,
            maximums,
            ones,
        } = counts;

        if ones > maximums {
            let removed = (ones - maximums).min(dice.saturating_sub(1));
            return ResolvedPool {
                exploding: 0,
                counted: CountedDie::Ranked(removed),
            };
        }

        let exploding = maximums - ones;
        let has_cancelled_maximum = ones > 0;
        let counted = if exploding == 0 {
            CountedDie::Ranked(0)
        } else if self == Self::Twice || has_cancelled_maximum {
            CountedDie::Maximum
        } else if self == Self::Apart && exploding < dice {
            CountedDie::Ranked(exploding)
        } else {
            CountedDie::None
        };
        ResolvedPool { exploding, counted }
    }
}

impl PoolResult {
    /// Returns the sum of the maximums of exploding dice and the counted die.
    pub(super) fn sum(self, maximum: Face) -> i32 {
        i32::from(self.exploding) * i32::from(maximum) + i32::from(self.counted_face)
    }

    /// Returns the position of this result in the order of results, from 0 for the worst.
    pub(super) fn rank(self, maximum: Face) -> u32 {
        u32::from(self.exploding) * ranks_per_explosion(maximum)
            + u32::from(self.counted_face.unsigned_abs())
    }

    /// Returns the result with this rank.
    pub(super) fn from_rank(rank: u32, maximum: Face) -> Self {
        let exploding = rank / ranks_per_explosion(maximum);
        let counted_face = rank % ranks_per_explosion(maximum);
        Self {
            exploding: u8::try_from(exploding).unwrap_or(u8::MAX),
            counted_face: Face::try_from(counted_face).unwrap_or(Face::MAX),
        }
    }
}

/// The number of results with the same number of exploding dice: their counted face is 0 to `maximum`.
fn ranks_per_explosion(maximum: Face) -> u32 {
    u32::from(maximum.unsigned_abs()) + 1
}

/// Counts the dice that show this face.
pub(super) fn count_face(faces: &[Face], face: Face) -> usize {
    faces.iter().filter(|&&shown| shown == face).count()
}
