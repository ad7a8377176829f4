//! What the program tells other programs: entries as they happen, hooks, and clocks as lines.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpListener;
use std::process::Stdio;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use serde_json::Value as Json;
use tableside::table::{Seat, Table};

use crate::doing::{PATIENCE, run_command};
use crate::machine::Machine;
use crate::running::Running;

/// Starts it on that machine.
fn start(machine: &Machine, words: &str) -> Running {
    let words: Vec<&str> = words.split(' ').collect();
    Running::start(machine.command(&words).stderr(Stdio::null()))
}

fn notes(table: &Arc<Table>, count: usize) {
    for number in 0..count {
        run_command(table, &format!("note note {number}"));
    }
    table.flush(PATIENCE).unwrap();
}

#[test]
fn who_follows_the_log_reads_every_entry_once_and_in_order() {
    let machine = Machine::with_demo();
    // What is there already comes without waiting for more.
    assert!(!start(&machine, "log demo --follow").line().is_empty());
    let follows = start(&machine, "log demo --follow --json");
    let mut due = 1;
    let mut read_until = |last: u64| {
        while due <= last {
            let line = follows.line();
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
    assert!(follows.line().contains("The end"));
    assert!(follows.lines.try_recv().is_err());
}

/// Takes what is posted, and answers.
fn receiver() -> (String, Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/hook", listener.local_addr().unwrap());
    let (give, take) = channel();
    let answer = move || {
        for stream in listener.incoming() {
            let mut stream = BufReader::new(stream.unwrap());
            let head = stream.by_ref().lines().map(Result::unwrap);
            let head: Vec<_> = head.take_while(|line| !line.is_empty()).collect();
            let head = head.join("\n").to_lowercase();
            let (_, length) = head.split_once("content-length: ").unwrap();
            let length = length.lines().next().unwrap().parse().unwrap();
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
    let hooks = include_str!("hooks.toml").replace("ADDRESS", &address);
    let hooks = hooks.replace("WRITTEN", all.to_str().unwrap());
    fs::write(machine.data().join("demo/hooks.toml"), hooks).unwrap();
    let serving = start(&machine, "serve demo --listen 127.0.0.1:0");
    serving.line();
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
    act("add clock Patrol 4");
    act("loop Patrol");
    act("tick Patrol 6");
    act("add clocks Patrol: 1/4");
    act("roll Mira skill ability=agility cn=9 faces=6,6");
    let mut told = Vec::new();
    for _ in 0..4 {
        let body: Json = serde_json::from_str(&posted.recv_timeout(PATIENCE).unwrap()).unwrap();
        assert_eq!(body["allowed_mentions"]["parse"], serde_json::json!([]));
        told.push(body["content"].as_str().unwrap().to_owned());
    }
    told.sort();
    assert_eq!(told[0], "Door is full.");
    let roll = "Mira, Skill check: Success, 12 vs 9. Dice: ";
    assert!(told[1].starts_with(roll), "{told:?}");
    assert_eq!(told[2..], ["Patrol is full.", "Scene: The cellar."]);
    // Hooks of the table's own see everything.
    let mut written = String::new();
    while !written.contains("Noted") {
        thread::sleep(Duration::from_millis(20));
        written = fs::read_to_string(&all).unwrap_or_default();
    }
    assert!(written.starts_with("{\"number\":"), "{written}");
    let noted = "Noted: The butler did it.\n";
    assert!(written.ends_with(noted), "{written}");
    assert!(posted.try_recv().is_err());
}

#[test]
fn a_game_that_is_open_joins_the_host_that_is_made_later() {
    let machine = Machine::with_demo();
    let serving = start(&machine, "serve demo --listen 127.0.0.1:0");
    serving.line();
    let log = start(&machine, "log demo --follow");
    for (words, due) in [
        ("add clock The reactor 4", "the clock The reactor is new"),
        ("tick The reactor", "The reactor +1: 1 of 4"),
    ] {
        machine.run(&format!("do --host {words}"));
        // The first brings the host into being: the game looks for it when something happens there.
        machine.run("do demo note on we go");
        while !log.line().contains(due) {}
    }
}

/// Whatever the page tells of the table, `status --json` tells too, under the same names or under those of sheets.
#[test]
fn the_status_tells_all_that_the_page_tells() {
    /// Parts of the page that say how something is drawn, or that stand on the sheet.
    const DRAWN: [&str; 12] = [
        "role", "words", "standing", "stats", "marks", "can", "clocks", "pools", "part", "whole",
        "game", "struck",
    ];
    let machine = Machine::with_demo();
    machine.run("do demo initiative Mira 12");
    let status: Json = serde_json::from_str(&machine.run("status demo --json").out).unwrap();
    let page = machine.open().read(&Seat::gm(), |seen| {
        tableside::screen::table_json("demo", seen)
    });

    for (part, shown) in &page {
        assert!(status.get(part).is_some(), "status --json has no {part}");
        let (Some(shown), Some(told)) = (shown.as_array(), status[part].as_array()) else {
            continue;
        };
        let (Some(shown), Some(told)) = (shown.first(), told.first()) else {
            panic!("the demo shows no {part}");
        };
        for name in shown.as_object().unwrap().keys() {
            let is_told = told.get(name).is_some() || DRAWN.contains(&name.as_str());
            assert!(is_told, "{part} in status --json: no {name}");
        }
    }
}
