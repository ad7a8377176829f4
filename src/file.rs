//! Files as they may lie there: a pipe, a device or a folder under a file's name is refused, and never waited
//! for; nothing without an end is read.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

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
