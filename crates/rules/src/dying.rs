//! The rules for characters at 0 hit points.

use super::Id;

/// The stat that counts hit points.
pub const HIT_POINTS: &str = "hit-points";

/// The rules for characters at 0 hit points.
#[derive(Clone, Copy, Debug)]
pub struct DyingRules {
    /// The name of the condition that a character at 0 hit points gets. It ends when the character regains hit points.
    pub falls: &'static str,
    /// The name of the condition of a stable character, who has 0 hit points but need not roll saves.
    pub stable: &'static str,
    /// The name of the condition of a dead character.
    pub dead: &'static str,
    /// The pool that counts failed saves.
    pub failures: Id,
    /// The pool that counts saves that succeeded.
    pub successes: Id,
    /// The id of the check that a character at 0 hit points rolls to survive.
    pub save: &'static str,
    /// The id of the check by which a stable character regains a hit point; empty if there is none.
    pub recovery: &'static str,
    /// The id of the stat with the hit point maximum. A character dies at once if damage takes its hit points below 0
    /// by at least this maximum.
    pub most: &'static str,
    /// True if characters without a player die at 0 hit points, unless they are on the players' side.
    pub others_die: bool,
    /// The id of the outcome of an attack that counts as two failed saves against a character at 0 hit points.
    pub critical: &'static str,
    /// The id of the field of an attack that leaves a character with 1 hit point instead of 0.
    pub knocks_out: &'static str,
    /// The text that counts the saves on a card, with the placeholders `{successes}` and `{failures}`. Empty if cards do not
    /// count them.
    pub counts: &'static str,
    /// The id of the stat in whose place a card shows `counts` while the character rolls saves.
    pub counts_in: &'static str,
}

/// The placeholder for the number of saves that succeeded in [`DyingRules::counts`].
const SUCCESSES: &str = "{successes}";
/// The placeholder for the number of saves that failed in [`DyingRules::counts`].
const FAILURES: &str = "{failures}";

impl DyingRules {
    /// Returns the text that counts these saves on a card.
    pub fn describe_counts(&self, successes: i32, failures: i32) -> String {
        self.counts
            .replace(SUCCESSES, &successes.to_string())
            .replace(FAILURES, &failures.to_string())
    }
}
