//! Which of the rolled dice a query counts, for display.

use super::reading::count_symbol;
use super::{PoolQuery, PoolReading, ReadingKind, ThrownDie};
use crate::Face;

impl PoolQuery {
    /// True if a reading keeps some dice and drops others.
    pub(crate) fn drops_dice(&self) -> bool {
        let keeps_dice =
            |reading: &PoolReading| matches!(reading.kind, ReadingKind::SumOfKept { .. });
        self.readings.iter().any(keeps_dice)
    }

    /// Returns for each face, in rolled order, whether its die counts for the first reading of its group that keeps any.
    ///
    /// Dice of groups without a reading count as well. Both digits of a percentile die have the same answer.
    pub fn kept(&self, faces: &[Face]) -> Vec<bool> {
        let thrown = self.thrown(faces);
        let mut is_kept = vec![false; thrown.len()];

        // For each reading, the dice of the groups of which it is the first reading.
        let mut candidates = vec![Vec::new(); self.readings.len()];
        for (index, die) in thrown.iter().enumerate() {
            match self.first_reading_of(die.group) {
                Some(reading) => candidates[reading].push(index),
                None => is_kept[index] = true,
            }
        }

        for (reading, candidates) in self.readings.iter().zip(candidates) {
            for index in self.counted_dice(reading, candidates, &thrown) {
                is_kept[index] = true;
            }
        }

        let mut each_face = Vec::with_capacity(faces.len());
        for (die, is_kept) in thrown.iter().zip(is_kept) {
            for _ in 0..self.groups[die.group].faces_per_die() {
                each_face.push(is_kept);
            }
        }
        each_face
    }

    /// Returns the first reading of a group that keeps any dice, or else the first reading of the group.
    fn first_reading_of(&self, group: usize) -> Option<usize> {
        let keeps_none =
            |reading: &PoolReading| matches!(reading.kind, ReadingKind::SumOfKept { count: 0, .. });
        let mut readings = self.readings.iter();
        let keeping =
            readings.position(|reading| reading.includes_group(group) && !keeps_none(reading));
        keeping.or_else(|| {
            self.readings
                .iter()
                .position(|reading| reading.includes_group(group))
        })
    }

    /// Returns the dice among the candidates that a reading counts. Dice are indices into `thrown`.
    fn counted_dice(
        &self,
        reading: &PoolReading,
        mut candidates: Vec<usize>,
        thrown: &[ThrownDie],
    ) -> Vec<usize> {
        let value = |index: &usize| thrown[*index].value();
        candidates.retain(|index| {
            let die = &thrown[*index];
            reading.counts(die.group, die.value())
        });

        match reading.kind {
            ReadingKind::Sum | ReadingKind::Count => {}
            ReadingKind::SumOfKept { count, highest } => {
                if highest {
                    candidates.sort_by_key(|index| -value(index));
                } else {
                    candidates.sort_by_key(value);
                }
                candidates.truncate(count.into());
            }
            ReadingKind::LargestSet => {
                // Of sets of equal size, the one with the highest value counts.
                candidates.sort_by_key(|index| -value(index));
                let largest = candidates
                    .chunk_by(|a, b| value(a) == value(b))
                    .rev()
                    .max_by_key(|set| set.len());
                candidates = largest.unwrap_or_default().to_vec();
            }
            ReadingKind::Symbol(symbol) => {
                candidates.retain(|index| {
                    let die = self.groups[thrown[*index].group].die;
                    count_symbol(die, symbol, value(index)) != 0
                });
            }
        }
        candidates
    }
}
