//! Things that come, go and are edited as a whole; what is special about each kind stands beside.

use serde_json::Value as Json;

use super::clocks::of_house;
use crate::change::{json, part, put};
use crate::{
    CharacterId, Entity, Event, EventKind, Game, LONGEST_NAME, MOST, Result, Subject, refused,
};
use tableside_dice::Dice;
use tableside_dice::notation::Notation;
use tableside_text::{fold, is_same_name, sanitise_name};

impl Game {
    pub(super) fn decide_add(&self, mut entity: Entity, dice: &mut dyn Dice) -> Result<Event> {
        let mut after = self.clone();
        let how = roll_numbers(&mut entity, dice)?;
        let of = after.add(entity)?;
        let (kind, name) = after.named(of)?;
        Ok(self.event(EventKind::Added { kind, name, how }, &after))
    }

    /// Adds a thing under the next number.
    pub(super) fn add(&mut self, Entity { of, mut whole }: Entity) -> Result<Subject> {
        let things = self.things();
        let beside = things.filter(|(other, ..)| other.kind() == of.kind());
        if beside.count() >= MOST {
            let word = of.word();
            return Err(refused(format!("a game holds at most {MOST} {word}s")));
        }
        let of = of.numbered(self.take_id());
        whole["id"] = of.number().into();
        self.keep(&Entity { of, whole })?;
        Ok(of)
    }

    /// Puts a thing in its place, or behind the others if it is new, with all that follows from it; refuses one
    /// that is not fit to be kept.
    fn keep(&mut self, entity: &Entity) -> Result<()> {
        let of = entity.of;
        let fit = match of {
            Subject::Character(_) => json(&self.fit_character(entity.read()?)?),
            Subject::Clock(_) => json(&self.fit_clock(entity.read()?)?),
            Subject::Pool(_) => json(&self.fit_pool(entity.read()?)?),
            _ => json(&self.fit_prepared(entity.read()?)?),
        };
        let before = match of {
            Subject::Character(id) => self.character(id).cloned(),
            _ => None,
        };
        let written = self.write(of, usize::MAX, &fit);
        written.map_err(|error| refused(error.to_string()))?;
        match (of, before) {
            (Subject::Character(_), Some(before)) => self.follow_edit(&before),
            (Subject::Character(id), None) => self.give_all(id)?,
            _ => {}
        }
        Ok(())
    }

    /// Another thing like it, as it was at first.
    pub(super) fn decide_duplicate(&self, of: Subject, dice: &mut dyn Dice) -> Result<Event> {
        let (kind, name) = self.named(of)?;
        let mut whole = self.read(of);
        // What befell it since is not copied.
        for part in [
            part::ACTED,
            part::CONDITIONS,
            part::FRESH,
            part::FILLED,
            part::TURNS,
            part::GAINED,
        ] {
            put(&mut whole, part, Json::Null);
        }
        if let Some(start) = whole.get("start").cloned() {
            put(&mut whole, part::TOKENS, start);
        }
        let beside = self.things().filter(|(other, ..)| other.kind() == kind);
        whole["name"] = numbered(&name, beside.map(|(.., name)| name)).into();
        self.decide_add(Entity { of, whole }, dice)
    }

    pub(super) fn decide_edit(&self, edited: &Entity) -> Result<Event> {
        self.named(edited.of)?;
        let mut after = self.clone();
        after.keep(edited)?;
        self.changed(edited.of, &after)
    }

    /// The event by which a thing is as it is in `after`, told by its parts.
    pub(super) fn changed(&self, of: Subject, after: &Self) -> Result<Event> {
        let (kind, name) = self.named(of)?;
        let changes = crate::differences(self, after);
        let told = changes.iter().filter(|change| change.of == of);
        let words = told.filter_map(|change| change.words(after, true));
        let mut how: Vec<String> = words.collect();
        how.dedup();
        self.edited((kind, &name), &how, after)
    }

    pub(super) fn decide_remove(&self, of: Subject) -> Result<Event> {
        let (kind, name) = self.named(of)?;
        if let Subject::Clock(id) = of
            && self.known_clock(id)?.follows.is_some()
        {
            return Err(of_house(&name));
        }
        let mut after = self.clone();
        match of {
            Subject::Character(id) => after.remove_character(id),
            Subject::Clock(id) => after.remove_clocks(|clock| clock.id == id),
            _ => after.write(of, 0, &Json::Null).unwrap_or_default(),
        }
        Ok(self.event(EventKind::Removed { kind, name }, &after))
    }

    /// A name as it is kept: no control characters, not too long, not empty, and not another's beside it.
    pub(super) fn fit_name(
        &self,
        of: Subject,
        owner: Option<CharacterId>,
        name: &str,
    ) -> Result<String> {
        let kind = of.word();
        let is_unchanged = self.things().any(|thing| thing == (of, owner, name));
        if is_unchanged {
            // An older version may have saved two names that this version considers the same.
            return Ok(name.to_owned());
        }
        let name = sanitise_name(name, LONGEST_NAME);
        if name.is_empty() {
            return Err(refused(format!("a {kind} needs a name")));
        }
        let mut beside = self.things().filter(|(other, whose, _)| {
            *other != of && other.kind() == of.kind() && *whose == owner
        });
        if beside.any(|(.., other)| is_same_name(other, &name)) {
            return Err(refused(format!(
                "there is a {kind} named {name} already; names must differ"
            )));
        }
        Ok(name)
    }
}

/// Rolls for the numbers of a clock that are written as dice; returns how they fell, in words.
fn roll_numbers(entity: &mut Entity, dice: &mut dyn Dice) -> Result<String> {
    let mut how = Vec::new();
    for part in ["segments", "filled"] {
        let Some(written) = entity.whole.get(part).and_then(Json::as_str) else {
            continue;
        };
        let notation: Notation = written.parse()?;
        if notation.repetitions() > 1 {
            return Err(refused(format!("the {part} of a clock are rolled once")));
        }
        let rolled = notation.roll(dice);
        how.push(format!("{part} {written}: {}", rolled.total));
        entity.whole[part] = rolled.total.into();
    }
    Ok(how.join(", "))
}

/// The name as it is, or where somebody has it the first free number with it.
pub(crate) fn free<'a>(name: &str, others: impl Iterator<Item = &'a str> + Clone) -> String {
    if others.clone().any(|other| is_same_name(other, name)) {
        numbered(name, others)
    } else {
        name.to_owned()
    }
}

/// The name with the first number that nobody has: `Goblin`, `Goblin 2`, `Goblin 3`.
pub fn numbered<'a>(name: &str, others: impl Iterator<Item = &'a str>) -> String {
    let stem = match name.rsplit_once(' ') {
        Some((stem, number)) if number.chars().all(|digit| digit.is_ascii_digit()) => stem,
        _ => name,
    };
    let taken: Vec<String> = others.map(fold).collect();
    let mut names = (2..=taken.len() + 2).map(|number| format!("{stem} {number}"));
    let free = names.find(|name| !taken.contains(&fold(name)));
    free.unwrap_or_default()
}
