//! Requests: acts of a game that its host performs.

use std::sync::Arc;

use super::GameRequest;
use super::undo::describe_reversal;
use super::updates::Pace;
use crate::redact::{Redactor, done_unseen};
use crate::{Act, Entry, Inner, Problem, Seat, Table};
use tableside_game::{
    Author, Command, CommandError, EntityRef, Event, GameActor, HostAction, HostRequest,
    HostRequestId,
};
use tableside_rules::Refused;

impl Table {
    /// Sends an act that concerns a host clock to the host, and follows the host. Returns `None` if the act concerns only
    /// this game.
    pub(crate) fn submit_to_host(
        self: &Arc<Self>,
        seat: &Seat,
        author: &Author,
        act: &Act,
    ) -> Result<Option<Arc<Entry>>, Problem> {
        if self.look().game.followed == 0 {
            return Ok(None);
        }
        let action = self.inner().host_action_of(seat, act)?;
        let Some(action) = action else {
            return Ok(None);
        };

        let Some(host) = self.host.lock().clone() else {
            let why = "this is a host clock, and the host's game is not open here; change the clock with `tableside do --host`";
            let refusal = CommandError::from(Refused(why.to_owned()));
            return Err(refusal.into());
        };
        let request = GameRequest {
            actor: GameActor {
                name: author.name.clone(),
                game: self.name(),
                request: None,
            },
            seat: author.seat,
            action,
        };
        let host_entry = host.perform(&request).map_err(|problem| match problem {
            Problem::Refused(refusal) => {
                let inner = self.look();
                let redacted = inner.redact_refusal(seat, act, self.now(), refusal);
                Problem::Refused(redacted)
            }
            problem => problem,
        })?;

        self.sync_with_host(Pace::EachEntry)?;
        let entry = self.look().entry_after_host(host_entry, seat)?;
        Ok(Some(entry))
    }

    /// Sends the requests that the last act of this game has saved. A request that fails now is sent when the game
    /// follows the host the next time.
    pub(crate) fn send_saved_requests(self: &Arc<Self>) {
        if !self.look().game.host_requests.is_empty() {
            self.sync_with_host(Pace::EachEntry).ok();
        }
    }
}

impl Inner {
    /// Returns the action of the host that an act requires, or `None` if the act concerns only this game.
    fn host_action_of(
        &mut self,
        seat: &Seat,
        act: &Act,
    ) -> Result<Option<HostAction>, CommandError> {
        seat.check_right(&self.game, self.presence.allowed, act)?;

        let undone = match act {
            Act::Do(command) => return self.host_tick_of(seat, command),
            Act::Undo => self.find_undoable(seat).ok(),
            Act::Redo => {
                let redo = self.history.to_redo(seat);
                redo.map(|(_, undo)| undo)
            }
            Act::Strike { entry, .. } => {
                let struck = self.find(*entry)?;
                Some(struck)
            }
            _ => None,
        };
        let Some(undone) = undone else {
            return Ok(None);
        };
        let Some(host_entry) = undone.event.host_entry() else {
            return Ok(None);
        };

        let number = undone.number;
        if !undone.is_host_step() {
            return Err(Refused(format!(
                "#{number} combines several changes of host clocks; undo them at the host with `tableside do --host undo`"
            ))
            .into());
        }
        self.history.check_holds(number)?;
        self.presence.count_act(seat)?;
        Ok(Some(HostAction::Undo { entry: host_entry }))
    }

    fn host_tick_of(
        &mut self,
        seat: &Seat,
        command: &Command,
    ) -> Result<Option<HostAction>, CommandError> {
        let Command::Tick { clock, by } = *command else {
            return Ok(None);
        };
        let copy = self.game.clock(clock);
        let Some(host_clock) = copy.and_then(|copy| copy.host_clock) else {
            return Ok(None);
        };
        self.presence.count_act(seat)?;
        Ok(Some(HostAction::Tick {
            clock: host_clock,
            by,
        }))
    }

    /// Returns the entry with which this game has followed an entry of the host, as the seat reads it.
    fn entry_after_host(&self, host_entry: u64, seat: &Seat) -> Result<Arc<Entry>, CommandError> {
        let entry = self
            .history
            .iter()
            .rev()
            .filter(|entry| entry.event.host_entry().is_some())
            .take_while(|entry| entry.event.host_entry() >= Some(host_entry))
            .last()
            .ok_or(CommandError::Gone("entry"))?;
        let redactor = Redactor::new(&self.game, seat);
        match redactor.redact_entry(entry, &self.history) {
            Some(redacted) => Ok(redacted),
            None => Ok(Arc::new(done_unseen(entry))),
        }
    }

    /// Returns a saved request in the name of the seat whose act has caused it.
    pub(super) fn game_request(&self, request: &HostRequest) -> GameRequest {
        let author = match self.entry_that_saved(request.id) {
            // If a player of another game caused the entry, the request has no author in this game.
            Some(cause) if cause.event.at.is_none() => cause.author(),
            _ => Seat::gm().author(),
        };
        GameRequest {
            actor: GameActor {
                name: author.name,
                game: self.game_name(),
                request: Some(request.id),
            },
            seat: author.seat,
            action: request.action.clone(),
        }
    }

    fn entry_that_saved(&self, id: HostRequestId) -> Option<&Arc<Entry>> {
        let request = EntityRef::HostRequest(id);
        self.history.iter().rev().find(|entry| {
            let mut changes = entry.event.changes.iter();
            changes.any(|change| change.entity == request)
        })
    }

    /// Returns the event that performs a request of another game. This game is the host's own game.
    pub(crate) fn perform_for_game(
        &mut self,
        request: &GameRequest,
        decide: impl FnOnce(&Self, &Command) -> Result<Event, CommandError>,
    ) -> Result<Event, CommandError> {
        // If two processes have the same game open, both send its saved requests.
        if self.has_performed(&request.actor) {
            return Err(CommandError::Unchanged);
        }

        let mut event = match request.action {
            HostAction::Tick { clock, by } => {
                let tick = Command::Tick { clock, by };
                decide(self, &tick)?
            }
            HostAction::Undo { entry } => {
                let entry = self.find(entry)?;
                self.history.check_holds(entry.number)?;
                let kind = describe_reversal(&entry, self.game.system);
                self.reverse(entry.number, &entry.event, kind)?
            }
        };
        event.at = Some(Box::new(request.actor.clone()));
        Ok(event)
    }

    /// True if an entry has fulfilled the saved request of this actor.
    fn has_performed(&self, actor: &GameActor) -> bool {
        if actor.request.is_none() {
            return false;
        }
        let mut entries = self.history.iter().rev();
        entries.any(|entry| match entry.event.at.as_deref() {
            Some(performed) => {
                let is_of_game = performed.game == actor.game;
                is_of_game && performed.request == actor.request
            }
            None => false,
        })
    }
}
