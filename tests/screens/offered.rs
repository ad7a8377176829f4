//! Which keys are offered at the foot of the screen.

use tableside::rules::System;

use crate::bench::{Bench, SIZES};
use crate::dialogs::busy;
use crate::games;

mod roles;
mod said;

#[test]
fn an_empty_tab_offers_to_make_the_first_and_nothing_that_needs_one() {
    for size in SIZES {
        let mut bench = Bench::sit_down(&games::empty(System::HEART_RUSH), size);
        for (tab, says, offers) in [
            ("1", "No characters yet. n creates", "n new"),
            ("2", "No characters yet. n creates", "n new"),
            ("3", "No clocks yet. n starts", "n new"),
            ("4", "No tokens yet. n creates", "n new"),
            ("5", "Rolls and scenes will appear here. r", "a note"),
        ] {
            bench.press(tab).see(says);
            let keys = bench.foot();
            assert!(keys.contains(offers), "{keys}");
            for needs_one in ["tick", "open", "delete", "filter", "explain", "acted"] {
                assert!(!keys.contains(needs_one), "{keys}");
            }
        }
    }
}

#[test]
fn every_key_that_the_bottom_line_names_does_something_there() {
    let mut pressed = 0;
    for place in ["1", "1 o", "1 o o", "1 o o o", "2", "3 Right", "4", "5"] {
        let sit_down = || {
            let mut bench = Bench::sit_down(&busy(), (160, 45));
            bench.press(place);
            bench
        };
        for hint in sit_down().foot().trim().split("   ") {
            // The first of each pair.
            let key = hint.split(' ').next().unwrap_or_default();
            let mut bench = sit_down();
            let before = bench.text();
            let after = bench.press(key).text();
            assert_ne!(after, before, "{place}: {key} does nothing");
            for refusal in ["are not", "nothing to", "no such"] {
                assert!(!after.contains(refusal), "{place}, {key}: {after}");
            }
            pressed += 1;
        }
    }
    assert!(pressed > 80, "{pressed}");
}
