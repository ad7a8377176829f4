//! The mean number of rolls until a clock is full.

use super::float_moves;
use tableside_dice::Distribution;

/// Computes the mean number of rolls until all segments are filled. `None` if no roll fills a segment.
///
/// The mean for a clock with n filled segments is 1, plus the means for the numbers of segments that the next roll can
/// lead to, weighted by their chances. This gives one linear equation for each n below the number of all segments.
pub(super) fn mean_rolls(levels: &Distribution, filled: u8, segments: u8) -> Option<f64> {
    let moves = float_moves(levels, segments);
    let start = usize::from(filled.min(segments));
    let segments = usize::from(segments);
    if start == segments {
        return Some(0.0);
    }
    if moves.iter().all(|(step, _)| *step <= 0) {
        return None;
    }

    let mut equations: Vec<Vec<f64>> = (0..segments)
        .map(|filled| equation(filled, segments, &moves))
        .collect();
    eliminate(&mut equations);
    Some(back_substitute(&equations)[start])
}

/// Returns the equation of the mean for a clock with `filled` segments: the coefficients of all means, then the
/// constant.
fn equation(filled: usize, segments: usize, moves: &[(isize, f64)]) -> Vec<f64> {
    let mut coefficients = vec![0.0; segments + 1];
    coefficients[filled] = 1.0;
    coefficients[segments] = 1.0;

    for (step, chance) in moves {
        let filled_after = filled.saturating_add_signed(*step);
        if filled_after < segments {
            coefficients[filled_after] -= chance;
        }
    }
    coefficients
}

/// Brings the equations into triangular form by Gaussian elimination.
fn eliminate(equations: &mut [Vec<f64>]) {
    for pivot in 0..equations.len() {
        let (above, below) = equations.split_at_mut(pivot + 1);
        let pivot_row = &above[pivot];

        for row in below {
            if row[pivot] == 0.0 {
                continue;
            }
            let factor = row[pivot] / pivot_row[pivot];
            for (cell, pivot_cell) in row.iter_mut().zip(pivot_row).skip(pivot) {
                *cell -= factor * pivot_cell;
            }
        }
    }
}

/// Solves equations in triangular form.
fn back_substitute(equations: &[Vec<f64>]) -> Vec<f64> {
    let count = equations.len();
    let mut means = vec![0.0; count];

    for index in (0..count).rev() {
        let row = &equations[index];
        let solved: f64 = (index + 1..count)
            .map(|later| row[later] * means[later])
            .sum();
        means[index] = (row[count] - solved) / row[index];
    }
    means
}
