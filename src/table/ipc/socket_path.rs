//! The way to a session's socket: a socket's path may be only about a hundred bytes long, a session's much
//! longer.

use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::symlink;
use std::path::Path;

/// The socket's name in the session's folder.
pub(super) const FILE: &str = "socket";

/// The longest path that every system takes for a socket, in bytes.
const LONGEST: usize = 100;

/// Does something with a path that leads to the folder's socket and is short enough.
pub(super) fn at<T>(folder: &Path, act: impl Fn(&Path) -> io::Result<T>) -> io::Result<T> {
    let path = folder.join(FILE);
    if path.as_os_str().as_bytes().len() <= LONGEST {
        return act(&path);
    }
    // A detour: a link to the folder under a short name, for as long as it takes.
    let folder = fs::canonicalize(folder)?;
    let places = [std::env::temp_dir(), "/tmp".into()];
    let mut refused = io::Error::from(io::ErrorKind::InvalidInput);
    for place in places {
        let detour = tempfile::Builder::new().prefix("ts-").tempdir_in(&place);
        let tried = detour.and_then(|detour| {
            let link = detour.path().join("s");
            symlink(&folder, &link)?;
            act(&link.join(FILE))
        });
        match tried {
            Ok(done) => return Ok(done),
            Err(error) => refused = error,
        }
    }
    Err(refused)
}
