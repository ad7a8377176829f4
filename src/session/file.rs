//! A session as `session.toml` holds it: readable, and to be mended by hand while it is closed.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{
    Allegiance, Call, Character, CharacterId, Clock, Condition, Departed, Fresh, Prepared, Scene,
    Session, TokenPool, Unfinished,
};
use crate::rules::{House, HouseError, Sheet, SheetError, System, Value};

/// A session file that is TOML, and yet no session.
#[derive(Debug, Error)]
pub enum FileError {
    /// Not TOML, or not the shape of a session.
    #[error("line {line}, column {column}: {matter}")]
    Shape {
        /// Counted from 1.
        line: usize,
        /// Counted from 1.
        column: usize,
        /// What is wrong there.
        matter: String,
    },
    /// A character's sheet is not as its system describes it.
    #[error("the character {name}: {source}")]
    Sheet {
        /// Whose.
        name: String,
        /// What is wrong.
        source: SheetError,
    },
    /// A house rule is not one of the system's.
    #[error(transparent)]
    House(#[from] HouseError),
    /// Something refers to a character that is not there, or holds a number out of bounds.
    #[error("{0}")]
    Broken(String),
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
struct File {
    system: System,
    #[serde(default)]
    round: u32,
    #[serde(default)]
    next_id: u32,
    #[serde(default)]
    entries: u64,
    #[serde(default)]
    rolls: u64,
    #[serde(default, skip_serializing_if = "House::is_plain")]
    house: House,
    #[serde(default, rename = "scene")]
    scenes: Vec<Scene>,
    #[serde(default, rename = "character")]
    roster: Vec<Person>,
    #[serde(default, rename = "clock")]
    clocks: Vec<Clock>,
    #[serde(default, rename = "pool")]
    pools: Vec<TokenPool>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    prepared: Vec<Prepared>,
    #[serde(default, rename = "lock", skip_serializing_if = "Vec::is_empty")]
    locks: Vec<Lock>,
    #[serde(default, rename = "call", skip_serializing_if = "Vec::is_empty")]
    calls: Vec<Call>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    unfinished: Vec<Unfinished>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    departed: Vec<Departed>,
}

#[derive(Serialize, Deserialize)]
struct Lock {
    who: CharacterId,
    about: String,
}

#[derive(Serialize, Deserialize)]
struct Person {
    id: CharacterId,
    name: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    player: String,
    #[serde(default)]
    side: Allegiance,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    hidden: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    absent: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    acted: bool,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    notes: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    conditions: Vec<Condition>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    fresh: Vec<Fresh>,
    sheet: toml::Table,
}

impl Session {
    /// The session as TOML.
    ///
    /// # Panics
    /// Never: every part of a session has a form in TOML; a test holds that.
    pub fn to_toml(&self) -> String {
        let person = |character: &Character| {
            let mut sheet = toml::Table::new();
            for (stat, value) in character.sheet.iter() {
                let value = toml::Value::try_from(value).expect("a value has a form in TOML");
                sheet.insert(stat.id.to_owned(), value);
            }
            Person {
                id: character.id,
                name: character.name.clone(),
                player: character.player.clone(),
                side: character.side,
                hidden: character.hidden,
                absent: character.absent,
                acted: character.acted,
                notes: character.notes.clone(),
                conditions: character.conditions.clone(),
                fresh: character.fresh.clone(),
                sheet,
            }
        };
        let file = File {
            system: self.system,
            round: self.round,
            next_id: self.next_id,
            entries: self.entries,
            rolls: self.rolls,
            house: self.house.clone(),
            scenes: self.scenes.clone(),
            roster: self.roster.iter().map(person).collect(),
            clocks: self.clocks.clone(),
            pools: self.pools.clone(),
            prepared: self.prepared.clone(),
            locks: self
                .locks
                .iter()
                .map(|(who, about)| Lock {
                    who: *who,
                    about: about.clone(),
                })
                .collect(),
            calls: self.calls.clone(),
            unfinished: self.unfinished.clone(),
            departed: self.departed.clone(),
        };
        toml::to_string(&file).expect("a session has a form in TOML")
    }

    /// Reads a session from TOML.
    pub fn from_toml(text: &str) -> Result<Self, FileError> {
        let file: File = toml::from_str(text).map_err(|error| misshapen(text, &error))?;
        let system = file.system;
        file.house.check(system)?;
        let mut roster = Vec::with_capacity(file.roster.len());
        for person in file.roster {
            roster.push(person.into_character(system)?);
        }
        let mut scenes = file.scenes;
        if scenes.is_empty() {
            scenes.push(Scene::default());
        }
        let mut session = Self {
            system,
            house: file.house,
            scenes,
            round: file.round,
            roster,
            clocks: file.clocks,
            pools: file.pools,
            prepared: file.prepared,
            locks: file
                .locks
                .into_iter()
                .map(|lock| (lock.who, lock.about))
                .collect(),
            calls: file.calls,
            unfinished: file.unfinished,
            departed: file.departed,
            next_id: file.next_id,
            entries: file.entries,
            rolls: file.rolls,
        };
        session.settle()?;
        Ok(session)
    }

    /// Checks that every reference resolves and every number is within its bounds; gives out no number
    /// twice.
    fn settle(&mut self) -> Result<(), FileError> {
        let broken = |text: String| Err(FileError::Broken(text));
        let mut ids: Vec<u32> = self.roster.iter().map(|one| one.id.0).collect();
        ids.extend(self.clocks.iter().map(|one| one.id.0));
        ids.extend(self.pools.iter().map(|one| one.id.0));
        ids.extend(self.prepared.iter().map(|one| one.id.0));
        ids.extend(self.calls.iter().map(|one| one.id.0));
        ids.extend(self.unfinished.iter().map(|one| one.id.0));
        let highest = ids.iter().copied().max().unwrap_or(0);
        ids.sort_unstable();
        if let Some([twice, ..]) = ids.windows(2).find(|pair| pair.first() == pair.last()) {
            return broken(format!(
                "the id {twice} is given twice; every id must differ"
            ));
        }
        // Kept in order, so that what is taken back finds its place again.
        self.locks.sort();
        self.calls.sort_by_key(|call| call.id);
        self.unfinished.sort_by_key(|waiting| waiting.id);
        let lost = self
            .calls
            .iter()
            .find(|call| self.character(call.who).is_none());
        if let Some(call) = lost {
            return broken(format!(
                "a call for a roll names the character {}, and there is none with that id",
                call.who.0
            ));
        }
        for scene in &self.prepared {
            let other = scene
                .cast
                .iter()
                .find(|one| one.sheet.system() != self.system);
            if let Some(one) = other {
                return broken(format!(
                    "the prepared scene {}: the sheet of {} is of another system",
                    scene.name, one.name
                ));
            }
        }
        self.next_id = self.next_id.max(highest.saturating_add(1));
        for clock in &self.clocks {
            if clock.filled > clock.segments.count() {
                return broken(format!(
                    "the clock {} has {} segments, and {} are filled; fill at most {}",
                    clock.name,
                    clock.segments.count(),
                    clock.filled,
                    clock.segments.count()
                ));
            }
        }
        for pool in &self.pools {
            if pool.within(pool.tokens) != pool.tokens {
                return broken(format!(
                    "the pool {} holds {}, beyond its floor or its cap",
                    pool.name, pool.tokens
                ));
            }
        }
        for clock in &self.clocks {
            if self.refers_to_nothing(clock) {
                return broken(format!(
                    "the clock {} is linked to a clock, or filled by a character, that is not there",
                    clock.name
                ));
            }
            let check = clock.check.as_ref().map(|check| check.check.as_str());
            if let Some(Err(unknown)) = check.map(|check| self.system.check(check)) {
                return broken(format!("the clock {}: {unknown}", clock.name));
            }
        }
        let owners = self
            .clocks
            .iter()
            .map(|clock| (&clock.name, clock.owner))
            .chain(self.pools.iter().map(|pool| (&pool.name, pool.owner)));
        for (name, owner) in owners {
            if let Some(owner) = owner.filter(|owner| self.character(*owner).is_none()) {
                return broken(format!(
                    "{name} belongs to the character {}, and there is none with that id",
                    owner.0
                ));
            }
        }
        Ok(())
    }
}

impl Session {
    /// Makes good what nobody writes who edits the file by hand: who was taken away since that state, and who is
    /// named in the fields of calls and of clocks' checks.
    pub fn complete_edit(&mut self, before: &Self) {
        let stays = |id| self.character(id).is_some();
        let left = before.roster.iter().filter(|one| !stays(one.id));
        self.departed = left
            .map(Departed::from)
            .chain(before.departed.iter().cloned())
            .filter(|gone| !stays(gone.id))
            .collect();
        let named = |who, check: &str, fields: &[(String, String)]| {
            let check = self.system.check(check).ok();
            check.map_or_else(Vec::new, |check| self.named_in(check, who, fields))
        };
        let calls = self.calls.iter();
        let calls: Vec<_> = calls
            .map(|call| named(Some(call.who), &call.check, &call.fields))
            .collect();
        let checks = self.clocks.iter().filter_map(|clock| clock.check.as_ref());
        let checks: Vec<_> = checks
            .map(|check| named(check.who, &check.check, &check.fields))
            .collect();
        for (call, named) in self.calls.iter_mut().zip(calls) {
            call.named = named;
        }
        let attached = self.clocks.iter_mut().filter_map(|one| one.check.as_mut());
        for (check, named) in attached.zip(checks) {
            check.named = named;
        }
    }
}

/// Says where a file stops being a session.
fn misshapen(text: &str, error: &toml::de::Error) -> FileError {
    let start = error.span().map_or(0, |span| span.start);
    let before = text.get(..start).unwrap_or_default();
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let in_line = before.get(line_start..).unwrap_or_default();
    FileError::Shape {
        line: before.matches('\n').count() + 1,
        column: in_line.chars().count() + 1,
        matter: error.message().trim().replace('\n', ", "),
    }
}

impl Person {
    fn into_character(self, system: System) -> Result<Character, FileError> {
        let mut sheet = self.sheet;
        let in_sheet = |source| FileError::Sheet {
            name: self.name.clone(),
            source,
        };
        let value = |stat: &str| {
            let value = sheet.remove(stat)?;
            // What is no value of ours is shown as it is written and refused by the stat.
            let shown = Value::Text(value.to_string());
            Some(value.try_into::<Value>().unwrap_or(shown))
        };
        let sheet = Sheet::from_values(system, value).map_err(in_sheet)?;
        Ok(Character {
            id: self.id,
            name: self.name,
            player: self.player,
            side: self.side,
            hidden: self.hidden,
            absent: self.absent,
            acted: self.acted,
            notes: self.notes,
            conditions: self.conditions,
            fresh: self.fresh,
            sheet,
        })
    }
}
