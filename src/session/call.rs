//! A call for a roll: who is still to make which check.

use serde::{Deserialize, Serialize};

use super::id::{CallId, CharacterId};
use super::{Origin, Session};

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

impl Session {
    /// The oldest call that a check of that character answers.
    pub fn call_for(&self, who: CharacterId, check: &str) -> Option<&Call> {
        let mut calls = self.calls.iter();
        calls.find(|call| call.who == who && call.check == check)
    }
}
