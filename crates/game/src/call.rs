//! A call for a roll: who is still to make which check.

use serde::{Deserialize, Serialize};

use super::group::Trained;
use super::{CallCommand, CommandError, Event, EventKind, Game, MOST, Origin};
use super::{CallId, CharacterId, EntityKind, Result, refused};

/// One character is to make a check. Several called at once are several calls, so that each is answered
/// and taken back by itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Call {
    /// The number that events know it by.
    pub id: CallId,
    /// Who is to roll.
    pub who: CharacterId,
    /// The check's name within the system.
    pub check: String,
    /// Fields as a person writes them: `cn` is `12`, `ability` is `agility`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<(String, String)>,
    /// On whose sheets the fields are that name somebody, by field.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub named: Vec<(String, Origin)>,
    /// Who helps: the others of a group check.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub helpers: Vec<CharacterId>,
    /// Whether it is made for everybody: all succeed with it (Heart Rush, Weakest Link).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub group: bool,
    /// Whether all players see it, not only the one who is to roll.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub shown: bool,
}

impl Game {
    /// The oldest call that a check of that character answers.
    pub fn call_for(&self, who: CharacterId, check: &str) -> Option<&Call> {
        let mut calls = self.calls.iter();
        calls.find(|call| call.who == who && call.check == check)
    }

    /// Calls on each of them by itself. Fields are tried against each sheet, so that a call can be
    /// answered as it stands; who lacks what is named has the least of it, and the event says so.
    pub(super) fn decide_call(&self, command: &CallCommand) -> Result<Event> {
        let spec = self.system.check(&command.check)?;
        let mut after = self.clone();
        let mut names: Vec<String> = Vec::with_capacity(command.who.len());
        for (place, &who) in command.who.iter().enumerate() {
            let character = self.known_character(who)?;
            let name = &character.name;
            if command.who[..place].contains(&who) {
                continue;
            }
            self.helping(Some(who), spec, &command.helpers)?;
            let Trained {
                filled,
                fields,
                lacking,
            } = self.as_far_as_trained(spec, who, &command.fields)?;
            self.may_call(character, &filled)?;
            names.push(match lacking.as_slice() {
                [] => name.clone(),
                lacking => format!("{name} (without {})", lacking.join(", ")),
            });
            let call = Call {
                id: CallId(after.take_id()),
                who,
                check: spec.id.to_owned(),
                named: self.named_in(spec, Some(who), &fields),
                fields,
                helpers: command.helpers.clone(),
                group: command.group,
                shown: command.shown,
            };
            after.calls.push(call);
        }
        if names.is_empty() {
            return Err(CommandError::Unchanged);
        }
        if after.calls.len() > MOST {
            return Err(refused(format!("a game holds at most {MOST} calls")));
        }
        let kind = EntityKind::Call;
        let name = format!("{}, {}", spec.label, names.join(", "));
        Ok(self.event(
            EventKind::Added {
                kind,
                name,
                how: String::new(),
            },
            &after,
        ))
    }

    /// What a call is told as.
    pub(super) fn call_in_words(&self, id: CallId) -> Result<String> {
        let call = self.call(id).ok_or(CommandError::Gone("call"))?;
        let label = self.system.check(&call.check)?.label;
        Ok(format!("{label}, {}", self.owner_name(Some(call.who))))
    }
}
