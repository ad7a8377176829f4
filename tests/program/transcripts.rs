//! What a shell sees, as transcripts: each file in `tests/shell` holds a few, with the sample game `demo`.
//!
//! ```text
//! # what it shows      begins on a fresh machine
//! $ roll 2d6           runs the program
//! 8                    what it prints, line by line
//! ~ of 6               or something of it
//! !2 no such dice      the exit code and the first line of the error, and nothing printed
//! !2~ dice             or something of it
//! ```

use std::fs;
use std::path::PathBuf;

use rstest::rstest;

use crate::machine::{Machine, Ran};

/// A run with what is due of it.
struct Run<'a> {
    words: &'a str,
    due: Vec<&'a str>,
}

fn holds(run: &Run<'_>, ran: &Ran) -> bool {
    let mut code = 0;
    let mut lines = Vec::new();
    for due in &run.due {
        if let Some(due) = due.strip_prefix("~ ") {
            if !ran.out.contains(due) {
                return false;
            }
        } else if let Some(due) = due.strip_prefix('!') {
            let (number, rest) = due.split_at(1);
            code = number.parse().unwrap();
            let told = match rest.strip_prefix("~ ") {
                Some(some) => ran.err.contains(some),
                None => ran.err.lines().next() == Some(rest.trim_start()),
            };
            // What is wrong, and at most a hint.
            if !told || !ran.out.is_empty() || ran.err.lines().count() > 2 {
                return false;
            }
        } else {
            lines.push(*due);
        }
    }
    ran.code == code && (lines.is_empty() || ran.out.lines().eq(lines))
}

#[rstest]
fn a_shell_sees_what_is_written(#[files("tests/shell/*.txt")] file: PathBuf) {
    let text = fs::read_to_string(file).unwrap();
    let mut wrong = Vec::new();
    for story in text.split("\n\n") {
        let machine = Machine::with_demo();
        let mut runs: Vec<Run<'_>> = Vec::new();
        for line in story.lines().skip(1).filter(|line| !line.is_empty()) {
            match (line.strip_prefix("$ "), runs.last_mut()) {
                (Some(words), _) => runs.push(Run {
                    words,
                    due: Vec::new(),
                }),
                (None, Some(run)) => run.due.push(line),
                (None, None) => panic!("nothing was run before {line}"),
            }
        }
        for run in runs {
            let ran = machine.run(run.words);
            if !holds(&run, &ran) {
                wrong.push(format!("{}: {:#?}: {ran:#?}", run.words, run.due));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
