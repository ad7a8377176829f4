//! Applying effects of a roll to a character that the roll did not name.

use crate::{Change, CharacterId, Event, EventKind, Game, Subject, differences, part};
use crate::{CommandError, EntityKind, Result, pending_effects::of_recipient};
use tableside_rules::{Effect, Id};
use tableside_text::join;

impl Game {
    pub(super) fn decide_receive(&self, who: CharacterId, effects: &[Effect]) -> Result<Event> {
        let recipient = self.known_character(who)?;
        let name = recipient.name.clone();
        let mut after = self.clone();
        let mut remarks = Vec::new();

        for effect in effects {
            match effect {
                Effect::Token { pool, amount, .. } => {
                    let tokens = (*pool, *amount);
                    after.book_tokens_of(Some(who), &name, tokens, &mut remarks)?;
                }
                Effect::Consequence { amount, of } if *of != Id::NONE => {
                    let before = after.known_character(who)?.clone();
                    after.take_consequences(&before, *of, *amount);
                }
                effect => remarks.extend(after.change(Some(who), effect, 0)?),
            }
        }

        let changes = differences(self, &after);
        if changes.is_empty() {
            return Err(CommandError::Unchanged);
        }

        let changed = changes.iter().filter_map(|change| after.received(change));
        let remarks = remarks.iter().map(|remark| remark.text(self.system));
        let mut how = join(changed.chain(remarks), "; ");
        if how.is_empty() {
            // Only a limit counts it: a pool that spends and gains the same amount.
            let texts = effects
                .iter()
                .map(|effect| of_recipient(effect).text(self.system));
            how = join(texts, ", ");
        }
        let kind = EntityKind::Character;
        Ok(Event::new(EventKind::Edited { kind, name, how }, changes))
    }

    /// One change of the recipient in words: `Stress 2 to 4`.
    fn received(&self, change: &Change) -> Option<String> {
        let words = change.words(self, true);
        match change.of {
            Subject::Character(_) => words,
            Subject::Pool(id) if change.part == part::TOKENS => {
                Some(format!("{} {}", self.pool(id)?.name, words?))
            }
            Subject::Clock(id) if change.part == part::FILLED => {
                Some(format!("{} {}", self.clock(id)?.name, words?))
            }
            _ => None,
        }
    }
}
