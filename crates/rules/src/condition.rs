//! Conditions that the rules know: what each does to a check.

/// What a condition does to a field in the checks of its bearer: each level adds one, or the field is at most this
/// much.
#[derive(Clone, Copy, Debug)]
pub struct ConditionEffect {
    /// The field.
    pub field: &'static str,
    /// Only where the ability is that one, by its name on the sheet.
    pub ability: Option<&'static str>,
    /// The most that the field may be, where the condition bounds it.
    pub most: Option<i32>,
}

/// A condition that the rules know.
#[derive(Debug)]
pub struct ConditionSpec {
    /// Its name.
    pub name: &'static str,
    /// What it does, in a few words.
    pub help: &'static str,
    /// In which checks it does so, over their fields; empty for all of them.
    pub when: &'static str,
    /// What it does to a check; none where it is told, not counted.
    pub weighs: Option<ConditionEffect>,
}

/// The most levels that count (Heart Rush, Conditions).
pub const MOST_LEVELS: i32 = 5;
