//! What a file works out of a sheet: what a field begins with, how somebody stands, how much harm there is.

use crate::Standing;
use crate::system_file::program::expression::{Expression, Known, Name};
use crate::system_file::program::template::Template;
use crate::words::join;

/// One of the numbers that the value of a field adds up from.
#[derive(Debug)]
pub(crate) struct SheetPart {
    pub(crate) is: Expression,
    pub(crate) told: Template,
}

/// A stat that follows from others, by its place on the sheet.
#[derive(Debug)]
pub(crate) struct DerivedStat {
    pub(crate) place: usize,
    pub(crate) value: Expression,
}

/// What a whole sheet says of its owner.
pub(crate) struct SheetRules {
    /// Stats that follow from others.
    pub(crate) derived: Vec<DerivedStat>,
    /// How somebody stands: the first that holds.
    pub(crate) standings: Vec<(Expression, Standing)>,
    /// How much harm somebody has, and how much takes one out.
    pub(crate) harm: Option<[Expression; 2]>,
}

impl SheetPart {
    /// What they come to together, with the words of those that are not 0.
    pub(crate) fn add_up(
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
        Ok((sum, join(told, ", ")))
    }
}

impl SheetRules {
    /// The places of the stats that follow from others, in the order of the sheet.
    pub(crate) fn derived(&self) -> impl Iterator<Item = usize> + '_ {
        self.derived.iter().map(|stat| stat.place)
    }

    /// The number that the stat at this place follows to; `None` if it does not follow from others.
    pub(crate) fn derive(&self, place: usize, of: impl Fn(Name) -> Known + Copy) -> Option<i32> {
        let stat = self.derived.iter().find(|stat| stat.place == place)?;
        stat.value.amount(of).ok()
    }

    /// How somebody stands; nothing while all is well.
    pub(crate) fn standing(&self, of: impl Fn(Name) -> Known + Copy) -> Option<Standing> {
        let mut standings = self.standings.iter();
        let found = standings.find(|(when, _)| when.holds(of) == Ok(true));
        found.map(|(_, standing)| *standing)
    }

    /// How much harm somebody has, and how much takes one out; none where nobody counts it.
    pub(crate) fn harm(&self, of: impl Fn(Name) -> Known + Copy) -> Option<(i32, i32)> {
        let [is, most] = self.harm.as_ref()?;
        Some((is.amount(of).ok()?, most.amount(of).ok()?))
    }
}
