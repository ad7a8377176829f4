//! The file itself: read anew when somebody changed it, written whole, by one process at a time.

use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::Serialize;
use toml_edit::{DocumentMut, Item};

use super::{Access, AccessError, Chair};
use crate::store::{Beside, FileStamp};

const NAME: &str = "access.toml";

/// What a new file begins with.
const PREAMBLE: &str = "\
# Who may join this game over SSH. You may edit it, also while the game is open: what it says counts from
# the next login on. `tableside invite`, the invitations on the screen and remembered keys rewrite the seats.
# A seat plays its `characters`, and those whose player has its name. Roles: gm, player, watcher.

";

/// `access.toml` of a session's folder.
#[derive(Debug)]
pub(in crate::server) struct AccessFile {
    last: Mutex<Known>,
}

/// What the file said when it was read last.
#[derive(Debug, Default)]
struct Known {
    stamp: Option<FileStamp>,
    access: Access,
    /// Why it could not be read since.
    problem: Option<String>,
}

#[derive(Serialize)]
struct Seats<'a> {
    seat: &'a [Chair],
}

impl AccessFile {
    /// Reads it, or makes it with everything as it comes.
    pub(in crate::server) fn open(folder: &Path) -> Result<Self, AccessError> {
        let file = Beside::new(folder, NAME);
        let _lock = Beside::new(folder, "access.lock").lock()?;
        if file.read()?.is_none() {
            let text = toml::to_string(&Access::default()).unwrap_or_default();
            file.create(&format!("{PREAMBLE}{text}"))?;
        }
        let mut access = read(&file)?;
        if access.number() {
            write(&file, &access)?;
        }
        let stamp = file.stamp();
        let problem = None;
        Ok(Self {
            last: Mutex::new(Known {
                stamp,
                access,
                problem,
            }),
        })
    }

    fn last(&self) -> MutexGuard<'_, Known> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What it says now. Where it was edited into something unreadable, what it said before counts on.
    pub(in crate::server) fn now(&self, folder: &Path) -> Access {
        let file = Beside::new(folder, NAME);
        let stamp = file.stamp();
        let mut last = self.last();
        if stamp.is_some() && stamp != last.stamp {
            last.stamp = stamp;
            match read(&file) {
                Ok(access) if access.seats.iter().any(|chair| chair.id.is_none()) => {
                    drop(last);
                    let written = self.change(folder, |_| Ok(()));
                    last = self.last();
                    if written.is_err() {
                        // They have their ids until the table closes.
                        last.access = access;
                        last.access.number();
                    }
                }
                Ok(access) => {
                    last.access = access;
                    last.problem = None;
                }
                Err(error) => last.problem = Some(error.to_string()),
            }
        }
        last.access.clone()
    }

    /// Looks at what it said when it was read last.
    pub(in crate::server) fn with<T>(&self, look: impl FnOnce(&Access) -> T) -> T {
        look(&self.last().access)
    }

    /// Why what it says now does not count, if it does not.
    pub(in crate::server) fn problem(&self) -> Option<String> {
        self.last().problem.clone()
    }

    /// Changes the seats, whoever else changes them at the same time.
    pub(in crate::server) fn change<T>(
        &self,
        folder: &Path,
        change: impl FnOnce(&mut Access) -> Result<T, AccessError>,
    ) -> Result<T, AccessError> {
        let file = Beside::new(folder, NAME);
        let _lock = Beside::new(folder, "access.lock").lock()?;
        let mut access = read(&file)?;
        access.number();
        let answer = change(&mut access)?;
        write(&file, &access)?;
        let mut last = self.last();
        last.stamp = file.stamp();
        last.access = access;
        last.problem = None;
        Ok(answer)
    }
}

/// Puts these seats in the place of those in the file; all else in it stays.
fn write(file: &Beside, access: &Access) -> Result<(), AccessError> {
    let wrong = |problem: String| wrong(file, problem);
    let text = file.read()?.unwrap_or_default();
    let mut document: DocumentMut = text
        .parse()
        .map_err(|error: toml_edit::TomlError| wrong(error.to_string()))?;
    let seats = Seats {
        seat: &access.seats,
    };
    let seats = toml::to_string(&seats).map_err(|error| wrong(error.to_string()))?;
    let mut seats: DocumentMut = seats
        .parse()
        .map_err(|error: toml_edit::TomlError| wrong(error.to_string()))?;
    document.remove("seat");
    // An empty list is written as one, and would stand before the tables.
    if let Some(Item::ArrayOfTables(mut list)) = seats.remove("seat") {
        // They go to the end, wherever they stood.
        for (at, table) in list.iter_mut().enumerate() {
            let at = isize::try_from(at).unwrap_or(0);
            table.set_position(Some(100_000 + 10 * at));
            if let Some(Item::Table(invitation)) = table.get_mut("invitation") {
                invitation.set_position(Some(100_001 + 10 * at));
            }
        }
        document.insert("seat", Item::ArrayOfTables(list));
    }
    Ok(file.replace(&document.to_string())?)
}

fn wrong(file: &Beside, problem: String) -> AccessError {
    AccessError::Wrong {
        path: file.path().display().to_string(),
        problem,
    }
}

fn read(file: &Beside) -> Result<Access, AccessError> {
    let wrong = |problem: String| wrong(file, problem);
    let text = file.read()?.unwrap_or_default();
    let access: Access = toml::from_str(&text).map_err(|error| wrong(error.to_string()))?;
    access.check().map_err(wrong)?;
    Ok(access)
}
