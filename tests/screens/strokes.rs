//! How many keys the commonest acts take: `docs/keystrokes.md` counts these very keys.

use std::fs;

use tableside::session::Visibility;
use tableside::table::Seat;

use crate::bench::Bench;
use crate::games::{self, destiny};

/// What is done, the keys before anything is typed, what is typed, and the keys after it.
struct Act {
    what: &'static str,
    before: &'static str,
    typed: &'static str,
    after: &'static str,
}

const ACTS: [Act; 10] = [
    Act {
        what: "roll the selected character's usual check",
        before: "r",
        typed: "",
        after: "Enter",
    },
    Act {
        what: "tick a clock, from any tab",
        before: "3 +",
        typed: "",
        after: "",
    },
    Act {
        what: "give one token",
        before: "4 +",
        typed: "",
        after: "",
    },
    Act {
        what: "end the scene and name the next",
        before: "S",
        typed: "The yard",
        after: "Enter",
    },
    Act {
        what: "take back the last change",
        before: "u",
        typed: "",
        after: "",
    },
    Act {
        what: "hide a clock",
        before: "3 v",
        typed: "",
        after: "",
    },
    Act {
        what: "add a condition",
        before: "c",
        typed: "prone",
        after: "Enter",
    },
    Act {
        what: "find the rolls of a name",
        before: "/",
        typed: "who:torben",
        after: "Enter",
    },
    Act {
        what: "repeat the last roll",
        before: "O y",
        typed: "",
        after: "Enter",
    },
    Act {
        what: "change the colours",
        before: "T l",
        typed: "",
        after: "Enter",
    },
];

impl Act {
    fn count(&self) -> usize {
        let keys = |keys: &str| keys.split_whitespace().count();
        keys(self.before) + keys(self.after)
    }

    /// Does it from the table; answers with the screen afterwards.
    fn done(&self) -> Bench {
        let mut bench = Bench::sit_down(&games::full(), (120, 40));
        bench.press(self.before);
        if !self.typed.is_empty() {
            bench.type_text(self.typed);
        }
        bench.press(self.after);
        bench
    }
}

fn done(what: &str) -> Bench {
    let act = ACTS.iter().find(|act| act.what == what);
    act.unwrap_or_else(|| panic!("{what} is no act")).done()
}

#[test]
fn no_common_act_takes_more_than_three_keys() {
    for act in &ACTS {
        assert!(act.count() <= 3, "{}", act.what);
    }
}

#[test]
fn the_keys_do_what_the_table_of_them_says() {
    let rolls = |bench: &Bench| {
        bench.table.read(&Seat::gm(), |seen| {
            let rolled = seen
                .log()
                .filter(|entry| entry.event.what.resolved().is_some());
            rolled.count()
        })
    };
    let before = rolls(&Bench::sit_down(&games::full(), (120, 40)));
    assert_eq!(
        rolls(&done("roll the selected character's usual check")),
        before + 1
    );
    let bench = done("repeat the last roll");
    let waits = bench.text().contains("One die shows 1");
    assert!(rolls(&bench) == before + 1 || waits, "{}", bench.text());
    let bench = done("tick a clock, from any tab");
    assert!(
        bench.table.revision() > 0 || bench.text().contains("full"),
        "{}",
        bench.text()
    );
    let torches = |bench: &Bench| {
        let table = &bench.table;
        table.read(&Seat::gm(), |seen| {
            seen.pools().map(|pool| pool.tokens).sum::<i32>()
        })
    };
    let before = torches(&Bench::sit_down(&games::full(), (120, 40)));
    let bench = done("give one token");
    let is_full = bench.text().contains("is the most");
    assert!(torches(&bench) == before + 1 || is_full, "{}", bench.text());
    let bench = done("end the scene and name the next");
    assert_eq!(
        bench
            .table
            .read(&Seat::gm(), |seen| seen.scene().name.clone()),
        "The yard"
    );
    let bench = done("take back the last change");
    assert!(bench.text().contains("Took back #"), "{}", bench.text());
    let bench = done("hide a clock");
    let seen = bench.table.read(&Seat::gm(), |seen| {
        seen.clocks().next().unwrap().clock.visibility
    });
    assert_ne!(seen, Visibility::Visible);
    let bench = done("add a condition");
    let conditions = bench.table.read(&Seat::gm(), |seen| {
        let mira = seen.character_named("Mira").unwrap();
        mira.conditions
            .iter()
            .map(|one| one.name.clone())
            .collect::<Vec<_>>()
    });
    assert_eq!(conditions, ["prone"]);
    let bench = done("find the rolls of a name");
    assert!(bench.text().contains("Torben · Might"), "{}", bench.text());
    assert!(!bench.text().contains("Mira ·"), "{}", bench.text());
    let bench = done("change the colours");
    assert!(bench.text().contains("theme: light"), "{}", bench.text());
    assert_eq!(destiny(&bench.table, "Mira"), 3);
}

#[test]
fn the_documents_count_the_same_keys() {
    let told = fs::read_to_string("docs/keystrokes.md").unwrap();
    for act in &ACTS {
        let keys = |keys: &str| {
            let keys: Vec<String> = keys
                .split_whitespace()
                .map(|key| format!("`{key}`"))
                .collect();
            keys.join(" ")
        };
        let typed = if act.typed.is_empty() {
            String::new()
        } else {
            format!("*{}*", act.typed)
        };
        let all = [keys(act.before), typed, keys(act.after)];
        let all: Vec<String> = all.into_iter().filter(|part| !part.is_empty()).collect();
        let row = format!("| {} | {} | {} |", act.what, all.join(" "), act.count());
        assert!(told.contains(&row), "docs/keystrokes.md lacks\n{row}");
    }
}
