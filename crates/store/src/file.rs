//! Opens and reads regular files safely.
//!
//! A pipe, a device or a folder is refused at once. Reading has a limit, because a file may grow while it is read.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

/// The permission bits that let the group or all other users write.
const OTHERS_WRITE: u32 = 0o022;

/// The permission bit of a folder in which users can replace only their own files.
const STICKY: u32 = 0o1000;

/// Whether symbolic links are followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Links {
    /// For files that users manage themselves.
    Follow,
    /// For files of a game, which are always real files.
    Refuse,
}

/// Opens a regular file, and refuses anything else.
pub fn open(path: &Path, options: &mut OpenOptions, links: Links) -> io::Result<File> {
    let link_flag = match links {
        Links::Follow => 0,
        Links::Refuse => libc::O_NOFOLLOW,
    };
    // Without this flag, opening a pipe blocks until another process opens its other end.
    options.custom_flags(libc::O_NONBLOCK | link_flag);

    let file = match options.open(path) {
        Ok(file) => file,
        Err(error) if matches!(error.raw_os_error(), Some(libc::ENXIO | libc::EISDIR)) => {
            return Err(not_a_file());
        }
        Err(error) => return Err(error),
    };

    if file.metadata()?.is_file() {
        Ok(file)
    } else {
        Err(not_a_file())
    }
}

/// Opens a regular file for reading.
pub fn open_to_read(path: &Path, links: Links) -> io::Result<File> {
    open(path, OpenOptions::new().read(true), links)
}

/// Reads a regular file of at most `limit` bytes.
pub fn read(path: &Path, limit: u64, links: Links) -> io::Result<Vec<u8>> {
    let file = open_to_read(path, links)?;
    let expected_length = file.metadata()?.len().min(limit);
    let expected_length = usize::try_from(expected_length).unwrap_or(0);
    let mut bytes = Vec::with_capacity(expected_length.saturating_add(1));

    // The file may grow while it is read, because another process may be writing it.
    let length = file.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    if length as u64 > limit {
        return Err(io::Error::new(
            io::ErrorKind::FileTooLarge,
            format!("it is larger than {limit} bytes, the limit for this file"),
        ));
    }

    Ok(bytes)
}

/// Describes an error of the operating system in plain words.
pub(crate) fn describe_io_error(error: &io::Error) -> String {
    if error.raw_os_error() == Some(libc::ELOOP) {
        return "it is a symbolic link".to_owned();
    }

    match error.kind() {
        io::ErrorKind::StorageFull => "the disk is full".to_owned(),
        io::ErrorKind::QuotaExceeded => "the disk quota is used up".to_owned(),
        io::ErrorKind::ReadOnlyFilesystem => "the disk is read-only".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        io::ErrorKind::NotFound => "it does not exist".to_owned(),
        io::ErrorKind::NotADirectory => "a part of the path is not a folder".to_owned(),
        _ => error.to_string(),
    }
}

/// A file or folder through which other users can change a file.
#[derive(Debug)]
pub struct OpenToOthers {
    path: PathBuf,
    way: OpenWay,
}

/// The reason why other users can change the file or folder.
#[derive(Debug)]
enum OpenWay {
    /// Its permissions let the group or all users write.
    Mode,
    /// Another user owns it, and can always change its permissions.
    Owner,
}

impl OpenToOthers {
    /// Describes the danger and the remedy. `what` is what other users can change, such as "the list of seats".
    pub fn describe(&self, what: &str) -> String {
        let path = self.path.display();
        match self.way {
            OpenWay::Mode => {
                format!("other users can change {what}; run `chmod go-w {path}` to prevent that")
            }
            OpenWay::Owner => {
                format!(
                    "{path} belongs to another user, who can change {what}; run `chown` to become its owner"
                )
            }
        }
    }
}

/// Returns the file or folder through which other users than the owner and the superuser can change or replace a file:
/// the file itself, its folder, or a folder above. A folder above with the sticky bit, such as `/tmp`, is safe, because
/// users can replace only their own files there.
pub fn open_to_others(path: &Path) -> Option<OpenToOthers> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };

    for path in [path, folder] {
        if let Some(way) = way_for_others(path) {
            let path = path.to_owned();
            return Some(OpenToOthers { path, way });
        }
    }

    let absolute_folder = fs::canonicalize(folder).ok()?;
    for ancestor in absolute_folder.ancestors().skip(1) {
        let mode = fs::symlink_metadata(ancestor).map_or(0, |metadata| metadata.mode());
        if mode & OTHERS_WRITE != 0 && mode & STICKY == 0 {
            let path = ancestor.to_owned();
            let way = OpenWay::Mode;
            return Some(OpenToOthers { path, way });
        }
    }

    None
}

fn way_for_others(path: &Path) -> Option<OpenWay> {
    let metadata = fs::symlink_metadata(path).ok()?;
    let own_user = rustix::process::geteuid().as_raw();
    let superuser = 0;

    if metadata.uid() != own_user && metadata.uid() != superuser {
        Some(OpenWay::Owner)
    } else if metadata.mode() & OTHERS_WRITE != 0 {
        Some(OpenWay::Mode)
    } else {
        None
    }
}

/// Lists the files in a folder that have the extension, as pairs of name (without the extension) and path, sorted by
/// name. Returns an empty list if there is no such folder.
pub fn named(folder: &Path, extension: &str) -> Vec<(String, PathBuf)> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.extension().is_none_or(|own| own != extension) {
            continue;
        }
        if let Some(name) = path.file_stem().and_then(|name| name.to_str()) {
            files.push((name.to_owned(), path));
        }
    }

    files.sort_unstable();
    files
}

fn not_a_file() -> io::Error {
    io::Error::new(
        io::ErrorKind::InvalidInput,
        "it is not a regular file (it is a folder, a pipe, a socket or a device)",
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
            assert!(
                refused.to_string().contains("not a regular file"),
                "{refused}"
            );
        }
        for options in [
            OpenOptions::new().append(true),
            OpenOptions::new().read(true).write(true),
        ] {
            let refused = open(&pipe, options, Links::Refuse).unwrap_err();
            assert!(
                refused.to_string().contains("not a regular file"),
                "{refused}"
            );
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
        assert_eq!(
            open_path(),
            None,
            "others cannot replace files in a sticky folder"
        );
    }

    #[test]
    fn a_long_file_is_refused_and_a_link_only_on_request() {
        let home = tempfile::tempdir().unwrap();
        let (path, link) = (home.path().join("file"), home.path().join("link"));
        std::fs::write(&path, "1234").unwrap();
        std::os::unix::fs::symlink(&path, &link).unwrap();
        assert_eq!(read(&link, 4, Links::Follow).unwrap(), b"1234");
        assert!(read(&link, 4, Links::Refuse).is_err());
        assert!(read(&path, 3, Links::Refuse).is_err());
    }
}
