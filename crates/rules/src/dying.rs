//! The rules for characters at 0 hit points.

use super::Id;

/// The stat that counts hit points.
pub const HIT_POINTS: &str = "hit-points";

/// The rules for characters at 0 hit points.
#[derive(Clone, Copy, Debug)]
pub struct DyingRules {
    /// The condition of a character at 0 hit points. It ends when the character regains hit points.
    pub falls: &'static str,
    /// The condition of a stable character at 0 hit points, who rolls no more saves.
    pub stable: &'static str,
    /// The condition of a dead character.
    pub dead: &'static str,
    /// The pool that counts failed saves.
    pub failures: Id,
    /// The pool that counts saves that succeeded.
    pub successes: Id,
    /// The check by which a character at 0 hit points fights death.
    pub save: &'static str,
    /// The stat with the hit point maximum. A character dies at once if the damage beyond 0 hit points is at least as high.
    pub most: &'static str,
    /// True if characters without a player die at 0 hit points, unless they are on the players' side.
    pub others_die: bool,
    /// The outcome of a roll whose damage counts twice against a character at 0 hit points.
    pub critical: &'static str,
    /// The field of a roll that leaves a character with 1 hit point instead of 0.
    pub knocks_out: &'static str,
}
