//! What keys and the mouse do.

use tableside::rules::System;
use tableside::screen::{Input, Tab};
use tableside::session::Command;
use tableside::table::{Seat, SeatId, SeatRole};

use crate::bench::Bench;
use crate::games;

fn full() -> Bench {
    Bench::sit_down(&games::full(), (120, 40))
}

fn filled(bench: &Bench, name: &str) -> u8 {
    bench.table.read(&Seat::gm(), |seen| {
        let mut clocks = seen.clocks();
        clocks
            .find(|one| one.clock.name == name)
            .unwrap()
            .clock
            .filled
    })
}

#[test]
fn a_suggestion_is_read_at_once_and_calls_a_stat_what_the_sheet_calls_it() {
    let mut bench = full();
    let who = games::id(&bench.table, "Mira");
    let step = Command::StepStat {
        who,
        stat: "heart-now".into(),
        by: -1,
    };
    let ana = Seat {
        id: SeatId(2),
        name: "Ana".into(),
        role: SeatRole::Player,
        characters: Vec::new(),
    };
    // What the GM was told before gives way to it, without a key.
    bench.press("1 Z");
    assert!(bench.text().contains("details stand beside"));
    bench.table.suggest(&ana, &step.into()).unwrap();
    let revision = bench.table.revision();
    bench.screen.handle(Input::Changed(revision));
    bench.look();
    let words = "Ana suggests: Mira: Heart die now";
    assert!(bench.text().contains(words), "{}", bench.text());
}

#[test]
fn a_frame_is_drawn_only_when_something_is_otherwise() {
    let mut bench = full();
    let revision = bench.table.revision();
    bench.screen.handle(Input::Changed(revision));
    bench.screen.handle(Input::Saving);
    bench.look();
    assert_eq!(bench.sent, 0);
    assert_eq!(bench.screen.patience(std::time::Instant::now()), None);
    bench.press("1");
    assert_eq!(bench.sent, 0);
}

#[test]
fn the_mouse_opens_tabs_and_ticks_clocks() {
    let mut bench = full();
    let row = |bench: &Bench, word: &str| {
        let text = bench.text();
        let row = text.lines().position(|line| line.contains(word)).unwrap();
        u16::try_from(row).unwrap()
    };
    let tabs = row(&bench, "3 Clocks");
    bench.click(24, tabs);
    assert_eq!(bench.screen.state().tab(), Tab::Clocks);
    let watch = row(&bench, "The watch wakes");
    let line = bench.line("The watch wakes");
    let (before, _) = line.split_once("The watch wakes").unwrap();
    let name = u16::try_from(before.chars().count()).unwrap();
    bench.click(name, watch);
    assert_eq!(filled(&bench, "The watch wakes"), 3);
    // A face is ticked where it is touched.
    bench.click(name - 4, watch);
    assert_eq!(filled(&bench, "The watch wakes"), 4);
}

#[test]
fn the_wheel_walks_the_list() {
    let mut bench = full();
    bench.press("5").type_text("\x1b[<65;10;10M");
    assert!(
        bench.text().lines().nth(7).unwrap().starts_with('›'),
        "{}",
        bench.text()
    );
}

#[test]
fn an_empty_tab_offers_to_make_the_first_and_nothing_that_needs_one() {
    for size in crate::bench::SIZES {
        let mut bench = Bench::sit_down(&games::empty(System::HEART_RUSH), size);
        for (tab, says) in [
            ("1", "Nobody is here yet. n makes"),
            ("2", "Nobody is here yet. n makes"),
            ("3", "No clock is running. n starts"),
            ("4", "No tokens yet. n makes"),
            ("5", "Rolls and scenes will stand here. r"),
        ] {
            bench.press(tab);
            let shown = bench.text();
            assert!(shown.contains(says), "{shown}");
            let keys = shown.lines().last().unwrap_or_default();
            let offers = if tab == "5" { "a note" } else { "n new" };
            assert!(keys.contains(offers), "{keys}");
            for needs_one in ["tick", "open", "delete", "filter", "explain", "acted"] {
                assert!(!keys.contains(needs_one), "{keys}");
            }
        }
    }
}

/// The keys that the bottom line names, the first of each pair.
fn named_keys(bench: &Bench) -> Vec<String> {
    let text = bench.text();
    let line = text.lines().last().unwrap_or_default();
    let hints = line.trim().split("   ");
    let keys = hints.map(|hint| hint.split(' ').next().unwrap_or_default());
    keys.map(str::to_owned).collect()
}

#[test]
fn every_key_that_the_bottom_line_names_does_something_there() {
    let mut pressed = 0;
    for place in ["1", "1 o", "1 o o", "1 o o o", "2", "3 Right", "4", "5"] {
        let sit_down = || {
            let mut bench = Bench::sit_down(&crate::dialogs::busy(), (160, 45));
            bench.press(place);
            bench
        };
        for key in named_keys(&sit_down()) {
            let mut bench = sit_down();
            let before = bench.text();
            bench.press(&key);
            let after = bench.text();
            assert_ne!(after, before, "{place}: {key} does nothing");
            for refusal in ["are not", "nothing to", "no such"] {
                assert!(!after.contains(refusal), "{place}, {key}: {after}");
            }
            pressed += 1;
        }
    }
    assert!(pressed > 80, "{pressed}");
}
