//! What one process tells another that has the same game open.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use tableside::table::{News, Seat, SeatId, SeatRole, SeatView, Table, Watching};

use crate::server::{Server, make, open, say};

/// Waits for what a table tells, until something is so.
struct Witness {
    table: Arc<Table>,
    told: Receiver<News>,
    _watching: Watching,
}

impl Witness {
    fn of(table: &Arc<Table>) -> Self {
        let (tell, told) = channel();
        let watching = table.watch(Box::new(move |news| tell.send(news).unwrap_or_default()));
        Self {
            table: Arc::clone(table),
            told,
            _watching: watching,
        }
    }

    fn wait(&self, is_so: impl Fn(&SeatView<'_>) -> bool) {
        while !self.table.read(&Seat::gm(), &is_so) {
            let told = self.told.recv_timeout(Duration::from_secs(30));
            told.expect("nothing more is told");
        }
    }
}

fn mira() -> Seat {
    Seat {
        id: SeatId(7),
        name: "Ana".to_owned(),
        role: SeatRole::Player,
        characters: Vec::new(),
    }
}

#[test]
fn what_happens_at_one_is_seen_at_the_other() {
    let Some(server) = Server::start() else {
        return;
    };
    let one = make(&server.node(), "friday");
    let other = open(&server.node(), "friday");
    let seen = Witness::of(&other);
    say(&one, "add clock The siren 6").unwrap();
    say(&one, "tick the siren 2").unwrap();
    let filled = |seen: &SeatView<'_>| {
        let mut clocks = seen.clocks();
        clocks.any(|one| one.clock.name == "The siren" && one.filled == Some(2))
    };
    seen.wait(filled);
    // What was done there can be taken back here.
    say(&other, "undo").unwrap();
    one.catch_up().unwrap();
    assert_eq!(one.session(), other.session());
    assert!(!one.read(&Seat::gm(), filled));
    // So is what a command of another program does.
    let ran = Command::new(env!("CARGO_BIN_EXE_tableside"))
        .args([
            "do",
            "friday",
            "tick the siren 2",
            "--database",
            &server.url(),
        ])
        .output()
        .unwrap();
    assert!(ran.status.success(), "{ran:?}");
    seen.wait(filled);
}

#[test]
fn who_sits_and_what_is_suggested_is_known_to_both() {
    let Some(server) = Server::start() else {
        return;
    };
    let one = make(&server.node(), "friday");
    let sits = one.sit(&mira());
    let other = open(&server.node(), "friday");
    let (here, there) = (Witness::of(&one), Witness::of(&other));
    // Who came before is told to who comes later.
    let is_there = |seen: &SeatView<'_>| seen.present().any(|seat| seat.name == "Ana");
    there.wait(is_there);
    let suggest = |words: &str| {
        let act = one.act_in_words(&Seat::gm(), words).unwrap();
        one.suggest(&mira(), &act).unwrap();
        there.wait(|seen| !seen.suggestions().is_empty());
        let first = |seen: &SeatView<'_>| seen.suggestions().first().cloned();
        other.read(&Seat::gm(), first).unwrap()
    };
    let asked = suggest("add clock The siren 6");
    assert_eq!(
        (asked.by.as_str(), asked.words.contains("The siren")),
        ("Ana", true)
    );
    other.accept(&Seat::gm(), asked.id).unwrap();
    there.wait(|seen| {
        seen.suggestions().is_empty() && seen.clocks().any(|one| one.clock.name == "The siren")
    });
    here.wait(|seen| seen.suggestions().is_empty());
    let by = other.read(&Seat::gm(), |seen| {
        seen.log()
            .next()
            .map(|entry| (entry.by.clone(), entry.seat))
    });
    assert_eq!(by, Some(("Ana".to_owned(), SeatId(7))));
    let asked = suggest("add clock The other siren 6");
    other.decline(&Seat::gm(), asked.id).unwrap();
    here.wait(|seen| seen.suggestions().is_empty());
    let told = one.read(&mira(), |seen| {
        seen.answer_since(0).map(|(_, words)| words.to_owned())
    });
    assert!(told.unwrap().contains("declined"));
    drop(sits);
    there.wait(|seen| !is_there(seen));
}

/// A program that runs until it is dropped.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

#[test]
fn a_game_that_is_open_joins_the_house_that_is_made_later() {
    let Some(server) = Server::start() else {
        return;
    };
    let seen = Witness::of(&make(&server.node(), "friday"));
    let begin = |words: &[&str]| {
        let program = Command::new(env!("CARGO_BIN_EXE_tableside"))
            .args(words)
            .env("TABLESIDE_DATABASE", server.url())
            .stdout(Stdio::piped())
            .spawn();
        Running(program.unwrap())
    };
    let mut serving = begin(&["serve", "friday", "--listen", "127.0.0.1:0"]);
    let mut said = BufReader::new(serving.0.stdout.take().unwrap()).lines();
    said.next().unwrap().unwrap();
    for (words, filled) in [("add clock The reactor 4", 0), ("tick The reactor", 1)] {
        for told in [["do", "--house", words], ["do", "friday", "note on we go"]] {
            assert!(begin(&told).0.wait().unwrap().success());
        }
        seen.wait(|seen| {
            let mut clocks = seen.clocks();
            clocks.any(|one| one.clock.name == "The reactor" && one.filled == Some(filled))
        });
    }
}
