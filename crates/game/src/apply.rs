//! Folding an event into the state. Total: never refuses, never rolls, and skips what is not there.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value as Json, json as object};

use super::change::{by_subject, json, part, put};
use super::{
    Character, CharacterId, Clock, ClockId, Departed, Event, EventKind, Game, PoolId, Scene,
    Subject, TokenPool,
};
use tableside_rules::{HouseRules, System, Value};

impl Game {
    /// Folds the event in.
    pub fn apply(&mut self, event: &Event) {
        for (of, changes) in by_subject(&event.changes) {
            // A clock that ticks need not be written down and read again.
            if let (Subject::Clock(id), [change]) = (of, &changes[..])
                && let (part::FILLED, Ok(to)) = (&*change.part, u8::deserialize(&change.to))
                && let Some(clock) = self.clock_mut(id)
            {
                clock.filled = to.min(clock.segments.count());
                continue;
            }
            let (mut now, mut at) = (self.read(of), 0);
            for change in changes {
                if change.part.is_empty() {
                    at = change.at;
                } else if now.is_null() {
                    continue;
                }
                put(&mut now, &change.part, change.to.clone());
            }
            // An old event may hold what a mended rule no longer takes: then it is skipped.
            self.write(of, at, &now).ok();
        }
        self.entries += 1;
        self.rolls += u64::from(matches!(event.what, EventKind::Rolled(_)));
    }

    /// What is there as files hold it; null where it is not there.
    pub(super) fn read(&self, of: Subject) -> Json {
        match of {
            Subject::Character(id) => json(&self.character(id)),
            Subject::Clock(id) => json(&self.clock(id)),
            Subject::Pool(id) => json(&self.pool(id)),
            Subject::Prepared(id) => json(&self.prepared(id)),
            Subject::Call(id) => json(&self.call(id)),
            Subject::Unfinished(id) => json(&self.unfinished(id)),
            Subject::HostRequest(id) => json(&self.asked.iter().find(|ask| ask.id == id)),
            Subject::Scene(at) => json(&self.scenes.get(at)),
            Subject::Lock(who) => {
                let locks = self.locks.iter().filter(|(locked, _)| *locked == who);
                let about: Vec<&String> = locks.map(|(_, about)| about).collect();
                let gm_locks = self.gm_locks.iter().filter(|(locked, _)| *locked == who);
                let by_gm: Vec<&String> = gm_locks.map(|(_, about)| about).collect();
                object!({ "about": about, "by-gm": by_gm })
            }
            Subject::House => {
                let rules = self.system.spec().house.iter();
                let values = rules.map(|rule| (rule.id.to_owned(), json(&self.house.value(rule))));
                Json::Object(values.collect())
            }
            Subject::Rules => object!({ "system": self.system, "house": self.house }),
            Subject::Round => object!({ "round": self.round }),
            Subject::HostLog => object!({ "followed": self.followed }),
        }
    }

    /// Puts what was [read](Self::read) in its place, or where there was none at that one of its list; null
    /// takes it away.
    pub(super) fn write(&mut self, of: Subject, at: usize, to: &Json) -> serde_json::Result<()> {
        match of {
            Subject::Character(id) => {
                let before = self.character(id).map(Departed::from);
                place(&mut self.roster, |one| one.id == id, at, to)?;
                self.departed.retain(|gone| gone.id != id);
                let is_here = self.character(id).is_some();
                self.departed.extend(before.filter(|_| !is_here));
            }
            Subject::Clock(id) => place(&mut self.clocks, |one| one.id == id, at, to)?,
            Subject::Pool(id) => place(&mut self.pools, |one| one.id == id, at, to)?,
            Subject::Prepared(id) => place(&mut self.prepared, |one| one.id == id, at, to)?,
            Subject::Call(id) => place(&mut self.calls, |one| one.id == id, at, to)?,
            Subject::Unfinished(id) => place(&mut self.unfinished, |one| one.id == id, at, to)?,
            Subject::HostRequest(id) => place(&mut self.asked, |one| one.id == id, at, to)?,
            Subject::Scene(at) => match Option::<Scene>::deserialize(to)? {
                Some(scene) if at < self.scenes.len() => self.scenes[at] = scene,
                Some(scene) => self.scenes.push(scene),
                // There is always one.
                None if (1..self.scenes.len().max(1)).contains(&at) => {
                    self.scenes.remove(at);
                }
                None => {}
            },
            Subject::Lock(who) => {
                let parts = [
                    (part::LOCKED, &mut self.locks),
                    (part::GM_LOCKED, &mut self.gm_locks),
                ];
                for (part, locks) in parts {
                    let about = to.pointer(part).cloned().unwrap_or_default();
                    let about = Option::<Vec<String>>::deserialize(about)?.unwrap_or_default();
                    locks.retain(|(locked, _)| *locked != who);
                    locks.extend(about.into_iter().map(|about| (who, about)));
                    locks.sort();
                }
            }
            Subject::House => {
                for (rule, value) in BTreeMap::<String, Value>::deserialize(to)? {
                    self.house.set(self.system, &rule, value).ok();
                }
            }
            Subject::Rules => {
                let side = |name: &str| to.get(name).unwrap_or(&Json::Null);
                self.system = System::deserialize(side("system"))?;
                self.house = HouseRules::deserialize(side("house"))?;
            }
            Subject::Round => {
                let round = to.pointer(part::ROUND).unwrap_or(&Json::Null);
                self.round = u32::deserialize(round)?;
            }
            Subject::HostLog => {
                let followed = to.pointer(part::FOLLOWED).unwrap_or(&Json::Null);
                self.followed = u64::deserialize(followed)?;
            }
        }
        // Only now: bounds may change with what they bound.
        for clock in &mut self.clocks {
            clock.filled = clock.filled.min(clock.segments.count());
        }
        for pool in &mut self.pools {
            pool.tokens = pool.within(pool.tokens);
        }
        // In the order in which they were begun, also when one is brought back.
        self.calls.sort_by_key(|call| call.id);
        self.unfinished.sort_by_key(|waiting| waiting.id);
        // Numbers are given once, also after what had them is gone.
        self.next_id = self.next_id.max(of.number().saturating_add(1));
        Ok(())
    }

    /// Says that something may not be tried again; the locks are kept in order.
    pub(super) fn lock(&mut self, who: CharacterId, about: &str, by_gm: bool) {
        let lock = (who, about.to_owned());
        if by_gm {
            self.gm_locks.push(lock.clone());
            self.gm_locks.sort();
            self.gm_locks.dedup();
        }
        self.locks.push(lock);
        self.locks.sort();
        self.locks.dedup();
    }

    pub(super) fn character_mut(&mut self, id: CharacterId) -> Option<&mut Character> {
        self.roster.iter_mut().find(|character| character.id == id)
    }

    pub(super) fn clock_mut(&mut self, id: ClockId) -> Option<&mut Clock> {
        self.clocks.iter_mut().find(|clock| clock.id == id)
    }

    /// Has a pool hold so many; `counts` of them count toward what a scene gives at most.
    pub(super) fn set_tokens(&mut self, id: PoolId, to: i32, counts: i32) {
        if let Some(pool) = self.pool_mut(id) {
            pool.tokens = to;
            if let Some(gains) = &mut pool.gains {
                gains.this_scene += counts;
            }
        }
    }

    pub(super) fn pool_mut(&mut self, id: PoolId) -> Option<&mut TokenPool> {
        self.pools.iter_mut().find(|pool| pool.id == id)
    }
}

fn place<T: DeserializeOwned>(
    list: &mut Vec<T>,
    is_it: impl Fn(&T) -> bool,
    at: usize,
    to: &Json,
) -> serde_json::Result<()> {
    let known = list.iter().position(is_it);
    match (Option::<T>::deserialize(to)?, known) {
        (Some(new), Some(known)) => list[known] = new,
        (Some(new), None) => list.insert(at.min(list.len()), new),
        (None, Some(known)) => {
            list.remove(known);
        }
        (None, None) => {}
    }
    Ok(())
}
