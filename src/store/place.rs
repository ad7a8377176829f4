//! Where one game is kept.

use std::path::{Path, PathBuf};

use super::{disk, snapshot};

/// Where a game is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// A folder of its own.
    Folder(PathBuf),
}

impl Place {
    /// The game's name.
    pub fn name(&self) -> String {
        let Self::Folder(folder) = self;
        let name = folder.file_name().unwrap_or_default();
        name.to_string_lossy().into_owned()
    }

    /// Whether a game is kept there.
    pub fn is_there(&self) -> bool {
        let Self::Folder(folder) = self;
        folder.join(snapshot::FILE).exists()
    }

    /// The text of the newest snapshot, whatever is wrong with it.
    pub fn saved_text(&self) -> Option<String> {
        let Self::Folder(folder) = self;
        let bytes = disk::read_file(&folder.join(snapshot::FILE), snapshot::LARGEST).ok()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// The game's folder, where it has one.
    pub fn folder(&self) -> Option<&Path> {
        let Self::Folder(folder) = self;
        Some(folder)
    }

    /// How messages name it, and a file beside the game in front of that file's name.
    pub fn shown(&self) -> PathBuf {
        let Self::Folder(folder) = self;
        folder.clone()
    }
}

impl<P: AsRef<Path> + ?Sized> From<&P> for Place {
    fn from(folder: &P) -> Self {
        Self::Folder(folder.as_ref().to_path_buf())
    }
}

impl From<&Self> for Place {
    fn from(place: &Self) -> Self {
        place.clone()
    }
}
