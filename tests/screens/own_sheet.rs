//! The screen of a player: the name, the available actions, and the own character first and large.

use std::sync::Arc;

use tableside::game::{Allegiance, Character, Command};
use tableside::rules::{Sheet, System};
use tableside::table::{Seat, SeatId, SeatRole, Table};

use crate::bench::Bench;
use crate::games;
use crate::played::run_command;

const SIZES: [(u16, u16); 4] = [(40, 12), (80, 24), (120, 40), (200, 60)];
/// The own character is the third of the party.
const PARTY: [&str; 4] = ["Anders", "Bellis", "Mira", "Silk"];
const ADVERSARIES: [&str; 3] = ["Ghoul", "Thug", "Witch"];

fn run(table: &Arc<Table>, command: Command) {
    table.submit(&Seat::gm(), &command.into()).unwrap();
}

fn seven_characters(system: System) -> Arc<Table> {
    let table = games::empty(system);
    for name in PARTY.into_iter().chain(ADVERSARIES) {
        let mut character = Character::new(name, Sheet::new(system));
        character.player = format!("of {name}");
        if ADVERSARIES.contains(&name) {
            character.side = Allegiance::Adversary;
        }
        run(&table, Command::add(character));
    }
    run_command(&table, "add clock Alarm 6 effort");
    table
}

fn sit_down(table: &Arc<Table>, role: SeatRole, own: &[&str], size: (u16, u16)) -> Bench {
    let characters = table.read(&Seat::gm(), |view| {
        let named = |name: &&str| view.character_named(name).unwrap().id;
        own.iter().map(named).collect()
    });
    let seat = Seat {
        characters,
        ..Seat::new(SeatId(7), "ana", role)
    };
    Bench::with(table, size, |setup| setup.seat = seat)
}

/// The rows of the screen that contain a name of a character, below the head of the screen.
fn rows_with(text: &str, name: &str) -> Vec<usize> {
    let rows = text.lines().enumerate().skip(3);
    rows.filter(|(_, row)| row.contains(name))
        .map(|(index, _)| index)
        .collect()
}

#[test]
fn the_own_character_stands_first_at_every_size() {
    for system in System::shipped() {
        let table = seven_characters(system);
        for size in SIZES {
            let text = sit_down(&table, SeatRole::Player, &["Mira"], size).text();
            let own_row = *rows_with(&text, "Mira").first().unwrap();
            let line = text.lines().nth(own_row).unwrap();
            assert!(line.contains("you"), "{system} {size:?}\n{text}");
            assert_eq!(line.matches("Mira").count(), 1, "{text}");
            for other in PARTY.into_iter().chain(ADVERSARIES) {
                let rows = rows_with(&text, other);
                assert!(
                    other == "Mira" || rows.iter().all(|row| *row > own_row + 1),
                    "{system} {size:?}: {other}\n{text}"
                );
            }
            // The other characters stay in sight, too.
            let others = PARTY.iter().chain(&ADVERSARIES);
            let seen = others.filter(|name| !rows_with(&text, name).is_empty());
            assert!(seen.count() >= 2, "{system} {size:?}\n{text}");
        }
    }
}

#[test]
fn a_large_screen_shows_the_whole_sheet_of_the_own_character() {
    for system in System::shipped() {
        let table = seven_characters(system);
        let text = sit_down(&table, SeatRole::Player, &["Mira"], (120, 40)).text();
        let others = PARTY.iter().chain(&ADVERSARIES);
        let first_other = others
            .filter(|name| **name != "Mira")
            .flat_map(|name| rows_with(&text, name))
            .min()
            .unwrap();
        let sheet: String = text.lines().take(first_other).collect();

        let shown_on_head = |id: &str| {
            let first = system.spec().card.first;
            first.iter().any(|entry| entry.id() == id)
        };
        let character = Sheet::new(system);
        for (stat, value) in character.iter() {
            let is_beside_another = character.is_maximum(stat.id) || shown_on_head(stat.id);
            if is_beside_another || value.to_string().is_empty() {
                continue;
            }
            assert!(
                sheet.contains(stat.label),
                "{system}: {}\n{text}",
                stat.label
            );
        }
    }
}

#[test]
fn keys_change_the_own_character_on_its_sheet() {
    let table = seven_characters(System::FIVE_E);
    let mut bench = sit_down(&table, SeatRole::Player, &["Mira"], (120, 40));
    let number = |table: &Arc<Table>| {
        table.read(&Seat::gm(), |view| {
            let mira = view.character_named("Mira").unwrap();
            mira.sheet.number("hit-points").unwrap()
        })
    };
    let before = number(&table);
    bench.press("-");
    assert_eq!(number(&table), before - 1);

    // The cursor leads from the sheet to the cards below it, and back.
    bench.press("j");
    let down = bench.text();
    assert!(!down.contains("› Mira"), "{down}");
    bench.press("k").see("› Mira");
}

#[test]
fn a_line_says_who_one_is_and_stays() {
    let table = seven_characters(System::HEART_RUSH);
    for (role, own, words, low) in [
        (
            SeatRole::Player,
            &["Mira"][..],
            "You are ana, playing Mira   r roll",
            "you: Mira",
        ),
        (
            SeatRole::Player,
            &[][..],
            "You are ana. The GM has not given you a character yet",
            "you: ana",
        ),
        (
            SeatRole::Watcher,
            &[][..],
            "You are watching   X pause",
            "you are watching",
        ),
    ] {
        for size in SIZES {
            let mut bench = sit_down(&table, role, own, size);
            let words = if size.1 < 16 { low } else { words };
            for tab in ["1", "2", "3", "4", "5", "1"] {
                bench.press(tab).see(words);
            }
            bench.press("? Esc").see(words);
        }
    }

    let gm = Bench::sit_down(&table, (120, 40)).text();
    assert!(!gm.contains("You are"), "{gm}");
}

#[test]
fn a_key_of_the_line_can_be_pressed_with_the_mouse_unless_a_dialog_is_open() {
    let table = seven_characters(System::HEART_RUSH);
    let mut bench = sit_down(&table, SeatRole::Player, &["Mira"], (120, 40));
    let text = bench.text();
    let line = text.lines().nth(2).unwrap();
    let column = u16::try_from(line.find("a note").unwrap()).unwrap();
    bench.click(column, 2).see("╭ Note");
    bench.press("Esc Esc 1");

    let column = u16::try_from(line.find("r roll").unwrap()).unwrap();
    bench.press("?").click(column, 2);
    let text = bench.text();
    assert!(!text.contains("to succeed"), "{text}");
}

#[test]
fn in_a_fight_the_own_sheet_stands_beside_the_list() {
    let table = seven_characters(System::FIVE_E);
    for (number, name) in PARTY.into_iter().chain(ADVERSARIES).enumerate() {
        run_command(&table, &format!("initiative {name} {}", 20 - number));
    }
    let player = sit_down(&table, SeatRole::Player, &["Mira"], (120, 40)).text();
    assert!(player.contains("Anders's turn"), "{player}");
    assert!(player.contains("╭ Mira ─"), "{player}");
    let watcher = sit_down(&table, SeatRole::Watcher, &[], (120, 40)).text();
    assert!(watcher.contains("╭ Anders ─"), "{watcher}");
}

#[test]
fn an_empty_panel_names_no_key_that_a_player_lacks() {
    let table = games::empty(System::FIVE_E);
    for role in [SeatRole::Player, SeatRole::Watcher] {
        for size in SIZES {
            let mut bench = sit_down(&table, role, &[], size);
            for tab in ["1", "2", "3", "4"] {
                let text = bench.press(tab).text();
                for words in ["creates", "starts one", "n new"] {
                    assert!(!text.contains(words), "{role:?} {size:?}: {words}\n{text}");
                }
            }
        }
    }
}
