//! Files beside a game, which only their owner reads: who may join, the host's key, who came; and those that
//! somebody asked for.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use super::game_location::{GameLocation, GameRow};
use super::{StoreError, disk};
use crate::file::{self, OpenToOthers};

/// The largest such file that is read.
const LARGEST: u64 = 1 << 20;

/// A file beside the game.
#[derive(Debug, Clone)]
pub struct Sidecar {
    /// Where it is, or how messages name it where it is a row of a database.
    path: PathBuf,
    row: Option<(GameRow, String)>,
}

/// What a file was when it was read; another stamp is another content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileStamp {
    inode: u64,
    length: u64,
    changed: (i64, i64),
}

impl FileStamp {
    /// The stamp of a database's row of that version.
    pub(super) fn of_version(version: i64) -> Self {
        Self {
            inode: 0,
            length: 0,
            changed: (version, 0),
        }
    }
}

impl Sidecar {
    /// The file of that name beside the game that is kept there.
    pub fn new(place: &GameLocation, name: &str) -> Self {
        Self {
            path: place.display_path().join(name),
            row: match place {
                GameLocation::Folder(_) => None,
                GameLocation::Database(row) => Some((row.clone(), name.to_owned())),
            },
        }
    }

    /// The names of all files beside the game.
    pub fn names(place: &GameLocation) -> Result<Vec<String>, StoreError> {
        let folder = match place {
            GameLocation::Folder(folder) => folder,
            GameLocation::Database(row) => {
                let names = row.read("select name from file where game = GAME", &[])?;
                return Ok(names.iter().map(|row| row.text(0).to_owned()).collect());
            }
        };
        let entries =
            fs::read_dir(folder).map_err(|error| StoreError::io("read", folder, error))?;
        let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        Ok(names.collect())
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Tells one content from another, without reading it; none where there is no file.
    pub fn stamp(&self) -> Option<FileStamp> {
        if let Some((row, name)) = &self.row {
            let version = "select version::text from file where game = GAME and name = $3";
            let found = row.read(version, &[name]).ok()?;
            return found
                .first()
                .map(|found| FileStamp::of_version(found.number(0)));
        }
        let found = fs::symlink_metadata(&self.path).ok();
        let found = found.filter(fs::Metadata::is_file)?;
        Some(FileStamp {
            inode: found.ino(),
            length: found.len(),
            // Also of what is not in it: who may read and write it.
            changed: (found.ctime(), found.ctime_nsec()),
        })
    }

    /// Its text; none where there is no file.
    pub fn read(&self) -> Result<Option<String>, StoreError> {
        if let Some((row, name)) = &self.row {
            let text = "select text from file where game = GAME and name = $3";
            let found = row.read(text, &[name])?;
            return Ok(found.first().map(|found| found.text(0).to_owned()));
        }
        match disk::read_file(&self.path, LARGEST) {
            Ok(bytes) => String::from_utf8(bytes)
                .map(Some)
                .map_err(|error| self.failed("read", io::Error::other(error))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(self.failed("read", error)),
        }
    }

    /// Whether anybody but its owner may read it. A database lets in whom it lets in.
    pub fn is_open_to_others(&self) -> bool {
        self.row.is_none()
            && fs::symlink_metadata(&self.path).is_ok_and(|found| found.mode() & 0o077 != 0)
    }

    /// What lets other users change it. A database lets in whom it lets in.
    pub fn open_to_others(&self) -> Option<OpenToOthers> {
        match self.row {
            Some(_) => None,
            None => file::open_to_others(&self.path),
        }
    }

    /// Makes the file; fails if there is one.
    pub fn create(&self, text: &str) -> Result<(), StoreError> {
        if self.row.is_some() {
            let insert =
                "insert into file (game, name, text) select GAME, $3, $4 on conflict do nothing";
            let made = self.write(insert, &[text])?;
            return if made {
                Ok(())
            } else {
                Err(StoreError::Exists(self.path.clone()))
            };
        }
        write_text(&self.path, false, text)
    }

    /// Puts a text in its place, whole or not at all.
    pub fn replace(&self, text: &str) -> Result<(), StoreError> {
        if self.row.is_some() {
            let put =
                "insert into file (game, name, text) select GAME, $3, $4 on conflict (game, name)
                do update set text = $4, version = nextval('file_version')";
            return self.write(put, &[text]).map(drop);
        }
        write_text(&self.path, true, text)?;
        let folder = self.path.parent().unwrap_or(&self.path);
        let synced = File::open(folder).and_then(|folder| folder.sync_all());
        synced.map_err(|error| self.failed("write", error))
    }

    /// Puts a text in its place if it still has that stamp; returns whether it had. In a folder a lock sees to that.
    pub fn replace_from(&self, stamp: Option<FileStamp>, text: &str) -> Result<bool, StoreError> {
        if self.row.is_none() {
            return self.replace(text).map(|()| true);
        }
        if stamp.is_none() {
            return self.create(text).map(|()| true);
        }
        let update = "update file set text = $4, version = nextval('file_version')
            where game = GAME and name = $3 and version = $5::bigint";
        let version = stamp.map_or(0, |stamp| stamp.changed.0);
        self.write(update, &[text, &version.to_string()])
    }

    /// Changes its row; returns whether that could be.
    fn write(&self, sql: &str, values: &[&str]) -> Result<bool, StoreError> {
        let Some((row, name)) = &self.row else {
            return Ok(false);
        };
        let sql = format!("{sql} returning version::text");
        let values = [&[name.as_str()], values].concat();
        Ok(!row.write(&sql, &values)?.is_empty())
    }

    /// Takes it away, where it is there.
    pub fn remove(&self) {
        if let Some((row, name)) = &self.row {
            let delete = "delete from file where game = GAME and name = $3";
            row.write(delete, &[name]).ok();
            return;
        }
        fs::remove_file(&self.path).unwrap_or_default();
    }

    /// Adds a line; a file that has grown long is put aside first, under its name and `.old`, and in a database its
    /// oldest letters go.
    pub fn append(&self, line: &str) -> Result<(), StoreError> {
        if self.row.is_some() {
            let longest = LARGEST;
            let add = format!(
                "insert into file (game, name, text) select GAME, $3, $4 || chr(10) on conflict (game, name)
                do update set text = right(file.text, {longest}) || excluded.text, version = nextval('file_version')"
            );
            return self.write(&add, &[line]).map(drop);
        }
        if fs::symlink_metadata(&self.path).is_ok_and(|found| found.len() > LARGEST) {
            let mut old = self.path.clone().into_os_string();
            old.push(".old");
            fs::rename(&self.path, old).map_err(|error| self.failed("put aside", error))?;
        }
        let added = disk::open_or_create(&self.path, true)
            .and_then(|mut file| file.write_all(format!("{line}\n").as_bytes()));
        added.map_err(|error| self.failed("write", error))
    }

    /// Keeps other processes from it until the answer is dropped; in a database nobody needs to be, see
    /// [`replace_from`](Self::replace_from).
    pub fn lock(&self) -> Result<Option<File>, StoreError> {
        if self.row.is_some() {
            return Ok(None);
        }
        let file = disk::open_or_create(&self.path, false);
        let file = file.map_err(|error| self.failed("open", error))?;
        file.lock().map_err(|error| self.failed("lock", error))?;
        Ok(Some(file))
    }

    fn failed(&self, what: &'static str, error: io::Error) -> StoreError {
        StoreError::io(what, &self.path, error)
    }
}

/// Writes that text as [`write_file`] does.
pub fn write_text(path: &Path, replace: bool, text: &str) -> Result<(), StoreError> {
    write_file(path, replace, |file| {
        let written = file.write_all(text.as_bytes());
        written.map_err(|error| StoreError::io("write", path, error))
    })
}

/// Writes a file whole or not at all, readable by its owner only; what is there already is replaced only
/// where that is wanted.
pub fn write_file(
    path: &Path,
    replace: bool,
    write: impl FnOnce(&mut dyn Write) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let exists = || StoreError::Exists(path.to_path_buf());
    let refused = |error| StoreError::io("write", path, error);
    let stays = |found: fs::Metadata| !(replace && (found.is_file() || found.is_symlink()));
    if fs::symlink_metadata(path).is_ok_and(stays) {
        return Err(exists());
    }
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let file = tempfile::Builder::new()
        .prefix(".tableside-")
        .tempfile_in(folder);
    let mut file = file.map_err(refused)?;
    let mut writer = BufWriter::new(file.as_file_mut());
    write(&mut writer)?;
    let flushed = writer.flush();
    drop(writer);
    let synced = flushed.and_then(|()| file.as_file().sync_all());
    synced.map_err(refused)?;
    let kept = if replace {
        file.persist(path)
    } else {
        file.persist_noclobber(path)
    };
    match kept {
        Ok(_) => Ok(()),
        Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => Err(exists()),
        Err(error) => Err(refused(error.error)),
    }
}
