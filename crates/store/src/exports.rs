//! The folder for exported logs in a data folder.

use std::io::Write;
use std::path::PathBuf;

use crate::error::{Result, StoreError};
use crate::folder::create_folder_for_exports;
use crate::output_file::write_file;
use crate::storage::Storage;

/// The maximum number of exports with the same name. A number at the end distinguishes them.
const MOST_OF_ONE_NAME: u32 = 10_000;

impl Storage {
    /// Writes a file into the folder for exports, and returns its path. Never replaces a file: if the name is in use,
    /// the new file gets the name with a number. Fails for a database, which has no such folder.
    pub fn write_export(
        &self,
        name: &str,
        extension: &str,
        mut write: impl FnMut(&mut dyn Write) -> Result<()>,
    ) -> Result<PathBuf> {
        let Some(data) = self.folder() else {
            return Err(StoreError::Unwritable {
                what: "the file",
                why: "a game in a database has no folder for exports; type the path of a file"
                    .to_owned(),
            });
        };
        let folder = create_folder_for_exports(data)?;

        let mut path = folder.join(format!("{name}.{extension}"));
        for number in 2..=MOST_OF_ONE_NAME {
            match write_file(&path, false, &mut write) {
                Err(StoreError::Exists(_)) => {
                    path = folder.join(format!("{name}-{number}.{extension}"));
                }
                written => return written.map(|()| path),
            }
        }
        Err(StoreError::Exists(path))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn write_export(storage: &Storage, text: &str) -> Result<PathBuf> {
        storage.write_export("friday-log", "md", |file| {
            file.write_all(text.as_bytes()).unwrap();
            Ok(())
        })
    }

    #[test]
    fn an_export_never_replaces_another_one() {
        let data = tempfile::tempdir().unwrap();
        let storage = Storage::from(data.path());
        let first = write_export(&storage, "first").unwrap();
        let second = write_export(&storage, "second").unwrap();
        assert_eq!(first, data.path().join("exports/friday-log.md"));
        assert_eq!(second, data.path().join("exports/friday-log-2.md"));
        assert_eq!(fs::read_to_string(first).unwrap(), "first");
        assert_eq!(fs::read_to_string(second).unwrap(), "second");
    }

    #[test]
    fn a_game_of_the_folders_name_gets_no_exports() {
        let data = tempfile::tempdir().unwrap();
        let game = data.path().join("exports");
        fs::create_dir(&game).unwrap();
        fs::write(game.join("game.toml"), "").unwrap();
        let storage = Storage::from(data.path());
        assert!(matches!(
            write_export(&storage, "log"),
            Err(StoreError::Exists(_))
        ));
        assert_eq!(fs::read_dir(&game).unwrap().count(), 1);
    }
}
