//! What each role is offered: a seat is never offered what the table refuses it. Every key of every list, every hint at
//! the foot of a dialog and every entry of the palette is tried for a watcher and for players with and without a
//! character.

use std::sync::Arc;

use tableside::game::CharacterId;
use tableside::table::{Seat, SeatId, SeatRole, Table};

use crate::bench::Bench;
use crate::dialogs::busy;

/// Words of a refusal for want of rights.
const REFUSALS: [&str; 5] = [
    "Suggest this to the",
    "you may not change this",
    "watchers cannot act",
    "Only the GM",
    "only the GM",
];

/// Where keys are pressed: the tabs, and the panels of the first.
const PLACES: [&str; 5] = ["1", "2", "3", "4", "5"];

const SIZE: (u16, u16) = (130, 30);

struct Role {
    name: &'static str,
    may: SeatRole,
    /// The character that the person plays.
    plays: Option<&'static str>,
}

const ROLES: [Role; 3] = [
    Role {
        name: "watcher",
        may: SeatRole::Watcher,
        plays: None,
    },
    Role {
        name: "player",
        may: SeatRole::Player,
        plays: Some("Mira"),
    },
    Role {
        name: "player without a character",
        may: SeatRole::Player,
        plays: None,
    },
];

impl Role {
    fn sit_down(&self, table: &Arc<Table>) -> Bench {
        let own: Vec<CharacterId> = table.read(&Seat::gm(), |seen| {
            let own = seen.roster().filter(|one| Some(&*one.name) == self.plays);
            own.map(|one| one.id).collect()
        });
        let seat = Seat {
            characters: own,
            ..Seat::new(SeatId(7), "ana", self.may)
        };
        let mut bench = Bench::with(table, SIZE, |setup| setup.seat = seat);
        bench.press("Esc");
        bench
    }
}

/// Every key that people press: letters, capitals, digits, signs, and those with names.
fn keys() -> Vec<String> {
    let letters = ('a'..='z').chain('A'..='Z').filter(|key| *key != 'q');
    let signs = ['+', '-', '/', '?', '[', ']', '.', ','];
    let mut keys: Vec<String> = letters.chain(signs).map(|key| key.to_string()).collect();
    keys.extend(["Enter", "Delete", "Space", "Left", "Right"].map(str::to_owned));
    keys.extend(["C-n", "C-o", "C-r", "C-x", "C-y", "C-d"].map(str::to_owned));
    keys
}

fn refused(text: &str) -> Option<&'static str> {
    REFUSALS.into_iter().find(|words| text.contains(words))
}

/// The keys that the line at the foot names.
fn hinted(bench: &Bench) -> Vec<String> {
    let foot = bench.foot();
    let hints = foot.trim().split("   ");
    let keys = hints.filter_map(|hint| hint.split(' ').next());
    keys.filter(|key| !key.is_empty())
        .map(str::to_owned)
        .collect()
}

#[test]
fn no_key_that_the_bottom_line_names_is_refused_to_the_seat() {
    for role in ROLES {
        for place in PLACES {
            let table = busy();
            let mut bench = role.sit_down(&table);
            bench.press(place);
            for key in hinted(&bench) {
                let mut bench = role.sit_down(&table);
                bench.press(place).press(&key);
                let text = bench.text();
                assert_eq!(
                    refused(&text),
                    None,
                    "{}, {place}: {key}\n{text}",
                    role.name
                );
            }
        }
    }
}

#[test]
fn a_key_opens_no_form_that_the_table_refuses() {
    let mut opened = 0;
    for role in ROLES {
        for place in PLACES {
            let table = busy();
            let mut bench = role.sit_down(&table);
            bench.press(place);
            let foot = bench.foot();
            for key in keys() {
                if bench.foot() != foot {
                    bench = role.sit_down(&table);
                    bench.press(place);
                }
                bench.press(&key);
                let text = bench.text();
                let is_form = bench.foot() != foot && refused(&text).is_none();
                if !is_form {
                    continue;
                }

                opened += 1;
                let is_suggestion = text.contains("Suggest to the GM: ");
                assert!(
                    !is_suggestion || role.may == SeatRole::Player,
                    "{}, {place}: {key}\n{text}",
                    role.name
                );
                let dialog_foot = bench.foot();
                for next in hinted(&bench) {
                    if bench.foot() != dialog_foot {
                        bench = role.sit_down(&table);
                        bench.press(place).press(&key);
                    }
                    bench.press(&next);
                    let text = bench.text();
                    assert!(
                        is_suggestion || refused(&text).is_none(),
                        "{}, {place}: {key}, then {next}\n{text}",
                        role.name
                    );
                }
            }
        }
    }
    assert!(opened > 60, "{opened}");
}

#[test]
fn no_entry_of_the_palette_is_refused_to_the_seat() {
    for role in ROLES {
        let table = busy();
        let mut seen_before = String::new();
        for down in 0..80 {
            let mut bench = role.sit_down(&table);
            bench.press("1 :");
            bench.press(&"Down ".repeat(down));
            let listed = bench.text();
            if listed == seen_before {
                break;
            }
            bench.press("Enter");
            let text = bench.text();
            assert_eq!(
                refused(&text),
                None,
                "{}, {down}\n{listed}\n{text}",
                role.name
            );
            seen_before = listed;
        }
    }
}

#[test]
fn the_help_names_no_act_of_the_gms_to_others() {
    for role in ROLES {
        let mut bench = role.sit_down(&busy());
        bench.press("1 ?");
        let mut text = bench.text();
        for _ in 0..4 {
            text.push_str(&bench.press("PgDn").text());
        }
        for of_gm in [
            "house rules",
            "end the scene",
            "make a copy",
            "invite a player",
            "call for a roll",
            "create a character",
        ] {
            assert!(!text.contains(of_gm), "{}: {of_gm}\n{text}", role.name);
        }
        assert_eq!(
            text.contains("make a roll"),
            role.plays.is_some(),
            "{}",
            role.name
        );
    }
}

#[test]
fn a_watcher_is_greeted_with_no_key_for_a_roll_that_waits() {
    for role in ROLES {
        let mut bench = {
            let table = busy();
            Bench::with(&table, SIZE, |setup| {
                setup.seat = Seat::new(SeatId(7), "ana", role.may);
            })
        };
        let text = bench.text();
        assert!(!text.contains("U goes on"), "{}: {text}", role.name);
        assert!(!text.contains("waits: U"), "{}: {text}", role.name);

        // A card is read, and says nothing of editing.
        if role.may == SeatRole::Watcher {
            bench.press("2 Enter");
            let text = bench.text();
            assert!(!text.contains("Enter edits"), "{text}");
            bench.press("Enter 9 Enter Right Enter");
            let text = bench.text();
            assert_eq!(refused(&text), None, "{text}");
        }
    }
}
