//! What people do with characters.

use super::conditions::cleaned;
use super::{named, numbered};
use crate::dice::Die;
use crate::rules::{Purse, Refused, Sheet, SheetError, StatKind, Value};
use crate::session::change::Part;
use crate::session::event::EntityKind;
use crate::session::{
    Call, Change, Character, CharacterId, Clock, ClockId, ClockKind, CommandError, Event,
    EventKind, LONGEST_NAME, LONGEST_NOTE, MOST, PoolId, Segments, Session, TokenPool, Visibility,
};
use crate::text::sanitise;

impl Session {
    pub(super) fn decide_add_character(
        &self,
        character: &Character,
    ) -> Result<Event, CommandError> {
        if self.roster.len() >= MOST {
            return Err(CommandError::TooMany("character"));
        }
        let names = self.roster.iter().map(|other| other.name.as_str());
        let mut character = character.clone();
        character.id = CharacterId(self.next_id);
        character.name = named("character", &character.name, names)?;
        character.player = sanitise(&character.player, LONGEST_NAME).into_owned();
        character.notes = sanitise(&character.notes, LONGEST_NOTE).into_owned();
        character.conditions = cleaned(&character.conditions)?;
        let owner = character.id;
        let mut next = self.next_id + 1;
        let mut changes = vec![Change::Character {
            at: self.roster.len(),
            from: None,
            to: Some(Box::new(character.clone())),
        }];
        let spec = self.system.spec();
        let own = spec.pools.iter().filter(|pool| match pool.purse {
            Purse::Character => true,
            Purse::Player => self.purse_of(&character.player, pool.kind, owner).is_none(),
            Purse::Table => false,
        });
        for (index, pool) in own.enumerate() {
            let mut pool = TokenPool::from_rules(pool, Some(owner));
            pool.id = PoolId(next);
            next += 1;
            changes.push(Change::Pool {
                at: self.pools.len() + index,
                from: None,
                to: Some(Box::new(pool)),
            });
        }
        for (index, clock) in spec.clocks.iter().enumerate() {
            let segments = Segments::try_from(clock.segments)?;
            let clock = Clock {
                id: ClockId(next),
                kind: ClockKind::Countdown,
                visibility: Visibility::Visible,
                owner: Some(owner),
                rule: Some(clock.id.to_owned()),
                ..Clock::new(clock.name, segments)
            };
            next += 1;
            changes.push(Change::Clock {
                at: self.clocks.len() + index,
                from: None,
                to: Some(Box::new(clock)),
            });
        }
        Ok(Event {
            what: EventKind::Added {
                kind: EntityKind::Character,
                name: character.name,
            },
            changes,
        })
    }

    pub(super) fn decide_duplicate_character(
        &self,
        id: CharacterId,
    ) -> Result<Event, CommandError> {
        let original = self.known_character(id)?;
        let names = self.roster.iter().map(|other| other.name.as_str());
        let copy = Character {
            name: numbered(&original.name, names),
            acted: false,
            conditions: Vec::new(),
            fresh: Vec::new(),
            ..original.clone()
        };
        self.decide_add_character(&copy)
    }

    pub(super) fn decide_edit_character(
        &self,
        character: &Character,
    ) -> Result<Event, CommandError> {
        let before = self.known_character(character.id)?;
        let others = self.roster.iter().filter(|other| other.id != character.id);
        let mut after = character.clone();
        after.name = named(
            "character",
            &after.name,
            others.map(|other| other.name.as_str()),
        )?;
        after.player = sanitise(&after.player, LONGEST_NAME).into_owned();
        after.notes = sanitise(&after.notes, LONGEST_NOTE).into_owned();
        let mut changes = Vec::new();
        let mut how = Vec::new();
        for part in Part::ALL {
            let (from, to) = (part.of(before), part.of(&after));
            if from == to {
                continue;
            }
            how.push(match part {
                Part::Name => format!("now named {to}"),
                Part::Player => format!("played by {to}"),
                Part::Side => format!("side {to}"),
                Part::Hidden => format!("hidden: {to}"),
                Part::Absent => format!("absent: {to}"),
                Part::Acted => format!("acted: {to}"),
                Part::Notes => "notes".to_owned(),
            });
            changes.push(Change::About {
                who: character.id,
                part,
                from,
                to,
            });
        }
        if before.player != after.player {
            changes.extend(self.purses_after(before, &after.player));
        }
        if before.conditions != after.conditions {
            how.push("conditions".to_owned());
            changes.push(Change::Conditions {
                who: character.id,
                from: before.conditions.clone(),
                to: after.conditions.clone(),
            });
        }
        for (label, change) in stat_changes(character.id, &before.sheet, &after.sheet) {
            how.push(label);
            changes.push(change);
        }
        self.edited(before, &how.join(", "), changes)
    }

    pub(super) fn decide_remove_character(&self, id: CharacterId) -> Result<Event, CommandError> {
        let character = self.known_character(id)?;
        let place = self.roster.iter().position(|other| other.id == id);
        let mut changes = Vec::new();
        let waiting = self.unfinished.iter().filter(|one| one.roll.id == Some(id));
        changes.extend(waiting.map(|one| Change::Waiting {
            id: one.id,
            from: Some(Box::new(one.clone())),
            to: None,
        }));
        let calls = self.calls.iter().filter(|call| call.who == id);
        changes.extend(calls.map(Call::answered));
        let locks = self.locks.iter().filter(|(who, _)| *who == id);
        changes.extend(locks.map(|(who, about)| Change::Lock {
            who: *who,
            about: about.clone(),
            on: false,
        }));
        let own = self.clocks.iter().filter(|one| one.owner == Some(id));
        let own: Vec<ClockId> = own.map(|clock| clock.id).collect();
        changes.extend(self.untied(&own));
        let rolls = |clock: &&Clock| {
            let who = clock.check.as_ref().and_then(|check| check.who);
            who == Some(id) && clock.owner != Some(id)
        };
        changes.extend(self.clocks.iter().filter(rolls).map(|clock| {
            let nobody = clock.check.clone().map(|mut check| {
                check.who = None;
                check
            });
            Change::Attached {
                clock: clock.id,
                from: clock.check.clone(),
                to: nobody,
            }
        }));
        // From the last one down, so that taking it back finds every place again.
        for (at, clock) in self.clocks.iter().enumerate().rev() {
            if clock.owner == Some(id) {
                changes.push(Change::Clock {
                    at,
                    from: Some(Box::new(clock.clone())),
                    to: None,
                });
            }
        }
        for (at, pool) in self.pools.iter().enumerate().rev() {
            if pool.owner == Some(id) {
                // The other characters of its player go on with it.
                let heir = self.heir(pool);
                let passed = heir.map(|heir| Box::new(pool.passed_to(heir)));
                changes.push(Change::Pool {
                    at,
                    from: Some(Box::new(pool.clone())),
                    to: passed,
                });
            }
        }
        changes.push(Change::Character {
            at: place.unwrap_or(self.roster.len()),
            from: Some(Box::new(character.clone())),
            to: None,
        });
        Ok(Event {
            what: EventKind::Removed {
                kind: EntityKind::Character,
                name: character.name.clone(),
            },
            changes,
        })
    }

    pub(super) fn decide_step_stat(
        &self,
        who: CharacterId,
        stat: &str,
        by: i32,
    ) -> Result<Event, CommandError> {
        let character = self.known_character(who)?;
        let known = character.sheet.stat(stat)?;
        let now = character
            .sheet
            .value(stat)
            .cloned()
            .unwrap_or_else(|| known.preset());
        let at_end = || CommandError::StatAtEnd {
            who: character.name.clone(),
            stat: known.label.to_owned(),
            value: now.to_string(),
        };
        if by == 0 {
            return Err(CommandError::Unchanged);
        }
        let next = match (known.kind, &now) {
            (StatKind::Number { min, max, .. }, Value::Number(number)) => {
                Value::Number(number.saturating_add(by).clamp(min, max))
            }
            (StatKind::Die { .. }, Value::Die(die)) => {
                let step = |die: Die| if by > 0 { die.up() } else { die.down() };
                let first = step(*die).ok_or_else(at_end)?;
                let mut others = 1..by.unsigned_abs();
                let last = others.try_fold(first, |die, _| step(die));
                Value::Die(last.ok_or_else(|| {
                    Refused(format!(
                        "{}: {} is {die}, and cannot go {} steps",
                        character.name,
                        known.label,
                        by.unsigned_abs()
                    ))
                })?)
            }
            _ => {
                return Err(SheetError::Wrong {
                    stat: known.id,
                    takes: known.describe(),
                    given: "a step up or down".to_owned(),
                }
                .into());
            }
        };
        if next == now {
            return Err(at_end());
        }
        match self.decide_set_stat(who, stat, &next) {
            // A die that may not grow beyond another one is at its end, too.
            Err(CommandError::Sheet(_)) => Err(at_end()),
            decided => decided,
        }
    }

    pub(super) fn decide_set_stat(
        &self,
        who: CharacterId,
        stat: &str,
        value: &Value,
    ) -> Result<Event, CommandError> {
        let character = self.known_character(who)?;
        let mut sheet = character.sheet.clone();
        sheet.set(stat, value.clone())?;
        let (how, changes): (Vec<_>, Vec<_>) = stat_changes(who, &character.sheet, &sheet)
            .into_iter()
            .unzip();
        self.edited(character, &how.join(", "), changes)
    }

    pub(super) fn decide_part(
        &self,
        who: CharacterId,
        part: Part,
        to: Value,
        how: &str,
    ) -> Result<Event, CommandError> {
        let character = self.known_character(who)?;
        let from = part.of(character);
        if from == to {
            return Err(CommandError::Unchanged);
        }
        let change = Change::About {
            who,
            part,
            from,
            to,
        };
        self.edited(character, how, vec![change])
    }

    pub(super) fn edited(
        &self,
        character: &Character,
        how: &str,
        mut changes: Vec<Change>,
    ) -> Result<Event, CommandError> {
        debug_assert!(self.character(character.id).is_some());
        if changes.is_empty() {
            return Err(CommandError::Unchanged);
        }
        changes.extend(self.freshened(&changes));
        Ok(Event {
            what: EventKind::Edited {
                kind: EntityKind::Character,
                name: character.name.clone(),
                how: how.to_owned(),
            },
            changes,
        })
    }
}

pub(super) fn stat_changes(
    who: CharacterId,
    before: &Sheet,
    after: &Sheet,
) -> Vec<(String, Change)> {
    before
        .iter()
        .zip(after.iter())
        .filter(|((_, from), (_, to))| from != to)
        .map(|((stat, from), (_, to))| {
            let change = Change::Stat {
                who,
                stat: stat.id.to_owned(),
                from: from.clone(),
                to: to.clone(),
            };
            let (from, to) = (from.to_string(), to.to_string());
            let how = match (from.as_str(), to.as_str()) {
                ("", to) => format!("{} now {to}", stat.label),
                (from, "") => format!("{} {from} to none", stat.label),
                (from, to) => format!("{} {from} to {to}", stat.label),
            };
            (how, change)
        })
        .collect()
}
