//! What is done with whole sessions while nobody plays them: renamed, put into the archive and
//! taken out again.

use std::fs;
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};

use super::StoreError;
use super::disk;
use super::folder::{self, Name, SavedGame, sessions};
use super::game_location::GameLocation;
use super::lock::Lock;
use super::snapshot;

/// The archive's name under the data folder.
const ARCHIVE: &str = "archive";

/// The archive of a data folder.
pub(super) fn archive_in(data: &Path) -> Result<PathBuf, StoreError> {
    let archive = data.join(ARCHIVE);
    if fs::symlink_metadata(archive.join(snapshot::FILE)).is_ok() {
        // Somebody's session has that name, and no archive may grow in it.
        return Err(StoreError::Exists(archive));
    }
    Ok(archive)
}

/// The sessions in the archive, the last played first.
pub(super) fn archived(data: &Path) -> Result<Vec<SavedGame>, StoreError> {
    archive_in(data).map_or_else(|_| Ok(Vec::new()), |archive| sessions(&archive))
}

/// Moves a session that nobody has open.
pub(super) fn carry(from: &Path, to: &Path, at: DateTime<Utc>) -> Result<(), StoreError> {
    if fs::symlink_metadata(from.join(snapshot::FILE)).is_err() {
        return Err(StoreError::Missing(from.to_path_buf()));
    }
    let _held = Lock::take(from, at)?;
    folder::rename(from, to)
}

/// Puts a session into the archive, under the first free name that begins with its own; returns that.
pub(super) fn archive(data: &Path, name: &Name, at: DateTime<Utc>) -> Result<String, StoreError> {
    let archive = archive_in(data)?;
    folder::make_data(&archive)?;
    let to = disk::free_path(&archive.join(name.as_str()), " ");
    carry(&name.in_folder(data), &to, at)?;
    Ok(GameLocation::Folder(to).name())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Options, Storage, Store};

    fn noon() -> DateTime<Utc> {
        "2026-11-20T12:00:00Z".parse().unwrap()
    }

    fn name(name: &str) -> Name {
        Name::new(name, &[]).unwrap()
    }

    fn make(data: &Path, called: &str) -> Store {
        let folder = name(called).in_folder(data);
        let none: &[crate::NewEvent<'_, &str>] = &[];
        Store::create(&folder, &Options::new(noon()), "x = 1\n", none)
            .unwrap()
            .store
    }

    fn names(listed: Vec<SavedGame>) -> Vec<String> {
        let mut names: Vec<String> = listed.into_iter().map(|one| one.name).collect();
        names.sort();
        names
    }

    #[test]
    fn a_session_goes_into_the_archive_and_comes_back() {
        let home = tempfile::tempdir().unwrap();
        let data = home.path();
        drop(make(data, "friday"));
        archive(data, &name("friday"), noon()).unwrap();
        assert_eq!(names(sessions(data).unwrap()), Vec::<String>::new());
        drop(make(data, "friday"));
        archive(data, &name("friday"), noon()).unwrap();
        assert_eq!(names(archived(data).unwrap()), ["friday", "friday 2"]);
        let storage = Storage::from(data);
        storage.restore(&name("friday 2"), noon()).unwrap();
        assert_eq!(names(sessions(data).unwrap()), ["friday 2"]);
    }

    #[test]
    fn one_that_is_open_stays_where_it_is() {
        let home = tempfile::tempdir().unwrap();
        let data = home.path();
        let open = make(data, "friday");
        let held = archive(data, &name("friday"), noon()).unwrap_err();
        assert!(matches!(held, StoreError::Held { .. }), "{held}");
        let storage = Storage::from(data);
        let held = storage.rename(&name("friday"), &name("saturday"), noon());
        assert!(matches!(held, Err(StoreError::Held { .. })));
        let copied = storage.duplicate(&name("friday"), &name("saturday"), noon());
        copied.unwrap();
        drop(open);
        let taken = storage.rename(&name("friday"), &name("saturday"), noon());
        assert!(matches!(taken, Err(StoreError::Exists { .. })));
        let renamed = storage.rename(&name("friday"), &name("sunday"), noon());
        renamed.unwrap();
        assert_eq!(names(sessions(data).unwrap()), ["saturday", "sunday"]);
    }
}
