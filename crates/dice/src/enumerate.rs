//! Every set of kept dice that a pool can show.
//!
//! The computation goes through all faces, from the end that is kept: from the highest face down if the highest dice are
//! kept. At each face and for each kind of dice it decides how many of the remaining dice show it. Equal dice are counted
//! and not distinguished: s of d remaining dice show a face in d over s ways. As soon as all kept dice have their faces, the
//! remaining dice can show anything further on, which is one factor.

use std::cmp::Reverse;
use std::iter::repeat_n;

use super::kept_sum::binomial_terms;
use super::{Die, Face, Keep, Natural, Observation, Pool, Series};

/// The most observations for which memory is reserved in advance.
const MOST_RESERVED: usize = 100_000;

/// Returns the kept dice of a pool and the number of all dice that show at most `low`, for each way in which they can fall.
/// An observation may appear several times.
///
/// The pool has at most 255 dice. Each shows its faces, from its lowest to its highest, exactly once and none below 0.
pub(super) fn enumerate(pool: &Pool, low: Face) -> Vec<(Observation, Natural)> {
    let kept = to_u8(pool.keep.of(pool.len()));
    let is_ascending = matches!(pool.keep, Keep::Lowest(_));

    // Of equal faces the larger die is kept first.
    let mut kinds = pool.kinds();
    kinds.sort_unstable_by_key(|(die, _)| Reverse((die.highest(), *die)));
    let dice: Vec<Die> = kinds.iter().map(|(die, _)| *die).collect();

    // Moving the observations when the vector grows would take longer than finding them.
    let expected = count_kept_sets(&kinds, kept.into());

    let mut enumeration = Enumeration {
        low,
        steps: steps(&dice, is_ascending),
        remaining: kinds.iter().map(|(_, count)| to_u8(*count)).collect(),
        kept: Vec::with_capacity(kept.into()),
        observations: Vec::with_capacity(expected.min(MOST_RESERVED)),
        is_sorted: !is_ascending && dice.len() <= 1,
        dice,
    };
    enumeration.visit(0, kept, 0, &Natural::ONE);
    enumeration.observations
}

fn to_u8(count: usize) -> u8 {
    u8::try_from(count).unwrap_or(u8::MAX)
}

/// Returns the number of sets of kept faces: for each kind, (sides − 1 + count) over count.
fn count_kept_sets(kinds: &[(Die, usize)], kept: usize) -> usize {
    let mut sets: usize = 1;
    for &(die, count) in kinds {
        let other_sides = usize::from(die.sides()) - 1;
        for nth in 1..=count.min(kept) {
            sets = sets.saturating_mul(other_sides + nth) / nth;
        }
    }
    sets
}

/// One face of one kind of dice.
#[derive(Clone, Copy)]
struct FaceStep {
    face: Face,
    /// The index of the kind.
    kind: usize,
    /// True if this kind has no further faces.
    is_last: bool,
}

/// Returns every face of every kind, in the order in which they are kept.
fn steps(dice: &[Die], is_ascending: bool) -> Vec<FaceStep> {
    let highest = dice.iter().map(|die| die.highest()).max().unwrap_or(0);
    let mut faces: Vec<Face> = (0..=highest).collect();
    if !is_ascending {
        faces.reverse();
    }

    let mut steps = Vec::new();
    for face in faces {
        for (kind, die) in dice.iter().enumerate() {
            if die.has(face) {
                let last_face = if is_ascending {
                    die.highest()
                } else {
                    die.lowest()
                };
                steps.push(FaceStep {
                    face,
                    kind,
                    is_last: face == last_face,
                });
            }
        }
    }
    steps
}

/// The state of the search.
struct Enumeration {
    /// The highest face that is low.
    low: Face,
    /// The kinds of dice.
    dice: Vec<Die>,
    /// All faces in the order in which they are decided.
    steps: Vec<FaceStep>,
    /// The number of dice of each kind whose face is not decided yet.
    remaining: Vec<u8>,
    /// The face and the number of sides of each die that is kept already.
    kept: Vec<(Face, u8)>,
    /// True if the kept dice are found in the order of an observation.
    is_sorted: bool,
    observations: Vec<(Observation, Natural)>,
}

impl Enumeration {
    /// Decides the face of this step and all later ones.
    ///
    /// `to_keep` more dice will be kept, `low_dice` of the decided dice are low, and there are `ways` to roll the decided dice.
    fn visit(&mut self, step_index: usize, to_keep: u8, low_dice: u8, ways: &Natural) {
        let step = match self.steps.get(step_index) {
            Some(step) if to_keep > 0 => *step,
            _ => return self.finish(step_index, low_dice, ways),
        };

        let remaining = self.remaining[step.kind];
        let fewest = if step.is_last { remaining } else { 0 };
        // The number of ways to choose the dice that show this face.
        let mut selections = Natural::ONE;

        for showing in fewest..=remaining {
            let newly_kept = showing.min(to_keep);
            let kept_before = self.kept.len();
            let die = (step.face, self.dice[step.kind].sides());
            self.kept.extend(repeat_n(die, newly_kept.into()));
            self.remaining[step.kind] = remaining - showing;

            let mut low_dice = low_dice;
            if step.face <= self.low {
                low_dice += showing;
            }

            if showing == 0 || step.is_last {
                self.visit(step_index + 1, to_keep - newly_kept, low_dice, ways);
            } else {
                let factor = Natural::from(usize::from(remaining - showing + 1));
                let divisor = Natural::from(usize::from(showing));
                selections = &(&selections * &factor) / &divisor;
                let ways = ways * &selections;
                self.visit(step_index + 1, to_keep - newly_kept, low_dice, &ways);
            }
            self.kept.truncate(kept_before);
        }
        self.remaining[step.kind] = remaining;
    }

    /// Adds the observations once all kept dice are decided. The remaining dice show any face from this step on.
    fn finish(&mut self, step_index: usize, low_dice: u8, ways: &Natural) {
        // At index i, the ways in which i of the remaining dice are low.
        let mut by_low_dice = Series(vec![ways.clone()]);
        for (kind, &count) in self.remaining.iter().enumerate() {
            if count == 0 {
                continue;
            }
            let faces = self.steps[step_index..]
                .iter()
                .filter(|step| step.kind == kind);
            let low_faces = faces.clone().filter(|step| step.face <= self.low).count();
            let other_faces = Natural::from(faces.count() - low_faces);

            let terms = if low_faces == 0 {
                Series(vec![other_faces.pow(count.into())])
            } else {
                binomial_terms(count.into(), &other_faces, &low_faces.into(), &Natural::ONE)
            };
            by_low_dice = by_low_dice.times(&terms).into_owned();
        }

        for (more_low_dice, ways) in (0..=u8::MAX).zip(by_low_dice.0) {
            if ways.is_zero() {
                continue;
            }
            let mut dice = self.kept.clone();
            if !self.is_sorted {
                dice.sort_unstable_by(|a, b| b.cmp(a));
            }
            let low = low_dice + more_low_dice;
            self.observations
                .push((Observation::Kept { dice, low }, ways));
        }
    }
}
