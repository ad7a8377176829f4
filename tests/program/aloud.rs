//! A whole scene played by ear: with `status` and `do` alone, every line of which reads well aloud.

use std::fmt::Write as _;

use crate::machine::Machine;

struct Ear {
    machine: Machine,
    heard: String,
}

impl Ear {
    /// Listens to a game, with the sample of its system or empty.
    fn at(system: &str, more: &str) -> Self {
        let machine = Machine::new();
        let made = machine.run(&format!("new cellar --system {system} {more}"));
        assert_eq!(made.code, 0, "{made:?}");
        let heard = String::new();
        Self { machine, heard }
    }

    /// Runs the program as on a terminal with every colour; listens to what it says.
    fn run(&mut self, words: &[&str]) -> String {
        let mut command = self.machine.command(words);
        let output = command.env("TERM", "xterm-256color").output().unwrap();
        let mut said = String::from_utf8(output.stdout).unwrap();
        said.lines().for_each(reads_well);
        let wrong = String::from_utf8(output.stderr).unwrap();
        assert!(!wrong.contains('\u{1b}'), "{wrong}");
        said.push_str(&wrong);
        writeln!(self.heard, "$ {}\n{said}", words.join(" ")).unwrap();
        said
    }

    fn act(&mut self, words: &str) -> String {
        let words: Vec<&str> = words.split(' ').collect();
        self.run(&[&["do", "cellar"], &words[..]].concat())
    }
}

/// No decoration, no colour, no signs that a voice stumbles over, no words cut short.
#[track_caller]
fn reads_well(line: &str) {
    let plain = |letter: char| letter.is_alphanumeric() || " .,:;?!'\"’“”-/()`…".contains(letter);
    let odd: String = line.chars().filter(|letter| !plain(*letter)).collect();
    assert_eq!(odd, "", "{line}");
    assert!(!line.contains("--"), "{line}");
    let ends = line.trim().is_empty() || line.ends_with(['.', '?', '!', '…']) || is_title(line);
    assert!(ends, "{line}");
}

/// A heading: a line of its own, not set in.
fn is_title(line: &str) -> bool {
    [
        "The party",
        "Allies",
        "Adversaries",
        "Others",
        "Clocks",
        "Tokens of the table",
        "Unfinished",
        "Called to roll",
        "Last rolls",
    ]
    .contains(&line)
}

#[test]
fn a_scene_is_played_by_ear() {
    let mut ear = Ear::at("heart-rush", "");
    for words in include_str!("aloud.txt").lines() {
        match words {
            "status" => ear.run(&["status", "cellar"]),
            words => ear.act(words),
        };
    }
    insta::assert_snapshot!("scene", ear.heard);
}

#[test]
fn every_system_reads_well() {
    for system in [
        "heart-rush",
        "hearts",
        "friday-night-dungeon",
        "hfrpg",
        "gnosis",
    ] {
        let mut ear = Ear::at(system, "--sample");
        let status = ear.run(&["status", "cellar"]);
        assert!(status.lines().count() > 8, "{status}");
        ear.act("next round");
        ear.act("undo");
    }
}
