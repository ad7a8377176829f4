//! Powers of series: the number of ways in which many equal dice reach each sum.
//!
//! As a polynomial (see [`Series`]) a die has a coefficient for each face, and n equal dice are its n-th power. Each
//! coefficient of the power follows from the earlier ones (J. C. P. Miller's recurrence). With p the coefficients of the
//! die and c those of the power,
//!
//! t · p(0) · c(t) = Σ ((n + 1) · i − t) · p(i) · c(t − i), over all i from 1 up.
//!
//! Adjacent faces with equal weights need only one running sum. So the work depends on the number of sums and the number
//! of such runs, but not on the number of dice.

use crate::{Natural, Series};

/// Adjacent faces of a die that are equally likely: from `from` to `to`, both included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct WeightRun {
    pub from: usize,
    pub to: usize,
    /// The number of ways to roll each of the faces.
    pub weight: Natural,
}

/// Returns the sums of `count` equal dice, up to the sum `limit`.
///
/// `die` holds the faces of one die. The runs are in order, and the first begins with the face 0, which has ways.
pub(crate) fn power(die: &[WeightRun], count: usize, limit: usize) -> Series {
    let (Some(first), Some(last)) = (die.first(), die.last()) else {
        return Series::one();
    };
    let highest_sum = count * last.to;
    if limit < highest_sum || die.len() > 1 {
        return first_sums(die, &first.weight, count, limit.min(highest_sum));
    }

    // The sums of fair dice are symmetrical, so the second half is a copy of the first.
    let middle = highest_sum / 2;
    let mut sums = first_sums(die, &first.weight, count, middle);
    for index in (0..highest_sum - middle).rev() {
        sums.0.push(sums.0[index].clone());
    }
    sums
}

/// Computes the sums of `count` dice up to `limit`. The weight of the face 0 is `weight_of_zero`.
fn first_sums(die: &[WeightRun], weight_of_zero: &Natural, count: usize, limit: usize) -> Series {
    let count_and_one = Natural::from(count + 1);
    let mut windows = Windows::new(die);
    let mut ways = Vec::with_capacity(limit + 1);
    ways.push(weight_of_zero.pow(count));

    for sum in 1..=limit {
        let sum_number = Natural::from(sum);
        let window = windows.advance(&ways);

        let mut dividend = &window.weighted * &count_and_one;
        dividend -= &(&window.plain * &sum_number);
        let divisor = weight_of_zero * &sum_number;
        ways.push(&dividend / &divisor);
    }
    Series(ways)
}

/// Returns the sums of the explosions of `count` dice, up to the sum `limit`: the coefficients of (1 − x / `all_ways`)⁻ᶜᵒᵘⁿᵗ,
/// where x is the polynomial of the exploding faces.
///
/// Each coefficient is multiplied by `all_ways` to the power of `scale`, which must be at least the number of explosions
/// that reach `limit`. So all coefficients are whole numbers. No exploding face is 0.
///
/// With c the coefficients of the result, t · `all_ways` · c(t) = Σ ((count − 1) · i + t) · x(i) · c(t − i) over all i from 1 up.
pub(crate) fn inverse_power(
    exploding: &[WeightRun],
    all_ways: &Natural,
    count: usize,
    scale: usize,
    limit: usize,
) -> Series {
    let ways_without_explosion = all_ways.pow(scale);
    if count == 0 {
        return Series(vec![ways_without_explosion]);
    }

    let count_less_one = Natural::from(count - 1);
    let mut windows = Windows::new(exploding);
    let mut ways = Vec::with_capacity(limit + 1);
    ways.push(ways_without_explosion);

    for sum in 1..=limit {
        let window = windows.advance(&ways);
        if window.plain.is_zero() {
            ways.push(Natural::ZERO);
            continue;
        }

        let sum_number = Natural::from(sum);
        let mut dividend = &window.weighted * &count_less_one;
        dividend.add_product(&window.plain, &sum_number);
        let divisor = all_ways * &sum_number;
        ways.push(&dividend / &divisor);
    }
    Series(ways)
}

/// The running sums of all runs of a die. The face 0 belongs to none of them.
struct Windows<'a> {
    runs: Vec<RunWindow<'a>>,
}

/// Two sums over the coefficients c(t − i), for the next index t.
struct WindowSums {
    /// The sum of p(i) · c(t − i).
    plain: Natural,
    /// The sum of i · p(i) · c(t − i).
    weighted: Natural,
}

impl<'a> Windows<'a> {
    fn new(die: &'a [WeightRun]) -> Self {
        let mut runs = Vec::with_capacity(die.len());
        for run in die {
            if run.to > 0 {
                runs.push(RunWindow::new(run));
            }
        }
        Self { runs }
    }

    /// Moves all windows to the next index, which is the number of known coefficients.
    fn advance(&mut self, coefficients: &[Natural]) -> WindowSums {
        let mut sums = WindowSums {
            plain: Natural::ZERO,
            weighted: Natural::ZERO,
        };
        for run in &mut self.runs {
            run.advance(coefficients);
            if *run.weight == Natural::ONE {
                sums.plain += &run.plain;
                sums.weighted += &run.weighted;
            } else {
                sums.plain.add_product(&run.plain, run.weight);
                sums.weighted.add_product(&run.weighted, run.weight);
            }
        }
        sums
    }
}

/// The sums of c(t − i) and of i · c(t − i) over the faces i of one run.
struct RunWindow<'a> {
    from: usize,
    to: usize,
    weight: &'a Natural,
    plain: Natural,
    weighted: Natural,
}

impl<'a> RunWindow<'a> {
    fn new(run: &'a WeightRun) -> Self {
        Self {
            from: run.from.max(1),
            to: run.to,
            weight: &run.weight,
            plain: Natural::ZERO,
            weighted: Natural::ZERO,
        }
    }

    /// Moves the window to the next index, which is the number of known coefficients.
    fn advance(&mut self, coefficients: &[Natural]) {
        let index = coefficients.len();
        let entering = match index.checked_sub(self.from) {
            Some(entering) => &coefficients[entering],
            None => &Natural::ZERO,
        };
        if self.from == self.to {
            self.plain.clone_from(entering);
            self.weighted = entering * &Natural::from(self.from);
            return;
        }

        // Each coefficient in the window is one index further away.
        self.weighted += &self.plain;

        if let Some(leaving) = index.checked_sub(self.to + 1) {
            let leaving = &coefficients[leaving];
            let distance = Natural::from(self.to + 1);
            self.weighted -= &(leaving * &distance);
            self.plain -= leaving;
        }

        let distance = Natural::from(self.from);
        self.weighted.add_product(entering, &distance);
        self.plain += entering;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn natural(number: usize) -> Natural {
        Natural::from(number)
    }

    fn run(from: usize, to: usize, weight: usize) -> WeightRun {
        WeightRun {
            from,
            to,
            weight: natural(weight),
        }
    }

    fn polynomial(runs: &[WeightRun]) -> Series {
        let top = runs.iter().map(|run| run.to).max().unwrap_or(0);
        let mut coefficients = vec![Natural::ZERO; top + 1];
        for run in runs {
            coefficients[run.from..=run.to].fill(run.weight.clone());
        }
        Series(coefficients)
    }

    fn polynomials() -> Vec<Vec<WeightRun>> {
        vec![
            vec![run(0, 0, 3)],
            vec![run(0, 5, 1)],
            vec![run(0, 1, 2), run(2, 5, 8)],
            vec![run(0, 0, 1), run(3, 3, 4)],
            vec![run(0, 2, 1), run(5, 7, 1), run(9, 9, 5)],
        ]
    }

    #[test]
    fn powers_are_repeated_products() {
        for runs in polynomials() {
            let polynomial = polynomial(&runs);
            let mut product = Series::one();
            for exponent in 0..8 {
                let length = product.0.len();
                let whole_power = power(&runs, exponent, length);
                assert_eq!(whole_power, product, "{runs:?}^{exponent}");

                let limit = length / 2;
                let first_sums = power(&runs, exponent, limit);
                assert_eq!(first_sums.0, product.0[..=limit.min(length - 1)]);

                product = product.times(&polynomial).into_owned();
            }
        }
    }

    #[test]
    fn an_inverse_power_times_the_power_is_one() {
        let all_ways = natural(60);
        for explosions in [vec![run(6, 6, 10)], vec![run(1, 2, 3), run(5, 5, 20)]] {
            for exponent in 1..6 {
                let (scale, limit) = (30, 30);
                let inverse = inverse_power(&explosions, &all_ways, exponent, scale, limit);
                // (all_ways − X)^exponent has negative coefficients, so one factor at a time moves to the other side:
                // all_ways · c = a + X · c.
                let mut lhs = inverse;
                for _ in 0..exponent {
                    let exploded = polynomial(&explosions).times_up_to(&lhs, limit + 1);
                    for (coefficient, exploded) in lhs.0.iter_mut().zip(&exploded.0) {
                        *coefficient = &*coefficient * &all_ways;
                        *coefficient -= exploded;
                    }
                }
                assert_eq!(lhs.0[0], all_ways.pow(scale + exponent));
                assert!(lhs.0[1..].iter().all(Natural::is_zero));
            }
        }
    }
}
