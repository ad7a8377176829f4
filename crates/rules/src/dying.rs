//! What a system's file says of characters at 0 hit points.

use super::Id;

/// The stat that counts hit points.
pub const HIT_POINTS: &str = "hit-points";

/// What happens at 0 hit points.
#[derive(Clone, Copy, Debug)]
pub struct DyingRules {
    /// The condition of a character at 0 hit points; it goes when hit points come back.
    pub falls: &'static str,
    /// The condition of a character at 0 hit points who makes no more saves.
    pub stable: &'static str,
    /// The condition of a dead character.
    pub dead: &'static str,
    /// The pool that counts failed saves.
    pub failures: Id,
    /// The pool that counts saves that succeeded.
    pub successes: Id,
    /// The check by which a character at 0 hit points fights death.
    pub save: &'static str,
    /// The stat with the hit point maximum. As much damage at once, beyond 0 hit points, kills.
    pub most: &'static str,
    /// Whether a character of the other side, or of neither side, dies at 0 hit points, if no player plays it.
    pub others_die: bool,
    /// The outcome of a roll whose damage counts twice against a character at 0 hit points.
    pub critical: &'static str,
    /// The field of a roll that leaves a character with 1 hit point where it would have 0.
    pub knocks_out: &'static str,
}
