//! What comes from outside: signals, sizes, terminals that are none.

use std::fs;
use std::io::{Read as _, Write as _};

use portable_pty::{CommandBuilder, PtySize, native_pty_system};

use super::*;

fn state_of(pid: u32) -> String {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
    let (_, after) = stat.rsplit_once(") ").unwrap();
    after.split(' ').next().unwrap().to_owned()
}

#[test]
fn stopped_from_outside_it_gives_the_terminal_back_and_draws_anew_afterwards() {
    let data = new_game("heart-rush");
    let mut terminal = Terminal::play(data.path());
    let pid = terminal.child.process_id().unwrap();
    terminal.signal("TSTP");
    let deadline = Instant::now() + PATIENCE;
    while state_of(pid) != "T" {
        assert!(Instant::now() < deadline, "it never stopped");
        std::thread::yield_now();
    }
    while let Ok(bytes) = terminal.bytes.recv_timeout(Duration::from_millis(200)) {
        terminal.take(&bytes);
    }
    terminal.is_given_back().unwrap();
    terminal.signal("CONT");
    terminal.wait(|shown| shown.contains("Clocks"));
    assert!(terminal.screen.screen().alternate_screen());
    // No shell started it that could bring it back.
    let shown = terminal.press_and_see("\x1a");
    assert!(shown.contains("there is no shell to return to"), "{shown}");
    let shown = terminal.press_and_see("3");
    assert!(shown.contains("Clocks"), "{shown}");
    terminal.quit("q");
}

#[test]
fn a_key_steps_out_to_the_shell_that_started_it_and_fg_comes_back() {
    let data = new_game("heart-rush");
    let steps = format!("{PROGRAM} demo; echo stepped out; read back; fg");
    let mut command = Command::new("/bin/sh");
    command.args(["-mc", &steps]).env("HOME", data.path());
    command.env("TABLESIDE_DATA", data.path());
    let mut terminal = Terminal::run(&command, (80, 24));
    terminal.wait(|shown| shown.contains("Clocks"));
    terminal.press("\x1a");
    terminal.wait(|shown| shown.contains("stepped out"));
    terminal.is_given_back().unwrap();
    terminal.press("\n");
    terminal.wait(|shown| shown.contains("Clocks"));
    terminal.quit("q");
}

#[test]
fn a_storm_of_sizes_ends_in_a_frame_of_the_last_one() {
    let data = new_game("hfrpg");
    let mut terminal = Terminal::play(data.path());
    for round in 0..300_u16 {
        terminal.resize((1 + round * 7 % 180, 1 + round * 3 % 60));
    }
    terminal.resize((100, 30));
    terminal.press("3");
    terminal.wait(|shown| shown.contains("Clocks") && shown.lines().count() >= 29);
    terminal.quit("q");
}

#[test]
fn a_terminal_of_one_cell_and_one_that_is_dumb_take_keys_and_are_given_back() {
    for (size, term) in [
        ((1, 1), "xterm-256color"),
        ((2, 300), "dumb"),
        ((80, 24), "dumb"),
    ] {
        let data = new_game("hearts");
        let before = status(data.path());
        let environment = [("TERM", term)];
        let mut terminal = Terminal::with(data.path(), &["demo"], size, &environment);
        // Something is drawn: the program listens.
        while !terminal.is_whole() {
            let bytes = terminal.bytes.recv_timeout(PATIENCE).unwrap();
            terminal.take(&bytes);
        }
        terminal.press("3+");
        let deadline = Instant::now() + PATIENCE;
        while status(data.path())["log"] == before["log"] {
            let is_late = Instant::now() > deadline;
            assert!(!is_late, "the clock is never ticked at {size:?}");
        }
        terminal.quit("\x03");
    }
}

#[test]
fn when_the_terminal_goes_away_everything_is_saved() {
    let data = new_game("gnosis");
    let size = PtySize {
        rows: 24,
        cols: 80,
        pixel_width: 0,
        pixel_height: 0,
    };
    let pair = native_pty_system().openpty(size).unwrap();
    let mut command = CommandBuilder::new(PROGRAM);
    command.env("HOME", data.path());
    command.env("TABLESIDE_DATA", data.path());
    command.args(["demo"]);
    let mut child = pair.slave.spawn_command(command).unwrap();
    drop(pair.slave);
    let mut reader = pair.master.try_clone_reader().unwrap();
    let mut writer = pair.master.take_writer().unwrap();
    let mut all = Vec::new();
    while all.is_empty() || !is_whole(&all) {
        let mut bytes = [0; 4096];
        let count = reader.read(&mut bytes).unwrap();
        all.extend_from_slice(&bytes[..count]);
    }
    let entries = || status(data.path())["log"].as_u64().unwrap();
    let before = entries();
    writer.write_all(b"4+").unwrap();
    let deadline = Instant::now() + PATIENCE;
    while entries() == before {
        assert!(Instant::now() < deadline, "the token is never given");
    }
    drop(reader);
    drop(writer);
    drop(pair.master);
    let ended = loop {
        if let Some(ended) = child.try_wait().unwrap() {
            break ended.exit_code();
        }
        assert!(Instant::now() < deadline, "it goes on without a terminal");
        std::thread::yield_now();
    };
    assert_eq!(ended, 129);
    assert_eq!(entries(), before + 1);
    let state = fs::read_to_string(data.path().join("demo/game.toml")).unwrap();
    let state: toml::Table = state.parse().unwrap();
    let last = state["last"].as_integer().unwrap();
    assert!(last > 0, "the state was written");
}
