//! Submits an act: checks the rights of the seat, writes the event, and wakes the screens.

use std::path::Path;
use std::sync::Arc;

use parking_lot::RwLockWriteGuard;

use super::redact::{Redactor, done_unseen};
use super::{Act, Entry, Inner, Problem, Seat, SeatId, Table, TableChange, keep_origin};
use tableside_dice::Dice;
use tableside_game::{Author, Command, Event};
use tableside_store::StoreError;

impl Table {
    /// Does an act of a seat: decides, appends the event to the journal, applies it, and wakes every screen. Returns the
    /// entry as the seat reads it.
    pub fn submit(self: &Arc<Self>, seat: &Seat, act: &Act) -> Result<Arc<Entry>, Problem> {
        self.submit_by(seat, &seat.author(), act, None)
    }

    /// Does an act with the rights of a seat. The log shows `author` as the author. `dice` replace the table's own
    /// dice. An act that belongs to the host's game is done in that game.
    pub fn submit_by(
        self: &Arc<Self>,
        seat: &Seat,
        author: &Author,
        act: &Act,
        dice: Option<&mut dyn Dice>,
    ) -> Result<Arc<Entry>, Problem> {
        if let Act::Do(command) = act
            && command.is_anonymous()
            && author.seat != SeatId::NOBODY
        {
            return self.submit_by(seat, &Author::nobody(), act, dice);
        }
        if let Act::UndoSeveral(count) = act {
            return self.undo_several(seat, author, *count);
        }
        if let Some(entry) = self.submit_to_host(seat, author, act)? {
            return Ok(entry);
        }

        let entry = self.submit_here(seat, author, act, dice)?;
        self.send_saved_requests();
        Ok(entry)
    }

    /// Undoes `count` acts, at least one. If an act cannot be undone, the later acts stay undone, and the error
    /// contains their number.
    fn undo_several(
        self: &Arc<Self>,
        seat: &Seat,
        author: &Author,
        count: u32,
    ) -> Result<Arc<Entry>, Problem> {
        let mut newest_undo = self.submit_by(seat, author, &Act::Undo, None)?;
        for undone in 1..count {
            newest_undo = self
                .submit_by(seat, author, &Act::Undo, None)
                .map_err(|problem| Problem::UndoStopped {
                    undone,
                    wanted: count,
                    reason: Box::new(problem),
                })?;
        }
        Ok(newest_undo)
    }

    /// Does an act in this game.
    pub(super) fn submit_here(
        self: &Arc<Self>,
        seat: &Seat,
        author: &Author,
        act: &Act,
        dice: Option<&mut dyn Dice>,
    ) -> Result<Arc<Entry>, Problem> {
        let _turn = self.turn.lock();
        let mut inner = self.inner();
        inner.presence.count_act(seat)?;

        let mut own_dice = self.dice.lock();
        let dice_used = match dice {
            Some(dice) => dice,
            None => &mut **own_dice,
        };
        let revision_before = inner.revision.latest;
        let decided = self.decide_and_write(&mut inner, seat, author, act, dice_used);
        let entry = match decided {
            Ok(entry) => entry,
            Err(problem) => {
                let has_changed = inner.revision.latest != revision_before;
                drop(inner);
                if has_changed {
                    // This act failed, but it has read events of other processes.
                    self.notify(&TableChange::Changed);
                }
                return Err(problem);
            }
        };

        remember_origin(&inner, act);
        let redactor = Redactor::new(&inner.game, seat);
        let readable = match redactor.redact_entry(&entry, &inner.history) {
            Some(redacted) => redacted,
            None => Arc::new(done_unseen(&entry)),
        };
        if entry.event.what.ends_a_scene()
            && let Some(store) = &inner.store
        {
            store.snapshot_soon();
        }
        let kind = inner.touched_by(&entry);
        self.notify_change(inner, kind);
        Ok(readable)
    }

    /// Decides an act and appends its event to the journal. If another process has written an event first, reads that
    /// event and decides the act again.
    fn decide_and_write(
        self: &Arc<Self>,
        inner: &mut RwLockWriteGuard<'_, Inner>,
        seat: &Seat,
        author: &Author,
        act: &Act,
        dice: &mut dyn Dice,
    ) -> Result<Arc<Entry>, Problem> {
        loop {
            let at = (self.clock)();
            let context = inner.context(author, at);
            let event: Event = match inner.decide(seat, &context, act, dice) {
                Ok(event) => event,
                Err(refusal) => return Err(inner.redact_refusal(seat, act, at, refusal).into()),
            };
            self.keep(inner, at)?;
            match Inner::write(inner, author, at, event) {
                Err(StoreError::Moved(path)) => {
                    let received = Inner::read_new_events(inner)?;
                    if received.is_empty() {
                        // The other process archived or removed the game.
                        return Err(StoreError::Missing(path).into());
                    }
                }
                result => return Ok(result?),
            }
        }
    }
}

/// Saves the path of the file that new rules came from, so that the user need not name it again.
fn remember_origin(inner: &Inner, act: &Act) {
    let (Act::Do(command), Some(store)) = (act, &inner.store) else {
        return;
    };
    if let Command::TakeRules { from, .. } = &**command
        && !from.is_empty()
    {
        // If this fails, the user must name the file again the next time.
        let _result = keep_origin(&store.location(), Path::new(from));
    }
}
