//! The whole program in a real pseudo-terminal: what is done with keys is there again, also after a `kill -9`,
//! and the terminal is given back however the program ends.

mod full;
mod killed;
mod much;
mod played;
mod signals;

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::Value as Json;

use crate::pty::{PATIENCE, Pty as Terminal};

const PROGRAM: &str = env!("CARGO_BIN_EXE_tableside");

/// What a frame of more than a few cells begins and ends with; a smaller one is there in one piece.
const FRAME: [&[u8]; 2] = [b"\x1b[?2026h", b"\x1b[?2026l"];

impl Terminal {
    /// Opens the game `demo`, and waits until the table is in sight.
    fn play(data: &Path) -> Self {
        let mut terminal = Self::with(data, &["demo"], (80, 24), &[]);
        terminal.wait(|shown| shown.contains("Clocks"));
        terminal
    }

    /// Leaves by that key, and gives the terminal back.
    fn quit(&mut self, key: &str) {
        self.press(key);
        assert_eq!(self.end(), 0);
        self.is_given_back().unwrap();
    }

    fn with(
        data: &Path,
        arguments: &[&str],
        size: (u16, u16),
        environment: &[(&str, &str)],
    ) -> Self {
        let mut command = program(data, arguments);
        command.envs(environment.iter().copied());
        Self::run(&command, size)
    }

    /// Reads until the screen is as wanted; returns what it shows.
    fn wait(&mut self, wanted: impl Fn(&str) -> bool) -> String {
        self.wait_for("what was wanted", wanted)
    }

    /// The same, for the sake of what is named if it never comes.
    fn wait_for(&mut self, what: &str, wanted: impl Fn(&str) -> bool) -> String {
        self.read_until(what, |terminal| {
            wanted(&terminal.shown()) && terminal.is_whole()
        })
    }

    /// Waits until what is saved is as wanted; returns it. Reads the screen meanwhile.
    fn wait_saved(&mut self, data: &Path, wanted: impl Fn(&Json) -> bool) -> Json {
        let deadline = Instant::now() + PATIENCE;
        loop {
            while let Ok(bytes) = self.bytes.try_recv() {
                self.take(&bytes);
            }
            let saved = status(data);
            if wanted(&saved) {
                return saved;
            }
            let is_late = Instant::now() > deadline;
            assert!(!is_late, "it was never saved:\n{}", self.shown());
        }
    }

    fn is_whole(&self) -> bool {
        is_whole(&self.all)
    }

    /// Presses keys and waits for the frame that follows.
    fn press_and_see(&mut self, keys: &str) -> String {
        let before = self.all.len();
        self.press(keys);
        let what = format!("a frame after {keys:?}");
        self.read_until(&what, |terminal| {
            terminal.all.len() > before && terminal.is_whole()
        })
    }

    fn signal(&self, name: &str) {
        let pid = self.child.process_id().unwrap().to_string();
        let sent = Command::new("kill")
            .args([&format!("-{name}"), &pid])
            .status()
            .unwrap();
        assert!(sent.success());
    }
}

/// Whether every frame that began has ended: the screen shows all of the last one.
fn is_whole(all: &[u8]) -> bool {
    let [begun, ended] = FRAME.map(|mark| {
        let mut pieces = all.windows(mark.len());
        pieces.rposition(|piece| piece == mark)
    });
    begun <= ended
}

fn program(data: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(PROGRAM);
    command
        .args(arguments)
        .env_clear()
        .env("HOME", data)
        .env("TABLESIDE_DATA", data);
    command
}

fn run(data: &Path, arguments: &[&str]) -> String {
    let output = program(data, arguments).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn status(data: &Path) -> Json {
    serde_json::from_str(&run(data, &["status", "demo", "--json"])).unwrap()
}

fn new_game(system: &str) -> tempfile::TempDir {
    let data = tempfile::tempdir().unwrap();
    let sample = ["new", "demo", "--system", system, "--sample"];
    run(data.path(), &sample);
    data
}

#[test]
fn what_a_frame_showed_is_there_after_kill_9() {
    let data = new_game("gnosis");
    for round in 0..12_u32 {
        let mut terminal = Terminal::play(data.path());
        let before = status(data.path());
        terminal.press_and_see("4");
        let keys = ["+", "-", "u", "S\r", "-", "+"];
        let key = keys[usize::try_from(round).unwrap() % keys.len()];
        let mut log = before["log"].as_u64().unwrap();
        for part in key.split_inclusive('\r') {
            terminal.press_and_see(part);
        }
        // The screen has shown it: from here on nothing may lose it.
        terminal.signal("KILL");
        terminal.end();
        let after = status(data.path());
        log += 1;
        assert_eq!(after["log"].as_u64().unwrap(), log, "{key:?} is lost");
    }
}

#[test]
fn signals_give_the_terminal_back_and_save() {
    for (signal, code) in [("TERM", 143), ("HUP", 129), ("INT", 130), ("QUIT", 131)] {
        let data = new_game("hfrpg");
        let mut terminal = Terminal::play(data.path());
        terminal.press_and_see("3");
        terminal.press_and_see("+");
        let before = status(data.path());
        terminal.signal(signal);
        assert_eq!(terminal.end(), code, "{signal}");
        terminal
            .is_given_back()
            .unwrap_or_else(|what| panic!("{signal}: {what}"));
        assert_eq!(status(data.path()), before);
        let state = std::fs::read_to_string(data.path().join("demo/game.toml")).unwrap();
        let state: toml::Table = state.parse().unwrap();
        let last = state["last"].as_integer().unwrap();
        assert!(last > 0, "the state was written down at the end");
    }
}

#[test]
fn a_panic_gives_the_terminal_back_and_loses_nothing() {
    for place in ["draw", "update"] {
        let data = new_game("heart-rush");
        let mut terminal = Terminal::play(data.path());
        terminal.press_and_see("3");
        terminal.press_and_see("-");
        terminal.press("\x03");
        terminal.end();
        let before = status(data.path());

        let environment = [("TABLESIDE_PANIC", place)];
        let mut terminal = Terminal::with(data.path(), &["demo"], (80, 24), &environment);
        if place == "update" {
            terminal.wait(|shown| shown.contains("Clocks"));
            terminal.press("3");
        }
        assert_eq!(terminal.end(), 101, "{place}");
        terminal
            .is_given_back()
            .unwrap_or_else(|what| panic!("{place}: {what}"));
        // It is said on the screen of the shell, where it can be read.
        let said = terminal.shown();
        assert!(said.contains("told to panic"), "{said}");
        assert_eq!(status(data.path()), before, "{place}");
    }
}

#[test]
fn control_c_quits_safely_at_once_and_a_resize_redraws() {
    let data = new_game("hearts");
    let mut terminal = Terminal::play(data.path());
    let before = terminal.all.len();
    terminal.resize((120, 40));
    let shown = terminal.read_until("the frame of the new size", |terminal| {
        terminal.all.len() > before && terminal.is_whole()
    });
    assert!(shown.lines().count() > 24, "{shown}");
    terminal.quit("\x03");
}

#[test]
fn the_sample_opens_at_once_and_is_kept_from_the_first_change() {
    let data = tempfile::tempdir().unwrap();
    let mut terminal = Terminal::with(data.path(), &[], (80, 24), &[]);
    terminal.wait(|shown| shown.contains("Clocks"));
    assert!(!data.path().join("unsaved-1").exists());
    terminal.press_and_see("3");
    terminal.press_and_see("+");
    assert!(data.path().join("unsaved-1/game.toml").exists());
    terminal.quit("q");
}

/// Reads the state and the history with other people's parsers.
const OTHER_PARSERS: &str = "
import glob, json, sys, tomllib
with open(sys.argv[1] + '/game.toml', 'rb') as file:
    assert tomllib.load(file)['system'].startswith('friday-night-dungeon@')
lines = [line for name in glob.glob(sys.argv[1] + '/journal/*.jsonl') for line in open(name, 'rb')]
assert [json.loads(line)['n'] for line in lines] == list(range(1, len(lines) + 1))
assert len(lines) > 20
";

/// The program with the form of a new note open.
fn on_a_note(data: &Path, environment: &[(&str, &str)]) -> Terminal {
    let mut terminal = Terminal::with(data, &["demo"], (80, 24), environment);
    terminal.wait(|shown| shown.contains("Clocks"));
    terminal.press("a");
    terminal.wait(|shown| shown.contains("Ctrl-E editor"));
    terminal
}

#[test]
fn a_note_is_written_in_an_editor_which_has_the_keyboard_for_itself() {
    let data = new_game("hearts");
    let editor = "echo ready; head -n 1 </dev/tty; echo; kill -STOP $$; echo and the third key >>";
    let environment = [("EDITOR", editor), ("PATH", "/usr/bin:/bin")];
    let mut terminal = on_a_note(data.path(), &environment);
    terminal.press("The cook");
    terminal.wait(|shown| shown.contains("The cook"));
    terminal.press("\x05");
    terminal.wait(|shown| shown.contains("ready"));
    // What is typed now is the editor's, and it is brought back where it stops itself.
    terminal.press("q\r");
    terminal.wait(|shown| shown.contains("The cook") && shown.contains("and the third key"));
    terminal.press("\r");
    terminal.wait(|shown| !shown.contains("Ctrl-E editor"));
    let log = run(data.path(), &["log", "demo"]);
    for words in ["The cook", "and the third key"] {
        assert!(log.contains(words), "{log}");
    }
    terminal.quit("q");

    let environment = [("EDITOR", "false"), ("PATH", "/usr/bin:/bin")];
    let mut terminal = on_a_note(data.path(), &environment);
    terminal.press("Kept\x05");
    terminal.wait(|shown| shown.contains("the note is unchanged") && shown.contains("Kept"));
    terminal.quit("\x03");
}

#[test]
fn other_parsers_read_what_is_written() {
    let python = Command::new("python3")
        .args(["-c", "import tomllib"])
        .status();
    if !python.is_ok_and(|found| found.success()) {
        println!("there is no Python with tomllib here: not tried");
        return;
    }
    let data = new_game("friday-night-dungeon");
    let mut terminal = Terminal::play(data.path());
    let scene = "Die \"\u{e4}u\u{df}ere\" T\u{fc}r\r";
    for keys in ["3", "+", "4", "+", "S", scene, "u"] {
        terminal.press_and_see(keys);
    }
    terminal.quit("q");
    let read = Command::new("python3")
        .args(["-c", OTHER_PARSERS])
        .arg(data.path().join("demo"))
        .status();
    assert!(read.unwrap().success());
}
