//! Runs fuzz targets on stable Rust.
//!
//! `cargo run -p tableside-fuzz -- [SECONDS] [TARGET…]` runs each target, or only the given ones, for this many seconds.
//! An input that makes a target panic or hang is saved as `fuzz/crash-TARGET`.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "the program reports to the terminal"
)]

use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;
use std::{env, io};

use tableside_fuzz::runner::{self, FailureKind, RunResult};
use tableside_fuzz::{TARGETS, Target};

/// How long each target runs by default.
const DEFAULT_SECONDS: u64 = 2;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();

    let (duration, targets) = match parse(&arguments) {
        Ok(parsed) => parsed,
        Err(message) => {
            eprintln!("{message}");
            return ExitCode::FAILURE;
        }
    };

    for target in targets {
        match run(target, duration) {
            Ok(true) => {}
            Ok(false) => return ExitCode::FAILURE,
            Err(error) => {
                eprintln!("{}: {error}", target.name);
                return ExitCode::FAILURE;
            }
        }
    }
    ExitCode::SUCCESS
}

/// Parses the number of seconds and the names of targets.
fn parse(arguments: &[String]) -> Result<(Duration, Vec<&'static Target>), String> {
    let Some((seconds, names)) = arguments.split_first() else {
        return Ok((
            Duration::from_secs(DEFAULT_SECONDS),
            TARGETS.iter().collect(),
        ));
    };

    let seconds = seconds
        .parse()
        .map_err(|error| format!("SECONDS is {seconds:?}: {error}"))?;
    let duration = Duration::from_secs(seconds);
    if names.is_empty() {
        return Ok((duration, TARGETS.iter().collect()));
    }

    let mut targets = Vec::new();
    for name in names {
        let target = Target::find(name).ok_or_else(|| format!("there is no target {name:?}"))?;
        targets.push(target);
    }
    Ok((duration, targets))
}

/// Runs a target and prints the result. Returns true if all inputs passed.
fn run(target: &Target, duration: Duration) -> io::Result<bool> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let name = target.name;

    match runner::run(root, target, duration)? {
        RunResult::Passed { inputs } => {
            let seconds = duration.as_secs();
            println!("{name}: {inputs} inputs in {seconds} s passed");
            Ok(true)
        }
        RunResult::Failed(failure) => {
            let verb = match failure.kind {
                FailureKind::Panicked => "panics",
                FailureKind::TookTooLong => "takes too long",
            };
            eprintln!("{name} {verb} with the input in {}", failure.path.display());
            Ok(false)
        }
    }
}
