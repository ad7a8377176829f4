//! One difference between two states of a game, with what was before and what is after.
//!
//! Every state is compared part by part, as it is written in files, so that whatever is added to a thing later
//! is recorded, folded in and taken back without another line of code.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

use super::{CharacterId, Game, Roll, Subject, Unfinished};
use tableside_rules::System;

/// Parts that others ask for by name. A part is a JSON pointer into the thing.
pub mod part {
    pub const NAME: &str = "/name";
    pub const OWNER: &str = "/owner";
    pub const ACTED: &str = "/acted";
    pub const NOTES: &str = "/notes";
    pub const CONDITIONS: &str = "/conditions";
    pub const FILLED: &str = "/filled";
    pub const TURNS: &str = "/turns";
    pub const VISIBILITY: &str = "/visibility";
    pub const LINK: &str = "/link";
    pub const KIND: &str = "/kind";
    pub const RACE: &str = "/race";
    pub const CHECK: &str = "/check";
    pub const TOKENS: &str = "/tokens";
    pub const FLOOR: &str = "/floor";
    pub const CAP: &str = "/cap";
    /// What a pool gained in this scene under its limit.
    pub const GAINED: &str = "/gains/this_scene";
    pub const THRESHOLDS: &str = "/thresholds";
    pub const BROUGHT: &str = "/brought";
    pub(crate) const FRESH: &str = "/fresh";
    pub(crate) const SHEET: &str = "/sheet";
    /// What a character may not try again.
    pub(crate) const LOCKED: &str = "/about";
    pub(crate) const GM_LOCKED: &str = "/by-gm";
    pub(crate) const ROUND: &str = "/round";
    pub(crate) const FOLLOWED: &str = "/followed";
    /// The file of the rules.
    pub(crate) const SYSTEM: &str = "/system";
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
    #[serde(default, skip_serializing_if = "tableside_rules::is_default")]
    pub at: usize,
    /// What was; null where there was nothing.
    #[serde(default, skip_serializing_if = "Json::is_null")]
    pub from: Json,
    /// What is; null where there is nothing.
    #[serde(default, skip_serializing_if = "Json::is_null")]
    pub to: Json,
}

impl Change {
    pub fn new(of: Subject, part: &str, (from, to): (Json, Json)) -> Self {
        Self {
            of,
            part: part.to_owned(),
            at: 0,
            from,
            to,
        }
    }

    /// Whether it is about that part, or made the whole come or go.
    pub fn touches(&self, (of, part): &(Subject, String)) -> bool {
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

    /// Whether it only tells how somebody stands.
    pub fn tells_state(&self, system: System) -> bool {
        let mut stats = system.spec().stats.iter().filter(|stat| stat.state);
        let stat = self.stat().map(|(_, stat)| stat);
        self.part.starts_with(part::FRESH) || stats.any(|known| Some(known.id) == stat)
    }

    /// The rules that hold from then on.
    pub fn new_rules(&self) -> Option<System> {
        let is_system = self.is_part(Subject::Rules, part::SYSTEM);
        is_system.then(|| System::deserialize(&self.to).ok())?
    }

    /// The waiting roll that it ended, if it ended one.
    pub fn waiting_before(&self) -> Option<Unfinished> {
        let ended = matches!(self.of, Subject::Unfinished(_)) && self.part.is_empty();
        if !ended || !self.to.is_null() {
            return None;
        }
        Unfinished::deserialize(&self.from).ok()
    }

    /// The waiting roll that it began, if it began one.
    pub fn waiting_after(&self) -> Option<Unfinished> {
        let begun = matches!(self.of, Subject::Unfinished(_)) && self.part.is_empty();
        if !begun || !self.from.is_null() {
            return None;
        }
        Unfinished::deserialize(&self.to).ok()
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

/// The changes by what they are about, in the order in which each is first spoken of.
pub(super) fn by_subject(changes: &[Change]) -> Vec<(Subject, Vec<&Change>)> {
    let mut all: Vec<(Subject, Vec<&Change>)> = Vec::new();
    for change in changes {
        match all.iter_mut().find(|(of, _)| *of == change.of) {
            Some((_, known)) => known.push(change),
            None => all.push((change.of, vec![change])),
        }
    }
    all
}

/// Every difference that makes `from` into `to`.
pub fn differences(from: &Game, to: &Game) -> Vec<Change> {
    let mut both = Both::new(from, to);
    both.list(|one| &one.pools, |one| Subject::Pool(one.id));
    both.list(|one| &one.clocks, |one| Subject::Clock(one.id));
    both.list(|one| &one.roster, |one| Subject::Character(one.id));
    both.list(|one| &one.prepared, |one| Subject::Prepared(one.id));
    both.list(|one| &one.calls, |one| Subject::Call(one.id));
    both.list(|one| &one.unfinished, |one| Subject::Unfinished(one.id));
    both.list(|one| &one.asked, |one| Subject::HostRequest(one.id));
    let mut others = vec![Subject::Round, Subject::HostLog];
    if from.system != to.system {
        others.insert(0, Subject::Rules);
    } else if from.house != to.house {
        others.insert(0, Subject::House);
    }
    if from.locks != to.locks || from.gm_locks != to.gm_locks {
        let who = from.locks.iter().chain(&to.locks).map(|(who, _)| *who);
        let who: std::collections::BTreeSet<CharacterId> = who.collect();
        others.splice(0..0, who.into_iter().map(Subject::Lock));
    }
    let scenes = 0..from.scenes.len().max(to.scenes.len());
    let other_scenes = scenes.filter(|at| from.scenes.get(*at) != to.scenes.get(*at));
    others.extend(other_scenes.map(Subject::Scene));
    let mut changes = both.changes;
    for of in others {
        compare(of, "", &from.read(of), &to.read(of), &mut changes);
    }
    changes
}

/// The same of all that a tick touches: it is done more often than anything else.
pub(super) fn tick_differences(from: &Game, to: &Game) -> Vec<Change> {
    let mut both = Both::new(from, to);
    both.list(|one| &one.clocks, |one| Subject::Clock(one.id));
    both.list(|one| &one.asked, |one| Subject::HostRequest(one.id));
    both.changes
}

/// Two states, and how they differ as far as they were compared.
struct Both<'a> {
    from: &'a Game,
    to: &'a Game,
    changes: Vec<Change>,
}

impl<'a> Both<'a> {
    fn new(from: &'a Game, to: &'a Game) -> Self {
        Self {
            from,
            to,
            changes: Vec::new(),
        }
    }

    /// What came, went and changed in one list. What goes, goes from the last one down, and what comes, comes
    /// from the first one up, so that every place is found again both ways.
    fn list<T: PartialEq + Serialize + 'a>(
        &mut self,
        list: impl Fn(&'a Game) -> &'a Vec<T>,
        subject: impl Fn(&T) -> Subject,
    ) {
        let (from, to) = (list(self.from), list(self.to));
        let find = |list: &'a [T], of| list.iter().find(|one| subject(one) == of);
        let whole = |of, at, both| Change {
            at,
            ..Change::new(of, "", both)
        };
        for (at, before) in from.iter().enumerate().rev() {
            let of = subject(before);
            if find(to, of).is_none() {
                self.changes.push(whole(of, at, (json(before), Json::Null)));
            }
        }
        for (at, after) in to.iter().enumerate() {
            let of = subject(after);
            match find(from, of) {
                Some(before) if before == after => {}
                Some(_) if let Some(change) = self.ticked(of) => self.changes.push(change),
                Some(before) => compare(of, "", &json(before), &json(after), &mut self.changes),
                None => self.changes.push(whole(of, at, (Json::Null, json(after)))),
            }
        }
    }

    /// The difference of a clock that did nothing but tick, without writing down all the rest of it.
    fn ticked(&self, of: Subject) -> Option<Change> {
        let Subject::Clock(id) = of else { return None };
        let (from, to) = (self.from.clock(id)?, self.to.clock(id)?);
        let filled = (from.filled.into(), to.filled.into());
        let mut moved = from.clone();
        moved.filled = to.filled;
        (moved == *to).then(|| Change::new(of, part::FILLED, filled))
    }
}

/// Adds every part that differs.
pub(super) fn compare(of: Subject, name: &str, from: &Json, to: &Json, changes: &mut Vec<Change>) {
    // As text: the order of ranks counts, too.
    let written = |side: &Json| (side.is_object() || side.is_array()).then(|| side.to_string());
    let is_whole = from.is_null() || to.is_null();
    match name {
        "" | part::SHEET | "/gains" if !is_whole => {}
        // Each number by itself, also where there was none before.
        part::FRESH => {}
        _ => return changes.push(Change::new(of, name, (from.clone(), to.clone()))),
    }
    let none = Map::new();
    let [from, to] = [from, to].map(|side| side.as_object().unwrap_or(&none));
    let new = to.keys().filter(|key| !from.contains_key(*key));
    for key in from.keys().chain(new) {
        let [from, to] = [from, to].map(|side| side.get(key).unwrap_or(&Json::Null));
        if from != to || written(from) != written(to) {
            compare(of, &format!("{name}/{key}"), from, to, changes);
        }
    }
}

pub(super) fn json(value: &impl Serialize) -> Json {
    serde_json::to_value(value).expect("every part of a game has a form in JSON")
}

/// Sets what a pointer points at; null takes it away.
pub(super) fn put(whole: &mut Json, part: &str, to: Json) {
    let Some((outer, key)) = part.rsplit_once('/') else {
        *whole = to;
        return;
    };
    if whole.pointer(outer).is_none() && !to.is_null() {
        put(whole, outer, Json::Object(Map::new()));
    }
    if let Some(Json::Object(outer)) = whole.pointer_mut(outer) {
        match to {
            Json::Null => outer.remove(key),
            to => outer.insert(key.to_owned(), to),
        };
    }
}
