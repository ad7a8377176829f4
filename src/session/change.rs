//! One difference between two states of a session, with what was before and what is after.
//!
//! Every state is compared part by part, as it is written in files, so that whatever is added to a thing later
//! is recorded, folded in and taken back without another line of code.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::entity::{Entity, difference};
use super::{CallId, CharacterId, ClockId, PoolId, PreparedId, Roll, Session, UnfinishedId};

/// What a change is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Subject {
    Character(CharacterId),
    Clock(ClockId),
    Pool(PoolId),
    Prepared(PreparedId),
    Call(CallId),
    Unfinished(UnfinishedId),
    /// What a character may not try again.
    Lock(CharacterId),
    /// A scene, by its place among all.
    Scene(usize),
    House,
    Round,
}

/// Parts that others ask for by name. A part is a JSON pointer into the thing; a lock's and a house rule's is
/// what it is about.
pub mod part {
    pub const NAME: &str = "/name";
    pub const OWNER: &str = "/owner";
    pub const ACTED: &str = "/acted";
    pub const NOTES: &str = "/notes";
    pub const CONDITIONS: &str = "/conditions";
    pub const FILLED: &str = "/filled";
    pub const VISIBILITY: &str = "/visibility";
    pub const LINK: &str = "/link";
    pub const CHECK: &str = "/check";
    pub const TOKENS: &str = "/tokens";
    /// What a pool gained in this scene under its limit.
    pub const GAINED: &str = "/gains/this_scene";
    pub const THRESHOLDS: &str = "/thresholds";
    pub const BROUGHT: &str = "/brought";
    pub(in crate::session) const FRESH: &str = "/fresh";
    pub(in crate::session) const SHEET: &str = "/sheet";
}

/// One difference. Numbers that people count are differences too: taking one back adds what it took away,
/// whatever happened since.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Change {
    pub of: Subject,
    /// Which part of it; empty where it came or went whole.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub part: String,
    /// Its place in its list, where it came or went.
    #[serde(default, skip_serializing_if = "is_first")]
    pub at: usize,
    /// What was; null where there was nothing.
    #[serde(default, skip_serializing_if = "Json::is_null")]
    pub from: Json,
    /// What is; null where there is nothing.
    #[serde(default, skip_serializing_if = "Json::is_null")]
    pub to: Json,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde asks for it")]
const fn is_first(at: &usize) -> bool {
    *at == 0
}

impl Change {
    pub(super) fn new(of: Subject, part: &str, (from, to): (Json, Json)) -> Self {
        Self {
            of,
            part: part.to_owned(),
            at: 0,
            from,
            to,
        }
    }

    /// Whether it is about that part, or made the whole come or go.
    pub(crate) fn touches(&self, (of, part): &(Subject, String)) -> bool {
        self.of == *of && (self.part == *part || self.part.is_empty())
    }

    pub fn is_part(&self, of: Subject, part: &str) -> bool {
        self.of == of && self.part == part
    }

    /// The stat of a sheet that changed, and whose.
    pub fn stat(&self) -> Option<(CharacterId, &str)> {
        match self.of {
            Subject::Character(who) => Some((who, stat_of(&self.part)?)),
            _ => None,
        }
    }

    /// Both numbers, where a number changed.
    pub fn numbers(&self) -> Option<(i64, i64)> {
        self.from.as_i64().zip(self.to.as_i64())
    }

    /// The check as it waited until then.
    pub fn waited(&self) -> Option<Roll> {
        Roll::deserialize(self.from.get("roll").unwrap_or(&self.from)).ok()
    }

    /// What was and what is, as far as either is a `T`.
    pub fn sides<T: DeserializeOwned>(&self) -> impl Iterator<Item = T> {
        [&self.from, &self.to]
            .into_iter()
            .filter_map(|side| T::deserialize(side).ok())
    }
}

/// The stat that a part of a character is.
pub(super) fn stat_of(name: &str) -> Option<&str> {
    name.strip_prefix(part::SHEET)?.strip_prefix('/')
}

/// Every difference that makes `from` into `to`.
pub fn differences(from: &Session, to: &Session) -> Vec<Change> {
    let mut changes = Vec::new();
    of_list(&from.pools, &to.pools, &mut changes);
    of_list(&from.clocks, &to.clocks, &mut changes);
    of_list(&from.roster, &to.roster, &mut changes);
    of_list(&from.prepared, &to.prepared, &mut changes);
    of_list(&from.calls, &to.calls, &mut changes);
    of_list(&from.unfinished, &to.unfinished, &mut changes);
    let flag = |of, part: &str, (from, to): (bool, bool)| {
        Change::new(of, part, (Json::from(from), Json::from(to)))
    };
    for lock in from.locks.iter().chain(&to.locks) {
        let on = (from.locks.contains(lock), to.locks.contains(lock));
        if on.0 != on.1 {
            changes.push(flag(Subject::Lock(lock.0), &lock.1, on));
        }
    }
    for rule in from.system.spec().house {
        let both = (from.house.value(rule), to.house.value(rule));
        if both.0 != both.1 {
            let both = (json(&both.0), json(&both.1));
            changes.push(Change::new(Subject::House, rule.id, both));
        }
    }
    for at in 0..from.scenes.len().max(to.scenes.len()) {
        let both = (from.scenes.get(at), to.scenes.get(at));
        if both.0 != both.1 {
            let both = (json(&both.0), json(&both.1));
            changes.push(Change::new(Subject::Scene(at), "", both));
        }
    }
    if from.round != to.round {
        let both = (from.round.into(), to.round.into());
        changes.push(Change::new(Subject::Round, "", both));
    }
    changes
}

/// What came, went and changed of one kind. What goes, goes from the last one down, and what comes, comes from
/// the first one up, so that every place is found again both ways.
fn of_list<T: Entity>(from: &[T], to: &[T], changes: &mut Vec<Change>) {
    let whole = |one: &T, at, both| Change {
        at,
        ..Change::new(one.subject(), "", both)
    };
    for (at, before) in from.iter().enumerate().rev() {
        if !to.iter().any(|after| after.subject() == before.subject()) {
            changes.push(whole(before, at, (json(before), Json::Null)));
        }
    }
    for (at, after) in to.iter().enumerate() {
        let same = |before: &&T| before.subject() == after.subject();
        match from.iter().find(same) {
            Some(before) if before == after => {}
            Some(before) => {
                let parts = difference(&json(before), &json(after)).into_iter();
                changes.extend(parts.map(|(part, both)| Change::new(after.subject(), &part, both)));
            }
            None => changes.push(whole(after, at, (Json::Null, json(after)))),
        }
    }
}

pub(super) fn json(value: &impl Serialize) -> Json {
    serde_json::to_value(value).expect("every part of a session has a form in JSON")
}
