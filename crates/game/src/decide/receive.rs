//! Applying effects of a roll to a character that the roll did not name.

use crate::effects::{AppliedEffects, TokenChange};
use crate::{Change, CharacterId, EntityRef, Event, EventKind, Game, Part, differences};
use crate::{CommandError, EntityKind, Result, pending_effects::of_recipient};
use tableside_rules::{Effect, Id};
use tableside_text::join;

impl Game {
    /// Applies effects of a roll to a character, and describes each value that they changed.
    pub(super) fn decide_receive(&self, who: CharacterId, effects: &[Effect]) -> Result<Event> {
        let recipient = self.known_character(who)?;
        let name = recipient.name.clone();
        let mut after = self.clone();
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
                    after.apply_tokens(&change, &mut applied)?;
                }
                Effect::Consequence { amount, of } if *of != Id::NONE => {
                    let before = after.known_character(who)?.clone();
                    after.take_consequences(&before, *of, *amount);
                }
                effect => {
                    let remarks = after.apply_file_effect(Some(who), effect, 0)?;
                    applied.remarks.extend(remarks);
                }
            }
        }

        let changes = differences(self, &after);
        if changes.is_empty() {
            return Err(CommandError::Unchanged);
        }

        let changed = changes.iter().filter_map(|change| after.received(change));
        let remarks = applied
            .remarks
            .iter()
            .map(|remark| remark.text(self.system));
        let mut how = join(changed.chain(remarks), "; ");
        if how.is_empty() {
            // A pool gained and spent the same amount, so only its count of gains changed. The log then describes the
            // effects.
            let texts = effects
                .iter()
                .map(|effect| of_recipient(effect).text(self.system));
            how = join(texts, ", ");
        }
        let kind = EntityKind::Character;
        Ok(Event::new(EventKind::Edited { kind, name, how }, changes))
    }

    /// Describes a change of the recipient: `Stress 2 to 4`. `None` for a change that needs no words.
    fn received(&self, change: &Change) -> Option<String> {
        let description = change.describe(self, true);
        match change.entity {
            EntityRef::Character(_) => description,
            EntityRef::Pool(id) if change.part == Part::Tokens => {
                Some(format!("{} {}", self.pool(id)?.name, description?))
            }
            EntityRef::Clock(id) if change.part == Part::Filled => {
                Some(format!("{} {}", self.clock(id)?.name, description?))
            }
            _ => None,
        }
    }
}
