//! Which pool is likely to have the highest die: the chances of each dominant theme.

use super::{ATTRIBUTES, Against, PAIN, Strategy};
use crate::{Fields, HouseRules, NarrationTheme};

/// The chances of each dominant theme of an attribute roll, those that cannot be left out; empty if
/// the fields make no roll. Ties of disadvantage are taken in order (Gnosis, Resolution: dominant
/// narration theme).
pub(in crate::gnosis) fn of(fields: &Fields, house: &HouseRules) -> Vec<NarrationTheme> {
    let complete = fields.complete().ok();
    let strategy = complete.and_then(|()| Strategy::new(fields, house).ok());
    strategy.map_or_else(Vec::new, |strategy| strategy.narration_themes())
}

/// The chance that the die of a pool that counts shows at most so much: of so many dice of that size the
/// highest, or the lowest.
fn at_most(face: u32, sides: u32, count: u32, lowest: bool) -> f64 {
    let one = f64::from(face.min(sides)) / f64::from(sides);
    let times = i32::try_from(count).unwrap_or(i32::MAX);
    if lowest {
        1.0 - (1.0 - one).powi(times)
    } else {
        one.powi(times)
    }
}

impl Strategy {
    fn narration_themes(&self) -> Vec<NarrationTheme> {
        let tiers = self.worst_tiers();
        let pools = (0..3).map(|index| {
            let count = 1 + u32::from(tiers[index].unsigned_abs());
            let sides = u32::from(self.dice[index].sides());
            (ATTRIBUTES[index].1, sides, count, tiers[index] < 0)
        });
        let mut pools: Vec<(&'static str, u32, u32, bool)> = pools.collect();
        if let Against::Pain(count) = self.against {
            pools.push((PAIN.1, 10, u32::from(count), false));
        }
        let chance = |face: u32, place: usize| {
            let (_, sides, count, lowest) = pools[place];
            at_most(face, sides, count, lowest)
        };
        let strictly = |place: usize| -> f64 {
            let faces = (1..=20).map(|face| {
                let own = chance(face, place) - chance(face - 1, place);
                let others = (0..pools.len()).filter(|other| *other != place);
                let below = others.map(|other| {
                    // Where the first of equals is the theme, those behind it may show as much.
                    let may_tie = self.first_theme && other > place;
                    chance(if may_tie { face } else { face - 1 }, other)
                });
                own * below.product::<f64>()
            });
            faces.sum()
        };
        let themes = pools.iter().enumerate().map(|(place, &(name, ..))| {
            let share = strictly(place);
            NarrationTheme { name, share }
        });
        let mut themes: Vec<NarrationTheme> = themes.collect();
        let known: f64 = themes.iter().map(|theme| theme.share).sum();
        let (name, share) = ("shared", (1.0 - known).max(0.0));
        themes.push(NarrationTheme { name, share });
        themes.retain(|theme| theme.share > 1e-9);
        themes
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
        let all = of(&fields, house).into_iter();
        all.map(|theme| (theme.name, theme.share)).collect()
    }

    #[test]
    fn the_castle_is_most_likely_a_matter_of_power() {
        let castle = [
            ("power-tier", 1),
            ("precision-tier", 2),
            ("possibility-tier", 3),
            ("pain", 5),
        ];
        let found = shares(&castle, &HouseRules::default());
        let told: Vec<String> = found
            .iter()
            .map(|(name, share)| format!("{name} {share:.4}"))
            .collect();
        assert_eq!(
            told,
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
