//! A session as `game.toml` holds it: readable, and to be mended by hand while it is closed.

use thiserror::Error;

use super::{Departed, Game, Scene};
use tableside_text::describe_toml_error;

/// What stands above the state, for those who keep the file.
const HEAD: [&str; 5] = ["format", "last", "seal", "checksum", "checksum-before"];

/// Why a file that is TOML is no game, in words.
#[derive(Debug, Error)]
#[error("{0}")]
pub struct FileError(String);

impl Game {
    /// The game as TOML.
    ///
    /// # Panics
    /// Never: every part of a game has a form in TOML; a test holds that.
    pub fn to_toml(&self) -> String {
        toml::to_string(self).expect("a game has a form in TOML")
    }

    /// Reads a game from TOML.
    pub fn from_toml(text: &str) -> Result<Self, FileError> {
        let mut unknown = Vec::new();
        let note = |path: serde_ignored::Path<'_>| unknown.push(path.to_string());
        let parsed = toml::Deserializer::parse(text);
        let read = parsed.and_then(|parsed| serde_ignored::deserialize(parsed, note));
        let read: Self = read.map_err(|error| FileError(describe_toml_error(text, &error)))?;
        // What is not known would be gone with the next save.
        unknown.retain(|key| !HEAD.contains(&key.as_str()));
        let Some(name) = unknown.first().and_then(|key| key.rsplit('.').next()) else {
            return read.checked();
        };
        let key = |line: &str| line.trim_matches(['[', ']']).split([' ', '=']).next() == Some(name);
        let line = text.lines().position(key).map_or(1, |before| before + 1);
        Err(FileError(format!(
            "line {line}: unknown entry {name}; correct or remove it"
        )))
    }

    /// Returns the game if every reference resolves and every number is within its bounds; no number is given
    /// out twice.
    fn checked(mut self) -> Result<Self, FileError> {
        let broken = |text: String| Err(FileError(text));
        let known = self.house.check(self.system);
        known.map_err(|error| FileError(error.to_string()))?;
        self.scenes
            .extend(self.scenes.is_empty().then(Scene::default));
        let things = self.things().map(|(of, ..)| of.number());
        let calls = self.calls.iter().map(|one| one.id.0);
        let unfinished = self.unfinished.iter().map(|one| one.id.0);
        let notes = self.notes.iter().map(|note| note.id.0);
        let asked = self.host_requests.iter().map(|one| one.id.0);
        let ids = things.chain(calls).chain(unfinished).chain(notes);
        let mut ids: Vec<u32> = ids.chain(asked).collect();
        let highest = ids.iter().copied().max().unwrap_or(0);
        ids.sort_unstable();
        if let Some([twice, ..]) = ids.windows(2).find(|pair| pair.first() == pair.last()) {
            return broken(format!(
                "the id {twice} is given twice; every id must differ"
            ));
        }
        // Kept in order, so that what is taken back finds its place again.
        self.locks.sort();
        self.gm_locks.sort();
        self.calls.sort_by_key(|call| call.id);
        self.unfinished.sort_by_key(|waiting| waiting.id);
        if let Some(one) = self.find_foreign_character() {
            return broken(format!("the sheet of {} is of another system", one.name));
        }
        self.next_id = self.next_id.max(highest.saturating_add(1));
        for clock in &self.clocks {
            let (name, filled, of) = (&clock.name, clock.filled, clock.segments.count());
            if filled > of {
                return broken(format!(
                    "the clock {name} has {of} segments, and {filled} are filled; fill at most {of}"
                ));
            }
            let check = clock.check.as_ref();
            if let Some(Err(unknown)) = check.map(|check| self.system.check(&check.check)) {
                return broken(format!("the clock {name}: {unknown}"));
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
        if let Some(dangling) = self.find_dangling_reference() {
            let what = dangling.description;
            let (kind, id) = (dangling.missing.word(), dangling.missing.number());
            return broken(format!(
                "{what} is the {kind} {id}, and there is none with that id"
            ));
        }
        Ok(self)
    }

    /// Makes good what nobody writes who edits the file by hand: who was taken away since that state, and who is
    /// named in the fields of calls and of clocks' checks.
    pub fn complete_edit(&mut self, before: &Self) {
        let stays = |id| self.character(id).is_some();
        let left = before.roster.iter().filter(|one| !stays(one.id));
        let gone = left
            .map(Departed::from)
            .chain(before.departed.iter().cloned());
        self.departed = gone.filter(|gone| !stays(gone.id)).collect();
        let edited = self.clone();
        let named = |who, check: &str, fields: &[(String, String)]| {
            let check = edited.system.check(check).ok();
            check.map_or_else(Vec::new, |check| {
                edited.named_characters(check, who, fields)
            })
        };
        for call in &mut self.calls {
            call.named = named(Some(call.who), &call.check, &call.fields);
        }
        for check in self.clocks.iter_mut().flat_map(|clock| &mut clock.check) {
            check.named = named(check.who, &check.check, &check.fields);
        }
    }
}
