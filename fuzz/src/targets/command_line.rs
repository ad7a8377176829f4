//! Arguments of the program.

use std::io;
use std::iter;
use std::path::Path;

use chrono::DateTime;
use tableside::cli::{self, Io};
use tempfile::TempDir;

/// Commands that take fields or free text. None of them listens on a port or names a file.
const COMMANDS: [&[&str]; 9] = [
    &["roll"],
    &["roll", "dice"],
    &["odds"],
    &["odds", "dice"],
    &["roll", "skill", "--system", "heart-rush"],
    &["odds", "strategy", "--system", "gnosis"],
    &["do", "demo"],
    &["log", "demo"],
    &["status", "demo"],
];

/// The most arguments of one input.
const MAX_ARGUMENTS: usize = 40;

thread_local! {
    /// The data folder of all inputs, with the game `demo`.
    static DATA: TempDir = make_data_folder();
}

/// Runs a command. The first byte selects it, and each line of the other bytes is an argument.
pub(super) fn run_arguments(input: &[u8]) {
    let Some((&selector, arguments)) = input.split_first() else {
        return;
    };
    let arguments = String::from_utf8_lossy(arguments);
    // A path could name a file outside the data folder.
    if arguments.contains('/') {
        return;
    }

    let command = COMMANDS[usize::from(selector) % COMMANDS.len()];
    let command = command.iter().copied();
    let arguments = arguments.lines().take(MAX_ARGUMENTS);
    DATA.with(|data| run(data.path(), command.chain(arguments)));
}

fn make_data_folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let new_demo = ["new", "demo", "--system", "heart-rush", "--sample"];
    run(folder.path(), new_demo.into_iter());
    folder
}

/// Runs the program with a data folder. Its panic hook writes to the error output, which this function searches.
fn run<'a>(data: &Path, arguments: impl Iterator<Item = &'a str>) {
    let data = data.to_string_lossy();
    let mut out = Vec::new();
    let mut err = Vec::new();
    let mut io = Io {
        env: &|name| match name {
            "TABLESIDE_DATA" => Some(data.clone().into_owned()),
            _ => None,
        },
        input: &mut io::empty(),
        out: &mut out,
        err: &mut err,
        to_terminal: false,
        can_ask: false,
        clock: || DateTime::UNIX_EPOCH,
    };

    let arguments = iter::once("tableside").chain(arguments);
    cli::run(arguments.map(Into::into), &mut io);

    let errors = String::from_utf8_lossy(&err);
    assert!(!errors.contains("panicked"), "{errors}");
}
