//! Tests that need a program which is not everywhere.

use std::io::Write as _;
use std::thread;

/// Says that this test did not run, for want of that. Where everything has to be tested it fails, unless that is set.
pub(crate) fn did_not_run(wanted: &str, package: &str, unless: &str) {
    let is_set = |name| std::env::var_os(name).is_some();
    assert!(
        !is_set("CI") || is_set(unless),
        "there is no {wanted}, and CI is set: install {package}"
    );
    let thread = thread::current();
    let name = thread.name().unwrap_or("a test");
    // Past what the harness keeps to itself.
    let words = format!("{name} DID NOT RUN: there is no {wanted} on this machine\n");
    std::io::stderr().write_all(words.as_bytes()).unwrap();
}
