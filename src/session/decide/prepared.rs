//! Scenes that are prepared, and brought.

use super::{free, named, numbered};
use crate::session::entity::replace;
use crate::session::event::EntityKind;
use crate::session::{
    Character, CharacterId, Clock, ClockId, ClockKind, Command, CommandError, Event, EventKind,
    LONGEST_NOTE, Link, MOST, Prepared, PreparedId, Session, Visibility, edits,
};
use crate::text::sanitise;

impl Session {
    /// Takes off the table what was kept; a character's clocks go with the character.
    pub(super) fn put_away(&self, characters: &[CharacterId], clocks: &[ClockId]) -> Vec<Command> {
        let alone = |id: &ClockId| {
            let owner = self.clock(*id).and_then(|clock| clock.owner);
            owner.is_none_or(|owner| !characters.contains(&owner))
        };
        let clocks = clocks.iter().copied().filter(alone);
        let characters = characters.iter().copied().map(Command::RemoveCharacter);
        characters.chain(clocks.map(Command::RemoveClock)).collect()
    }

    fn known_prepared(&self, id: PreparedId) -> Result<&Prepared, CommandError> {
        self.prepared(id)
            .ok_or(CommandError::Gone("prepared scene"))
    }

    fn settle_prepared(&self, scene: &mut Prepared) -> Result<(), CommandError> {
        let others = self.prepared.iter().filter(|other| other.id != scene.id);
        let others = others.map(|other| other.name.as_str());
        scene.name = named("prepared scene", &scene.name, others)?;
        scene.notes = sanitise(scene.notes.trim(), LONGEST_NOTE).into_owned();
        Ok(())
    }

    /// Keeps a scene for later. Two of its characters or clocks with one name would come under
    /// numbered names, as they do when a scene is brought twice.
    pub(super) fn decide_add_prepared(&self, scene: &Prepared) -> Result<Event, CommandError> {
        if self.prepared.len() >= MOST || scene.cast.len() + scene.clocks.len() > MOST {
            return Err(CommandError::TooMany("prepared scene"));
        }
        let mut after = self.clone();
        let mut scene = scene.clone();
        scene.id = PreparedId(after.take_id());
        scene.brought.clear();
        self.settle_prepared(&mut scene)?;
        if scene.cast.is_empty() && scene.clocks.is_empty() {
            return Err(CommandError::EmptyScene);
        }
        // They are numbered anew, from 1.
        let mut cast = Vec::with_capacity(scene.cast.len());
        for (one, number) in scene.cast.iter_mut().zip(1..) {
            cast.push((one.id, CharacterId(number)));
            one.id = CharacterId(number);
        }
        let mut clocks = Vec::with_capacity(scene.clocks.len());
        for (one, number) in scene.clocks.iter_mut().zip(1 + scene.cast.len()..) {
            let number = ClockId(u32::try_from(number).unwrap_or(u32::MAX));
            clocks.push((one.id, number));
            one.id = number;
        }
        for clock in &mut scene.clocks {
            *clock = renumbered(clock, &cast, &clocks);
        }
        let (kind, name) = (EntityKind::Prepared, scene.name.clone());
        after.prepared.push(scene);
        Ok(self.event(EventKind::Added { kind, name }, &after))
    }

    /// Keeps copies of these characters and clocks as a scene.
    pub(super) fn decide_prepare(
        &self,
        (name, notes): (&str, &str),
        characters: &[CharacterId],
        clocks: &[ClockId],
    ) -> Result<Event, CommandError> {
        let mut scene = Prepared::new(name);
        notes.clone_into(&mut scene.notes);
        for &id in characters {
            let one = self.known_character(id)?;
            scene.cast.push(Character {
                acted: false,
                ..one.clone()
            });
        }
        for &id in clocks {
            self.known_clock(id)?;
        }
        let own = |clock: &&Clock| {
            let owned = clock.owner.is_some_and(|owner| characters.contains(&owner));
            // What the rules give, they give again when the character comes.
            clock.rule.is_none() && (owned || clocks.contains(&clock.id))
        };
        scene.clocks = self.clocks.iter().filter(own).cloned().collect();
        self.decide_add_prepared(&scene)
    }

    pub(super) fn decide_edit_prepared(
        &self,
        id: PreparedId,
        name: &str,
        notes: &str,
    ) -> Result<Event, CommandError> {
        let before = self.known_prepared(id)?;
        let mut edited = before.clone();
        name.clone_into(&mut edited.name);
        notes.clone_into(&mut edited.notes);
        self.settle_prepared(&mut edited)?;
        let how = edits::of_prepared(before, &edited);
        let mut after = self.clone();
        replace(&mut after.prepared, edited);
        self.edited((EntityKind::Prepared, &before.name), &how, &after)
    }

    pub(super) fn decide_remove_prepared(&self, id: PreparedId) -> Result<Event, CommandError> {
        let name = &self.known_prepared(id)?.name;
        Ok(self.removed(EntityKind::Prepared, name, |after| {
            after.prepared.retain(|scene| scene.id != id);
        }))
    }

    /// Adds what a scene holds, hidden until it is revealed.
    pub(super) fn decide_bring(&self, id: PreparedId) -> Result<Event, CommandError> {
        let scene = self.known_prepared(id)?;
        let mut bringing = Bringing {
            after: self.clone(),
            names: Vec::new(),
            brought: scene.brought.clone(),
            races: Vec::new(),
        };
        let mut cast = Vec::with_capacity(scene.cast.len());
        for one in &scene.cast {
            cast.push((one.id, bringing.character(one)?));
        }
        let mut clocks = Vec::with_capacity(scene.clocks.len());
        for clock in &scene.clocks {
            clocks.push((clock.id, bringing.clock(clock, &cast)?));
        }
        for clock in &scene.clocks {
            let now = renamed(&clocks, clock.id);
            if let Some(now) = now.and_then(|id| bringing.after.clock_mut(id)) {
                now.link = renumbered(clock, &cast, &clocks).link;
            }
        }
        let Bringing {
            mut after,
            names,
            brought,
            ..
        } = bringing;
        let (name, scene) = (&scene.name, scene.clone());
        replace(&mut after.prepared, Prepared { brought, ..scene });
        let how = format!("brought {}", names.join(", "));
        self.edited((EntityKind::Prepared, name), &[how], &after)
    }

    /// Shows everything that a scene brought.
    pub(super) fn decide_reveal(&self, id: PreparedId) -> Result<Event, CommandError> {
        let scene = self.known_prepared(id)?;
        let came = |id: u32| scene.brought.contains(&id);
        let mut after = self.clone();
        let mut names = Vec::new();
        let hidden = after.roster.iter_mut();
        for one in hidden.filter(|one| one.hidden && came(one.id.0)) {
            one.hidden = false;
            names.push(one.name.clone());
        }
        let hidden = after.clocks.iter_mut();
        let hidden = hidden.filter(|one| one.visibility == Visibility::Hidden);
        for one in hidden.filter(|one| came(one.id.0)) {
            one.visibility = Visibility::Visible;
            names.push(one.name.clone());
        }
        if names.is_empty() {
            return Err(CommandError::NothingHidden(scene.name.clone()));
        }
        let how = format!("revealed {}", names.join(", "));
        self.edited((EntityKind::Prepared, &scene.name), &[how], &after)
    }
}

/// The number that something has now.
fn renamed<Id: Copy + PartialEq>(numbers: &[(Id, Id)], id: Id) -> Option<Id> {
    let found = numbers.iter().find(|(before, _)| *before == id);
    found.map(|(_, now)| *now)
}

/// A clock with everything that it refers to under the numbers of now; who did not come with it is left out.
fn renumbered(
    clock: &Clock,
    cast: &[(CharacterId, CharacterId)],
    clocks: &[(ClockId, ClockId)],
) -> Clock {
    let link = clock.link.and_then(|link| {
        let to = renamed(clocks, link.to)?;
        Some(Link { to, ..link })
    });
    let mut clock = Clock {
        owner: clock.owner.and_then(|id| renamed(cast, id)),
        link,
        ..clock.clone()
    };
    if let Some(check) = &mut clock.check {
        check.who = check.who.and_then(|id| renamed(cast, id));
    }
    clock
}

/// A scene while it is brought.
struct Bringing {
    after: Session,
    names: Vec<String>,
    brought: Vec<u32>,
    /// The races of the scene, each with the name that it has here.
    races: Vec<(String, String)>,
}

impl Bringing {
    fn character(&mut self, one: &Character) -> Result<CharacterId, CommandError> {
        let names = self.after.roster.iter().map(|other| other.name.as_str());
        let character = Character {
            name: free(&one.name, names),
            hidden: true,
            ..one.clone()
        };
        let id = self.after.add_character(&character)?;
        self.names.push(character.name);
        self.brought.push(id.0);
        Ok(id)
    }

    /// The race of a clock: its own with the others of the scene, and nobody else's at this table.
    fn race(&mut self, one: &Clock) -> String {
        let folded = one.race.to_lowercase();
        if one.kind != ClockKind::Race {
            return one.race.clone();
        }
        let known = self.races.iter().find(|(before, _)| *before == folded);
        if let Some((_, now)) = known {
            return now.clone();
        }
        let racing = self.after.clocks.iter();
        let racing = racing.filter(|clock| clock.kind == ClockKind::Race);
        let others = racing.map(|clock| clock.race.as_str());
        let now = match folded.as_str() {
            "" if others.clone().any(str::is_empty) => numbered("Race", others),
            _ => free(&one.race, others),
        };
        self.races.push((folded, now.clone()));
        now
    }

    fn clock(
        &mut self,
        one: &Clock,
        cast: &[(CharacterId, CharacterId)],
    ) -> Result<ClockId, CommandError> {
        let mut clock = renumbered(one, cast, &[]);
        let beside = self.after.clocks.iter();
        let beside = beside.filter(|other| other.owner == clock.owner);
        clock.name = free(&one.name, beside.map(|other| other.name.as_str()));
        clock.visibility = Visibility::Hidden;
        clock.race = self.race(one);
        // A check that does not fit this table any more is no reason to come without the clock.
        clock.check = clock
            .check
            .filter(|check| self.after.fill_attached(check, check.who).is_ok());
        let id = self.after.add_clock(&clock)?;
        self.names.push(clock.name);
        self.brought.push(id.0);
        Ok(id)
    }
}
