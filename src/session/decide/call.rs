//! Calls for a roll.

use crate::session::error::{Result, refused};
use crate::session::event::EntityKind;
use crate::session::{
    Call, CallCommand, CallId, Character, CommandError, Event, EventKind, MOST, Session,
};

impl Session {
    /// Calls on each of them by itself. Fields are tried against each sheet, so that a call can be
    /// answered as it stands; who lacks what is named has the least of it, and the event says so.
    pub(super) fn decide_call(&self, command: &CallCommand) -> Result<Event> {
        let spec = self.system.check(&command.check)?;
        let mut called: Vec<&Character> = Vec::new();
        for &id in &command.who {
            let character = self.known_character(id)?;
            if !called.iter().any(|known| known.id == id) {
                called.push(character);
            }
        }
        if called.is_empty() {
            return Err(CommandError::Unchanged);
        }
        if self.calls.len() + called.len() > MOST {
            return Err(refused(format!("a session holds at most {MOST} calls")));
        }
        let mut names: Vec<String> = Vec::with_capacity(called.len());
        let mut own_fields = Vec::with_capacity(called.len());
        for character in &called {
            self.helping(Some(character.id), spec, &command.helpers)?;
            let own = self.as_far_as_trained(spec, character.id, &command.fields)?;
            names.push(match own.lacking.as_slice() {
                [] => character.name.clone(),
                lacking => format!("{} (without {})", character.name, lacking.join(", ")),
            });
            own_fields.push(own.fields);
        }
        let mut after = self.clone();
        for (character, fields) in called.iter().zip(own_fields) {
            let call = Call {
                id: CallId(after.take_id()),
                who: character.id,
                check: spec.id.to_owned(),
                named: self.named_in(spec, Some(character.id), &fields),
                fields,
                helpers: command.helpers.clone(),
                group: command.group,
                shown: command.shown,
            };
            after.calls.push(call);
        }
        let kind = EntityKind::Call;
        let name = format!("{}, {}", spec.label, names.join(", "));
        Ok(self.event(EventKind::Added { kind, name }, &after))
    }

    /// What a call is told as.
    pub(in crate::session) fn call_in_words(&self, id: CallId) -> Result<String> {
        let call = self.call(id).ok_or(CommandError::Gone("call"))?;
        let label = self.system.check(&call.check)?.label;
        Ok(format!("{label}, {}", self.owner_name(Some(call.who))))
    }
}
