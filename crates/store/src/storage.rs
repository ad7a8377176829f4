//! Where games are kept: what is there, and what is done with whole games while nobody plays them.

use std::fs;
use std::io::{BufRead, BufReader, Seek as _};
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};

use super::database::Database;
use super::folder::{self, GameFile, Name, SavedGame};
use super::game_location::{GameLocation, GameRow};
use super::moment::from_epoch;
use super::{FileStamp, StoreError, archive, bundle, database_game};
use tableside_text::is_same_name;

/// Where games are kept.
#[derive(Debug, Clone)]
pub enum Storage {
    /// The data folder: a folder for each game.
    Folder(PathBuf),
    /// A database: a row for each game, and one for each event.
    Database(Database),
}

fn row(database: &Database, name: &str, in_archive: bool) -> GameRow {
    GameRow {
        database: database.clone(),
        name: name.to_owned(),
        in_archive,
    }
}

/// The games of a database, the last saved first.
fn listed(database: &Database, in_archive: bool) -> Result<Vec<SavedGame>, StoreError> {
    let all = "select name, extract(epoch from saved)::bigint::text from game where kept = $1 and name not like '.%' order by saved desc, name";
    let kept = row(database, "", in_archive).kept();
    let rows = database.read(all, &[kept])?.into_iter();
    let listed = rows.map(|found| SavedGame {
        name: found.text(0).to_owned(),
        place: GameLocation::Database(row(database, found.text(0), in_archive)),
        played: from_epoch(found.number(1)),
    });
    Ok(listed.collect())
}

/// The file of that name beside each game of a database.
fn beside_games(database: &Database, file: &str) -> Result<Vec<GameFile>, StoreError> {
    let all = "select game.name, file.version::text from game join file on file.game = game.id
        where game.kept = $1 and file.name = $2 and game.name not like '.%'";
    let kept = row(database, "", false).kept();
    let rows = database.read(all, &[kept, file])?;

    let mut files = Vec::new();
    for found in rows {
        let name = found.text(0);
        files.push(GameFile {
            game: name.to_owned(),
            place: GameLocation::Database(row(database, name, false)),
            stamp: FileStamp::of_version(found.number(1)),
        });
    }
    Ok(files)
}

/// The first name that is free: that one, or with a number behind it.
fn free(
    database: &Database,
    name: &str,
    gap: &str,
    in_archive: bool,
) -> Result<String, StoreError> {
    let taken = listed(database, in_archive)?;
    let is_free = |name: &String| taken.iter().all(|one| one.name != *name);
    let mut all =
        (2 - u32::from(gap.is_empty())..).map(|number: u32| format!("{name}{gap}{number}"));
    let first = Some(name.to_owned()).filter(|name| !gap.is_empty() && is_free(name));
    Ok(first.or_else(|| all.find(is_free)).unwrap_or_default())
}

impl Storage {
    /// Where the game of that name is, or would be.
    pub fn place(&self, name: &Name) -> GameLocation {
        match self {
            Self::Folder(data) => GameLocation::Folder(name.in_folder(data)),
            Self::Database(database) => GameLocation::Database(row(database, name.as_str(), false)),
        }
    }

    /// The name of the game that a person means by `given`: the game spelled exactly so, else the only game whose name
    /// reads the same. If there is no such game, the name that a new one would have.
    pub fn find(&self, given: &str, reserved: &[&str]) -> Result<Name, StoreError> {
        let name = Name::new(given, reserved)?;

        // An older version may have saved a name that a new game could not have.
        let exact = Name::of_game(given).ok().filter(|exact| self.has(exact));
        if let Some(exact) = exact {
            return Ok(exact);
        }
        if self.has(&name) {
            return Ok(name);
        }

        match self.same_names(&name).as_slice() {
            [only] => Name::of_game(only),
            _ => Ok(name),
        }
    }

    /// The name for a game that is created, or that is called `before` now. If another game's name reads the same, it
    /// is that game's name, so that the two cannot stand beside each other.
    pub fn new_name(
        &self,
        given: &str,
        before: Option<&str>,
        reserved: &[&str],
    ) -> Result<Name, StoreError> {
        let name = Name::new(given, reserved)?;
        let others = self.same_names(&name).into_iter();
        let mut others = others.filter(|other| Some(other.as_str()) != before);
        match others.next() {
            Some(other) => Name::of_game(&other),
            None => Ok(name),
        }
    }

    /// The names of the games that read the same as this name.
    fn same_names(&self, name: &Name) -> Vec<String> {
        // Where the games cannot be listed, opening the game says why.
        let games = self.games().unwrap_or_default().into_iter();
        let games = games.filter(|game| is_same_name(&game.name, name.as_str()));
        games.map(|game| game.name).collect()
    }

    /// Where the files of the house are that belong to no game: who may begin one, its host key.
    pub fn host_files(&self) -> GameLocation {
        match self {
            Self::Folder(data) => GameLocation::Folder(data.clone()),
            Self::Database(_) => self.place(&Name::host_game()),
        }
    }

    /// Whether something of that name is there already.
    pub fn has(&self, name: &Name) -> bool {
        match self {
            Self::Folder(data) => fs::symlink_metadata(name.in_folder(data)).is_ok(),
            Self::Database(_) => self.place(name).exists(),
        }
    }

    /// How messages name it.
    pub fn display_path(&self) -> PathBuf {
        match self {
            Self::Folder(data) => data.clone(),
            Self::Database(database) => database.display_path(),
        }
    }

    /// The sessions, the last played first.
    pub fn games(&self) -> Result<Vec<SavedGame>, StoreError> {
        match self {
            Self::Folder(data) => folder::sessions(data),
            Self::Database(database) => listed(database, false),
        }
    }

    /// The file of that name beside each game, for a look at what changed. Games without such a file are left out.
    pub fn files_beside_games(&self, file: &str) -> Result<Vec<GameFile>, StoreError> {
        match self {
            Self::Folder(data) => folder::beside_games(data, file),
            Self::Database(database) => beside_games(database, file),
        }
    }

    /// The sessions in the archive, the last played first.
    pub fn archived_games(&self) -> Result<Vec<SavedGame>, StoreError> {
        match self {
            Self::Folder(data) => archive::archived(data),
            Self::Database(database) => listed(database, true),
        }
    }

    /// The place for a game that has no name yet: the first free `unsaved-N`.
    pub fn unsaved(&self) -> Result<GameLocation, StoreError> {
        match self {
            Self::Folder(data) => Ok(GameLocation::Folder(folder::unsaved(data))),
            Self::Database(database) => {
                let name = free(database, "unsaved-", "", false)?;
                Ok(GameLocation::Database(row(database, &name, false)))
            }
        }
    }

    /// Gives a session another name; in a folder one that nobody has open.
    pub fn rename(&self, from: &Name, to: &Name, at: DateTime<Utc>) -> Result<(), StoreError> {
        match self {
            Self::Folder(data) => archive::carry(&from.in_folder(data), &to.in_folder(data), at),
            Self::Database(all) => {
                database_game::rename(&row(all, from.as_str(), false), to.as_str(), false)
            }
        }
    }

    /// Puts a session into the archive, under the first free name that begins with its own; returns that.
    pub fn archive(&self, name: &Name, at: DateTime<Utc>) -> Result<String, StoreError> {
        match self {
            Self::Folder(data) => archive::archive(data, name, at),
            Self::Database(all) => {
                let to = free(all, name.as_str(), " ", true)?;
                database_game::rename(&row(all, name.as_str(), false), &to, true)?;
                Ok(to)
            }
        }
    }

    /// Takes a session out of the archive.
    pub fn restore(&self, name: &Name, at: DateTime<Utc>) -> Result<(), StoreError> {
        if let Some(other) = self.same_names(name).first() {
            let other = self.place(&Name::of_game(other)?);
            return Err(StoreError::Exists(other.display_path()));
        }
        match self {
            Self::Folder(data) => {
                let from = archive::archive_in(data)?.join(name.as_str());
                archive::carry(&from, &name.in_folder(data), at)
            }
            Self::Database(all) => {
                database_game::rename(&row(all, name.as_str(), true), name.as_str(), false)
            }
        }
    }

    /// Makes another session like that one, history and all; also while it is open.
    pub fn duplicate(&self, from: &Name, to: &Name, at: DateTime<Utc>) -> Result<(), StoreError> {
        let refused = |error| StoreError::io("copy into", &self.display_path(), error);
        let between = match self {
            Self::Folder(data) => tempfile::tempfile_in(data),
            Self::Database(_) => tempfile::tempfile(),
        };
        let mut between = between.map_err(refused)?;
        bundle::export(&self.place(from), (to.as_str(), false), at, &mut between)?;
        between.rewind().map_err(refused)?;
        self.import(&mut BufReader::new(between), (Some(to), false), &[])?;
        Ok(())
    }

    /// Makes a session of a bundle, under that name or its own; refuses to overwrite. Nothing is left behind
    /// where it fails. Returns its name, and whether the bundle says who may join, which is left out but with its seats.
    pub fn import(
        &self,
        from: &mut dyn BufRead,
        name: (Option<&Name>, bool),
        reserved: &[&str],
    ) -> Result<(Name, bool), StoreError> {
        let place = |name: &Name| {
            let taken = self.new_name(name.as_str(), None, &[]);
            self.place(taken.as_ref().unwrap_or(name))
        };
        bundle::import(from, &place, name, reserved)
    }
}

impl<P: AsRef<Path> + ?Sized> From<&P> for Storage {
    fn from(data: &P) -> Self {
        Self::Folder(data.as_ref().to_path_buf())
    }
}
