//! Which of the rolled dice a query counts, for display.

use super::reading::count_symbol;
use super::{PoolQuery, PoolReading, ReadingKind, ThrownDie};
use crate::Face;

impl PoolQuery {
    /// True if a reading keeps some dice and drops others.
    pub(crate) fn drops_dice(&self) -> bool {
        self.readings
            .iter()
            .any(|reading| matches!(reading.kind, ReadingKind::SumOfKept { .. }))
    }

    /// Returns for each face, in rolled order, whether its die counts for the first reading of its group.
    ///
    /// Dice that no reading looks at count, too. Both digits of a percentile die have the same answer.
    pub fn kept(&self, faces: &[Face]) -> Vec<bool> {
        let thrown: Vec<ThrownDie> = self.thrown(faces).collect();
        let mut is_kept = vec![false; thrown.len()];

        for (index, die) in thrown.iter().enumerate() {
            if self.first_reading_of(die.group).is_none() {
                is_kept[index] = true;
            }
        }

        for (reading_index, reading) in self.readings.iter().enumerate() {
            let candidates = (0..thrown.len())
                .filter(|index| self.first_reading_of(thrown[*index].group) == Some(reading_index))
                .collect();
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

    fn first_reading_of(&self, group: usize) -> Option<usize> {
        self.readings
            .iter()
            .position(|reading| reading.includes_group(group))
    }

    /// Returns the dice among the candidates that a reading counts. Dice are indices into `thrown`.
    fn counted_dice(
        &self,
        reading: &PoolReading,
        mut candidates: Vec<usize>,
        thrown: &[ThrownDie],
    ) -> Vec<usize> {
        let value = |index: &usize| thrown[*index].value();
        candidates.retain(|index| reading.counts(thrown[*index].group, value(index)));

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
