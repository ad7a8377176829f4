//! The stock SSH client, and keys of its making.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::Command;
use std::thread;

/// Whether there is a client to test with. Where there is none, the test says that it did not run; where
/// everything has to be tested, it fails.
pub(crate) fn has_client() -> bool {
    let found = Command::new("ssh").arg("-V").output().is_ok();
    if !found {
        assert!(
            std::env::var_os("CI").is_none(),
            "there is no ssh client, and CI is set: install openssh-client"
        );
        let thread = thread::current();
        let name = thread.name().unwrap_or("a test");
        // Past what the harness keeps to itself.
        let words = format!("{name} DID NOT RUN: there is no ssh client on this machine\n");
        std::io::stderr().write_all(words.as_bytes()).unwrap();
    }
    found
}

/// Makes a key pair; returns the public line.
pub(crate) fn make_key(folder: &Path, name: &str, kind: &str) -> String {
    let path = folder.join(name);
    let made = Command::new("ssh-keygen")
        .args(["-q", "-t", kind, "-N", "", "-C", name, "-f"])
        .arg(&path)
        .status()
        .unwrap();
    assert!(made.success());
    let line = fs::read_to_string(path.with_extension("pub")).unwrap();
    line.trim().to_owned()
}
