//! What a rest restores.

use super::RestKind;

/// What the kinds of rest restore besides pools, which name their rest themselves.
#[derive(Clone, Copy, Debug, Default)]
pub struct RestRules {
    /// After a short rest.
    pub short: Recovery,
    /// After a long rest.
    pub long: Recovery,
}

/// What one kind of rest restores.
#[derive(Clone, Copy, Debug, Default)]
pub struct Recovery {
    /// True if hit points go back to the maximum.
    pub heals: bool,
    /// The names of the conditions that lose a level.
    pub eases: &'static [&'static str],
    /// The names of the conditions that end.
    pub ends: &'static [&'static str],
}

impl RestRules {
    /// Returns what this kind of rest restores.
    pub fn of(&self, rest: RestKind) -> &Recovery {
        match rest {
            RestKind::Short => &self.short,
            RestKind::Long => &self.long,
        }
    }
}

impl Recovery {
    /// True if the rest restores anything.
    pub fn has_effect(&self) -> bool {
        self.heals || !self.eases.is_empty() || !self.ends.is_empty()
    }
}
