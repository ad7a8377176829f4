//! How dice fall, face by face from the end that is kept.

use std::cmp::Reverse;
use std::iter::repeat_n;

use super::kept_sum::binomial;
use super::{Die, Face, Keep, Natural, Observation, Pool, Series};

/// Room is made for at most so many observations before they are found.
const MOST_ROOM: usize = 100_000;

/// The observations of a pool that come from which dice are kept or how often each face fell, and how many dice show
/// at most the face `low`; some come more than once.
///
/// It goes through the faces in the order in which they are kept, and at each one through how many of
/// the dice still in the air show it. Dice of one size are counted, never told apart, and once all
/// that are kept have fallen the others are free.
pub(super) fn enumerate(pool: &Pool, low: Face) -> Vec<(Observation, Natural)> {
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
    // Room for all ways in which those that are kept can fall: to move what was found takes longer than to find it.
    let most = sizes.iter().fold(1, |most: usize, &(die, count)| {
        let (other, count) = (usize::from(die.sides()) - 1, count.min(keep.into()));
        (1..=count).fold(most, |most, dice| most.saturating_mul(other + dice) / dice)
    });
    let mut enumeration = Enumeration {
        low,
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
struct Step {
    face: Face,
    size: usize,
    /// Whether dice of this size have no face after it.
    is_last: bool,
}

struct Enumeration {
    /// Whether the lowest are kept, so that faces go up.
    upward: bool,
    /// The highest face that is low.
    low: Face,
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
    /// Goes on from that step, with room for so many more that are kept, and so many low dice so far.
    fn go(&mut self, step: usize, room: u8, low: u8, ways: &Natural) {
        let Some(&Step {
            face,
            size,
            is_last,
        }) = self.steps.get(step).filter(|_| room > 0)
        else {
            return self.land(step, low, ways);
        };
        let in_air = self.air[size];
        // The number of ways to pick the dice that show this face.
        let mut picks = Natural::ONE;
        for showing in if is_last { in_air } else { 0 }..=in_air {
            let kept = showing.min(room);
            self.air[size] = in_air - showing;
            let before = self.kept.len();
            let die = (face, self.dice[size].sides());
            self.kept.extend(repeat_n(die, kept.into()));
            let low = low + if face <= self.low { showing } else { 0 };
            if showing == 0 || is_last {
                self.go(step + 1, room - kept, low, ways);
            } else {
                let (left, taken) = (in_air - showing + 1, usize::from(showing));
                picks = &(&picks * &usize::from(left).into()) / &taken.into();
                self.go(step + 1, room - kept, low, &(ways * &picks));
            }
            self.kept.truncate(before);
        }
        self.air[size] = in_air;
    }

    /// Everything that is kept has fallen; each die still in the air is free from that step on.
    fn land(&mut self, step: usize, low: u8, ways: &Natural) {
        let mut free = Series(vec![ways.clone()]);
        for (size, &count) in self.air.iter().enumerate() {
            if count > 0 {
                let left = self.steps[step..].iter().filter(|left| left.size == size);
                let low = left.clone().filter(|left| left.face <= self.low).count();
                let other = Natural::from(left.count() - low);
                free = free.times(&match low {
                    0 => Series(vec![other.pow(count.into())]),
                    _ => binomial(count.into(), &other, &low.into(), &Natural::ONE),
                });
            }
        }
        for (more, ways) in (0..).zip(free.0) {
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
