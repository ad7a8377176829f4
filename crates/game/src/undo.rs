//! Undoing an event: its changes are reversed in the present state of the game.
//!
//! A value is restored only if it is still the value that the event set. A counter goes back by the amount of the
//! event, even if it has changed since. `History::to_undo` chooses the event that a seat undoes.

use serde_json::Value as Json;

use super::change::{EntityChanges, group_by_entity};
use super::merge::{merge_list, shift_number};
use super::{
    Change, Character, CharacterId, Clock, CommandError, EntityPart, EntityRef, Event, EventKind,
    Game, Part, Result, differences,
};

/// A value that changed after the event that a seat wants to undo.
struct Conflict {
    /// The change, as a clause without its end: `Mira: notes has changed`.
    description: String,
    target: EntityPart,
}

/// A reference to an entity that the game does not have.
pub(super) struct DanglingReference {
    /// The reference in words: `the owner of Stress`.
    pub(super) description: String,
    pub(super) missing: EntityRef,
}

impl Game {
    /// Returns the event that undoes an event with this number.
    ///
    /// # Errors
    ///
    /// Returns an error if a value that the event set has changed since, or if the restored state refers to a missing
    /// entity.
    pub fn undo_event(&self, number: u64, event: &Event, kind: EventKind) -> Result<Event> {
        let mut after = self.clone();
        for group in group_by_entity(&event.changes).iter().rev() {
            after
                .undo_changes(group)
                .map_err(|conflict| conflict.into_error(number))?;
        }
        after.normalise();

        match after.find_undo_conflict(self) {
            Some(conflict) => Err(conflict.into_error(number)),
            None => Ok(Event::new(kind, differences(self, &after))),
        }
    }

    /// Undoes the changes of one entity, from the last to the first.
    fn undo_changes(&mut self, group: &EntityChanges<'_>) -> Result<(), Conflict> {
        let mut stored = self.stored(group.entity);
        let mut index = 0;
        for change in group.changes.iter().rev() {
            if !undo_change(&mut stored, change) {
                return Err(Conflict::new(&stored, change));
            }
            if change.part.is_whole() {
                index = change.index;
            }
        }

        let restored = self.restore(group.entity, index, &stored);
        match group.changes.first() {
            Some(first) if restored.is_err() => Err(Conflict::new(&stored, first)),
            _ => Ok(()),
        }
    }

    /// Returns a conflict in this state, which an undo would produce: a new reference to a missing entity, or a sheet
    /// of another system.
    fn find_undo_conflict(&self, before: &Self) -> Option<Conflict> {
        if before.find_dangling_reference().is_none()
            && let Some(dangling) = self.find_dangling_reference()
        {
            return Some(Conflict {
                description: format!("{} has been removed", dangling.description),
                target: EntityPart {
                    entity: dangling.missing,
                    part: Part::Whole,
                },
            });
        }

        let foreign = self.find_foreign_character()?;
        Some(Conflict {
            description: format!("the system of {} has changed", foreign.name),
            target: EntityPart {
                entity: EntityRef::Character(foreign.id),
                part: Part::Whole,
            },
        })
    }

    /// Returns a character, in play or in a prepared scene, whose sheet belongs to another system.
    pub(super) fn find_foreign_character(&self) -> Option<&Character> {
        let prepared = self.prepared.iter().flat_map(|scene| &scene.cast);
        let mut characters = self.roster.iter().chain(prepared);
        characters.find(|character| character.sheet.system() != self.system)
    }

    /// Returns a reference to an entity that does not exist.
    pub(super) fn find_dangling_reference(&self) -> Option<DanglingReference> {
        for named in self.named_entities() {
            if let Some(missing) = self.missing_character(named.owner) {
                return Some(DanglingReference {
                    description: format!("the owner of {}", named.name),
                    missing,
                });
            }
        }

        for clock in &self.clocks {
            if let Some(missing) = self.missing_clock_reference(clock) {
                return Some(DanglingReference {
                    description: format!("the clock or character that {} refers to", clock.name),
                    missing,
                });
            }
        }

        for call in &self.calls {
            if let Some(missing) = self.missing_character(Some(call.who)) {
                return Some(DanglingReference {
                    description: "the called character".to_owned(),
                    missing,
                });
            }
        }

        for waiting in &self.unfinished {
            if let Some(missing) = self.missing_character(waiting.roll.id) {
                return Some(DanglingReference {
                    description: "the rolling character".to_owned(),
                    missing,
                });
            }
        }

        for (character, attempt) in &self.locks {
            if let Some(missing) = self.missing_character(Some(*character)) {
                return Some(DanglingReference {
                    description: format!("the character that failed at {attempt}"),
                    missing,
                });
            }
        }
        None
    }

    /// Returns the clock or character that a clock refers to and that does not exist.
    fn missing_clock_reference(&self, clock: &Clock) -> Option<EntityRef> {
        if let Some(link) = clock.link
            && self.clock(link.to).is_none()
        {
            return Some(EntityRef::Clock(link.to));
        }

        let roller = clock.check.as_ref().and_then(|check| check.who);
        self.missing_character(roller)
    }

    fn missing_character(&self, id: Option<CharacterId>) -> Option<EntityRef> {
        let id = id?;
        match self.character(id) {
            Some(_) => None,
            None => Some(EntityRef::Character(id)),
        }
    }
}

/// Undoes one change in the stored form of its entity. Returns false if the value has changed since.
fn undo_change(stored: &mut Json, change: &Change) -> bool {
    let should_exist = !change.part.is_whole() || !change.to.is_null();
    let exists = !stored.is_null();
    if exists != should_exist {
        return false;
    }

    let now = change.part.value_in(stored);
    let is_unchanged = now == change.to;
    let undone = match &change.part {
        Part::Whole => Some(change.from.clone()),
        part if is_counter(part) => shift_number(part, &now, &change.to, &change.from),
        Part::Brought | Part::Locks | Part::GmLocks => {
            Some(merge_list(&now, &change.to, &change.from))
        }
        // A later round has cleared the mark.
        Part::Acted if !is_unchanged => return true,
        _ if is_unchanged => Some(change.from.clone()),
        _ => None,
    };

    let Some(undone) = undone else {
        return false;
    };
    change.part.set_in(stored, undone);
    true
}

/// True if the part is a counter, which goes back by an amount.
fn is_counter(part: &Part) -> bool {
    matches!(
        part,
        Part::Filled
            | Part::Turns
            | Part::Tokens
            | Part::GainedThisScene
            | Part::Round
            | Part::RecentHarm(_)
            | Part::Stat(_)
    )
}

impl Conflict {
    fn new(stored: &Json, change: &Change) -> Self {
        Self {
            description: format!("{} has changed", describe_conflict(stored, change)),
            target: EntityPart {
                entity: change.entity,
                part: change.part.clone(),
            },
        }
    }

    fn into_error(self, event: u64) -> CommandError {
        CommandError::ChangedSince {
            event,
            what: self.description,
            target: Box::new(self.target),
            later: String::new(),
        }
    }
}

/// Names a value that has changed since: `Mira: notes`.
fn describe_conflict(stored: &Json, change: &Change) -> String {
    let kind = change.entity.word();
    match change.entity {
        EntityRef::Scene(_) | EntityRef::House | EntityRef::Lock(_) | EntityRef::Round => {
            return format!("the {kind}");
        }
        EntityRef::Unfinished(_) | EntityRef::Call(_) => return format!("that {kind}"),
        _ => {}
    }

    let mut names = [stored, &change.from, &change.to]
        .into_iter()
        .filter_map(|entity| entity.get("name")?.as_str());
    let name = match names.next() {
        Some(name) => name.to_owned(),
        None => format!("the {kind}"),
    };
    match &change.part {
        Part::Whole => name,
        _ if stored.is_null() => format!("that {kind}"),
        Part::Stat(id) => format!("{name}: {id}"),
        part => {
            let pointer = part.pointer();
            let part_name = pointer.trim_start_matches('/');
            format!("{name}: {part_name}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Character, Gains, PoolId, TokenPool};
    use tableside_rules::{Sheet, System};

    /// The journal may be damaged, or written by another program.
    #[test]
    fn no_number_in_an_event_is_too_large_to_be_undone() {
        let mut game = Game::new(System::GNOSIS);
        let mut mira = Character::new("Mira", Sheet::new(System::GNOSIS));
        mira.id = CharacterId(900);
        let who = EntityRef::Character(mira.id);
        game.roster.push(mira);
        let pool = PoolId(901);
        game.pools.push(TokenPool {
            id: pool,
            tokens: 9_999,
            gains: Some(Gains {
                most: 3,
                this_scene: 3,
            }),
            ..TokenPool::new("Coal")
        });
        game.round = u32::MAX;
        let (low, high) = (i64::MIN, i64::MAX);
        for (from, to) in [(low, high), (high, low), (high, 0), (low, 0)] {
            for (entity, part) in [
                (who, Part::RecentHarm("0 wounds".to_owned())),
                (who, Part::Stat("wounds".to_owned())),
                (EntityRef::Pool(pool), Part::Tokens),
                (EntityRef::Pool(pool), Part::GainedThisScene),
                (EntityRef::Round, Part::Whole),
            ] {
                let changes = vec![Change::new(entity, part, from, to)];
                let event = Event::new(EventKind::Ended, changes);
                let mut after = game.clone();
                // A sheet refuses a value that is out of its bounds.
                if let Ok(undo) = game.undo_event(1, &event, EventKind::Ended) {
                    after.apply(&undo);
                }
                let pool = after.pool(pool).unwrap();
                assert_eq!(pool.within(pool.tokens), pool.tokens, "{event:?}");
            }
        }
    }

    #[test]
    fn a_lock_of_a_missing_character_is_not_called_a_roll() {
        let mut game = Game::new(System::GNOSIS);
        game.locks.push((CharacterId(900), "the gate".to_owned()));

        let dangling = game.find_dangling_reference().unwrap();
        let description = "the character that failed at the gate";
        assert_eq!(dangling.description, description);
    }
}
