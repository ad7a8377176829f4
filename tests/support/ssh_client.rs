//! The stock SSH client, and keys of its making.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::not_run::did_not_run;

/// Whether there is a client to test with.
pub(crate) fn has_client() -> bool {
    let found = Command::new("ssh").arg("-V").output().is_ok();
    if !found {
        did_not_run("ssh client", "openssh-client", "WITHOUT_SSH");
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
