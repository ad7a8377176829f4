//! Whatever is pressed, at whatever size.

use proptest::prelude::*;

use super::*;

const KEYS: &str = "enter esc up down left right tab shift-tab space backspace delete home end pgup pgdn \
                    ctrl-h ctrl-l ctrl-u ctrl-w ctrl-s [ ] - + = 0 1 7 9 a c d y n";

fn opened(which: usize, bench: &mut Bench) {
    let mira = bench.read(|seen| seen.roster().next().unwrap().id);
    let pool = bench.read(|seen| seen.pools().next().unwrap().id);
    let clock = bench.read(|seen| seen.clocks().next().unwrap().clock.id);
    bench.open(|seen| -> Box<dyn Dialog> {
        match which {
            0 => character_form(None, seen).into(),
            1 => character_form(Some(mira), seen).into(),
            2 => clock_form(None, seen).into(),
            3 => clock_form(Some(clock), seen).into(),
            4 => pool_form(None, seen).into(),
            5 => pool_form(Some(pool), seen).into(),
            6 => conditions_form(vec![mira], seen).into(),
            7 => transfer_form(pool, seen).into(),
            8 => amount_form(vec![pool], "+", seen).into(),
            9 => scene_form(seen).into(),
            10 => ConfirmDialog::new("Is it so?", DialogAction::Quit).into(),
            11 => ExplainDialog::new(1, seen).into(),
            12 => clock_check_form(clock, "none fills it", seen).into(),
            13 => link_form(clock, seen).unwrap().into(),
            14 => ScenesDialog::open(
                crate::screen::dialog::Marked {
                    characters: vec![mira],
                    clocks: vec![clock],
                },
                seen,
            )
            .into(),
            15 => ForecastDialog::open(clock, seen).unwrap().into(),
            16 => SeatsDialog::new(seen).into(),
            17 => invite_form(seen).into(),
            _ => RollDialog::open(Some(mira), seen).into(),
        }
    });
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]
    #[test]
    fn no_key_and_no_size_breaks_a_dialog(
        which in 0_usize..22,
        keys in prop::collection::vec(prop::sample::select(KEYS.split(' ').collect::<Vec<_>>()), 0..40),
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
            bench.click_at(at, (width, height));
        }
        bench.table.submit(&Seat::gm(), &Act::Undo).unwrap();
        if bench.dialog.is_some() {
            bench.changed();
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
    for faces in ["7 1", "r6"] {
        bench.write(faces);
        bench.press("enter");
        let frame = bench.frame_in(look, 80, 24);
        assert!(frame.is_ascii(), "{frame}");
    }
}

#[test]
fn every_check_of_every_system_is_rolled_read_again_and_called_for() {
    for system in System::ALL {
        for (place, check) in system.spec().checks.iter().enumerate() {
            let mut bench = Bench::new(system);
            bench.add("One", &[]);
            bench.roll("One");
            bench.press(&"] ".repeat(place));
            bench.sees(&format!("One: {}", check.label));
            bench.press("enter");
            while bench.read(|seen| seen.unfinished().count()) > 0 {
                bench.press("enter");
            }
            bench.sees("Close");
            let number = bench.newest();
            bench.open(|seen| AmendDialog::open(number, seen).unwrap());
            bench.sees("nothing changed yet");
            bench.open(|seen| CallDialog::open(&[], seen));
            bench.press("down");
            bench.press(&"right ".repeat(place));
            bench.press("enter");
            assert!(bench.dialog.is_none());
            bench.roll("One");
            bench.sees(&format!("One: {}", check.label));
            bench.sees("called for");
        }
    }
}
