//! Conditions that the rules know: what each does to a check.

/// What a condition does to the checks of whoever has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weighs {
    /// Each of its levels is one more in that field, where the ability is that one.
    On {
        /// The field.
        field: &'static str,
        /// The ability, by its name on the sheet.
        ability: &'static str,
    },
    /// Each of its levels is one more in that field.
    Always {
        /// The field.
        field: &'static str,
    },
    /// The field is at most so much.
    AtMost {
        /// The field.
        field: &'static str,
        /// The most.
        most: i32,
    },
    /// It is told, not counted.
    Told,
}

/// A condition that the rules know.
#[derive(Clone, Copy, Debug)]
pub struct ConditionSpec {
    /// Its name.
    pub name: &'static str,
    /// What it does, in a few words.
    pub help: &'static str,
    /// What it does to a check.
    pub weighs: Weighs,
}

/// The most levels that count (Heart Rush, Conditions).
pub const MOST_LEVELS: i32 = 5;
