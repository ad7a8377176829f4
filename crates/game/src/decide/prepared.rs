//! Scenes that are prepared, and brought.

use std::collections::BTreeMap;

use super::entities::{free, numbered};
use crate::clock_advance::UNNAMED_RACE;
use crate::{
    Character, CharacterId, Clock, ClockId, ClockKind, Command, CommandContext, CommandError,
    Event, Game, LONGEST_NOTE, Link, MOST, Named, PrepareCommand, Prepared, PreparedId, Subject,
    Visibility,
};
use crate::{EntityKind, Result, refused};
use tableside_dice::Dice;
use tableside_text::sanitise;

/// The numbers of what a scene holds, each with the one that it has now.
type Numbers = Vec<(u32, u32)>;

impl Game {
    fn known_prepared(&self, id: PreparedId) -> Result<&Prepared> {
        self.prepared(id)
            .ok_or(CommandError::Gone("prepared scene"))
    }

    /// The scene as it is fit to be kept for later, or what is wrong with it. Two of its characters or clocks
    /// with one name come under numbered names, as they do when a scene is brought twice.
    pub(super) fn fit_prepared(&self, mut scene: Prepared) -> Result<Prepared> {
        scene.name = self.fit_name(Subject::Prepared(scene.id), None, &scene.name)?;
        scene.notes = sanitise(scene.notes.trim(), LONGEST_NOTE).into_owned();
        if scene.cast.is_empty() && scene.clocks.is_empty() {
            return Err(refused(
                "a prepared scene needs a character, or a clock that the rules did not give",
            ));
        }
        if scene.cast.len() + scene.clocks.len() > MOST {
            return Err(refused(format!("a prepared scene holds at most {MOST}")));
        }
        if self.prepared(scene.id).is_none() {
            scene.brought.clear();
        }
        Ok(scene)
    }

    /// Keeps copies of characters and clocks as a scene.
    pub(super) fn decide_prepare(
        &self,
        command: &PrepareCommand,
        moment: &CommandContext,
        dice: &mut dyn Dice,
    ) -> Result<Event> {
        let mut scene = Prepared::new(&command.name);
        scene.notes.clone_from(&command.notes);
        for &id in &command.characters {
            let mut one = self.known_character(id)?.clone();
            one.acted = false;
            scene.cast.push(one);
        }
        for &id in &command.clocks {
            self.known_clock(id)?;
        }
        let goes_along = |clock: &&Clock| {
            let owner = clock.owner;
            owner.is_some_and(|owner| command.characters.contains(&owner))
        };
        let chosen = |clock: &&Clock| command.clocks.contains(&clock.id);
        // What the rules give, they give again when the character comes.
        let clocks = self.clocks.iter().filter(|clock| clock.rule.is_none());
        let clocks = clocks.filter(|clock| goes_along(clock) || chosen(clock));
        scene.clocks = clocks.cloned().collect();
        let mut kept = self.decide_add(scene.into(), dice)?;
        if command.put_away {
            let alone = self.clocks.iter().filter(chosen);
            let alone = alone.filter(|clock| clock.rule.is_none() && !goes_along(clock));
            let clocks = alone.map(|clock| Subject::Clock(clock.id));
            let characters = command.characters.iter().copied().map(Subject::Character);
            let going: Vec<Command> = characters.chain(clocks).map(Command::Remove).collect();
            let gone = self.decide_all(&going, moment, dice)?;
            kept.changes.extend(gone.changes);
        }
        Ok(kept)
    }

    /// Adds what a scene holds, hidden until it is revealed.
    pub(super) fn decide_bring(&self, id: PreparedId) -> Result<Event> {
        let scene = self.known_prepared(id)?;
        let mut after = self.clone();
        let mut came = Numbers::new();
        let mut names = Vec::new();
        for one in &scene.cast {
            let others = after.roster.iter().map(|other| other.name.as_str());
            let name = free(&one.name, others);
            names.push(name.clone());
            let new = Character {
                name,
                hidden: true,
                ..one.clone()
            };
            came.push((one.id.0, after.add(new.into())?.number()));
        }
        // The races of the scene, each with its name at this table.
        let mut races: BTreeMap<&str, String> = BTreeMap::new();
        for one in &scene.clocks {
            let mut new = one.clone();
            renumber(&mut new, &came, &after.roster);
            let beside = after.clocks.iter().filter(|other| other.owner == new.owner);
            new.name = free(&one.name, beside.map(|other| other.name.as_str()));
            new.visibility = Visibility::Hidden;
            if one.kind == ClockKind::Race {
                let known = races.get(one.race.as_str()).cloned();
                let race = known.unwrap_or_else(|| self.free_race(&one.race, races.values()));
                races.insert(&one.race, race.clone());
                new.race = race;
            }
            // Those that it leads to are not all here yet.
            new.link = None;
            // A check that does not fit this table any more is no reason to come without the clock.
            let fits = |check: &Box<_>| after.fill_attached(check, check.who).is_ok();
            new.check = new.check.filter(fits);
            names.push(new.name.clone());
            came.push((one.id.0, after.add(new.into())?.number()));
        }
        for one in &scene.clocks {
            let mut linked = one.clone();
            renumber(&mut linked, &came, &after.roster);
            let now = renumbered(&came, one.id.0).map(ClockId);
            if let Some(now) = now.and_then(|id| after.clock_mut(id)) {
                now.link = linked.link;
            }
        }
        let mut kept = after.prepared.iter_mut();
        if let Some(kept) = kept.find(|kept| kept.id == id) {
            kept.brought.extend(came.iter().map(|(_, now)| now));
        }
        let how = format!("brought {}", names.join(", "));
        self.edited((EntityKind::Prepared, &scene.name), &[how], &after)
    }

    /// A name for a race that comes with a scene: its own, or one with a number if a race at this table or one that
    /// came before it has that name.
    fn free_race<'a>(
        &'a self,
        race: &str,
        came: impl Iterator<Item = &'a String> + Clone,
    ) -> String {
        let racing = self.clocks.iter();
        let here = racing.filter(|clock| clock.kind == ClockKind::Race);
        let others = here
            .map(|clock| &clock.race)
            .chain(came)
            .map(String::as_str);
        if race.is_empty() && others.clone().any(str::is_empty) {
            numbered(UNNAMED_RACE, others)
        } else {
            free(race, others)
        }
    }

    /// Shows everything that a scene brought.
    pub(super) fn decide_reveal(&self, id: PreparedId) -> Result<Event> {
        let scene = self.known_prepared(id)?;
        let came = |id: u32| scene.brought.contains(&id);
        let mut after = self.clone();
        let mut names = Vec::new();
        let characters = after.roster.iter_mut();
        for one in characters.filter(|one| one.hidden && came(one.id.0)) {
            one.hidden = false;
            names.push(one.name.clone());
        }
        let is_hidden = |one: &&mut Clock| one.visibility == Visibility::Hidden;
        let clocks = after.clocks.iter_mut().filter(is_hidden);
        for one in clocks.filter(|one| came(one.id.0)) {
            one.visibility = Visibility::Visible;
            names.push(one.name.clone());
        }
        if names.is_empty() {
            return Err(refused(format!(
                "nothing that {} brought is hidden",
                scene.name
            )));
        }
        let how = format!("revealed {}", names.join(", "));
        self.edited((EntityKind::Prepared, &scene.name), &[how], &after)
    }
}

fn renumbered(numbers: &[(u32, u32)], id: u32) -> Option<u32> {
    let found = numbers.iter().find(|(before, _)| *before == id);
    found.map(|(_, now)| *now)
}

/// Gives everything that a clock refers to its number of now; who did not come with it is left out.
fn renumber(clock: &mut Clock, numbers: &[(u32, u32)], roster: &[Character]) {
    let character = |id: CharacterId| renumbered(numbers, id.0).map(CharacterId);
    clock.owner = clock.owner.and_then(character);
    clock.link = clock.link.and_then(|link| {
        let to = renumbered(numbers, link.to.0).map(ClockId)?;
        Some(Link { to, ..link })
    });
    if let Some(check) = &mut clock.check {
        check.who = check.who.and_then(character);
        for (field, origin) in &mut check.named {
            for named in &mut origin.of {
                let is_it = |one: &&Character| character(named.id) == Some(one.id);
                let now = roster.iter().find(is_it);
                *named = now.map_or_else(|| named.clone(), Named::from);
            }
            let text = check.fields.iter_mut().find(|(known, _)| known == field);
            if let Some((_, text)) = text {
                *text = origin.to_string();
            }
        }
    }
}
