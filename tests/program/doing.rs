//! `tableside do`, as a shell sees it: alone, beside an open game, and many at once.

use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::net::UnixListener;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use serde_json::Value as Json;
use tableside::commands::{act_in_words, handle_request};
use tableside::game::Clock;
use tableside::table::{OnEdit, Seat, Table};

use crate::machine::{Machine, Ran};
use crate::opened::{open, opening};
use crate::running::Running;

/// How long a disk is waited for.
pub(crate) const PATIENCE: Duration = Duration::from_mins(1);

impl Machine {
    fn folder(&self) -> PathBuf {
        self.data().join("demo")
    }

    /// `tableside do demo …`, the words between blanks.
    fn act(&self, words: &str) -> Ran {
        let words = words.split(' ').filter(|word| !word.is_empty());
        let words: Vec<&str> = ["do", "demo"].into_iter().chain(words).collect();
        self.run_words(&words)
    }

    #[track_caller]
    fn says(&self, words: &str, due: &str) {
        let ran = self.act(words);
        assert_eq!(
            (ran.code, ran.out.as_str(), ran.err.as_str()),
            (0, due, ""),
            "{words}"
        );
    }

    /// Holds the game, and does not answer who calls.
    fn hold(&self) -> Option<Arc<Table>> {
        Some(Table::open(&self.folder(), opening(OnEdit::Ask)).ok()?.0)
    }

    /// Opens the game as a screen does, and answers every caller.
    pub(crate) fn open(&self) -> Arc<Table> {
        let table = self.hold().unwrap();
        table.accept_requests(handle_request);
        table
    }
}

/// The GM does that at the table itself.
pub(crate) fn run_command(table: &Arc<Table>, words: &str) {
    let act = act_in_words(table, &Seat::gm(), words).unwrap();
    table.submit(&Seat::gm(), &act).unwrap();
}

fn clock(table: &Table, name: &str) -> Clock {
    let game = table.game();
    let mut clocks = game.clocks.iter();
    clocks.find(|one| one.name == name).unwrap().clone()
}

#[test]
fn an_open_session_is_acted_in_through_the_program_that_has_it_open() {
    let machine = Machine::with_demo();
    let table = machine.open();
    let before = table.revision();
    machine.says("add clock The siren 6", "New clock: The siren.\n");
    machine.says("tick siren 2", "The siren advances by 2: 2 of 6.\n");
    assert_eq!(clock(&table, "The siren").filled, 2);
    assert!(table.revision() > before);
    let refused = machine.act("tick sirren");
    assert_eq!(refused.code, 1);
    assert_eq!(
        refused.err,
        "there is no clock \"sirren\"; did you mean The siren?\n"
    );
    assert_eq!(machine.act("tik").code, 2);
}

#[test]
fn a_host_that_is_open_in_another_program_takes_what_games_ask() {
    let machine = Machine::with_demo();
    machine.run("do --host add clock The reactor 40");
    let host = open(&machine.data().join(".host"));
    host.accept_requests(handle_request);
    machine.run("do --host tick reactor");
    machine.says("tick reactor 4", "The reactor advances by 4: 5 of 40.\n");
    machine.act("add clock Bridge 2");
    machine.act("link Bridge to The reactor");
    machine.act("tick Bridge 2");
    assert_eq!(clock(&host, "The reactor").filled, 6);
    let refused = machine.act("segments of The reactor 10");
    assert!(refused.err.contains("is a host clock"), "{refused:?}");
    assert_eq!(machine.run("verify demo").code, 0);
}

#[test]
fn a_roll_of_the_command_line_goes_the_same_way() {
    let machine = Machine::with_demo();
    let roll = "roll heart-rush skill --game demo --as Mira --cn 9";
    let seeded = format!("{roll} --json --seed {}", "5eed".repeat(16));
    let roll = format!("{roll} --faces 5,4");
    let table = machine.open();
    let there = machine.run(&roll);
    assert_eq!((there.code, there.err.as_str()), (0, ""), "{there:?}");
    let one = machine.run(&seeded);
    let rolled: Json = serde_json::from_str(&one.out).unwrap();
    assert_eq!(log(&machine).last().unwrap()["who"], "Mira");
    table.flush(PATIENCE).unwrap();
    drop(table);
    let here = machine.run(&roll);
    assert_eq!(here.out, there.out);
    let other = machine.run(&seeded);
    let again: Json = serde_json::from_str(&other.out).unwrap();
    assert_eq!(rolled["dice"], again["dice"]);
    assert_eq!(machine.run("verify demo").code, 0);
}

#[test]
fn many_processes_and_a_screen_lose_nothing_whichever_holds_the_session() {
    let machine = Machine::with_demo();
    machine.act("add clock Work 128");
    let spawn = |count: usize| -> Vec<_> {
        let ticks = (0..count).map(|_| {
            let mut command = machine.command(&["do", "demo", "tick", "work"]);
            command
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap()
        });
        ticks.collect()
    };
    let mut children = spawn(12);
    // Among them a screen that comes, plays and goes.
    let table = loop {
        match machine.hold() {
            Some(table) => break table,
            None => thread::yield_now(),
        }
    };
    table.accept_requests(handle_request);
    children.extend(spawn(12));
    for _ in 0..20 {
        run_command(&table, "tick work");
    }
    children.extend(spawn(6));
    table.retire();
    table.flush(PATIENCE).unwrap();
    drop(table);
    children.extend(spawn(6));
    for child in children {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{output:?}");
    }
    let status = machine.run("status demo").out;
    let work = format!("Work: effort, {} of 128", 12 + 12 + 20 + 6 + 6);
    assert!(status.contains(&work), "{status}");
    assert_eq!(machine.run("verify demo").code, 0);
}

/// How the kernel says that a process stands: `T` where it is stopped.
fn stands(pid: u32) -> String {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
    let (_, rest) = stat.rsplit_once(") ").unwrap();
    rest.chars().take(1).collect()
}

fn until_it_stands(pid: u32, state: &str) {
    while stands(pid) != state {
        assert_ne!(stands(pid), "Z", "it has ended");
        thread::yield_now();
    }
}

fn signal(pid: u32, signal: &str) {
    let words = [signal.to_owned(), pid.to_string()];
    assert!(Command::new("kill").args(words).status().unwrap().success());
}

#[test]
fn who_is_stopped_while_waiting_does_not_hand_it_in_twice() {
    let machine = Machine::with_demo();
    // It holds the game; who stands at its door is this test.
    let _table = machine.hold().unwrap();
    let door = UnixListener::bind(machine.folder().join("socket")).unwrap();
    let mut command = machine.command(&["do", "demo", "note", "once"]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let caller = command.spawn().unwrap();
    let (mut stream, _) = door.accept().unwrap();
    writeln!(stream, "{{\"tableside\":1}}").unwrap();
    let mut request = String::new();
    BufReader::new(&stream).read_line(&mut request).unwrap();
    assert!(request.contains("note once"), "{request}");
    // It waits for an answer now, and is stopped in that, and goes on.
    until_it_stands(caller.id(), "S");
    signal(caller.id(), "-STOP");
    until_it_stands(caller.id(), "T");
    signal(caller.id(), "-CONT");
    until_it_stands(caller.id(), "S");
    writeln!(stream, "{{\"taken\":true}}").unwrap();
    let refused = r#"{"Err":{"misspoken":false,"what":"heard","hint":null}}"#;
    writeln!(stream, "{refused}").unwrap();
    let told = caller.wait_with_output().unwrap();
    assert_eq!(String::from_utf8(told.stderr).unwrap(), "heard\n");
    door.set_nonblocking(true).unwrap();
    assert!(door.accept().is_err(), "it called again");
}

/// The program with these words, where no file may grow beyond so many blocks of 512 or 1,024 bytes.
fn narrow(machine: &Machine, blocks: u32, words: &str) -> Command {
    machine.line(&format!("ulimit -f {blocks}; exec tableside {words}"))
}

#[test]
fn what_does_not_fit_on_the_disk_is_said_not_to_be_saved() {
    let machine = Machine::with_demo();
    let alone = narrow(&machine, 1, "do demo note Alone").output().unwrap();
    let told = String::from_utf8(alone.stderr).unwrap();
    assert_eq!(alone.status.code(), Some(1), "{told}");
    let unsaved = "are not saved: cannot write the journal";
    assert!(told.contains(unsaved), "{told}");
    let mut serve = narrow(&machine, 4, "serve demo --listen 127.0.0.1:0");
    let serving = Running::start(&mut serve);
    // It says when people may join.
    serving.line();
    let ran = machine.act("note Handed in");
    assert_eq!(ran.code, 1, "{ran:?}");
    assert_eq!(ran.out, "Noted: Handed in.\n");
    let unsaved = "the change was made but is not saved: cannot write the journal";
    assert!(ran.err.starts_with(unsaved), "{ran:?}");
}

#[test]
fn opening_waits_for_a_command_that_holds_the_session_for_a_moment() {
    let machine = Machine::with_demo();
    let table = machine.hold().unwrap();
    let mut serve = machine.command(&["serve", "demo", "--listen", "127.0.0.1:0"]);
    let serving = Running::start(&mut serve);
    // It sleeps once it has found the game held, and tries again.
    until_it_stands(serving.child.id(), "S");
    drop(table);
    let said = serving.line();
    assert!(said.contains("open"), "{said}");
}

/// The log as JSON.
fn log(machine: &Machine) -> Vec<Json> {
    let log = machine.run("log demo --json");
    serde_json::from_str(&log.out).unwrap()
}

#[test]
fn an_entry_that_is_not_in_memory_is_reached_all_the_same() {
    let machine = Machine::new();
    machine.run("new demo --system heart-rush");
    machine.act("add character Ana");
    machine.act("roll Ana might cn=12 faces=5,6");
    let number = log(&machine).last().unwrap()["number"].as_u64().unwrap();
    {
        let table = machine.open();
        for number in 0..600 {
            run_command(&table, &format!("note note {number}"));
        }
        table.flush(PATIENCE).unwrap();
    }
    let amended = machine.act(&format!("amend {number} modifier=1"));
    let outcome = "Success, 12 vs 12";
    assert!(amended.out.contains(outcome), "{amended:?}");
    for words in ["repeat", &format!("repeat {number}")] {
        let ran = machine.act(words);
        assert_eq!(ran.code, 0, "{words}: {ran:?}");
    }
    let far = machine.act("amend 999999 modifier=1");
    assert_eq!(far.err, "that entry no longer exists\n");
}
