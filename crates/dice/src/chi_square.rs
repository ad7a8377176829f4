//! Whether counts are what chance gives: Pearson's chi-square test.
//!
//! The incomplete gamma function that it needs is a short sum for half-integers, which is less than a
//! dependency for it would be to look after.

use std::f64::consts::FRAC_2_SQRT_PI;

/// How far counts are from what was due, and how often chance alone would take them that far.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChiSquare {
    /// The sum of (counted − due)² / due.
    pub statistic: f64,
    /// The degrees of freedom: one less than there are cells.
    pub degrees: u32,
    /// The chance that fair dice are at least so far off.
    pub p: f64,
}

/// The approximation wants so many due in every cell.
const LEAST_DUE: f64 = 5.0;

impl ChiSquare {
    /// Compares counts with what was due in each cell; both must add up to the same. Cells in which fewer
    /// than five were due are put together, the smallest first. Nothing if fewer than two cells are left.
    pub fn of(cells: impl IntoIterator<Item = (u64, f64)>) -> Option<Self> {
        let mut cells: Vec<(u64, f64)> = cells.into_iter().collect();
        cells.sort_by(|(_, a), (_, b)| a.total_cmp(b));
        let mut merged: Vec<(u64, f64)> = Vec::with_capacity(cells.len());
        let (mut counted, mut due) = (0, 0.0);
        for (more, more_due) in cells {
            counted += more;
            due += more_due;
            if due >= LEAST_DUE {
                merged.push((counted, due));
                (counted, due) = (0, 0.0);
            }
        }
        if let Some(last) = merged.last_mut() {
            last.0 += counted;
            last.1 += due;
        }
        let degrees = u32::try_from(merged.len().checked_sub(1)?).ok()?;
        let off = |&(counted, due): &(u64, f64)| (float(counted) - due).powi(2) / due;
        let statistic = merged.iter().map(off).sum();
        (degrees > 0).then(|| Self {
            statistic,
            degrees,
            p: chance_of_more(statistic, degrees),
        })
    }
}

/// A count as a double; a count too large for it to be exact is far beyond what any log holds.
#[expect(
    clippy::cast_precision_loss,
    reason = "counts stay far below the 2⁵³ that a double holds exactly"
)]
pub fn float(count: u64) -> f64 {
    count as f64
}

/// The chance that a chi-square with so many degrees of freedom is at least that: Q(degrees / 2,
/// statistic / 2), the regularized upper incomplete gamma function.
///
/// Q(a + 1, x) is Q(a, x) + xᵃ e⁻ˣ / Γ(a + 1), from Q(1, x) = e⁻ˣ or Q(½, x) = erfc √x.
fn chance_of_more(statistic: f64, degrees: u32) -> f64 {
    let at = statistic.max(0.0) / 2.0;
    let (mut chance, mut more, first) = if degrees.is_multiple_of(2) {
        ((-at).exp(), at * (-at).exp(), 2)
    } else {
        let root = at.sqrt();
        (libm::erfc(root), FRAC_2_SQRT_PI * root * (-at).exp(), 1)
    };
    for twice in (first..degrees).step_by(2) {
        chance += more;
        more *= at / (f64::from(twice) / 2.0 + 1.0);
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
            let found = chance_of_more(statistic, degrees);
            assert!(
                (found - p).abs() < 1e-9,
                "{statistic} {degrees}: {found}, {p}"
            );
        }
    }

    #[test]
    fn a_loaded_die_is_found_out() {
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
