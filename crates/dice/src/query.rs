//! Queries: several questions about several groups of dice that are rolled together.
//!
//! A [`PoolQuery`] holds groups of dice and the readings that a rule wants, such as "the sum of the two highest red dice" or
//! "the number of dice that show 6". Readings can be computed from parts of the dice: the readings of some dice and the
//! readings of all other dice are enough to compute the readings of all ([`PoolQuery::merge`]). This has three uses:
//!
//! - Dice are added one after the other, and equal readings are merged, so the number of states stays small
//!   ([`evaluation`]).
//! - The further roll of an exploding die is merged into the dice on the table.
//! - Dice that are rolled again are removed from the state, and their new faces are merged into it.

mod counted_dice;
mod evaluation;
mod reading;
mod state;

use std::hash::{Hash, Hasher};

pub(super) use evaluation::QueryWays;
pub use reading::{PoolReading, ReadingKind};
pub use state::PoolState;

use super::{Die, Face};

/// Groups of dice and the readings that are computed from them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PoolQuery {
    /// The dice, at most 32 groups.
    pub groups: Vec<DiceGroup>,
    /// The readings.
    pub readings: Vec<PoolReading>,
    /// True if no die is rolled again and no dice were on the table before. Then only the results of the readings
    /// matter, and [`Pool::observations`](crate::Pool::observations) returns them instead of states.
    pub is_final: bool,
}

/// Dice of one kind that are rolled together.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DiceGroup {
    /// The die.
    pub die: Die,
    /// True if two digits form one number from 1 to 100. Two zeros are 100.
    pub is_percentile: bool,
    /// The dice to roll.
    pub pending: Vec<PendingDie>,
    /// The rule by which the dice explode, if they do.
    pub explodes: Option<Explosion>,
    /// The values that may be rolled again. A state has 2ⁿ parts for n ranges, so there must be few.
    pub rerolls: Vec<RerollRange>,
}

/// A die that is about to be rolled, for the first time or because it exploded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PendingDie {
    /// The sum of its earlier rolls, 0 if each roll counts as a separate die.
    pub total: i32,
    /// The number of further explosions that the die may have.
    pub explosions_left: u8,
}

/// How the dice of a group explode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Explosion {
    /// The lowest face that explodes.
    pub lowest: i32,
    /// True if each further roll is a separate die. Otherwise all rolls of a die add up to one value.
    pub adds_dice: bool,
}

/// Values at which a die may be rolled again, both bounds included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RerollRange {
    /// Identifies the rule that allows the re-roll. [`PoolQuery::merge_groups`] does not merge groups with different tags.
    pub tag: (usize, usize),
    /// The lowest of the values.
    pub lowest: i32,
    /// The highest of the values.
    pub highest: i32,
}

/// A rolled query.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RolledQuery {
    /// The dice on the table.
    pub state: PoolState,
    /// The dice of each group that exploded and must be rolled next.
    pub pending: Vec<Vec<PendingDie>>,
}

/// One die with the face that it shows. The digits of a percentile die are one face.
#[derive(Clone, Copy, Debug)]
struct ThrownDie {
    group: usize,
    earlier: PendingDie,
    face: i32,
}

/// One roll of a die that may explode.
#[derive(Clone, Copy)]
struct OwnedRoll {
    /// The index of the die in the group.
    owner: usize,
    explosions_left: u8,
}

impl ThrownDie {
    /// The sum of the face and of all earlier rolls of the die.
    const fn value(self) -> i32 {
        self.earlier.total + self.face
    }
}

/// Thousands of queries are looked up while odds are computed. Nearly all of them differ in their numbers of dice, and
/// hashing more takes longer than the comparisons that it saves.
impl Hash for PoolQuery {
    fn hash<H: Hasher>(&self, state: &mut H) {
        for group in &self.groups {
            group.pending.len().hash(state);
        }
    }
}

impl PendingDie {
    /// A die that was not rolled yet.
    pub const fn new(explosions_left: u8) -> Self {
        Self {
            total: 0,
            explosions_left,
        }
    }

    /// The same die after it exploded with a value.
    fn after_explosion(self, value: i32, explosion: Explosion) -> Self {
        Self {
            total: if explosion.adds_dice { 0 } else { value },
            explosions_left: self.explosions_left - 1,
        }
    }
}

impl RerollRange {
    fn contains(&self, value: i32) -> bool {
        (self.lowest..=self.highest).contains(&value)
    }
}

impl DiceGroup {
    /// The values of one roll of a die. All are equally likely.
    fn values(&self) -> Vec<i32> {
        if self.is_percentile {
            return (1..=100).collect();
        }
        self.die.faces().into_iter().map(i32::from).collect()
    }

    /// The number of faces of a single die in a list of rolled faces.
    pub(super) fn faces_per_die(&self) -> usize {
        if self.is_percentile { 2 } else { 1 }
    }

    /// Returns the explosion rule if this face makes the die explode.
    fn explosion(&self, face: i32, explosions_left: u8) -> Option<Explosion> {
        let explosion = self.explodes?;
        if explosions_left > 0 && face >= explosion.lowest {
            Some(explosion)
        } else {
            None
        }
    }

    /// True if all rolls of an exploding die add up to one value.
    fn sums_explosions(&self) -> bool {
        self.explodes.is_some_and(|explosion| !explosion.adds_dice)
    }

    /// Returns the die to which each face belongs, by its index in the group.
    ///
    /// `faces` are all faces of the group in rolled order: first one face of each die, then the further faces of the dice
    /// that exploded, and so on. A die explodes at most `most_explosions` times. Empty if the faces fit no number of dice.
    pub fn owners(&self, faces: &[Face], most_explosions: u8) -> Vec<usize> {
        for dice in 0..=faces.len() {
            let owners = self.owners_among(dice, faces, most_explosions);
            if owners.len() == faces.len() {
                return owners;
            }
        }
        Vec::new()
    }

    /// Returns the die to which each face belongs if there are that many dice. The list has another length than `faces`
    /// if the faces do not fit that number of dice.
    fn owners_among(&self, dice: usize, faces: &[Face], most_explosions: u8) -> Vec<usize> {
        let mut rolls = Vec::new();
        for owner in 0..dice {
            rolls.push(OwnedRoll {
                owner,
                explosions_left: most_explosions,
            });
        }

        for (index, face) in faces.iter().enumerate() {
            let Some(roll) = rolls.get(index).copied() else {
                break;
            };
            let explosion = self.explosion((*face).into(), roll.explosions_left);
            if self.sums_explosions() && explosion.is_some() {
                rolls.push(OwnedRoll {
                    owner: roll.owner,
                    explosions_left: roll.explosions_left - 1,
                });
            }
        }
        rolls.iter().map(|roll| roll.owner).collect()
    }

    /// Returns the set of re-roll ranges that contain this value, one bit for each range.
    fn reroll_set(&self, value: i32) -> usize {
        let mut set = 0;
        for (index, range) in self.rerolls.iter().enumerate() {
            if range.contains(value) {
                set |= 1 << index;
            }
        }
        set
    }
}

impl PoolQuery {
    /// Returns the same query for other dice. `pending` holds the dice of each group, in order.
    pub fn with_pending(&self, pending: Vec<Vec<PendingDie>>) -> Self {
        let mut query = self.clone();
        let mut pending = pending.into_iter();

        for group in &mut query.groups {
            group.pending = pending.next().unwrap_or_default();
        }
        query
    }

    /// Moves the dice of indistinguishable groups into the first of them, so that fewer rolls differ.
    ///
    /// Groups are indistinguishable if they have the same die, explosions and re-rolls and if the same readings look at
    /// them. The results stay the same, but faces in rolled order no longer fit the groups.
    pub fn merge_groups(&mut self) {
        for index in 1..self.groups.len() {
            let same_kind = (0..index).find(|earlier| self.is_same_kind(*earlier, index));
            let Some(first) = same_kind else {
                continue;
            };
            let group = &mut self.groups[index];
            group.rerolls.clear();
            let pending = std::mem::take(&mut group.pending);
            self.groups[first].pending.extend(pending);
        }
    }

    fn is_same_kind(&self, first: usize, second: usize) -> bool {
        let first_group = &self.groups[first];
        let second_group = &self.groups[second];
        let is_same_group = first_group.die == second_group.die
            && first_group.is_percentile == second_group.is_percentile
            && first_group.pending.first() == second_group.pending.first()
            && first_group.explodes == second_group.explodes
            && first_group.rerolls == second_group.rerolls;

        let mut readings = self.readings.iter();
        is_same_group
            && readings
                .all(|reading| reading.includes_group(first) == reading.includes_group(second))
    }

    /// Reads faces that were rolled for the pending dice: group by group, two digits for a percentile die.
    pub(super) fn read(&self, faces: &[Face]) -> RolledQuery {
        let mut pending = vec![Vec::new(); self.groups.len()];
        let mut state = self.empty_state();

        for thrown in self.thrown(faces) {
            let group = &self.groups[thrown.group];
            let explosion = group.explosion(thrown.face, thrown.earlier.explosions_left);
            if let Some(explosion) = explosion {
                let again = thrown.earlier.after_explosion(thrown.value(), explosion);
                pending[thrown.group].push(again);
            }

            // A die whose rolls add up is on the table only after its last roll.
            if explosion.is_none_or(|explosion| explosion.adds_dice) {
                let state_of_die = self.state_of_die(thrown.group, thrown.value());
                state = self.merge(&state, &state_of_die);
            }
        }
        RolledQuery { state, pending }
    }

    /// Assigns the faces to the pending dice. Missing faces are 0.
    fn thrown(&self, faces: &[Face]) -> Vec<ThrownDie> {
        let mut faces = faces.iter().copied().map(i32::from);
        let mut thrown = Vec::new();

        for (index, group) in self.groups.iter().enumerate() {
            for earlier in &group.pending {
                let mut face = faces.next().unwrap_or(0);
                if group.is_percentile {
                    let tens = face;
                    let ones = faces.next().unwrap_or(0);
                    face = match (tens, ones) {
                        (0, 0) => 100,
                        _ => tens * 10 + ones,
                    };
                }
                thrown.push(ThrownDie {
                    group: index,
                    earlier: *earlier,
                    face,
                });
            }
        }
        thrown
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DieRole, Pool};

    #[test]
    fn dice_in_range_are_removed_and_the_others_stay() {
        let group = DiceGroup {
            die: Die::D6,
            is_percentile: false,
            pending: vec![PendingDie::new(0); 4],
            explodes: None,
            rerolls: vec![RerollRange {
                tag: (0, 0),
                lowest: 2,
                highest: 5,
            }],
        };
        let count = |value| PoolReading {
            kind: ReadingKind::Count,
            groups: 1,
            lowest: value,
            highest: value,
        };
        let query = PoolQuery {
            groups: vec![group],
            readings: vec![count(1), count(6), count(3)],
            is_final: false,
        };

        let state = query.read(&[1, 3, 6, 3]).state;
        assert_eq!(*query.results(&state), [1, 1, 2]);

        let (removed, rest) = query.remove_in_range(&state, 0, 0);
        assert_eq!((removed, query.results(&rest)), (2, [1, 1, 0].into()));

        let again = query.with_pending(vec![vec![PendingDie::new(0); removed]]);
        let more = again.read(&[6, 4]).state;
        assert_eq!(*query.results(&query.merge(&rest, &more)), [1, 2, 0]);
    }

    #[test]
    fn the_digits_of_a_percentile_die_are_one_number() {
        let group = DiceGroup {
            die: Die::Digit,
            is_percentile: true,
            pending: vec![PendingDie::new(0); 2],
            explodes: None,
            rerolls: Vec::new(),
        };
        let lowest = PoolReading {
            kind: ReadingKind::SumOfKept {
                count: 1,
                highest: false,
            },
            groups: 1,
            lowest: i32::MIN,
            highest: i32::MAX,
        };
        let query = PoolQuery {
            groups: vec![group],
            readings: vec![lowest],
            is_final: false,
        };

        let pool = Pool::from_query(query.clone(), &[DieRole::POOL]);
        assert_eq!(pool.len(), 4);
        assert_eq!(pool.kept(&[0, 0, 4, 2]), [false, false, true, true]);
        assert_eq!(*query.results(&query.read(&[0, 0, 4, 2]).state), [42]);
    }
}
