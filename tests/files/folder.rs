//! How these tests open a game's folder.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use chrono::{DateTime, Utc};
use tableside::store::{GameLocation, Opened, Options, StoreError};

pub(crate) fn at() -> DateTime<Utc> {
    DateTime::from_timestamp(1_795_201_391, 0).unwrap()
}

pub(crate) fn options() -> Options {
    Options::new(at())
}

pub(crate) fn open(folder: &Path) -> Result<Opened, StoreError> {
    GameLocation::from(folder).open(&options())
}

/// Opens the folder otherwise than usual.
pub(crate) fn open_with(
    folder: &Path,
    change: impl FnOnce(&mut Options),
) -> Result<Opened, StoreError> {
    let mut options = options();
    change(&mut options);
    GameLocation::from(folder).open(&options)
}

/// Opens the folder to look.
pub(crate) fn view(folder: &Path) -> Result<Opened, StoreError> {
    open_with(folder, |options| options.view = true)
}

/// What is in a file of the folder.
pub(crate) fn text(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).unwrap()
}

/// Who may read and write it.
pub(crate) fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}
