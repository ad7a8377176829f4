//! How dice fall, face by face from the end that is kept.

use super::natural::choose;
use super::{Die, Face, Keep, Natural, Observation, Pool, Projection, Series};

/// The observations of a pool that come from which dice are kept or how often each face fell; some come
/// more than once.
///
/// It goes through the faces in the order in which they are kept, and at each one through how many of
/// the dice still in the air show it. Dice of one size are counted, never told apart, and once all
/// that are kept have fallen the others are free.
pub(super) fn enumerate(pool: &Pool) -> Vec<(Observation, Natural)> {
    let mut sizes = pool.sizes();
    // Of equal faces the larger die is kept first.
    sizes.sort_unstable_by(|(a, _), (b, _)| b.highest().cmp(&a.highest()).then(b.cmp(a)));
    let all = u8::try_from(pool.len()).unwrap_or(u8::MAX);
    let (keep, upward) = match (pool.projection, pool.keep) {
        (Projection::Counts, _) | (_, Keep::All) => (all, false),
        (_, Keep::Highest(keep)) => (keep.min(all), false),
        (_, Keep::Lowest(keep)) => (keep.min(all), true),
    };
    let lowest = sizes.iter().map(|(die, _)| die.lowest()).min();
    let highest = sizes.iter().map(|(die, _)| die.highest()).max();
    let mut all = Enumeration {
        projection: pool.projection,
        upward,
        dice: sizes.iter().map(|(die, _)| *die).collect(),
        air: sizes
            .iter()
            .map(|(_, count)| u8::try_from(*count).unwrap_or(u8::MAX))
            .collect(),
        kept: Vec::with_capacity(keep.into()),
        found: Vec::new(),
    };
    let first = if upward { lowest } else { highest };
    let start = Step {
        face: i16::from(first.unwrap_or(0)),
        size: 0,
        room: keep,
        low: 0,
    };
    all.go(start, &Natural::ONE);
    all.found
}

struct Enumeration {
    projection: Projection,
    /// Whether the lowest are kept, so that faces go up.
    upward: bool,
    /// The sizes of dice, first what is kept first.
    dice: Vec<Die>,
    /// How many of each size are still in the air.
    air: Vec<u8>,
    /// What fell so far of those that are kept.
    kept: Vec<(Face, Die)>,
    found: Vec<(Observation, Natural)>,
}

/// Where the enumeration stands: at this face, and at this size of dice.
#[derive(Clone, Copy)]
struct Step {
    face: i16,
    size: usize,
    /// How many more are kept.
    room: u8,
    /// How many dice so far are low.
    low: u8,
}

impl Enumeration {
    fn go(&mut self, step: Step, ways: &Natural) {
        if step.size == 0 && (step.room == 0 || self.air.iter().all(|&count| count == 0)) {
            return self.land(step, ways);
        }
        let Some(&die) = self.dice.get(step.size) else {
            let face = if self.upward {
                step.face + 1
            } else {
                step.face - 1
            };
            return self.go(
                Step {
                    face,
                    size: 0,
                    ..step
                },
                ways,
            );
        };
        let next = Step {
            size: step.size + 1,
            ..step
        };
        let in_air = self.air[step.size];
        let Some(face) = Face::try_from(step.face).ok().filter(|&face| die.has(face)) else {
            return self.go(next, ways);
        };
        let last = face
            == if self.upward {
                die.highest()
            } else {
                die.lowest()
            };
        let low = matches!(
            self.projection,
            Projection::KeptAndLow(bound) if face <= bound
        );
        let must = if last { in_air } else { 0 };
        for showing in must..=in_air {
            let kept = showing.min(step.room);
            self.air[step.size] = in_air - showing;
            self.kept.extend((0..kept).map(|_| (face, die)));
            let next = Step {
                room: step.room - kept,
                low: step.low + if low { showing } else { 0 },
                ..next
            };
            if showing == 0 || last {
                self.go(next, ways);
            } else {
                let picks = choose(in_air.into(), showing.into());
                self.go(next, &(ways * &picks));
            }
            self.kept.truncate(self.kept.len() - usize::from(kept));
        }
        self.air[step.size] = in_air;
    }

    /// Everything that is kept has fallen; the dice still in the air are free beyond the face.
    fn land(&mut self, step: Step, ways: &Natural) {
        for (more, free) in (0..).zip(self.free(step.face).0) {
            if !free.is_zero() {
                let observation = self.observation(step.low + more);
                self.found.push((observation, ways * &free));
            }
        }
    }

    /// In how many ways none, one, two … of the dice in the air can turn out low, each from this face on.
    fn free(&self, face: i16) -> Series {
        let mut free = Series::one();
        for (die, &count) in self
            .dice
            .iter()
            .zip(&self.air)
            .filter(|(_, count)| **count > 0)
        {
            let (lowest, highest) = (i16::from(die.lowest()), i16::from(die.highest()));
            let (from, to) = if self.upward {
                (face.max(lowest), highest)
            } else {
                (lowest, face.min(highest))
            };
            let faces = u64::try_from(to - from + 1).unwrap_or(0);
            let low = match self.projection {
                Projection::KeptAndLow(bound) => {
                    u64::try_from(to.min(bound.into()) - from + 1).unwrap_or(0)
                }
                Projection::Faces | Projection::Kept | Projection::Sum | Projection::Counts => 0,
            };
            if low == 0 {
                let ways = Natural::from(faces).pow(count.into());
                free.0.iter_mut().for_each(|free| *free = &*free * &ways);
            } else {
                let die = Series(vec![(faces - low).into(), low.into()]);
                free = (0..count).fold(free, |free, _| free.times(&die));
            }
        }
        free
    }

    fn observation(&self, low: u8) -> Observation {
        let faces = || self.kept.iter().map(|&(face, _)| face);
        match self.projection {
            Projection::Kept | Projection::KeptAndLow(_) => {
                let mut dice = self.kept.clone();
                dice.sort_unstable_by(|a, b| b.cmp(a));
                Observation::Kept { dice, low }
            }
            Projection::Sum => Observation::Sum(faces().map(i32::from).sum()),
            Projection::Counts => Observation::Counts(faces().collect()),
            Projection::Faces => Observation::Faces(faces().collect()),
        }
    }
}
