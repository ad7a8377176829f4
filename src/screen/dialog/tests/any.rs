//! Whatever is pressed, at whatever size.

use proptest::prelude::*;

use super::*;
use crate::screen::dialog::{Agreed, Prompted};

const KEYS: [&str; 34] = [
    "enter",
    "esc",
    "up",
    "down",
    "left",
    "right",
    "tab",
    "shift-tab",
    "space",
    "backspace",
    "delete",
    "home",
    "end",
    "pgup",
    "pgdn",
    "ctrl-h",
    "ctrl-l",
    "ctrl-u",
    "ctrl-w",
    "ctrl-s",
    "[",
    "]",
    "-",
    "+",
    "=",
    "0",
    "1",
    "7",
    "9",
    "a",
    "c",
    "d",
    "y",
    "n",
];

fn opened(which: usize, bench: &mut Bench) {
    let mira = bench.read(|seen| seen.roster().next().unwrap().id);
    let pool = bench.read(|seen| seen.pools().next().unwrap().id);
    let clock = bench.read(|seen| seen.clocks().next().unwrap().clock.id);
    bench.open(|seen| match which {
        0 => Dialog::new_character(seen),
        1 => Dialog::edit_character(mira, seen),
        2 => Dialog::new_clock(seen),
        3 => Dialog::edit_clock(clock, seen),
        4 => Dialog::new_pool(seen),
        5 => Dialog::edit_pool(pool, seen),
        6 => Dialog::conditions([mira], seen),
        7 => Dialog::transfer(pool, seen),
        8 => Dialog::amount([pool], "+"),
        9 => Dialog::prompt(Prompted::Scene),
        10 => Dialog::confirm("Is it so?", Agreed::Quit),
        11 => Dialog::explain(1, seen),
        12 => Dialog::attach_check(clock, "none fills it", seen),
        13 => Dialog::link(clock, seen).unwrap(),
        14 => Dialog::scenes(crate::screen::dialog::Marked {
            characters: vec![mira],
            clocks: vec![clock],
        }),
        15 => Dialog::forecast(clock, seen).unwrap(),
        16 => Dialog::seats(seen),
        17 => Dialog::invite(seen),
        _ => Dialog::roll(Some(mira), seen),
    });
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]
    #[test]
    fn no_key_and_no_size_breaks_a_dialog(
        which in 0_usize..22,
        keys in prop::collection::vec(prop::sample::select(&KEYS[..]), 0..40),
        width in 1_u16..130,
        height in 1_u16..45,
        at in (0_u16..130, 0_u16..45),
    ) {
        let mut bench = Bench::heart_rush();
        opened(which, &mut bench);
        for key in keys {
            if bench.dialog.is_none() {
                opened(which, &mut bench);
            }
            bench.press(key);
            if bench.dialog.is_some() {
                bench.frame(width, height);
                bench.frame(40, 12);
            }
        }
        if bench.dialog.is_some() {
            let at = Position { x: at.0.min(width - 1), y: at.1.min(height - 1) };
            let area = Rect::new(0, 0, width, height);
            bench.hear(&Heard::Click { at, area });
        }
        let Bench { table, seat, dialog, .. } = &mut bench;
        table.submit(&Seat::gm(), &Act::Undo).unwrap();
        if let Some(dialog) = dialog {
            table.read(seat, |seen| dialog.changed(seen));
            bench.frame(width, height);
        }
    }
}

#[test]
fn every_hint_is_an_action_that_a_key_leads_to() {
    let mut bench = Bench::heart_rush();
    for which in 0..19 {
        opened(which, &mut bench);
        let dialog = bench.dialog.as_ref().unwrap();
        let hints = dialog.hints().iter();
        let keys =
            hints.filter(|hint| !bench.keymap.keys_for(**hint, dialog.contexts()).is_empty());
        assert!(keys.count() > 0, "{which}");
    }
}

#[test]
fn ascii_terminals_get_ascii() {
    let theme = Theme::default();
    let look = Look {
        ascii: true,
        ..Look::new(&theme, Depth::Mono)
    };
    let mut bench = Bench::heart_rush();
    for which in 0..19 {
        opened(which, &mut bench);
        let frame = bench.frame_in(look, 80, 24);
        assert!(frame.is_ascii(), "{which}: {frame}");
    }
    bench.press("ctrl-h enter");
    assert!(bench.frame_in(look, 80, 24).is_ascii());
    bench.write("7 1");
    bench.press("enter");
    let frame = bench.frame_in(look, 80, 24);
    assert!(frame.is_ascii(), "{frame}");
    bench.write("r");
    bench.write("6");
    bench.press("enter");
    let frame = bench.frame_in(look, 80, 24);
    assert!(frame.is_ascii(), "{frame}");
}
