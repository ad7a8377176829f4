//! The program's commands, run in this process.

use std::path::Path;

use tableside::cli::{self, Exit, Io};

use super::opened::noon;

/// The results of a run of the program.
pub(super) struct Run {
    pub(super) exit: Exit,
    pub(super) out: String,
    pub(super) err: String,
}

/// Runs the program in this process, as a shell with this data folder would.
pub(super) fn run(data: &Path, words: &str) -> Run {
    let mut out = Vec::new();
    let mut err = Vec::new();
    let env = |name: &str| match name {
        "TABLESIDE_DATA" => data.to_str().map(str::to_owned),
        _ => None,
    };
    let mut world = Io {
        env: &env,
        input: &mut "".as_bytes(),
        out: &mut out,
        err: &mut err,
        to_terminal: false,
        can_ask: false,
        clock: noon,
    };
    let words = format!("tableside {words}");
    let exit = cli::run(words.split_whitespace().map(Into::into), &mut world);
    Run {
        exit,
        out: String::from_utf8(out).unwrap(),
        err: String::from_utf8(err).unwrap(),
    }
}
