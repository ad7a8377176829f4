//! From an act to its event, and what it would lead to: commands are the game's own affair, what looks back
//! needs the history.

use std::mem;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use parking_lot::RwLockWriteGuard;

use super::host_clocks::describe_reversal;
use super::journal_entry::WithText;
use super::own_rules;
use super::{Act, Entry, Inner, Seat, SeatId, SeatView};
use tableside_dice::Dice;
use tableside_game::{
    Change, Command, CommandContext, CommandError, EntityKind, EntityRef, Event, EventKind, Roll,
};
use tableside_rules::Side;
use tableside_store::{By, Saving, StoreError};
use tableside_text::join;

impl Inner {
    pub(super) fn decide(
        &mut self,
        seat: &Seat,
        act: &Act,
        at: DateTime<Utc>,
        dice: &mut dyn Dice,
    ) -> Result<Event, CommandError> {
        seat.may(&self.game, self.presence.allowed, act)?;
        let event = self.decide_allowed(seat, act, at, dice)?;
        self.keeps_gm_decisions(seat, &event)?;
        Ok(event)
    }

    /// The event of an act that the seat may do.
    fn decide_allowed(
        &mut self,
        seat: &Seat,
        act: &Act,
        at: DateTime<Utc>,
        dice: &mut dyn Dice,
    ) -> Result<Event, CommandError> {
        let moment = self.context(at);
        match act {
            Act::Do(command) => self.game.decide(command, &moment, dice),
            Act::Undo | Act::UndoSeveral(_) => {
                let entry = self.find_undoable(seat)?;
                let what = describe_reversal(&entry, self.game.system);
                self.back(entry.number, &entry.event, what)
            }
            Act::Redo => {
                let undone = self.history.to_redo(seat);
                let (what, undoing) = undone.ok_or(CommandError::NothingTo("bring back"))?;
                self.back(undoing.number, &undoing.event, what)
            }
            Act::Strike { entry, reason } => {
                self.find(*entry)?;
                self.history.holds(*entry)?;
                let what = EventKind::Struck {
                    entry: *entry,
                    reason: tableside_text::sanitise(reason.trim(), 500).into_owned(),
                };
                let whole = self.history.whole(*entry, what.clone());
                self.back(*entry, &whole, what)
            }
            Act::Amend {
                entry,
                fields,
                faces,
            } => {
                let old = self.find_holding(seat, *entry)?;
                let before = self.history.all_readings(*entry);
                let before: Vec<&Roll> = before.iter().filter_map(|entry| entry.roll()).collect();
                let event = self.history.whole(*entry, old.event.what.clone());
                self.reverse_with_host(&event, |game, event| {
                    let amended = game.amend(*entry, event, &before, fields, faces, dice)?;
                    amended.with_luck(game.system)
                })
                .map_err(|refusal| self.name_later(*entry, refusal))
            }
            Act::Reroll { entry, faces } => {
                let old = self.find_holding(seat, *entry)?;
                self.history.may_reroll(*entry)?;
                let event = self.history.whole(*entry, old.event.what.clone());
                self.reverse_with_host(&event, |game, event| {
                    let rolled = game.reroll(*entry, event, faces, dice)?;
                    rolled.with_luck(game.system)
                })
                .map_err(|refusal| self.name_later(*entry, refusal))
            }
            Act::ForGame(request) => self.perform_for_game(request, |inner, command| {
                inner.game.decide(command, &moment, dice)
            }),
            Act::FollowHost(update) => self.decide_host_update(update),
        }
    }

    /// Refuses an event of a player that takes away a decision of the GM: a roll that waits for it, or one that has it.
    fn keeps_gm_decisions(&self, seat: &Seat, event: &Event) -> Result<(), CommandError> {
        if seat.sees_all() {
            return Ok(());
        }
        let system = self.game.system;
        let gm = system.spec().gm;

        if let EventKind::Rerolled { entry, .. } = &event.what {
            let old = self.history.entry(*entry);
            let roll = old.as_ref().and_then(|entry| entry.roll());
            let decided = roll.map_or(Ok(0), |roll| roll.count_gm_answers(system))?;
            if decided > 0 {
                return Err(CommandError::NotAllowed(format!(
                    "the {gm} decided something in this roll, so only the {gm} may roll it again"
                )));
            }
        }

        let touched = event
            .changes
            .iter()
            .filter_map(|change| match change.entity {
                EntityRef::Unfinished(id) => self.game.unfinished(id),
                _ => None,
            });
        for waiting in touched {
            let waits_for_gm = self.game.decider(waiting.id) == Some(Side::Gm);
            if !waits_for_gm && waiting.roll.count_gm_answers(system)? == 0 {
                continue;
            }
            if waits_for_gm {
                return Err(CommandError::NotAllowed(format!(
                    "this roll waits for the {gm} to decide, so only the {gm} can take it back or give it up"
                )));
            }

            // Going on keeps every answer so far.
            let goes_on = event
                .what
                .roll()
                .is_some_and(|roll| roll.trail.starts_with(&waiting.roll.trail));
            let is_given_up = matches!(event.what, EventKind::Abandoned(_));
            if !goes_on || is_given_up {
                return Err(CommandError::NotAllowed(format!(
                    "the {gm} decided something in this roll, so only the {gm} can take it back or give it up"
                )));
            }
        }
        Ok(())
    }

    fn context(&self, at: DateTime<Utc>) -> CommandContext {
        let number = self.history.last() + 1;
        CommandContext { at, number }
    }

    /// A refusal as the seat may read it: what the rules say of the game as the seat sees it, for the words
    /// may name what is hidden.
    pub(super) fn told(
        &self,
        seat: &Seat,
        (act, at): (&Act, DateTime<Utc>),
        refusal: CommandError,
    ) -> CommandError {
        if seat.sees_all() || matches!(refusal, CommandError::NotAllowed(_)) {
            return refusal;
        }
        let gm = self.game.system.spec().gm;
        let unseen = |why: &str| CommandError::NotAllowed(format!("{why}; ask the {gm}"));
        match (act, refusal) {
            (Act::Do(command), _) => {
                let view = self.views.of(&self.game, seat);
                let moment = self.context(at);
                let decided = view.decide(command, &moment, &mut ExtremeDice { highest: false });
                let because = "something that you cannot see stands against it";
                decided.err().unwrap_or_else(|| unseen(because))
            }
            (_, CommandError::NotHolding { .. }) => unseen("that does not hold any more"),
            (_, CommandError::ChangedSince { .. }) => {
                unseen("what it changed was changed again since, and it cannot be taken back")
            }
            (_, refusal) => refusal,
        }
    }

    /// An entry and all that it reads again, also where they have to be read from the journal first.
    pub(super) fn find(&mut self, number: u64) -> Result<Arc<Entry>, CommandError> {
        let found = self.fetch(number)?;
        let mut before = found.event.what.replaces();
        while let Some(number) = before {
            before = self.fetch(number)?.event.what.replaces();
        }
        Ok(found)
    }

    fn fetch(&mut self, number: u64) -> Result<Arc<Entry>, CommandError> {
        // What cannot be read is not there.
        self.reach_back(number).ok();
        let found = self.history.entry(number);
        found.ok_or(CommandError::Gone("entry"))
    }

    /// A resolved check that holds and that the seat may see.
    fn find_holding(&mut self, seat: &Seat, number: u64) -> Result<Arc<Entry>, CommandError> {
        let found = self.find(number)?;
        let roll = found.event.what.resolved();
        if !seat.sees_all() && !roll.is_some_and(|roll| seat.may_roll_again(roll)) {
            return Err(seat.refusal(self.game.system));
        }
        self.history.holds(number)?;
        Ok(found)
    }

    pub(super) fn find_undoable(&mut self, seat: &Seat) -> Result<Arc<Entry>, CommandError> {
        // The table is locked while the journal is read, so an undo does not search the whole log.
        loop {
            if let Some(entry) = self.history.to_undo(seat) {
                return Ok(entry);
            }
            let first = self.history.first();
            let may_read_on = !self.history.holds_too_many();
            let has_read = may_read_on && self.reach_back(first.saturating_sub(1)).is_ok();
            if !has_read || self.history.first() >= first {
                return Err(CommandError::NothingTo("take back"));
            }
        }
    }

    pub(super) fn back(
        &self,
        number: u64,
        event: &Event,
        what: EventKind,
    ) -> Result<Event, CommandError> {
        self.reverse_with_host(event, |game, event| game.undo_event(number, event, what))
            .map_err(|refusal| self.name_later(number, refusal))
    }

    /// The refusal with the later event that is in the way.
    fn name_later(&self, number: u64, mut refusal: CommandError) -> CommandError {
        if let CommandError::ChangedSince { target, later, .. } = &mut refusal {
            let found = self.history.later_change(number, target);
            *later = found.map_or_else(String::new, |number| format!(", by #{number}"));
        }
        refusal
    }

    /// Journals the event, then applies it. Where other processes write, too, the screens may look meanwhile.
    pub(super) fn write(
        inner: &mut RwLockWriteGuard<'_, Self>,
        by: (&str, SeatId),
        at: DateTime<Utc>,
        event: Event,
    ) -> Result<Arc<Entry>, StoreError> {
        let number = match inner.store.clone() {
            Some(store) => {
                if let Some(system) = event.new_rules() {
                    own_rules::keep(&store.place(), system)?;
                }
                let (name, seat) = (by.0, by.1.0);
                let line = WithText::new(&event, inner.game.system);
                let append = || store.append(at, By { name, seat }, &line);
                if store.is_shared() {
                    RwLockWriteGuard::unlocked(inner, append)?
                } else {
                    append()?
                }
            }
            None => inner.history.last() + 1,
        };
        let entry = Arc::new(Entry::new(number, at, by, event));
        inner.absorb(&entry);
        Ok(entry)
    }

    /// Takes in an event that is journaled.
    pub(super) fn absorb(&mut self, entry: &Arc<Entry>) {
        self.game.apply(&entry.event);
        if let (Some(system), Some(store)) = (entry.event.new_rules(), &self.store) {
            own_rules::show(&store.place(), system);
        }
        self.past = mem::take(&mut self.views);
        self.history.push(Arc::clone(entry), self.game.system);
        if self.history.holds_too_many() && self.can_read_again() {
            self.history.forget_oldest();
        }
    }

    /// True if the journal has every entry, so that old entries need not stay in memory.
    fn can_read_again(&self) -> bool {
        let Some(store) = &self.store else {
            return false;
        };
        !self.hides_journal() && !matches!(store.saving(), Saving::Failing { .. })
    }

    /// What an entry has changed: clocks alone or pools alone where all of them are the table's own and none of
    /// them stands on somebody's card; of characters, values on their sheets alone.
    pub(super) fn touched_by(&self, entry: &Entry) -> EntityKind {
        let Event { what, changes, .. } = &entry.event;
        let kind = match what {
            EventKind::Ticked { .. } => EntityKind::Clock,
            EventKind::Tokens { .. } => EntityKind::Pool,
            EventKind::Edited { kind, .. } if *kind == EntityKind::Character => *kind,
            _ => return EntityKind::Game,
        };
        let owner = |change: &Change| match change.entity {
            EntityRef::Clock(id) => self.game.clock(id).map(|clock| clock.owner),
            EntityRef::Pool(id) => self.game.pool(id).map(|pool| pool.owner),
            EntityRef::HostRequest(_) | EntityRef::HostLog => Some(None),
            EntityRef::Character(_) => change.stat().map(|_| None),
            _ => None,
        };
        let mut changes = changes.iter();
        let is_alone = changes.all(|one| one.entity.kind() == kind && owner(one) == Some(None));
        if is_alone { kind } else { EntityKind::Game }
    }
}

impl SeatView<'_> {
    /// Whether this seat may do that act itself, without a suggestion.
    pub fn may(&self, act: &Act) -> bool {
        let seat = self.seat();
        !self.is_view() && seat.may(self.game(), self.allowed(), act).is_ok()
    }

    /// What a command would lead to now, in one line, or why not. Nothing is done; checks are not for
    /// this, for their dice are not cast: what the dice would say is left open.
    pub fn preview(&self, command: &Command) -> Result<String, CommandError> {
        let act = Act::from(command.clone());
        self.seat().may(self.game(), self.allowed(), &act)?;
        self.preview_unchecked(command)
    }

    /// The same without asking whether the seat may do it.
    pub(super) fn preview_unchecked(&self, command: &Command) -> Result<String, CommandError> {
        let at = DateTime::UNIX_EPOCH;
        let moment = CommandContext { at, number: 0 };
        let told = |highest| {
            let mut dice = ExtremeDice { highest };
            let event = self.game().decide(command, &moment, &mut dice)?;
            // What stands on a sheet that the seat does not read is not told.
            let stats = event.changes.iter().filter_map(Change::stat);
            let mut whose = stats.filter_map(|(who, _)| self.character(who));
            let unread = whose.find(|one| one.health.is_some());
            let told = unread.map(|one| format!("a change to {}", one.name));
            Ok::<_, CommandError>(told.unwrap_or_else(|| event.text(self.system())))
        };
        let (low, high) = (told(false)?, told(true)?);
        let parts = low.split("; ").zip(high.split("; "));
        let parts = parts.map(|(low, high)| {
            if low == high {
                low
            } else {
                "the rest is random"
            }
        });
        Ok(join(parts, "; "))
    }
}

/// Dice that nobody casts: all show their lowest face, or all their highest.
struct ExtremeDice {
    highest: bool,
}

impl Dice for ExtremeDice {
    fn up_to(&mut self, sides: u32) -> u32 {
        if self.highest { sides } else { 1 }
    }
}
