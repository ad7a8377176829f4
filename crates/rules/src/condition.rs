//! The conditions of a rule system and their effects on checks.

/// The effect of a condition on a field of the checks that its character makes: each level adds 1 to the field, or the
/// field has a largest value.
#[derive(Clone, Copy, Debug)]
pub struct ConditionEffect {
    /// The id of the field.
    pub field: &'static str,
    /// The stat of the sheet that the check must use; `None` for every check.
    pub ability: Option<&'static str>,
    /// The largest value of the field; `None` if each level of the condition adds 1.
    pub most: Option<i32>,
}

/// A condition of the rules.
#[derive(Debug)]
pub struct ConditionSpec {
    /// The name.
    pub name: &'static str,
    /// The effect, in a few words.
    pub help: &'static str,
    /// The checks in which the condition has its effect, as an expression over their fields; empty for all checks.
    pub when: &'static str,
    /// The effect on a field; `None` if the effect is described in words alone.
    pub weighs: Option<ConditionEffect>,
}

/// The highest level of a condition that has an effect (Heart Rush, Conditions).
pub const MOST_LEVELS: i32 = 5;
