//! The panels of the table: their rooms, their focus, their marks, and what can be pressed.

use std::sync::Arc;

use tableside::cli::sample;
use tableside::dice::SystemDice;
use tableside::rules::System;
use tableside::table::Table;

use crate::bench::{Bench, SIZES};
use crate::games;
use crate::opened::noon;
use crate::played::run_command;

/// A fight in 5e: four characters and four adversaries in turn order, without clocks, tokens and rolls.
fn fight() -> Arc<Table> {
    let table = games::empty(System::FIVE_E);
    for name in ["Ana", "Bo", "Cael", "Dara"] {
        run_command(&table, &format!("add character {name} party"));
    }
    for name in ["Goblin 1", "Goblin 2", "Goblin 3", "Ogre"] {
        run_command(&table, &format!("add character {name} adversary"));
    }
    table
}

fn row_of(bench: &Bench, text: &str) -> usize {
    let shown = bench.text();
    let row = shown.lines().position(|line| line.contains(text));
    row.unwrap_or_else(|| panic!("{text:?} is not on the screen:\n{shown}"))
}

#[test]
fn an_empty_panel_is_a_line_with_its_hint() {
    for size in [(80, 24), (120, 40), (200, 60)] {
        let bench = Bench::sit_down(&fight(), size);
        bench.see("Clocks  3 n starts one");
        bench.see("Tokens  4 n creates a pool");
        bench.see("Last rolls  r rolls");
        assert_eq!(row_of(&bench, "Clocks  3"), row_of(&bench, "Tokens  4"));
    }
}

#[test]
fn the_hint_of_an_empty_panel_does_what_it_says() {
    let mut bench = Bench::sit_down(&fight(), (120, 40));
    bench.press("o").see("No clocks yet. n starts one");
    bench.press("n").see("New clock");
    bench.press("Esc 1 3 n").see("New clock");
}

#[test]
fn a_fight_shows_the_armour_class_of_everybody() {
    for size in [(120, 40), (160, 45), (200, 60)] {
        let bench = Bench::sit_down(&fight(), size);
        let shown = bench.text();
        assert_eq!(shown.matches("AC 10").count(), 8, "{shown}");
    }
}

#[test]
fn the_focused_panel_takes_the_table_and_gives_it_back() {
    for size in SIZES {
        let mut bench = Bench::sit_down(&games::full(), size);
        bench.press("o");
        let before = bench.text();
        bench.press("F");
        bench.see("F shows all panels");
        let shown = bench.text();
        assert!(
            !shown.contains("Suspicion") && !shown.contains("Last rolls"),
            "{shown}"
        );
        // The focus and the keys go on to the next panel.
        bench.press("o").see("Suspicion");
        bench.press("O F u");
        let rows = |text: &str| text.lines().take(10).map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(rows(&bench.text()).len(), rows(&before).len());
        bench.press("o F Esc");
        assert!(
            !bench.text().contains("shows all panels"),
            "{}",
            bench.text()
        );
    }
}

#[test]
fn the_name_of_the_selected_entry_has_a_bar() {
    for size in SIZES {
        let mut bench = Bench::sit_down(&games::full(), size);
        for (keys, first, other) in [
            ("1", "Mira", "Wren"),
            ("1 o", "Up the cliff", "The watch wakes"),
            ("3", "Up the cliff", "The watch wakes"),
            ("2", "Mira", "Wren"),
        ] {
            bench.press(keys).press("Home");
            let shown = bench.text();
            let name_color = bench.cell(first).bgcolor();
            assert_ne!(name_color, bench.cell(other).bgcolor(), "{keys}:\n{shown}");
            // The bar reaches over the whole name.
            let (_, last_letters) = first.split_at(first.len() - 2);
            assert_eq!(name_color, bench.cell(last_letters).bgcolor(), "{shown}");
        }
    }
}

#[test]
fn acted_marked_and_success_have_signs_of_their_own() {
    for ascii in [false, true] {
        let table = games::full();
        let mut bench = Bench::with(&table, (120, 40), |setup| setup.ascii = ascii);
        bench.press("m");
        let head = bench.line("Mira");
        let acted = if ascii { "\\" } else { "■" };
        let marked = if ascii { "&" } else { "✱" };
        let success = if ascii { "+ Success" } else { "✓ Success" };
        assert!(head.contains(marked), "{head}");
        bench.press("Esc");
        assert!(!bench.line("Mira").contains(marked));
        assert!(bench.text().contains(acted) && bench.text().contains(success));
    }
}

#[test]
fn ascii_distinguishes_bars_tokens_and_faces_and_writes_hidden_out() {
    let table = games::full();
    run_command(&table, "hide Sir Alric");
    let mut bench = Bench::with(&table, (120, 40), |setup| setup.ascii = true);
    bench.see("(hidden) Sir Alric");
    bench.see("(hidden) Captain Rusk");
    bench.see("=== 40/40");
    bench.see("DP OOO");
    bench.press("3").see("###");

    let small = Bench::with(&table, (40, 12), |setup| setup.ascii = true);
    small.see("(h) Sir");
}

#[test]
fn a_hint_in_the_bottom_line_can_be_clicked() {
    let mut bench = Bench::sit_down(&games::full(), (120, 40));
    let press_hint = |bench: &mut Bench, hint: &str| {
        let foot = bench.foot();
        let column = foot.split(hint).next().unwrap().chars().count();
        bench.click(u16::try_from(column).unwrap(), 39);
    };
    press_hint(&mut bench, "c conditions");
    bench.see("Mira: conditions");
    press_hint(&mut bench, "Esc");
    assert!(bench.foot().contains("r roll"), "{}", bench.text());

    // Of a pair each key has its own place.
    bench.press("o");
    let before = bench.line("The watch wakes");
    let foot = bench.foot();
    let column = foot.find("+ - tick").unwrap();
    bench.click(u16::try_from(column + 2).unwrap(), 39);
    bench.click(u16::try_from(column).unwrap(), 39);
    assert_eq!(bench.line("The watch wakes"), before);
}

#[test]
fn enter_does_what_the_selected_line_of_the_help_says() {
    let mut bench = Bench::sit_down(&games::full(), (120, 40));
    bench.press("?").type_text("conditions");
    bench.press("Enter");
    assert!(!bench.text().contains("Keys ─"), "{}", bench.text());
    bench.see("Mira: conditions");

    // An arrow selects without a search, and a key of another tab leads there.
    let mut bench = Bench::sit_down(&games::full(), (120, 40));
    bench.press("? Down Down Enter");
    bench.see("Undid");
    bench.press("?").type_text("a segment longer");
    bench.press("Enter");
    bench.see("segment longer");
}

#[test]
fn the_newest_roll_that_counts_is_the_headline() {
    let table = games::empty(System::HEART_RUSH);
    run_command(&table, "add character Mira party");
    run_command(&table, "roll 3d6");
    let mut bench = Bench::sit_down(&table, (120, 40));
    let with_roll = bench.text();
    assert!(with_roll.contains("╭───╮"), "{with_roll}");

    bench.press("u");

    let shown = bench.text();
    let frame = shown.lines().position(|line| line.contains("Last rolls"));
    let first = shown.lines().nth(frame.unwrap() + 1).unwrap();
    assert!(first.contains("undone"), "the headline is blank:\n{shown}");
}

#[test]
fn the_dice_of_the_newest_roll_are_dice_even_if_they_are_many() {
    let table = games::empty(System::HEART_RUSH);
    run_command(&table, "add character Mira party");
    run_command(&table, "roll 20d6");
    let bench = Bench::sit_down(&table, (120, 40));
    let shown = bench.text();
    assert_eq!(shown.matches("╰d6─╯").count(), 20, "{shown}");
}

#[test]
fn a_roll_that_cannot_succeed_shows_the_chance_of_its_outcomes() {
    // The newest roll of the sample is Panic with a stress of 6.
    let game = sample(System::PUSHED_POOLS).unwrap();
    let dice = Box::new(SystemDice::from_key([1; 32]));
    let table = Table::unsaved(&game.name, game.game, game.entries, None, noon, dice);
    let bench = Bench::sit_down(&table, (120, 40));
    bench.see("Rattled 50%, Freeze 33%, Flight 17%");
    assert!(!bench.text().contains("0% to succeed"), "{}", bench.text());
}
