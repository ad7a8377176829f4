//! Redacts entries of the log for a seat.

use std::sync::Arc;

use super::{Redactor, SOMEBODY};
use crate::{Entry, History};
use tableside_game::{
    Author, Change, CharacterId, EntityKind, EntityRef, Event, EventKind, Note, Part, SeatId,
    Thrown,
};

/// Replaces the number of another entry. A number would reveal how many hidden entries lie between the two.
pub(crate) const HIDDEN_NUMBER: u64 = 0;

/// The entry that a player reads after an act whose whole result is hidden.
pub(crate) fn done_unseen(entry: &Entry) -> Entry {
    note_instead_of(entry, "Done.", entry.author())
}

/// The entry that a player reads instead of a secret roll that players may notice.
fn noticed_roll(entry: &Entry) -> Entry {
    let somebody = Author::new(SOMEBODY, SeatId::NOBODY);
    note_instead_of(entry, "Dice were rolled in secret.", somebody)
}

fn note_instead_of(entry: &Entry, text: &str, author: Author) -> Entry {
    let note = EventKind::Noted {
        text: text.to_owned(),
        about: None,
        readers: None,
        handout: false,
    };
    let event = Event::new(note, Vec::new());
    Entry::new(entry.number, entry.at, author, event)
}

/// True if a secret roll is noticed: players see that dice were rolled.
fn is_noticed(kind: &EventKind) -> bool {
    let (_, noticed) = kind.hidden_from();
    let has_dice = matches!(
        kind,
        EventKind::Rolled(_) | EventKind::Rerolled { .. } | EventKind::Thrown(_)
    );
    has_dice && noticed
}

impl Redactor<'_> {
    /// Returns an entry as the seat reads it. `None` if the seat does not read it.
    ///
    /// Players read rolls, scenes, notes for them, their own acts, events that come from the host's game, and what they
    /// could watch on their screens. Only the author reads a note that is for the author alone; even the GM does not.
    pub(crate) fn redact_entry(&self, entry: &Arc<Entry>, history: &History) -> Option<Arc<Entry>> {
        let kind = &entry.event.what;
        if matches!(kind, EventKind::HandoutRead) || !self.reads_notes_of(entry) {
            return None;
        }
        if self.seat.sees_all() {
            return Some(Arc::clone(entry));
        }

        if let Some((_, who)) = kind.roller() {
            let (hidden_from, _) = kind.hidden_from();
            if !self.sees_rolls_of(who, hidden_from) {
                if !is_noticed(kind) {
                    return None;
                }
                return Some(Arc::new(noticed_roll(entry)));
            }
        } else if !self.seat.did(entry) {
            let is_hidden_act = entry.is_watched() && !self.watched(entry);
            if !entry.is_open_to_players() || is_hidden_act {
                return None;
            }
        }

        let kind = self.redact_event(entry, history)?;
        let changes = entry
            .event
            .changes
            .iter()
            .filter_map(|change| self.redact_change(change))
            .collect();
        let mut event = Event::new(kind, changes);
        event.at.clone_from(&entry.event.at);

        let redacted = Entry::new(entry.number, entry.at, entry.author(), event);
        Some(Arc::new(redacted))
    }

    /// True if the seat saw everything that an act of another seat changed on a sheet: the state of the character, but
    /// not how the sheet was filled in.
    fn watched(&self, entry: &Entry) -> bool {
        if !matches!(entry.event.what, EventKind::Edited { .. }) {
            return true;
        }
        entry.event.changes.iter().all(|change| {
            let is_of_sheet = matches!(change.entity, EntityRef::Character(_));
            let is_state = change.part == Part::Conditions || change.tells_state(self.game.system);
            !is_of_sheet || (is_state && self.sees_change(change))
        })
    }

    /// True if the seat could read every note that an entry wrote, changed or removed, and still can.
    ///
    /// After a note was undone or deleted, its readers no longer see its entries, so that a handout to the wrong player
    /// can be undone.
    fn reads_notes_of(&self, entry: &Entry) -> bool {
        entry.event.changes.iter().all(|change| {
            let EntityRef::Note(id) = change.entity else {
                return true;
            };
            let read_it_then = change
                .sides::<Note>()
                .all(|note| self.seat.reads_note(&note));
            let reads_it_now = match self.game.note(id) {
                Some(note) => self.seat.reads_note(note),
                None if change.part.is_whole() => self.seat.sees_all() || self.seat.did(entry),
                None => self.seat.did(entry),
            };
            read_it_then && reads_it_now
        })
    }

    /// Returns the event as the seat reads it. `None` if all of it is hidden.
    fn redact_event(&self, entry: &Arc<Entry>, history: &History) -> Option<EventKind> {
        let mut kind = entry.event.what.clone();
        match &mut kind {
            EventKind::Rolled(roll) | EventKind::Incomplete(roll) | EventKind::Abandoned(roll) => {
                self.redact_roll(roll);
            }
            EventKind::Amended { roll, entry, .. } | EventKind::Rerolled { roll, entry } => {
                self.redact_roll(roll);
                *entry = HIDDEN_NUMBER;
            }
            EventKind::Thrown(thrown) => self.update_thrower(thrown),
            EventKind::Initiative { rolls, set, over } => {
                rolls.retain(|rolled| self.knows_owner(rolled.roll.id));
                for rolled in rolls.iter_mut() {
                    self.redact_roll(&mut rolled.roll);
                }
                set.retain_mut(|typed| self.update_name(&mut typed.who));
                if rolls.is_empty() && set.is_empty() {
                    return None;
                }
                *over = self.visible_consequences(&entry.event.changes);
            }
            EventKind::Turn { begins, over, .. } => {
                if let Some(named) = begins
                    && !self.update_name(named)
                {
                    SOMEBODY.clone_into(&mut named.name);
                    named.id = CharacterId(0);
                }
                *over = self.visible_consequences(&entry.event.changes);
            }
            EventKind::Undone { event, text } | EventKind::Redone { event, text } => {
                *text = self.undone_text(entry, *event, history)?;
                *event = HIDDEN_NUMBER;
            }
            EventKind::Noted { about, readers, .. } => {
                *about = None;
                if let Some(readers) = readers {
                    self.redact_readers(readers);
                }
            }
            EventKind::Edited {
                kind: EntityKind::Note,
                name,
                how,
            } => {
                // The stored texts may name a reader that is hidden from the seat now.
                "A note".clone_into(name);
                "changed".clone_into(how);
            }
            EventKind::Removed {
                kind: EntityKind::Note,
                ..
            } => {}
            EventKind::Struck { entry, .. } => *entry = HIDDEN_NUMBER,
            EventKind::FightEnded { .. }
            | EventKind::Ended
            | EventKind::HandoutRead
            | EventKind::LinesAndVeils
            | EventKind::Paused => {}
            EventKind::Ticked { .. }
            | EventKind::Tokens { .. }
            | EventKind::Round { .. }
            | EventKind::Scene { .. }
            | EventKind::SessionEnded { .. }
            | EventKind::Added { .. }
            | EventKind::Removed { .. }
            | EventKind::Edited { .. } => self.reword(&mut kind, &entry.event.changes)?,
        }
        Some(kind)
    }

    fn update_thrower(&self, thrown: &mut Thrown) {
        let present_name = thrown.id.and_then(|id| self.name(id));
        if let Some(name) = present_name {
            name.clone_into(&mut thrown.who);
        }
    }

    /// The text of the entry that an undo or redo is about. `None` if the seat may not read that entry, unless the undo is
    /// the seat's own.
    fn undone_text(&self, entry: &Entry, about: u64, history: &History) -> Option<String> {
        let undone = history.entry(about);
        let readable = undone.and_then(|undone| self.redact_entry(&undone, history));
        if let Some(readable) = readable {
            let text = readable.event.text(self.game.system);
            Some(text)
        } else if self.seat.did(entry) {
            Some("an earlier change".to_owned())
        } else {
            None
        }
    }

    /// Returns a change as the seat reads it.
    fn redact_change(&self, change: &Change) -> Option<Change> {
        if !self.sees_change(change) {
            return None;
        }
        match change.entity {
            // Other parts of the screen show calls, requests to the host's game, and notes.
            EntityRef::Call(_) | EntityRef::HostRequest(_) | EntityRef::Note(_) => None,
            _ if self.has_old_name(change) => None,
            entity if change.part == Part::Name => {
                // The old name may be from the time when the entity was hidden.
                let old_name = serde_json::Value::Null;
                let new_name = change.to.clone();
                Some(Change::new(entity, Part::Name, old_name, new_name))
            }
            // Screens need only the id of a waiting roll, as a link to the roll.
            EntityRef::Unfinished(_) => {
                let change_of_id = Change::new(change.entity, Part::Whole, (), ());
                Some(change_of_id)
            }
            _ => Some(change.clone()),
        }
    }
}
