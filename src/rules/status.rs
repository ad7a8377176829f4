//! How somebody stands: up, or brought so low that the rules have a word for it.

use super::{House, Sheet};

/// A state that the rules have a word for, read off a sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// The word: `down`, `dead`, `taken out`.
    pub word: &'static str,
    /// What it means at the table.
    pub means: &'static str,
}

impl Sheet {
    /// How somebody with this sheet stands at a table of these house rules; nothing while all is well.
    pub fn standing(&self, house: &House) -> Option<Standing> {
        (self.system().spec().standing)(self, house)
    }

    /// The most hit points, lowered by the ranks of all wounds (Heart Rush, Wounds); nothing where the
    /// rules know no such limit.
    pub fn most_hit_points(&self) -> Option<i32> {
        let wounds: i32 = self.ranks("wounds").iter().map(|(_, rank)| rank).sum();
        Some(self.number("hit-points-most")? - wounds)
    }
}
