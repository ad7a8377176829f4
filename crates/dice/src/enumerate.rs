//! Every set of kept dice that a pool can show.
//!
//! The search visits all faces from the end that is kept: from the highest face down if the highest dice are kept. At each
//! face and for each kind of dice it tries every number of remaining dice that may show the face. Equal dice are not
//! distinguished: there are d over s ways (a binomial coefficient) to choose the s of d remaining dice that show a face.
//! As soon as the faces of all kept dice are decided, the other dice may show any of the faces that were not visited, so
//! their number of ways is one factor.

use std::cmp::Reverse;
use std::iter::repeat_n;

use super::kept_sum::binomial_terms;
use super::pool::DiceKind;
use super::{Face, Keep, Natural, Observation, Pool, Series};

/// The most observations for which memory is reserved in advance.
const MOST_RESERVED: usize = 100_000;

/// Returns every observation of a pool whose measure is [`Measure::KeptDice`](crate::Measure::KeptDice) with the face
/// `low`. An observation may appear several times, and its numbers of ways must then be added up.
///
/// The pool has at most 255 dice. Each shows its faces, from its lowest to its highest, exactly once and none below 0.
pub(super) fn enumerate(pool: &Pool, low: Face) -> Vec<(Observation, Natural)> {
    let kept = to_u8(pool.keep.of(pool.len()));
    let is_ascending = matches!(pool.keep, Keep::Lowest(_));

    // Of equal faces the larger die is kept first.
    let mut kinds = pool.kinds();
    kinds.sort_unstable_by_key(|kind| Reverse((kind.die.highest(), kind.die)));

    // Moving the observations when the vector grows would take longer than finding them.
    let expected = count_kept_sets(&kinds, kept.into());

    let mut enumeration = Enumeration {
        low,
        steps: list_steps(&kinds, is_ascending),
        remaining: kinds.iter().map(|kind| to_u8(kind.count)).collect(),
        kept: Vec::with_capacity(kept.into()),
        observations: Vec::with_capacity(expected.min(MOST_RESERVED)),
        is_sorted: !is_ascending && kinds.len() <= 1,
    };
    let start = Decided {
        to_keep: kept,
        low_dice: 0,
        ways: Natural::ONE,
    };
    enumeration.visit(0, &start);
    enumeration.observations
}

fn to_u8(count: usize) -> u8 {
    u8::try_from(count).unwrap_or(u8::MAX)
}

/// Returns the number of sets of kept faces. Each kind has (sides − 1 + count) over count of them, a binomial coefficient.
fn count_kept_sets(kinds: &[DiceKind], kept: usize) -> usize {
    let mut sets: usize = 1;
    for kind in kinds {
        let other_sides = usize::from(kind.die.sides()) - 1;
        for nth in 1..=kind.count.min(kept) {
            sets = sets.saturating_mul(other_sides + nth) / nth;
        }
    }
    sets
}

/// One face of one kind of dice. The search decides how many dice show it.
#[derive(Clone, Copy)]
struct FaceStep {
    face: Face,
    /// The index of the kind.
    kind: usize,
    /// The number of sides of the dice.
    sides: u8,
    /// True if this kind has no further faces.
    is_last: bool,
}

/// Returns every face of every kind, in the order in which they are kept.
fn list_steps(kinds: &[DiceKind], is_ascending: bool) -> Vec<FaceStep> {
    let highest_faces = kinds.iter().map(|kind| kind.die.highest());
    let highest = highest_faces.max().unwrap_or(0);
    let mut faces: Vec<Face> = (0..=highest).collect();
    if !is_ascending {
        faces.reverse();
    }

    let mut steps = Vec::new();
    for face in faces {
        for (index, kind) in kinds.iter().enumerate() {
            if !kind.die.has(face) {
                continue;
            }
            let last_face = if is_ascending {
                kind.die.highest()
            } else {
                kind.die.lowest()
            };
            steps.push(FaceStep {
                face,
                kind: index,
                sides: kind.die.sides(),
                is_last: face == last_face,
            });
        }
    }
    steps
}

/// The state of the search.
struct Enumeration {
    /// The highest face that is low.
    low: Face,
    /// All faces in the order in which they are decided.
    steps: Vec<FaceStep>,
    /// For each kind, the number of dice whose face is not decided yet.
    remaining: Vec<u8>,
    /// The face and the number of sides of each kept die that is decided already.
    kept: Vec<(Face, u8)>,
    /// True if faces are added to `kept` in the order that an observation has, so that it need not be sorted.
    is_sorted: bool,
    observations: Vec<(Observation, Natural)>,
}

/// The dice whose faces are decided.
struct Decided {
    /// The number of dice that must still be kept.
    to_keep: u8,
    /// The number of decided dice that are low.
    low_dice: u8,
    /// The number of ways to roll the decided dice.
    ways: Natural,
}

impl Enumeration {
    /// Decides how many dice show the face of this step, in all possible ways, and then decides all later steps.
    fn visit(&mut self, step_index: usize, decided: &Decided) {
        let step = match self.steps.get(step_index) {
            Some(step) if decided.to_keep > 0 => *step,
            _ => return self.finish(step_index, decided),
        };

        let remaining = self.remaining[step.kind];
        let fewest = if step.is_last { remaining } else { 0 };
        // The number of ways to choose the dice that show this face.
        let mut selections = Natural::ONE;

        for showing in fewest..=remaining {
            let newly_kept = showing.min(decided.to_keep);
            let kept_before = self.kept.len();
            let die = (step.face, step.sides);
            self.kept.extend(repeat_n(die, newly_kept.into()));
            self.remaining[step.kind] = remaining - showing;

            if showing > 0 && !step.is_last {
                let factor = Natural::from(usize::from(remaining - showing + 1));
                let divisor = Natural::from(usize::from(showing));
                selections = &(&selections * &factor) / &divisor;
            }

            let mut decided = Decided {
                to_keep: decided.to_keep - newly_kept,
                low_dice: decided.low_dice,
                ways: &decided.ways * &selections,
            };
            if step.face <= self.low {
                decided.low_dice += showing;
            }
            self.visit(step_index + 1, &decided);

            self.kept.truncate(kept_before);
        }
        self.remaining[step.kind] = remaining;
    }

    /// Adds the observations once all kept dice are decided. The remaining dice show any face from this step on.
    fn finish(&mut self, step_index: usize, decided: &Decided) {
        // At index i, the ways in which i of the remaining dice are low.
        let mut by_low_dice = Series(vec![decided.ways.clone()]);
        for (kind, count) in self.remaining.iter().enumerate() {
            if *count > 0 {
                let low_dice_of_kind = self.count_low_dice(kind, step_index);
                by_low_dice = by_low_dice.times(&low_dice_of_kind).into_owned();
            }
        }

        for (more_low_dice, ways) in (0..=u8::MAX).zip(by_low_dice.0) {
            if ways.is_zero() {
                continue;
            }
            let mut dice = self.kept.clone();
            if !self.is_sorted {
                dice.sort_unstable_by(|a, b| b.cmp(a));
            }
            let low = decided.low_dice + more_low_dice;
            let observation = Observation::Kept { dice, low };
            self.observations.push((observation, ways));
        }
    }

    /// Returns at index i the ways in which i of the remaining dice of a kind are low. They show a face from this step on.
    fn count_low_dice(&self, kind: usize, step_index: usize) -> Series {
        let count = usize::from(self.remaining[kind]);
        let mut low_faces: usize = 0;
        let mut other_faces: usize = 0;
        for step in &self.steps[step_index..] {
            if step.kind == kind && step.face <= self.low {
                low_faces += 1;
            } else if step.kind == kind {
                other_faces += 1;
            }
        }

        let low_faces = Natural::from(low_faces);
        let other_faces = Natural::from(other_faces);
        if low_faces.is_zero() {
            return Series(vec![other_faces.pow(count)]);
        }
        binomial_terms(count, &other_faces, &low_faces, &Natural::ONE)
    }
}
