//! Calls for a roll.

use crate::session::event::Thing;
use crate::session::helper::listed;
use crate::session::{
    Call, CallId, Change, Character, CharacterId, Event, MOST, Refusal, Session, What,
};

impl Session {
    /// Calls on each of them by itself. Fields are tried against each sheet, so that a call can be
    /// answered as it stands.
    pub(super) fn decide_call(
        &self,
        who: &[CharacterId],
        check: &str,
        (fields, helpers): (&[(String, String)], &[CharacterId]),
        shown: bool,
    ) -> Result<Event, Refusal> {
        let spec = self.system.check(check)?;
        let mut called: Vec<&Character> = Vec::new();
        for &id in who {
            let character = self.known_character(id)?;
            if !called.iter().any(|known| known.id == id) {
                called.push(character);
            }
        }
        if called.is_empty() {
            return Err(Refusal::Unchanged);
        }
        if self.calls.len() + called.len() > MOST {
            return Err(Refusal::TooMany("call"));
        }
        for character in &called {
            let who = Some(character.id);
            self.helping(who, helpers)?;
            let mut filled = self.fill(spec, who);
            for (name, given) in fields {
                match spec.field(name) {
                    Some(field) => self.fill_in(&mut filled, who, field, given)?,
                    // Says which fields there are.
                    None => filled.fields.set(name, given.as_str().into())?,
                }
            }
        }
        let changes = (self.next_id..).zip(&called).map(|(id, character)| {
            let call = Call {
                id: CallId(id),
                who: character.id,
                check: spec.id.to_owned(),
                fields: fields.to_vec(),
                helpers: helpers.to_vec(),
                shown,
            };
            Change::Called {
                id: call.id,
                from: None,
                to: Some(Box::new(call)),
            }
        });
        Ok(Event {
            changes: changes.collect(),
            what: What::Added {
                kind: Thing::Call,
                name: format!("{}, {}", spec.label, listed(&called)),
            },
        })
    }

    pub(super) fn decide_cancel_call(&self, id: CallId) -> Result<Event, Refusal> {
        let call = self.call(id).ok_or(Refusal::Gone("call"))?;
        let label = self.system.check(&call.check)?.label;
        Ok(Event {
            what: What::Removed {
                kind: Thing::Call,
                name: format!("{label}, {}", self.owner_name(Some(call.who))),
            },
            changes: vec![call.answered()],
        })
    }
}
