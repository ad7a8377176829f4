//! The file itself: read anew when somebody changed it, written whole, by one process at a time.

use std::path::Path;
use std::sync::Arc;

use parking_lot::Mutex;
use serde::Serialize;
use toml_edit::DocumentMut;

use super::{Access, AccessError, SeatEntry};
use crate::store::{FileStamp, Sidecar};

const NAME: &str = "access.toml";

/// What a new file begins with.
const PREAMBLE: &str = "\
# Who may join this game over SSH. You may edit it, also while the game is open: what it says counts within
# a second. `tableside invite`, the invitations on the screen and remembered keys rewrite the seats, and each
# gets an `id`, by which it keeps what is its own. A seat plays its `characters`, and those whose player has
# its name. Roles: gm, player, watcher. Whoever sits on a seat that is taken out or gets another role leaves.

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
    access: Arc<Access>,
    /// Why it could not be read since.
    problem: Option<String>,
}

impl Known {
    fn new(stamp: Option<FileStamp>, access: Access) -> Self {
        Self {
            stamp,
            access: Arc::new(access),
            problem: None,
        }
    }
}

#[derive(Serialize)]
struct Seats<'a> {
    seat: &'a [SeatEntry],
}

impl AccessFile {
    /// Reads it, or makes it with everything as it comes.
    pub(in crate::server) fn open(folder: &Path) -> Result<Self, AccessError> {
        let file = Sidecar::new(folder, NAME);
        let _lock = Sidecar::new(folder, "access.lock").lock()?;
        if file.read()?.is_none() {
            let text = toml::to_string(&Access::default()).unwrap_or_default();
            file.create(&format!("{PREAMBLE}{text}"))?;
        }
        let mut access = read(&file)?;
        if access.number() {
            write(&file, &access)?;
        }
        let last = Mutex::new(Known::new(file.stamp(), access));
        Ok(Self { last })
    }

    /// Reads it where it is another than before; true if it was. Where it was edited into something
    /// unreadable, what it said before counts on.
    pub(in crate::server) fn look(&self, folder: &Path) -> bool {
        let file = Sidecar::new(folder, NAME);
        let stamp = file.stamp();
        let is_other = stamp.is_some() && stamp != self.last.lock().stamp;
        if is_other {
            // It is read without keeping anybody from what it said before.
            match read(&file) {
                Ok(mut access) => {
                    let is_numbered = !access.number();
                    // Where new ids cannot be written, they hold until the table closes.
                    if is_numbered || self.change(folder, |_| Ok(())).is_err() {
                        *self.last.lock() = Known::new(stamp, access);
                    }
                }
                Err(error) => {
                    let mut last = self.last.lock();
                    last.stamp = stamp;
                    last.problem = Some(error.to_string());
                }
            }
        }
        is_other
    }

    /// What it said when it was read last.
    pub(in crate::server) fn known(&self) -> Arc<Access> {
        Arc::clone(&self.last.lock().access)
    }

    /// Why what it says now does not count, if it does not.
    pub(in crate::server) fn problem(&self) -> Option<String> {
        self.last.lock().problem.clone()
    }

    /// Changes the seats, whoever else changes them at the same time.
    pub(in crate::server) fn change<T>(
        &self,
        folder: &Path,
        change: impl FnOnce(&mut Access) -> Result<T, AccessError>,
    ) -> Result<T, AccessError> {
        let file = Sidecar::new(folder, NAME);
        let _lock = Sidecar::new(folder, "access.lock").lock()?;
        let mut access = read(&file)?;
        access.number();
        let answer = change(&mut access)?;
        write(&file, &access)?;
        *self.last.lock() = Known::new(file.stamp(), access);
        Ok(answer)
    }
}

/// Puts these seats in the place of those in the file; all else in it stays.
fn write(file: &Sidecar, access: &Access) -> Result<(), AccessError> {
    let wrong = |problem: String| wrong(file, problem);
    let text = file.read()?.unwrap_or_default();
    let mut document: DocumentMut = text
        .parse()
        .map_err(|error: toml_edit::TomlError| wrong(error.to_string()))?;
    document.remove("seat");
    // The seats go to the end, wherever they stood, before what is said last.
    let last_words = document.trailing().as_str().unwrap_or_default().to_owned();
    document.set_trailing("");
    let mut text = document.to_string();
    if !access.seats.is_empty() {
        let seats = Seats {
            seat: &access.seats,
        };
        let seats = toml::to_string(&seats).map_err(|error| wrong(error.to_string()))?;
        text = format!("{text}\n{seats}");
    }
    Ok(file.replace(&(text + &last_words))?)
}

fn wrong(file: &Sidecar, problem: String) -> AccessError {
    AccessError::Wrong {
        path: file.path().display().to_string(),
        problem,
    }
}

fn read(file: &Sidecar) -> Result<Access, AccessError> {
    let wrong = |problem: String| wrong(file, problem);
    if let Some(path) = file.may_be_changed_by_others() {
        let path = path.display();
        return Err(wrong(format!(
            "others may change who joins this game; `chmod go-w {path}` keeps that to yourself"
        )));
    }
    let text = file.read()?.unwrap_or_default();
    let access: Access = toml::from_str(&text).map_err(|error| wrong(error.to_string()))?;
    access.check().map_err(wrong)?;
    Ok(access)
}
