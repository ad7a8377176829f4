//! Taking an event back: its inverse difference, against the state as it is now.

use super::change::{Part, Subject};
use super::{
    Change, Character, CharacterId, Clock, Command, CommandError, Event, EventKind, Prepared,
    Session, TokenPool,
};
use crate::rules::{SheetError, Value};

impl Session {
    /// The event that takes back what `event`, of that number, changed. Numbers go back by what they
    /// went forward, whatever happened since; what is not there any more, or was set to something else
    /// since, is refused.
    pub fn take_back(
        &self,
        number: u64,
        event: &Event,
        what: EventKind,
    ) -> Result<Event, CommandError> {
        let since = |what: String, about: Subject| CommandError::ChangedSince {
            event: number,
            what,
            about: Box::new(about),
            later: String::new(),
        };
        let mut present = self.clone();
        let mut changes = Vec::with_capacity(event.changes.len());
        for change in event.changes.iter().rev() {
            let inverse = present.inverse(change);
            let inverse = inverse.map_err(|what| since(what, change.subject()))?;
            if let Some(inverse) = inverse {
                present.fold(&inverse);
                changes.push(inverse);
            }
        }
        for character in &present.roster {
            if let Err(SheetError::Wrong { stat, .. }) = character.sheet.check_bounds() {
                let what = format!("the sheet of {}", character.name);
                return Err(since(what, Subject::stat(character.id, stat)));
            }
        }
        if let (Some((what, gone)), None) = (present.dangling(), self.dangling()) {
            return Err(since(what, Subject::whole(gone)));
        }
        Ok(Event { what, changes })
    }

    /// What belongs or refers to something that is not there, and the number of that.
    fn dangling(&self) -> Option<(String, u32)> {
        let gone = |id: Option<CharacterId>| id.filter(|id| self.character(*id).is_none());
        let clocks = self.clocks.iter().map(|one| (one.owner, &one.name));
        let pools = self.pools.iter().map(|one| (one.owner, &one.name));
        for (owner, name) in clocks.chain(pools) {
            if let Some(owner) = gone(owner) {
                return Some((format!("the owner of {name}"), owner.0));
            }
        }
        for clock in &self.clocks {
            let link = clock.link.map(|link| link.to);
            let link = link.filter(|to| self.clock(*to).is_none());
            let roller = gone(clock.check.as_ref().and_then(|check| check.who));
            if let Some(lost) = link.map(|to| to.0).or_else(|| roller.map(|who| who.0)) {
                return Some((format!("what {} refers to", clock.name), lost));
            }
        }
        let called = self.calls.iter().map(|call| call.who);
        let locked = self.locks.iter().map(|(who, _)| *who);
        let waiting = self.unfinished.iter().filter_map(|one| one.roll.id);
        let mut known = called.chain(locked).chain(waiting);
        known.find_map(|id| Some(("the roster".to_owned(), gone(Some(id))?.0)))
    }

    /// The inverse of a change, where there is anything to take back; else what was changed since.
    fn inverse(&self, change: &Change) -> Result<Option<Change>, String> {
        let mut back = change.clone();
        match &mut back {
            Change::Character { from, to, .. } => {
                let id = from.as_ref().or(to.as_ref()).map(|one| one.id);
                let now = id.and_then(|id| self.character(id));
                thing_back(from, to, now, merge_character, |one| &one.name)?;
            }
            Change::Clock { from, to, .. } => {
                let id = from.as_ref().or(to.as_ref()).map(|one| one.id);
                let now = id.and_then(|id| self.clock(id));
                thing_back(from, to, now, merge_clock, |one| &one.name)?;
            }
            Change::Pool { from, to, .. } => {
                let id = from.as_ref().or(to.as_ref()).map(|one| one.id);
                let now = id.and_then(|id| self.pool(id));
                thing_back(from, to, now, merge_pool, |one| &one.name)?;
            }
            Change::Prepared { from, to, .. } => {
                let id = from.as_ref().or(to.as_ref()).map(|one| one.id);
                let now = id.and_then(|id| self.prepared(id));
                thing_back(from, to, now, merge_prepared, |one| &one.name)?;
            }
            Change::Stat {
                who,
                stat,
                from,
                to,
            } => {
                let character = self.character(*who).ok_or("that character")?;
                let since = || format!("{}: {stat}", character.name);
                let now = character.sheet.value(stat).ok_or_else(since)?;
                let after = value_back(from, to, now).ok_or_else(since)?;
                let known = character.sheet.stat(stat);
                let kept = known.and_then(|known| known.coerce(after));
                let kept = kept.map_err(|_out_of_bounds| since())?;
                (*from, *to) = (now.clone(), kept);
            }
            Change::About {
                who,
                part,
                from,
                to,
            } => {
                let character = self.character(*who).ok_or("that character")?;
                let now = part.of(character);
                let after = match part {
                    // The marks of a round that is over stay as they are.
                    Part::Acted if now != *to => now.clone(),
                    Part::Acted
                    | Part::Name
                    | Part::Player
                    | Part::Side
                    | Part::Hidden
                    | Part::Absent
                    | Part::Notes => {
                        if now != *to {
                            return Err(format!("{}: it", character.name));
                        }
                        from.clone()
                    }
                };
                (*from, *to) = (now, after);
            }
            Change::Conditions { who, from, to } => {
                let character = self.character(*who).ok_or("that character")?;
                let what = format!("what {} suffers", character.name);
                swap_if_still(from, to, &character.conditions, &what)?;
            }
            Change::Fresh {
                who,
                stat,
                scene,
                from,
                to,
            } => {
                let character = self.character(*who).ok_or("that character")?;
                let now = character.fresh_of(stat, *scene);
                let after = number_back(*from, *to, now).max(0);
                (*from, *to) = (now, after);
            }
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
                let after = now.within(number_back(*from, *to, now.tokens));
                (*from, *to) = (now.tokens, after);
            }
            Change::Gained { pool, from, to } => {
                let now = self.pool(*pool).ok_or("that pool")?;
                let gained = now.gains.map_or(0, |gains| gains.this_scene);
                let after = number_back(*from, *to, gained).max(0);
                (*from, *to) = (gained, after);
            }
            Change::Round { from, to } => {
                let after = self.round.saturating_add(*from).saturating_sub(*to);
                (*from, *to) = (self.round, after);
            }
            Change::Scene { at, from, to } => {
                if self.scenes.get(*at) != to.as_ref() {
                    return Err("the scene".to_owned());
                }
                std::mem::swap(from, to);
            }
            Change::House { rule, from, to } => {
                let rules = self.system.spec().house.iter();
                let now = rules.clone().find(|known| known.id == rule);
                if now.map(|known| self.house.value(known)).as_ref() != Some(to) {
                    return Err("the house rule".to_owned());
                }
                std::mem::swap(from, to);
            }
            Change::Lock { who, about, on } => {
                let locked = |(known, what): &(CharacterId, String)| known == who && what == about;
                // What was lifted since needs no lifting, and bringing it back must not lock it.
                if self.locks.iter().any(locked) != *on {
                    return Ok(None);
                }
                *on = !*on;
            }
            Change::Called { id, from, to } => {
                if self.call(*id) != to.as_deref() {
                    return Err("that call".to_owned());
                }
                std::mem::swap(from, to);
            }
            Change::Waiting { id, from, to } => {
                if self.unfinished(*id) != to.as_deref() {
                    return Err("that check".to_owned());
                }
                std::mem::swap(from, to);
            }
        }
        Ok(Some(back))
    }
}

/// Turns a change round, if what it set is still so.
fn swap_if_still<T: PartialEq>(
    from: &mut T,
    to: &mut T,
    now: &T,
    what: &str,
) -> Result<(), String> {
    if *now != *to {
        return Err(what.to_owned());
    }
    std::mem::swap(from, to);
    Ok(())
}

/// Turns a change of a thing round: what it is now, and what it is after; else, where it came or went since,
/// its name.
fn thing_back<T: Clone>(
    from: &mut Option<Box<T>>,
    to: &mut Option<Box<T>>,
    now: Option<&T>,
    merge: impl Fn(&mut T, &T, &T),
    name: impl Fn(&T) -> &String,
) -> Result<(), String> {
    if now.is_some() != to.is_some() {
        let thing = from.as_deref().or(to.as_deref());
        return Err(thing.map_or_else(|| "it".to_owned(), |thing| name(thing).clone()));
    }
    let now = now.cloned().map(Box::new);
    let mut after = from.take();
    if let (Some(after), Some(to), Some(now)) = (&mut after, &to, &now) {
        let from = std::mem::replace(after, now.clone());
        merge(after, &from, to);
    }
    (*from, *to) = (now, after);
    Ok(())
}

/// A value taken back: a number by its difference, anything else only if it is still what it was set to.
fn value_back(from: &Value, to: &Value, now: &Value) -> Option<Value> {
    match (from, to, now) {
        (Value::Number(from), Value::Number(to), Value::Number(now)) => {
            Some(Value::Number(number_back(*from, *to, *now)))
        }
        // A die is written as text in an event and read back as one.
        (from, to, now) => (to.to_string() == now.to_string()).then(|| from.clone()),
    }
}

/// A number less what it rose by, or more; whatever stands in a journal, it stays one.
fn number_back(from: i32, to: i32, now: i32) -> i32 {
    now.saturating_add(from.saturating_sub(to))
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
    now.tokens = now.within(number_back(from.tokens, to.tokens, now.tokens));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Sheet, System};
    use crate::session::{Gains, PoolId};

    /// What a damaged or foreign journal may hold is taken back without a panic, and stays within bounds.
    #[test]
    fn no_number_in_an_event_is_too_large_to_be_taken_back() {
        let mut session = Session::new(System::Gnosis);
        let mut mira = Character::new("Mira", Sheet::new(System::Gnosis));
        mira.id = CharacterId(900);
        let who = mira.id;
        session.roster.push(mira);
        let pool = PoolId(901);
        let most = TokenPool {
            id: pool,
            tokens: 9_999,
            gains: Some(Gains {
                most: 3,
                this_scene: 3,
            }),
            ..TokenPool::new("Coal")
        };
        session.pools.push(most.clone());
        session.round = u32::MAX;
        let (low, high) = (i32::MIN, i32::MAX);
        let with = |tokens| {
            let most = most.clone();
            Some(Box::new(TokenPool { tokens, ..most }))
        };
        for (from, to) in [(low, high), (high, low), (high, 0), (low, 0)] {
            let fresh = Change::Fresh {
                who,
                stat: "wounds".into(),
                scene: 0,
                from,
                to,
            };
            for change in [
                Change::Tokens { pool, from, to },
                Change::Gained { pool, from, to },
                Change::Pool {
                    at: 0,
                    from: with(from),
                    to: with(to),
                },
                Change::Round {
                    from: u32::MAX,
                    to: 0,
                },
                fresh,
            ] {
                let back = session.inverse(&change).unwrap().unwrap();
                let mut after = session.clone();
                after.fold(&back);
                let pool = after.pool(pool).unwrap();
                assert_eq!(pool.within(pool.tokens), pool.tokens, "{change:?}");
            }
            let (from, to) = (Value::Number(from), Value::Number(to));
            let now = Value::Number(1);
            assert!(value_back(&from, &to, &now).is_some());
        }
    }
}
