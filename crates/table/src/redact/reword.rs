//! Writes new texts for entries from the changes that a seat may see, with the present names.
//!
//! A stored text may name a character that is hidden now, or contain a name from the time when a character was hidden.

use super::Redactor;
use tableside_game::{
    Change, Clock, ClockKind, EntityRef, EventKind, HostAction, HostRequest, Part, PoolKind,
    describe_host_tick, filled_of,
};
use tableside_text::join;

impl Redactor<'_> {
    /// Replaces the texts of an event. `None` if all of it is hidden.
    pub(super) fn reword(&self, kind: &mut EventKind, changes: &[Change]) -> Option<()> {
        let sees_all = changes.iter().all(|change| self.sees_change(change));
        match kind {
            EventKind::Ticked { clock, then, .. } => {
                *clock = self.ticked_clock(changes)?;
                *then = if sees_all {
                    self.consequences_of_tick(changes)
                } else {
                    String::new()
                };
            }
            EventKind::Tokens {
                owner, pool, note, ..
            } => {
                let first_change = changes.first()?;
                if !self.sees_change(first_change) {
                    return None;
                }
                if let EntityRef::Pool(id) = first_change.entity {
                    let present = self.game.pool(id)?;
                    self.game.owner_name(present.owner).clone_into(owner);
                    present.name.clone_into(pool);
                }
                let mut entities = changes.iter().map(|change| change.entity);
                let is_alone = entities.all(|entity| entity == first_change.entity);
                if !sees_all || !is_alone {
                    note.clear();
                }
            }
            EventKind::Round { over: then, .. }
            | EventKind::Scene { then, .. }
            | EventKind::SessionEnded { then, .. } => {
                *then = self.visible_consequences(changes);
            }
            EventKind::Added { .. } | EventKind::Removed { .. } if !sees_all => return None,
            EventKind::Edited { name, how, .. } => {
                if !sees_all {
                    return None;
                }
                if !self.is_about_one_entity(name, changes) {
                    name.clear();
                    *how = self.edits(changes);
                    if how.is_empty() {
                        return None;
                    }
                }
            }
            _ => {}
        }
        Some(())
    }

    /// Describes the consequences of the end of a scene, of a round or of a turn. Empty if any of them is hidden.
    pub(super) fn visible_consequences(&self, changes: &[Change]) -> String {
        // `describe_request` describes requests to the host's game, except for hidden clocks.
        let sees_entities = changes
            .iter()
            .filter(|change| !matches!(change.entity, EntityRef::HostRequest(_)))
            .all(|change| self.sees_change(change));
        if sees_entities {
            self.consequences_of_end(changes)
        } else {
            String::new()
        }
    }

    /// The present name of the clock that was ticked. `None` if the seat may not see it.
    ///
    /// The first change of a clock belongs to the ticked clock.
    fn ticked_clock(&self, changes: &[Change]) -> Option<String> {
        let clock_change = changes
            .iter()
            .find(|change| matches!(change.entity, EntityRef::Clock(_)))?;
        let sees_first = changes
            .first()
            .is_some_and(|change| self.sees_change(change));
        if !sees_first {
            return None;
        }
        self.present_name_of(clock_change.entity)
    }

    /// Describes the consequences of a tick, if all changes are visible.
    fn consequences_of_tick(&self, changes: &[Change]) -> String {
        let ticked_clock = changes
            .iter()
            .map(|change| change.entity)
            .find(|entity| matches!(entity, EntityRef::Clock(_)));

        let mut messages = Vec::new();
        for change in changes {
            let is_ticked_clock = Some(change.entity) == ticked_clock;
            messages.extend(self.describe_clock_change(change, is_ticked_clock));
        }
        messages.join("; ")
    }

    /// Describes a change of a clock: a step, a reveal, the end of a race. Leaves out the step of the ticked clock,
    /// which the text of the entry describes already.
    fn describe_clock_change(&self, change: &Change, is_ticked_clock: bool) -> Vec<String> {
        let mut messages = Vec::new();
        messages.extend(self.describe_request(change));
        let EntityRef::Clock(id) = change.entity else {
            return messages;
        };
        let Some(clock) = self.game.clock(id) else {
            return messages;
        };

        let name = &clock.name;
        match &change.part {
            Part::Filled => {
                let mut sides = change.sides::<u8>();
                if let Some(from) = sides.next()
                    && let Some(to) = sides.next()
                {
                    messages.extend(describe_step(clock, from, to, is_ticked_clock));
                    messages.extend(self.describe_end(clock, from, to));
                }
            }
            Part::Turns => messages.push(format!("{name} starts again")),
            Part::Visibility => messages.push(format!("{name} is revealed")),
            _ => {}
        }
        messages
    }

    /// Describes the end of a race or of a tug-of-war, if the seat sees the other clocks of the race.
    fn describe_end(&self, clock: &Clock, from: u8, to: u8) -> Option<String> {
        if clock.kind != ClockKind::Race {
            return self.game.describe_clock_end(clock, from, to);
        }
        if to <= from || to < clock.segments.count() {
            return None;
        }
        let race = self.visible_race(clock)?;
        Some(format!("it wins the race: {race}"))
    }

    /// Names a race by its visible clocks. `None` if only one clock is visible.
    fn visible_race(&self, clock: &Clock) -> Option<String> {
        let members: Vec<&str> = self
            .game
            .clocks
            .iter()
            .filter(|other| clock.shares_race_with(other))
            .filter(|member| self.sees_clock(member.id))
            .map(|member| member.name.as_str())
            .collect();
        if members.len() > 1 {
            Some(members.join(" against "))
        } else {
            None
        }
    }

    /// Describes a tick that this game requests from the host, with the clock's name in this game.
    fn describe_request(&self, change: &Change) -> Option<String> {
        let request = change.sides::<HostRequest>().next()?;
        let HostAction::Tick { clock, by } = request.action else {
            return None;
        };
        let copy = self.game.host_copy(clock)?;
        Some(describe_host_tick(&copy.name, by))
    }

    /// Describes the changes at the end of a round or of a scene.
    fn consequences_of_end(&self, changes: &[Change]) -> String {
        let visible_changes = changes.iter().filter(|change| self.sees_change(change));
        let mut reset_names: Vec<String> = Vec::new();
        let mut messages = Vec::new();
        for change in visible_changes {
            let is_reset = match &change.part {
                Part::Tokens => true,
                Part::Filled => change.to == 0,
                _ => false,
            };
            if change.part == Part::Conditions {
                messages.push(self.edits(std::slice::from_ref(change)));
            } else if !is_reset {
                messages.extend(self.describe_clock_change(change, false));
            } else if let Some(name) = self.present_name_of(change.entity)
                && !reset_names.contains(&name)
            {
                reset_names.push(name);
            }
        }

        reset_names.sort();
        if !reset_names.is_empty() {
            let names = reset_names.join(", ");
            messages.insert(0, format!("resets {names}"));
        }
        messages.join(", ")
    }

    /// True if an edit changed a single entity, which still has the recorded name, and no value that contains another
    /// name. Then the stored text contains no other name.
    fn is_about_one_entity(&self, recorded_name: &str, changes: &[Change]) -> bool {
        let Some(first) = changes.first() else {
            return false;
        };
        let subject = self.subject_of(first.entity);
        let present_name = match subject {
            EntityRef::Lock(who) => self.name(who).map(str::to_owned),
            entity => self.present_name_of(entity),
        };
        if present_name.as_deref() != Some(recorded_name) {
            return false;
        }

        changes.iter().all(|change| {
            let names_another = matches!(change.part, Part::Link | Part::Owner);
            let is_same_subject = self.subject_of(change.entity) == subject;
            is_same_subject && !names_another && !self.has_old_name(change)
        })
    }

    /// Returns the character whose pool an entity is, if the rules name the pool. Otherwise returns the entity.
    fn subject_of(&self, entity: EntityRef) -> EntityRef {
        if let EntityRef::Pool(id) = entity
            && let Some(pool) = self.game.pool(id)
            && let Some(owner) = pool.owner
            && matches!(pool.kind, PoolKind::Rule(_))
        {
            EntityRef::Character(owner)
        } else {
            entity
        }
    }

    fn present_name_of(&self, entity: EntityRef) -> Option<String> {
        let (_, name) = self.game.named(entity).ok()?;
        Some(name)
    }

    /// Describes edits with the present names.
    fn edits(&self, changes: &[Change]) -> String {
        let mut messages = Vec::new();
        for change in changes {
            messages.extend(self.describe_request(change));
            messages.extend(self.describe_new_race(change));
            if self.has_old_name(change) {
                continue;
            }
            if let Some(name) = self.present_name_of(change.entity)
                && let Some(description) = change.describe(self.game, true)
            {
                messages.push(format!("{name}: {description}"));
            }
        }
        join(messages, "; ")
    }

    fn describe_new_race(&self, change: &Change) -> Option<String> {
        let EntityRef::Clock(id) = change.entity else {
            return None;
        };
        if change.part != Part::Race {
            return None;
        }
        let clock = self.game.clock(id)?;
        let race = self.visible_race(clock)?;
        Some(format!("{}: in the race {race}", clock.name))
    }

    /// True if a change contains the name of a race, or a name that an entity no longer has. Both may be secret.
    pub(super) fn has_old_name(&self, change: &Change) -> bool {
        match (change.entity, &change.part) {
            (_, Part::Race) => true,
            (entity, Part::Name) => {
                let present = self.present_name_of(entity);
                change.to.as_str() != present.as_deref()
            }
            (EntityRef::Clock(_), Part::Kind) => {
                let race = <&str>::from(ClockKind::Race);
                change.from == race || change.to == race
            }
            _ => false,
        }
    }
}

/// Describes a step of a clock.
fn describe_step(clock: &Clock, from: u8, to: u8, is_ticked_clock: bool) -> Option<String> {
    let name = &clock.name;
    if from == to {
        return Some(format!("{name} starts"));
    }
    if is_ticked_clock {
        return None;
    }

    let step = i32::from(to) - i32::from(from);
    let verb = if step < 0 { "goes back" } else { "advances" };
    let filled = filled_of(to, clock.segments.count());
    Some(format!("{name} {verb} by {}: {filled}", step.abs()))
}
