//! Taking an event back: its inverse difference, against the state as it is now.

use super::change::Part;
use super::{
    Change, Character, CharacterId, Clock, Command, Event, Prepared, Refusal, Session, TokenPool,
    What,
};
use crate::rules::Value;

impl Session {
    /// The event that takes back what `event`, of that number, changed. Numbers go back by what they
    /// went forward, whatever happened since; what is not there any more, or was set to something else
    /// since, is refused.
    pub fn take_back(&self, number: u64, event: &Event, what: What) -> Result<Event, Refusal> {
        let mut present = self.clone();
        let mut changes = Vec::with_capacity(event.changes.len());
        for change in event.changes.iter().rev() {
            let inverse = present.inverse(number, change)?;
            present.fold(&inverse);
            changes.push(inverse);
        }
        let unbound = present
            .roster
            .iter()
            .find(|one| one.sheet.check_bounds().is_err());
        if let Some(character) = unbound {
            return Err(Refusal::ChangedSince {
                event: number,
                what: format!("the sheet of {}", character.name),
                later: String::new(),
            });
        }
        if let (Some(what), None) = (present.dangling(), self.dangling()) {
            return Err(Refusal::ChangedSince {
                event: number,
                what,
                later: String::new(),
            });
        }
        Ok(Event { what, changes })
    }

    /// What belongs to a character that is not there.
    fn dangling(&self) -> Option<String> {
        let gone = |id: CharacterId| self.character(id).is_none();
        let clocks = self.clocks.iter().map(|one| (one.owner, &one.name));
        let pools = self.pools.iter().map(|one| (one.owner, &one.name));
        let mut owned = clocks.chain(pools);
        let lost = owned.find(|(owner, _)| owner.is_some_and(gone));
        if let Some((_, name)) = lost {
            return Some(format!("the owner of {name}"));
        }
        let linked = self.clocks.iter().find(|one| self.refers_to_nothing(one));
        if let Some(clock) = linked {
            return Some(format!("what {} refers to", clock.name));
        }
        let called = self.calls.iter().map(|call| call.who);
        let locked = self.locks.iter().map(|(who, _)| *who);
        let waiting = self.unfinished.iter().filter_map(|one| one.roll.id);
        let mut known = called.chain(locked).chain(waiting);
        known.any(gone).then(|| "the roster".to_owned())
    }

    fn inverse(&self, number: u64, change: &Change) -> Result<Change, Refusal> {
        let since = |what: &str| Refusal::ChangedSince {
            event: number,
            what: what.to_owned(),
            later: String::new(),
        };
        match change {
            Change::Character { at, from, to } => {
                let id = from.as_ref().or(to.as_ref()).map(|one| one.id);
                let now = id.and_then(|id| self.character(id));
                let (from, to) = (from.as_deref(), to.as_deref());
                let (from, to) = thing_back(from, to, now, merge_character)
                    .ok_or_else(|| since(name(from, to, |one| &one.name)))?;
                Ok(Change::Character { at: *at, from, to })
            }
            Change::Clock { at, from, to } => {
                let id = from.as_ref().or(to.as_ref()).map(|one| one.id);
                let now = id.and_then(|id| self.clock(id));
                let (from, to) = (from.as_deref(), to.as_deref());
                let (from, to) = thing_back(from, to, now, merge_clock)
                    .ok_or_else(|| since(name(from, to, |one| &one.name)))?;
                Ok(Change::Clock { at: *at, from, to })
            }
            Change::Pool { at, from, to } => {
                let id = from.as_ref().or(to.as_ref()).map(|one| one.id);
                let now = id.and_then(|id| self.pool(id));
                let (from, to) = (from.as_deref(), to.as_deref());
                let (from, to) = thing_back(from, to, now, merge_pool)
                    .ok_or_else(|| since(name(from, to, |one| &one.name)))?;
                Ok(Change::Pool { at: *at, from, to })
            }
            Change::Prepared { at, from, to } => {
                let id = from.as_ref().or(to.as_ref()).map(|one| one.id);
                let now = id.and_then(|id| self.prepared(id));
                let (from, to) = (from.as_deref(), to.as_deref());
                let (from, to) = thing_back(from, to, now, merge_prepared)
                    .ok_or_else(|| since(name(from, to, |one| &one.name)))?;
                Ok(Change::Prepared { at: *at, from, to })
            }
            Change::Stat { .. }
            | Change::About { .. }
            | Change::Conditions { .. }
            | Change::Fresh { .. } => self.person_back(change).map_err(|what| since(&what)),
            Change::Filled { .. }
            | Change::Brought { .. }
            | Change::Shown { .. }
            | Change::Link { .. }
            | Change::Attached { .. }
            | Change::Tokens { .. }
            | Change::Gained { .. }
            | Change::Round { .. }
            | Change::Scene { .. }
            | Change::House { .. }
            | Change::Lock { .. }
            | Change::Called { .. }
            | Change::Waiting { .. } => self.table_back(change).map_err(since),
        }
    }

    /// The inverse of a change of a character; else what was changed since.
    fn person_back(&self, change: &Change) -> Result<Change, String> {
        let (Change::Stat { who, .. }
        | Change::About { who, .. }
        | Change::Conditions { who, .. }
        | Change::Fresh { who, .. }) = change
        else {
            return Ok(change.clone());
        };
        let who = *who;
        let character = self.character(who).ok_or("that character")?;
        let since = |what: &str| format!("{}: {what}", character.name);
        if let Change::Stat { stat, from, to, .. } = change {
            let now = character.sheet.value(stat).ok_or_else(|| since(stat))?;
            let back = back(from, to, now).ok_or_else(|| since(stat))?;
            let kept = character
                .sheet
                .stat(stat)
                .and_then(|known| known.coerce(back));
            return Ok(Change::Stat {
                who,
                stat: stat.clone(),
                from: now.clone(),
                to: kept.map_err(|_out_of_bounds| since(stat))?,
            });
        }
        if let Change::About { part, from, to, .. } = change {
            let now = part_of(character, *part);
            let back = match part {
                // The marks of a round that is over stay as they are.
                Part::Acted if now != *to => Some(now.clone()),
                Part::Acted
                | Part::Name
                | Part::Player
                | Part::Side
                | Part::Hidden
                | Part::Absent
                | Part::Notes => (now == *to).then(|| from.clone()),
            };
            return Ok(Change::About {
                who,
                part: *part,
                from: now,
                to: back.ok_or_else(|| since("it"))?,
            });
        }
        if let Change::Fresh {
            stat,
            scene,
            from,
            to,
            ..
        } = change
        {
            let now = character.fresh_of(stat, *scene);
            return Ok(Change::Fresh {
                who,
                stat: stat.clone(),
                scene: *scene,
                from: now,
                to: (now + from - to).max(0),
            });
        }
        if let Change::Conditions { from, to, .. } = change
            && character.conditions == *to
        {
            return Ok(Change::Conditions {
                who,
                from: to.clone(),
                to: from.clone(),
            });
        }
        Err(since("the conditions"))
    }

    /// The inverse of a change of anything else; else what was changed since.
    fn table_back(&self, change: &Change) -> Result<Change, &'static str> {
        let mut back = change.clone();
        match &mut back {
            Change::Filled { clock, from, to } => {
                let now = self.clock(*clock).ok_or("that clock")?;
                let after = now.after(i32::from(*from) - i32::from(*to));
                (*from, *to) = (now.filled, after);
            }
            Change::Brought { scene, from, to } => {
                let now = &self.prepared(*scene).ok_or("that prepared scene")?.brought;
                let lost = from
                    .iter()
                    .filter(|id| !to.contains(id) && !now.contains(id));
                let kept = now
                    .iter()
                    .filter(|id| from.contains(id) || !to.contains(id));
                let after = kept.chain(lost).copied().collect();
                (*from, *to) = (now.clone(), after);
            }
            Change::Shown { clock, from, to } => {
                let now = self.clock(*clock).ok_or("that clock")?.visibility;
                swap_if_still(from, to, &now, "who may see the clock")?;
            }
            Change::Link { clock, from, to } => {
                let now = self.clock(*clock).ok_or("that clock")?.link;
                swap_if_still(from, to, &now, "the clock's link")?;
            }
            Change::Attached { clock, from, to } => {
                let now = &self.clock(*clock).ok_or("that clock")?.check;
                swap_if_still(from, to, now, "the clock's check")?;
            }
            Change::Tokens { pool, from, to } => {
                let now = self.pool(*pool).ok_or("that pool")?;
                let after = now.within(now.tokens.saturating_add(*from - *to));
                (*from, *to) = (now.tokens, after);
            }
            Change::Gained { pool, from, to } => {
                let now = self.pool(*pool).ok_or("that pool")?;
                let gained = now.gains.map_or(0, |gains| gains.this_scene);
                (*from, *to) = (gained, (gained + *from - *to).max(0));
            }
            Change::Round { from, to } => {
                (*from, *to) = (self.round, (self.round + *from).saturating_sub(*to));
            }
            Change::Scene { at, from, to } => {
                if self.scenes.get(*at) != to.as_ref() {
                    return Err("the scene");
                }
                std::mem::swap(from, to);
            }
            Change::House { rule, from, to } => {
                let rules = self.system.spec().house.iter();
                let now = rules.clone().find(|known| known.id == rule);
                if now.map(|known| self.house.value(known)).as_ref() != Some(to) {
                    return Err("the house rule");
                }
                std::mem::swap(from, to);
            }
            Change::Lock { on, .. } => *on = !*on,
            Change::Called { id, from, to } => {
                if self.call(*id) != to.as_deref() {
                    return Err("that call");
                }
                std::mem::swap(from, to);
            }
            Change::Waiting { id, from, to } => {
                if self.unfinished(*id) != to.as_deref() {
                    return Err("that check");
                }
                std::mem::swap(from, to);
            }
            Change::Character { .. }
            | Change::Clock { .. }
            | Change::Pool { .. }
            | Change::Prepared { .. }
            | Change::Stat { .. }
            | Change::About { .. }
            | Change::Conditions { .. }
            | Change::Fresh { .. } => {}
        }
        Ok(back)
    }
}

/// Turns a change round, if what it set is still so.
fn swap_if_still<T: PartialEq>(
    from: &mut T,
    to: &mut T,
    now: &T,
    what: &'static str,
) -> Result<(), &'static str> {
    if *now != *to {
        return Err(what);
    }
    std::mem::swap(from, to);
    Ok(())
}

type FromTo<T> = (Option<Box<T>>, Option<Box<T>>);

/// A thing as it is now and as it is after taking a change back; nothing if it came or went since.
fn thing_back<T: Clone>(
    from: Option<&T>,
    to: Option<&T>,
    now: Option<&T>,
    merge: impl Fn(&mut T, &T, &T),
) -> Option<FromTo<T>> {
    if now.is_some() != to.is_some() {
        return None;
    }
    let after = match (from, to, now) {
        (Some(from), Some(to), Some(now)) => {
            let mut after = now.clone();
            merge(&mut after, from, to);
            Some(Box::new(after))
        }
        (from, _, _) => from.cloned().map(Box::new),
    };
    Some((now.cloned().map(Box::new), after))
}

fn name<'a, T>(
    from: Option<&'a T>,
    to: Option<&'a T>,
    of: impl Fn(&'a T) -> &'a String,
) -> &'a str {
    from.or(to).map_or("it", |thing| of(thing))
}

/// A value taken back: a number by its difference, anything else only if it is still what it was set to.
fn back(from: &Value, to: &Value, now: &Value) -> Option<Value> {
    match (from, to, now) {
        (Value::Number(from), Value::Number(to), Value::Number(now)) => {
            Some(Value::Number(now.saturating_add(from - to)))
        }
        // A die is written as text in an event and read back as one.
        (from, to, now) => (to.to_string() == now.to_string()).then(|| from.clone()),
    }
}

macro_rules! back_where_changed {
    ($now:ident, $from:ident, $to:ident: $($part:ident),+) => {
        $(if $from.$part != $to.$part { $now.$part.clone_from(&$from.$part); })+
    };
}

impl Session {
    /// The command of somebody who saw the session as `seen`: an edit is meant as what is otherwise than it was
    /// there, and nothing that was not there is touched by it.
    pub fn rebase(&self, seen: &Self, command: &Command) -> Command {
        match command {
            Command::EditCharacter(edited) => {
                let both = (self.character(edited.id), seen.character(edited.id));
                let edited = edit(&**edited, both, |now, edited, seen| {
                    merge_character_but_sheet(now, edited, seen);
                    for (stat, value) in edited.sheet.iter() {
                        if seen.sheet.value(stat.id) != Some(value) {
                            // The sheet that was edited took it already.
                            now.sheet.record(stat.id, value.clone()).ok();
                        }
                    }
                });
                Command::EditCharacter(Box::new(edited))
            }
            Command::EditClock(edited) => {
                let both = (self.clock(edited.id), seen.clock(edited.id));
                Command::EditClock(Box::new(edit(&**edited, both, merge_clock)))
            }
            Command::EditPool(edited) => {
                let both = (self.pool(edited.id), seen.pool(edited.id));
                let edited = edit(&**edited, both, |now, edited, seen| {
                    let mut thresholds = now.thresholds.clone();
                    thresholds.retain(|one| {
                        edited.thresholds.contains(one) || !seen.thresholds.contains(one)
                    });
                    let new = edited.thresholds.iter();
                    thresholds.extend(new.filter(|one| !seen.thresholds.contains(one)).cloned());
                    merge_pool(now, edited, seen);
                    now.thresholds = thresholds;
                });
                Command::EditPool(Box::new(edited))
            }
            Command::All(all) => {
                Command::All(all.iter().map(|one| self.rebase(seen, one)).collect())
            }
            command => command.clone(),
        }
    }
}

/// A thing as it is now, with what somebody edited who saw it otherwise.
fn edit<T: Clone>(
    edited: &T,
    (now, seen): (Option<&T>, Option<&T>),
    merge: impl Fn(&mut T, &T, &T),
) -> T {
    let (Some(now), Some(seen)) = (now, seen) else {
        return edited.clone();
    };
    let mut merged = now.clone();
    merge(&mut merged, edited, seen);
    merged
}

fn merge_clock(now: &mut Clock, from: &Clock, to: &Clock) {
    back_where_changed!(now, from, to: name, kind, segments, visibility, owner, rule,
        of_scene, race, ends, link, check);
    now.filled = now.after(i32::from(from.filled) - i32::from(to.filled));
}

fn merge_pool(now: &mut TokenPool, from: &TokenPool, to: &TokenPool) {
    back_where_changed!(now, from, to: name, kind, owner, floor, cap, start, reset, gains, thresholds);
    now.tokens = now.within(now.tokens + from.tokens - to.tokens);
}

fn merge_prepared(now: &mut Prepared, from: &Prepared, to: &Prepared) {
    back_where_changed!(now, from, to: name, notes, brought, cast, clocks);
}

fn merge_character_but_sheet(now: &mut Character, from: &Character, to: &Character) {
    back_where_changed!(
        now, from, to: name, player, side, hidden, absent, acted, notes, conditions, fresh
    );
}

fn merge_character(now: &mut Character, from: &Character, to: &Character) {
    merge_character_but_sheet(now, from, to);
    back_where_changed!(now, from, to: sheet);
}

pub(super) fn part_of(character: &Character, part: Part) -> Value {
    match part {
        Part::Name => Value::Text(character.name.clone()),
        Part::Player => Value::Text(character.player.clone()),
        Part::Notes => Value::Text(character.notes.clone()),
        Part::Side => Value::from(character.side.id()),
        Part::Hidden => Value::Flag(character.hidden),
        Part::Absent => Value::Flag(character.absent),
        Part::Acted => Value::Flag(character.acted),
    }
}
