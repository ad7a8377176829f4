//! Applying effects of a roll to a character that the roll did not name.

use crate::effects::{AppliedEffects, TokenChange};
use crate::{Change, CharacterId, EntityRef, Event, EventKind, Game, Part, differences};
use crate::{CommandError, EntityKind, Result, pending_effects::of_recipient};
use tableside_rules::{Effect, Id};
use tableside_text::join;

impl Game {
    /// Decides a command that applies effects of a roll to a character. The log describes each value that they changed.
    pub(super) fn decide_receive(&self, who: CharacterId, effects: &[Effect]) -> Result<Event> {
        let name = self.known_character(who)?.name.clone();
        let mut after = self.clone();
        let remarks = after.apply_to_recipient(who, effects)?;

        let changes = differences(self, &after);
        if changes.is_empty() {
            return Err(CommandError::Unchanged);
        }

        let mut descriptions = Vec::new();
        for change in &changes {
            descriptions.extend(after.describe_received(change));
        }
        for remark in remarks {
            descriptions.push(remark.text(self.system));
        }
        if descriptions.is_empty() {
            // A pool gained and spent the same amount, so only its count of gains changed.
            let texts = effects
                .iter()
                .map(|effect| of_recipient(effect).text(self.system));
            descriptions.push(join(texts, ", "));
        }

        let act = EventKind::Edited {
            kind: EntityKind::Character,
            name,
            how: descriptions.join("; "),
        };
        Ok(Event::new(act, changes))
    }

    /// Applies effects of a roll to a character. Returns the messages of pools that reached a threshold or a limit.
    fn apply_to_recipient(&mut self, who: CharacterId, effects: &[Effect]) -> Result<Vec<Effect>> {
        let name = self.known_character(who)?.name.clone();
        let mut applied = AppliedEffects::default();

        for effect in effects {
            match effect {
                Effect::Token { pool, amount, .. } => {
                    let change = TokenChange {
                        kind: *pool,
                        amount: *amount,
                        owner: Some(who),
                        owner_name: &name,
                    };
                    self.apply_tokens(&change, &mut applied)?;
                }
                Effect::Consequence { amount, of } if *of != Id::NONE => {
                    let before = self.known_character(who)?.clone();
                    self.take_consequences(&before, *of, *amount);
                }
                effect => {
                    let remarks = self.apply_file_effect(Some(who), effect, 0)?;
                    applied.remarks.extend(remarks);
                }
            }
        }
        Ok(applied.remarks)
    }

    /// Describes a change of the recipient: `Stress 2 to 4`. `None` for a change that needs no words.
    fn describe_received(&self, change: &Change) -> Option<String> {
        let description = change.describe(self, true);
        match change.entity {
            EntityRef::Character(_) => description,
            EntityRef::Pool(id) if change.part == Part::Tokens => {
                let name = &self.pool(id)?.name;
                Some(format!("{name} {}", description?))
            }
            EntityRef::Clock(id) if change.part == Part::Filled => {
                let name = &self.clock(id)?.name;
                Some(format!("{name} {}", description?))
            }
            _ => None,
        }
    }
}
