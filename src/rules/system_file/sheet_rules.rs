//! What a file works out of a sheet: what a field begins with, how somebody stands, how much harm there is.

use super::expression::{Expression, Known, Name};
use super::template::Template;
use crate::rules::Standing;
use crate::rules::words::joined;

/// One of the numbers that the value of a field adds up from.
#[derive(Debug)]
pub(in crate::rules) struct SheetPart {
    pub(super) is: Expression,
    pub(super) told: Template,
}

/// What a whole sheet says of its owner.
pub(in crate::rules) struct SheetRules {
    /// How somebody stands: the first that holds.
    pub(super) standings: Vec<(Expression, Standing)>,
    /// How much harm somebody has, and how much takes one out.
    pub(super) harm: Option<[Expression; 2]>,
}

impl SheetPart {
    /// What they come to together, with the words of those that are not 0.
    pub(in crate::rules) fn add_up(
        parts: &[Self],
        of: impl Fn(Name) -> Known + Copy,
    ) -> Result<(i32, String), String> {
        let (mut sum, mut told) = (0_i32, Vec::new());
        for part in parts {
            let amount = part.is.amount(of)?;
            sum = sum.saturating_add(amount);
            if amount != 0 {
                told.push(part.told.filled(of)?);
            }
        }
        Ok((sum, joined(told, ", ")))
    }
}

impl SheetRules {
    /// How somebody stands; nothing while all is well.
    pub(in crate::rules) fn standing(&self, of: impl Fn(Name) -> Known + Copy) -> Option<Standing> {
        let mut standings = self.standings.iter();
        let found = standings.find(|(when, _)| when.holds(of) == Ok(true));
        found.map(|(_, standing)| *standing)
    }

    /// How much harm somebody has, and how much takes one out; none where nobody counts it.
    pub(in crate::rules) fn harm(&self, of: impl Fn(Name) -> Known + Copy) -> Option<(i32, i32)> {
        let [is, most] = self.harm.as_ref()?;
        Some((is.amount(of).ok()?, most.amount(of).ok()?))
    }
}
