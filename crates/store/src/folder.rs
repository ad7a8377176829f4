//! Games in a data folder. Each game has its own folder with these files:
//!
//! | file | contents |
//! |---|---|
//! | `game.toml` | the newest snapshot; `game.toml.before` is the one before it |
//! | `journal/000001.jsonl`, … | all events |
//! | `lock` | locked while a process can write to the game, and names that process |
//! | `access.toml` and others | see [`Sidecar`](crate::Sidecar) |
//!
//! In the first edition, the snapshots had other names. `snapshot_names` converts them.

mod archive;
mod create;
mod disk;
mod folder_sidecar;
mod game_folder;
mod journal_files;
mod lock;
mod open_game;
mod recover;
mod snapshot_names;
mod snapshot_writer;
mod writer;

use std::fs::{self, DirBuilder, File, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};

use crate::error::{IoContext as _, Result, StoreError};
use crate::game_location::GameLocation;
use crate::game_name::Name;
use crate::sidecar::Sidecar;
use crate::storage::{GameFile, SavedGame, StorageBackend};

pub(crate) use game_folder::GameFolder;
pub(crate) use snapshot_names::NEWEST;
use snapshot_names::has_game;

/// The mode of all folders: only the owner can enter them.
const FOLDER_MODE: u32 = 0o700;

/// The name of the folder for exports in the data folder.
const EXPORTS: &str = "exports";

/// A folder that contains the folders of games.
#[derive(Debug)]
pub(crate) struct DataFolder {
    path: PathBuf,
}

impl DataFolder {
    pub(crate) fn new(path: &Path) -> Self {
        Self {
            path: path.to_path_buf(),
        }
    }
}

impl StorageBackend for DataFolder {
    fn location(&self, name: &Name) -> GameLocation {
        GameLocation::from(&name.in_folder(&self.path))
    }

    fn archived_location(&self, name: &Name) -> Result<GameLocation> {
        let archive = archive::archive_folder(&self.path)?;
        Ok(GameLocation::from(&name.in_folder(&archive)))
    }

    fn host_files(&self) -> GameLocation {
        GameLocation::from(&self.path)
    }

    fn has(&self, name: &Name) -> bool {
        exists(&name.in_folder(&self.path))
    }

    fn display_path(&self) -> PathBuf {
        self.path.clone()
    }

    fn games(&self) -> Result<Vec<SavedGame>> {
        list_games(&self.path)
    }

    fn archived_games(&self) -> Result<Vec<SavedGame>> {
        archive::list_archive(&self.path)
    }

    fn files_beside_games(&self, file: &str) -> Result<Vec<GameFile>> {
        let mut files = Vec::new();
        for (game, folder) in named_entries(&self.path)? {
            let location = GameLocation::from(&folder);
            let sidecar = Sidecar::new(&location, file);
            if let Some(stamp) = sidecar.stamp() {
                files.push(GameFile {
                    game,
                    location,
                    stamp,
                });
            }
        }
        Ok(files)
    }

    fn unsaved_location(&self) -> Result<GameLocation> {
        for number in 1..=u32::MAX {
            let folder = self.path.join(format!("unsaved-{number}"));
            if !exists(&folder) {
                return Ok(GameLocation::from(&folder));
            }
        }
        Ok(GameLocation::from(&self.path.join("unsaved")))
    }

    fn rename(&self, from: &Name, to: &Name, at: DateTime<Utc>) -> Result<()> {
        let old_folder = from.in_folder(&self.path);
        let new_folder = to.in_folder(&self.path);
        archive::move_closed_game(&old_folder, &new_folder, at)
    }

    fn archive(&self, name: &Name, at: DateTime<Utc>) -> Result<String> {
        archive::archive_game(&self.path, name, at)
    }

    fn restore(&self, name: &Name, at: DateTime<Utc>) -> Result<()> {
        let archive = archive::archive_folder(&self.path)?;
        let archived_folder = name.in_folder(&archive);
        let folder = name.in_folder(&self.path);
        archive::move_closed_game(&archived_folder, &folder, at)
    }

    fn folder(&self) -> Option<&Path> {
        Some(&self.path)
    }

    fn temporary_file(&self) -> io::Result<File> {
        tempfile::tempfile_in(&self.path)
    }
}

/// Lists the games in a folder, the last saved first. Returns an empty list if the folder is missing.
fn list_games(folder: &Path) -> Result<Vec<SavedGame>> {
    let mut games = Vec::new();
    for (name, path) in named_entries(folder)? {
        let snapshot = NEWEST.find(&path);
        if let Ok(metadata) = fs::symlink_metadata(snapshot)
            && let Ok(last_saved) = metadata.modified()
        {
            games.push(SavedGame {
                name,
                location: GameLocation::from(&path),
                last_saved,
            });
        }
    }

    games.sort_by(|a, b| {
        b.last_saved
            .cmp(&a.last_saved)
            .then_with(|| a.name.cmp(&b.name))
    });
    Ok(games)
}

/// Lists the entries of a folder whose names are valid names of games. Other entries are skipped, because no command
/// can open them.
fn named_entries(folder: &Path) -> Result<Vec<(String, PathBuf)>> {
    let mut named = Vec::new();
    for entry in read_entries(folder)? {
        let Ok(name) = entry.file_name().into_string() else {
            continue;
        };
        if Name::of_game(&name).is_ok() {
            named.push((name, entry.path()));
        }
    }
    Ok(named)
}

/// Lists the entries of a folder. Returns an empty list if the folder is missing.
pub(crate) fn read_entries(folder: &Path) -> Result<Vec<fs::DirEntry>> {
    let entries = fs::read_dir(folder).and_then(Iterator::collect);
    match entries {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        _ => entries.io_context("read", folder),
    }
}

/// Returns true if a file, a folder or a symbolic link has this path, even if the link is broken.
fn exists(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}

/// Creates a data folder and the folders above it, if they are missing.
fn create_data_folder(data: &Path) -> Result<()> {
    DirBuilder::new()
        .recursive(true)
        .mode(FOLDER_MODE)
        .create(data)
        .io_context("make", data)
}

/// Creates the folder for exports in a data folder, if it is missing.
pub(crate) fn create_folder_for_exports(data: &Path) -> Result<PathBuf> {
    let exports = data.join(EXPORTS);

    // If a game has this name, exports must not be written into its folder.
    if has_game(&exports) {
        return Err(StoreError::Exists(exports));
    }
    create_data_folder(&exports)?;
    Ok(exports)
}

/// Creates a folder that only its owner can enter, whatever the umask is.
fn create_private_folder(path: &Path) -> io::Result<()> {
    DirBuilder::new().mode(FOLDER_MODE).create(path)?;
    make_private(path)
}

/// Creates a private folder if it is missing. Returns true if it was missing.
fn create_missing_folder(path: &Path) -> io::Result<bool> {
    match create_private_folder(path) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(error),
    }
}

fn make_private(folder: &Path) -> io::Result<()> {
    fs::set_permissions(folder, Permissions::from_mode(FOLDER_MODE))
}

/// Renames the folder of a game to a name that is not in use.
fn rename_folder(from: &Path, to: &Path) -> Result<()> {
    // The system call would replace an empty folder without an error.
    if exists(to) {
        return Err(StoreError::Exists(to.to_path_buf()));
    }
    fs::rename(from, to).io_context("rename", from)
}
