//! Folding an event into the state. Total: never refuses, never rolls, and skips what is not there.

use std::convert::Infallible;

use serde::Deserialize;

use super::entity::{Entity, change_in};
use super::{Change, Character, CharacterId, Clock, ClockId, Departed, Event, EventKind};
use super::{PoolId, Session, Subject, TokenPool};
use crate::rules::Value;

impl Session {
    /// Folds the event in.
    pub fn apply(&mut self, event: &Event) {
        for (of, changes) in by_subject(&event.changes) {
            self.fold(of, &changes);
        }
        self.entries += 1;
        self.rolls += u64::from(matches!(event.what, EventKind::Rolled(_)));
    }

    fn fold(&mut self, of: Subject, changes: &[&Change]) {
        let Ok(()) = match of {
            Subject::Character(id) => {
                let before = self.character(id).map(Departed::from);
                self.departed.retain(|gone| gone.id != id);
                let folded = change_in(&mut self.roster, of, changes, step);
                let is_here = self.character(id).is_some();
                self.departed.extend(before.filter(|_| !is_here));
                folded
            }
            Subject::Clock(_) => change_in(&mut self.clocks, of, changes, step),
            Subject::Pool(_) => change_in(&mut self.pools, of, changes, step),
            Subject::Prepared(_) => change_in(&mut self.prepared, of, changes, step),
            Subject::Call(_) => change_in(&mut self.calls, of, changes, step),
            Subject::Unfinished(_) => change_in(&mut self.unfinished, of, changes, step),
            Subject::Lock(_) | Subject::Scene(_) | Subject::House | Subject::Round => {
                for change in changes {
                    self.fold_other(change);
                }
                Ok::<(), Infallible>(())
            }
        };
        // In the order in which they were begun, also when one is brought back.
        self.calls.sort_by_key(|call| call.id);
        self.unfinished.sort_by_key(|waiting| waiting.id);
        self.saw(of);
    }

    /// What is no thing with a number.
    pub(super) fn fold_other(&mut self, change: &Change) {
        match change.of {
            Subject::Lock(who) => self.lock(who, &change.part, change.to == true),
            Subject::Scene(at) => {
                let is_known = at < self.scenes.len();
                match Deserialize::deserialize(&change.to) {
                    Ok(scene) if is_known => self.scenes[at] = scene,
                    Ok(scene) => self.scenes.push(scene),
                    // There is always one.
                    Err(_) if change.to.is_null() && is_known && self.scenes.len() > 1 => {
                        self.scenes.remove(at);
                    }
                    Err(_) => {}
                }
            }
            Subject::House => {
                if let Ok(to) = Value::deserialize(&change.to) {
                    // An old event may hold what a mended rule no longer takes: then it is skipped.
                    self.house.set(self.system, &change.part, to).ok();
                }
            }
            Subject::Round => self.round = u32::deserialize(&change.to).unwrap_or(self.round),
            Subject::Character(_)
            | Subject::Clock(_)
            | Subject::Pool(_)
            | Subject::Prepared(_)
            | Subject::Call(_)
            | Subject::Unfinished(_) => {}
        }
    }

    /// Says whether something may not be tried again; the locks are kept in order.
    pub(super) fn lock(&mut self, who: CharacterId, about: &str, on: bool) {
        let lock = (who, about.to_owned());
        self.locks.retain(|known| *known != lock);
        if on {
            let at = self.locks.partition_point(|known| *known < lock);
            self.locks.insert(at, lock);
        }
    }

    /// Numbers are given once, also after what had them is gone.
    fn saw(&mut self, of: Subject) {
        let (Subject::Character(CharacterId(id))
        | Subject::Clock(ClockId(id))
        | Subject::Pool(PoolId(id))
        | Subject::Prepared(super::PreparedId(id))
        | Subject::Call(super::CallId(id))
        | Subject::Unfinished(super::UnfinishedId(id))) = of
        else {
            return;
        };
        self.next_id = self.next_id.max(id.saturating_add(1));
    }

    pub(super) fn character_mut(&mut self, id: CharacterId) -> Option<&mut Character> {
        self.roster.iter_mut().find(|character| character.id == id)
    }

    pub(super) fn clock_mut(&mut self, id: ClockId) -> Option<&mut Clock> {
        self.clocks.iter_mut().find(|clock| clock.id == id)
    }

    pub(super) fn pool_mut(&mut self, id: PoolId) -> Option<&mut TokenPool> {
        self.pools.iter_mut().find(|pool| pool.id == id)
    }
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

/// A thing after one change; what it does not take is skipped.
#[expect(
    clippy::unnecessary_wraps,
    reason = "a step back may be refused, a step forth may not"
)]
fn step<T: Entity>(now: Option<T>, change: &Change) -> Result<Option<T>, Infallible> {
    if !change.part.is_empty() {
        return Ok(now.map(|mut now| {
            now.set(&change.part, &change.to);
            now
        }));
    }
    Ok(match T::deserialize(&change.to) {
        Ok(new) => Some(new),
        Err(_) if change.to.is_null() => None,
        Err(_) => now,
    })
}
