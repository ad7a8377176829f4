//! Pearson's chi-square test: do counted results fit fair dice?
//!
//! The test needs the incomplete gamma function for half-integers only, which is a short sum, so the crate computes it
//! without a dependency.

use std::f64::consts::FRAC_2_SQRT_PI;

/// The result of a chi-square test of counts against expected counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChiSquare {
    /// The sum of (counted − expected)² / expected over all cells.
    pub statistic: f64,
    /// The degrees of freedom: the number of cells minus one.
    pub degrees: u32,
    /// The probability, 0 to 1, that fair dice give a statistic at least as large.
    pub p: f64,
}

/// Results that are counted together.
#[derive(Default)]
struct Cell {
    counted: u64,
    expected: f64,
}

impl Cell {
    fn add(&mut self, other: &Self) {
        self.counted += other.counted;
        self.expected += other.expected;
    }
}

/// The smallest expected count of a cell for which the test is a good approximation.
const LEAST_EXPECTED: f64 = 5.0;

impl ChiSquare {
    /// Tests cells, each with its counted and its expected number. Both must have the same sum.
    ///
    /// Cells with fewer than five expected are merged, the smallest first. `None` if fewer than two cells are left.
    pub fn of(cells: impl IntoIterator<Item = (u64, f64)>) -> Option<Self> {
        let cells = cells
            .into_iter()
            .map(|(counted, expected)| Cell { counted, expected })
            .collect();
        let cells = merge_small_cells(cells);

        let degrees = cells.len().checked_sub(1)?;
        if degrees == 0 {
            return None;
        }
        let degrees = u32::try_from(degrees).ok()?;

        let mut statistic = 0.0;
        for cell in &cells {
            let difference = float(cell.counted) - cell.expected;
            statistic += difference.powi(2) / cell.expected;
        }
        Some(Self {
            statistic,
            degrees,
            p: chance_of_at_least(statistic, degrees),
        })
    }
}

/// Merges cells, the smallest first, until at least five are expected in each.
fn merge_small_cells(mut cells: Vec<Cell>) -> Vec<Cell> {
    cells.sort_by(|a, b| a.expected.total_cmp(&b.expected));

    let mut merged: Vec<Cell> = Vec::with_capacity(cells.len());
    let mut sum = Cell::default();
    for cell in cells {
        sum.add(&cell);
        if sum.expected >= LEAST_EXPECTED {
            merged.push(std::mem::take(&mut sum));
        }
    }
    if let Some(last) = merged.last_mut() {
        last.add(&sum);
    }
    merged
}

/// Converts a count to a double. Counts below 2⁵³ are exact.
#[expect(
    clippy::cast_precision_loss,
    reason = "logs hold far fewer than 2⁵³ rolls"
)]
pub fn float(count: u64) -> f64 {
    count as f64
}

/// Returns the probability that a chi-square variable is at least `statistic`.
///
/// It is Q(degrees / 2, statistic / 2), the regularized upper incomplete gamma function. By the NIST Digital Library of
/// Mathematical Functions, 8.8.6, Q(a + 1, x) = Q(a, x) + xᵃ e⁻ˣ / Γ(a + 1). The recurrence starts at Q(1, x) = e⁻ˣ or at
/// Q(½, x) = erfc √x.
fn chance_of_at_least(statistic: f64, degrees: u32) -> f64 {
    let x = statistic.max(0.0) / 2.0;

    // `term` is xᵃ e⁻ˣ / Γ(a + 1), and `first` is 2a.
    let mut chance;
    let mut term;
    let first;
    if degrees.is_multiple_of(2) {
        chance = (-x).exp();
        term = x * (-x).exp();
        first = 2;
    } else {
        let root = x.sqrt();
        chance = libm::erfc(root);
        term = FRAC_2_SQRT_PI * root * (-x).exp();
        first = 1;
    }

    for twice_a in (first..degrees).step_by(2) {
        chance += term;
        term *= x / (f64::from(twice_a) / 2.0 + 1.0);
    }
    chance.clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_are_those_of_the_printed_tables() {
        // Abramowitz and Stegun, table 26.8, and R's pchisq(…, lower.tail = FALSE).
        for (statistic, degrees, p) in [
            (3.841_458_820_694_124, 1, 0.05),
            (6.634_896_601_021_213, 1, 0.01),
            (5.991_464_547_107_979, 2, 0.05),
            (11.070_497_693_516_35, 5, 0.05),
            (24.321_886_347_856_83, 7, 0.001),
            (30.143_527_205_646_16, 19, 0.05),
            (10.117_013_063_859_04, 19, 0.95),
            (124.342_113_404_004_1, 100, 0.05),
            (149.449_252_779_028_4, 100, 0.001),
        ] {
            let chance = chance_of_at_least(statistic, degrees);
            assert!(
                (chance - p).abs() < 1e-9,
                "{statistic} {degrees}: {chance}, {p}"
            );
        }
    }

    #[test]
    fn a_loaded_die_fails_the_test_and_mendels_peas_pass() {
        // Mendel's peas: 9 : 3 : 3 : 1.
        let peas = [(315, 312.75), (108, 104.25), (101, 104.25), (32, 34.75)];
        let test = ChiSquare::of(peas).unwrap();
        assert_eq!(test.degrees, 3);
        assert!((test.statistic - 0.470_024).abs() < 1e-6);
        assert!((test.p - 0.925_426).abs() < 1e-6);
        let loaded = [10, 10, 10, 10, 10, 70].map(|count| (count, 20.0));
        let test = ChiSquare::of(loaded).unwrap();
        assert!(test.p < 1e-20 && test.p > 0.0, "{}", test.p);
    }
}
