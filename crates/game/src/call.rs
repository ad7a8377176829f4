//! Calls for a roll: the GM asks characters to make a check.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::{CallCommand, CommandError, Event, EventKind, Game, MOST, Origin};
use super::{CallId, CharacterId, EntityKind, Result, refused};
use tableside_rules::CheckSpec;

/// A call for one character to make a check.
///
/// A call to several characters is stored as several calls, so that each can be answered and undone separately.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Call {
    pub id: CallId,
    /// The character that has to roll.
    pub who: CharacterId,
    /// The id of the check in the system.
    pub check: String,
    /// Fields with their values in the form of typed input: `cn` is `12`, `ability` is `agility`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<(String, String)>,
    /// The fields that name another character, with the sheet that they refer to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub named: Vec<(String, Origin)>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub helpers: Vec<CharacterId>,
    /// True if the whole party succeeds or fails with this roll (Heart Rush, Weakest Link).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub group: bool,
    /// True if all players see the call, false if only the called player does.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub shown: bool,
}

impl Game {
    /// Returns the oldest call that a check of this character answers.
    pub fn call_for(&self, who: CharacterId, check: &str) -> Option<&Call> {
        self.calls
            .iter()
            .find(|call| call.who == who && call.check == check)
    }

    /// Calls on each of the characters to make a check.
    ///
    /// The fields are validated against each sheet, so that every call can be answered. A character without a named
    /// skill rolls without it, and the event mentions that.
    pub(super) fn decide_call(&self, command: &CallCommand) -> Result<Event> {
        let spec = self.system.check(&command.check)?;

        let mut called = command.who.clone();
        let mut seen = BTreeSet::new();
        called.retain(|id| seen.insert(*id));

        let mut after = self.clone();
        let mut names = Vec::new();
        for id in called {
            let mut call = self.prepare_call(command, spec, id, &mut names)?;
            call.id = CallId(after.take_id());
            after.calls.push(call);
        }

        if names.is_empty() {
            return Err(CommandError::Unchanged);
        }
        if after.calls.len() > MOST {
            return Err(refused(format!(
                "a game has at most {MOST} calls; cancel one first"
            )));
        }

        let act = EventKind::Added {
            kind: EntityKind::Call,
            name: format!("{}, {}", spec.label, names.join(", ")),
            how: String::new(),
        };
        Ok(self.event(act, &after))
    }

    /// Creates the call to one character, without an id yet, and adds the character's name to `names` for the log.
    pub(super) fn prepare_call(
        &self,
        command: &CallCommand,
        spec: &'static CheckSpec,
        id: CharacterId,
        names: &mut Vec<String>,
    ) -> Result<Call> {
        let character = self.known_character(id)?;
        self.valid_helpers(Some(id), spec, &command.helpers)?;

        let trained = self.adapt_call(spec, id, &command.fields)?;
        self.validate_call(character, &trained.filled)?;

        let name = character.name.clone();
        names.push(if trained.lacking.is_empty() {
            name
        } else {
            format!("{name} (without {})", trained.lacking.join(", "))
        });

        Ok(Call {
            id: CallId(0),
            who: id,
            check: spec.id.to_owned(),
            named: self.named_characters(spec, Some(id), &trained.fields),
            fields: trained.fields,
            helpers: command.helpers.clone(),
            group: command.group,
            shown: command.shown,
        })
    }

    /// Describes a call for the log: `Skill check, Mira`.
    pub(super) fn describe_call(&self, id: CallId) -> Result<String> {
        let call = self.call(id).ok_or(CommandError::Gone("call"))?;
        let label = self.system.check(&call.check)?.label;
        Ok(format!("{label}, {}", self.owner_name(Some(call.who))))
    }
}
