//! Where games are kept: what is there, and what is done with whole games while nobody plays them.

use std::fs;
use std::io::BufRead;
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};

use super::folder::{self, Name, SavedSession};
use super::place::Place;
use super::{StoreError, archive, bundle};

/// Where games are kept.
#[derive(Debug, Clone)]
pub enum Storage {
    /// The data folder: a folder for each game.
    Folder(PathBuf),
}

impl Storage {
    /// Where the game of that name is, or would be.
    pub fn place(&self, name: &Name) -> Place {
        let Self::Folder(data) = self;
        Place::Folder(name.in_folder(data))
    }

    /// Where the files of the house are that belong to no game: who may begin one, its host key.
    pub fn house_files(&self) -> Place {
        let Self::Folder(data) = self;
        Place::Folder(data.clone())
    }

    /// Whether something of that name is there already.
    pub fn has(&self, name: &Name) -> bool {
        let Self::Folder(data) = self;
        fs::symlink_metadata(name.in_folder(data)).is_ok()
    }

    /// How messages name it.
    pub fn shown(&self) -> PathBuf {
        let Self::Folder(data) = self;
        data.clone()
    }

    /// The sessions, the last played first.
    pub fn sessions(&self) -> Result<Vec<SavedSession>, StoreError> {
        let Self::Folder(data) = self;
        folder::sessions(data)
    }

    /// The sessions in the archive, the last played first.
    pub fn archived(&self) -> Result<Vec<SavedSession>, StoreError> {
        let Self::Folder(data) = self;
        archive::archived(data)
    }

    /// The place for a game that has no name yet: the first free `unsaved-N`.
    pub fn unsaved(&self) -> Result<Place, StoreError> {
        let Self::Folder(data) = self;
        Ok(Place::Folder(folder::unsaved(data)))
    }

    /// Gives a session that nobody has open another name.
    pub fn rename(&self, from: &Name, to: &Name, at: DateTime<Utc>) -> Result<(), StoreError> {
        let Self::Folder(data) = self;
        archive::rename(data, from, to, at)
    }

    /// Puts a session into the archive, under the first free name that begins with its own.
    pub fn archive(&self, name: &Name, at: DateTime<Utc>) -> Result<(), StoreError> {
        let Self::Folder(data) = self;
        archive::archive(data, name, at)
    }

    /// Takes a session out of the archive.
    pub fn restore(&self, name: &Name, at: DateTime<Utc>) -> Result<(), StoreError> {
        let Self::Folder(data) = self;
        archive::restore(data, name, at)
    }

    /// Makes another session like that one, history and all; also while it is open.
    pub fn duplicate(&self, from: &Name, to: &Name, at: DateTime<Utc>) -> Result<(), StoreError> {
        let Self::Folder(data) = self;
        archive::duplicate(data, from, to, at)
    }

    /// Makes a session of a bundle, under that name or its own; refuses to overwrite. Nothing is left behind
    /// where it fails.
    pub fn import(
        &self,
        from: &mut dyn BufRead,
        name: Option<&Name>,
        reserved: &[&str],
    ) -> Result<Name, StoreError> {
        let Self::Folder(data) = self;
        bundle::import(from, data, name, reserved)
    }
}

impl<P: AsRef<Path> + ?Sized> From<&P> for Storage {
    fn from(data: &P) -> Self {
        Self::Folder(data.as_ref().to_path_buf())
    }
}
