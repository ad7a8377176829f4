//! How dice fall, face by face from the end that is kept.

use std::cmp::Reverse;
use std::iter::repeat_n;

use super::kept_sum::binomial;
use super::{Die, Face, Keep, Natural, Observation, Pool, Series};

/// Room is made for at most so many observations before they are found.
const MOST_ROOM: usize = 100_000;

/// What the kept dice of a pool show in each way it can fall, and how many of all dice show at most `bound`, with the
/// number of ways; some come more than once. Only for the dice of [`Die`] up to the d20, at most 255 of them.
///
/// It goes through the faces in the order in which they are kept, and at each one through how many of
/// the dice still in the air show it. Dice of one size are counted, never told apart, and once all
/// that are kept have fallen the others are free.
pub(super) fn enumerate(pool: &Pool, bound: Face) -> Vec<(Observation, Natural)> {
    let small = |count: usize| u8::try_from(count).unwrap_or(u8::MAX);
    let keep = small(pool.keep.of(pool.len()));
    let upward = matches!(pool.keep, Keep::Lowest(_));
    let mut sizes = pool.sizes();
    // Of equal faces the larger die is kept first.
    sizes.sort_unstable_by_key(|(die, _)| Reverse((die.highest(), *die)));
    let dice: Vec<Die> = sizes.iter().map(|(die, _)| *die).collect();
    let mut faces: Vec<Face> = (0..=Die::D20.highest()).collect();
    if !upward {
        faces.reverse();
    }
    let steps = faces.into_iter().flat_map(|face| {
        let sizes = dice.iter().enumerate();
        let sizes = sizes.filter(move |(_, die)| die.has(face));
        sizes.map(move |(size, die)| Step {
            face,
            size,
            is_last: face == if upward { die.highest() } else { die.lowest() },
        })
    });
    // Room for each choice of faces of the kept, C(sides - 1 + count, count) a size: to move what was found as it grows
    // takes longer than to find it.
    let most = sizes.iter().fold(1, |most: usize, &(die, count)| {
        let (other, count) = (usize::from(die.sides()) - 1, count.min(keep.into()));
        (1..=count).fold(most, |most, nth| most.saturating_mul(other + nth) / nth)
    });
    let mut enumeration = Enumeration {
        bound,
        steps: steps.collect(),
        air: sizes.iter().map(|(_, count)| small(*count)).collect(),
        kept: Vec::with_capacity(keep.into()),
        found: Vec::with_capacity(most.min(MOST_ROOM)),
        upward,
        dice,
    };
    enumeration.go(0, keep, 0, &Natural::ONE);
    enumeration.found
}

/// One face of dice of one size.
#[derive(Clone, Copy)]
struct Step {
    face: Face,
    /// The place of the size among the enumeration's dice.
    size: usize,
    /// Whether dice of this size have no face after it.
    is_last: bool,
}

/// The dice as they fall, and what was found so far.
struct Enumeration {
    /// Whether the lowest are kept, so that faces go up.
    upward: bool,
    /// The highest face that is low.
    bound: Face,
    /// The sizes of dice, first what is kept first.
    dice: Vec<Die>,
    /// Every face of every size, in the order in which they are kept.
    steps: Vec<Step>,
    /// How many of each size are still in the air.
    air: Vec<u8>,
    /// What fell so far of those that are kept, and how many sides each has.
    kept: Vec<(Face, u8)>,
    found: Vec<(Observation, Natural)>,
}

impl Enumeration {
    /// Goes on from that step: `room` more are kept, and `low` dice are low so far, in so many `ways`.
    fn go(&mut self, step: usize, room: u8, low: u8, ways: &Natural) {
        let Some(&now) = self.steps.get(step).filter(|_| room > 0) else {
            return self.land(step, low, ways);
        };
        let in_air = self.air[now.size];
        let least = if now.is_last { in_air } else { 0 };
        // The number of ways to pick the dice that show this face.
        let mut picks = Natural::ONE;
        for showing in least..=in_air {
            let kept = showing.min(room);
            self.air[now.size] = in_air - showing;
            let before = self.kept.len();
            let die = (now.face, self.dice[now.size].sides());
            self.kept.extend(repeat_n(die, kept.into()));
            let low = low + if now.face <= self.bound { showing } else { 0 };
            if showing == 0 || now.is_last {
                self.go(step + 1, room - kept, low, ways);
            } else {
                let (left, taken) = (in_air - showing + 1, usize::from(showing));
                picks = &(&picks * &usize::from(left).into()) / &taken.into();
                self.go(step + 1, room - kept, low, &(ways * &picks));
            }
            self.kept.truncate(before);
        }
        self.air[now.size] = in_air;
    }

    /// Everything that is kept has fallen; each die still in the air is free from that step on. The series counts
    /// by how many of them are low.
    fn land(&mut self, step: usize, low: u8, ways: &Natural) {
        let mut free = Series(vec![ways.clone()]);
        for (size, &count) in self.air.iter().enumerate() {
            if count > 0 {
                let left = self.steps[step..].iter().filter(|left| left.size == size);
                let lows = left.clone().filter(|left| left.face <= self.bound).count();
                let others = Natural::from(left.count() - lows);
                let more = match lows {
                    0 => Series(vec![others.pow(count.into())]),
                    _ => binomial(count.into(), &others, &lows.into(), &Natural::ONE),
                };
                free = free.times(&more).into_owned();
            }
        }
        for (more, ways) in (0..=u8::MAX).zip(free.0) {
            if !ways.is_zero() {
                let mut dice = self.kept.clone();
                // Equal dice that fell face by face downward stand in order already.
                if self.upward || self.dice.len() > 1 {
                    dice.sort_unstable_by(|a, b| b.cmp(a));
                }
                let low = low + more;
                self.found.push((Observation::Kept { dice, low }, ways));
            }
        }
    }
}
