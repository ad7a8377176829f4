//! Any bytes for every target, on stable Rust: what lies in `corpus/TARGET`, changed at random, for so many
//! seconds each. `cargo run -p tableside-fuzz -- [SECONDS] [TARGET…]`; what makes a target
//! panic is left in `fuzz/crash-TARGET`.
//!
//! It knows nothing of what the code does with its input, as libFuzzer does; for that, `fuzz_targets/any.rs`.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "the output of a program for developers"
)]

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};
use std::{env, fs, panic};

use tableside_fuzz::{TARGETS, Target};

/// The longest input.
const LONGEST: usize = 64 << 10;

/// An input may keep the processor for so long.
const PATIENCE: Duration = Duration::from_secs(5);

/// Words that parsers know, so that changes hit upon them.
const WORDS: [&str; 40] = [
    "9999999d9999999",
    "4d6k3",
    "d%",
    "((((",
    "!",
    "-",
    "\"rolled\":{",
    "\"changes\":[",
    "{\"tokens\":{\"pool\":1,\"from\":2,\"to\":3}}",
    "\u{1b}[200~",
    "\u{1b}[<0;9999;9999M",
    "\u{1b}[",
    "\u{1b}O",
    "\r",
    "\n",
    "\t",
    "r",
    "/",
    ":",
    "u",
    "\u{12}",
    "5",
    "4+",
    "3-",
    "N",
    "S",
    "E",
    "99999999999999999999",
    "-9223372036854775808",
    "[[character]]",
    "system = \"gnosis\"",
    "{\"about\":{\"who\":1,\"part\":\"acted\",\"from\":true,\"to\":false}}",
    ",\"crc\":\"00000000\"}",
    "{\"n\":1,",
    "\u{202e}",
    "\u{301}\u{301}\u{301}",
    "\u{0}",
    "die",
    "d20",
    "]]]]",
];

fn main() -> ExitCode {
    let mut arguments = env::args().skip(1);
    let seconds = arguments.next().and_then(|given| given.parse().ok());
    let budget = Duration::from_secs(seconds.unwrap_or(2));
    let named: Vec<String> = arguments.collect();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (name, target) in TARGETS {
        if named.is_empty() || named.iter().any(|one| one == name) {
            let Some(count) = run(root, name, target, budget) else {
                return ExitCode::FAILURE;
            };
            println!("{name}: {count} inputs in {} s, no fault", budget.as_secs());
        }
    }
    ExitCode::SUCCESS
}

fn run(root: &Path, name: &str, target: Target, budget: Duration) -> Option<u64> {
    let corpus = corpus(&root.join("corpus").join(name));
    let mut whim = Whim(0x9e37_79b9_7f4a_7c15 ^ u64::from(std::process::id()));
    let began = Instant::now();
    let mut count = 0;
    // What is known first, as it is.
    let mut known = corpus.iter().cloned();
    while began.elapsed() < budget {
        let input = known.next().unwrap_or_else(|| whim.change(&corpus));
        let at = at_work();
        let ended = panic::catch_unwind(|| target(&input));
        let slow = at_work().saturating_sub(at) > PATIENCE;
        if ended.is_err() || slow {
            let path: PathBuf = root.join(format!("crash-{name}"));
            fs::write(&path, &input).expect("there is room for the evidence");
            let what = if slow { "takes too long" } else { "panics" };
            eprintln!("{name} {what}: {} bytes in {}", input.len(), path.display());
            return None;
        }
        count += 1;
    }
    Some(count)
}

/// How long this thread has had a processor, where the system tells: on a busy machine it waits for one.
fn at_work() -> Duration {
    let told = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = told
        .split_whitespace()
        .next()
        .and_then(|first| first.parse().ok());
    Duration::from_nanos(nanoseconds.unwrap_or(0))
}

fn corpus(folder: &Path) -> Vec<Vec<u8>> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    let mut all: Vec<Vec<u8>> = paths
        .iter()
        .filter_map(|path| fs::read(path).ok())
        .collect();
    if all.is_empty() {
        all.push(Vec::new());
    }
    all
}

struct Whim(u64);

impl Whim {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, count: usize) -> usize {
        usize::try_from(self.next() % (count.max(1) as u64)).unwrap_or(0)
    }

    fn change(&mut self, corpus: &[Vec<u8>]) -> Vec<u8> {
        let mut input = corpus[self.below(corpus.len())].clone();
        for _ in 0..=self.below(6) {
            let at = self.below(input.len() + 1);
            match self.below(8) {
                0 | 1 => {
                    if let Some(byte) = input.get_mut(at) {
                        *byte = self.next().to_le_bytes()[0];
                    }
                }
                2 => {
                    let until = (at + self.below(40)).min(input.len());
                    input.drain(at..until);
                }
                3 | 4 => {
                    let word = WORDS[self.below(WORDS.len())];
                    input.splice(at..at, word.bytes());
                }
                5 => {
                    let until = (at + self.below(60)).min(input.len());
                    let piece = input[at..until].to_vec();
                    let to = self.below(input.len() + 1);
                    for _ in 0..=self.below(20) {
                        input.splice(to..to, piece.iter().copied());
                    }
                }
                6 => {
                    let other = &corpus[self.below(corpus.len())];
                    let from = self.below(other.len() + 1);
                    input.truncate(at);
                    input.extend_from_slice(&other[from..]);
                }
                _ => {
                    if let Some(byte) = input.get_mut(at) {
                        *byte ^= 1 << (self.next() % 8);
                    }
                }
            }
            input.truncate(LONGEST);
        }
        input
    }
}
