//! The order of conditions in lists: the gravest first.

use super::{Character, Condition, Game};
use tableside_rules::Severity;

impl Game {
    /// Returns how much a condition of a character leaves it able to do. A condition that is the word for a character that
    /// is down is as grave as being down.
    pub fn severity_of(&self, condition: &Condition, character: &Character) -> Severity {
        match self.standing_of(character) {
            Some(standing) if standing.word == condition.name => standing.severity,
            _ => self.declared_severity(condition),
        }
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

    /// Returns how much the gravest state of a character leaves it able to do: its conditions, and the state in which the
    /// rules see it.
    pub fn gravest_severity(&self, character: &Character) -> Severity {
        let standing = self.standing_of(character);
        let of_standing = standing.map_or(Severity::Ordinary, |standing| standing.severity);
        of_standing.min(self.gravest_condition(character))
    }

    /// True if a condition takes the character out of the fight.
    pub(super) fn has_grave_condition(&self, character: &Character) -> bool {
        self.gravest_condition(character) <= Severity::Out
    }

    fn gravest_condition(&self, character: &Character) -> Severity {
        character
            .conditions
            .iter()
            .map(|condition| self.declared_severity(condition))
            .min()
            .unwrap_or(Severity::Ordinary)
    }

    /// Returns the word for the gravest state in which the character cannot act. `None` if it can act.
    pub fn grave_word<'a>(&self, character: &'a Character) -> Option<&'a str> {
        let standing = self.standing_of(character);
        let conditions = character
            .conditions
            .iter()
            .map(|condition| (self.declared_severity(condition), condition.name.as_str()));
        let (severity, word) = standing
            .map(|standing| (standing.severity, standing.word))
            .into_iter()
            .chain(conditions)
            .min_by_key(|(severity, _)| *severity)?;
        if severity < Severity::Ordinary {
            Some(word)
        } else {
            None
        }
    }

    /// True if the character is dead under the rules.
    pub fn is_dead(&self, character: &Character) -> bool {
        self.gravest_severity(character) == Severity::Dead
    }

    /// Returns the severity of a condition in the system file. Conditions that players made up are ordinary, unless their
    /// name leaves no doubt.
    fn declared_severity(&self, condition: &Condition) -> Severity {
        let mut specs = self.system.spec().conditions.iter();
        match specs.find(|spec| spec.name == condition.name) {
            Some(spec) => spec.severity,
            None => severity_of_word(&condition.name),
        }
    }
}

/// Returns the severity of a condition that the system file does not have.
fn severity_of_word(name: &str) -> Severity {
    match name.to_lowercase().as_str() {
        "dead" => Severity::Dead,
        "dying" | "unconscious" => Severity::Out,
        _ => Severity::Ordinary,
    }
}
