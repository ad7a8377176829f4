//! `tableside do`, as a shell sees it: alone, beside an open session, and many at once.

use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::net::UnixListener;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::thread;

use crate::machine::{Machine, Ran};
use chrono::{DateTime, Utc};
use serde_json::Value as Json;
use tableside::dice::Luck;
use tableside::table::{OnEdit, Opening, Seat, Table};

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

    /// Opens the session as a screen does, and answers whoever calls.
    fn open(&self) -> Arc<Table> {
        let opening = Opening {
            clock: noon,
            dice: Box::new(Luck::from_key([1; 32])),
            view: false,
            on_edit: OnEdit::Ask,
        };
        let (table, _) = Table::open(&self.folder(), opening).unwrap();
        table.attend();
        table
    }
}

fn noon() -> DateTime<Utc> {
    "2026-11-20T12:00:00Z".parse().unwrap()
}

fn filled(table: &Table, name: &str) -> u8 {
    table.read(&Seat::gm(), |seen| {
        let mut clocks = seen.clocks();
        clocks
            .find(|one| one.clock.name == name)
            .unwrap()
            .clock
            .filled
    })
}

#[test]
fn an_act_is_told_in_a_sentence_and_stays() {
    let machine = Machine::with_demo();
    machine.says("add clock The siren 6 countdown", "New clock: The siren.\n");
    machine.says("tick the siren 2", "The siren advances by 2: 2 of 6.\n");
    machine.says("tick siren", "The siren advances by 1: 3 of 6.\n");
    let undone = machine.act("undo");
    assert!(undone.out.starts_with("Took back entry "), "{undone:?}");
    let status = machine.run_words(&["status", "demo"]);
    assert!(
        status.out.contains("The siren: countdown, 2 of 6."),
        "{}",
        status.out
    );
    machine.says("next scene The warehouse", "The scene: The warehouse.\n");
}

#[test]
fn json_is_the_entry_as_the_log_has_it() {
    let machine = Machine::with_demo();
    machine.act("add clock The siren 6");
    for words in ["tick siren --json", "note --json a rope", "undo --json"] {
        let ran = machine.act(words);
        assert_eq!(ran.code, 0, "{ran:?}");
        let told: Json = serde_json::from_str(&ran.out).unwrap();
        let log = machine.run_words(&["log", "demo", "--json"]);
        let log: Vec<Json> = serde_json::from_str(&log.out).unwrap();
        let mut last = log.last().unwrap().clone();
        // Seconds are told; the entry is the same to the last key.
        assert_eq!(
            told["at"].as_str().unwrap().len(),
            last["at"].as_str().unwrap().len()
        );
        last["at"] = told["at"].clone();
        assert_eq!(told.to_string(), last.to_string());
    }
}

#[test]
fn what_is_wrong_is_said_in_a_line_and_by_the_exit_code() {
    let machine = Machine::with_demo();
    let ran = machine.act("tik the alarm");
    assert_eq!(ran.code, 2);
    assert_eq!(
        ran.err,
        "no action begins with \"tik\"; did you mean tick?\nhint: `tableside do --list` lists all actions\n"
    );
    let ran = machine.act("tick the dragon");
    assert_eq!((ran.code, ran.out.as_str()), (1, ""));
    assert!(ran.err.starts_with("there is no clock"), "{ran:?}");
    let ran = machine.act("set Mira hit-points many");
    assert_eq!(ran.code, 2, "{ran:?}");
    assert!(
        ran.err.starts_with("hit-points must be a number"),
        "{ran:?}"
    );
    assert_eq!(machine.act("add clock Dawn 200").code, 2);
    assert_eq!(machine.act("tick").code, 2);
    assert_eq!(machine.act("").code, 2);
    assert_eq!(machine.run_words(&["do", "nowhere", "undo"]).code, 1);
    assert_eq!(machine.run_words(&["do"]).code, 2);
}

#[test]
fn all_that_can_be_said_is_listed() {
    let machine = Machine::with_demo();
    let list = machine.run_words(&["do", "--list"]);
    assert_eq!(list.code, 0);
    assert!(list.out.contains("tick CLOCK [AMOUNT]"), "{}", list.out);
    assert_eq!(machine.act("help").out, list.out);
    let json = machine.run_words(&["do", "--list", "--json"]);
    let all: Vec<Json> = serde_json::from_str(&json.out).unwrap();
    assert!(
        all.iter()
            .all(|one| one["help"].is_string() && one["form"].is_string())
    );
}

#[test]
fn every_example_of_the_list_is_understood() {
    let machine = Machine::with_demo();
    let json = machine.run_words(&["do", "--list", "--json"]);
    let all: Vec<Json> = serde_json::from_str(&json.out).unwrap();
    for one in all {
        let ran = machine.act(one["example"].as_str().unwrap());
        // Names of the examples are not all in the sample; the words themselves are right.
        assert!(!ran.err.contains("say it as in"), "{one}: {ran:?}");
    }
}

#[test]
fn an_open_session_is_acted_in_through_whoever_has_it_open() {
    let machine = Machine::with_demo();
    let table = machine.open();
    let before = table.revision();
    machine.says("add clock The siren 6", "New clock: The siren.\n");
    machine.says("tick siren 2", "The siren advances by 2: 2 of 6.\n");
    assert_eq!(filled(&table, "The siren"), 2);
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
fn a_roll_of_the_command_line_goes_the_same_way() {
    let machine = Machine::with_demo();
    let words = [
        "roll",
        "heart-rush",
        "skill",
        "--session",
        "demo",
        "--as",
        "Mira",
        "--cn",
        "9",
        "--faces",
        "5,4",
    ];
    let table = machine.open();
    let there = machine.run_words(&words);
    assert_eq!((there.code, there.err.as_str()), (0, ""), "{there:?}");
    let seed = "5eed".repeat(16);
    let seeded: Vec<&str> = words[..9]
        .iter()
        .copied()
        .chain(["--json", "--seed", &seed])
        .collect();
    let one = machine.run_words(&seeded);
    let roll: Json = serde_json::from_str(&one.out).unwrap();
    assert_eq!(
        table.read(&Seat::gm(), |seen| seen
            .log()
            .next()
            .unwrap()
            .roll()
            .unwrap()
            .who
            .clone()),
        "Mira"
    );
    table.flush(std::time::Duration::from_mins(1)).unwrap();
    drop(table);
    let here = machine.run_words(&words);
    assert_eq!(here.out, there.out);
    let other = machine.run_words(&seeded);
    let again: Json = serde_json::from_str(&other.out).unwrap();
    assert_eq!(roll["dice"], again["dice"]);
    assert_eq!(machine.run_words(&["verify", "demo"]).code, 0);
}

#[test]
fn many_processes_and_a_screen_lose_nothing_whoever_holds_the_session() {
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
        let opening = Opening {
            clock: noon,
            dice: Box::new(Luck::from_key([1; 32])),
            view: false,
            on_edit: OnEdit::Ask,
        };
        match Table::open(&machine.folder(), opening) {
            Ok((table, _)) => break table,
            Err(_) => thread::yield_now(),
        }
    };
    table.attend();
    children.extend(spawn(12));
    let clock = table.read(&Seat::gm(), |seen| {
        let mut clocks = seen.clocks();
        clocks
            .find(|one| one.clock.name == "Work")
            .unwrap()
            .clock
            .id
    });
    for _ in 0..20 {
        let tick = tableside::session::Command::Tick { clock, by: 1 };
        table.submit(&Seat::gm(), &tick.into()).unwrap();
    }
    children.extend(spawn(6));
    table.retire();
    table.flush(std::time::Duration::from_mins(1)).unwrap();
    drop(table);
    children.extend(spawn(6));
    for child in children {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{output:?}");
    }
    let status = machine.run_words(&["status", "demo", "--json"]);
    let status: Json = serde_json::from_str(&status.out).unwrap();
    let clocks = status["clocks"].as_array().unwrap();
    let work = clocks.iter().find(|clock| clock["name"] == "Work").unwrap();
    assert_eq!(work["filled"], 12 + 12 + 20 + 6 + 6);
    assert_eq!(machine.run_words(&["verify", "demo"]).code, 0);
}

/// How the kernel says that a process stands: `T` where it is stopped.
fn stands(pid: u32) -> String {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
    let (_, rest) = stat.rsplit_once(") ").unwrap();
    rest.chars().take(1).collect()
}

fn signal(pid: u32, signal: &str) {
    let words = [signal.to_owned(), pid.to_string()];
    assert!(Command::new("kill").args(words).status().unwrap().success());
}

#[test]
fn who_is_stopped_while_waiting_does_not_hand_it_in_twice() {
    let machine = Machine::with_demo();
    let opening = Opening {
        clock: noon,
        dice: Box::new(Luck::from_key([1; 32])),
        view: false,
        on_edit: OnEdit::Ask,
    };
    // It holds the session; who stands at its door is this test.
    let (_table, _) = Table::open(&machine.folder(), opening).unwrap();
    let door = UnixListener::bind(machine.folder().join("socket")).unwrap();
    let mut command = machine.command(&["do", "demo", "note", "once"]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let caller = command.spawn().unwrap();
    let (mut stream, _) = door.accept().unwrap();
    writeln!(stream, "{{\"tableside\":1}}").unwrap();
    let mut errand = String::new();
    BufReader::new(&stream).read_line(&mut errand).unwrap();
    assert!(errand.contains("note once"), "{errand}");
    // It waits for an answer now, and is stopped in that, and goes on.
    while stands(caller.id()) != "S" {
        thread::yield_now();
    }
    signal(caller.id(), "-STOP");
    while stands(caller.id()) != "T" {
        thread::yield_now();
    }
    signal(caller.id(), "-CONT");
    while stands(caller.id()) != "S" {
        thread::yield_now();
    }
    writeln!(stream, "{{\"taken\":true}}").unwrap();
    writeln!(
        stream,
        "{{\"Err\":{{\"misspoken\":false,\"what\":\"heard\",\"hint\":null}}}}"
    )
    .unwrap();
    let told = caller.wait_with_output().unwrap();
    assert_eq!(String::from_utf8(told.stderr).unwrap(), "heard\n");
    door.set_nonblocking(true).unwrap();
    assert!(door.accept().is_err(), "it called again");
}

/// The program with these words, where no file may grow beyond so many blocks of 512 or 1,024 bytes.
fn narrow(machine: &Machine, blocks: u32, words: &str) -> Command {
    let line = format!(
        "ulimit -f {blocks}; exec {} {words}",
        env!("CARGO_BIN_EXE_tableside")
    );
    let usual = machine.command(&[]);
    let mut command = Command::new("/bin/sh");
    command.env_clear().args(["-c", &line]).stdin(Stdio::null());
    for (name, value) in usual.get_envs() {
        command.env(name, value.unwrap_or_default());
    }
    command
}

#[test]
fn what_does_not_fit_on_the_disk_is_said_not_to_be_saved() {
    let machine = Machine::with_demo();
    let alone = narrow(&machine, 1, "do demo note Alone").output().unwrap();
    let told = String::from_utf8(alone.stderr).unwrap();
    assert_eq!(alone.status.code(), Some(1), "{told}");
    assert!(
        told.contains("are not saved: cannot write the journal"),
        "{told}"
    );
    let mut serving = narrow(&machine, 4, "serve demo --listen 127.0.0.1:0")
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    // It says when people may join.
    let mut said = String::new();
    BufReader::new(serving.stdout.as_mut().unwrap())
        .read_line(&mut said)
        .unwrap();
    let ran = machine.act("note Handed in");
    assert_eq!(ran.code, 1, "{ran:?}");
    assert_eq!(ran.out, "Noted: Handed in.\n");
    assert!(
        ran.err
            .starts_with("it was done, but it is not saved: cannot write the journal"),
        "{ran:?}"
    );
    serving.kill().unwrap();
    serving.wait().unwrap();
}

#[test]
fn opening_waits_for_a_command_that_holds_the_session_for_a_moment() {
    let machine = Machine::with_demo();
    let opening = Opening {
        clock: noon,
        dice: Box::new(Luck::from_key([1; 32])),
        view: false,
        on_edit: OnEdit::Ask,
    };
    let (table, _) = Table::open(&machine.folder(), opening).unwrap();
    let mut serving = machine
        .command(&["serve", "demo", "--listen", "127.0.0.1:0"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // It sleeps once it has found the session held, and tries again.
    let mut state = stands(serving.id());
    while state != "S" {
        assert_ne!(state, "Z", "it gave up");
        thread::yield_now();
        state = stands(serving.id());
    }
    drop(table);
    let mut said = String::new();
    BufReader::new(serving.stdout.as_mut().unwrap())
        .read_line(&mut said)
        .unwrap();
    assert!(said.contains("open"), "{said}");
    serving.kill().unwrap();
    serving.wait().unwrap();
}

/// A machine with a game of that system under the name `demo`, and these characters in it.
fn game(system: &str, characters: &[&str]) -> Machine {
    let machine = Machine::new();
    let ran = machine.run_words(&["new", "demo", "--system", system]);
    assert_eq!(ran.code, 0, "{ran:?}");
    for name in characters {
        machine.says(
            &format!("add character {name}"),
            &format!("New character: {name}.\n"),
        );
    }
    machine
}

/// The log as JSON.
fn log(machine: &Machine) -> Vec<Json> {
    let log = machine.run_words(&["log", "demo", "--json"]);
    serde_json::from_str(&log.out).unwrap()
}

#[test]
fn an_act_a_log_and_the_status_tell_what_the_rules_need_next() {
    let machine = game("hearts", &["Ann", "Guard"]);
    machine.act("set Ann skills Stealth 60");
    machine.act("set Guard skills Deflect 50");
    machine.says(
        "roll Ann stealth faces=2,0",
        "Ann, Skill check: Heroic Success, 20 against 60.\nDice: tens 2, ones 0.\n\
         3 successes, 2 of them beyond the first.\n",
    );
    machine.says(
        "roll Ann opposed stealth against=Guard:Deflect faces=2,0,9,8",
        "Ann, Opposed check: Aggressor.\nDice: tens 2, ones 0, tens 9, ones 8.\n\
         3 less 0 leaves the aggressor 3 successes, resolved as a Heroic Success; the defender counts as having \
         rolled a Failure.\n",
    );
    let tie = machine.act("roll Ann opposed stealth against=Guard:Deflect faces=9,7,9,8");
    assert!(
        tie.out.contains("each side gets half the result"),
        "{tie:?}"
    );
    for told in ["status", "log"] {
        let told = machine.run_words(&[told, "demo"]).out;
        for due in [
            "3 successes, 2 of them beyond the first",
            "resolved as a Heroic Success",
            "each side gets half the result",
        ] {
            assert!(told.contains(due), "{due}: {told}");
        }
    }
}

#[test]
fn what_followed_is_told_with_its_numbers() {
    let machine = game("gnosis", &["Max", "Zoe"]);
    machine.act("add clock Gate 3");
    machine.act("tick Gate");
    let won = machine.act("roll Max pain=3 faces=12,10,8,1,1,1 for Gate");
    assert!(
        won.out.ends_with(
            "27 more than it needed, the dominant theme is power.\n2 effect levels.\nGate 1 to 3 of 3, full.\n"
        ),
        "{won:?}"
    );
    let one = machine.act("roll Max pain=3 help=Zoe faces=5,5,5,7,7,7");
    assert!(one.out.contains("Max: Stress 0 to 1 of 3.\n"), "{one:?}");
    assert!(!one.out.contains("Zoe: "), "{one:?}");
    let two = machine.act("roll Max pain=3 help=Zoe faces=1,1,1,9,9,9");
    assert!(
        two.out.contains("What goes wrong is shared with Zoe.\nMax: Stress 1 to 2 of 3.\nZoe: Stress 0 to 1 of 3.\n"),
        "{two:?}"
    );
    let hurt = machine.act("roll Max pain=3 faces=1,1,1,9,9,9");
    assert!(
        hurt.out.contains("Max: Stress 2 to 3 of 3, full.\n")
            && hurt.out.contains("Max: Traumas 0 to 1.\n"),
        "{hurt:?}"
    );
    let log = machine.run_words(&["log", "demo"]).out;
    assert!(log.contains("; Gate 1 to 3 of 3, full\n"), "{log}");
    assert_eq!(machine.run_words(&["verify", "demo"]).code, 0);
}

#[test]
fn combat_dice_say_what_they_show() {
    let machine = game("friday-night-dungeon", &["Tess", "Hob"]);
    let combat = machine.act("roll Tess combat faces=1,1,6");
    assert!(
        combat.out.ends_with("1 sword, 0 talents, 2 shields.\n"),
        "{combat:?}"
    );
}

#[test]
fn what_stands_on_the_sheet_is_rolled_by_its_name_in_every_system() {
    let machine = game("friday-night-dungeon", &["Tess", "Hob"]);
    machine.act("set Tess skills climbing 2");
    let climb = machine.act("roll Tess climbing moderate faces=3,4");
    assert!(climb.out.starts_with("Tess, Challenge: "), "{climb:?}");
    let open = machine.act("roll Tess climbing");
    assert!(open.err.starts_with("difficulty is missing"), "{open:?}");
    machine.act("roll Hob strength moderate kind=mental about=the door faces=1,2");
    machine.says("unlock Hob door", "Hob: may try the door again.\n");
    assert_eq!(
        machine.act("unlock Hob door").err,
        "there is nothing to unlock\n"
    );
}

#[test]
fn a_call_that_is_answered_in_words_keeps_its_fields_and_its_helpers() {
    let machine = game("heart-rush", &["Ana", "Bo", "Cy"]);
    machine.act("lower Cy agility");
    machine.act("call worst skill agility cn=9");
    let status = machine.run_words(&["status", "demo"]).out;
    assert!(
        status.contains("  Cy: Skill check, ability Agility, cn 9, with help from Ana, Bo.\n"),
        "{status}"
    );
    machine.says(
        "roll Cy faces=5,4,4",
        "Cy, Skill check: Success, 9 against 9.\n\
         Dice: heart d8 shows 5, ability d4 shows 4. Not counted: extra d4 shows 4.\n\
         Everybody succeeds: Cy, Ana, Bo.\n",
    );
    let status = machine.run_words(&["status", "demo"]).out;
    assert!(!status.contains("Called on to roll"), "{status}");
    // With more words, and through the command for scripts, it is the same call.
    machine.act("call worst skill agility cn=9");
    let said = machine.act("roll Cy skill modifier=1 faces=5,3,3");
    assert!(
        said.out.contains("Everybody succeeds: Cy, Ana, Bo."),
        "{said:?}"
    );
    machine.act("call worst skill agility cn=9");
    let words = "roll heart-rush skill --session demo --as Cy --faces 5,3,3";
    let words: Vec<&str> = words.split(' ').collect();
    let ran = machine.run_words(&words);
    assert_eq!(
        ran.out,
        "failure  8 against 9\nheart d8 5, ability d4 3, (extra d4 3)\nwhat goes wrong is shared with Ana, Bo\n"
    );
}

#[test]
fn of_a_choice_that_nobody_made_the_default_is_told() {
    let machine = game("heart-rush", &["Ana"]);
    let ran = machine.act("roll Ana might cn=9 faces=1,6,4");
    assert!(
        ran.out
            .contains("Chosen by default: Re-roll the 1, with a complication.\n"),
        "{ran:?}"
    );
    let ran = machine.act("roll Ana might cn=9 faces=1,6,4 choose=complication");
    assert!(!ran.out.contains("default"), "{ran:?}");
}

#[test]
fn free_dice_are_logged_taken_back_and_told() {
    let machine = game("heart-rush", &["Ana"]);
    machine.says(
        "roll 2d6+1 faces=3,4",
        "Dice, 2d6+1: 8.\nDice: d6 3, d6 4.\n",
    );
    machine.says(
        "roll Ana 3d6kh2 hidden faces=3,4,1",
        "Ana, dice, 3d6kh2: 7.\nDice: d6 3, d6 4, (d6 1).\n",
    );
    machine.says(
        "roll nobody d20 faces=20",
        "Dice, d20: 20.\nDice: d20 20.\n",
    );
    let words = [
        "roll",
        "--session",
        "demo",
        "--as",
        "Ana",
        "2d6",
        "--faces",
        "1,2",
    ];
    assert_eq!(machine.run_words(&words).out, "3\nd6 1, d6 2\n");
    machine.says("undo", "Took back entry 5: Ana, dice, 2d6: 3.\n");
    let dice: Vec<Json> = log(&machine)
        .into_iter()
        .filter(|entry| entry["kind"] == "dice")
        .collect();
    assert_eq!(dice.len(), 4);
    assert_eq!(dice[1]["who"], "Ana");
    assert_eq!(dice[1]["hidden-from"][0], "*");
    assert_eq!(dice[1]["notation"], "3d6kh2");
    assert_eq!(dice[1]["total"], 7);
    assert_eq!(dice[1]["dice"][2]["kept"], false);
    assert_eq!(dice[3]["struck"], true);
    let status = machine.run_words(&["status", "demo"]).out;
    assert!(
        status
            .contains("Last rolls\n  Dice, d20: 20.\n  Ana, dice, 3d6kh2: 7.\n  Dice, 2d6+1: 8.\n"),
        "{status}"
    );
    let csv = machine.run_words(&["log", "demo", "--csv"]).out;
    assert!(csv.contains(",dice,,,,,8,,\"d6 3, d6 4\","), "{csv}");
    assert_eq!(machine.run_words(&["verify", "demo"]).code, 0);
    // The bounds of a log, and what is no dice.
    let many = machine.act("roll 1001d6");
    assert_eq!(many.code, 1, "{many:?}");
    assert!(
        many.err.starts_with("a log keeps at most 1000 dice"),
        "{many:?}"
    );
    assert_eq!(machine.act("roll 2d6 faces=7,1").code, 2);
}

#[test]
fn an_entry_is_explained_step_by_step() {
    let machine = game("heart-rush", &["Ana"]);
    machine.act("roll Ana might cn=12 faces=5,6");
    let log_of = |number: &str| machine.run_words(&["log", "demo", "--explain", number]);
    let number = log(&machine).last().unwrap()["number"].to_string();
    let told = log_of(&number);
    assert_eq!(told.code, 0, "{told:?}");
    for due in [
        "Ana, Skill check: Failure, 11 against 12",
        "Ability die d6 (Might)",
        "heart d8 5, ability d6 6",
        " 1  ",
        "11 is below the Challenge Number 12",
    ] {
        assert!(told.out.contains(due), "{due}: {told:?}");
    }
    let none = log_of("999");
    assert_eq!(none.code, 1);
    assert!(none.err.starts_with("there is no entry #999"), "{none:?}");
}

#[test]
fn a_check_that_was_only_begun_is_no_roll_in_json() {
    let machine = game("heart-rush", &["Ana"]);
    machine.act("roll Ana might cn=9 faces=1,6 wait");
    machine.act("abandon Ana");
    machine.act("roll Ana might cn=9 faces=5,6");
    let log = log(&machine);
    let begun = log.iter().find(|entry| entry["kind"] == "roll-begun");
    let begun = begun.unwrap();
    assert_eq!(
        (&begun["who"], &begun["check"]),
        (&"Ana".into(), &"skill".into())
    );
    assert!(
        begun["id"].is_number() && begun["text"].is_string(),
        "{begun}"
    );
    assert!(begun["roll"].is_null(), "{begun}");
    let rolls: Vec<&Json> = log.iter().filter(|entry| entry["kind"] == "roll").collect();
    assert_eq!(rolls.len(), 1);
    assert!(rolls.iter().all(|entry| entry["roll"].is_object()));
    let fields = rolls[0]["roll"]["fields"].as_object().unwrap();
    assert!(fields.contains_key("vulnerability"), "{fields:?}");
}

#[test]
fn an_entry_that_is_not_in_memory_is_reached_all_the_same() {
    let machine = game("heart-rush", &["Ana"]);
    machine.act("roll Ana might cn=12 faces=5,6");
    let number = log(&machine).last().unwrap()["number"].as_u64().unwrap();
    {
        let table = machine.open();
        for note in 0..600 {
            let command = tableside::session::Command::Note {
                text: format!("note {note}"),
                about: None,
            };
            table.submit(&Seat::gm(), &command.into()).unwrap();
        }
        table.flush(std::time::Duration::from_mins(1)).unwrap();
    }
    let amended = machine.act(&format!("amend {number} modifier=1"));
    assert!(
        amended.out.contains("Success, 12 against 12"),
        "{amended:?}"
    );
    for words in [
        "repeat",
        &format!("repeat {number}"),
        &format!("strike {}", number - 1),
    ] {
        let ran = machine.act(words);
        assert!(
            ran.code == 0 || words.starts_with("strike"),
            "{words}: {ran:?}"
        );
    }
    let far = machine.act("amend 999999 modifier=1");
    assert_eq!(far.err, "that entry is not there any more\n");
}

#[test]
fn a_name_is_said_as_it_is() {
    let machine = game("heart-rush", &["Ana"]);
    for name in ["Deck #4", "Route + 1 → 2", "a − b"] {
        machine.says(
            &format!("add clock {name} 4"),
            &format!("New clock: {name}.\n"),
        );
        machine.says(
            &format!("tick {name}"),
            &format!("{name} advances by 1: 1 of 4.\n"),
        );
        let undone = machine.act("undo");
        let due = format!(": {name} advances by 1: 1 of 4.\n");
        assert!(undone.out.ends_with(&due), "{undone:?}");
        machine.says(
            &format!("rename {name} to {name} x"),
            &format!("{name}: now named {name} x.\n"),
        );
    }
}

#[test]
fn a_clock_is_foretold_by_the_beginning_of_its_name() {
    let machine = Machine::with_demo();
    let whole = machine.run_words(&["forecast", "demo", "The watch wakes"]);
    let begun = machine.run_words(&["forecast", "demo", "the watch"]);
    assert_eq!((whole.code, &begun.out), (0, &whole.out), "{begun:?}");
}

#[test]
fn more_than_there_is_cannot_be_spent() {
    let machine = game("heart-rush", &["Ana"]);
    machine.act("add pool Torches 6");
    let ran = machine.act("spend 9 torches");
    assert_eq!(
        (ran.code, ran.err.as_str()),
        (
            1,
            "The table has 6 in Torches, and 9 would be spent; spend fewer or gain some first\n"
        )
    );
    machine.says(
        "spend 6 torches",
        "The table spends 6 in Torches, and has 0 now.\n",
    );
}

#[test]
fn a_scene_without_a_name_is_told_by_its_number() {
    let machine = game("heart-rush", &["Ana"]);
    let scene = || {
        let status = machine.run_words(&["status", "demo"]).out;
        status.lines().nth(1).map(str::to_owned)
    };
    assert_eq!(scene().as_deref(), Some("No scene has begun."));
    machine.act("next scene The docks");
    assert_eq!(scene().as_deref(), Some("The scene: The docks."));
    machine.act("next scene");
    assert_eq!(scene().as_deref(), Some("Scene 2."));
}

#[test]
fn a_tug_of_war_that_waits_tells_its_ends_too() {
    let machine = game("heart-rush", &["Ana"]);
    machine.act("add clock Bell 4");
    machine.act("add clock Rope 4 tug-of-war");
    machine.act("empty Rope");
    machine.act("link Bell to Rope starts");
    let status = machine.run_words(&["status", "demo"]).out;
    let rope = status.lines().find(|line| line.contains("Rope: tug"));
    let rope = rope.unwrap();
    assert!(rope.contains(", between "), "{rope}");
    assert!(rope.contains(", waits until Bell is full"), "{rope}");
}

#[test]
fn saving_takes_no_number_of_the_log() {
    let machine = Machine::with_demo();
    for word in ["one", "two", "three"] {
        assert_eq!(machine.act(&format!("note {word}")).code, 0);
    }
    let log = machine.run_words(&["log", "demo", "--json"]);
    let log: Vec<Json> = serde_json::from_str(&log.out).unwrap();
    let numbers: Vec<u64> = log
        .iter()
        .map(|entry| entry["number"].as_u64().unwrap())
        .collect();
    let all: Vec<u64> = (1..=numbers.len() as u64).collect();
    assert_eq!(numbers, all);
}

#[test]
fn a_defender_by_name_is_faced_whole_and_what_is_said_beside_the_name_stands() {
    let machine = Machine::with_demo();
    let target = |words: &str| {
        let ran = machine.act(&format!(
            "roll Torben attack agility {words} faces=6,4,3,5,4"
        ));
        ran.out.lines().next().unwrap_or(&ran.err).to_owned()
    };
    // Heart 5 and Agility 4, not Might; the armor is worn without being named.
    assert_eq!(
        target("defense-heart=Sergeant Oske"),
        "Torben, Attack: Miss, 13 against 13."
    );
    for words in [
        "armor=none defense-heart=Sergeant Oske",
        "defense-heart=Sergeant Oske armor=none",
    ] {
        assert_eq!(
            target(words),
            "Torben, Attack: Hit, 13 against 9.",
            "{words}"
        );
    }
}
