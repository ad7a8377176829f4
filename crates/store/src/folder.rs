//! Session folders: their names, where they lie, making, listing and renaming them.

use std::fs::{self, DirBuilder, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::disk::FOLDER_MODE;
use super::error::StoreError;
use super::game_location::GameLocation;
use super::sidecar::{FileStamp, Sidecar};
use tableside_text::{REPLACEMENT, sanitise, sanitise_name};

/// The longest name, in characters.
pub const LONGEST_GAME_NAME: usize = 100;
/// The longest name in bytes; file systems take 255, and a suffix must still fit.
const LONGEST_NAME_BYTES: usize = 240;

/// How the name of a session folder begins that is not filled yet.
const PREFIX: &str = ".new-";

/// The name of a session: one part of a path, and nothing that could be taken for something else.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, derive_more::Display)]
pub struct Name(String);

impl Name {
    /// The name for a new game: composed (NFC), without blanks and invisible characters at its ends. `commands` are
    /// the words that the command line takes for itself.
    pub fn new(name: &str, commands: &[&str]) -> Result<Self, StoreError> {
        Self::checked(name, sanitise_name(name, usize::MAX), commands)
    }

    /// The name of a game that exists, exactly as it is spelled.
    pub fn of_game(name: &str) -> Result<Self, StoreError> {
        Self::checked(name, name.to_owned(), &[])
    }

    fn checked(given: &str, name: String, commands: &[&str]) -> Result<Self, StoreError> {
        let replaced = |text: &str| text.matches(REPLACEMENT).count();
        let has_unfit = replaced(&sanitise(given, usize::MAX)) > replaced(given);
        let rule = if name.trim().is_empty() {
            "it is empty"
        } else if name.contains('/') {
            "it contains `/`"
        } else if given.trim().chars().any(char::is_control) {
            "it contains a control character"
        } else if has_unfit {
            "it contains characters that turn the text around or that are no characters"
        } else if name.starts_with('.') {
            "it begins with `.`"
        } else if name.starts_with('-') {
            "it begins with `-`"
        } else if name.chars().count() > LONGEST_GAME_NAME {
            "it is longer than 100 characters"
        } else if name.len() > LONGEST_NAME_BYTES {
            "it is longer than a file's name may be"
        } else if commands.contains(&name.as_str()) {
            "it is a command of this program"
        } else {
            return Ok(Self(name));
        };
        let name = given.to_owned();
        Err(StoreError::Name { name, rule })
    }

    /// That of the house, whose clocks stand in all games of a data folder; no session can have it.
    pub fn host_game() -> Self {
        Self(".house".to_owned())
    }

    /// The session's folder under a data folder.
    pub fn in_folder(&self, data: &Path) -> PathBuf {
        data.join(&self.0)
    }

    /// The name itself.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A session folder as a listing shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedGame {
    /// The session's name.
    pub name: String,
    /// Where it is kept.
    pub place: GameLocation,
    /// When it was last saved.
    pub played: SystemTime,
}

/// A file beside a game, as a listing of many games finds it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameFile {
    /// The game's name.
    pub game: String,
    /// Where the game is kept.
    pub place: GameLocation,
    /// What the file was when it was listed.
    pub stamp: FileStamp,
}

/// The file of that name in each game's folder.
pub(super) fn beside_games(data: &Path, file: &str) -> Result<Vec<GameFile>, StoreError> {
    let mut files = Vec::new();
    for entry in entries(data)? {
        let name = entry.file_name();
        let Some(name) = name.to_str().filter(|name| Name::new(name, &[]).is_ok()) else {
            continue;
        };
        let place = GameLocation::Folder(entry.path());
        if let Some(stamp) = Sidecar::new(&place, file).stamp() {
            let game = name.to_owned();
            files.push(GameFile { game, place, stamp });
        }
    }
    Ok(files)
}

/// The sessions under a data folder, the last played first; none if the folder is missing.
pub(super) fn sessions(data: &Path) -> Result<Vec<SavedGame>, StoreError> {
    let mut listed = Vec::new();
    for entry in entries(data)? {
        let name = entry.file_name();
        // A name that breaks the rules is not a session that could be opened by name.
        let Some(name) = name.to_str().filter(|name| Name::of_game(name).is_ok()) else {
            continue;
        };
        let path = entry.path();
        if let Ok(metadata) = fs::symlink_metadata(path.join("session.toml"))
            && let Ok(played) = metadata.modified()
        {
            listed.push(SavedGame {
                name: name.to_owned(),
                place: GameLocation::Folder(path),
                played,
            });
        }
    }
    listed.sort_by(|a, b| b.played.cmp(&a.played).then_with(|| a.name.cmp(&b.name)));
    Ok(listed)
}

/// What is in a folder; none where it is missing.
pub(super) fn entries(folder: &Path) -> Result<Vec<fs::DirEntry>, StoreError> {
    match fs::read_dir(folder).and_then(Iterator::collect) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        entries => entries.map_err(|error| StoreError::io("read", folder, error)),
    }
}

/// The folder for a game that has no name yet: the first free `unsaved-N`.
pub(super) fn unsaved(data: &Path) -> PathBuf {
    let mut all = (1_u32..).map(|number| data.join(format!("unsaved-{number}")));
    let free = all.find(|path| fs::symlink_metadata(path).is_err());
    free.unwrap_or_else(|| data.join("unsaved"))
}

/// Makes a session folder whole or not at all: `fill` puts files into it before it has its name.
pub(super) fn make<T>(
    folder: &Path,
    fill: impl FnOnce(&Path) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    if fs::symlink_metadata(folder).is_ok() {
        return Err(StoreError::Exists(folder.to_path_buf()));
    }
    let data = folder.parent().unwrap_or(folder);
    make_data(data)?;
    remove_leftovers(data);
    let refused = |error| StoreError::io("make", folder, error);
    let made = tempfile::Builder::new().prefix(PREFIX).tempdir_in(data);
    let made = made.map_err(refused)?;
    let path = made.path();
    // Nobody takes a locked one for left behind.
    let held = fs::File::open(path).map_err(refused)?;
    held.lock().map_err(refused)?;
    keep_private(path).map_err(refused)?;
    make_private(&path.join("journal")).map_err(refused)?;
    let filled = fill(path)?;
    rename(path, folder)?;
    // It has left for its own name: there is nothing to clean up.
    let _left = made.keep();
    Ok(filled)
}

/// Removes folders that were never filled because the program was ended.
fn remove_leftovers(data: &Path) {
    for entry in fs::read_dir(data).into_iter().flatten().flatten() {
        let is_left = entry.file_name().to_string_lossy().starts_with(PREFIX)
            && entry.file_type().is_ok_and(|kind| kind.is_dir())
            && fs::File::open(entry.path()).is_ok_and(|folder| folder.try_lock().is_ok());
        if is_left {
            // What cannot be removed is in nobody's way.
            fs::remove_dir_all(entry.path()).unwrap_or_default();
        }
    }
}

/// Makes a data folder and those above it where they are missing.
pub(super) fn make_data(data: &Path) -> Result<(), StoreError> {
    DirBuilder::new()
        .recursive(true)
        .mode(FOLDER_MODE)
        .create(data)
        .map_err(|error| StoreError::io("make", data, error))
}

/// Makes a folder that only its owner may enter, whatever the umask.
pub(super) fn make_private(path: &Path) -> io::Result<()> {
    DirBuilder::new().mode(FOLDER_MODE).create(path)?;
    keep_private(path)
}

/// Makes it where it is missing, and says whether it did.
pub(super) fn make_missing(path: &Path) -> io::Result<bool> {
    match make_private(path) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(error),
    }
}

/// Lets only its owner enter a folder.
pub(super) fn keep_private(path: &Path) -> io::Result<()> {
    fs::set_permissions(path, Permissions::from_mode(FOLDER_MODE))
}

/// Moves a session folder to a free name.
pub(super) fn rename(from: &Path, to: &Path) -> Result<(), StoreError> {
    // A rename would silently replace an empty folder.
    if fs::symlink_metadata(to).is_ok() {
        return Err(StoreError::Exists(to.to_path_buf()));
    }
    fs::rename(from, to).map_err(|error| StoreError::io("rename", from, error))
}
