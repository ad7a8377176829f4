//! Runs a target with the files of its corpus, and then with mutated ones, without knowledge of code coverage.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{fs, io, panic, process};

use crate::Target;
use crate::corpus;
use crate::mutation::Mutator;

/// An input that takes more processor time counts as a hang. A debug build takes up to 3 seconds for the longest input
/// of a screen, and a busy processor doubles that.
const MAX_PROCESSOR_TIME: Duration = Duration::from_secs(20);

/// The result of running a target.
#[derive(Debug)]
pub enum RunResult {
    /// All inputs passed.
    Passed {
        inputs: u64,
    },
    Failed(Failure),
}

/// An input on which a target failed.
#[derive(Debug)]
pub struct Failure {
    pub kind: FailureKind,
    /// The file with the input.
    pub path: PathBuf,
}

#[derive(Debug)]
pub enum FailureKind {
    Panicked,
    TookTooLong,
}

/// Runs a target until the time is over or an input fails. The failed input is saved in `crash-TARGET`.
///
/// `root` is the folder of this package.
///
/// # Errors
///
/// If the corpus cannot be read, or the failed input cannot be written.
pub fn run(root: &Path, target: &Target, duration: Duration) -> io::Result<RunResult> {
    let corpus = corpus::read(&root.join("corpus").join(target.name))?;
    let mut mutator = Mutator::new(&corpus, process::id());

    let start = Instant::now();
    let mut seeds = corpus.iter();
    let mut inputs = 0;
    while start.elapsed() < duration {
        let input = match seeds.next() {
            Some(seed) => seed.clone(),
            None => mutator.mutate(),
        };

        if let Some(kind) = run_input(target, &input) {
            let path = root.join(format!("crash-{}", target.name));
            fs::write(&path, &input)?;
            return Ok(RunResult::Failed(Failure { kind, path }));
        }
        inputs += 1;
    }

    Ok(RunResult::Passed { inputs })
}

fn run_input(target: &Target, input: &[u8]) -> Option<FailureKind> {
    let time_before = processor_time();
    let result = panic::catch_unwind(|| target.run(input));
    let time = processor_time().saturating_sub(time_before);

    if result.is_err() {
        Some(FailureKind::Panicked)
    } else if time > MAX_PROCESSOR_TIME {
        Some(FailureKind::TookTooLong)
    } else {
        None
    }
}

/// The processor time of this thread. Unlike elapsed time, it does not depend on the load of the machine.
///
/// Always 0 on systems other than Linux, which therefore do not detect hangs.
fn processor_time() -> Duration {
    let statistics = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = statistics
        .split_whitespace()
        .next()
        .and_then(|number| number.parse().ok());
    Duration::from_nanos(nanoseconds.unwrap_or(0))
}
