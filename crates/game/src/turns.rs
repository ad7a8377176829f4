//! The order of turns in a fight: who acts when, who takes no turn, and what is due in a turn.

use super::{Allegiance, Character, CharacterId, ConditionEnd, Game, Initiative};
use tableside_rules::{CheckSpec, Severity};

/// The initiatives of the side that acts first, and of the other one, in a fight that goes by side. Other numbers fit between
/// them.
pub const SIDE_INITIATIVES: [i32; 2] = [20, 10];

impl Game {
    /// True if any character has a place in the order of turns.
    pub fn has_turn_order(&self) -> bool {
        self.roster.iter().any(Character::is_in_turn_order)
    }

    /// The characters with a place in the order of turns, the highest initiative first. The order stays the same while
    /// turns pass.
    pub fn turn_order(&self) -> Vec<&Character> {
        let mut order: Vec<&Character> = self
            .roster
            .iter()
            .filter(|character| character.is_in_turn_order())
            .collect();
        order.sort_by_key(|character| character.place_in_turn());
        order
    }

    /// The characters yet to act in this round, the current one first. Characters that cannot act are left out.
    pub fn turns(&self) -> Vec<&Character> {
        let mut turns = self.turn_order();
        turns.retain(|character| !character.acted && self.takes_turn(character));
        turns
    }

    /// True if the character is out of the fight, in the words of the rules: down, dead, taken out. Of a redacted sheet,
    /// only the word for the health is known.
    pub fn is_down(&self, character: &Character) -> bool {
        character.health == Some("down") || self.gravest_severity(character) <= Severity::Out
    }

    /// Gives a character that joins a fight by side the place of its side. If the whole side has acted in this round, the
    /// character acts from the next round on.
    pub(super) fn join_side(&self, character: &mut Character) {
        let takes_turns = character.is_combatant() && character.side != Allegiance::Neutral;
        if character.initiative.is_some() || !takes_turns {
            return;
        }
        let Some(initiative) = self.initiative_of_side(character.side) else {
            return;
        };

        character.initiative = Some(initiative);
        let order = self.turn_order();
        let mut side = order
            .iter()
            .filter(|other| other.initiative == Some(initiative) && other.id != character.id);
        let has_members = side.clone().next().is_some();
        character.acted = has_members && side.all(|other| other.acted);
    }

    /// The initiative of a side in a fight that goes by side. `None` if the order of turns has other numbers.
    fn initiative_of_side(&self, side: Allegiance) -> Option<Initiative> {
        let is_adversary = |side| side == Allegiance::Adversary;
        let [first, second] = SIDE_INITIATIVES.map(Initiative::from);
        let mut adversaries_are_first = None;
        for character in self.turn_order() {
            let initiative = character.initiative?;
            if initiative != first && initiative != second {
                return None;
            }
            let says_first = is_adversary(character.side) == (initiative == first);
            if *adversaries_are_first.get_or_insert(says_first) != says_first {
                return None;
            }
        }

        if is_adversary(side) == adversaries_are_first? {
            Some(first)
        } else {
            Some(second)
        }
    }

    /// True if a character with a place in the order gets a turn. A character that is down gets one only if it belongs
    /// to the players and the rules ask it for a roll, such as a death save.
    pub fn takes_turn(&self, character: &Character) -> bool {
        if !self.is_down(character) {
            return true;
        }

        let is_of_players = character.side == Allegiance::Party || !character.player.is_empty();
        is_of_players && self.asks_for_roll(character)
    }

    /// True if the rules ask a character that is down for a roll.
    fn asks_for_roll(&self, character: &Character) -> bool {
        self.due_check(character).is_some()
    }

    /// The check that the rules ask a character that is down to roll in its turn. `None` if a condition settles its state,
    /// such as dying after the roll against death.
    pub fn due_check(&self, character: &Character) -> Option<&'static CheckSpec> {
        let standing = self.standing_of(character)?;
        if self.has_grave_condition(character) {
            return None;
        }
        if !standing.check.is_empty() {
            return self.system.check(standing.check).ok();
        }
        if standing.asks.is_empty() {
            return None;
        }
        self.system.spec().checks.first().copied()
    }

    /// Describes what is due in the turn of a character: the roll that the rules ask for, and the conditions that end
    /// with the turn.
    pub fn due_in_turn(&self, character: &Character) -> Vec<String> {
        let mut due = Vec::new();
        if let Some(check) = self.due_check(character) {
            due.push(check.label.to_lowercase());
        }
        for condition in &character.conditions {
            if condition.is_over_at(ConditionEnd::TurnEnd) {
                due.push(format!("{} ends after this turn", condition.name));
            }
        }
        due
    }

    /// Counts the conditions of a character that end at this moment of its turn, and returns messages about those that
    /// are over.
    pub(super) fn expire_conditions(
        &mut self,
        id: CharacterId,
        moment: ConditionEnd,
    ) -> Vec<String> {
        let Some(character) = self.character_mut(id) else {
            return Vec::new();
        };
        let is_affected = character
            .conditions
            .iter()
            .any(|condition| condition.ends == moment);
        if !is_affected {
            return Vec::new();
        }

        let mut messages = Vec::new();
        let name = character.name.clone();
        for mut condition in std::mem::take(&mut character.conditions) {
            if condition.ends != moment || condition.run_down() {
                character.conditions.push(condition);
            } else {
                messages.push(format!("{name} is no longer {}", condition.name));
            }
        }
        messages
    }
}

impl Character {
    /// True if the character has a place in the order of turns.
    pub fn is_in_turn_order(&self) -> bool {
        self.initiative.is_some() && self.is_combatant()
    }
}
