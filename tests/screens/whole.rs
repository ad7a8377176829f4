//! Values and names that are whole because the screen has room for them.

use std::sync::Arc;

use tableside::dice::Die;
use tableside::game::{Allegiance, Character, Command};
use tableside::rules::{Sheet, System, Value};
use tableside::table::{Seat, Table};

use crate::bench::Bench;
use crate::games;
use crate::played::run_command;

const PARTY: [&str; 5] = [
    "Mira",
    "Torben Halvorsen",
    "Jonna of the Reeds",
    "Bo",
    "Captain Wilhelmina",
];
const ADVERSARIES: [&str; 4] = ["Bluecoat", "Sergeant", "Whisper", "Ghost"];

/// A name that is cut in a column of 30.
const LONG_CLOCK: &str = "Duke Ermintrude learns the truth";

/// Nine characters. `vary` changes the sheet of each.
fn nine_characters(system: System, vary: impl Fn(&mut Sheet)) -> Arc<Table> {
    let table = games::empty(system);
    for name in PARTY.into_iter().chain(ADVERSARIES) {
        let mut sheet = Sheet::new(system);
        vary(&mut sheet);
        let mut character = Character::new(name, sheet);
        if ADVERSARIES.contains(&name) {
            character.side = Allegiance::Adversary;
        }
        let command = Command::add(character);
        table.submit(&Seat::gm(), &command.into()).unwrap();
    }
    table
}

/// Fills the other panels of the table.
fn add_clocks_pools_and_rolls(table: &Arc<Table>) {
    for name in ["Alarm", "Dawn", LONG_CLOCK, "Across the flooded bridge"] {
        run_command(table, &format!("add clock {name} 6 effort"));
    }
    run_command(table, "add pool Torches 5 table");
    run_command(table, "add pool Suspicion 2 table");
    for dice in ["1d6", "1d8", "2d6"] {
        run_command(table, &format!("roll {dice}"));
    }
}

fn ranks(names: &[&str], rank: i32) -> Value {
    let ranks = names.iter().map(|name| ((*name).to_owned(), rank));
    Value::Ranks(ranks.collect())
}

#[test]
fn no_row_is_kept_for_conditions_while_skills_are_cut_below_it() {
    let skills = [
        "Survival",
        "Spear",
        "Athletics",
        "Awareness",
        "Deflect",
        "Smithing",
        "Locks",
        "Lore",
    ];
    let table = nine_characters(System::HEARTS, |sheet| {
        sheet.set("skills", ranks(&skills, 40)).unwrap();
    });

    let text = Bench::sit_down(&table, (160, 45)).text();

    assert_eq!(text.matches("Lore 40").count(), 9, "{text}");
}

#[test]
fn a_list_without_a_row_follows_the_first_values_and_ends_with_a_sign() {
    let competencies = ["Technology", "Stealth", "Knowledge"];
    let table = nine_characters(System::HFRPG, |sheet| {
        sheet.set("competencies", ranks(&competencies, 4)).unwrap();
    });

    add_clocks_pools_and_rolls(&table);

    let text = Bench::sit_down(&table, (120, 40)).text();
    assert_eq!(text.matches("Technology 4 …").count(), 5, "{text}");

    let text = Bench::sit_down(&table, (160, 45)).text();
    assert_eq!(text.matches("Knowledge 4").count(), 9, "{text}");
}

#[test]
fn the_row_of_harm_shows_actions_while_there_is_no_harm() {
    let table = nine_characters(System::FORGED_IN_THE_DARK, |sheet| {
        sheet.set("skirmish", Value::Number(2)).unwrap();
    });
    add_clocks_pools_and_rolls(&table);

    let text = Bench::sit_down(&table, (120, 40)).text();
    assert_eq!(text.matches("Skirm 2").count(), 9, "{text}");

    run_command(&table, "condition Ghost shaken");
    let text = Bench::sit_down(&table, (120, 40)).text();
    assert!(text.contains("shaken"), "{text}");
    assert_eq!(text.matches("Skirm 2").count(), 8, "{text}");
}

#[test]
fn untrained_skills_are_not_listed() {
    let table = nine_characters(System::TWENTY_FOUR_XX, |sheet| {
        sheet.set("piloting", Value::Die(Die::D10)).unwrap();
    });

    for size in [(80, 24), (120, 40), (160, 45)] {
        let text = Bench::sit_down(&table, size).text();
        assert!(text.contains("Pilot d10"), "{size:?}\n{text}");
        assert!(!text.contains(" d6"), "{size:?}\n{text}");
    }
}

#[test]
fn the_selected_sheet_has_the_first_place() {
    let table = nine_characters(System::FORGED_IN_THE_DARK, |_| {});
    for size in [(120, 40), (160, 45), (200, 60)] {
        let mut bench = Bench::sit_down(&table, size);
        bench.press("2");
        for name in PARTY {
            bench.see(&format!("\n╭›{name} ─"));
            bench.press("Down");
        }
    }
}

#[test]
fn a_sheet_with_long_names_of_values_is_whole() {
    let table = nine_characters(System::FORGED_IN_THE_DARK, |sheet| {
        sheet.set("harm-2", Value::from("Broken ribs")).unwrap();
    });

    let mut bench = Bench::sit_down(&table, (160, 45));
    bench.press("2");

    let text = bench.text();
    assert_eq!(text.matches("Broken ribs").count(), 9 + 3, "{text}");
    assert_eq!(text.matches("Coin ").count(), 1 + 3, "{text}");
}

#[test]
fn nine_characters_leave_room_for_a_sheet_on_a_low_screen() {
    for system in System::shipped() {
        let table = nine_characters(system, |_| {});
        let mut bench = Bench::sit_down(&table, (80, 24));
        bench.press("2");
        bench.see("\n╭ Mira ─");
        bench.see("  Ghost");
    }
}

#[test]
fn conditions_that_do_not_fit_in_the_list_are_counted() {
    let table = nine_characters(System::FIVE_E, |_| {});
    for condition in ["blinded", "charmed", "deafened", "prone"] {
        run_command(&table, &format!("condition Mira {condition}"));
    }

    let mut bench = Bench::sit_down(&table, (80, 24));
    bench.press("2");

    let row = bench.line("› Mira");
    assert!(row.contains(" +"), "{row}");
    assert!(!row.contains('…'), "{row}");
}

#[test]
fn a_fight_on_a_wide_screen_shows_the_names_of_clocks_whole() {
    let table = nine_characters(System::FIVE_E, |_| {});
    add_clocks_pools_and_rolls(&table);
    run_command(&table, "initiative Mira 20");

    for size in [(120, 40), (160, 45), (200, 60)] {
        let text = Bench::sit_down(&table, size).text();
        assert!(!text.contains('…'), "{size:?}\n{text}");

        let below_title = text.lines().skip_while(|line| !line.contains("╭ Tokens"));
        let rows = below_title.take_while(|line| !line.starts_with('╰'));
        assert!(rows.count() <= 7, "{size:?}\n{text}");
    }
}

#[test]
fn the_names_of_the_owners_of_clocks_are_whole() {
    let table = nine_characters(System::GNOSIS, |_| {});
    let mut bench = Bench::sit_down(&table, (120, 40));
    bench.press("3");
    for name in PARTY {
        bench.see(&format!("   {name}  "));
    }
}
