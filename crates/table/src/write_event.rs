//! Writes events to the journal and applies them.

use std::mem;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use parking_lot::RwLockWriteGuard;

use super::journal_entry::WithText;
use super::own_rules;
use super::{Entry, Inner};
use tableside_game::{Author, Change, EntityKind, EntityRef, Event, EventKind};
use tableside_store::{By, Saving, StoreError};

impl Inner {
    /// Appends an event to the journal, then applies it. Screens can read the game while this waits for a database.
    pub(super) fn write(
        inner: &mut RwLockWriteGuard<'_, Self>,
        author: &Author,
        at: DateTime<Utc>,
        event: Event,
    ) -> Result<Arc<Entry>, StoreError> {
        let number = match inner.store.clone() {
            Some(store) => {
                if let Some(system) = event.new_rules() {
                    own_rules::write_copy(&store.location(), system)?;
                }
                let by = By {
                    name: &author.name,
                    seat: author.seat.0,
                };
                let line = WithText::new(&event, inner.game.system);
                let append = || store.append(at, by, &line);
                if store.is_shared() {
                    RwLockWriteGuard::unlocked(inner, append)?
                } else {
                    append()?
                }
            }
            None => inner.history.last() + 1,
        };

        let entry = Arc::new(Entry::new(number, at, author.clone(), event));
        inner.absorb(&entry);
        Ok(entry)
    }

    /// Applies an event that the journal contains.
    pub(super) fn absorb(&mut self, entry: &Arc<Entry>) {
        self.game.apply(&entry.event);
        if let (Some(system), Some(store)) = (entry.event.new_rules(), &self.store) {
            own_rules::update_readable_copy(&store.location(), system);
        }

        self.past_views = mem::take(&mut self.views);
        self.history.push(Arc::clone(entry), self.game.system);
        if self.history.holds_too_many() && self.can_read_again() {
            self.history.forget_oldest();
        }
    }

    /// True if every entry can be read from the journal again, so that old entries need not stay in memory.
    fn can_read_again(&self) -> bool {
        let Some(store) = &self.store else {
            return false;
        };
        !self.hides_journal() && !matches!(store.saving(), Saving::Failing { .. })
    }

    /// Returns the only kind of entities that an entry changed, so that screens redraw only the panels of this kind:
    /// clocks of the table, pools of the table, or values on sheets (`Character`). Returns `Game` for any other entry.
    pub(super) fn touched_by(&self, entry: &Entry) -> EntityKind {
        let kind = match &entry.event.what {
            EventKind::Ticked { .. } => EntityKind::Clock,
            EventKind::Tokens { .. } => EntityKind::Pool,
            EventKind::Edited { kind, .. } if *kind == EntityKind::Character => *kind,
            _ => return EntityKind::Game,
        };

        let touches_only_kind = entry
            .event
            .changes
            .iter()
            .all(|change| change.entity.kind() == kind && self.is_on_no_card(change));
        if touches_only_kind {
            kind
        } else {
            EntityKind::Game
        }
    }

    /// True for a change that no character's card shows: of a clock or a pool of the table, of a value on a sheet, or
    /// of a value that no screen shows.
    fn is_on_no_card(&self, change: &Change) -> bool {
        match change.entity {
            EntityRef::Clock(id) => self
                .game
                .clock(id)
                .is_some_and(|clock| clock.owner.is_none()),
            EntityRef::Pool(id) => self.game.pool(id).is_some_and(|pool| pool.owner.is_none()),
            EntityRef::HostRequest(_) | EntityRef::HostLog => true,
            EntityRef::Character(_) => change.stat().is_some(),
            _ => false,
        }
    }
}
