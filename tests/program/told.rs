//! What the program tells other programs: entries as they happen, hooks, and clocks as lines.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpListener;
use std::process::{Child, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use serde_json::Value as Json;
use tableside::session::Command;
use tableside::table::{Seat, Table};

use crate::machine::Machine;

/// A slow machine is waited for.
const PATIENCE: Duration = Duration::from_mins(1);

/// A program that runs until it is dropped.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

impl Machine {
    /// Starts it, and hands over the lines of its standard output.
    fn start(&self, words: &[&str]) -> (Running, Receiver<String>) {
        let mut child = self
            .command(words)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let out = BufReader::new(child.stdout.take().unwrap());
        let (give, take) = channel();
        let read = move || {
            for line in out.lines().map_while(Result::ok) {
                give.send(line).unwrap_or_default();
            }
        };
        thread::Builder::new().spawn(read).unwrap();
        (Running(child), take)
    }
}

fn notes(table: &Arc<Table>, count: usize) {
    for number in 0..count {
        let (text, about) = (format!("note {number}"), None);
        let note = Command::Note { text, about };
        table.submit(&Seat::gm(), &note.into()).unwrap();
    }
    table.flush(PATIENCE).unwrap();
}

#[test]
fn who_follows_the_log_reads_every_entry_once_and_in_order() {
    let machine = Machine::with_demo();
    // What is there already comes without waiting for more.
    let (_early, lines) = machine.start(&["log", "demo", "--follow"]);
    assert!(!lines.recv_timeout(PATIENCE).unwrap().is_empty());
    let (_follows, lines) = machine.start(&["log", "demo", "--follow", "--json"]);
    let mut due = 1;
    let mut read_until = |last: u64| {
        while due <= last {
            let line = lines.recv_timeout(PATIENCE).unwrap();
            let entry: Json = serde_json::from_str(&line).unwrap();
            assert_eq!(entry["number"], due, "{line}");
            due += 1;
        }
    };
    let last = |table: &Table| table.read(&Seat::gm(), |seen| seen.log().next().unwrap().number);
    // The game is opened, played, left and opened again beside it.
    for _ in 0..2 {
        let table = machine.open();
        notes(&table, 500);
        read_until(last(&table));
        notes(&table, 1);
        read_until(last(&table));
    }
    machine.run("do demo note The end");
    assert!(lines.recv_timeout(PATIENCE).unwrap().contains("The end"));
    assert!(lines.try_recv().is_err());
}

/// Takes what is posted, and answers.
fn receiver() -> (String, Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/hook", listener.local_addr().unwrap());
    let (give, take) = channel();
    let answer = move || {
        for stream in listener.incoming() {
            let mut stream = BufReader::new(stream.unwrap());
            let mut length = 0;
            loop {
                let mut head = String::new();
                stream.read_line(&mut head).unwrap();
                let head = head.trim_end().to_lowercase();
                if let Some(given) = head.strip_prefix("content-length: ") {
                    length = given.parse().unwrap();
                }
                if head.is_empty() {
                    break;
                }
            }
            let mut body = vec![0; length];
            stream.read_exact(&mut body).unwrap();
            give.send(String::from_utf8(body).unwrap())
                .unwrap_or_default();
            let answer = b"HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n";
            stream.get_mut().write_all(answer).unwrap();
        }
    };
    thread::Builder::new().spawn(answer).unwrap();
    (address, take)
}

#[test]
fn hooks_tell_what_players_see_and_the_gms_own_all_of_it() {
    let machine = Machine::with_demo();
    let (address, posted) = receiver();
    let all = machine.data().join("all");
    let hooks = format!(
        r#"
[[hook]]
on = ["roll", "scene", "clock-full", "note", "clock"]
post = "{address}"
as = "discord"

[[hook]]
on = ["note"]
run = ["sh", "-c", 'cat >> "$1"; echo "$2" >> "$1"', "sh", "{}", "{{text}}"]
sees = "gm"

[[hook]]
on = ["scene"]
run = ["sleep", "600"]

[[hook]]
on = ["scene"]
run = ["/nowhere/at/all"]
"#,
        all.display()
    );
    fs::write(machine.data().join("demo/hooks.toml"), hooks).unwrap();
    let (_serving, said) = machine.start(&["serve", "demo", "--listen", "127.0.0.1:0"]);
    said.recv_timeout(PATIENCE).unwrap();
    let act = |words: &str| {
        let ran = machine.run(&format!("do demo {words}"));
        assert_eq!(ran.code, 0, "{words}: {ran:?}");
    };
    act("add clock Bomb 4 hidden");
    act("fill Bomb");
    act("add clock Door 4");
    act("note The butler did it");
    act("tick Door 3");
    act("next scene The cellar");
    act("tick Door");
    act("roll Mira skill ability=agility cn=9 faces=6,6");
    let mut told = Vec::new();
    for _ in 0..3 {
        let body: Json = serde_json::from_str(&posted.recv_timeout(PATIENCE).unwrap()).unwrap();
        assert_eq!(body["allowed_mentions"]["parse"], serde_json::json!([]));
        told.push(body["content"].as_str().unwrap().to_owned());
    }
    told.sort();
    assert_eq!(told[0], "Door is full.");
    assert!(
        told[1].starts_with("Mira, Skill check: Success, 12 against 9. Dice: "),
        "{told:?}"
    );
    assert_eq!(told[2], "Scene: The cellar.");
    // Hooks of the table's own see everything.
    let mut written = String::new();
    while !written.contains("Noted") {
        thread::sleep(Duration::from_millis(20));
        written = fs::read_to_string(&all).unwrap_or_default();
    }
    assert!(written.starts_with("{\"number\":"), "{written}");
    assert!(
        written.ends_with("Noted: The butler did it.\n"),
        "{written}"
    );
    assert!(posted.try_recv().is_err());
}

#[test]
fn a_game_that_is_open_joins_the_house_that_is_made_later() {
    let machine = Machine::with_demo();
    let (_serving, said) = machine.start(&["serve", "demo", "--listen", "127.0.0.1:0"]);
    said.recv_timeout(PATIENCE).unwrap();
    let (_following, log) = machine.start(&["log", "demo", "--follow"]);
    for (words, due) in [
        ("add clock The reactor 4", "the clock The reactor is new"),
        ("tick The reactor", "The reactor +1: 1 of 4"),
    ] {
        machine.run(&format!("do --house {words}"));
        // The first brings the house into being: the game looks for it when something happens there.
        machine.run("do demo note on we go");
        while !log.recv_timeout(PATIENCE).unwrap().contains(due) {}
    }
}
