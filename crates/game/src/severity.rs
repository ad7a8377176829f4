//! The order of conditions in lists: the gravest first.

use super::{Character, Condition, Game};
use tableside_rules::Severity;

impl Game {
    /// Returns how much a condition of a character leaves it able to do. A condition that is the word for a character that
    /// is down is as grave as being down.
    pub fn severity_of(&self, condition: &Condition, character: &Character) -> Severity {
        let standing = self.standing_of(character);
        if standing.is_some_and(|standing| standing.word == condition.name) {
            return Severity::Out;
        }
        self.declared_severity(condition)
    }

    /// Returns the conditions of a character, the gravest first and those that end by themselves last.
    pub fn conditions_by_severity<'a>(&self, character: &'a Character) -> Vec<&'a Condition> {
        let mut conditions: Vec<&Condition> = character.conditions.iter().collect();
        // The sort is stable, so equally grave conditions stay in the order in which they began.
        conditions.sort_by_key(|condition| {
            let severity = self.severity_of(condition, character);
            (severity, condition.duration().is_some() || condition.fades)
        });
        conditions
    }

    /// True if a condition takes the character out of the fight.
    pub(super) fn has_grave_condition(&self, character: &Character) -> bool {
        let mut conditions = character.conditions.iter();
        conditions.any(|condition| self.declared_severity(condition) == Severity::Out)
    }

    /// Returns the severity of a condition in the system file. Conditions that players made up are ordinary.
    fn declared_severity(&self, condition: &Condition) -> Severity {
        self.system
            .spec()
            .conditions
            .iter()
            .find(|spec| spec.name == condition.name)
            .map_or(Severity::Ordinary, |spec| spec.severity)
    }
}
