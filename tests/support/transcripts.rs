//! What a shell sees, as transcripts: a text holds a few, each with the sample game `demo`.
//!
//! ```text
//! # what it shows      begins on a fresh machine; lines before the first are run on each
//! $ roll 2d6           runs the program
//! % cat > a.toml       runs a line of the shell in the home folder, where the program is `tableside`
//! < name = "Mira"      what it reads, line by line
//! 8                    what it prints, line by line
//! ~ of 6               or something of it
//! /dice/-1/face 5      or what is there in its JSON, in the order of its keys
//! !2 no such dice      the exit code and the first line of the error, and nothing printed
//! !2~ dice             or something of it
//! ```

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value as Json;

use crate::machine::{Machine, Ran};

/// A run with what it reads and what is due of it.
struct Run<'a> {
    words: &'a str,
    input: String,
    due: Vec<&'a str>,
}

/// What stands in a JSON document at `dice/-1/face`: negative numbers count from the end.
fn at(text: &str, path: &str) -> String {
    let mut value: Json = serde_json::from_str(text).unwrap_or_default();
    for step in path.split('/').filter(|step| !step.is_empty()) {
        value = match (&value, step.parse::<isize>()) {
            (Json::Array(all), Ok(place)) => {
                let place = place.rem_euclid(all.len().max(1).cast_signed());
                all.get(place.unsigned_abs()).cloned().unwrap_or_default()
            }
            _ => value[step].clone(),
        };
    }
    value.to_string()
}

fn holds(run: &Run<'_>, ran: &Ran) -> bool {
    let mut code = 0;
    let mut lines = Vec::new();
    for due in &run.due {
        if let Some(due) = due.strip_prefix("~ ") {
            if !ran.out.contains(due) {
                return false;
            }
        } else if let Some((path, value)) = due.strip_prefix('/').and_then(|it| it.split_once(' '))
        {
            if at(&ran.out, path) != value {
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

impl Machine {
    /// A line of the shell in the home folder, where the program is `tableside`.
    pub(crate) fn line(&self, line: &str) -> Command {
        let folder = Path::new(env!("CARGO_BIN_EXE_tableside")).parent().unwrap();
        let path = std::env::var("PATH").unwrap_or_default();
        let mut command = self.program("/bin/sh");
        command
            .args(["-c", line])
            .env("PATH", format!("{}:{path}", folder.display()));
        command
    }

    /// Runs it to its end.
    pub(crate) fn shell(&self, line: &str, input: &str) -> Ran {
        let mut child = self
            .line(line)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(input.as_bytes()).unwrap();
        drop(stdin);
        self.ran(child.wait_with_output().unwrap())
    }
}

/// Plays each of them.
pub(crate) fn play(text: &str) {
    let mut wrong = Vec::new();
    let begins = text.split_once("\n\n").filter(|_| !text.starts_with('#'));
    let (always, stories) = begins.unwrap_or(("", text));
    for story in stories.split("\n\n") {
        let machine = Machine::with_demo();
        let mut runs: Vec<Run<'_>> = Vec::new();
        let lines = always.lines().chain(story.lines().skip(1));
        for line in lines.filter(|line| !line.is_empty()) {
            if line.starts_with("$ ") || line.starts_with("% ") {
                runs.push(Run {
                    words: line,
                    input: String::new(),
                    due: Vec::new(),
                });
                continue;
            }
            let run = runs.last_mut().expect("a line that runs something");
            match line.strip_prefix("< ") {
                Some(read) => run.input.extend([read, "\n"]),
                None => run.due.push(line),
            }
        }
        for run in runs {
            let ran = match run.words.split_at(2) {
                ("$ ", words) => machine.run(words),
                (_, line) => machine.shell(line, &run.input),
            };
            if !holds(&run, &ran) {
                wrong.push(format!("{}: {:#?}: {ran:#?}", run.words, run.due));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
