//! The folder of one game.

use std::ffi::OsStr;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use chrono::{DateTime, Utc};

use crate::error::{IoContext as _, Result, StoreError};
use crate::folder::archive::move_closed_game;
use crate::folder::create::create_game_folder;
use crate::folder::folder_sidecar::FolderSidecar;
use crate::folder::journal_files::JournalFiles;
use crate::folder::open_game::{self, FolderGame};
use crate::folder::recover::recover;
use crate::folder::snapshot_names::{NEWEST, has_game};
use crate::folder::{disk, exists};
use crate::game_index::GameStamp;
use crate::game_location::{FillGame, GameLocation, LocationBackend};
use crate::game_name::{FORMER_HOST_GAME, Name};
use crate::game_store::{Opened, Options};
use crate::journal::reader::{JournalSource, Reader};
use crate::sidecar::SidecarFile;
use crate::snapshot::Snapshot;

/// The folder of a game. It may not exist yet.
#[derive(Debug)]
pub(crate) struct GameFolder {
    path: PathBuf,
    /// The folder of the host's own game in the first edition. `None` for other games.
    former_path: Option<PathBuf>,
}

impl GameFolder {
    pub(crate) fn new(path: &Path) -> Self {
        let host_game = Name::host_game();
        let is_host_game = path.file_name() == Some(OsStr::new(host_game.as_str()));
        let former_path = if is_host_game {
            Some(path.with_file_name(FORMER_HOST_GAME))
        } else {
            None
        };

        Self {
            path: path.to_path_buf(),
            former_path,
        }
    }

    /// Returns the folder that contains the game now. This is the former folder until it has been renamed.
    fn path(&self) -> &Path {
        if let Some(former_path) = &self.former_path
            && !exists(&self.path)
            && has_game(former_path)
        {
            former_path
        } else {
            &self.path
        }
    }

    /// Renames the folder if it has its former name. Fails if another process has the game open.
    fn rename_former_folder(&self, at: DateTime<Utc>) -> Result<()> {
        let current_path = self.path();
        if current_path == self.path {
            return Ok(());
        }

        match move_closed_game(current_path, &self.path, at) {
            // Another process has renamed the folder in the meantime.
            Err(_) if exists(&self.path) => Ok(()),
            result => result,
        }
    }
}

impl LocationBackend for GameFolder {
    fn name(&self) -> String {
        let name = self.path.file_name().unwrap_or_default();
        if name == FORMER_HOST_GAME {
            return Name::host_game().to_string();
        }
        name.to_string_lossy().into_owned()
    }

    fn exists(&self) -> bool {
        NEWEST.find(self.path()).exists()
    }

    fn last_saved(&self) -> Option<SystemTime> {
        let snapshot = NEWEST.find(self.path());
        let metadata = fs::symlink_metadata(snapshot).ok()?;
        metadata.modified().ok()
    }

    fn display_path(&self) -> PathBuf {
        self.path().to_path_buf()
    }

    fn open(&self, options: &Options) -> Result<Opened> {
        if options.view {
            open_game::open_view(self.path(), options)
        } else {
            self.rename_former_folder(options.at)?;
            let parts = open_game::open_to_play(self.path(), options)?;
            Ok(parts.into_opened())
        }
    }

    fn create(&self, options: &Options, fill: &mut FillGame<'_>) -> Result<Opened> {
        let mut names = Vec::new();
        create_game_folder(self.path(), |temporary| {
            fill(&mut |name, text| {
                names.push(name.to_owned());
                write_unsynced(&temporary.join(name), text)
            })
        })?;

        let parts = open_game::open_to_play(self.path(), options)?;
        sync_new_game(&parts.store, &names);
        Ok(parts.into_opened())
    }

    fn import(&self, fill: &mut FillGame<'_>) -> Result<()> {
        create_game_folder(self.path(), |temporary| {
            fill(&mut |name, text| {
                let path = temporary.join(name);
                let written = disk::write_file(&path, text.as_bytes());
                written.io_context("write", &path)
            })?;
            check_imported(temporary)
        })?;

        // The files are on the disk. If the entry in the data folder cannot be synced, only a power cut in the next
        // seconds could remove the game, and the exported file still exists.
        let data_folder = self.path.parent().unwrap_or(&self.path);
        if let Ok(folder) = fs::File::open(data_folder) {
            let _synced = folder.sync_all();
        }
        Ok(())
    }

    fn read_snapshot(&self) -> Result<Vec<u8>> {
        let game = self.path();
        if !has_game(game) {
            return Err(StoreError::Missing(game.to_path_buf()));
        }

        let file = NEWEST.read_file(game)?;
        Ok(file.bytes)
    }

    fn check_history(&self, snapshot: &Snapshot) -> Result<u64> {
        let recovered = recover(self.path(), snapshot, &Options::check())?;
        if let Some(mismatch) = recovered.mismatch {
            return Err(StoreError::Mismatched(Box::new(mismatch)));
        }
        if let Some(damage) = recovered.damage {
            return Err(StoreError::Damaged(damage));
        }
        if recovered.is_snapshot_stale {
            return Err(StoreError::Torn(self.path().to_path_buf()));
        }
        Ok(recovered.end.n)
    }

    fn journal(&self) -> Arc<dyn JournalSource> {
        Arc::new(JournalFiles::new(self.path()))
    }

    fn sidecar_names(&self) -> Result<Vec<String>> {
        let path = self.path();
        let entries = fs::read_dir(path).io_context("read", path)?;
        let mut names = Vec::new();
        for entry in entries.flatten() {
            if let Ok(name) = entry.file_name().into_string() {
                names.push(name);
            }
        }
        Ok(names)
    }

    fn sidecar(&self, name: &str) -> Arc<dyn SidecarFile> {
        let path = self.path().join(name);
        Arc::new(FolderSidecar::new(path))
    }

    fn folder(&self) -> Option<&Path> {
        Some(self.path())
    }

    fn stamp(&self) -> Option<GameStamp> {
        GameStamp::read(self.path())
    }

    fn has_stamp(&self, stamp: &GameStamp) -> bool {
        stamp.is_current(self.path())
    }
}

/// Writes a file of a new game. The saving thread syncs the file later.
fn write_unsynced(path: &Path, text: &str) -> Result<()> {
    let write = || -> std::io::Result<()> {
        let mut file = disk::create_file(path)?;
        file.write_all(text.as_bytes())
    };
    write().io_context("make", path)
}

/// Requests a sync of the files of a new game: first its entry in the data folder, then its files and folders.
fn sync_new_game(game: &FolderGame, names: &[String]) {
    let writer = game.writer();
    let mut state = writer.state();
    state.sync_later("..");
    for name in names {
        state.sync_later(name);
    }
    state.sync_later("journal");
    state.sync_later("");
    writer.wake();
}

/// Checks an imported game completely, in its temporary folder.
fn check_imported(temporary: &Path) -> Result<()> {
    let opened = open_game::open_view(temporary, &Options::check())?;

    // The temporary folder no longer exists when the error is shown, so the paths in it are made relative.
    let relative = |path: &Path| match path.strip_prefix(temporary) {
        Ok(relative) => relative.to_path_buf(),
        Err(_) => path.to_path_buf(),
    };

    // A snapshot of an older version has no checksums, and the journal may lack events. The import accepts such a game;
    // the program asks the user when it opens the game.
    if let Some(mut mismatch) = opened.mismatch
        && opened.snapshot.checksums.is_some()
    {
        mismatch.snapshot = relative(&mismatch.snapshot);
        mismatch.journal = relative(&mismatch.journal);
        return Err(StoreError::Mismatched(Box::new(mismatch)));
    }

    let mut first_damage = opened.damage;
    let reader = Reader::new(GameLocation::from(temporary));
    for block in reader.iter_all()? {
        let damage = block?.first_damage();
        first_damage = first_damage.or(damage);
    }
    match first_damage {
        None => Ok(()),
        Some(mut damage) => {
            damage.file = relative(&damage.file);
            Err(StoreError::Damaged(damage))
        }
    }
}
