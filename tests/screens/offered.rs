//! What a screen offers: keys that have something to do, and the choice that one would make.

use tableside::rules::{Sheet, System};
use tableside::session::{Character, Command};

use crate::bench::Bench;
use crate::games;

/// The line of keys.
fn keys(bench: &Bench) -> String {
    bench.text().lines().last().unwrap_or_default().to_owned()
}

#[test]
fn keys_of_which_a_system_knows_nothing_are_not_offered_and_say_why() {
    let table = games::empty(System::HEARTS);
    let isolde = Character::new("Isolde", Sheet::new(System::HEARTS));
    games::run(&table, Command::add(isolde));
    let mut bench = Bench::sit_down(&table, (160, 45));
    for tab in ["1", "2"] {
        bench.press(tab);
        let line = keys(&bench);
        assert!(line.contains("c conditions"), "{line}");
        for none in ["damage", "rest", "value", "first aid", "taken out"] {
            assert!(!line.contains(none), "{line}");
        }
        let revision = table.revision();
        for (key, why) in [
            ("p", "HEARTS knows no hit points"),
            ("+", "HEARTS has no value to step"),
            ("f", "the rules of HEARTS say nothing of first aid"),
        ] {
            bench.press(key);
            assert!(bench.text().contains(why), "{key}: {}", bench.text());
        }
        assert_eq!(table.revision(), revision);
    }

    let bench = Bench::sit_down(&games::full(), (160, 45));
    let line = keys(&bench);
    for known in ["+ - value", "p damage", "z rest"] {
        assert!(line.contains(known), "{line}");
    }
}

#[test]
fn undo_is_offered_once_there_is_something_to_take_back() {
    let table = games::empty(System::HEART_RUSH);
    let mut bench = Bench::sit_down(&table, (120, 40));
    assert!(!keys(&bench).contains("u undo"), "{}", keys(&bench));
    bench.press("S");
    bench.type_text("The yard").press("Enter");
    assert!(keys(&bench).contains("u undo"), "{}", keys(&bench));
    bench.press("u");
    assert!(!keys(&bench).contains("u undo"), "{}", keys(&bench));
}

#[test]
fn a_choice_begins_with_what_is_best_for_the_roller() {
    // Against 9 a second roll may still help; against 30 it brings nothing but the complication.
    for (number, focused) in [("9", "[›Re-roll the 1"), ("30", "[›Fail‹]")] {
        let mut bench = Bench::sit_down(&games::full(), (80, 24));
        bench.press("2 r").type_text(number);
        bench.press("C-h Enter 1 Space 2 Enter");
        assert!(bench.text().contains(focused), "{}", bench.text());
    }
}
