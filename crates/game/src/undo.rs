//! Taking an event back: its inverse difference, against the state as it is now; and the same question of an edit, where
//! others changed things in the meantime (`rebase`). Which event a seat takes back, the history finds
//! (`History::to_undo`).

use serde_json::Value as Json;

use super::change::{by_subject, compare, part, put, stat_of};
use super::{
    Change, Character, CharacterId, Clock, Command, CommandError, Entity, Event, EventKind, Game,
    Result, Subject, differences,
};

impl Game {
    /// The event that takes back what `event`, of that number, changed. Numbers go back by what they
    /// went forward, whatever happened since; what is not there any more, or was set to something else
    /// since, is refused.
    pub fn take_back(&self, number: u64, event: &Event, what: EventKind) -> Result<Event> {
        let since = |what: String, about: (Subject, &str)| CommandError::ChangedSince {
            event: number,
            what,
            about: Box::new((about.0, about.1.to_owned())),
            later: String::new(),
        };
        let mut present = self.clone();
        for (of, changes) in by_subject(&event.changes).into_iter().rev() {
            // What the house did stays done until the house takes it back.
            let is_done = match of {
                Subject::HostLog => true,
                Subject::HostRequest(id) => self.asked.iter().all(|ask| ask.id != id),
                _ => false,
            };
            if is_done {
                continue;
            }
            let (mut now, mut at) = (present.read(of), 0);
            for &change in changes.iter().rev() {
                if !step_back(&mut now, change) {
                    return Err(since(changed(&now, change), (of, &change.part)));
                }
                if change.part.is_empty() {
                    at = change.at;
                }
            }
            let first = changes
                .first()
                .filter(|_| present.write(of, at, &now).is_err());
            if let Some(change) = first {
                return Err(since(changed(&now, change), (of, &change.part)));
            }
        }
        if let (Some((what, gone)), None) = (present.dangling(), self.dangling()) {
            return Err(since(what, (gone, "")));
        }
        if let Some(one) = present.of_another_system() {
            let what = format!("who plays by the rules: {} came", one.name);
            return Err(since(what, (Subject::Character(one.id), "")));
        }
        Ok(Event::new(what, differences(self, &present)))
    }

    /// The first, here or in a prepared scene, whose sheet is of another system.
    pub(super) fn of_another_system(&self) -> Option<&Character> {
        let prepared = self.prepared.iter().flat_map(|scene| &scene.cast);
        let mut all = self.roster.iter().chain(prepared);
        all.find(|one| one.sheet.system() != self.system)
    }

    /// What belongs or refers to something that is not there, and which thing that is.
    pub(super) fn dangling(&self) -> Option<(String, Subject)> {
        let gone = |id: Option<CharacterId>| {
            let gone = id.filter(|id| self.character(*id).is_none());
            gone.map(Subject::Character)
        };
        let owner = |(_, owner, name)| Some((format!("the owner of {name}"), gone(owner)?));
        let reference = |clock: &Clock| {
            let link = clock.link.map(|link| link.to);
            let link = link.filter(|to| self.clock(*to).is_none());
            let roller = gone(clock.check.as_ref().and_then(|check| check.who));
            let lost = link.map(Subject::Clock).or(roller)?;
            Some((format!("what {} refers to", clock.name), lost))
        };
        let called = self.calls.iter().map(|call| Some(call.who));
        let locked = self.locks.iter().map(|(who, _)| Some(*who));
        let waiting = self.unfinished.iter().map(|one| one.roll.id);
        let mut rolling = called.chain(locked).chain(waiting);
        let owned = self.things().find_map(owner);
        let owned = owned.or_else(|| self.clocks.iter().find_map(reference));
        owned.or_else(|| Some(("who is to roll".to_owned(), rolling.find_map(gone)?)))
    }

    /// The command of somebody who saw the game as `seen`: an edit changes only what differs from there, so that
    /// what others changed in the meantime stays.
    pub fn rebase(&self, seen: &Self, command: &Command) -> Command {
        match command {
            Command::Edit(edited) => Command::Edit(self.rebased(seen, edited)),
            Command::All(all) => {
                Command::All(all.iter().map(|one| self.rebase(seen, one)).collect())
            }
            command => command.clone(),
        }
    }

    /// A thing as it is now, with what the edit changed.
    fn rebased(&self, seen: &Self, edited: &Entity) -> Entity {
        let of = edited.of;
        let (mut whole, was) = (self.read(of), seen.read(of));
        if whole.is_null() {
            return edited.clone();
        }
        let mut edits = Vec::new();
        if !was.is_null() {
            compare(of, "", &was, &edited.whole, &mut edits);
        }
        for Change { part, from, to, .. } in edits {
            let now = whole.pointer(&part).cloned().unwrap_or_default();
            let after = match part.as_str() {
                part::FILLED | part::TOKENS => number_back(&part, (&to, &from), &now).unwrap_or(to),
                part::THRESHOLDS => list_back((&to, &from), &now),
                _ => to,
            };
            put(&mut whole, &part, after);
        }
        Entity { of, whole }
    }
}

/// Takes one change of a thing back; returns whether that could be.
fn step_back(thing: &mut Json, change: &Change) -> bool {
    let Change { part, from, to, .. } = change;
    let was_there = !part.is_empty() || !to.is_null();
    if thing.is_null() == was_there {
        return false;
    }
    let now = thing.pointer(part).cloned().unwrap_or_default();
    let after = match part.as_str() {
        "" => Some(from.clone()),
        part if is_counted(part) => number_back(part, (from, to), &now),
        part::BROUGHT | part::LOCKED | part::GM_LOCKED => Some(list_back((from, to), &now)),
        // The marks of a round that is over stay as they are.
        part::ACTED if now != *to => return true,
        _ => (now == *to).then(|| from.clone()),
    };
    let is_back = after.is_some();
    if let Some(after) = after {
        put(thing, part, after);
    }
    is_back
}

/// Whether people count it up and down.
fn is_counted(name: &str) -> bool {
    use part::{FILLED, GAINED, ROUND, TOKENS, TURNS};
    let is_count = matches!(name, FILLED | TURNS | TOKENS | GAINED | ROUND);
    is_count || name.starts_with(part::FRESH) || stat_of(name).is_some()
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
    let least = match name {
        part::TOKENS => i32::MIN,
        name if stat_of(name).is_some() => i32::MIN,
        _ => 0,
    };
    Some(match back.clamp(least.into(), i32::MAX.into()) {
        0 if name.starts_with(part::FRESH) => Json::Null,
        back => back.into(),
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

/// What was changed since, in words.
fn changed(now: &Json, change: &Change) -> String {
    let named = [now, &change.from, &change.to];
    let mut names = named.iter().filter_map(|side| side.get("name")?.as_str());
    let name = names.next().unwrap_or("it");
    let word = change.of.word();
    match (change.of, change.part.trim_start_matches('/')) {
        (Subject::Scene(_) | Subject::House | Subject::Lock(_) | Subject::Round, _) => {
            format!("the {word}")
        }
        (Subject::Unfinished(_) | Subject::Call(_), _) => format!("that {word}"),
        (_, "") => name.to_owned(),
        _ if now.is_null() => format!("that {word}"),
        (_, part) => format!("{name}: {}", stat_of(&change.part).unwrap_or(part)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Character, Gains, PoolId, TokenPool};
    use tableside_rules::{Sheet, System};

    /// What a damaged or foreign journal may hold is taken back without a panic, and stays within bounds.
    #[test]
    fn no_number_in_an_event_is_too_large_to_be_taken_back() {
        let mut game = Game::new(System::GNOSIS);
        let mut mira = Character::new("Mira", Sheet::new(System::GNOSIS));
        mira.id = CharacterId(900);
        let who = Subject::Character(mira.id);
        game.roster.push(mira);
        let pool = PoolId(901);
        game.pools.push(TokenPool {
            id: pool,
            tokens: 9_999,
            gains: Some(Gains {
                most: 3,
                this_scene: 3,
            }),
            ..TokenPool::new("Coal")
        });
        game.round = u32::MAX;
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
                let event = Event::new(what, changes);
                let mut after = game.clone();
                // A sheet refuses what is out of its bounds.
                if let Ok(back) = game.take_back(1, &event, EventKind::Ended) {
                    after.apply(&back);
                }
                let pool = after.pool(pool).unwrap();
                assert_eq!(pool.within(pool.tokens), pool.tokens, "{event:?}");
            }
        }
    }
}
