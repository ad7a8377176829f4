//! Moves games that are not open, and manages the archive of a data folder.

use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};

use crate::error::{Result, StoreError};
use crate::folder::disk;
use crate::folder::lock::Lock;
use crate::folder::snapshot_names::has_game;
use crate::folder::{create_data_folder, list_games, rename_folder};
use crate::game_location::GameLocation;
use crate::game_name::Name;
use crate::storage::SavedGame;

/// The name of the archive in the data folder.
const ARCHIVE: &str = "archive";

/// Returns the folder of the archive.
pub(super) fn archive_folder(data: &Path) -> Result<PathBuf> {
    let archive = data.join(ARCHIVE);

    // A game of an older version may have this name. The archive must not be in its folder.
    if has_game(&archive) {
        return Err(StoreError::Exists(archive));
    }
    Ok(archive)
}

/// Lists the archived games, the last saved first.
pub(super) fn list_archive(data: &Path) -> Result<Vec<SavedGame>> {
    match archive_folder(data) {
        Ok(archive) => list_games(&archive),
        Err(_) => Ok(Vec::new()),
    }
}

/// Moves a game to another folder. Fails if a process has it open.
pub(super) fn move_closed_game(from: &Path, to: &Path, at: DateTime<Utc>) -> Result<()> {
    if !has_game(from) {
        return Err(StoreError::Missing(from.to_path_buf()));
    }

    let _lock = Lock::acquire(from, at)?;
    rename_folder(from, to)
}

/// Moves a game into the archive. Returns its name there: its own name, or the first free name that begins with it.
pub(super) fn archive_game(data: &Path, name: &Name, at: DateTime<Utc>) -> Result<String> {
    let archive = archive_folder(data)?;
    create_data_folder(&archive)?;

    let wanted_folder = name.in_folder(&archive);
    let free_folder = disk::free_path(&wanted_folder, " ");
    move_closed_game(&name.in_folder(data), &free_folder, at)?;
    Ok(GameLocation::from(&free_folder).name())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::{GameStore, NewEvent, Options, Storage};

    fn noon() -> DateTime<Utc> {
        "2026-11-20T12:00:00Z".parse().unwrap()
    }

    fn name(name: &str) -> Name {
        Name::new(name, &[]).unwrap()
    }

    fn create(storage: &Storage, game: &str) -> Arc<dyn GameStore> {
        let no_events: &[NewEvent<'_, &str>] = &[];
        storage
            .location(&name(game))
            .create(&Options::new(noon()), "x = 1\n", no_events)
            .unwrap()
            .store
    }

    fn names(games: Vec<SavedGame>) -> Vec<String> {
        let mut names: Vec<String> = games.into_iter().map(|game| game.name).collect();
        names.sort();
        names
    }

    #[test]
    fn a_game_goes_into_the_archive_and_comes_back() {
        let data = tempfile::tempdir().unwrap();
        let storage = Storage::from(data.path());
        drop(create(&storage, "friday"));
        assert_eq!(storage.archive(&name("friday"), noon()).unwrap(), "friday");
        assert_eq!(names(storage.games().unwrap()), Vec::<String>::new());

        drop(create(&storage, "friday"));
        assert_eq!(
            storage.archive(&name("friday"), noon()).unwrap(),
            "friday 2"
        );
        assert_eq!(
            names(storage.archived_games().unwrap()),
            ["friday", "friday 2"]
        );

        storage.restore(&name("friday 2"), noon()).unwrap();
        assert_eq!(names(storage.games().unwrap()), ["friday 2"]);
    }

    #[test]
    fn an_open_game_is_neither_archived_nor_renamed_but_can_be_duplicated() {
        let data = tempfile::tempdir().unwrap();
        let storage = Storage::from(data.path());
        let open = create(&storage, "friday");
        let held = storage.archive(&name("friday"), noon()).unwrap_err();
        assert!(matches!(held, StoreError::Held { .. }), "{held}");
        let held = storage.rename(&name("friday"), &name("saturday"), noon());
        assert!(matches!(held, Err(StoreError::Held { .. })));
        storage
            .duplicate(&name("friday"), &name("saturday"), noon())
            .unwrap();

        drop(open);
        let taken = storage.rename(&name("friday"), &name("saturday"), noon());
        assert!(matches!(taken, Err(StoreError::Exists { .. })));
        storage
            .rename(&name("friday"), &name("sunday"), noon())
            .unwrap();
        assert_eq!(names(storage.games().unwrap()), ["saturday", "sunday"]);
    }
}
