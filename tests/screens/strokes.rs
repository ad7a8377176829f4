//! How many keys the commonest acts take: `docs/book/src/keystrokes.md` counts these very keys.

use std::fs;

use tableside::table::{Seat, SeatView};

use crate::bench::Bench;
use crate::games::{self, destiny};

/// What is done, the keys before anything is typed, what is typed, the keys after it, how many keys it may take, and
/// what it changes.
struct Act {
    what: &'static str,
    before: &'static str,
    typed: &'static str,
    after: &'static str,
    limit: usize,
    reads: fn(&SeatView<'_>) -> String,
    due: &'static str,
}

const ACTS: [Act; 17] = [
    Act {
        what: "roll the selected character's usual check",
        before: "r",
        typed: "",
        after: "Enter",
        limit: 2,
        reads: |seen| seen.rolled().count().to_string(),
        due: "6",
    },
    Act {
        what: "tick a clock, on the table",
        before: "o +",
        typed: "",
        after: "",
        limit: 2,
        reads: cliff,
        due: "4",
    },
    Act {
        what: "tick the first clock that runs, from any tab",
        before: "3 +",
        typed: "",
        after: "",
        limit: 2,
        reads: |seen| {
            seen.clocks()
                .map(|one| u32::from(one.clock.filled))
                .sum::<u32>()
                .to_string()
        },
        due: "11",
    },
    Act {
        what: "spend a token of the character in hand",
        before: "g D",
        typed: "",
        after: "",
        limit: 3,
        reads: tokens_of_mira,
        due: "2",
    },
    Act {
        what: "gain a token for the character in hand",
        before: "< +",
        typed: "",
        after: "",
        limit: 3,
        reads: tokens_of_mira,
        due: "4",
    },
    Act {
        what: "spend one of the table's tokens",
        before: "4 -",
        typed: "",
        after: "",
        limit: 2,
        reads: |seen| {
            seen.pools_of(None)
                .map(|pool| pool.tokens)
                .sum::<i32>()
                .to_string()
        },
        due: "8",
    },
    Act {
        what: "take damage",
        before: "p 7 Enter",
        typed: "",
        after: "",
        limit: 4,
        reads: hit_points_of_mira,
        due: "-7",
    },
    Act {
        what: "heal",
        before: "p + 7 Enter",
        typed: "",
        after: "",
        limit: 4,
        reads: hit_points_of_mira,
        due: "7",
    },
    Act {
        what: "give a condition for two rounds",
        before: "c s > > Enter",
        typed: "",
        after: "",
        limit: 5,
        reads: conditions_of_mira,
        due: "shaken (2 rounds)",
    },
    Act {
        what: "give a condition of your own",
        before: "c",
        typed: "prone",
        after: "Enter",
        limit: 2,
        reads: conditions_of_mira,
        due: "prone",
    },
    Act {
        what: "end the scene and name the next",
        before: "S",
        typed: "The yard",
        after: "Enter",
        limit: 2,
        reads: |seen| seen.scene().name.clone(),
        due: "The yard",
    },
    Act {
        what: "take back the last change",
        before: "u",
        typed: "",
        after: "",
        limit: 1,
        reads: newest,
        due: "Took back",
    },
    Act {
        what: "hide a clock",
        before: "3 v",
        typed: "",
        after: "",
        limit: 2,
        reads: |seen| format!("{:?}", seen.clocks().next().unwrap().clock.visibility),
        due: "Known",
    },
    Act {
        what: "take a note",
        before: "a",
        typed: "the ferryman lied",
        after: "Enter",
        limit: 2,
        reads: newest,
        due: "the ferryman lied",
    },
    Act {
        what: "find the rolls of a name",
        before: "/",
        typed: "who:torben",
        after: "Enter",
        limit: 4,
        reads: |_| String::new(),
        due: "",
    },
    Act {
        what: "repeat the last roll",
        before: "O y",
        typed: "",
        after: "Enter",
        limit: 3,
        reads: |seen| (seen.rolled().count() + seen.unfinished().count()).to_string(),
        due: "6",
    },
    Act {
        what: "change the colours",
        before: "T l",
        typed: "",
        after: "Enter",
        limit: 3,
        reads: |_| String::new(),
        due: "",
    },
];

fn cliff(seen: &SeatView<'_>) -> String {
    let mut clocks = seen.clocks();
    let cliff = clocks.find(|one| one.clock.name == "Up the cliff");
    cliff.unwrap().clock.filled.to_string()
}

fn tokens_of_mira(seen: &SeatView<'_>) -> String {
    let mira = seen.character_named("Mira").unwrap().id;
    let mut pools = seen.pools_of(Some(mira));
    pools.next().unwrap().tokens.to_string()
}

/// By how many they are other than before.
fn hit_points_of_mira(seen: &SeatView<'_>) -> String {
    let mira = seen.character_named("Mira").unwrap();
    let now = mira.sheet.number("hit-points").unwrap();
    (now - HIT_POINTS).to_string()
}

const HIT_POINTS: i32 = 20;

fn conditions_of_mira(seen: &SeatView<'_>) -> String {
    let mira = seen.character_named("Mira").unwrap();
    let all = mira.conditions.iter().map(ToString::to_string);
    all.collect::<Vec<_>>().join(", ")
}

fn newest(seen: &SeatView<'_>) -> String {
    let entry = seen.log().next().unwrap();
    entry.event.text(seen.system())
}

impl Act {
    fn count(&self) -> usize {
        let keys = |keys: &str| keys.split_whitespace().count();
        keys(self.before) + keys(self.after)
    }

    /// Does it from the table, with the cursor on the first card; returns the screen afterwards.
    fn done(&self) -> Bench {
        let mut bench = sit_down();
        bench.press(self.before);
        if !self.typed.is_empty() {
            bench.type_text(self.typed);
        }
        bench.press(self.after);
        bench
    }
}

fn sit_down() -> Bench {
    let table = games::full();
    let mira = games::id(&table, "Mira");
    for (stat, to) in [
        ("hit-points-most", HIT_POINTS + 10),
        ("hit-points", HIT_POINTS),
    ] {
        let value = tableside::rules::Value::Number(to);
        let (who, stat) = (mira, stat.to_owned());
        let command = tableside::session::Command::SetStat { who, stat, value };
        games::run(&table, command);
    }
    let clock = table.read(&Seat::gm(), |seen| seen.clocks().next().unwrap().clock.id);
    games::run(&table, tableside::session::Command::Tick { clock, by: -1 });
    Bench::sit_down(&table, (120, 40))
}

#[test]
fn no_common_act_takes_more_keys_than_it_may() {
    for act in &ACTS {
        assert!(act.count() <= act.limit, "{}", act.what);
    }
}

#[test]
fn the_keys_do_what_the_table_of_them_says() {
    let mut wrong = Vec::new();
    for act in &ACTS {
        let bench = act.done();
        let now = bench.table.read(&Seat::gm(), |seen| (act.reads)(seen));
        let is_due = now == act.due || act.due == "Took back" && now.starts_with(act.due);
        if !is_due {
            wrong.push(format!(
                "{}: {now}, not {}\n{}",
                act.what,
                act.due,
                bench.text()
            ));
        }
        if !act.due.is_empty() {
            let before = sit_down().table.read(&Seat::gm(), |seen| (act.reads)(seen));
            assert_ne!(before, now, "{} changes what it reads", act.what);
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let done = |what: &str| {
        let act = ACTS.iter().find(|act| act.what == what);
        act.unwrap_or_else(|| panic!("{what} is no act"))
            .done()
            .text()
    };
    let found = done("find the rolls of a name");
    assert!(
        found.contains("Torben · Might") && !found.contains("Mira ·"),
        "{found}"
    );
    let colours = done("change the colours");
    assert!(colours.contains("theme: light"), "{colours}");
    assert_eq!(destiny(&games::full(), "Mira"), 3);
}

#[test]
fn the_documents_count_the_same_keys() {
    let told = fs::read_to_string("docs/book/src/keystrokes.md").unwrap();
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
        assert!(told.contains(&row), "keystrokes.md lacks\n{row}");
    }
}
