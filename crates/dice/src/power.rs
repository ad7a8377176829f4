//! Computes powers of polynomials with running sums: the number of ways in which many equal dice reach each sum.
//!
//! A die is a polynomial: the coefficient of `x^f` is the number of ways to show the face `f`. Many equal dice are a
//! power of it. Each coefficient of a power is computed from those before it (J. C. P. Miller's recurrence). A run of
//! equally likely neighbouring faces needs only one running sum. So the work depends on the number of sums and runs,
//! and neither on the number of dice nor on the number of faces.

use crate::Natural;

/// Neighbouring exponents with the same coefficient: from `from` to `to`, both included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct WeightRun {
    pub from: usize,
    pub to: usize,
    pub weight: Natural,
}

/// Returns the coefficients of a polynomial's power, up to that of `x^limit`.
///
/// The polynomial has a run from the exponent 0. Its runs are in order and do not overlap.
///
/// With `c` the coefficients of the power and `p` those of the polynomial, `t · p₀ · c(t)` is
/// `Σ ((power + 1) · i − t) · pᵢ · c(t − i)` over all `i` from 1 up.
pub(crate) fn power(runs: &[WeightRun], power: usize, limit: usize) -> Vec<Natural> {
    let (Some(first), Some(last)) = (runs.first(), runs.last()) else {
        return vec![Natural::ONE];
    };
    let top = power * last.to;
    let is_fair = runs.len() == 1;
    let needed = if is_fair && limit >= top {
        // The sums of fair dice are symmetrical.
        top / 2
    } else {
        limit.min(top)
    };

    let one_more = Natural::from(power + 1);
    let mut sums: Vec<RunningSum<'_>> = runs.iter().filter_map(RunningSum::new).collect();
    let mut coefficients = Vec::with_capacity(needed + 1);
    coefficients.push(first.weight.pow(power));
    for index in 1..=needed {
        let (plain, weighted) = advance_all(&mut sums, &coefficients);
        let mut dividend = &weighted * &one_more;
        dividend -= &(&plain * &Natural::from(index));
        coefficients.push(&dividend / &(&first.weight * &Natural::from(index)));
    }

    if is_fair && limit >= top {
        let mirrored = top - needed;
        for index in (0..mirrored).rev() {
            coefficients.push(coefficients[index].clone());
        }
    }
    coefficients
}

/// Returns the coefficients of `(1 − X / whole)^−power`, up to that of `x^limit`, each multiplied by `whole^scale`.
///
/// `X` has no constant part. `scale` must be at least the number of factors `X` in `x^limit`, so that all products are
/// whole numbers.
///
/// With `c` the coefficients, `t · whole · c(t)` is `Σ ((power − 1) · i + t) · Xᵢ · c(t − i)` over all `i` from 1 up.
pub(crate) fn inverse_power(
    runs: &[WeightRun],
    whole: &Natural,
    power: usize,
    scale: usize,
    limit: usize,
) -> Vec<Natural> {
    if power == 0 {
        return vec![whole.pow(scale)];
    }

    let one_less = Natural::from(power - 1);
    let mut sums: Vec<RunningSum<'_>> = runs.iter().filter_map(RunningSum::new).collect();
    let mut coefficients = Vec::with_capacity(limit + 1);
    coefficients.push(whole.pow(scale));
    for index in 1..=limit {
        let (plain, weighted) = advance_all(&mut sums, &coefficients);
        if plain.is_zero() {
            coefficients.push(Natural::ZERO);
            continue;
        }
        let mut dividend = &weighted * &one_less;
        dividend.add_product(&plain, &Natural::from(index));
        coefficients.push(&dividend / &(whole * &Natural::from(index)));
    }
    coefficients
}

/// Returns the first `length` coefficients of a product.
pub(crate) fn multiply(lhs: &[Natural], rhs: &[Natural], length: usize) -> Vec<Natural> {
    let length = length.min((lhs.len() + rhs.len()).saturating_sub(1));
    let mut product = vec![Natural::ZERO; length];
    for (shift, factor) in lhs.iter().enumerate().take(length) {
        if factor.is_zero() {
            continue;
        }
        for (coefficient, sum) in rhs.iter().zip(&mut product[shift..]) {
            sum.add_product(factor, coefficient);
        }
    }
    product
}

/// The sums over one run: of `c(t − i)` and of `i · c(t − i)`, for all `i` of the run.
struct RunningSum<'a> {
    from: usize,
    to: usize,
    weight: &'a Natural,
    plain: Natural,
    weighted: Natural,
}

impl<'a> RunningSum<'a> {
    /// The sums do not include the exponent 0. `None` if the run has no other exponent.
    fn new(run: &'a WeightRun) -> Option<Self> {
        if run.to == 0 {
            return None;
        }
        Some(Self {
            from: run.from.max(1),
            to: run.to,
            weight: &run.weight,
            plain: Natural::ZERO,
            weighted: Natural::ZERO,
        })
    }

    /// Moves the sums to the next coefficient, behind all that are known.
    fn advance(&mut self, coefficients: &[Natural]) {
        let index = coefficients.len();
        let entering = index.checked_sub(self.from);

        if self.from == self.to {
            self.plain = match entering {
                Some(entering) => coefficients[entering].clone(),
                None => Natural::ZERO,
            };
            self.weighted = &self.plain * &Natural::from(self.from);
            return;
        }

        // All exponents grow by one.
        self.weighted += &self.plain;
        if let Some(leaving) = index.checked_sub(self.to + 1) {
            let leaving = &coefficients[leaving];
            self.weighted -= &(leaving * &Natural::from(self.to + 1));
            self.plain -= leaving;
        }
        if let Some(entering) = entering {
            let entering = &coefficients[entering];
            self.weighted
                .add_product(entering, &Natural::from(self.from));
            self.plain += entering;
        }
    }
}

/// Moves all sums to the next coefficient. Returns the plain and the weighted sum over all runs, each run multiplied by
/// its weight.
fn advance_all(sums: &mut [RunningSum<'_>], coefficients: &[Natural]) -> (Natural, Natural) {
    let mut plain = Natural::ZERO;
    let mut weighted = Natural::ZERO;
    for sum in sums {
        sum.advance(coefficients);
        plain.add_product(&sum.plain, sum.weight);
        weighted.add_product(&sum.weighted, sum.weight);
    }
    (plain, weighted)
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

    fn coefficients(runs: &[WeightRun]) -> Vec<Natural> {
        let top = runs.iter().map(|run| run.to).max().unwrap_or(0);
        let mut coefficients = vec![Natural::ZERO; top + 1];
        for run in runs {
            coefficients[run.from..=run.to].fill(run.weight.clone());
        }
        coefficients
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
            let polynomial = coefficients(&runs);
            let mut product = vec![Natural::ONE];
            for exponent in 0..8 {
                let length = product.len();
                assert_eq!(
                    power(&runs, exponent, length),
                    product,
                    "{runs:?}^{exponent}"
                );
                let some = length / 2;
                assert_eq!(
                    power(&runs, exponent, some),
                    product[..=some.min(length - 1)]
                );
                product = multiply(&product, &polynomial, usize::MAX);
            }
        }
    }

    #[test]
    fn an_inverse_power_times_the_power_is_one() {
        let whole = natural(60);
        for explosions in [vec![run(6, 6, 10)], vec![run(1, 2, 3), run(5, 5, 20)]] {
            for exponent in 1..6 {
                let (scale, limit) = (30, 30);
                let inverse = inverse_power(&explosions, &whole, exponent, scale, limit);
                // (whole − X)^exponent has negative coefficients, so one factor at a time moves to the other side:
                // whole · c = a + X · c.
                let mut lhs = inverse;
                for _ in 0..exponent {
                    let product = multiply(&coefficients(&explosions), &lhs, limit + 1);
                    lhs = lhs
                        .iter()
                        .zip(&product)
                        .map(|(coefficient, exploded)| {
                            let mut product = coefficient * &whole;
                            product -= exploded;
                            product
                        })
                        .collect();
                }
                assert_eq!(lhs[0], whole.pow(scale + exponent));
                assert!(lhs[1..].iter().all(Natural::is_zero));
            }
        }
    }
}
