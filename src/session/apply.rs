//! Folding an event into the state. Total: never refuses, never rolls, and skips what is not there.

use super::change::Part;
use super::{
    Allegiance, Change, Character, Clock, ClockId, Departed, Event, EventKind, PoolId, Prepared,
    Scene, Session, TokenPool, Unfinished,
};
use crate::rules::Value;

impl Session {
    /// Folds the event in.
    pub fn apply(&mut self, event: &Event) {
        for change in &event.changes {
            self.fold(change);
        }
        self.entries += 1;
        self.rolls += u64::from(matches!(event.what, EventKind::Rolled(_)));
    }

    pub(super) fn fold(&mut self, change: &Change) {
        match change {
            Change::Character { at, from, to } => {
                let same = |one: &Character, other: &Character| one.id == other.id;
                self.saw(to.as_ref().map_or(0, |to| to.id.0));
                self.departs(from.as_deref(), to.as_deref());
                place(&mut self.roster, *at, from.as_deref(), to.as_deref(), same);
            }
            Change::Clock { at, from, to } => {
                let same = |one: &Clock, other: &Clock| one.id == other.id;
                self.saw(to.as_ref().map_or(0, |to| to.id.0));
                place(&mut self.clocks, *at, from.as_deref(), to.as_deref(), same);
            }
            Change::Pool { at, from, to } => {
                let same = |one: &TokenPool, other: &TokenPool| one.id == other.id;
                self.saw(to.as_ref().map_or(0, |to| to.id.0));
                place(&mut self.pools, *at, from.as_deref(), to.as_deref(), same);
            }
            Change::Prepared { at, from, to } => {
                let same = |one: &Prepared, other: &Prepared| one.id == other.id;
                self.saw(to.as_ref().map_or(0, |to| to.id.0));
                place(
                    &mut self.prepared,
                    *at,
                    from.as_deref(),
                    to.as_deref(),
                    same,
                );
            }
            Change::Brought { scene, to, .. } => {
                let mut known = self.prepared.iter_mut();
                if let Some(scene) = known.find(|known| known.id == *scene) {
                    scene.brought.clone_from(to);
                }
            }
            Change::Stat { who, stat, to, .. } => {
                if let Some(character) = self.character_mut(*who) {
                    // An old event may hold what a mended rule no longer takes: then it is skipped.
                    character.sheet.record(stat, to.clone()).ok();
                }
            }
            Change::About { who, part, to, .. } => {
                if let Some(character) = self.character_mut(*who) {
                    tell(character, *part, to);
                }
            }
            Change::Conditions { who, to, .. } => {
                if let Some(character) = self.character_mut(*who) {
                    character.conditions.clone_from(to);
                }
            }
            Change::Fresh {
                who,
                stat,
                scene,
                to,
                ..
            } => {
                if let Some(character) = self.character_mut(*who) {
                    character.record_fresh(stat, *scene, *to);
                }
            }
            Change::Filled { clock, to, .. } => {
                if let Some(clock) = self.clock_mut(*clock) {
                    clock.filled = (*to).min(clock.segments.count());
                }
            }
            Change::Shown { clock, to, .. } => {
                if let Some(clock) = self.clock_mut(*clock) {
                    clock.visibility = *to;
                }
            }
            Change::Link { clock, to, .. } => {
                if let Some(clock) = self.clock_mut(*clock) {
                    clock.link = *to;
                }
            }
            Change::Attached { clock, to, .. } => {
                if let Some(clock) = self.clock_mut(*clock) {
                    clock.check.clone_from(to);
                }
            }
            Change::Tokens { pool, to, .. } => {
                if let Some(pool) = self.pool_mut(*pool) {
                    pool.tokens = pool.within(*to);
                }
            }
            Change::Gained { pool, to, .. } => {
                if let Some(gains) = self.pool_mut(*pool).and_then(|pool| pool.gains.as_mut()) {
                    gains.this_scene = *to;
                }
            }
            Change::Scene { at, to, .. } => self.fold_scene(*at, to.as_ref()),
            Change::Round { to, .. } => self.round = *to,
            Change::House { rule, to, .. } => {
                self.house.set(self.system, rule, to.clone()).ok();
            }
            Change::Lock { who, about, on } => {
                let lock = (*who, about.clone());
                self.locks.retain(|known| *known != lock);
                if *on {
                    let at = self.locks.partition_point(|known| *known < lock);
                    self.locks.insert(at, lock);
                }
            }
            Change::Called { id, to, .. } => {
                self.saw(id.0);
                self.calls.retain(|call| call.id != *id);
                if let Some(to) = to {
                    let at = self.calls.partition_point(|call| call.id < *id);
                    self.calls.insert(at, (**to).clone());
                }
            }
            Change::Waiting { id, to, .. } => {
                self.saw(id.0);
                match (
                    to,
                    self.unfinished.iter_mut().find(|waiting| waiting.id == *id),
                ) {
                    (Some(to), Some(waiting)) => waiting.clone_from(to),
                    (Some(to), None) => {
                        // In the order in which they were begun, also when one is brought back.
                        let earlier = |waiting: &Unfinished| waiting.id < to.id;
                        let at = self.unfinished.partition_point(earlier);
                        self.unfinished.insert(at, (**to).clone());
                    }
                    (None, _) => self.unfinished.retain(|waiting| waiting.id != *id),
                }
            }
        }
    }

    /// A scene as it is now, or taken back; there is always one.
    fn fold_scene(&mut self, at: usize, to: Option<&Scene>) {
        let known = at < self.scenes.len();
        match to {
            Some(to) if known => self.scenes[at].clone_from(to),
            Some(to) => self.scenes.push(to.clone()),
            None if known && self.scenes.len() > 1 => {
                self.scenes.remove(at);
            }
            None => {}
        }
    }

    /// Remembers who goes, as it is now, and forgets that of who comes back.
    fn departs(&mut self, from: Option<&Character>, to: Option<&Character>) {
        let Some(id) = from.or(to).map(|one| one.id) else {
            return;
        };
        self.departed.retain(|gone| gone.id != id);
        let going = self.character(id).filter(|_| to.is_none());
        self.departed.extend(going.map(Departed::from));
    }

    /// Numbers are given once, also after what had them is gone.
    fn saw(&mut self, id: u32) {
        self.next_id = self.next_id.max(id.saturating_add(1));
    }

    pub(super) fn character_mut(&mut self, id: super::CharacterId) -> Option<&mut Character> {
        self.roster.iter_mut().find(|character| character.id == id)
    }

    pub(super) fn clock_mut(&mut self, id: ClockId) -> Option<&mut Clock> {
        self.clocks.iter_mut().find(|clock| clock.id == id)
    }

    pub(super) fn pool_mut(&mut self, id: PoolId) -> Option<&mut TokenPool> {
        self.pools.iter_mut().find(|pool| pool.id == id)
    }
}

fn place<T: Clone>(
    list: &mut Vec<T>,
    at: usize,
    from: Option<&T>,
    to: Option<&T>,
    same: impl Fn(&T, &T) -> bool,
) {
    let position = from
        .or(to)
        .and_then(|thing| list.iter().position(|known| same(known, thing)));
    match (to, position) {
        (Some(to), Some(position)) => list[position].clone_from(to),
        (Some(to), None) => list.insert(at.min(list.len()), to.clone()),
        (None, Some(position)) => {
            list.remove(position);
        }
        (None, None) => {}
    }
}

fn tell(character: &mut Character, part: Part, value: &Value) {
    match (part, value) {
        (Part::Name, Value::Text(text)) => character.name.clone_from(text),
        (Part::Player, Value::Text(text)) => character.player.clone_from(text),
        (Part::Notes, Value::Text(text)) => character.notes.clone_from(text),
        (Part::Side, Value::Text(text)) => {
            let side = Allegiance::ALL.into_iter().find(|side| side.id() == text);
            character.side = side.unwrap_or(character.side);
        }
        (Part::Hidden, Value::Flag(flag)) => character.hidden = *flag,
        (Part::Absent, Value::Flag(flag)) => character.absent = *flag,
        (Part::Acted, Value::Flag(flag)) => character.acted = *flag,
        (
            Part::Name
            | Part::Player
            | Part::Notes
            | Part::Side
            | Part::Hidden
            | Part::Absent
            | Part::Acted,
            Value::Flag(_) | Value::Number(_) | Value::Die(_) | Value::Text(_) | Value::Ranks(_),
        ) => {}
    }
}
