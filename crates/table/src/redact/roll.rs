//! Redacts rolls, and the names in them, for a seat.

use super::{Redactor, SOMEBODY};
use tableside_game::{CharacterId, Origin, PoolId, Roll};
use tableside_rules::{Effect, Party};

/// A character other than the roller that a roll names.
struct NamedInRoll {
    recorded: String,
    /// `None` if the character is hidden from the seat.
    present: Option<String>,
}

/// Returns the present name for a recorded one. `None` if the character is hidden from the seat.
fn present_name(names: &[NamedInRoll], recorded: &str) -> Option<String> {
    match names.iter().find(|name| name.recorded == recorded) {
        Some(name) => name.present.clone(),
        None => Some(recorded.to_owned()),
    }
}

impl Redactor<'_> {
    /// Removes hidden characters from a roll, and gives the others their present names, because a recorded name may be
    /// from the time when the character was hidden.
    pub(super) fn redact_roll(&self, roll: &mut Roll) {
        let recorded_roller = roll.who.clone();
        let present_roller = roll.id.and_then(|id| self.name(id));
        if let Some(name) = present_roller {
            name.clone_into(&mut roll.who);
        }

        let names = self.other_names(roll);
        roll.effects.retain(|effect| self.sees_effect(effect));
        for effect in &mut roll.effects {
            self.rename_in_effect(effect, &recorded_roller, &roll.who, &names);
        }
        roll.effects.retain(|effect| match effect {
            Effect::SharedWith { names } => !names.is_empty(),
            _ => true,
        });

        roll.helpers.retain_mut(|helper| self.update_name(helper));
        let shown_helpers: Vec<CharacterId> = roll.helpers.iter().map(|helper| helper.id).collect();
        roll.acted_before
            .retain(|helper| shown_helpers.contains(helper));
        for origin in roll.sources.values_mut() {
            self.redact_origin(origin);
        }
        roll.clock = roll.clock.filter(|id| self.sees_clock(*id));
    }

    /// The names of helpers and opponents.
    fn other_names(&self, roll: &Roll) -> Vec<NamedInRoll> {
        let in_sources = roll.sources.values().flat_map(|origin| &origin.of);
        roll.helpers
            .iter()
            .chain(in_sources)
            .map(|named| NamedInRoll {
                recorded: named.name.clone(),
                present: self.name(named.id).map(str::to_owned),
            })
            .collect()
    }

    fn sees_effect(&self, effect: &Effect) -> bool {
        match effect {
            // The changes of the entry show linked clocks under their present names.
            Effect::ClockMessage { .. } => false,
            Effect::Reached { pool_id, of, .. } => {
                self.knows_state_of(of.map(CharacterId))
                    && pool_id.is_none_or(|id| self.knows_pool(PoolId(id)))
            }
            _ => true,
        }
    }

    /// Replaces recorded names in an effect by present ones.
    fn rename_in_effect(
        &self,
        effect: &mut Effect,
        recorded_roller: &str,
        roller: &str,
        others: &[NamedInRoll],
    ) {
        match effect {
            Effect::SharedWith { names } => {
                *names = names
                    .iter()
                    .filter_map(|name| present_name(others, name))
                    .collect();
            }
            Effect::Token {
                owner: Some(owner), ..
            } => {
                if *owner == *recorded_roller {
                    roller.clone_into(owner);
                } else {
                    *owner = match present_name(others, owner) {
                        Some(name) => name,
                        None => SOMEBODY.to_owned(),
                    };
                }
            }
            Effect::Reached {
                pool,
                pool_id: Some(id),
                ..
            } => {
                // The pool may have been hidden when it had the recorded name.
                if let Some(present) = self.game.pool(PoolId(*id)) {
                    *pool = with_present_name(pool, &present.name);
                }
            }
            Effect::Token { owner: None, .. }
            | Effect::Complication
            | Effect::EffectLevels { .. }
            | Effect::AtACost
            | Effect::Consequence { .. }
            | Effect::Damage { .. }
            | Effect::Wound { .. }
            | Effect::TakenOut
            | Effect::Reached { pool_id: None, .. }
            | Effect::ClockMessage { .. }
            | Effect::Number(_)
            | Effect::Condition(_)
            | Effect::NoRecipient { .. }
            | Effect::Told { .. }
            | Effect::Offer { .. }
            | Effect::Lock { .. } => {}
        }
    }

    /// Removes typed fields that name a hidden character, and gives the characters in the others their present names.
    pub(super) fn redact_fields(
        &self,
        fields: &mut Vec<(String, String)>,
        named: &mut Vec<(String, Origin)>,
    ) {
        for (field, mut origin) in std::mem::take(named) {
            let mut ids = origin.of.iter().map(|named| named.id);
            if !ids.all(|id| self.knows(id)) {
                fields.retain(|(id, _)| *id != field);
                continue;
            }

            self.redact_origin(&mut origin);
            for (id, text) in &mut *fields {
                if *id == field {
                    *text = origin.to_string();
                }
            }
            named.push((field, origin));
        }
    }

    /// Removes hidden characters from the source of a value. A trait of a hidden character is as secret as its name.
    fn redact_origin(&self, origin: &mut Origin) {
        let count = origin.of.len();
        origin.of.retain_mut(|named| self.update_name(named));
        let has_hidden = origin.of.len() < count;
        let is_trait = !origin.what.is_empty();
        if has_hidden && (is_trait || origin.of.is_empty()) {
            *origin = Origin::from(SOMEBODY);
        }
    }
}

/// Replaces the name of a pool in an effect, and keeps the side before it: `opponent: Wounds`.
fn with_present_name(recorded: &str, name: &str) -> String {
    for side in [Party::Opponent, Party::Helpers, Party::Table] {
        let prefix = side.to_string();
        if recorded.starts_with(&prefix) {
            return format!("{prefix}{name}");
        }
    }
    name.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_renamed_pool_has_its_present_name_in_an_old_roll() {
        for (recorded, name, expected) in [
            ("Old secret", "Blood debt", "Blood debt"),
            ("opponent: Old secret", "Blood debt", "opponent: Blood debt"),
            ("opponents: 2", "Blood debt", "Blood debt"),
        ] {
            assert_eq!(with_present_name(recorded, name), expected);
        }
    }
}
