//! Turns acts into events. The game decides commands; undo, amendments and rerolls also need the history.

use std::sync::Arc;

use chrono::{DateTime, Utc};

use super::host_clocks::describe_reversal;
use super::preview::ExtremeDice;
use super::{Act, Entry, Inner, Seat};
use tableside_dice::Dice;
use tableside_game::{
    Author, CommandContext, CommandError, EntityRef, Event, EventKind, Faces, Roll,
};
use tableside_rules::Side;

/// Methods that decide acts.
impl Inner {
    pub(super) fn decide(
        &mut self,
        seat: &Seat,
        context: &CommandContext,
        act: &Act,
        dice: &mut dyn Dice,
    ) -> Result<Event, CommandError> {
        seat.check_right(&self.game, self.presence.allowed, act)?;
        let event = self.decide_allowed(seat, context, act, dice)?;
        self.check_gm_decisions(seat, &event)?;
        Ok(event)
    }

    /// Decides an act that the seat may do.
    fn decide_allowed(
        &mut self,
        seat: &Seat,
        context: &CommandContext,
        act: &Act,
        dice: &mut dyn Dice,
    ) -> Result<Event, CommandError> {
        match act {
            Act::Do(command) => self.game.decide(command, context, dice),
            Act::Undo | Act::UndoSeveral(_) => {
                let entry = self.find_undoable(seat)?;
                let undo = describe_reversal(&entry, self.game.system);
                self.reverse(entry.number, &entry.event, undo)
            }
            Act::Redo => {
                let (redo, undo) = self
                    .history
                    .to_redo(seat)
                    .ok_or(CommandError::NothingTo("redo"))?;
                self.reverse(undo.number, &undo.event, redo)
            }
            Act::Strike { entry, reason } => self.decide_strike(seat, *entry, reason),
            Act::Amend {
                entry,
                fields,
                faces,
            } => self.decide_amendment(seat, *entry, fields, faces, dice),
            Act::Reroll { entry, faces } => self.decide_reroll(seat, *entry, faces, dice),
            Act::ForGame(request) => self.perform_for_game(request, |inner, command| {
                inner.game.decide(command, context, dice)
            }),
            Act::FollowHost(update) => self.decide_host_update(update),
        }
    }

    fn decide_strike(
        &mut self,
        seat: &Seat,
        number: u64,
        reason: &str,
    ) -> Result<Event, CommandError> {
        const LONGEST_REASON: usize = 500;

        let entry = self.find(number)?;
        if entry.is_private() && !seat.did(&entry) {
            return Err(CommandError::Gone("entry"));
        }
        self.history.check_holds(number)?;
        let safe_reason = tableside_text::sanitise(reason.trim(), LONGEST_REASON);
        let strike = EventKind::Struck {
            entry: number,
            reason: safe_reason.into_owned(),
        };
        let combined = self.history.combined_event(number, strike.clone());
        self.reverse(number, &combined, strike)
    }

    fn decide_amendment(
        &mut self,
        seat: &Seat,
        number: u64,
        fields: &[(String, String)],
        faces: &Faces,
        dice: &mut dyn Dice,
    ) -> Result<Event, CommandError> {
        let entry = self.find_holding(seat, number)?;
        let readings = self.history.all_readings(number);
        let rolls: Vec<&Roll> = readings.iter().filter_map(|entry| entry.roll()).collect();
        let combined = self
            .history
            .combined_event(number, entry.event.what.clone());

        self.reverse_with_host(&combined, |game, event| {
            let amended = game.amend(number, event, &rolls, fields, faces, dice)?;
            amended.with_luck(game.system)
        })
        .map_err(|refusal| self.name_later(number, refusal))
    }

    fn decide_reroll(
        &mut self,
        seat: &Seat,
        number: u64,
        faces: &Faces,
        dice: &mut dyn Dice,
    ) -> Result<Event, CommandError> {
        let entry = self.find_holding(seat, number)?;
        self.history.check_reroll(number)?;
        let combined = self
            .history
            .combined_event(number, entry.event.what.clone());

        self.reverse_with_host(&combined, |game, event| {
            let rerolled = game.reroll(number, event, faces, dice)?;
            rerolled.with_luck(game.system)
        })
        .map_err(|refusal| self.name_later(number, refusal))
    }

    /// Refuses an event of a player that would remove a decision of the GM: a roll that waits for the GM, or that the GM
    /// has answered.
    fn check_gm_decisions(&self, seat: &Seat, event: &Event) -> Result<(), CommandError> {
        if seat.sees_all() {
            return Ok(());
        }
        let system = self.game.system;
        let gm = system.spec().gm;

        if let EventKind::Rerolled { entry, .. } = &event.what {
            let rerolled = self.history.entry(*entry);
            let roll = rerolled.as_ref().and_then(|entry| entry.roll());
            let decisions = match roll {
                Some(roll) => roll.count_gm_answers(system)?,
                None => 0,
            };
            if decisions > 0 {
                return Err(CommandError::NotAllowed(format!(
                    "the {gm} has made a choice in this roll, so only the {gm} can roll it again"
                )));
            }
        }

        let changed_rolls = event
            .changes
            .iter()
            .filter_map(|change| match change.entity {
                EntityRef::Unfinished(id) => self.game.unfinished(id),
                _ => None,
            });
        for waiting in changed_rolls {
            let waits_for_gm = self.game.decider(waiting.id) == Some(Side::Gm);
            if waits_for_gm {
                return Err(CommandError::NotAllowed(format!(
                    "this roll waits for the {gm} to decide, so only the {gm} can undo or abandon it"
                )));
            }
            if waiting.roll.count_gm_answers(system)? == 0 {
                continue;
            }

            // An event that continues the roll keeps every answer.
            let continues = event
                .what
                .roll()
                .is_some_and(|roll| roll.trail.starts_with(&waiting.roll.trail));
            let is_abandoned = matches!(event.what, EventKind::Abandoned(_));
            if !continues || is_abandoned {
                return Err(CommandError::NotAllowed(format!(
                    "the {gm} has made a choice in this roll, so only the {gm} can undo or abandon it"
                )));
            }
        }
        Ok(())
    }

    pub(super) fn context(&self, author: &Author, at: DateTime<Utc>) -> CommandContext {
        CommandContext {
            at,
            number: self.history.last() + 1,
            author: author.clone(),
        }
    }

    /// Returns a refusal as the seat may read it. The refusal may contain a hidden name, so the act is decided again on
    /// the redacted game of the seat.
    pub(super) fn redact_refusal(
        &self,
        seat: &Seat,
        act: &Act,
        at: DateTime<Utc>,
        refusal: CommandError,
    ) -> CommandError {
        if seat.sees_all() || matches!(refusal, CommandError::NotAllowed(_)) {
            return refusal;
        }

        let gm = self.game.system.spec().gm;
        let hidden_reason = |why: &str| {
            let message = format!("{why}; ask the {gm}");
            CommandError::NotAllowed(message)
        };
        match (act, refusal) {
            (Act::Do(command), _) => {
                let redacted = self.views.of_seat(&self.game, seat);
                let context = self.context(&seat.author(), at);
                let mut dice = ExtremeDice { highest: false };
                match redacted.decide(command, &context, &mut dice) {
                    Err(refusal) => refusal,
                    Ok(_) => hidden_reason("this conflicts with something hidden from you"),
                }
            }
            (_, CommandError::NotHolding { .. }) => {
                hidden_reason("that entry cannot be undone, amended or rolled again")
            }
            (_, CommandError::ChangedSince { .. }) => hidden_reason(
                "a later entry changed the same value, so this entry cannot be undone",
            ),
            (_, refusal) => refusal,
        }
    }
}

/// Methods that find earlier entries.
impl Inner {
    /// Finds an entry and reads every entry that it replaces into memory.
    pub(super) fn find(&mut self, number: u64) -> Result<Arc<Entry>, CommandError> {
        let entry = self.fetch(number)?;
        let mut replaced = entry.event.what.replaces();
        while let Some(number) = replaced {
            replaced = self.fetch(number)?.event.what.replaces();
        }
        Ok(entry)
    }

    /// Returns an entry, read from the journal if necessary.
    fn fetch(&mut self, number: u64) -> Result<Arc<Entry>, CommandError> {
        // If the journal cannot be read, the entry counts as missing.
        let _result = self.reach_back(number);
        let entry = self.history.entry(number);
        entry.ok_or(CommandError::Gone("entry"))
    }

    /// Finds a resolved check that was not undone or replaced, and that the seat may change.
    fn find_holding(&mut self, seat: &Seat, number: u64) -> Result<Arc<Entry>, CommandError> {
        let entry = self.find(number)?;
        let may_change = match entry.event.what.resolved() {
            Some(roll) => seat.sees_all() || seat.may_roll_again(roll),
            None => seat.sees_all(),
        };
        if !may_change {
            return Err(seat.refusal(self.game.system));
        }
        self.history.check_holds(number)?;
        Ok(entry)
    }

    /// Finds the newest act that the seat may undo. Searches only as many entries as memory may hold.
    pub(super) fn find_undoable(&mut self, seat: &Seat) -> Result<Arc<Entry>, CommandError> {
        // The table is locked while the journal is read, so the search must be short.
        loop {
            if let Some(entry) = self.history.to_undo(seat) {
                return Ok(entry);
            }
            let first = self.history.first();
            if !self.history.holds_too_many() {
                // If the journal cannot be read, `first` stays the same, and the search ends.
                let _result = self.reach_back(first.saturating_sub(1));
            }
            if self.history.first() >= first {
                return Err(CommandError::NothingTo("undo"));
            }
        }
    }

    /// Reverses an event. The log shows it as `what`.
    pub(super) fn reverse(
        &self,
        number: u64,
        event: &Event,
        what: EventKind,
    ) -> Result<Event, CommandError> {
        self.reverse_with_host(event, |game, event| game.undo_event(number, event, what))
            .map_err(|refusal| self.name_later(number, refusal))
    }

    /// Adds to a refusal the number of the later event that prevents the undo.
    fn name_later(&self, number: u64, mut refusal: CommandError) -> CommandError {
        if let CommandError::ChangedSince { target, later, .. } = &mut refusal {
            *later = match self.history.later_change(number, target) {
                Some(number) => format!(", by #{number}"),
                None => String::new(),
            };
        }
        refusal
    }
}
