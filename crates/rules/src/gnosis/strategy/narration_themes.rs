//! The probability of each dominant narration theme (Gnosis, Resolution): the pool with the highest counting die.

use super::{ATTRIBUTES, Opposition, PAIN_POOL, Strategy};
use crate::{Fields, HouseRules, NarrationTheme};

/// The largest number of sides of a die in Gnosis.
const MAX_FACE: u32 = 20;

/// Themes with a smaller probability are omitted.
const LEAST_SHARE: f64 = 1e-9;

/// Returns the probability of each dominant theme of an attribute roll; empty if these fields cannot be rolled.
///
/// Among attributes with equal advantage, each level of disadvantage lowers the first.
pub(in crate::gnosis) fn narration_themes(
    fields: &Fields,
    house: &HouseRules,
) -> Vec<NarrationTheme> {
    if fields.complete().is_err() {
        return Vec::new();
    }
    match Strategy::new(fields, house) {
        Ok(strategy) => strategy.narration_themes(),
        Err(_) => Vec::new(),
    }
}

/// The dice that compete for the theme.
struct ThemePool {
    name: &'static str,
    sides: u32,
    count: u32,
    /// True if the lowest die counts instead of the highest.
    counts_lowest: bool,
}

impl ThemePool {
    /// Returns the probability that the highest counting die shows at most this face.
    fn at_most(&self, face: u32) -> f64 {
        let of_one_die = f64::from(face.min(self.sides)) / f64::from(self.sides);
        let count = i32::try_from(self.count).unwrap_or(i32::MAX);
        if self.counts_lowest {
            1.0 - (1.0 - of_one_die).powi(count)
        } else {
            of_one_die.powi(count)
        }
    }

    /// Returns the probability that the highest counting die shows this face.
    fn exactly(&self, face: u32) -> f64 {
        self.at_most(face) - self.at_most(face - 1)
    }
}

impl Strategy {
    fn narration_themes(&self) -> Vec<NarrationTheme> {
        let pools = self.theme_pools();

        let mut themes = Vec::new();
        for (place, pool) in pools.iter().enumerate() {
            themes.push(NarrationTheme {
                name: pool.name,
                share: self.theme_share(&pools, place),
            });
        }

        let sum: f64 = themes.iter().map(|theme| theme.share).sum();
        themes.push(NarrationTheme {
            name: "shared",
            share: (1.0 - sum).max(0.0),
        });
        themes.retain(|theme| theme.share > LEAST_SHARE);
        themes
    }

    fn theme_pools(&self) -> Vec<ThemePool> {
        let mut pools = Vec::new();
        for (place, tier) in self.tiers_by_default().into_iter().enumerate() {
            pools.push(ThemePool {
                name: ATTRIBUTES[place].name,
                sides: self.dice[place].sides().into(),
                count: 1 + u32::from(tier.unsigned_abs()),
                counts_lowest: tier < 0,
            });
        }

        if let Opposition::Pain(count) = self.opposition {
            pools.push(ThemePool {
                name: PAIN_POOL.name,
                sides: 10,
                count: count.into(),
                counts_lowest: false,
            });
        }
        pools
    }

    /// Returns the probability that the pool with this index alone decides the theme.
    fn theme_share(&self, pools: &[ThemePool], place: usize) -> f64 {
        let mut share = 0.0;
        for face in 1..=MAX_FACE {
            let mut others_are_lower = 1.0;
            for (other_place, other) in pools.iter().enumerate() {
                if other_place == place {
                    continue;
                }
                // If the first of equal pools decides the theme, later pools may show the same face.
                let may_be_equal = self.first_pool_is_theme && other_place > place;
                let highest_allowed = if may_be_equal { face } else { face - 1 };
                others_are_lower *= other.at_most(highest_allowed);
            }
            share += pools[place].exactly(face) * others_are_lower;
        }
        share
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::System;

    fn shares(given: &[(&str, i32)], house: &HouseRules) -> Vec<(&'static str, f64)> {
        let spec = System::GNOSIS.check("strategy").unwrap();
        let given = given.iter().map(|(id, value)| (*id, (*value).into()));
        let fields = Fields::new(spec, given).unwrap();
        narration_themes(&fields, house)
            .into_iter()
            .map(|theme| (theme.name, theme.share))
            .collect()
    }

    #[test]
    fn the_castle_is_most_likely_a_matter_of_power() {
        let castle = [
            ("power-tier", 1),
            ("precision-tier", 2),
            ("possibility-tier", 3),
            ("pain", 5),
        ];
        let shares = shares(&castle, &HouseRules::default());
        let formatted: Vec<String> = shares
            .iter()
            .map(|(name, share)| format!("{name} {share:.4}"))
            .collect();
        assert_eq!(
            formatted,
            [
                "Power 0.3862",
                "Precision 0.1281",
                "Possibility 0.0094",
                "Pain 0.2404",
                "shared 0.2359"
            ]
        );
    }
}
