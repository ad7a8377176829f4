//! What one process tells another that has the same game open.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use tableside::commands::act_in_words;
use tableside::table::{Seat, SeatId, SeatRole, SeatView, Table, TableChange, Watching};

use crate::machine::Machine;
use crate::running::Running;
use crate::server::{Server, make, open, run_command};

/// Waits for what a table tells, until something is so.
struct Witness {
    table: Arc<Table>,
    told: Receiver<TableChange>,
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

fn is_filled(seen: &SeatView<'_>, name: &str, filled: u8) -> bool {
    let mut clocks = seen.clocks();
    clocks.any(|one| one.clock.name == name && one.filled == Some(filled))
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
    run_command(&one, "add clock The siren 6").unwrap();
    run_command(&one, "tick the siren 2").unwrap();
    let filled = |seen: &SeatView<'_>| is_filled(seen, "The siren", 2);
    seen.wait(filled);
    // What was done there can be taken back here.
    run_command(&other, "undo").unwrap();
    one.catch_up().unwrap();
    assert_eq!(one.game(), other.game());
    assert!(!one.read(&Seat::gm(), filled));
    // So is what a command of another program does.
    let tick = format!("do friday tick the siren 2 --database {}", server.url());
    let ran = Machine::new().run(&tick);
    assert_eq!(ran.code, 0, "{ran:?}");
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
        let act = act_in_words(&one, &Seat::gm(), words).unwrap();
        one.suggest(&mira(), &act).unwrap();
        there.wait(|seen| !seen.suggestions().is_empty());
        let first = |seen: &SeatView<'_>| seen.suggestions().first().cloned();
        other.read(&Seat::gm(), first).unwrap()
    };
    let asked = suggest("add clock The siren 6");
    assert_eq!(asked.by, "Ana");
    assert!(asked.words.contains("The siren"), "{}", asked.words);
    other.accept(&Seat::gm(), asked.id).unwrap();
    there.wait(|seen| seen.suggestions().is_empty() && is_filled(seen, "The siren", 0));
    here.wait(|seen| seen.suggestions().is_empty());
    let newest = |seen: &SeatView<'_>| seen.log().next().unwrap().clone();
    let newest = other.read(&Seat::gm(), newest);
    assert_eq!((newest.by.as_str(), newest.seat), ("Ana", SeatId(7)));
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

#[test]
fn a_game_that_is_open_joins_the_host_that_is_made_later() {
    let Some(server) = Server::start() else {
        return;
    };
    let seen = Witness::of(&make(&server.node(), "friday"));
    let machine = Machine::new();
    let url = server.url();
    let there = |words: &str| format!("{words} --database {url}");
    let serve = there("serve friday --listen 127.0.0.1:0");
    let serve: Vec<&str> = serve.split(' ').collect();
    let serving = Running::start(&mut machine.command(&serve));
    serving.line();
    for (words, filled) in [("add clock The reactor 4", 0), ("tick The reactor", 1)] {
        for told in [&format!("do --host {words}"), "do friday note on we go"] {
            let ran = machine.run(&there(told));
            assert_eq!(ran.code, 0, "{ran:?}");
        }
        seen.wait(|seen| is_filled(seen, "The reactor", filled));
    }
}
