//! The conditions of a rule system and their effects on checks.

use strum::{EnumString, VariantNames};

/// The effect of a condition on a field of checks: each level adds 1 to the field, or the condition limits the field to a
/// largest value.
#[derive(Clone, Copy, Debug)]
pub struct ConditionEffect {
    /// The id of the field.
    pub field: &'static str,
    /// The stat of the sheet that the check must use; `None` for every check.
    pub ability: Option<&'static str>,
    /// The largest value of the field; `None` if each level of the condition adds 1.
    pub most: Option<i32>,
    /// The character that must have the condition.
    pub of: ConditionBearer,
    /// The ids of the checks that it applies to; empty for every check that has the field.
    pub checks: &'static [&'static str],
    /// An expression over the fields of a check. The effect applies to the checks for which it is true; to all checks if
    /// it is empty.
    pub when: &'static str,
}

/// The character whose condition has an effect on a check.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ConditionBearer {
    /// The rolling character.
    #[default]
    Roller,
    /// The opponent: attacks against a blinded character have advantage.
    Opponent,
}

/// How much a condition leaves a character able to do. The gravest comes first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, EnumString, VariantNames)]
#[strum(serialize_all = "kebab-case")]
pub enum Severity {
    /// The character is dead, and healing does not help.
    Dead,
    /// The character is out of the fight and gets no turns: dying, taken out.
    Out,
    /// The character cannot act: unconscious, stunned.
    Incapacitated,
    /// The character can act.
    #[default]
    Ordinary,
}

/// A condition of the rules.
#[derive(Debug)]
pub struct ConditionSpec {
    /// The name.
    pub name: &'static str,
    /// A description of the effect in a few words.
    pub help: &'static str,
    /// The effects on fields. Players apply other effects themselves, as `help` describes them.
    pub effects: &'static [ConditionEffect],
    /// The highest level. A condition with the highest level 1 has no levels.
    pub levels: i32,
    /// The condition that begins when this one reaches its highest level; empty if none does.
    pub at_highest: &'static str,
    /// The conditions that begin with this one. They stay when it ends.
    pub begins: &'static [&'static str],
    /// The conditions that end when this one begins.
    pub ends: &'static [&'static str],
    /// Lists show the gravest conditions first.
    pub severity: Severity,
}

impl ConditionSpec {
    /// True if the condition has levels.
    pub fn has_levels(&self) -> bool {
        self.levels > 1
    }
}

/// The highest level of most conditions that has an effect (Heart Rush, Conditions).
pub const MOST_LEVELS: i32 = 5;
