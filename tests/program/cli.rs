//! The command line as a shell sees it: standard output, standard error, exit code.

use std::fs;
use std::path::PathBuf;

use crate::machine::Machine;
use crate::opened::{noon, open};
use crate::transcripts::play;
use rstest::rstest;
use serde_json::Value as Json;
use tableside::cli::{self, Exit, Io};

impl Machine {
    fn state(&self) -> PathBuf {
        self.data().join("demo/game.toml")
    }

    fn edit(&self, edit: impl FnOnce(String) -> String) {
        let before = fs::read_to_string(self.state()).unwrap();
        let after = edit(before.clone());
        assert_ne!(before, after, "nothing was edited");
        fs::write(self.state(), after).unwrap();
    }

    /// What a person at a terminal sees who types these lines.
    fn at_a_terminal(&self, words: &str, typed: &str) -> (Exit, String) {
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let data = self.data();
        let env = |name: &str| match name {
            "TABLESIDE_DATA" => data.to_str().map(str::to_owned),
            "NO_COLOR" => Some("1".to_owned()),
            _ => None,
        };
        let mut world = Io {
            env: &env,
            input: &mut typed.as_bytes(),
            out: &mut out,
            err: &mut err,
            to_terminal: true,
            can_ask: true,
            clock: noon,
        };
        let words = format!("tableside {words}");
        let exit = cli::run(words.split_whitespace().map(Into::into), &mut world);
        out.extend(err);
        (exit, self.plain(&String::from_utf8(out).unwrap()))
    }
}

const CLIFF: &str = "roll heart-rush skill --heart d8 --ability d10 --cn 12 --profession 2";

#[test]
fn somebody_at_a_terminal_is_asked() {
    let machine = Machine::new();
    let words = "roll heart-rush skill --heart d8 --ability d6 --cn 9 --faces 1,6";
    let (exit, out) = machine.at_a_terminal(words, "maybe\n1\n");
    assert_eq!(exit, Exit::Success);
    insta::assert_snapshot!("asked", out);
}

#[test]
fn a_session_that_is_open_elsewhere_says_who_has_it() {
    let machine = Machine::with_demo();
    let held = open(&machine.data().join("demo"));
    let ran = machine.run("roll heart-rush skill --game demo --as Mira --cn 9");
    assert_eq!(ran.code, 1);
    let process = std::process::id();
    for words in [
        &format!("HOME/data/demo is open elsewhere (by process {process} on "),
        "since 2026-11-20 12:00 UTC",
        "hint: do it there, or close it there first\n",
    ] {
        assert!(ran.err.contains(words), "{ran:?}");
    }
    let opened = machine.run("demo");
    assert_eq!(opened.code, 1);
    assert!(opened.err.contains("open it with --view"), "{opened:?}");
    // To read, nobody needs to have it alone.
    for words in ["status demo", "log demo", "games"] {
        assert_eq!(machine.run(words).code, 0);
    }
    drop(held);
}

#[rstest]
#[case::keep("keep", "Mirabel")]
#[case::restore("r", "Mira")]
fn an_edited_file_is_kept_or_set_aside_as_the_user_says(#[case] answer: &str, #[case] name: &str) {
    let machine = Machine::with_demo();
    // The state before the last save is what the edit is compared with.
    assert_eq!(machine.run(&format!("{CLIFF} --game demo")).code, 0);
    machine.edit(|text| text.replacen("name = \"Mira\"", "name = \"Mirabel\"", 1));
    let words = "roll heart-rush skill --game demo --as Torben --cn 9 --faces 5,5";
    let (exit, out) = machine.at_a_terminal(words, &format!("{answer}\n"));
    assert_eq!(exit, Exit::Success, "{out}");
    assert!(out.contains("the character Mira"), "{out}");
    let status: Json = serde_json::from_str(&machine.run("status demo --json").out).unwrap();
    assert_eq!(status["party"][0]["name"], name);
}

#[test]
fn colour_is_for_terminals_and_for_those_who_want_it() {
    let machine = Machine::new();
    let words = format!("tableside {CLIFF} --faces 5,7");
    let shown = |no_colour: bool, to_terminal: bool| {
        let mut out = Vec::new();
        let env = |name: &str| (name == "NO_COLOR" && no_colour).then(|| "1".to_owned());
        let mut world = Io {
            env: &env,
            input: &mut std::io::empty(),
            out: &mut out,
            err: &mut std::io::sink(),
            to_terminal,
            can_ask: false,
            clock: noon,
        };
        cli::run(words.split_whitespace().map(Into::into), &mut world);
        String::from_utf8(out).unwrap()
    };
    assert!(shown(false, true).contains("\u{1b}["));
    assert!(!shown(true, true).contains('\u{1b}'));
    assert!(!shown(false, false).contains('\u{1b}'));
    let piped = machine.run(&format!("{CLIFF} --faces 5,7"));
    assert!(!piped.out.contains('\u{1b}'));
}

#[rstest]
#[case::top("--help")]
#[case::check("systems gnosis strategy")]
#[case::status("status demo")]
#[case::log("log demo")]
fn what_is_printed_reads_well(#[case] words: &str) {
    let machine = Machine::with_demo();
    let ran = machine.run(words);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{ran:?}");
    let name = words.replace("--", "").replace(' ', "-");
    insta::assert_snapshot!(name, ran.out);
}

#[rstest]
fn a_shell_sees_what_is_written(#[files("tests/shell/*.txt")] file: PathBuf) {
    play(&fs::read_to_string(file).unwrap());
}
