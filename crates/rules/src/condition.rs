//! The conditions of a rule system and their effects on checks.

/// The effect of a condition on a field of the checks that its character makes: each level adds 1 to the field, or the
/// condition limits the field to a largest value.
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
    /// A description of the effect in a few words.
    pub help: &'static str,
    /// An expression over the fields of a check. The condition affects the checks for which it is true; all checks if
    /// it is empty.
    pub when: &'static str,
    /// The effect on a field; `None` if players apply the effect themselves, as `help` describes it.
    pub weighs: Option<ConditionEffect>,
}

/// The highest level of a condition that has an effect (Heart Rush, Conditions).
pub const MOST_LEVELS: i32 = 5;
