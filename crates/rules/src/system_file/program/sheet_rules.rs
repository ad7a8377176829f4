//! The rules for a whole sheet: derived stats, standings, damage, and the sums that fields are derived from.

use super::expression::{Expression, ExpressionValue, ResolvedName};
use super::template::Template;
use crate::Standing;
use crate::words::join;

/// A term of the sum that a field is derived from.
#[derive(Debug)]
pub(crate) struct SheetPart {
    pub(crate) amount: Expression,
    /// A text that explains the term.
    pub(crate) explanation: Template,
}

/// A stat that is derived from other stats.
#[derive(Debug)]
pub(crate) struct DerivedStat {
    /// The index of the stat on the sheet.
    pub(crate) place: usize,
    pub(crate) value: Expression,
}

/// A state that a character can be in.
pub(crate) struct StandingRule {
    /// True for the characters in this state.
    pub(crate) when: Expression,
    pub(crate) standing: Standing,
    /// The stats that change if a GM ends the state: the index of each stat on the sheet, and its new number. A list of
    /// ranks is reduced until the sum of its ranks is this number.
    pub(crate) ends: Vec<(usize, Expression)>,
}

/// The rules for a whole sheet.
pub(crate) struct SheetRules {
    pub(crate) derived: Vec<DerivedStat>,
    /// A character is in the first of these states whose condition holds.
    pub(crate) standings: Vec<StandingRule>,
    /// `None` if the rules count no damage.
    pub(crate) harm: Option<HarmRule>,
}

/// How the rules count the damage of a character.
#[derive(Debug)]
pub(crate) struct HarmRule {
    /// The damage that the character has.
    pub(crate) damage: Expression,
    /// The damage that takes the character out.
    pub(crate) max_damage: Expression,
}

/// The damage of a character.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Harm {
    pub(crate) damage: i32,
    /// The damage that takes the character out.
    pub(crate) max_damage: i32,
}

impl SheetPart {
    /// Returns the sum of the terms, with the explanations of those that are not 0.
    pub(crate) fn add_up(
        parts: &[Self],
        value_of: impl Fn(ResolvedName) -> ExpressionValue + Copy,
    ) -> Result<(i32, String), String> {
        let mut sum = 0_i32;
        let mut explanations = Vec::new();

        for part in parts {
            let amount = part.amount.amount(value_of)?;
            if amount != 0 {
                sum = sum.saturating_add(amount);
                explanations.push(part.explanation.filled(value_of)?);
            }
        }
        Ok((sum, join(explanations, ", ")))
    }
}

impl SheetRules {
    /// Returns the indices of the derived stats, in the order of the sheet.
    pub(crate) fn derived(&self) -> impl Iterator<Item = usize> + '_ {
        self.derived.iter().map(|stat| stat.place)
    }

    /// Returns the number of the derived stat with this index; `None` if the stat is not derived.
    pub(crate) fn derive(
        &self,
        place: usize,
        value_of: impl Fn(ResolvedName) -> ExpressionValue + Copy,
    ) -> Option<i32> {
        let mut derived = self.derived.iter();
        let stat = derived.find(|stat| stat.place == place)?;
        stat.value.amount(value_of).ok()
    }

    /// Returns the state of a character; `None` if no condition of a state holds.
    pub(crate) fn standing(
        &self,
        value_of: impl Fn(ResolvedName) -> ExpressionValue + Copy,
    ) -> Option<&StandingRule> {
        self.standings
            .iter()
            .find(|rule| rule.when.holds(value_of) == Ok(true))
    }

    /// Returns the damage of a character; `None` if the rules count no damage.
    pub(crate) fn harm(
        &self,
        value_of: impl Fn(ResolvedName) -> ExpressionValue + Copy,
    ) -> Option<Harm> {
        let rule = self.harm.as_ref()?;
        let damage = rule.damage.amount(value_of).ok()?;
        let max_damage = rule.max_damage.amount(value_of).ok()?;
        Some(Harm { damage, max_damage })
    }
}
