//! Files as they may lie there: a pipe, a device or a folder under a file's name is refused, and never waited
//! for; nothing without an end is read.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

/// The bits of a mode by which a group or everybody may write.
const OTHERS_WRITE: u32 = 0o022;

/// The bit of a folder's mode that allows users to replace only their own files.
const STICKY: u32 = 0o1000;

/// Whether a symbolic link is followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Links {
    /// It leads to the file, as people lay out their own files.
    Follow,
    /// It is refused: a game's own files are real files.
    Refuse,
}

/// Opens a regular file; anything else is refused at once.
pub fn open(path: &Path, options: &mut OpenOptions, links: Links) -> io::Result<File> {
    let no_link = match links {
        Links::Follow => 0,
        Links::Refuse => libc::O_NOFOLLOW,
    };
    // A pipe would be waited for until somebody opens its other end.
    let file = match options.custom_flags(libc::O_NONBLOCK | no_link).open(path) {
        Err(error) if matches!(error.raw_os_error(), Some(libc::ENXIO | libc::EISDIR)) => {
            return Err(no_file());
        }
        file => file?,
    };
    let is_file = file.metadata()?.is_file();
    is_file.then_some(file).ok_or_else(no_file)
}

/// Opens a regular file to read it.
pub fn open_to_read(path: &Path, links: Links) -> io::Result<File> {
    open(path, OpenOptions::new().read(true), links)
}

/// Reads a regular file of at most `limit` bytes.
pub fn read(path: &Path, limit: u64, links: Links) -> io::Result<Vec<u8>> {
    let file = open_to_read(path, links)?;
    let length = usize::try_from(file.metadata()?.len().min(limit)).unwrap_or(0);
    let mut bytes = Vec::with_capacity(length.saturating_add(1));
    // The file may grow while it is read: another process may be writing it.
    if file.take(limit.saturating_add(1)).read_to_end(&mut bytes)? as u64 > limit {
        return Err(io::Error::new(
            io::ErrorKind::FileTooLarge,
            format!("it has more than {limit} bytes, the most that is read"),
        ));
    }
    Ok(bytes)
}

/// A file or folder through which other users can change a file.
#[derive(Debug)]
pub struct OpenToOthers {
    path: PathBuf,
    way: OpenWay,
}

/// The reason why other users can change it.
#[derive(Debug)]
enum OpenWay {
    /// Its mode lets a group or all users write.
    Mode,
    /// Another user owns it, and can write it or change its mode.
    Owner,
}

impl OpenToOthers {
    /// Describes the danger, for example that others may change "who joins this game", and the remedy.
    pub fn describe(&self, what: &str) -> String {
        let path = self.path.display();
        match self.way {
            OpenWay::Mode => {
                format!("others may change {what}; `chmod go-w {path}` keeps that to yourself")
            }
            OpenWay::Owner => {
                format!(
                    "{path} belongs to another user and decides {what}; take it over with `chown`"
                )
            }
        }
    }
}

/// Checks whether users other than the owner and the superuser can change a file or replace it, and returns the file or
/// folder at fault: the file, its folder, or a folder above. A folder above may have the sticky bit, as `/tmp` has: there
/// users can only replace their own files.
pub fn open_to_others(path: &Path) -> Option<OpenToOthers> {
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or_else(|| Path::new("."));
    for path in [path, folder] {
        let Ok(found) = fs::symlink_metadata(path) else {
            continue;
        };
        let is_own = [0, rustix::process::geteuid().as_raw()].contains(&found.uid());
        let way = if !is_own {
            OpenWay::Owner
        } else if found.mode() & OTHERS_WRITE != 0 {
            OpenWay::Mode
        } else {
            continue;
        };
        let path = path.to_owned();
        return Some(OpenToOthers { path, way });
    }

    let whole = fs::canonicalize(folder).ok()?;
    for above in whole.ancestors().skip(1) {
        let mode = fs::symlink_metadata(above).map_or(0, |found| found.mode());
        if mode & OTHERS_WRITE != 0 && mode & STICKY == 0 {
            let path = above.to_owned();
            let way = OpenWay::Mode;
            return Some(OpenToOthers { path, way });
        }
    }
    None
}

/// The files in a folder whose names end so, by their names without that, in order; none where there is no folder.
pub fn named(folder: &Path, end: &str) -> Vec<(String, PathBuf)> {
    let files = fs::read_dir(folder).into_iter().flatten();
    let files = files.filter_map(|file| {
        let path = file.ok()?.path();
        let is_meant = path.extension().is_some_and(|is| is == end);
        let name = path.file_stem().filter(|_| is_meant)?.to_str()?.to_owned();
        Some((name, path))
    });
    let mut files: Vec<_> = files.collect();
    files.sort_unstable();
    files
}

fn no_file() -> io::Error {
    io::Error::new(
        io::ErrorKind::InvalidInput,
        "it is no regular file, but a folder, a pipe or a device",
    )
}

#[cfg(test)]
mod tests {
    use std::fs::Permissions;
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn pipes_devices_sockets_and_folders_are_refused_at_once() {
        let home = tempfile::tempdir().unwrap();
        let at = |name: &str| home.path().join(name);
        let pipe = at("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.unwrap().success());
        let _socket = std::os::unix::net::UnixListener::bind(at("socket")).unwrap();
        std::os::unix::fs::symlink("/dev/zero", at("link")).unwrap();
        for path in [
            pipe.clone(),
            at("socket"),
            at("link"),
            home.path().to_owned(),
            "/dev/zero".into(),
        ] {
            let refused = read(&path, 10, Links::Follow).unwrap_err();
            assert!(refused.to_string().contains("no regular file"), "{refused}");
        }
        for options in [
            OpenOptions::new().append(true),
            OpenOptions::new().read(true).write(true),
        ] {
            let refused = open(&pipe, options, Links::Refuse).unwrap_err();
            assert!(refused.to_string().contains("no regular file"), "{refused}");
        }
    }

    #[test]
    fn a_file_is_open_to_others_by_its_mode_its_folder_or_one_above() {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join("above/game");
        let file = folder.join("file");
        fs::create_dir_all(&folder).unwrap();
        fs::write(&file, "").unwrap();
        let chmod = |path: &Path, mode| fs::set_permissions(path, Permissions::from_mode(mode));
        let open_path = || open_to_others(&file).map(|open| open.path);

        let above = folder.parent().unwrap();
        for (path, closed, mode) in [
            (file.as_path(), 0o644, 0o666),
            (&file, 0o600, 0o620),
            (&folder, 0o755, 0o777),
            (&folder, 0o700, 0o770),
            (&folder, 0o700, 0o1777),
            (above, 0o755, 0o777),
            (above, 0o700, 0o775),
        ] {
            chmod(path, closed).unwrap();
            assert_eq!(open_path(), None);
            chmod(path, mode).unwrap();
            assert_eq!(
                open_path(),
                Some(fs::canonicalize(path).unwrap()),
                "{mode:o}"
            );
            chmod(path, closed).unwrap();
        }
        chmod(above, 0o1777).unwrap();
        assert_eq!(open_path(), None, "others can replace nothing there");
    }

    #[test]
    fn what_is_too_long_is_refused_and_a_link_only_where_it_must_be() {
        let home = tempfile::tempdir().unwrap();
        let (path, link) = (home.path().join("file"), home.path().join("link"));
        std::fs::write(&path, "1234").unwrap();
        std::os::unix::fs::symlink(&path, &link).unwrap();
        assert_eq!(read(&link, 4, Links::Follow).unwrap(), b"1234");
        assert!(read(&link, 4, Links::Refuse).is_err());
        assert!(read(&path, 3, Links::Refuse).is_err());
    }
}
