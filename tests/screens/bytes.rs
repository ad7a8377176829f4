//! How many bytes a key costs: over a slow line they are what one waits for.

use tableside::screen::Input;
use tableside::screen::terminal::color_depth::Depth;

use crate::bench::Bench;
use crate::games;

const SIZES: [(u16, u16); 3] = [(80, 24), (120, 40), (160, 45)];

fn sit_down(size: (u16, u16)) -> Bench {
    Bench::with(&games::full(), size, |setup| setup.depth = Depth::Ansi256)
}

fn at_most(bench: &Bench, most: usize, what: &str) {
    let (size, tab) = (bench.screen.state().size(), bench.screen.state().tab());
    let sent = bench.sent;
    assert!(sent <= most, "{what}: {sent} bytes, {size:?}, {tab:?}");
}

#[test]
fn moving_the_cursor_is_a_few_bytes_on_every_tab() {
    for size in SIZES {
        for tab in ["1", "2", "3", "4", "5"] {
            let mut bench = sit_down(size);
            bench.press(tab);
            let keys = ["Down", "Down", "Up", "Up", "Right", "Right", "Left"];
            for key in keys {
                bench.press(key);
                // The bar behind two rows changes, and on some tabs the entry beside them. The sheet of the selected
                // character has a fixed place, so that it and one sheet beside it change.
                let most = match tab {
                    "2" => 4_600,
                    "5" => 1_600,
                    _ => 660,
                };
                at_most(&bench, most, key);
            }
        }
    }
}

#[test]
fn a_step_and_a_tick_are_a_few_bytes() {
    for size in SIZES {
        let mut bench = sit_down(size);
        for key in ["-", "+", "-"] {
            bench.press(key);
            at_most(&bench, 320, "a step on the table");
        }
        bench.press("o Down");
        for key in ["+", "-", "+"] {
            bench.press(key);
            at_most(&bench, 340, "a tick on the table");
        }
        for (tab, what) in [("2", "a step"), ("3", "a tick"), ("4", "a token")] {
            bench.press(tab);
            for key in ["-", "+", "-"] {
                bench.press(key);
                // A wedge of a large face is many cells, and so is a large coin. The message is one line.
                at_most(&bench, if tab == "2" { 200 } else { 790 }, what);
            }
        }
    }
}

#[test]
fn a_frame_is_drawn_only_when_something_is_otherwise() {
    let mut bench = sit_down((120, 40));
    // What is said first goes with the first key.
    bench.press("1");
    bench.screen.handle(Input::Changed);
    bench.screen.handle(Input::Saving);
    bench.look();
    assert_eq!(bench.sent, 0);
    assert_eq!(bench.screen.patience(std::time::Instant::now()), None);
    bench.press("1");
    assert_eq!(bench.sent, 0);
}
