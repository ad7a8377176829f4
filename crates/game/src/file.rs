//! The TOML form of a game in its saved file, which GMs may edit while the game is closed.

use std::collections::HashSet;

use thiserror::Error;

use super::{Departed, Game, Scene};
use tableside_text::describe_toml_error;

/// The keys at the top of the file, which the store reads.
const HEAD: [&str; 5] = ["format", "last", "seal", "checksum", "checksum-before"];

/// The reason why a TOML file is not a valid game.
#[derive(Debug, Error)]
#[error("{0}")]
pub struct FileError(String);

impl Game {
    /// Writes the game as TOML.
    ///
    /// # Panics
    ///
    /// Never panics, because every part of a game can be written as TOML. A test checks this.
    pub fn to_toml(&self) -> String {
        toml::to_string(self).expect("a game has a form in TOML")
    }

    /// Reads a game from TOML.
    ///
    /// # Errors
    ///
    /// If the text is not a game, has an unknown key, or breaks a rule. An unknown key would be lost with the next
    /// save.
    pub fn from_toml(text: &str) -> Result<Self, FileError> {
        let mut unknown_keys = Vec::new();
        let game: Self = toml::Deserializer::parse(text)
            .and_then(|deserializer| {
                serde_ignored::deserialize(deserializer, |path| unknown_keys.push(path.to_string()))
            })
            .map_err(|error| FileError(describe_toml_error(text, &error)))?;

        unknown_keys.retain(|key| !HEAD.contains(&key.as_str()));
        let first_unknown = unknown_keys.first();
        match first_unknown.and_then(|key| key.rsplit('.').next()) {
            Some(key) => Err(describe_unknown_key(text, key)),
            None => game.checked(),
        }
    }

    /// Returns the game if every reference resolves and every number is within its bounds.
    fn checked(mut self) -> Result<Self, FileError> {
        self.house
            .check(self.system)
            .map_err(|error| FileError(error.to_string()))?;
        if let Some(foreign) = self.find_foreign_character() {
            let name = &foreign.name;
            return Err(FileError(format!(
                "the sheet of {name} belongs to another system than the game"
            )));
        }
        if self.scenes.is_empty() {
            self.scenes.push(Scene::default());
        }

        let highest_id = self.check_ids()?;
        self.next_id = self.next_id.max(highest_id.saturating_add(1));

        // The lists are sorted, so that undo restores entities at their places.
        self.locks.sort();
        self.gm_locks.sort();
        self.calls.sort_by_key(|call| call.id);
        self.unfinished.sort_by_key(|waiting| waiting.id);

        self.check_clocks()?;
        self.check_pools()?;
        if let Some(dangling) = self.find_dangling_reference() {
            let description = dangling.description;
            let kind = dangling.missing.word();
            let id = dangling.missing.number();
            return Err(FileError(format!(
                "{description} is the {kind} {id}, and no {kind} has that id"
            )));
        }
        Ok(self)
    }

    /// Checks that no ID is given twice. Returns the highest ID.
    fn check_ids(&self) -> Result<u32, FileError> {
        let mut ids = Vec::new();
        for named in self.named_entities() {
            ids.push(named.entity.number());
        }
        for call in &self.calls {
            ids.push(call.id.0);
        }
        for waiting in &self.unfinished {
            ids.push(waiting.id.0);
        }
        for note in &self.notes {
            ids.push(note.id.0);
        }
        for request in &self.host_requests {
            ids.push(request.id.0);
        }

        let mut seen = HashSet::new();
        for id in ids {
            if !seen.insert(id) {
                return Err(FileError(format!(
                    "two entities have the id {id}; give each entity its own id"
                )));
            }
        }
        Ok(seen.into_iter().max().unwrap_or(0))
    }

    fn check_clocks(&self) -> Result<(), FileError> {
        for clock in &self.clocks {
            let name = &clock.name;
            let filled = clock.filled;
            let segments = clock.segments.count();
            if filled > segments {
                return Err(FileError(format!(
                    "the clock {name} has {segments} segments, and {filled} are filled; fill at most {segments}"
                )));
            }
            if let Some(attached) = &clock.check
                && let Err(unknown) = self.system.check(&attached.check)
            {
                return Err(FileError(format!("the clock {name}: {unknown}")));
            }
        }
        Ok(())
    }

    fn check_pools(&self) -> Result<(), FileError> {
        for pool in &self.pools {
            if pool.within(pool.tokens) != pool.tokens {
                let name = &pool.name;
                let tokens = pool.tokens;
                let minimum = pool.within(i32::MIN);
                let maximum = pool.within(i32::MAX);
                return Err(FileError(format!(
                    "the pool {name} holds {tokens} tokens; give it {minimum} to {maximum} tokens, or change its floor \
                     or cap"
                )));
            }
        }
        Ok(())
    }

    /// Adds the parts that the GM does not write to a game whose file was edited by hand: removed characters, and the
    /// characters named by calls and by checks of clocks.
    pub fn complete_edit(&mut self, before: &Self) {
        let removed = before.roster.iter().map(Departed::from);
        let departed_before = before.departed.iter().cloned();
        self.departed = removed
            .chain(departed_before)
            .filter(|departed| self.character(departed.id).is_none())
            .collect();

        let edited = self.clone();
        let find_named =
            |who, check: &str, fields: &[(String, String)]| match edited.system.check(check) {
                Ok(spec) => edited.named_characters(spec, who, fields),
                Err(_) => Vec::new(),
            };
        for call in &mut self.calls {
            call.named = find_named(Some(call.who), &call.check, &call.fields);
        }
        for clock in &mut self.clocks {
            if let Some(attached) = &mut clock.check {
                attached.named = find_named(attached.who, &attached.check, &attached.fields);
            }
        }
    }
}

/// Describes a key that games do not have, with the line of its first use.
fn describe_unknown_key(text: &str, key: &str) -> FileError {
    let key_of_line = |line: &str| {
        let bare_line = line.trim_matches(['[', ']']);
        bare_line.split([' ', '=']).next() == Some(key)
    };
    let index = text.lines().position(key_of_line).unwrap_or(0);
    FileError(format!(
        "line {}: unknown entry {key}; correct or remove it",
        index + 1
    ))
}
