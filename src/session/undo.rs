//! Taking an event back: its inverse difference, against the state as it is now.

use serde_json::Value as Json;

use super::apply::by_subject;
use super::change::{json, part, stat_of};
use super::entity::{Entity, change_in, difference};
use super::{
    Change, CharacterId, Command, CommandError, Event, EventKind, Session, Subject, differences,
};
use crate::rules::RuleError;

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
        let since = |what: String, about: (Subject, String)| CommandError::ChangedSince {
            event: number,
            what,
            about: Box::new(about),
            later: String::new(),
        };
        let mut present = self.clone();
        for (of, mut changes) in by_subject(&event.changes).into_iter().rev() {
            changes.reverse();
            let taken = present.undo(of, &changes);
            taken.map_err(|(what, part)| since(what, (of, part)))?;
        }
        for character in &present.roster {
            if let Err(RuleError::Wrong { name: stat, .. }) = character.sheet.check_bounds() {
                let stat = format!("{}/{stat}", part::SHEET);
                let about = (character.subject(), stat);
                return Err(since(format!("the sheet of {}", character.name), about));
            }
        }
        if let (Some((what, gone)), None) = (present.dangling(), self.dangling()) {
            return Err(since(what, (gone, String::new())));
        }
        let changes = differences(self, &present);
        Ok(Event { what, changes })
    }

    /// What belongs or refers to something that is not there, and which thing that is.
    fn dangling(&self) -> Option<(String, Subject)> {
        let called = self.calls.iter().map(|call| call.who);
        let locked = self.locks.iter().map(|(who, _)| *who);
        let waiting = self.unfinished.iter().filter_map(|one| one.roll.id);
        let mut known = called.chain(locked).chain(waiting);
        self.dangling_thing().or_else(|| {
            let gone = known.find(|id| self.character(*id).is_none())?;
            Some(("the roster".to_owned(), Subject::Character(gone)))
        })
    }

    /// What clock or pool belongs or refers to something that is not there, and which thing that is.
    pub(super) fn dangling_thing(&self) -> Option<(String, Subject)> {
        let gone = |id: Option<CharacterId>| {
            let gone = id.filter(|id| self.character(*id).is_none());
            gone.map(Subject::Character)
        };
        let clocks = self.clocks.iter().map(|one| (one.owner, &one.name));
        let pools = self.pools.iter().map(|one| (one.owner, &one.name));
        for (owner, name) in clocks.chain(pools) {
            if let Some(owner) = gone(owner) {
                return Some((format!("the owner of {name}"), owner));
            }
        }
        for clock in &self.clocks {
            let link = clock.link.map(|link| link.to);
            let link = link.filter(|to| self.clock(*to).is_none());
            let roller = gone(clock.check.as_ref().and_then(|check| check.who));
            if let Some(lost) = link.map(Subject::Clock).or(roller) {
                return Some((format!("what {} refers to", clock.name), lost));
            }
        }
        None
    }

    /// Takes back the changes of one thing, the last one first; else says what was changed since, and which
    /// part of it that is.
    fn undo(&mut self, of: Subject, changes: &[&Change]) -> Result<(), (String, String)> {
        match of {
            Subject::Character(_) => change_in(&mut self.roster, of, changes, step_back),
            Subject::Clock(_) => change_in(&mut self.clocks, of, changes, step_back),
            Subject::Pool(_) => change_in(&mut self.pools, of, changes, step_back),
            Subject::Prepared(_) => change_in(&mut self.prepared, of, changes, step_back),
            Subject::Call(_) => change_in(&mut self.calls, of, changes, step_back),
            Subject::Unfinished(_) => change_in(&mut self.unfinished, of, changes, step_back),
            Subject::Lock(_) | Subject::Scene(_) | Subject::House | Subject::Round => {
                for change in changes {
                    self.undo_other(change)?;
                }
                Ok(())
            }
        }
    }

    /// Takes back a change of what is no thing with a number.
    fn undo_other(&mut self, change: &Change) -> Result<(), (String, String)> {
        let (now, words) = match change.of {
            // What was lifted since needs no lifting, and bringing it back must not lock it.
            Subject::Lock(who) => {
                let is_locked = self.locks.contains(&(who, change.part.clone()));
                if change.to != is_locked {
                    return Ok(());
                }
                (change.to.clone(), "")
            }
            Subject::Round => {
                self.round = match change.numbers() {
                    Some((from, to)) => {
                        let round = i64::from(self.round).saturating_add(from.saturating_sub(to));
                        u32::try_from(round.max(0)).unwrap_or(u32::MAX)
                    }
                    None => self.round,
                };
                return Ok(());
            }
            Subject::Scene(at) => (json(&self.scenes.get(at)), "the scene"),
            Subject::House => {
                let mut rules = self.system.spec().house.iter();
                let known = rules.find(|known| known.id == change.part);
                let now = known.map(|known| self.house.value(known));
                (json(&now), "the house rule")
            }
            Subject::Character(_)
            | Subject::Clock(_)
            | Subject::Pool(_)
            | Subject::Prepared(_)
            | Subject::Call(_)
            | Subject::Unfinished(_) => return Ok(()),
        };
        if now != change.to {
            return Err((words.to_owned(), change.part.clone()));
        }
        let (from, to) = (change.to.clone(), change.from.clone());
        self.fold_other(&Change::new(change.of, &change.part, (from, to)));
        Ok(())
    }
}

/// A thing with one change taken back; else what was changed since, and which part of it.
fn step_back<T: Entity>(now: Option<T>, change: &Change) -> Result<Option<T>, (String, String)> {
    let Change { part, from, to, .. } = change;
    if part.is_empty() {
        if now.is_some() == to.is_null() {
            let thing = T::deserialize(if from.is_null() { to } else { from });
            let name = thing.map_or_else(|_| "it".to_owned(), |thing| thing.name().to_owned());
            return Err((name, String::new()));
        }
        return Ok(T::deserialize(from).ok());
    }
    let Some(mut thing) = now else {
        return Err((gone(change.of).to_owned(), part.clone()));
    };
    let now = json(&thing).pointer(part).cloned().unwrap_or_default();
    let after = match part.as_str() {
        part if is_counted(part) => number_back(part, (from, to), &now),
        part::BROUGHT => Some(list_back((from, to), &now)),
        // The marks of a round that is over stay as they are.
        part::ACTED if now != *to => return Ok(Some(thing)),
        _ => (now == *to).then(|| from.clone()),
    };
    if after.is_some_and(|after| thing.set(part, &after)) {
        Ok(Some(thing))
    } else {
        Err((changed(&thing, part), part.clone()))
    }
}

/// Whether people count it up and down.
fn is_counted(name: &str) -> bool {
    let is_fresh = name.strip_prefix(part::FRESH);
    matches!(name, part::FILLED | part::TOKENS | part::GAINED)
        || is_fresh.is_some()
        || stat_of(name).is_some()
}

/// A number less what it rose by, or more; whatever stands in a journal, it stays one. What is none goes back
/// only if it is still what it was set to.
fn number_back(name: &str, (from, to): (&Json, &Json), now: &Json) -> Option<Json> {
    let number = |side: &Json| match side {
        Json::Null => Some(0),
        side => side.as_i64(),
    };
    let (Some(before), Some(after), Some(present)) = (number(from), number(to), number(now)) else {
        return (now == to).then(|| from.clone());
    };
    let back = present.saturating_add(before.saturating_sub(after));
    let is_fresh = name.starts_with(part::FRESH);
    Some(match name {
        part::FILLED => back.clamp(0, u8::MAX.into()).into(),
        _ if is_fresh && back <= 0 => Json::Null,
        part::GAINED => back.clamp(0, i32::MAX.into()).into(),
        _ => back.clamp(i32::MIN.into(), i32::MAX.into()).into(),
    })
}

/// A list without what was added to it, and with what was taken from it.
fn list_back((from, to): (&Json, &Json), now: &Json) -> Json {
    let list = |side: &Json| side.as_array().cloned().unwrap_or_default();
    let (from, to, now) = (list(from), list(to), list(now));
    let gone = from.iter();
    let gone = gone.filter(|one| !to.contains(one) && !now.contains(one));
    let kept = now.iter();
    let kept = kept.filter(|one| from.contains(one) || !to.contains(one));
    kept.chain(gone).cloned().collect()
}

fn changed(thing: &impl Entity, name: &str) -> String {
    match (thing.subject(), name) {
        (Subject::Unfinished(_) | Subject::Call(_), _) => thing.name().to_owned(),
        (_, part::CONDITIONS) => format!("what {} suffers", thing.name()),
        (_, part::VISIBILITY) => "who may see the clock".to_owned(),
        (_, part::LINK) => "the clock's link".to_owned(),
        (_, part::CHECK) => "the clock's check".to_owned(),
        (_, name) => format!("{}: {}", thing.name(), stat_of(name).unwrap_or("it")),
    }
}

const fn gone(of: Subject) -> &'static str {
    match of {
        Subject::Character(_) => "that character",
        Subject::Clock(_) => "that clock",
        Subject::Pool(_) => "that pool",
        Subject::Prepared(_) => "that prepared scene",
        Subject::Call(_) => "that call",
        Subject::Unfinished(_) => "that check",
        Subject::Lock(_) | Subject::Scene(_) | Subject::House | Subject::Round => "it",
    }
}

impl Session {
    /// The command of somebody who saw the session as `seen`: an edit is meant as what is otherwise than it was
    /// there, and nothing that was not there is touched by it.
    pub fn rebase(&self, seen: &Self, command: &Command) -> Command {
        match command {
            Command::EditCharacter(edited) => {
                let both = (self.character(edited.id), seen.character(edited.id));
                Command::EditCharacter(Box::new(rebased(&**edited, both)))
            }
            Command::EditClock(edited) => {
                let both = (self.clock(edited.id), seen.clock(edited.id));
                Command::EditClock(Box::new(rebased(&**edited, both)))
            }
            Command::EditPool(edited) => {
                let both = (self.pool(edited.id), seen.pool(edited.id));
                Command::EditPool(Box::new(rebased(&**edited, both)))
            }
            Command::All(all) => {
                Command::All(all.iter().map(|one| self.rebase(seen, one)).collect())
            }
            command => command.clone(),
        }
    }
}

/// A thing as it is now, with what somebody edited who saw it otherwise.
fn rebased<T: Entity>(edited: &T, (now, seen): (Option<&T>, Option<&T>)) -> T {
    let (Some(now), Some(seen)) = (now, seen) else {
        return edited.clone();
    };
    let mut merged = now.clone();
    for (part, (was, is)) in difference(&json(seen), &json(edited)) {
        let now = json(&merged).pointer(&part).cloned().unwrap_or_default();
        let after = match part.as_str() {
            part::FILLED | part::TOKENS => number_back(&part, (&is, &was), &now).unwrap_or(is),
            part::THRESHOLDS => list_back((&is, &was), &now),
            _ => is,
        };
        merged.set(&part, &after);
    }
    merged.settle();
    merged
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Sheet, System};
    use crate::session::{Character, Gains, PoolId, TokenPool};

    /// What a damaged or foreign journal may hold is taken back without a panic, and stays within bounds.
    #[test]
    fn no_number_in_an_event_is_too_large_to_be_taken_back() {
        let mut session = Session::new(System::Gnosis);
        let mut mira = Character::new("Mira", Sheet::new(System::Gnosis));
        mira.id = CharacterId(900);
        let who = Subject::Character(mira.id);
        session.roster.push(mira);
        let pool = PoolId(901);
        session.pools.push(TokenPool {
            id: pool,
            tokens: 9_999,
            gains: Some(Gains {
                most: 3,
                this_scene: 3,
            }),
            ..TokenPool::new("Coal")
        });
        session.round = u32::MAX;
        let (low, high) = (i64::MIN, i64::MAX);
        for (from, to) in [(low, high), (high, low), (high, 0), (low, 0)] {
            for (of, part) in [
                (who, "/fresh/0 wounds"),
                (who, "/sheet/wounds"),
                (Subject::Pool(pool), part::TOKENS),
                (Subject::Pool(pool), part::GAINED),
                (Subject::Round, ""),
            ] {
                let changes = vec![Change::new(of, part, (from.into(), to.into()))];
                let what = EventKind::Ended;
                let event = Event { what, changes };
                let mut after = session.clone();
                // A sheet refuses what is out of its bounds.
                if let Ok(back) = session.take_back(1, &event, EventKind::Ended) {
                    after.apply(&back);
                }
                let pool = after.pool(pool).unwrap();
                assert_eq!(pool.within(pool.tokens), pool.tokens, "{event:?}");
            }
        }
    }
}
