//! Deciding commands about prepared scenes: preparing, bringing and revealing them.

use std::collections::BTreeMap;

use super::entities::{free_name, numbered_name};
use crate::contest::UNNAMED_RACE;
use crate::{
    AddCreaturesCommand, AttachedCheck, Character, CharacterId, Clock, ClockId, ClockKind, Command,
    CommandContext, CommandError, EntityRef, Event, Game, LONGEST_NOTE, MOST, Named,
    PrepareCommand, Prepared, PreparedId, SharedList, Visibility,
};
use crate::{EntityKind, Result, refused};
use tableside_dice::Dice;
use tableside_text::sanitise;

/// The new ids of the characters and clocks that a prepared scene brought into the game.
#[derive(Default)]
struct NewIds(Vec<NewId>);

struct NewId {
    /// The id within the prepared scene.
    prepared: u32,
    /// The id in the game.
    current: u32,
}

impl NewIds {
    fn insert(&mut self, prepared: u32, subject: EntityRef) {
        let current = subject.number();
        self.0.push(NewId { prepared, current });
    }

    fn find(&self, prepared: u32) -> Option<u32> {
        for new_id in &self.0 {
            if new_id.prepared == prepared {
                return Some(new_id.current);
            }
        }
        None
    }

    /// All ids in the game.
    fn current(&self) -> impl Iterator<Item = u32> {
        self.0.iter().map(|new_id| new_id.current)
    }

    fn character(&self, id: CharacterId) -> Option<CharacterId> {
        self.find(id.0).map(CharacterId)
    }

    fn clock(&self, id: ClockId) -> Option<ClockId> {
        self.find(id.0).map(ClockId)
    }
}

impl Game {
    fn known_prepared(&self, id: PreparedId) -> Result<&Prepared> {
        self.prepared(id)
            .ok_or(CommandError::Gone("prepared scene"))
    }

    /// Validates a prepared scene, and returns it in the form in which the game stores it.
    ///
    /// Characters or clocks of a scene may have the same name; they are numbered when the scene is brought.
    pub(super) fn validate_prepared(&self, mut scene: Prepared) -> Result<Prepared> {
        let subject = EntityRef::Prepared(scene.id);
        scene.name = self.validate_name(subject, None, &scene.name)?;
        scene.notes = sanitise(scene.notes.trim(), LONGEST_NOTE).into_owned();

        let count = scene.cast.len() + scene.clocks.len();
        if count == 0 {
            return Err(refused(
                "a prepared scene needs a character or a clock; clocks that the rules give are not stored",
            ));
        }
        if count > MOST {
            return Err(refused(format!(
                "a prepared scene has at most {MOST} characters and clocks; split it into two scenes"
            )));
        }

        if self.prepared(scene.id).is_none() {
            scene.brought.clear();
        }
        Ok(scene)
    }

    /// Stores copies of characters and clocks as a prepared scene.
    pub(super) fn decide_prepare(
        &self,
        command: &PrepareCommand,
        context: &CommandContext,
        dice: &mut dyn Dice,
    ) -> Result<Event> {
        let mut scene = Prepared::new(&command.name);
        scene.notes.clone_from(&command.notes);
        for id in &command.characters {
            let mut character = self.known_character(*id)?.clone();
            character.acted = false;
            scene.cast.push(character);
            scene.pools.extend(self.own_pools_of(*id));
        }
        self.prepare_creatures(&command.creatures, &mut scene)?;

        for id in &command.clocks {
            self.known_clock(*id)?;
        }
        // The clocks of the rules are left out: a character gets them again when the scene is brought.
        for clock in &self.clocks {
            let is_chosen = command.clocks.contains(&clock.id);
            let is_wanted = is_chosen || belongs_to_cast(clock, command);
            if is_wanted && clock.rule.is_none() {
                scene.clocks.push(clock.clone());
            }
        }

        let mut event = self.decide_add(scene.into())?;
        if command.put_away {
            let removal = self.decide_put_away(command, context, dice)?;
            event.changes.extend(removal.changes);
        }
        Ok(event)
    }

    /// Adds copies of creatures to a scene. They are numbered when the scene is brought.
    fn prepare_creatures(
        &self,
        commands: &[AddCreaturesCommand],
        scene: &mut Prepared,
    ) -> Result<()> {
        // In an empty game the copies get the pools and the numbers that they have in play.
        let mut scratch = self.emptied();
        for command in commands {
            let event = scratch.decide_add_creatures(command)?;
            scratch.apply(&event);
        }
        for character in &scratch.roster {
            scene.cast.push(character.clone());
            scene.pools.extend(scratch.own_pools_of(character.id));
        }
        Ok(())
    }

    /// Removes the characters and clocks that were prepared from the table.
    fn decide_put_away(
        &self,
        command: &PrepareCommand,
        context: &CommandContext,
        dice: &mut dyn Dice,
    ) -> Result<Event> {
        let mut removals = Vec::new();
        for id in &command.characters {
            removals.push(Command::Remove(EntityRef::Character(*id)));
        }
        for clock in &self.clocks {
            let is_chosen = command.clocks.contains(&clock.id);
            // The clocks of a character are removed with the character.
            let is_removed_alone = is_chosen && !belongs_to_cast(clock, command);
            if is_removed_alone && clock.rule.is_none() {
                removals.push(Command::Remove(EntityRef::Clock(clock.id)));
            }
        }

        self.decide_all(&removals, context, dice)
    }

    /// Adds the characters and clocks of a prepared scene. The new characters and clocks are hidden until the scene is
    /// revealed.
    pub(super) fn decide_bring(&self, id: PreparedId) -> Result<Event> {
        let scene = self.known_prepared(id)?;
        let mut after = self.clone();
        let mut new_ids = NewIds::default();

        let mut names = after.bring_cast(scene, &mut new_ids)?;
        names.extend(after.bring_clocks(self, scene, &mut new_ids)?);
        after.bring_links(scene, &new_ids);

        for prepared in &mut after.prepared {
            if prepared.id == id {
                prepared.brought.extend(new_ids.current());
            }
        }

        let how = format!("brought {}", names.join(", "));
        self.edit_event(EntityKind::Prepared, &scene.name, how, &after)
    }

    /// Adds the characters of a prepared scene, and returns their names.
    fn bring_cast(&mut self, scene: &Prepared, new_ids: &mut NewIds) -> Result<Vec<String>> {
        let mut names = Vec::new();
        for prepared in &scene.cast {
            let taken_names = self.roster.iter().map(|other| other.name.as_str());
            let name = free_name(&prepared.name, taken_names);
            names.push(name.clone());

            let character = Character {
                name,
                hidden: true,
                ..prepared.clone()
            };
            let subject = self.add(character.into())?;
            new_ids.insert(prepared.id.0, subject);
        }

        for pool in &scene.pools {
            if let Some(owner) = pool.owner.and_then(|owner| new_ids.character(owner)) {
                self.give_copy_of_pool(pool.clone(), owner)?;
            }
        }
        Ok(names)
    }

    /// Adds the clocks of a prepared scene without their links, and returns their names.
    fn bring_clocks(
        &mut self,
        before: &Self,
        scene: &Prepared,
        new_ids: &mut NewIds,
    ) -> Result<Vec<String>> {
        let mut names = Vec::new();
        // The name that each race of the scene has in this game.
        let mut races: BTreeMap<&str, String> = BTreeMap::new();

        for prepared in &scene.clocks {
            let mut clock = prepared.clone();
            refer_to_new_ids(&mut clock, new_ids, &self.roster);

            let taken_names = self
                .clocks
                .iter()
                .filter(|other| other.owner == clock.owner)
                .map(|other| other.name.as_str());
            clock.name = free_name(&prepared.name, taken_names);
            clock.visibility = Visibility::Hidden;
            clock.link = None;

            if prepared.kind == ClockKind::Race {
                let race = match races.get(prepared.race.as_str()) {
                    Some(race) => race.clone(),
                    None => before.free_race(&prepared.race, races.values()),
                };
                races.insert(&prepared.race, race.clone());
                clock.race = race;
            }

            // The clock comes without its check if the check does not fit the present sheets.
            clock.check = clock
                .check
                .filter(|check| self.fill_attached(check, check.who).is_ok());

            names.push(clock.name.clone());
            let subject = self.add(clock.into())?;
            new_ids.insert(prepared.id.0, subject);
        }

        Ok(names)
    }

    /// Sets the links between the clocks that a prepared scene has brought.
    fn bring_links(&mut self, scene: &Prepared, new_ids: &NewIds) {
        for prepared in &scene.clocks {
            let mut linked = prepared.clone();
            refer_to_new_ids(&mut linked, new_ids, &self.roster);

            let current = new_ids.clock(prepared.id);
            if let Some(clock) = current.and_then(|id| self.clock_mut(id)) {
                clock.link = linked.link;
            }
        }
    }

    /// Returns a name for a race of a prepared scene: its own name, or a numbered one if another race has that name.
    fn free_race<'a>(
        &'a self,
        race: &str,
        brought_races: impl Iterator<Item = &'a String> + Clone,
    ) -> String {
        let taken_names = self
            .clocks
            .iter()
            .filter(|clock| clock.kind == ClockKind::Race)
            .map(|clock| &clock.race)
            .chain(brought_races)
            .map(String::as_str);

        let is_second_unnamed = race.is_empty() && taken_names.clone().any(str::is_empty);
        if is_second_unnamed {
            numbered_name(UNNAMED_RACE, taken_names)
        } else {
            free_name(race, taken_names)
        }
    }

    /// Shows players all characters and clocks that a prepared scene has brought.
    pub(super) fn decide_reveal(&self, id: PreparedId) -> Result<Event> {
        let scene = self.known_prepared(id)?;
        let mut after = self.clone();
        let mut names = Vec::new();

        for character in &mut after.roster {
            if character.hidden && scene.brought.contains(&character.id.0) {
                character.hidden = false;
                names.push(character.name.clone());
            }
        }
        for clock in &mut after.clocks {
            let is_hidden = clock.visibility == Visibility::Hidden;
            if is_hidden && scene.brought.contains(&clock.id.0) {
                clock.visibility = Visibility::Visible;
                names.push(clock.name.clone());
            }
        }

        if names.is_empty() {
            return Err(refused(format!(
                "no character or clock of {} is hidden; bring the scene first if it is not in play yet",
                scene.name
            )));
        }
        let how = format!("revealed {}", names.join(", "));
        self.edit_event(EntityKind::Prepared, &scene.name, how, &after)
    }
}

/// True if the clock belongs to a character that the command prepares.
fn belongs_to_cast(clock: &Clock, command: &PrepareCommand) -> bool {
    clock
        .owner
        .is_some_and(|owner| command.characters.contains(&owner))
}

/// Replaces the ids in a prepared clock by those in the game. References to anything outside the scene are removed.
fn refer_to_new_ids(clock: &mut Clock, new_ids: &NewIds, roster: &SharedList<Character>) {
    clock.owner = clock.owner.and_then(|owner| new_ids.character(owner));

    if let Some(mut link) = clock.link.take()
        && let Some(target) = new_ids.clock(link.to)
    {
        link.to = target;
        clock.link = Some(link);
    }

    if let Some(check) = &mut clock.check {
        refer_to_new_characters(check, new_ids, roster);
    }
}

/// Replaces the characters that a clock's check names, in its ids and in its fields.
fn refer_to_new_characters(
    check: &mut AttachedCheck,
    new_ids: &NewIds,
    roster: &SharedList<Character>,
) {
    check.who = check.who.and_then(|roller| new_ids.character(roller));

    for (field, origin) in &mut check.named {
        for named in &mut origin.of {
            let new_id = new_ids.character(named.id);
            let character = roster.iter().find(|character| Some(character.id) == new_id);
            if let Some(character) = character {
                *named = Named::from(character);
            }
        }

        let entry = check.fields.iter_mut().find(|(id, _)| id == field);
        if let Some((_, text)) = entry {
            *text = origin.to_string();
        }
    }
}
